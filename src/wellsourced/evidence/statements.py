"""A claim or a sentence taken apart into words and figures, and a claim laid beside a sentence word by word."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from wellsourced.data.opposite_words import MODAL_OF, NEGATIONS, QUANTIFIER_OF, points_a_way, sides_of
from wellsourced.evidence.figures import Figure, are_same, read_figures
from wellsourced.evidence.quantities import DIGITS_OF_WORD
from wellsourced.late_pattern import late_pattern
from wellsourced.text.index_words import RUN, fold_text
from wellsourced.text.piece_words import word_stem
from wellsourced.text.ranking import character_grams
from wellsourced.text.terms import MARKS, UNSPACED, stop_words_in

# Shares of the claim's other words that must stand in a sentence before a difference is reported.
FRAME = 0.6
TIGHT_FRAME = 0.75
FEWEST_WORDS = 2
FEWEST_GRAMS = 3
SHORT_WORD = 3
ALIKE = 0.5  # of the runs of characters of two words that count as one
LONGEST = 1500
# Words with meaning in which the shared ones may be scattered: twice as many, and a few put in between.
LOOSEST, SLACK = 2, 6

TOKEN = late_pattern(rf"[{UNSPACED}]|(?:[^\W_{UNSPACED}]|[{MARKS}])+(?:['’](?:t|s)\b)?|[?]")


class Word(NamedTuple):
    text: str
    key: str
    stem: str
    start: int
    end: int
    is_content: bool
    is_name: bool

    @property
    def is_number(self) -> bool:
        return self.key[:1].isdecimal() or self.key in DIGITS_OF_WORD


@dataclass(frozen=True, eq=False)
class Statement:
    """A claim or a sentence, taken apart as far as it is asked for: of most sentences only the stems are.

    Known by identity, so that what is read of it can be kept.
    """

    text: str
    language: str

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(read_figures(self.text, self.language))

    @cached_property
    def words(self) -> tuple[Word, ...]:
        spans = [(figure.compared_from, figure.end) for figure in self.figures]
        stop_words = stop_words_in(self.language)
        return tuple(_read_word(match, self.language, stop_words, spans) for match in TOKEN.finditer(self.text))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stem for _, stem, _ in self._forms)

    @cached_property
    def spelling(self) -> str:
        """The longer words as their runs of characters are read, with their edges marked."""
        return "".join(f"^{key}$" for key, _, _ in self._forms if len(key) > SHORT_WORD)

    @cached_property
    def _forms(self) -> list[tuple[str, str, bool]]:
        """Of the different words, in no order."""
        stop_words = stop_words_in(self.language)
        return [_read_form(written, self.language, stop_words) for written in set(TOKEN.findall(self.text))]

    @cached_property
    def frame(self) -> list[Word]:
        """The words that say what it is about: no figures, no words that turn its sense."""
        return [word for word in self.words if word.is_content and not word.is_number and word.key not in self.turning]

    @cached_property
    def turning(self) -> frozenset[str]:
        """The words that turn its sense, folded."""
        return frozenset(word.key for word in self.words if self._turns(word.key))

    def _turns(self, key: str) -> bool:
        return key in NEGATIONS or key in QUANTIFIER_OF or key in MODAL_OF or points_a_way(sides_of(key, self.language))

    def content_around(self, start: int, end: int, before: int, after: int) -> list[str]:
        """The stems of the nearest words with meaning on both sides of a place."""
        content = [word for word in self.words if word.is_content]
        ahead = [word.stem for word in content if word.end <= start]
        behind = [word.stem for word in content if word.start >= end]
        return [*ahead[max(0, len(ahead) - before) :], *behind[:after]]


@lru_cache(maxsize=512)
def read_statement(text: str, language: str) -> Statement:
    return Statement(text[:LONGEST], language)


def _read_word(
    match: re.Match[str], language: str, stop_words: frozenset[str], figures: Sequence[tuple[int, int]]
) -> Word:
    written, start = match[0], match.start()
    key, stem, has_meaning = _read_form(written, language, stop_words)
    is_content = has_meaning and not (figures and any(first <= start < last for first, last in figures))
    is_name = is_content and written[0].isupper() and len(key) > 1 and not _opens_sentence(match.string, start)
    return Word(written, key, stem, start, match.end(), is_content, is_name)


@lru_cache(maxsize=16384)
def _read_form(written: str, language: str, stop_words: frozenset[str]) -> tuple[str, str, bool]:
    """A word folded, its stem, and whether it has a meaning of its own."""
    key = fold_text(written.replace("'", "").replace("’", ""))
    has_meaning = key not in stop_words and (len(key) > 2 or written.isupper() or bool(RUN.match(key)))
    return key, word_stem(key, language), has_meaning


def _opens_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 9) : start].rstrip(" \"'“‘«„([")
    return not before or before[-1] in ".!?:;\n"


class Alignment:
    """A claim beside one sentence: which words of the claim the sentence holds; `before` gives the words before it."""

    def __init__(self, claim: Statement, sentence: Statement, before: Callable[[], Sequence[str]] = tuple) -> None:
        self.claim, self.sentence = claim, sentence
        self.stems = sentence.stems
        self._before = before
        # A word that turns the sense and stands on both sides is a word like others.
        turning = (word for word in claim.words if word.is_content and word.key in claim.turning)
        self.frame = claim.frame + [word for word in turning if word.stem in self.stems]
        self.held = [word for word in self.frame if self.holds(word)]
        self.share = len(self.held) / len(self.frame) if self.frame else 0.0

    def holds(self, word: Word) -> bool:
        if word.stem in self.stems:
            return True
        if len(word.key) <= SHORT_WORD:
            return False
        mine, spelling = character_grams(word.key), self.sentence.spelling
        # Most words share too little with the whole sentence to be like any word of it.
        if sum(map(spelling.__contains__, mine)) < FEWEST_GRAMS:
            return False
        return any(_are_alike(mine, character_grams(key)) for key in spelling[1:-1].split("$^"))

    def holds_names(self) -> bool:
        """Every name of the claim, and what it is about (usually its first word), stands here or before."""
        first = min(self.frame, key=lambda word: word.start, default=None)
        asked = [word for word in self.frame if word.is_name or word is first]
        return all(self.holds(word) or word.stem in self.around for word in asked)

    def holds_figures(self) -> bool:
        return all(any(are_same(mine, other) for other in self.sentence.figures) for mine in self.claim.figures)

    def is_close(self, share: float = FRAME) -> bool:
        return self.share >= share and len(self.held) >= FEWEST_WORDS

    @cached_property
    def around(self) -> frozenset[str]:
        """The stems of the words before the sentence."""
        return frozenset(word_stem(word, self.sentence.language) for word in self._before())

    @cached_property
    def reverse(self) -> Alignment:
        """The sentence beside the claim."""
        return Alignment(self.sentence, self.claim)

    def is_compact(self) -> bool:
        """Whether what both say stands together in the sentence, no wider than asides would scatter it."""
        content = [word for word in self.sentence.words if word.is_content]
        shared = [(place, word.stem) for place, word in enumerate(content) if self.reverse.holds(word)]
        wanted = len({stem for _, stem in shared})
        last: dict[str, int] = {}
        for place, stem in shared:
            last[stem] = place
            if len(last) == wanted and place - min(last.values()) < LOOSEST * wanted + SLACK:
                return True
        return False


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return 2 * len(one & other) > 2 * ALIKE * min(len(one), len(other)) + 1
