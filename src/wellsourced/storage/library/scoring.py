"""The texts that answer a question best, by BM25 (Robertson, Zaragoza 2009) over postings.

The rarest words are looked at first, and common ones only for the texts that have been found so far, once no text that
holds nothing but common ones can be among the best (Turtle, Flood 1995). A text's place is its number among all those
of the ranges in use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from wellsourced.storage.library import postings
from wellsourced.storage.library.postings import EVERY_TEXT, LENGTH_STEPS, MOST_COUNTED, Block, find_texts
from wellsourced.storage.library.query import IndexQuery, SearchTerm

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Places: TypeAlias = npt.NDArray[np.intp]
    Counts: TypeAlias = npt.NDArray[np.uint8]
    Scores: TypeAlias = npt.NDArray[np.float32]
    Chosen: TypeAlias = npt.NDArray[np.uint16] | npt.NDArray[np.bool_]

K1, B = 1.2, 0.75
LEAST_RARITY = 1e-6

WordSought: TypeAlias = tuple[str, bool]
"""A word, or with True the beginning of words."""
FoundBlock: TypeAlias = tuple[int, Block]
"""The range of a block that may hold a word, and the block."""


class ScoredTexts(NamedTuple):
    """The keys of texts and their scores, best first."""

    keys: list[int]
    scores: list[float]


class IndexedTexts:
    """All texts of an index: where each has its place, how long it is."""

    def __init__(self, blocks: Sequence[FoundBlock]) -> None:
        import numpy as np

        self.ranges = sorted({number for number, _ in blocks})
        self.offsets = {number: place * postings.RANGE for place, number in enumerate(self.ranges)}
        self.size = len(self.ranges) * postings.RANGE
        self.lengths = count_texts(self, blocks, (EVERY_TEXT, False)).counts
        often = np.bincount(self.lengths, minlength=MOST_COUNTED + 1)[1:]
        words = np.exp2(np.arange(MOST_COUNTED + 1) / LENGTH_STEPS)
        self.total = int(often.sum())
        average = max(float((often * words[1:]).sum() / max(self.total, 1)), 1.0)
        self.norms = (K1 * (1 - B + B * words / average)).astype("f4")

    def keys(self, places: Places) -> list[int]:
        import numpy as np

        first = np.array(self.ranges, np.int64) * postings.RANGE
        keys: list[int] = (first[places // postings.RANGE] + places % postings.RANGE).tolist()
        return keys


class WordTexts:
    """How often each text holds a word, or words that begin so."""

    def __init__(self, counts: Counts, parts: Sequence[tuple[int, Chosen, Counts]] = ()) -> None:
        """`parts` are where a range begins and what was found there, if each text was found once."""
        import numpy as np

        self.counts = counts
        self.held = int(np.count_nonzero(counts))
        self._parts = parts

    @cached_property
    def places(self) -> Places:
        """The texts that do."""
        import numpy as np

        if not self._parts:
            return self.counts.nonzero()[0]
        return np.concatenate([_numbers(chosen) + begin for begin, chosen, _ in self._parts])


def count_texts(texts: IndexedTexts, blocks: Iterable[FoundBlock], word: WordSought) -> WordTexts:
    import numpy as np

    counts, added, held = np.zeros(texts.size, np.uint8), 0, []
    for number, block in blocks:
        found = find_texts(block, *word)
        if found is not None:
            begin = texts.offsets[number]
            counts[begin : begin + postings.RANGE][found[0]] = found[1]
            added += len(found[1])
            held.append((begin, *found))
    result = WordTexts(counts, held)
    return result if result.held == added else _add_up(texts, held)


def _numbers(chosen: Chosen) -> Places:
    import numpy as np

    return chosen.nonzero()[0] if chosen.dtype == bool else chosen.astype(np.intp)


def _add_up(texts: IndexedTexts, held: Iterable[tuple[int, Chosen, Counts]]) -> WordTexts:
    """Where a text holds several words that begin so."""
    import numpy as np

    totals = np.zeros(texts.size, np.uint16)
    for begin, chosen, often in held:
        np.add.at(totals, _numbers(chosen) + begin, often.astype(np.uint16))
    return WordTexts(np.minimum(totals, MOST_COUNTED).astype(np.uint8))


def words_of(sought: SearchTerm) -> list[WordSought]:
    *first, last = sought.words
    return [*((word, False) for word in first), (last, sought.is_beginning)]


def words_sought(match: IndexQuery) -> list[WordSought]:
    return list(dict.fromkeys(word for term in (*match.wanted, *match.excluded) for word in words_of(term)))


class Question:
    """One question to an index, of which the words have been looked up."""

    def __init__(self, match: IndexQuery, texts: IndexedTexts, found: Mapping[WordSought, WordTexts]) -> None:
        self._texts = texts
        self._required = [_of_term(sought, found) for sought in match.required]
        self._any_of = [_of_term(sought, found) for sought in match.any_of]
        self._excluded = [_of_term(sought, found) for sought in match.excluded if is_word(sought)]

    @cached_property
    def _rarities(self) -> list[float]:
        held = [term.held for term in (*self._required, *self._any_of)]
        total = self._texts.total
        return [max(LEAST_RARITY, math.log(max((total - each + 0.5) / (each + 0.5), 1.0))) for each in held]

    def best(self, most: int) -> ScoredTexts:
        """The texts that answer it, as far as single words tell; at most so many."""
        places, scores = self._among_required() if self._required else self._among_any(most)
        return self._in_order(places, scores, most)

    def _among_required(self) -> tuple[Places, Scores]:
        rarest, *others = sorted(self._required, key=lambda term: term.held)
        places = rarest.places
        for term in others:
            places = places[term.counts[places] > 0]
        if self._any_of:
            places = places[sum((term.counts[places] > 0).astype(int) for term in self._any_of) > 0]
        places = self._allowed(places)
        return places, self._scores(places)

    def _among_any(self, most: int) -> tuple[Places, Scores]:
        """Rarest first, until what only the others hold cannot be among the best."""
        import numpy as np

        order = sorted(zip(self._rarities, self._any_of, strict=True), key=lambda each: -each[0])
        left = sum(self._rarities) * (K1 + 1)
        places, scores = np.empty(0, np.intp), np.empty(0, np.float32)
        for number, (rarity, term) in enumerate(order):
            new = self._allowed(term.places)
            for _, earlier in order[:number]:
                new = new[earlier.counts[new] == 0]
            left -= rarity * (K1 + 1)
            places, scores = np.concatenate((places, new)), np.concatenate((scores, self._scores(new)))
            if len(places) >= most and np.partition(scores, -most)[-most] >= left:
                break
        return places, scores

    def _allowed(self, places: Places) -> Places:
        for term in self._excluded:
            places = places[term.counts[places] == 0]
        return places

    def _scores(self, places: Places) -> Scores:
        import numpy as np

        scores = np.zeros(len(places), "f4")
        norms = self._texts.norms[self._texts.lengths[places]]
        for rarity, term in zip(self._rarities, (*self._required, *self._any_of), strict=True):
            often = term.counts[places].astype("f4")
            scores += np.float32(rarity * (K1 + 1)) * often / (often + norms)
        return scores

    def _in_order(self, places: Places, scores: Scores, most: int) -> ScoredTexts:
        """Older texts first among equals, as the order of keys has it."""
        import numpy as np

        if len(places) > most:
            chosen = np.sort(np.argpartition(-scores, most)[:most])
            places, scores = places[chosen], scores[chosen]
        order = np.lexsort((places, -scores))
        return ScoredTexts(self._texts.keys(places[order]), scores[order].tolist())


def _of_term(sought: SearchTerm, found: Mapping[WordSought, WordTexts]) -> WordTexts:
    """Of a phrase the texts that hold all its words, at most as often as the rarest of them."""
    import numpy as np

    words = [found[word] for word in words_of(sought)]
    return words[0] if len(words) == 1 else WordTexts(np.minimum.reduce([each.counts for each in words]))


def is_word(sought: SearchTerm) -> bool:
    return len(sought.words) == 1


def phrases_of(match: IndexQuery) -> tuple[list[SearchTerm], list[SearchTerm]]:
    """What has to stand, and may not stand, in a text word after word."""
    return [each for each in match.required if not is_word(each)], [e for e in match.excluded if not is_word(e)]


def holds_phrase(spaced: Sequence[str], sought: SearchTerm) -> bool:
    """Whether one of these texts, spaced and with a blank at either end, holds the words in a row."""
    phrase = f" {' '.join(sought.words)}" + ("" if sought.is_beginning else " ")
    return any(phrase in text for text in spaced)
