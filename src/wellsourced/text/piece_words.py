"""The words of the pieces of a text (its sentences, passages, kept documents), laid out so that few need be looked at.

Made once for a text and asked for many questions: where a word stands, which words have a stem, how often a run of
characters occurs in each piece. Linear in the length of the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from operator import add
from typing import TYPE_CHECKING

from wellsourced.text.index_words import RUN, fold_text
from wellsourced.text.languages import word_root
from wellsourced.text.terms import AMERICAN_WORDS, MARKS, STOP_WORDS, UNSPACED, stem_word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.float64]
    Numbers = NDArray[np.int64]

# Two words with one stem begin alike so far, but for the few that change their spelling.
BEGINNING = 2
FIRST_IDEOGRAPH = "\u3400"

WORD_OR_RUN = re.compile(rf"[{UNSPACED}]+|(?:[^\W_{UNSPACED}]|[{MARKS}])+")
PLAIN_WORD = re.compile("[a-z0-9]+")
GROUPED_DIGITS = re.compile(r"(\d)[,.’'\u00a0\u202f](?=\d{3}(?!\d))")


def split_words(text: str) -> list[str]:
    """The words of a text, folded, in order; a script without spaces in pairs of neighbours and single ideographs."""
    folded = fold_text(GROUPED_DIGITS.sub(r"\1", text))
    if folded.isascii():
        return PLAIN_WORD.findall(folded)
    words: list[str] = []
    for word in WORD_OR_RUN.findall(folded):
        words += _pairs_and_ideographs(word) if len(word) > 1 and RUN.match(word) else (word,)
    return words


def _pairs_and_ideographs(run: str) -> Iterator[str]:
    for pair in map(add, run, run[1:]):
        yield pair
        if pair[0] >= FIRST_IDEOGRAPH:
            yield pair[0]
    if run[-1] >= FIRST_IDEOGRAPH:
        yield run[-1]


def word_stem(word: str, language: str) -> str:
    """A folded word without the endings of its language; English where the language does not show."""
    return _stem(word, language or "en")


@lru_cache(maxsize=65536)
def _stem(word: str, language: str) -> str:
    if RUN.match(word):
        return word
    return stem_word(word) if language == "en" else word_root(word, language)


class PieceWords:
    """The words of each piece, in order, and where they stand."""

    def __init__(self, words: Sequence[list[str]]) -> None:
        self.words = words
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(chain.from_iterable(words)):
            self._places[word].append(number)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def vocabulary(self) -> Iterable[str]:
        return self._places.keys()

    def __contains__(self, word: str) -> bool:
        return word in self._places

    @cached_property
    def lengths(self) -> Numbers:
        import numpy as np

        return np.array([len(words) for words in self.words], np.int64)

    def places_of(self, words: Iterable[str]) -> list[int]:
        """The numbers of these words, counted through the whole text."""
        return [place for word in words for place in self._places.get(word, ())]

    def pieces_of(self, places: Sequence[int]) -> Numbers:
        """The piece that each place is in."""
        import numpy as np

        return np.searchsorted(self._firsts, np.asarray(places, np.int64), "right") - 1

    def words_with_stem(self, stem: str, language: str) -> list[str]:
        """The different words of the text that have a stem."""
        candidates = (*self._by_beginning.get(stem[:BEGINNING], ()), *self._respelt)
        return [word for word in candidates if word == stem or word_stem(word, language) == stem]

    def count_run(self, run: str) -> Counts:
        """How often a run of characters occurs in each piece; `^` and `$` stand for the edges of a word."""
        import numpy as np

        places = self.places_of(self._words_holding(run))
        if not places:
            return np.zeros(len(self))
        return np.bincount(self.pieces_of(places), minlength=len(self)).astype(float)

    def _words_holding(self, run: str) -> Iterator[str]:
        """The different words with a run in them, once for each time it occurs there."""
        written, at = self._written, -1
        while (at := written.find(run, at + 1)) >= 0:
            start = written.rfind("^", 0, at + 1)
            yield written[start + 1 : written.find("$", at)]

    @cached_property
    def _firsts(self) -> Numbers:
        import numpy as np

        return np.concatenate(([0], np.cumsum(self.lengths)[:-1])).astype(np.int64)

    @cached_property
    def _by_beginning(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = {}
        for word in self._places:
            table.setdefault(word[:BEGINNING], []).append(word)
        return table

    @cached_property
    def _respelt(self) -> list[str]:
        return [word for word in self._places if word in AMERICAN_WORDS and word[:2] != AMERICAN_WORDS[word][:2]]

    @cached_property
    def _written(self) -> str:
        """The different words with their edges marked; not the commonest, and none of a script without spaces."""
        return "".join(f"^{word}$" for word in self._places if word not in STOP_WORDS and not RUN.match(word))
