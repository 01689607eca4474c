"""Folding letter by letter gives the words that folding word by word gives."""

from __future__ import annotations

import random

import pytest

from wellsourced.text.index_words import space_words
from wellsourced.text.spaced_letters import ALONE, LONG, space_text

LETTERS = [chr(code) for first, end in ((1, 0x80), *ALONE) for code in range(first, end)]


def test_every_letter_is_folded_for_itself_whatever_stands_beside_it() -> None:
    chance = random.Random(7)
    each = " ".join(f"ab{letter}cd {letter} x{letter}{letter}E" for letter in LETTERS)
    mixed = "".join(chance.choices(LETTERS, k=20_000))
    for text in (each, mixed):
        assert space_text(text).split() == space_words(text).split()


@pytest.mark.parametrize("other", ["e\u0301", "日本語", "ก็", "क्षि", "🙂", "가", "\u0730", "ｶﾞ", "\U0010ffff"])
def test_a_text_with_any_other_character_is_folded_word_by_word(other: str) -> None:
    text = f"Größe und Maß der Straße {other} und a{other}b " * LONG
    assert space_text(text) == space_words(text)
