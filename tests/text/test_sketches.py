"""Near-copies of a text share their sketch; other texts do not, and only some runs of words are looked at."""

from __future__ import annotations

import random

from wellsourced.text.sketches import SHINGLE, SKETCHED_WORDS, are_sketches_alike, sketch_texts
from wellsourced.text.spaced_words import SpacedWords

WORDS = [f"word{number}" for number in range(400)]
GERMAN = (
    "Ob “nicht” sein – oder! Das IST hier die Frage, ob es edler im Gemüt, die Pfeil’ und Schleudern des wütenden "
    "Geschicks erdulden oder, sich waffnend gegen eine See von Plagen"
)


def text(seed: int, length: int = 1500) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=length))


def sketches(*texts: str) -> list[bytes]:
    words = SpacedWords.of(texts)
    return list(sketch_texts(words, *words.different()))


def test_near_copies_are_alike_and_others_are_not() -> None:
    original = text(1)
    first, copy, other, short = sketches(
        original,
        f"Seen elsewhere. {original.upper()} Read more.",
        text(2),
        " ".join(original.split()[: SHINGLE - 1]),
    )
    assert are_sketches_alike(first, copy)
    assert not are_sketches_alike(first, other)
    assert short == b""


def test_a_sketch_is_the_same_whatever_else_is_sketched() -> None:
    """Those that are kept were made in other batches: this one was made when each text had its own words."""
    assert sketches("", text(1, 60), "", text(3, 60), text(4, 9)) == [
        each for alone in ("", text(1, 60), "", text(3, 60), text(4, 9)) for each in sketches(alone)
    ]
    assert sketches(GERMAN)[0].hex() == "2ffadc1d7c771f1b"


def test_a_text_is_sketched_by_its_beginning() -> None:
    long = text(5, SKETCHED_WORDS)
    assert sketches(long) == sketches(f"{long} {text(6)}")


def test_runs_begin_at_some_words_alone() -> None:
    """Where every word began a run, a text of a few words would have a sketch as long as a book's."""
    assert len(sketches(text(3, 60))[0]) // 4 < 20
