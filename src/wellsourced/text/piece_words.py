"""The words of the pieces of a text (its sentences, passages, kept documents), laid out so that few need be looked at.

Made once for a text and asked for many questions: where the words with a stem stand, how often a run of characters
occurs in each piece. The text is searched as an array of letters; only words that begin like one that is wanted are
taken out of it. Linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from wellsourced.text.folded_letters import FIRST_IDEOGRAPH, IDEOGRAPH, IN_RUN, LETTER, encode_letters, fold_letters
from wellsourced.text.index_words import RUN, fold_text
from wellsourced.text.languages import word_root
from wellsourced.text.terms import AMERICAN_WORDS, MARKS, STOP_WORDS, UNSPACED, stem_word
from wellsourced.text.word_numbers import number_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

# Two words with one stem begin alike so far, but for the few that change their spelling.
BEGINNING = 3
GRAM = 4
# Runs are first looked up by the lowest bits of a number made of their letters, a factor for each.
HASHES = 1 << 16
FACTORS = (1, 40_503, 2_654_435, 97_463)
KEY_FACTORS = (1, 2_097_169, 4_398_046_511_119, 288_230_376_151_711_813)
RESPELT = [(word, other) for word, other in AMERICAN_WORDS.items() if word[:BEGINNING] != other[:BEGINNING]]

WORD_OR_RUN = re.compile(rf"[{UNSPACED}]+|(?:[^\W_{UNSPACED}]|[{MARKS}])+")
GROUPING = re.compile(r"[,.’'\u00a0\u202f](?<=\d[,.’'\u00a0\u202f])(?=\d{3}(?!\d))")
BETWEEN_PIECES = "\x00"
LONGEST_STOP_WORD = max(map(len, STOP_WORDS))
NONE: frozenset[int] = frozenset()


def split_words(text: str) -> list[str]:
    """The words of a text, folded, in order; a script without spaces in pairs of neighbours and single ideographs."""
    return _find_words(fold_text(GROUPING.sub("", text)))


def _find_words(folded: str) -> list[str]:
    words: list[str] = []
    for word in WORD_OR_RUN.findall(folded):
        words += _pairs_and_ideographs(word) if len(word) > 1 and RUN.match(word) else (word,)
    return words


def _pairs_and_ideographs(run: str) -> Iterable[str]:
    either = zip(map(add, run, run[1:]), run, strict=False)
    words = [word for pair, one in either for word in ((pair, one) if one >= FIRST_IDEOGRAPH else (pair,))]
    return [*words, run[-1]] if run[-1] >= FIRST_IDEOGRAPH else words


def word_stem(word: str, language: str) -> str:
    """A folded word without the endings of its language; English where the language does not show."""
    return _stem(word, language or "en")


@lru_cache(maxsize=16384)
def _stem(word: str, language: str) -> str:
    if RUN.match(word):
        return word
    return stem_word(word) if language == "en" else word_root(word, language)


class _AlikeWords(NamedTuple):
    """Numbers of words, of which different word each is one, and these."""

    numbers: Numbers
    of_word: Numbers
    words: list[str]


class PieceWords:
    """The letters of all pieces one after the other, and where the words begin and end in them."""

    def __init__(self, pieces: Sequence[str]) -> None:
        whole = BETWEEN_PIECES.join(pieces)
        if whole.count(BETWEEN_PIECES) >= len(pieces):  # some stand in the pieces themselves
            whole = BETWEEN_PIECES.join(piece.replace(BETWEEN_PIECES, " ") for piece in pieces)
        self._text, self.codes, self.kinds = fold_letters(whole, join_digits=True)
        self._count = len(pieces)
        self._last_alike: tuple[set[str], _AlikeWords] | None = None

    def __len__(self) -> int:
        return self._count

    def may_hold(self, beginnings: Iterable[str]) -> bool:
        """Whether some of these letters stand anywhere in the text; the fewer, the likelier they do."""
        return any(map(self._text.__contains__, sorted(beginnings, key=len)))

    def words_of(self, number: int) -> list[str]:
        """The words of one piece, in order."""
        first, last = self.edges[number] + 1, self.edges[number + 1]
        piece = self._text[first:last]
        return _find_words(piece) if self.has_runs else piece.split()

    def spaced_words_of(self, number: int) -> list[str]:
        """Those that stand between spaces."""
        piece = self._text[self.edges[number] + 1 : self.edges[number + 1]]
        return (RUN.sub(" ", piece) if self.has_runs else piece).split()

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The different words that stand between spaces."""
        return frozenset(self._spaced.tobytes().decode("utf-32-le", "surrogatepass").split())

    @cached_property
    def lengths(self) -> Numbers:
        """How many words each piece has."""
        import numpy as np

        ends = self.edges[1:]
        if not self.has_runs:
            return np.diff(np.searchsorted(self.starts, ends), prepend=0)[: self._count]
        return np.diff(np.append(0, np.cumsum(self._units))[ends], prepend=0)[: self._count]

    def pieces_with(self, groups: Sequence[Iterable[str]], languages: Collection[str] = ()) -> list[frozenset[int]]:
        """For each group the pieces that have a word with one of its stems; without languages, one of its words."""
        pieces: list[set[int]] = [set() for _ in groups]
        for piece, _, number in self.find(groups, languages).tolist():
            pieces[number].add(piece)
        return list(map(frozenset, pieces))

    def find(self, groups: Sequence[Iterable[str]], languages: Collection[str] = ()) -> Numbers:
        """Where the words of groups stand: rows of piece, word counted through the whole text, and group, in order.

        A word belongs to a group that has it or, with languages, its stem in one of them.
        """
        import numpy as np

        wanted = _numbers_of(groups)
        if not wanted:
            return np.empty((0, 3), np.int64)
        found = self._find_spaced(wanted, languages)
        if self.has_runs:
            in_runs = np.array(list(self._find_in_runs(wanted)), np.int64).reshape(-1, 3)
            found = np.concatenate((found, in_runs))
            found = found[np.argsort(found[:, 1], kind="stable")]
        found[:, 0] = self._pieces_at(found[:, 0])
        return found

    def find_runs(self, runs: Sequence[str]) -> Numbers:
        """Where runs of characters stand: rows of piece and run, once for each time it occurs.

        `^` and `$` stand for the edges of a word. A run is as long as `GRAM`, or a shorter word as a whole. The
        commonest words are left out.
        """
        import numpy as np

        short = self.find([[run[1:-1]] if len(run) < GRAM else () for run in runs])[:, ::2]
        long = [number for number, run in enumerate(runs) if len(run) == GRAM]
        if not long:
            return short
        letters = encode_letters("".join(runs[number] for number in long).replace("^", " ").replace("$", " "))
        hashes = _hash_runs(letters, GRAM)[::GRAM]
        places = np.flatnonzero(_table_of(hashes).take(self._run_hashes))
        order = np.argsort(keys := _run_keys(letters, np.arange(0, len(letters), GRAM)))
        found = _run_keys(self._spaced, places)
        at = np.minimum(np.searchsorted(keys[order], found), len(order) - 1)
        is_run = keys[order][at] == found
        places, numbers = places[is_run], np.array(long)[order[at[is_run]]]
        is_rare = ~self._is_common(places)
        return np.concatenate((short, np.stack((self._pieces_at(places), numbers), axis=1)[is_rare]))

    def _is_common(self, places: Numbers) -> NDArray[np.bool_]:
        """Whether the word that holds or follows each place is a stop word."""
        import numpy as np

        words = np.searchsorted(self._word_ends, places, "right")
        may_be = _stop_word_beginnings()[self._beginnings[words]]
        may_be &= self._word_ends[words] - self.starts[words] <= LONGEST_STOP_WORD
        short = np.unique(words[may_be])
        spans = zip(short.tolist(), self.starts[short].tolist(), self._word_ends[short].tolist(), strict=True)
        is_common = np.zeros(len(self.starts), bool)
        is_common[[word for word, start, end in spans if self._text[start:end] in STOP_WORDS]] = True
        return is_common[words]

    def _find_spaced(self, wanted: dict[str, frozenset[int]], languages: Collection[str]) -> Numbers:
        import numpy as np

        respelt = [word for word, other in RESPELT if stem_word(other) in wanted] if "en" in languages else []
        alike, of_place, words = self._find_alike({word[:BEGINNING] for word in (*wanted, *respelt)})
        numbers = [_numbers_for(word, wanted, languages) for word in words]
        times = np.fromiter(map(len, numbers), np.int64, len(numbers))
        numbers_of = np.fromiter(chain.from_iterable(numbers), np.int64, int(times.sum()))
        repeated = np.repeat(alike, times[of_place])
        of_repeated, ends = np.repeat(of_place, times[of_place]), np.cumsum(times[of_place])
        within = np.arange(len(repeated)) - (ends - times[of_place]).repeat(times[of_place])
        starts = self.starts[repeated]
        number = numbers_of[(np.cumsum(times) - times)[of_repeated] + within]
        place = self._words_before[starts] if self.has_runs else repeated
        return np.stack((starts, place, number), axis=1)

    def _find_alike(self, beginnings: set[str]) -> _AlikeWords:
        """The words that begin so, and maybe some that a question before this one asked for."""
        import numpy as np

        if self._last_alike and beginnings <= self._last_alike[0]:
            return self._last_alike[1]
        alike = np.flatnonzero(_beginnings_table(beginnings).take(self._beginnings))
        _, firsts, of_place = np.unique(self._keys_of(alike), return_index=True, return_inverse=True)
        spans = zip(self.starts[alike[firsts]].tolist(), self._word_ends[alike[firsts]].tolist(), strict=True)
        found = _AlikeWords(alike, of_place, [self._text[start:end] for start, end in spans])
        self._last_alike = beginnings, found
        return found

    def _keys_of(self, words: Numbers) -> NDArray[np.uint64]:
        """A number for each of these words; so large that two words do not share it by chance."""
        import numpy as np

        starts = self.starts[words]
        lengths = self._word_ends[words] - starts
        ends = np.cumsum(lengths)
        letters = self.codes[np.arange(lengths.sum()) + np.repeat(starts - ends + lengths, lengths)]
        return number_words(letters, ends - lengths)

    def _find_in_runs(self, wanted: dict[str, frozenset[int]]) -> Iterable[tuple[int, int, int]]:
        """Pairs, which stand before the ideograph that begins them, and single letters."""
        import numpy as np

        in_runs = [word for word in wanted if RUN.fullmatch(word)]
        for length, is_one in ((1, self._is_single), (2, self._is_pair)):
            letters = encode_letters("".join(word for word in in_runs if len(word) == length))
            if not len(letters):
                continue
            of_text = _hash_runs(self.codes, length) & (HASHES - 1)
            places = np.flatnonzero(_table_of(_hash_runs(letters, length)[::length]).take(of_text))
            places = places[is_one[places]]
            numbers = self._words_before[places] + (self._is_pair[places] if length == 1 else 0)
            for start, place in zip(places.tolist(), numbers.tolist(), strict=True):
                for number in wanted.get(self._text[start : start + length], ()):
                    yield start, place, number

    def _pieces_at(self, places: Numbers) -> Numbers:
        import numpy as np

        return np.searchsorted(self.edges[1:], places, "left")

    @cached_property
    def edges(self) -> Numbers:
        """Where one piece ends and the next begins, the ends of the text included."""
        import numpy as np

        return np.concatenate(([-1], np.flatnonzero(self.codes == 0), [len(self.codes)]))

    @cached_property
    def has_runs(self) -> bool:
        return bool((self.kinds & IN_RUN).any())

    @cached_property
    def _word_edges(self) -> Numbers:
        """Where a word that stands between spaces begins, where it ends, where the next begins."""
        import numpy as np

        is_letter = np.concatenate(([False], self.kinds & LETTER > 0, [False]))
        return np.flatnonzero(is_letter[1:] != is_letter[:-1])

    @cached_property
    def starts(self) -> Numbers:
        return self._word_edges[::2].copy()

    @cached_property
    def _word_ends(self) -> Numbers:
        return self._word_edges[1::2].copy()

    @cached_property
    def _is_pair(self) -> NDArray[np.bool_]:
        import numpy as np

        is_run = self.kinds & IN_RUN > 0
        pairs: NDArray[np.bool_] = is_run & np.append(is_run[1:], False)
        return pairs

    @cached_property
    def _is_single(self) -> NDArray[np.bool_]:
        """Ideographs, and letters that make a run of their own."""
        import numpy as np

        is_run = self.kinds & IN_RUN > 0
        is_alone = is_run & ~self._is_pair & ~np.append(False, is_run[:-1])
        singles: NDArray[np.bool_] = (self.kinds & IDEOGRAPH > 0) | is_alone
        return singles

    @cached_property
    def _units(self) -> Numbers:
        """How many words begin at each letter."""
        import numpy as np

        units = np.zeros(len(self.codes), np.int64)
        units[self.starts] = 1
        return units + self._is_pair + self._is_single if self.has_runs else units

    @cached_property
    def _words_before(self) -> Numbers:
        import numpy as np

        return np.cumsum(self._units) - self._units

    @cached_property
    def _spaced(self) -> NDArray[np.uint32]:
        """The letters, with a space for all that is none and around the whole."""
        import numpy as np

        spaced = np.full(len(self.codes) + 2 + GRAM, ord(" "), np.uint32)
        spaced[1 : -1 - GRAM] = self.codes
        spaced[self.edges[1:-1] + 1] = ord(" ")
        if self.has_runs:
            spaced[1 : -1 - GRAM][self.kinds & IN_RUN > 0] = ord(" ")
        return spaced

    @cached_property
    def _beginnings(self) -> NDArray[np.uint32]:
        """The hashes of how the words begin; a shorter word is filled up with spaces."""
        import numpy as np

        first, second, third = (self._spaced[self.starts + 1 + place] for place in range(BEGINNING))
        third[self._word_ends - self.starts == 1] = ord(" ")  # of the next word
        one, two, three = map(np.uint32, FACTORS[:BEGINNING])
        hashes: NDArray[np.uint32] = (first * one + second * two + third * three) & np.uint32(HASHES - 1)
        return hashes

    @cached_property
    def _run_hashes(self) -> NDArray[np.uint32]:
        import numpy as np

        return _hash_runs(self._spaced, GRAM) & np.uint32(HASHES - 1)


