"""Where a sentence and a claim part: the figure, year, unit, negation, direction, name, speaker or quantifier.

Claim and sentence are aligned by their words. A difference is named only where the rest of the claim stands in the
sentence: a sentence about another year, place or thing does not differ, it is about something else. Both wordings are
given, and nothing is said about which of them is right. Seven languages (`COMPARED`); of others only figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal, TypeAlias

from wellsourced.data.opposite_words import CONDITIONS, MODAL_OF, NEGATIONS, QUANTIFIER_OF, SPEECH, sides_of
from wellsourced.evidence.figures import Figure, are_same, have_same_number, read_figures
from wellsourced.evidence.negation import LIKE_A_CUE, opposing_clauses
from wellsourced.evidence.quantities import DIGITS_OF_WORD
from wellsourced.text.index_words import RUN, fold_text
from wellsourced.text.ranking import character_grams, word_stem
from wellsourced.text.terms import MARKS, UNSPACED, stop_words_of

DifferenceKind: TypeAlias = Literal[
    "figure", "year", "unit", "negation", "direction", "quotation", "attribution", "name", "scope"
]
COMPARED = frozenset({"en", "de", "fr", "es", "it", "pt", "nl"})

# Shares of the claim's other words that must stand in the sentence before a difference is told.
FRAME = 0.6
TIGHT_FRAME = 0.75
FEWEST_WORDS = 2
ALIKE = 0.5  # of the runs of characters of two words that count as one
SHOWN = 90  # characters of a wording
FEWEST_BESIDE_NAME = 3
LONGEST_NAME = 5
BEFORE_PLACES = frozenset(["in", "nach", "aus", "von", "bei", "fluss", "stadt", "herr", "frau"])
LONGEST = 1500

TOKEN = re.compile(rf"[{UNSPACED}]|(?:[^\W_{UNSPACED}]|[{MARKS}])+(?:['’](?:t|s)\b)?|[?]")


@dataclass(frozen=True, slots=True)
class Difference:
    """`claim` and `source` are the wordings on the two sides; one is "" where something stands on one side only."""

    kind: DifferenceKind
    claim: str
    source: str


@dataclass(frozen=True, slots=True)
class Word:
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


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim or a sentence, taken apart."""

    text: str
    language: str
    words: tuple[Word, ...]
    figures: tuple[Figure, ...]

    def frame(self) -> list[Word]:
        """The words that say what it is about: no figures, no words that turn its sense."""
        return [word for word in self.words if word.is_content and not word.is_number and not self.turns(word)]

    def turns(self, word: Word) -> bool:
        return bool(
            word.key in NEGATIONS
            or word.key in QUANTIFIER_OF
            or word.key in MODAL_OF
            or sides_of(word.key, self.language)
        )


@lru_cache(maxsize=512)
def read_statement(text: str, language: str) -> Statement:
    text = text[:LONGEST]
    stop_words = stop_words_of(text)
    figures = read_figures(text)
    of_figures = [(figure.compared_from, figure.end) for figure in figures]
    words = []
    for match in TOKEN.finditer(text):
        key = fold_text(match[0].replace("'", "").replace("’", ""))
        is_content = key not in stop_words and (len(key) > 2 or match[0].isupper() or bool(RUN.match(key)))
        is_content = is_content and not any(start <= match.start() < end for start, end in of_figures)
        is_name = match[0][:1].isupper() and len(key) > 1 and not _opens_sentence(text, match.start())
        words.append(Word(match[0], key, word_stem(key, language), *match.span(), is_content, is_name and is_content))
    return Statement(text, language, tuple(words), tuple(figures))


def _opens_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'“‘«„([")
    return not before or before[-1] in ".!?:;\n"


