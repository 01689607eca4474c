"""The gold set: nobody is accused wrongly, nothing false or retracted gets through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from tests.loopback.run import Internet
from tests.trust.gold import Group, cases
from tests.trust.judge import play
from tests.trust.recorded import recorded_cases
from tests.trust.score import broken, table

FEWEST: dict[Group, int] = {"real": 40, "hurt": 20, "fabricated": 30, "uncheckable": 20}


def test_the_set_is_large_enough() -> None:
    counts = Counter(case.group for case in cases())
    assert all(counts[group] >= fewest for group, fewest in FEWEST.items()), counts
    assert len({case.id for case in cases()}) == len(cases())


def test_every_promise_is_kept(internet: Internet, quiet_environment: Mapping[str, str]) -> None:
    played = play(cases(), internet, quiet_environment)
    assert len(played) == len(cases())
    assert not broken(played), table(played)
    assert not [one.case.id for one in played if one.wrong], table(played)


def test_every_promise_is_kept_with_recorded_answers(internet: Internet, quiet_environment: Mapping[str, str]) -> None:
    wanted = recorded_cases()
    if not wanted:
        pytest.skip("no recorded material beside the project")
    played = play(wanted, internet, quiet_environment)
    assert not broken(played), table(played)
    assert not [one.case.id for one in played if one.wrong], table(played)