def _hash_runs(letters: NDArray[np.uint32], length: int) -> NDArray[np.uint32]:
    """A number for the run that begins at each letter; few others share it."""
    import numpy as np

    last = max(0, len(letters) - length + 1)
    hashes = np.zeros(last, np.uint32)
    for shift, factor in enumerate(FACTORS[:length]):
        hashes += letters[shift : last + shift] * np.uint32(factor)
    return hashes


def _run_keys(letters: NDArray[np.uint32], places: Numbers) -> Numbers:
    """A number for the run that begins at each place; so large that two runs do not share it by chance."""
    import numpy as np

    keys = np.zeros(len(places), np.int64)
    for shift, factor in enumerate(KEY_FACTORS):
        keys += letters[places + shift] * np.int64(factor)
    return keys


def _table_of(hashes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    import numpy as np

    table = np.zeros(HASHES, bool)
    table[hashes & (HASHES - 1)] = True
    return table


def _beginnings_table(words: Iterable[str]) -> NDArray[np.bool_]:
    letters = encode_letters("".join(word[:BEGINNING].ljust(BEGINNING) for word in words))
    return _table_of(_hash_runs(letters, BEGINNING)[::BEGINNING])


@cache
def _stop_word_beginnings() -> NDArray[np.bool_]:
    return _beginnings_table(STOP_WORDS)


def _numbers_for(word: str, wanted: dict[str, frozenset[int]], languages: Iterable[str]) -> frozenset[int]:
    """The groups that have a word or one of its stems."""
    found = wanted.get(word, NONE)
    for language in languages:
        stem = _stem(word, language or "en")
        if stem != word and stem in wanted:
            found |= wanted[stem]
    return found


def _numbers_of(groups: Sequence[Iterable[str]]) -> dict[str, frozenset[int]]:
    """The numbers of the groups that each word is in."""
    numbers: dict[str, frozenset[int]] = {}
    for number, group in enumerate(groups):
        for word in group:
            numbers[word] = numbers.get(word, NONE) | {number}
    return numbers