class Alignment:
    """A claim beside one sentence: which words of the claim the sentence (and what stands around it) holds."""

    def __init__(self, claim: Statement, sentence: Statement, around: Statement | None = None) -> None:
        self.claim, self.sentence = claim, sentence
        self.stems = {word.stem for word in sentence.words}
        self._grams = [character_grams(word.key) for word in sentence.words if len(word.key) > 3]
        self.around = {word.stem for word in around.words} if around else frozenset()
        # A word that turns the sense and stands on both sides is a word like others.
        shared = [word for word in claim.words if claim.turns(word) and word.is_content and word.stem in self.stems]
        self.frame = claim.frame() + shared
        self.held = [word for word in self.frame if self.holds(word)]
        self.share = len(self.held) / len(self.frame) if self.frame else 0.0

    def holds(self, word: Word) -> bool:
        if word.stem in self.stems:
            return True
        mine = character_grams(word.key)
        return len(word.key) > 3 and any(_are_alike(mine, other) for other in self._grams)

    def holds_names(self) -> bool:
        """Every name of the claim, and what it is about (usually its first word), stands here or before."""
        first = min(self.frame, key=lambda word: word.start, default=None)
        asked = [word for word in self.frame if word.is_name or word is first]
        return all(self.holds(word) or word.stem in self.around for word in asked)

    def is_close(self, share: float = FRAME) -> bool:
        return self.share >= share and len(self.held) >= FEWEST_WORDS


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return 2 * len(one & other) > 2 * ALIKE * min(len(one), len(other)) + 1


def find_differences(alignment: Alignment, is_stated: Callable[[Figure], bool]) -> list[Difference]:
    """What differs; `is_stated` tells whether a figure of the claim stands elsewhere near in the text."""
    if not alignment.is_close():
        return []
    found = list(_figure_differences(alignment, is_stated)) if alignment.holds_names() else []
    if found:
        return found if len(found) == 1 else []
    if alignment.claim.language not in COMPARED:
        return []
    checks = (_turned, _quantified, _named, _modal)
    return next((named for check in checks if (named := list(check(alignment)))), [])


def _figure_differences(alignment: Alignment, is_stated: Callable[[Figure], bool]) -> Iterator[Difference]:
    theirs = alignment.sentence.figures
    for figure in alignment.claim.figures:
        if any(are_same(figure, other) for other in theirs) or is_stated(figure):
            continue
        free = [other for other in theirs if not any(are_same(mine, other) for mine in alignment.claim.figures)]
        same_number = next((other for other in free if have_same_number(figure, other)), None)
        if same_number and _have_units(figure, same_number):
            yield Difference("unit", figure.text, same_number.text)
            continue
        other = _counterpart(figure, free, alignment)
        if other:
            yield Difference("year" if figure.is_year else "figure", figure.text, other.text)


def _have_units(*figures: Figure) -> bool:
    return all(figure.dimension and not figure.is_year for figure in figures)


def _counterpart(figure: Figure, free: Sequence[Figure], alignment: Alignment) -> Figure | None:
    """The figure of the sentence that stands where the claim's figure does: of its kind, with the same words around."""
    alike = [other for other in free if other.dimension == figure.dimension]
    if not alike:
        return None
    near = _words_around(alignment.claim, figure)
    shared = [(len(near & _words_around(alignment.sentence, other)), -number) for number, other in enumerate(alike)]
    most, place = max(shared)
    is_only = len(alike) == 1 and (figure.dimension or alignment.is_close(TIGHT_FRAME))
    if figure.is_year and len(alike) > 1:
        return alike[-place] if most and shared.count((most, place)) == 1 and most > sorted(shared)[-2][0] else None
    return alike[-place] if most or is_only else None


def _words_around(statement: Statement, figure: Figure) -> set[str]:
    """The stems of the nearest words with meaning on both sides of a figure."""
    before = [word for word in statement.words if word.end <= figure.start and word.is_content][-2:]
    after = [word for word in statement.words if word.start >= figure.end and word.is_content][:2]
    return {word.stem for word in (*before, *after) if not word.is_number}


def _turned(alignment: Alignment) -> Iterator[Difference]:
    """A negation on one side only, or an opposite direction; both together say the same again."""
    if not alignment.holds_names():
        return
    direction = opposite_direction(alignment)
    negation = _negated(alignment)
    if bool(direction) != bool(negation):
        yield direction or negation  # type: ignore[misc]


