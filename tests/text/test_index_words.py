"""Text as the words of the index: folded alike wherever they stand, in any script."""

from __future__ import annotations

import pytest

from wellsourced.text.index_words import PIECE, index_words, run_words


def test_a_word_is_folded_alike_wherever_it_stands() -> None:
    assert index_words("Élan, élan ÉLAN\nнебо") == ["elan", "elan", "elan", "небо"]
    assert index_words("ＡＢＣ Straße — 東京都 x_y") == ["abc", "strasse", "東京", "京都", "都", "x", "y"]


@pytest.mark.parametrize(
    "text", ["", "plain", "né", "東京都の café, naïve — x" * 9, "é" * PIECE + "ßa " + "日本" * PIECE]
)
def test_words_in_any_script_are_those_of_each_stretch_alone(text: str) -> None:
    assert index_words(f"Über {text}") == ["uber", *(word for part in text.split() for word in index_words(part))]


def test_signs_stay_with_their_letter_in_a_run() -> None:
    assert run_words("東京都") == ["東京", "京都", "都"]
    assert run_words("กำ") == ["กำ", "ำ"]
    assert run_words("ที่นี่") == ["ที่นี่", "นี่"]
