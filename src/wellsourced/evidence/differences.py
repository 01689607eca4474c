"""Where a sentence and a claim part: the figure, year, unit, negation, direction, name, speaker or quantifier.

Claim and sentence are aligned by their words. A difference is named only where the rest of the claim stands in the
sentence: a sentence about another year, place or thing does not differ, it is about something else. Both wordings are
given, and nothing is said about which of them is right. Seven languages (`COMPARED`); of others only figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.data.opposite_words import CONDITIONS, MODAL_OF, NEGATIONS, QUANTIFIER_OF, SPEECH, Side, sides_of
from wellsourced.evidence.figures import Figure, are_same, have_same_number
from wellsourced.evidence.negation import LIKE_A_CUE, opposing_clauses
from wellsourced.evidence.statements import TIGHT_FRAME, Alignment, Statement, Word, read_statement
from wellsourced.text.index_words import fold_text

DifferenceKind: TypeAlias = Literal[
    "figure", "year", "unit", "negation", "direction", "quotation", "attribution", "name", "scope"
]
COMPARED = frozenset({"en", "de", "fr", "es", "it", "pt", "nl"})

ALMOST_EQUAL = 0.9
ALREADY_HALF = 0.5  # of the claim that a denial must go on with
SHOWN = 90  # characters of a wording
FEWEST_BESIDE_NAME = 3
LONGEST_NAME = 5
# Words that stand before names of places and people, beside which a German noun is distinguished from a name.
BEFORE_NAMES = frozenset(["in", "nach", "aus", "von", "bei", "fluss", "stadt", "herr", "frau"])
_ARTICLES = "the a an der die das den dem le la les l el los las il lo gli i o os as de du des"
ARTICLES = frozenset(_ARTICLES.split())
_NO_WORDS = "no none kein keine keinen keinem keiner aucun aucune ningun ninguna nessun nessuna nenhum nenhuma geen"
NO_WORDS = frozenset(_NO_WORDS.split())
# Words that mean something else in the other languages that use them.
NOT_CUES = {"pt": {"no"}, "it": {"no"}}
FRENCH_CUES = frozenset({"n", "ne", "ni"})


@dataclass(frozen=True, slots=True)
class Difference:
    """`claim` and `source` are the wordings on the two sides; one is "" where something stands on one side only."""

    kind: DifferenceKind
    claim: str
    source: str


def find_differences(alignment: Alignment, is_stated: Callable[[Figure], bool]) -> list[Difference]:
    """What differs; `is_stated` tells whether a figure of the claim stands elsewhere near in the text."""
    if not alignment.is_close():
        return []
    figures = list(_figure_differences(alignment, is_stated)) if alignment.holds_names() else []
    if figures:
        # Two figures that differ are those of another case.
        return figures if len(figures) == 1 else []
    if alignment.claim.language not in COMPARED:
        return []
    checks = (_turned, _quantified, _named, _modal)
    return next(([found] for check in checks if (found := check(alignment))), [])


# Figures


def _figure_differences(alignment: Alignment, is_stated: Callable[[Figure], bool]) -> Iterator[Difference]:
    mine, theirs = alignment.claim.figures, alignment.sentence.figures
    free = [other for other in theirs if not any(are_same(figure, other) for figure in mine)]
    for figure in mine:
        if any(are_same(figure, other) for other in theirs) or is_stated(figure):
            continue
        same_number = next((other for other in free if have_same_number(figure, other)), None)
        if same_number and _have_units(figure, same_number):
            yield Difference("unit", figure.text, same_number.text)
        elif other := _counterpart(figure, free, alignment):
            yield Difference("year" if figure.is_year else "figure", figure.text, other.text)


def _have_units(*figures: Figure) -> bool:
    return all(figure.dimension and not figure.is_year for figure in figures)


def _counterpart(figure: Figure, free: Sequence[Figure], alignment: Alignment) -> Figure | None:
    """The figure of the sentence that stands where the claim's figure does: of its kind, with the same words around.

    A number without a unit differs only from a number of the same things: the next word is the same.
    """
    alike = [other for other in free if other.dimension == figure.dimension]
    if len(alike) == 1 and figure.dimension and alignment.is_close(TIGHT_FRAME):
        return alike[0]
    if not figure.dimension:
        counted = _next_word(alignment.claim, figure)
        alike = [other for other in alike if _next_word(alignment.sentence, other) == counted]
    near = sorted(((_likeness(figure, other, alignment), other.start, other) for other in alike), reverse=True)
    is_clear = bool(near) and any(near[0][0]) and (len(near) == 1 or near[0][0] > near[1][0])
    return near[0][2] if is_clear else None


def _likeness(figure: Figure, other: Figure, alignment: Alignment) -> tuple[bool, int]:
    """Whether the next word is the same, and how many of the words around are."""
    claim, sentence = alignment.claim, alignment.sentence
    shared = _words_around(claim, figure) & _words_around(sentence, other)
    return _next_word(claim, figure) == _next_word(sentence, other) != "", len(shared)


def _next_word(statement: Statement, figure: Figure) -> str:
    return next(iter(statement.content_around(figure.end, figure.end, 0, 1)), "")


def _words_around(statement: Statement, figure: Figure) -> set[str]:
    around = statement.content_around(figure.start, figure.end, 2, 2)
    return {stem for stem in around if not stem[:1].isdecimal()}


# Negation and direction


def _turned(alignment: Alignment) -> Difference | None:
    """A negation on one side only, or an opposite direction; both together say the same again."""
    if not alignment.holds_names():
        return None
    direction, negation = opposite_direction(alignment), _negated(alignment)
    return None if direction and negation else direction or negation


def opposite_direction(alignment: Alignment) -> Difference | None:
    """A word of the claim whose opposite stands at the same place of the sentence."""
    mine, theirs = _directions(alignment.claim), _directions(alignment.sentence)
    own_sides, every_side = _all_sides(mine), _all_sides(theirs)
    for word, sides in mine:
        against = {(row, 1 - side) for row, side in sides}
        is_told = not sides.isdisjoint(every_side) or word.stem in alignment.stems
        if is_told or not against.isdisjoint(own_sides):
            continue
        other = next((w for w, s in theirs if not s.isdisjoint(against) and _stand_alike(alignment, word, w)), None)
        if other:
            return Difference("direction", word.text, other.text)
    return None


def _directions(statement: Statement) -> list[tuple[Word, frozenset[Side]]]:
    """The words that point a way; not those that compare a figure ("at least 40")."""
    compared = [(figure.compared_from, figure.end) for figure in statement.figures]
    free = (word for word in statement.words if not any(start <= word.start < end for start, end in compared))
    return [(word, sides) for word in free if (sides := sides_of(word.key, statement.language))]


def _all_sides(directions: Sequence[tuple[Word, frozenset[Side]]]) -> frozenset[Side]:
    return frozenset().union(*(sides for _, sides in directions))


def _stand_alike(alignment: Alignment, mine: Word, theirs: Word) -> bool:
    """Whether a word with meaning beside the one stands near the other too."""
    near = alignment.claim.content_around(mine.start, mine.end, 2, 2)
    return not set(near).isdisjoint(alignment.sentence.content_around(theirs.start, theirs.end, 4, 4))


def _negated(alignment: Alignment) -> Difference | None:
    """A negation on one side alone, of something that the other side says."""
    mine, theirs = _cues(alignment.claim), _cues(alignment.sentence)
    if bool(mine) == bool(theirs) or not alignment.is_close(TIGHT_FRAME):
        return None
    statement, other, cues = (
        (alignment.claim, alignment.sentence, mine) if mine else (alignment.sentence, alignment.claim, theirs)
    )
    is_double = len(cues) > 1 and statement.language != "fr"
    if is_double or not _denies_what_is_said(statement, cues[0], other):
        return None
    if theirs and not _denies_the_thing(alignment, cues[0]) and not _is_denied(alignment):
        return None
    wording = _wording(statement, cues[0])
    return Difference("negation", wording if mine else "", "" if mine else wording)


def _denies_what_is_said(statement: Statement, cue: Word, other: Statement) -> bool:
    stems = {word.stem for word in other.words if word.is_content}
    return not stems.isdisjoint(statement.content_around(cue.start, cue.end, 1, 2))


def _denies_the_thing(alignment: Alignment, cue: Word) -> bool:
    """ "No law" beside a claim of "a law": the cue stands before the very word, at the start of what both say."""
    claim, sentence = alignment.claim, alignment.sentence
    if cue.key not in NO_WORDS or not alignment.is_close(ALMOST_EQUAL):
        return False
    denied = next((word for word in sentence.words if word.start >= cue.end), None)
    mine = [word.stem for word in claim.words if word.is_content]
    after = sentence.content_around(cue.end, cue.end, 0, len(mine))
    return denied is not None and denied.stem in mine and _share(mine, after) >= ALREADY_HALF


def _share(mine: Sequence[str], theirs: Sequence[str]) -> float:
    return sum(stem in theirs for stem in mine) / len(mine)


def _is_denied(alignment: Alignment) -> bool:
    """Whether a clause that says no is itself close to the claim."""
    clauses = opposing_clauses(alignment.sentence.text, alignment.claim.text)
    read = (read_statement(clause, alignment.sentence.language) for clause in clauses)
    return any(Alignment(alignment.claim, clause).is_close() for clause in read)


def _cues(statement: Statement) -> list[Word]:
    spared = [match.span() for match in LIKE_A_CUE.finditer(statement.text)]
    found = [
        word
        for word in statement.words
        if _is_cue(word, statement.language) and not any(start <= word.start < end for start, end in spared)
    ]
    # A French "ne" without its second word denies nothing ("ne … que").
    return [] if all(word.key in FRENCH_CUES for word in found) else found


def _is_cue(word: Word, language: str) -> bool:
    if word.key in NOT_CUES.get(language, ()) or (word.key in FRENCH_CUES and language != "fr"):
        return False
    return word.key in NEGATIONS or word.text.lower().endswith(("n't", "n’t"))


def _wording(statement: Statement, word: Word) -> str:
    """A word with the few around it, as they stand."""
    place = statement.words.index(word)
    first, last = statement.words[max(0, place - 1)], statement.words[min(len(statement.words) - 1, place + 3)]
    return statement.text[first.start : last.end][:SHOWN]


# Quantifiers, possibilities and conditions


def _quantified(alignment: Alignment) -> Difference | None:
    """Another quantifier before the same word."""
    if not alignment.is_close(TIGHT_FRAME):
        return None
    mine = {stem: (word, kind) for word, kind, stem in _quantifiers(alignment.claim)}
    for word, kind, stem in _quantifiers(alignment.sentence):
        if stem in mine and mine[stem][1] != kind:
            return Difference("scope", mine[stem][0].text, word.text)
    return None


def _quantifiers(statement: Statement) -> Iterator[tuple[Word, str, str]]:
    """Each quantifier with what it counts."""
    words = statement.words
    for place, word in enumerate(words):
        kind = QUANTIFIER_OF.get(word.key) or ("none" if word.key in NO_WORDS else "")
        following = next((each.stem for each in words[place + 1 : place + 5] if each.is_content), "")
        if kind and following:
            yield word, kind, following


def _modal(alignment: Alignment) -> Difference | None:
    """A possibility or a condition on one side only of an otherwise equal statement."""
    claim, sentence = alignment.claim, alignment.sentence
    if not alignment.is_close(ALMOST_EQUAL) or not Alignment(sentence, claim).is_close(ALMOST_EQUAL):
        return None
    mine, theirs = _modals(claim), _modals(sentence)
    if "may" in mine.keys() ^ theirs.keys():
        return Difference("scope", *(next(iter(side.values()), "") for side in (mine, theirs)))
    conditions = [next((word.text for word in side.words if word.key in CONDITIONS), "") for side in (claim, sentence)]
    return Difference("scope", *conditions) if bool(conditions[0]) != bool(conditions[1]) else None


def _modals(statement: Statement) -> dict[str, str]:
    return {MODAL_OF[word.key]: word.text for word in statement.words if word.key in MODAL_OF}


# Names


def _named(alignment: Alignment) -> Difference | None:
    """Another name at the same place of an otherwise equal statement; of a speaker, another attribution."""
    missing = [word for word in alignment.frame if not alignment.holds(word)]
    if not missing or len(alignment.held) < FEWEST_BESIDE_NAME or not all(word.text[0].isupper() for word in missing):
        return None
    claim = alignment.claim
    ours = _name_at(claim, claim.words.index(min(missing, key=lambda word: word.start)))
    if not set(missing) <= set(ours):
        return None
    others = (name for name in _names_alike_placed(alignment, ours) if _are_other_names(ours, name))
    if not (theirs := next(others, None)):
        return None
    kind: DifferenceKind = "attribution" if SPEECH.search(fold_text(claim.text)) else "name"
    return Difference(kind, _joined(claim, ours), _joined(alignment.sentence, theirs))


def _name_at(statement: Statement, place: int) -> tuple[Word, ...]:
    """The words with capitals around a place, with the small words between them ("von", "de la")."""
    words = statement.words
    first = last = place
    while first and words[first - 1].text[0].isupper() and not words[first - 1].is_number:
        first -= 1
    while last + 1 < len(words) and (words[last + 1].text[0].isupper() or _joins(words, last + 1)):
        last += 1
    return words[first : last + 1]


def _joins(words: Sequence[Word], place: int) -> bool:
    is_small = words[place].key in ("von", "van", "de", "der", "y", "of", "da", "di")
    return is_small and place + 1 < len(words) and words[place + 1].text[0].isupper()


def _names_alike_placed(alignment: Alignment, ours: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """Names of the sentence that the claim has not, with the same word before them or after them."""
    claim, sentence = alignment.claim, alignment.sentence
    known = {word.stem for word in claim.words}
    sides = _beside(claim, ours)
    seen: set[int] = set()
    for place, word in enumerate(sentence.words):
        if not word.text[0].isupper() or word.stem in known or word.is_number or not word.is_content or place in seen:
            continue
        name = _name_at(sentence, place)
        seen.update(range(place, place + len(name)))
        alike = [mine and mine == theirs for mine, theirs in zip(sides, _beside(sentence, name), strict=True)]
        if any(alike) and all(_is_surely_name(*side) for side in ((claim, ours), (sentence, name))):
            yield name


def _beside(statement: Statement, name: Sequence[Word]) -> tuple[str, str]:
    """The stems of the words before and after a name, articles passed over; "" where there is none."""
    before = [word.stem for word in statement.words if word.end <= name[0].start and word.key not in ARTICLES]
    after = [word.stem for word in statement.words if word.start >= name[-1].end and word.key not in ARTICLES]
    return before[-1] if before else "", after[0] if after else ""


def _are_other_names(ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Not too long, and not one the short form of the other."""
    if max(len(ours), len(theirs)) > LONGEST_NAME:
        return False
    initials = ["".join(word.key[0] for word in words) for words in (ours, theirs)]
    pairs = zip((ours, theirs), initials[::-1], strict=True)
    is_short = any(word.key == letters for words, letters in pairs for word in words)
    alike = any(one.key[:3] == other.key[:3] for one in ours for other in theirs if one.is_content and other.is_content)
    is_acronym = any(word.text.isupper() and len(word.key) > 1 for word in (*ours, *theirs))
    return not is_short and not alike and not is_acronym


def _is_surely_name(statement: Statement, name: Sequence[Word]) -> bool:
    """Not a word with a capital because it opens a sentence or, in German, because it is a noun."""
    if sum(word.text[0].isupper() for word in name) > 1:
        return True
    place = statement.words.index(name[0])
    if statement.language == "de":
        return place > 0 and statement.words[place - 1].key in BEFORE_NAMES
    return name[0].is_name


def _joined(statement: Statement, words: Sequence[Word]) -> str:
    return statement.text[words[0].start : words[-1].end][:SHOWN]
