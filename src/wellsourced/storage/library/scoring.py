"""The texts that answer a question best, by BM25 (Robertson, Zaragoza 2009) over postings.

The rarest words are looked at first. Once no text that holds nothing but the others can be among the best, these count
only for those that still can (Turtle, Flood 1995).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from wellsourced.storage.library import postings
from wellsourced.storage.library.postings import LENGTH_STEPS, MOST_COUNTED, FoundTexts
from wellsourced.storage.library.query import IndexQuery, SearchTerm
from wellsourced.storage.library.word_texts import RangeTexts, WordTexts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from wellsourced.storage.library.word_texts import Places

    Scores: TypeAlias = npt.NDArray[np.float32]

K1, B = 1.2, 0.75
LEAST_RARITY = 1e-6

WordSought: TypeAlias = tuple[str, bool]
"""A word, or with True the beginning of words."""


class ScoredTexts(NamedTuple):
    """The keys of texts and their scores, best first."""

    keys: list[int]
    scores: list[float]


class IndexedTexts:
    """All texts of an index: where each has its place, how long it is."""

    def __init__(self, held: Mapping[int, Mapping[int, list[FoundTexts]]], before: IndexedTexts | None = None) -> None:
        """`held` are the lengths by range and segment; ranges that have not changed are taken over."""
        import numpy as np

        known = before.ranges if before else {}
        self.ranges = {
            number: known[number] if number in known and known[number].segments == pieces.keys() else RangeTexts(pieces)
            for number, pieces in sorted(held.items())
        }
        self.offsets = {number: place * postings.RANGE for place, number in enumerate(self.ranges)}
        self.size = len(self.ranges) * postings.RANGE
        self.lengths = np.concatenate([np.empty(0, np.uint8), *(each.lengths for each in self.ranges.values())])
        many = sum((each.many for each in self.ranges.values()), np.zeros(MOST_COUNTED + 1, np.int64))
        words = np.exp2(np.arange(MOST_COUNTED + 1) / LENGTH_STEPS)
        self.total = int(many[1:].sum())
        average = max(float((many * words)[1:].sum() / max(self.total, 1)), 1.0)
        self.norms = (K1 * (1 - B + B * words / average)).astype("f4")
        self.least_norm = float(self.norms[1:][many[1:] > 0].min(initial=K1))
        self.sums = before.sums if before and before.size == self.size else np.zeros(self.size, "f4")
        """To add up scores in: all of them 0 before and after."""

    def keys(self, places: Places) -> list[int]:
        import numpy as np

        first = np.array(list(self.ranges), np.int64) * postings.RANGE
        keys: list[int] = (first[places // postings.RANGE] + places % postings.RANGE).tolist()
        return keys


class ScoredTerm:
    """A term of a question, and what it adds to the scores of texts."""

    def __init__(self, texts: WordTexts, index: IndexedTexts) -> None:
        self.texts = texts
        rarity = math.log(max((index.total - texts.held + 0.5) / (texts.held + 0.5), 1.0))
        self.weight = max(LEAST_RARITY, rarity) * (K1 + 1)
        self.most = self.weight * texts.most / (texts.most + index.least_norm)
        """It never adds more."""

    def scores(self, often: Scores, norms: Scores) -> Scores:
        import numpy as np

        return np.float32(self.weight) * often / (often + norms)


def words_of(sought: SearchTerm) -> list[WordSought]:
    *first, last = sought.words
    return [*((word, False) for word in first), (last, sought.is_beginning)]


def words_sought(match: IndexQuery) -> list[WordSought]:
    return list(dict.fromkeys(word for term in (*match.wanted, *match.excluded) for word in words_of(term)))


class Question:
    """One question to an index, of which the words have been looked up."""

    def __init__(self, match: IndexQuery, index: IndexedTexts, found: Mapping[WordSought, WordTexts]) -> None:
        self._index = index
        self._required, self._any_of = (
            [ScoredTerm(_of_term(sought, found), index) for sought in terms] for terms in (match.required, match.any_of)
        )
        self._excluded = [_of_term(sought, found) for sought in match.excluded if is_word(sought)]

    def best(self, most: int) -> ScoredTexts:
        """The texts that answer it, as far as single words tell; at most so many."""
        places, scores = self._among_required() if self._required else self._among_any(most)
        return self._in_order(places, scores, most)

    def _among_required(self) -> tuple[Places, Scores]:
        import numpy as np

        rarest, *others = sorted(self._required, key=lambda term: term.texts.held)
        places = self._allowed(rarest.texts.places)
        for term in others:
            places = places[term.texts.often(places) > 0]
        if self._any_of:
            places = places[np.add.reduce([term.texts.often(places) for term in self._any_of]) > 0]
        return places, self._add((*self._required, *self._any_of), places, np.zeros(len(places), "f4"))

    def _among_any(self, most: int) -> tuple[Places, Scores]:
        """Rarest first, until what only the others hold cannot be among the best."""
        import numpy as np

        terms, seen = sorted(self._any_of, key=lambda term: -term.weight), []
        try:
            for number, term in enumerate(terms, 1):
                seen.append(self._add_up(term))
                places = np.concatenate(seen)
                scores, more = self._index.sums[places], sum(other.most for other in terms[number:])
                least = np.partition(scores, -most)[-most] if len(scores) > most else 0.0
                if least >= more:
                    break
        finally:
            for each in seen:
                self._index.sums[each] = 0.0
        likely = np.flatnonzero(scores + more >= least)
        likely = likely[places[likely].argsort()]
        return places[likely], self._add(terms[number:], places[likely], scores[likely])

    def _add_up(self, term: ScoredTerm) -> Places:
        """Add to the sums what a term does; the texts that had none."""
        places, sums = self._allowed(term.texts.places), self._index.sums
        before = sums[places]
        sums[places] = self._add([term], places, before)
        return places[before == 0.0]

    def _allowed(self, places: Places) -> Places:
        for term in self._excluded:
            places = places[term.often(places) == 0]
        return places

    def _add(self, terms: Sequence[ScoredTerm], places: Places, scores: Scores) -> Scores:
        if not terms:
            return scores
        norms = self._index.norms[self._index.lengths[places]]
        for term in terms:
            scores = scores + term.scores(term.texts.often(places), norms)
        return scores

    def _in_order(self, places: Places, scores: Scores, most: int) -> ScoredTexts:
        """Older texts first among equals, as the order of keys has it."""
        import numpy as np

        if len(places) > most:
            chosen = np.sort(np.argpartition(-scores, most)[:most])
            places, scores = places[chosen], scores[chosen]
        order = np.lexsort((places, -scores))
        return ScoredTexts(self._index.keys(places[order]), scores[order].tolist())


def _of_term(sought: SearchTerm, found: Mapping[WordSought, WordTexts]) -> WordTexts:
    """Of a phrase the texts that hold all its words."""
    words = [found[word] for word in words_of(sought)]
    return words[0] if len(words) == 1 else WordTexts.of_all(words)


def is_word(sought: SearchTerm) -> bool:
    return len(sought.words) == 1


def phrases_of(match: IndexQuery) -> tuple[list[SearchTerm], list[SearchTerm]]:
    """What has to stand, and may not stand, in a text word after word."""
    return [each for each in match.required if not is_word(each)], [e for e in match.excluded if not is_word(e)]


def holds_phrase(spaced: Sequence[str], sought: SearchTerm) -> bool:
    """Whether one of these texts, spaced and with a blank at either end, holds the words in a row."""
    phrase = f" {' '.join(sought.words)}" + ("" if sought.is_beginning else " ")
    return any(phrase in text for text in spaced)