def opposite_direction(alignment: Alignment) -> Difference | None:
    """A word of the claim whose opposite stands at the same place of the sentence."""
    claim, sentence = alignment.claim, alignment.sentence
    mine, theirs = _directions(claim), _directions(sentence)
    every_side = frozenset().union(*(sides for _, sides in theirs)) if theirs else frozenset()
    own_sides = frozenset().union(*(sides for _, sides in mine)) if mine else frozenset()
    for word, sides in mine:
        if not sides.isdisjoint(every_side) or word.stem in alignment.stems:
            continue
        against = {(row, 1 - side) for row, side in sides}
        if not against.isdisjoint(own_sides):
            continue
        other = next((w for w, s in theirs if not s.isdisjoint(against) and _stand_alike(alignment, word, w)), None)
        if other:
            return Difference("direction", word.text, other.text)
    return None


def _directions(statement: Statement) -> list[tuple[Word, frozenset[tuple[int, int]]]]:
    """The words that point a way; not those that compare a figure ("at least 40")."""
    compared = [(figure.compared_from, figure.end) for figure in statement.figures]
    free = (word for word in statement.words if not any(start <= word.start < end for start, end in compared))
    return [(word, sides) for word in free if (sides := sides_of(word.key, statement.language))]


def _stand_alike(alignment: Alignment, mine: Word, theirs: Word) -> bool:
    """Whether a word with meaning beside the one stands near the other too."""
    near = _neighbours(alignment.claim, mine, 2)
    around = _neighbours(alignment.sentence, theirs, 4)
    return bool(near & around)


def _neighbours(statement: Statement, word: Word, count: int) -> set[str]:
    before = [each.stem for each in statement.words if each.end <= word.start and each.is_content][-count:]
    after = [each.stem for each in statement.words if each.start >= word.end and each.is_content][:count]
    return {*before, *after}


def _negated(alignment: Alignment) -> Difference | None:
    mine, theirs = _cues(alignment.claim), _cues(alignment.sentence)
    if bool(mine) == bool(theirs):
        return None
    sides = (alignment.claim, alignment.sentence)
    denied, (statement, other) = (mine, sides) if mine else (theirs, sides[::-1])
    if len(denied) > 1 and statement.language != "fr":
        return None
    stems = {word.stem for word in other.words if word.is_content}
    content = [word for word in statement.words if word.is_content]
    after = [word.stem for word in content if word.start > denied[0].end][:2]
    before = [word.stem for word in content if word.end <= denied[0].start][-1:]
    if stems.isdisjoint((*after, *before)):
        return None
    if not alignment.is_close(TIGHT_FRAME):
        return None
    if theirs and not _is_denied(alignment):
        return None
    wording = _wording(statement, denied[0])
    return Difference("negation", wording if mine else "", "" if mine else wording)


def _is_denied(alignment: Alignment) -> bool:
    """Whether a clause that says no is itself close to the claim."""
    clauses = opposing_clauses(alignment.sentence.text, alignment.claim.text)
    read = (read_statement(clause, alignment.sentence.language) for clause in clauses)
    return any(Alignment(alignment.claim, clause).is_close() for clause in read)


def _cues(statement: Statement) -> list[Word]:
    spared = [match.span() for match in LIKE_A_CUE.finditer(statement.text)]
    return [
        word
        for word in statement.words
        if (word.key in NEGATIONS or word.text.lower().endswith(("n't", "n’t")))
        and not any(start <= word.start < end for start, end in spared)
        and not (word.key == "no" and statement.language in ("pt", "it"))
        and not (word.key in ("n", "ne", "ni") and statement.language != "fr")
    ]


def _wording(statement: Statement, word: Word) -> str:
    """A word with the few around it, as they stand."""
    place = statement.words.index(word)
    first, last = statement.words[max(0, place - 1)], statement.words[min(len(statement.words) - 1, place + 3)]
    return statement.text[first.start : last.end][:SHOWN]


def _quantified(alignment: Alignment) -> Iterator[Difference]:
    """Another quantifier before the same word."""
    mine = {stem: (word, kind) for word, kind, stem in _quantifiers(alignment.claim)}
    for word, kind, stem in _quantifiers(alignment.sentence):
        if stem in mine and mine[stem][1] != kind and alignment.is_close(TIGHT_FRAME):
            yield Difference("scope", mine[stem][0].text, word.text)
            return


