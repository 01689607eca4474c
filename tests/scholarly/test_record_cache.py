"""Handfuls of DOIs: none too many, none too long for an address, nothing lost but a rest of very few."""

from __future__ import annotations

from urllib.parse import urlencode

from hypothesis import given
from hypothesis import strategies as st

from wellsourced.scholarly.record_cache import LARGEST_BATCH, LONGEST_BATCH, SMALLEST_BATCH, batch_ids

SUFFIX = st.text(st.sampled_from("abc0123456789./()é鳥;:"), min_size=1, max_size=290)


@given(st.lists(SUFFIX.map("10.1000/{}".format), max_size=150))
def test_batches(dois: list[str]) -> None:
    found = list(batch_ids(dois))
    rest = iter(dois)
    assert all(doi in rest for batch in found for doi in batch), "in order"
    for batch in found:
        assert SMALLEST_BATCH <= len(batch) <= LARGEST_BATCH
        assert len(urlencode({"filter": ",".join(f"doi:{doi}" for doi in batch)})) <= LONGEST_BATCH


def test_short_ones_fill_their_batches() -> None:
    wanted: dict[int, list[int]] = {
        0: [],
        SMALLEST_BATCH - 1: [],
        SMALLEST_BATCH: [SMALLEST_BATCH],
        LARGEST_BATCH + 1: [LARGEST_BATCH],
        5 * LARGEST_BATCH: [LARGEST_BATCH] * 5,
    }
    for count, sizes in wanted.items():
        assert [len(batch) for batch in batch_ids(f"10.1000/x{n}" for n in range(count))] == sizes
