"""Cutting, choosing and measuring text: no limit is ever exceeded and no character torn."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.text.budget import MARKER, best_passages, byte_length, estimate_tokens, size_category, truncate_text

TEXTS = st.text(max_size=400) | st.lists(st.sampled_from(["Tea. ", "語", "👩‍🚀", "é", "\n\n", "word "])).map("".join)


@given(TEXTS, st.integers(0, 300))
def test_no_limit_is_exceeded(text: str, limit: int) -> None:
    result, was_cut = truncate_text(text, max_bytes=limit)
    assert byte_length(result) <= limit
    assert was_cut == (byte_length(text) > limit)
    assert text.startswith(result.removesuffix(MARKER))
    assert was_cut or result == text


@pytest.mark.parametrize(
    ("text", "length", "kept"),
    [
        ("One two three.\n\nFour five. Six seven eight nine ten.", 51, "One two three.\n\nFour five."),
        ("One two three four.\n\nFive six seven eight nine ten eleven.", 48, "One two three four."),
        ("One two three four five six seven eight nine ten.", 45, "One two three four five"),
        (
            "東京は大きい。京都は古い。大阪は商業の町で人が多いところである。名古屋は車の町として知られている。",
            41,
            "東京は大きい。京都は古い。",
        ),
        ("👩‍🚀" * 40, 26, "👩‍🚀"),
        ("e\u0301" * 40, 26, "e\u0301" * 2),
    ],
)
def test_the_place_of_the_cut(text: str, length: int, kept: str) -> None:
    limit = byte_length(text[: length - len(MARKER)] + MARKER)
    assert truncate_text(text, max_bytes=limit) == (kept + MARKER, True)


def test_an_early_boundary_is_not_used() -> None:
    text = "Short.\n\n" + "x" * 200
    result, _ = truncate_text(text, max_bytes=100)
    assert len(result) == 100


def test_a_limit_without_room_for_the_marker() -> None:
    assert truncate_text("語語語語", max_bytes=7) == ("語語", True)
    assert truncate_text("語", max_bytes=0) == ("", True)
    assert truncate_text("\ud800" * 9, max_bytes=7)[0] == "\ud800" * 2


@pytest.mark.parametrize(
    ("size", "category"),
    [(4_999, "small"), (5_000, "medium"), (19_999, "medium"), (20_000, "large"), (50_000, "very_large")],
)
def test_sizes(size: int, category: str) -> None:
    assert size_category(size) == category
    assert estimate_tokens("x" * size) == size // 4


def test_tokens_are_counted_in_bytes() -> None:
    assert estimate_tokens("語" * 4) == 3


def test_the_best_passages_come_first() -> None:
    text = "Tea grows in hills.\n\nCoffee is roasted slowly.\n\nTea and coffee both hold caffeine.\n\nThe end of it."
    found = best_passages(text, "coffee caffeine", 200)
    assert [piece.text for piece in found] == ["Tea and coffee both hold caffeine.", "Coffee is roasted slowly."]
    assert all(text[piece.start : piece.end] == piece.text for piece in found)
    assert [piece.text for piece in best_passages(text, "コーヒー", 20)] == ["Tea grows in hills."]
    assert [piece.score for piece in best_passages(text, "", 500)] == [0.0] * 4


@given(TEXTS, st.text(max_size=20), st.integers(0, 200))
def test_passages_stay_within_their_budget(text: str, query: str, budget: int) -> None:
    found = best_passages(text, query, budget)
    assert sum(byte_length(piece.text) for piece in found) <= budget
    assert all(text[piece.start : piece.end] == piece.text for piece in found)


def test_a_large_text_is_quick() -> None:
    text = "Tea is hot and coffee is hotter than that. " * 50_000
    start = time.process_time()
    truncate_text(text, max_bytes=1_000_000)
    best_passages(text, "coffee", 10_000)
    assert time.process_time() - start < 10
