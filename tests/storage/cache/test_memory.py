"""The memory half of the cache: bounded by bytes, last used stays."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from wellsourced.storage.cache.memory import CachedValue, MemoryCache


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 400)), max_size=60))
def test_memory_counts_right_and_keeps_what_was_used_last(steps: list[tuple[str, int]]) -> None:
    memory = MemoryCache(8000)
    for key, size in steps:
        taken = memory.put(key, CachedValue(b"x" * size, 0, 1))
        assert memory.get(key) is not None or not taken
        assert 0 <= memory.used_bytes <= memory.max_bytes
    for key in "abcdef":
        memory.discard(key)
    assert (memory.used_bytes, len(memory)) == (0, 0)


def test_memory_drops_the_least_recently_used() -> None:
    memory = MemoryCache(10_000)
    for number in range(8):
        memory.put(str(number), CachedValue(b"x" * 850, 0, 1))
        memory.get("0")
    memory.put("8", CachedValue(b"x" * 850, 0, 1))
    assert memory.get("0")
    assert memory.get("1") is None