def _quantifiers(statement: Statement) -> Iterator[tuple[Word, str, str]]:
    """Each quantifier with what it counts."""
    words = statement.words
    for place, word in enumerate(words):
        kind = QUANTIFIER_OF.get(word.key) or ("none" if word.key in ("no", "none", "keine", "aucun", "aucune") else "")
        following = next((each.stem for each in words[place + 1 : place + 5] if each.is_content), "")
        if kind and following:
            yield word, kind, following


def _named(alignment: Alignment) -> Iterator[Difference]:
    """Another name at the same place of an otherwise equal statement; of a speaker, another attribution."""
    missing = {word for word in alignment.frame if not alignment.holds(word)}
    if not missing or len(alignment.held) < FEWEST_BESIDE_NAME or not all(word.text[:1].isupper() for word in missing):
        return
    claim, sentence = alignment.claim, alignment.sentence
    ours, theirs = [word.stem for word in claim.words], [word.stem for word in sentence.words]
    for tag, start, end, first, last in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        replaced, by = claim.words[start:end], sentence.words[first:last]
        if tag != "replace" or not missing <= set(replaced) or not _are_other_names(replaced, by):
            continue
        if all(_is_surely_name(*side) for side in ((claim, start, end), (sentence, first, last))):
            kind: DifferenceKind = "attribution" if SPEECH.search(fold_text(claim.text)) else "name"
            yield Difference(kind, _joined(claim, replaced), _joined(sentence, by))
            return


def _are_other_names(ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Names on both sides and nothing else, not one the short form of the other."""
    if max(len(ours), len(theirs)) > LONGEST_NAME or not all(_is_named(words) for words in (ours, theirs)):
        return False
    initials = ["".join(word.key[0] for word in words) for words in (ours, theirs)]
    is_short = any(
        word.key == letters for words, letters in zip((ours, theirs), initials[::-1], strict=True) for word in words
    )
    alike = any(one.key[:3] == other.key[:3] for one in ours for other in theirs if one.is_content and other.is_content)
    is_acronym = any(word.text.isupper() and len(word.key) > 1 for word in (*ours, *theirs))
    return not is_short and not alike and not is_acronym


def _is_surely_name(statement: Statement, start: int, end: int) -> bool:
    """Not a word with a capital because it opens a sentence or, in German, because it is a noun."""
    words = statement.words
    if sum(word.text[:1].isupper() for word in words[start:end]) > 1:
        return True
    if statement.language == "de":
        return start > 0 and words[start - 1].key in BEFORE_PLACES
    return words[start].is_name or (start > 0 and words[start - 1].is_name) or (end < len(words) and words[end].is_name)


def _is_named(words: Sequence[Word]) -> bool:
    """A name, with small words such as "von" or "de la" at most."""
    held = [word for word in words if word.is_content]
    return bool(held) and all(word.text[:1].isupper() for word in held) and not any(word.is_number for word in words)


def _joined(statement: Statement, words: Sequence[Word]) -> str:
    return statement.text[words[0].start : words[-1].end][:SHOWN]


def _modal(alignment: Alignment) -> Iterator[Difference]:
    """A possibility or a condition on one side only of an otherwise equal statement."""
    claim, sentence = alignment.claim, alignment.sentence
    back = Alignment(sentence, claim)
    if not alignment.is_close(0.9) or not back.is_close(0.9):
        return
    mine = {MODAL_OF[word.key]: word for word in claim.words if word.key in MODAL_OF}
    theirs = {MODAL_OF[word.key]: word for word in sentence.words if word.key in MODAL_OF}
    if mine.keys() != theirs.keys() and "may" in mine.keys() ^ theirs.keys():
        yield Difference("scope", *(next((word.text for word in side.values()), "") for side in (mine, theirs)))
        return
    conditions = [next((word.text for word in side.words if word.key in CONDITIONS), "") for side in (claim, sentence)]
    if bool(conditions[0]) != bool(conditions[1]):
        yield Difference("scope", *conditions)
