"""The words of the pieces of a text (its sentences, passages, kept documents), laid out so that few need be looked at.

Made once for a text and asked for many questions: where a word stands, which words have a stem, how often a run of
characters occurs in each piece. Linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain, count
from operator import add
from typing import TYPE_CHECKING

from wellsourced.text.index_words import NO_WORD, RUN, fold_text
from wellsourced.text.languages import word_root
from wellsourced.text.terms import AMERICAN_WORDS, MARKS, STOP_WORDS, UNSPACED, stem_word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

# Two words with one stem begin alike so far, but for the few that change their spelling.
BEGINNING = 2
FIRST_IDEOGRAPH = "\u3400"
GRAM = 4
# Runs are compared by numbers: a prime apart for each character, the lowest bits first.
HASHES = 1 << 16
BEGINNING_READ = 1000  # characters that tell in which script a text is written
LARGEST_ALPHABET = 120  # letters and signs beside ASCII, capitals and accents counted
FACTORS = (1, 2_097_169, 4_398_046_511_119, 288_230_376_151_711_813)
RESPELT = frozenset(word for word, other in AMERICAN_WORDS.items() if word[:BEGINNING] != other[:BEGINNING])

WORD_OR_RUN = re.compile(rf"[{UNSPACED}]+|(?:[^\W_{UNSPACED}]|[{MARKS}])+")
# Scripts and marks of which words are not simply runs of letters.
NEEDS_CARE = re.compile(f"[{UNSPACED}{MARKS}]")
SPACED_WORD = re.compile(r"[^\W_]+")
FOREIGN = re.compile(r"[^\x00-\x7f]")
GROUPING = re.compile(r"[,.’'\u00a0\u202f](?<=\d[,.’'\u00a0\u202f])(?=\d{3}(?!\d))")
BETWEEN_PIECES = "\x00"
# ASCII in lower case, with spaces for all that is no word.
PLAIN = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(1, 128)}


def split_words(text: str) -> list[str]:
    """The words of a text, folded, in order; a script without spaces in pairs of neighbours and single ideographs."""
    return split_pieces([text])[0]


def split_pieces(pieces: Sequence[str]) -> list[list[str]]:
    """The words of each piece."""
    return [find_words(piece) for piece in fold_pieces(pieces)]


def fold_pieces(pieces: Sequence[str]) -> list[str]:
    """Each piece folded; all at once, since a call for each takes longer than its work."""
    whole = GROUPING.sub("", BETWEEN_PIECES.join(piece.replace(BETWEEN_PIECES, " ") for piece in pieces))
    return _fold_foreign(whole).lower().split(BETWEEN_PIECES)


def estimate_words(folded: str) -> int:
    """About as many words as there are, without looking for them."""
    return 2 * len(folded) if RUN.search(folded) else len(folded.split())


def _fold_foreign(text: str) -> str:
    """The text folded but for ASCII capitals; one letter after the other where an alphabet has so few."""
    beginning = text[:BEGINNING_READ]
    if 2 * len(FOREIGN.findall(beginning)) > len(beginning):
        return fold_text(text)
    letters = set(FOREIGN.findall(text))
    if len(letters) > LARGEST_ALPHABET:
        return fold_text(text)
    for letter in letters:
        text = text.replace(letter, _fold_letter(letter))
    return text


@lru_cache(maxsize=4096)
def _fold_letter(letter: str) -> str:
    """A space for what belongs to no word."""
    return NO_WORD.sub(" ", fold_text(letter))


def find_words(folded: str) -> list[str]:
    """The words of a folded text."""
    if folded.isascii():
        return folded.translate(PLAIN).split()
    if not NEEDS_CARE.search(folded):
        return SPACED_WORD.findall(folded)
    words: list[str] = []
    for word in WORD_OR_RUN.findall(folded):
        words += _pairs_and_ideographs(word) if len(word) > 1 and RUN.match(word) else (word,)
    return words


def _pairs_and_ideographs(run: str) -> Iterable[str]:
    pairs = map(add, run, run[1:])
    if min(run) >= FIRST_IDEOGRAPH:
        return chain(chain.from_iterable(zip(pairs, run, strict=False)), run[-1])
    either = zip(pairs, run, strict=False)
    words = [word for pair, one in either for word in ((pair, one) if one >= FIRST_IDEOGRAPH else (pair,))]
    return [*words, run[-1]] if run[-1] >= FIRST_IDEOGRAPH else words


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
        self._all = list(chain.from_iterable(words))
        self.vocabulary = dict(zip(dict.fromkeys(self._all), count()))

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self.vocabulary

    @cached_property
    def lengths(self) -> Numbers:
        import numpy as np

        return np.array([len(words) for words in self.words], np.int64)

    def find_all(self, pairs: Numbers) -> Numbers:
        """Where words stand: rows of piece, place counted through the whole text, and value, in order.

        `pairs` has two columns: the number of a word in the vocabulary, and a value; a word may have several.
        """
        import numpy as np

        words, values = pairs[np.argsort(pairs[:, 0], kind="stable")].T
        times = np.bincount(words, minlength=len(self.vocabulary))
        firsts = np.cumsum(times) - times
        places = np.flatnonzero(times[self._numbers] > 0)
        found = self._numbers[places]
        repeated = np.repeat(places, times[found])
        ends = np.cumsum(times[found])
        within = np.arange(len(repeated)) - np.repeat(ends - times[found], times[found])
        pieces = np.searchsorted(self._firsts, repeated, "right") - 1
        return np.stack((pieces, repeated, values[np.repeat(firsts[found], times[found]) + within]), axis=1)

    def pairs_of(self, groups: Iterable[Iterable[str]]) -> Numbers:
        """The words of groups as `find_all` takes them, with the number of the group as the value."""
        import numpy as np

        known = self.vocabulary
        pairs = [(known[word], number) for number, group in enumerate(groups) for word in group if word in known]
        return np.array(pairs, np.int64).reshape(-1, 2)

    def pieces_with(self, groups: Sequence[Iterable[str]]) -> list[frozenset[int]]:
        """For each group of words the pieces that have one of them."""
        found = self.find_all(self.pairs_of(groups))
        return [frozenset(found[found[:, 2] == number, 0].tolist()) for number in range(len(groups))]

    def words_with_stems(self, groups: Sequence[Iterable[str]], language: str) -> list[set[str]]:
        """For each group of stems the different words of the text that have one of them."""
        wanted = _numbers_of(groups)
        beginnings = {stem[:BEGINNING] for stem in wanted if not RUN.match(stem)}
        alike = [word for word in self.vocabulary if word[:BEGINNING] in beginnings] if beginnings else []
        found: list[set[str]] = [set() for _ in groups]
        for word in (*alike, *(RESPELT & self.vocabulary.keys()), *(wanted.keys() & self.vocabulary.keys())):
            for number in (*wanted.get(word, ()), *wanted.get(word_stem(word, language), ())):
                found[number].add(word)
        return found

    def pairs_holding(self, runs: Sequence[str]) -> Numbers:
        """The words that hold a run of characters, once for each time it occurs there, with the number of the run.

        `^` and `$` stand for the edges of a word. A run is as long as `GRAM`, or a shorter word as a whole. The
        commonest words are left out.
        """
        import numpy as np

        whole = self.pairs_of([run[1:-1]] if len(run) < GRAM else () for run in runs)
        long = [number for number, run in enumerate(runs) if len(run) == GRAM]
        if not long:
            return whole
        hashes, (written, edges) = _run_hashes("".join(runs[number] for number in long))[::GRAM], self._written
        may_hold = np.zeros(HASHES, bool)
        may_hold[hashes % HASHES] = True
        places = np.flatnonzero(may_hold[written % HASHES])
        order = np.argsort(hashes)
        at = np.minimum(np.searchsorted(hashes[order], written[places]), len(order) - 1)
        is_run = hashes[order][at] == written[places]
        words = np.searchsorted(edges, places[is_run], "right") - 1
        pairs: Numbers = np.concatenate((whole, np.stack((words, np.array(long)[order[at[is_run]]]), axis=1)))
        return pairs[~self._is_common[pairs[:, 0]]]

    @cached_property
    def _is_common(self) -> NDArray[np.bool_]:
        import numpy as np

        is_common = np.zeros(len(self.vocabulary), bool)
        is_common[[self.vocabulary[word] for word in STOP_WORDS & self.vocabulary.keys()]] = True
        return is_common

    @cached_property
    def _numbers(self) -> Numbers:
        """The number of each word of the text in its vocabulary."""
        import numpy as np

        return np.fromiter(map(self.vocabulary.__getitem__, self._all), np.int64, len(self._all))

    @cached_property
    def _firsts(self) -> Numbers:
        import numpy as np

        return np.concatenate(([0], np.cumsum(self.lengths)[:-1])).astype(np.int64)

    @cached_property
    def _written(self) -> tuple[Numbers, Numbers]:
        """The runs that begin at each character of the vocabulary, written with edges, and where its words begin."""
        import numpy as np

        written = f"^{'$^'.join(self.vocabulary)}$"
        lengths = np.fromiter(map(len, self.vocabulary), np.int64, len(self.vocabulary)) + len("^$")
        return _run_hashes(written), np.cumsum(lengths) - lengths


def _run_hashes(text: str) -> Numbers:
    """A number for the run that begins at each character; so large that two runs do not share it by chance."""
    import numpy as np

    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    last = max(0, len(codes) - GRAM + 1)
    hashes = np.zeros(last, np.int64)
    for shift, factor in enumerate(FACTORS):
        hashes += codes[shift : last + shift] * factor
    return hashes


def _numbers_of(groups: Sequence[Iterable[str]]) -> dict[str, list[int]]:
    """The numbers of the groups that each word is in."""
    numbers: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        for word in group:
            numbers.setdefault(word, []).append(number)
    return numbers
