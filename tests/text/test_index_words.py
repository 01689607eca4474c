"""Near-copies of a text share their sketch; other texts do not, and only some runs of words are looked at."""

from __future__ import annotations

import random

from wellsourced.text.index_words import SHINGLE, are_sketches_alike, index_words, sketch_text

WORDS = [f"word{number}" for number in range(400)]


def text(seed: int, length: int = 1500) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=length))


def test_near_copies_are_alike_and_others_are_not() -> None:
    original = text(1)
    sketched = sketch_text(index_words(original))
    assert are_sketches_alike(sketched, sketch_text(index_words(f"Seen elsewhere. {original.upper()} Read more.")))
    assert not are_sketches_alike(sketched, sketch_text(index_words(text(2))))
    assert sketch_text(index_words(original)[: SHINGLE - 1]) == b""


def test_runs_begin_at_some_words_alone() -> None:
    """Where every word began a run, a text of a few words would have a sketch as long as a book's."""
    assert len(sketch_text(index_words(text(3, 60)))) // 4 < 20


def test_a_word_is_folded_alike_wherever_it_stands() -> None:
    assert index_words("Élan, élan ÉLAN\nнебо") == ["elan", "elan", "elan", "небо"]
    assert index_words("ＡＢＣ Straße — 東京都 x_y") == ["abc", "strasse", "東京", "京都", "都", "x", "y"]
