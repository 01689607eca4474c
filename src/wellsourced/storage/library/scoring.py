"""The texts that answer a question best, by BM25 (Robertson, Zaragoza 2009) over postings.

Where any word will do, only those texts are looked at that hold one of them so often that they can be among the best
(after Turtle, Flood 1995, who leave out common words for texts that hold no other).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from wellsourced.storage.library import postings
from wellsourced.storage.library.postings import LENGTH_STEPS, MOST_COUNTED, span_of
from wellsourced.storage.library.query import IndexQuery, SearchTerm
from wellsourced.storage.library.word_texts import Lengths, RangeTexts, WordTexts, united

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from wellsourced.storage.library.word_texts import Places

    Scores: TypeAlias = npt.NDArray[np.float32]

K1, B = 1.2, 0.75
LEAST_RARITY = 1e-6
MANY = 600
SEEDS = 3
ADDS_LITTLE = 4
COUNTED = 9
ROUNDED_UP = 1.0001
FEW = 400

WordSought: TypeAlias = tuple[str, bool]
"""A word, or with True the beginning of words."""


class ScoredTexts(NamedTuple):
    """The keys of texts and their scores, best first."""

    keys: list[int]
    scores: list[float]


class IndexedTexts:
    """All texts of an index: where each has its place, how long it is."""

    def __init__(self, held: Mapping[int, Mapping[int, Lengths]], before: IndexedTexts | None = None) -> None:
        """`held` are the lengths by range and segment; ranges that have not changed are taken over.

        Those that are joined, or may once be, have places whether or not they are in use: a span is in one piece.
        """
        import numpy as np

        known: Mapping[int, RangeTexts] = before.ranges if before else {}
        joined = {number for each in held for number in span_of(each) if number <= max(held)}
        pieces = {number: held.get(number, {}) for number in sorted(joined)}
        self.ranges: dict[int, RangeTexts] = {
            number: known[number] if number in known and known[number].segments == found.keys() else RangeTexts(found)
            for number, found in pieces.items()
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

    def same_until(self, before: IndexedTexts) -> int:
        """The place up to which all texts are the same as at another moment, and no segment goes on behind it."""
        both = zip(self.ranges.items(), before.ranges.items(), strict=False)
        same = sum(1 for _ in takewhile(lambda each: each[0] == each[1], both))  # one without a change was taken over
        ranges = list(self.ranges.values())
        while 0 < same < len(ranges) and not ranges[same - 1].segments.isdisjoint(ranges[same].segments):
            same -= 1
        return postings.RANGE * same

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
        self._norm = index.least_norm

    def below(self, count: int) -> float:
        """More than a text gets that holds it less often."""
        return self.weight * ROUNDED_UP * (count - 1) / (count - 1 + self._norm)

    def gain(self, count: int, lower: int) -> float:
        """By how much that falls for each text that holds it as often as the lower count, but not as the other."""
        return (self.below(count) - self.below(lower)) / (1 + self.texts.many(lower) - self.texts.many(count))

    def best_gain(self, count: int) -> tuple[float, int]:
        """Of all lower counts the one that gains most, and how much; of none, less than any."""
        return max(((self.gain(count, lower), lower) for lower in range(1, min(count, COUNTED))), default=(-1.0, 0))

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
        """Those of the rarest that hold the others too, and one of those of which any will do."""
        import numpy as np

        rarest, *others = sorted(self._required, key=lambda term: term.texts.held)
        places = self._allowed(rarest.texts.places_with([term.texts for term in others]))
        often = {rarest: rarest.texts.often(places)}
        for term in others:
            often[term] = term.texts.often(places)
            places, often = _only(often[term] > 0, places, often)
        often |= {term: term.texts.often(places) for term in self._any_of}
        if self._any_of:
            places, often = _only(np.logical_or.reduce([often[term] > 0 for term in self._any_of]), places, often)
        scores, norms = np.zeros(len(places), "f4"), self._norms(places)
        for term in (*self._required, *self._any_of):
            scores += term.scores(often[term], norms)
        return places, scores

    def _among_any(self, most: int) -> tuple[Places, Scores]:
        """Those that hold one of the words so often that they can be among the best."""
        least = self._least_of_best(most)
        found = [term.texts.at_least(count) for term, count in zip(self._any_of, self._counts_for(least), strict=True)]
        places = self._without_lower(self._allowed(united(found)), least)
        return places, self._add(self._any_of, places)

    def _without_lower(self, places: Places, least: float) -> Places:
        """Without most of those that have a lower score, as the words tell that add most; the others cost less then."""
        import numpy as np

        scores, norms = np.zeros(len(places), "f4"), self._norms(places)
        terms = sorted(self._any_of, key=lambda term: -term.weight)
        for number, term in enumerate(terms[:-1], 1):
            if len(places) <= FEW:
                break
            scores += term.scores(term.texts.often(places), norms)
            rest = sum(each.below(each.texts.most + 1) for each in terms[number:])
            kept = scores >= (least - rest) / ROUNDED_UP
            places, scores, norms = places[kept], scores[kept], norms[kept]
        return places

    def _least_of_best(self, most: int) -> float:
        """So many texts have at least this score: the last of those that hold a word most often."""
        import numpy as np

        scores = self._add(self._any_of, self._allowed(united(self._likely(SEEDS * most))))
        return float(np.partition(scores, -most)[-most]) if len(scores) >= most else 0.0

    def _likely(self, most: int) -> list[Places]:
        """Of each word the texts that hold it most often; words that add little are left out once there are enough."""
        terms = sorted(self._any_of, key=lambda term: -term.weight)
        found: list[Places] = []
        for term in terms:
            if term.weight * ADDS_LITTLE < terms[0].weight and sum(map(len, found)) >= most:
                break
            found.append(term.texts.at_least(term.texts.count_of(most))[:MANY])
        return found

    def _counts_for(self, least: float) -> list[int]:
        """How often a text has to hold each word, so that one that holds all less often has a lower score.

        Of all words the one is lowered that lowers the highest such score most for each text more to look at.
        """
        counts = [term.texts.most + 1 for term in self._any_of]
        gains = [term.best_gain(count) for term, count in zip(self._any_of, counts, strict=True)]
        while sum(map(ScoredTerm.below, self._any_of, counts)) >= least and max(counts) > 1:
            number = gains.index(max(gains))
            counts[number] = gains[number][1]
            gains[number] = self._any_of[number].best_gain(counts[number])
        return counts

    def _norms(self, places: Places) -> Scores:
        norms: Scores = self._index.norms[self._index.lengths[places]]
        return norms

    def _allowed(self, places: Places) -> Places:
        for term in self._excluded:
            places = places[term.often(places) == 0]
        return places

    def _add(self, terms: Sequence[ScoredTerm], places: Places) -> Scores:
        import numpy as np

        scores, norms = np.zeros(len(places), "f4"), self._norms(places)
        for term in terms:
            scores += term.scores(term.texts.often(places), norms)
        return scores

    def _in_order(self, places: Places, scores: Scores, most: int) -> ScoredTexts:
        """Older texts first among equals, as the order of keys has it."""
        import numpy as np

        if len(places) > most:
            least = np.partition(scores, -most)[-most]
            better, equal = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
            chosen = np.sort(np.append(better, equal[: most - len(better)]))
            places, scores = places[chosen], scores[chosen]
        order = np.lexsort((places, -scores))
        return ScoredTexts(self._index.keys(places[order]), scores[order].tolist())


def _only(
    kept: npt.NDArray[np.bool_], places: Places, often: dict[ScoredTerm, Scores]
) -> tuple[Places, dict[ScoredTerm, Scores]]:
    return places[kept], {term: counts[kept] for term, counts in often.items()}


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
