"""Words as bytes behind each other: numbered alike where they are alike, in whichever text they stand."""

from __future__ import annotations

from itertools import chain

import numpy as np

from wellsourced.text.index_words import index_words
from wellsourced.text.spaced_words import COMPARED, SpacedWords, find_numbers

LONG = "x" * (COMPARED - 1)
TEXTS = [
    "  The tide, the EDIT; the tide.",
    "",
    "eight888 eight8888 eight88889 небо 東京都 Straße небо-небо",
    "...",
    f"{LONG} {LONG}a {LONG}b {LONG}",
]


def test_words_and_their_counts_are_those_of_each_text() -> None:
    words = SpacedWords.of(TEXTS)
    expected = list(map(index_words, TEXTS))
    assert words.counts.tolist() == list(map(len, expected))
    assert words.written.decode() == "".join(f"{word} " for word in chain(*expected))
    assert len(SpacedWords.of(["", " ,"]).numbers()) == 0


def test_each_different_word_has_one_number() -> None:
    words, expected = SpacedWords.of(TEXTS), [*chain.from_iterable(map(index_words, TEXTS))]
    different, which = words.different()
    known = [word.decode() for word in words.encoded(different)]
    assert sorted(known) == sorted(set(expected))
    assert [known[number] for number in which] == expected


def test_numbers_are_found_also_where_they_share_a_slot() -> None:
    sought = np.random.default_rng(1).integers(1, 2**63, 3000).astype(np.uint64)
    asked = np.concatenate((sought[::-1], np.array([7], np.uint64)))
    assert find_numbers(sought, asked).tolist() == [*range(3000, 0, -1), 0]
