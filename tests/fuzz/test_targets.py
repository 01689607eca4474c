"""Every target on mutated seeds: nothing escapes, and no input of this size takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fuzz import run
from tests.fuzz.mutations import mutated
from tests.fuzz.seeding import seeds_of
from tests.fuzz.targets import TARGETS

EXAMPLES = {
    "html": 60,
    "pdf": 60,
    "docx": 80,
    "any-document": 100,
    "bibtex": 60,
    "ris": 80,
    "csl-json": 80,
    "url": 200,
    "rpc": 300,
}
LONGEST_SECONDS = 4.0


def test_the_fuzzer_knows_every_target() -> None:
    """It names them without importing them, since they must be imported under its eyes."""
    assert set(run.NAMES) == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_target(target: str) -> None:
    seeds = seeds_of(target)
    for seed in seeds:
        TARGETS[target](seed)

    @settings(
        max_examples=EXAMPLES[target],
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
    )
    @given(mutated(seeds) | st.binary(max_size=200))
    def holds(data: bytes) -> None:
        started = time.process_time()
        TARGETS[target](data)
        assert time.process_time() - started < LONGEST_SECONDS, f"{len(data)} bytes took too long"

    holds()
