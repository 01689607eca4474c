"""The memory half of the cache: bounded by bytes, last used stays."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from wellsourced.storage.cache.memory import CachedValue, MemoryCache


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 400), st.booleans()), max_size=60))
def test_memory_counts_right_and_keeps_what_was_used_last(steps: list[tuple[str, int, bool]]) -> None:
    memory = MemoryCache(8000)
    for key, size, is_new in steps:
        taken = (memory.put_new if is_new else memory.put)(key, CachedValue(b"x" * size, 0, 1))
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


def test_what_nobody_asks_for_again_takes_a_small_part_and_drives_out_nothing() -> None:
    memory = MemoryCache(800_000)
    memory.put("old", CachedValue(b"x" * 850, 0, 1))
    for number in range(1000):
        memory.put_new(f"new {number}", CachedValue(b"x" * 850, 0, 1))
        memory.get("new 0")
    assert memory.get("old") and memory.get("new 0")
    assert memory.get("new 1") is None
    assert memory.used_bytes < 800_000 // 7
