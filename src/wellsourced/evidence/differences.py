"""Where a sentence and a claim part: the figure, year, unit, negation, direction, name, speaker or quantifier.

Claim and sentence are aligned by their words. A difference is named only where the rest of the claim stands in the
sentence: a sentence about another year, place or thing does not differ, it is about something else. Both wordings are
given, and nothing is said about which of them is right. Seven languages (`COMPARED`); of others only figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from wellsourced.data.opposite_words import (
    CONDITIONS,
    MODAL_OF,
    NEGATIONS,
    NO_WORDS,
    ORDINAL_OF,
    QUANTIFIER_OF,
    SMALL_WORDS,
    points_a_way,
)
from wellsourced.evidence.difference import Difference
from wellsourced.evidence.direction_differences import all_sides, directions_of, opposite_direction
from wellsourced.evidence.figure_differences import figure_difference, lacking_figures
from wellsourced.evidence.figures import Figure
from wellsourced.evidence.name_differences import other_name
from wellsourced.evidence.negation import LIKE_A_CUE, denies_otherwise, lower_letters, only_carries, opposing_clauses
from wellsourced.evidence.number_words import ordinals
from wellsourced.evidence.statements import TIGHT_FRAME, Alignment, Statement, Word, read_statement

COMPARED = frozenset({"en", "de", "fr", "es", "it", "pt", "nl"})

ALMOST_EQUAL = 0.9
AMONG_SHARED = 2 / 3  # of the words around a denial that the claim has too
AROUND = 3
SHOWN = 90  # characters of a wording
# Words that mean something else in the other languages that use them.
NOT_CUES = {
    "en": {"non", "sans", "mai", "sin", "sem", "nie"},
    "de": {"mai", "sin", "pas", "non", "sans"},
    "fr": {"mai", "no", "sin", "non"},
    "es": {"mai", "pas", "non"},
    "pt": {"no", "mai"},
    "it": {"no"},
}
FRENCH_CUES = frozenset({"n", "ne", "ni"})
_DENIED_ALONE = "peut peuvent pouvait pouvaient pourra pourront pourrait put purent saurait sauraient ose"
DENIED_ALONE = frozenset(_DENIED_ALONE.split())
# They exclude one thing and do not deny what is said.
EXCLUDING = frozenset({"without", "ohne", "sans", "sin", "senza", "sem", "zonder"})
AFFIRMING = re.compile(r"\b(?:but|pero sí|sino|sondern|wohl aber|mais|mas sim|ma sì|bensì|maar wel)\b", re.IGNORECASE)
AGAINST = frozenset({"against", "gegen", "contre", "contra", "contro", "tegen"})
PASSED_OVER = SMALL_WORDS | {"whom", "which", "denen", "quienes", "cuales", "lesquels"}
FARTHEST_COUNTED = 6  # words from a quantifier to what it counts: "all of the 68,596 persons"
BEFORE_NOUNS = (SMALL_WORDS - {"a", "and", "und", "et", "y", "e", "o"}) | {"in", "mit", "par", "by", "with", "au", "al"}
KEPT = 64  # statements of which what was read is kept: a claim and its nearest sentences
# A part is not the whole: what is said of some is not said of all.
PARTS = frozenset({"some", "most", "few", "half", "none"})


def find_differences(alignment: Alignment, is_stated: Callable[[Figure], bool]) -> list[Difference]:
    """What differs; `is_stated` tells whether a figure of the claim stands elsewhere near in the text."""
    if not alignment.is_close():
        return []
    lacking = lacking_figures(alignment, is_stated)
    if len(lacking) > 1:
        return []  # Figures of another case.
    if lacking and (figure := figure_difference(lacking[0], alignment)):
        return [figure]
    if alignment.claim.language not in COMPARED:
        return []
    checks = (_turned, _ordered, _quantified, other_name, _modal)
    return next(([found] for check in checks if (found := check(alignment))), [])


# Negation and direction


def _turned(alignment: Alignment) -> Difference | None:
    """A negation on one side only, or an opposite direction; both together say the same again."""
    if not alignment.holds_names():
        return None
    direction, negation = opposite_direction(alignment), _negated(alignment)
    return None if direction and negation else direction or negation


def _negated(alignment: Alignment) -> Difference | None:
    """A negation on one side alone, of something that the other side says."""
    mine, theirs = _cues(alignment.claim), _cues(alignment.sentence)
    excluded = {cue.key for cue in mine} & {cue.key for cue in theirs} & EXCLUDING
    mine, theirs = ([cue for cue in cues if cue.key not in excluded] for cues in (mine, theirs))
    if not alignment.is_close(TIGHT_FRAME):
        return None
    if mine and theirs:
        return _denied_elsewhere(alignment, mine, theirs)
    if not mine and not theirs:
        return None
    beside, cues = (alignment, mine) if mine else (alignment.reverse, theirs)
    is_double = len(cues) > 1 and beside.claim.language != "fr"
    if is_double or not _denies_what_is_said(beside, cues[0]):
        return None
    if _is_pointed_alone(alignment) or not (alignment.is_compact() if mine else _denies_the_claim(alignment, cues[0])):
        return None
    wording = _wording(beside.claim, cues[0])
    return Difference("negation", wording if mine else "", "" if mine else wording)


def _denied_elsewhere(alignment: Alignment, mine: Sequence[Word], theirs: Sequence[Word]) -> Difference | None:
    """Both deny something; what the claim denies, the sentence says, and denies another thing."""
    if len(mine) > 2 or len(theirs) > 2 or {cue.key for cue in mine} & EXCLUDING:
        return None
    denied, denied_there = (_after_cues(*side) for side in ((alignment.claim, mine), (alignment.sentence, theirs)))
    if not denied or not denied_there or not denied[0] <= alignment.stems:
        return None
    is_apart = not any(one & other for one in denied for other in denied_there)
    said_plainly = not denied_there[0] & alignment.claim.stems
    return Difference("negation", _wording(alignment.claim, mine[0]), "") if is_apart and said_plainly else None


def _after_cues(statement: Statement, cues: Sequence[Word]) -> list[set[str]]:
    """For each cue the stems of the two words with meaning after it."""
    return [set(statement.content_around(cue.end, cue.end, 0, 2)) - NEGATIONS for cue in cues]


def _denies_the_claim(alignment: Alignment, cue: Word) -> bool:
    """Whether a cue of the sentence stands among the claim's words or in a clause that is close to it."""
    if denies_otherwise(alignment.claim.text, alignment.sentence.text) or _affirms_after(alignment, cue):
        return False
    return _stands_among_shared(alignment.reverse, cue) or _is_denied(alignment)


def _affirms_after(alignment: Alignment, cue: Word) -> bool:
    """Something of the claim is affirmed behind the denial: "not of the open ones, but of the hidden ones"."""
    turn = AFFIRMING.search(alignment.sentence.text, cue.end)
    before = {word.stem for word in alignment.sentence.words if turn and word.end <= turn.start()}
    return bool(turn) and any(word.stem not in before for word in alignment.held)


def _denies_what_is_said(beside: Alignment, cue: Word) -> bool:
    """Whether the first word that is denied (in German often the one before) stands on the other side too."""
    words = [word for word in beside.claim.words if word.is_content and word.key not in NEGATIONS]
    after = [word for word in words if word.start >= cue.end and not only_carries(word.key)]
    denied = after[:1] or [word for word in words if word.end <= cue.start][-1:]
    if cue.key in EXCLUDING and not beside.is_close(ALMOST_EQUAL):
        return False
    return any(beside.holds(word) for word in denied)


def _stands_among_shared(beside: Alignment, cue: Word) -> bool:
    """Whether the words around a cue are those that both sides say."""
    content = [word for word in beside.claim.words if word.is_content]
    before = [word for word in content if word.end <= cue.start][-AROUND:]
    after = [word for word in content if word.start >= cue.end][:AROUND]
    if len(after) == AROUND and all(map(beside.holds, after)):
        return True
    around = before + after
    return sum(beside.holds(word) for word in around) >= AMONG_SHARED * len(around)


def _is_denied(alignment: Alignment) -> bool:
    """Whether a clause that says no is itself close to the claim."""
    clauses = opposing_clauses(alignment.sentence.text, alignment.claim.text)
    read = (read_statement(clause, alignment.sentence.language) for clause in clauses)
    return any(Alignment(alignment.claim, clause).is_close() for clause in read)


@lru_cache(maxsize=KEPT)
def _cues(statement: Statement) -> list[Word]:
    found = [word for word in statement.words if _is_cue(word, statement.language) and _denies(word, statement)]
    # A French "ne" without its second word denies nothing ("ne … que"), but with a few verbs.
    bare = [word for word in found if word.key not in FRENCH_CUES]
    return found if bare else [word for word in found if _denies_alone(word, statement)]


def _denies_alone(word: Word, statement: Statement) -> bool:
    place = statement.words.index(word)
    following = [each.key for each in statement.words[place + 1 : place + 8]]
    return following[:1] != [] and following[0] in DENIED_ALONE and "que" not in following


def _denies(word: Word, statement: Statement) -> bool:
    """Not in "not only", "No. 7" and the like."""
    found = LIKE_A_CUE.finditer(lower_letters(statement.text))
    return not any(match.start() <= word.start < match.end() for match in found)


def _is_cue(word: Word, language: str) -> bool:
    """Not a part of another word ("non-stick")."""
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


def _ordered(alignment: Alignment) -> Difference | None:
    """Another ordinal before the same word: the first half, the second half."""
    if not alignment.is_close(TIGHT_FRAME) or not alignment.holds_names():
        return None
    mine, theirs = (_ordinals(each) for each in (alignment.claim, alignment.sentence))
    told = {place for _, place, _ in theirs}
    pairs = ((word, place, other) for word, place, stem in mine for other, _, same in theirs if stem == same)
    found = next(((word, other) for word, place, other in pairs if place not in told), None)
    return Difference("figure", found[0].text, found[1].text) if found else None


def _ordinals(statement: Statement) -> list[tuple[Word, int, str]]:
    """Each ordinal with its number and the next word that has a meaning."""
    of_language = ordinals(statement.language)
    numbered = ((word, of_language.get(word.key) or ORDINAL_OF.get(word.key)) for word in statement.words)
    placed = [(word, number) for word, number in numbered if number]
    found = ((word, place, statement.content_around(word.end, word.end, 0, 1)) for word, place in placed)
    return [(word, place, after[0]) for word, place, after in found if after]


@lru_cache(maxsize=KEPT)
def _quantifiers(statement: Statement) -> list[tuple[Word, str, str]]:
    """Each quantifier with what it counts: the next word, but for articles, numbers and the like."""
    found = []
    for place, word in enumerate(statement.words):
        kind = QUANTIFIER_OF.get(word.key) or ("none" if _counts_none(word, statement) else "")
        following = statement.words[place + 1 : place + 1 + FARTHEST_COUNTED] if kind else ()
        is_about = kind == "some" and bool(following) and following[0].is_number  # "some 62 percent"
        counted = next((each for each in following if each.key not in PASSED_OVER and not each.is_number), None)
        if counted and counted.is_content and not is_about:
            found.append((word, kind, counted.stem))
    return found


def _counts_none(word: Word, statement: Statement) -> bool:
    is_adverb = word.key == "no" and statement.language != "en"
    return word.key in NO_WORDS and not is_adverb and _denies(word, statement)


def _modal(alignment: Alignment) -> Difference | None:
    """A possibility or a condition on one side only of an otherwise equal statement."""
    claim, sentence = alignment.claim, alignment.sentence
    if not alignment.is_close(ALMOST_EQUAL) or not alignment.reverse.is_close(ALMOST_EQUAL):
        return None
    for words_of in (_possibilities, _conditions):
        mine, theirs = words_of(claim), words_of(sentence)
        if bool(mine) != bool(theirs):
            return Difference("scope", *(words[0].text if words else "" for words in (mine, theirs)))
    return None


def _possibilities(statement: Statement) -> list[Word]:
    return [word for word in statement.words if MODAL_OF.get(word.key) == "may"]


def _conditions(statement: Statement) -> list[Word]:
    return [word for word in statement.words if word.key in CONDITIONS.get(statement.language, ())]


# Whether a sentence that holds the claim's words also says what it says


@lru_cache(maxsize=KEPT)
def is_turned(alignment: Alignment) -> bool:
    """Whether a word that turns the sense stands on one side only, or another word stands in the place of one."""
    checks = (
        _is_denied_alone,
        _excludes_alone,
        _opposes_alone,
        _is_pointed_alone,
        _is_possible_alone,
        _counts_others,
        _is_substituted,
    )
    return any(check(alignment) for check in checks)


def _is_denied_alone(alignment: Alignment) -> bool:
    mine, denying = (_cues_but(each, EXCLUDING) for each in (alignment.claim, alignment.sentence))
    theirs = any(_stands_among_shared(alignment.reverse, cue) for cue in denying)
    return bool(mine) != theirs


def _cues_but(statement: Statement, left_out: frozenset[str]) -> list[Word]:
    return [cue for cue in _cues(statement) if cue.key not in left_out]


def _excludes_alone(alignment: Alignment) -> bool:
    """Something that both name is left out on one side only: "without debate" and "after a debate"."""
    mine, theirs = (_excluded(each) for each in (alignment.claim, alignment.sentence))
    return not (mine ^ theirs).isdisjoint(alignment.claim.stems & alignment.sentence.stems)


def _excluded(statement: Statement) -> set[str]:
    cues = (word for word in _cues(statement) if word.key in EXCLUDING)
    return {stem for cue in cues for stem in statement.content_around(cue.end, cue.end, 0, 1)}


def _opposes_alone(alignment: Alignment) -> bool:
    mine, theirs = ({word.key for word in each.words} & AGAINST for each in (alignment.claim, alignment.sentence))
    return bool(mine) != bool(theirs)


def _is_pointed_alone(alignment: Alignment) -> bool:
    """The claim says which way, the sentence does not."""
    sides = all_sides(directions_of(alignment.sentence))
    own_words = (each for each in directions_of(alignment.claim) if each[0].is_content and each[0].key not in NEGATIONS)
    pointing = ((word, own) for word, own in own_words if points_a_way(own))
    return any(own.isdisjoint(sides) and word.stem not in alignment.stems for word, own in pointing)


def _is_possible_alone(alignment: Alignment) -> bool:
    theirs = [word for word in _possibilities(alignment.sentence) if _goes_on_shared(alignment.reverse, word)]
    return bool(theirs) != bool(_possibilities(alignment.claim))


def _goes_on_shared(beside: Alignment, word: Word) -> bool:
    following = [other for other in beside.claim.words if other.is_content and other.start >= word.end][:2]
    return any(beside.holds(other) for other in following)


def _counts_others(alignment: Alignment) -> bool:
    """The claim counts more or others than the sentence does; what is said of all is said of some."""
    mine, theirs = (_quantifiers(each) for each in (alignment.claim, alignment.sentence))
    of_claim = {word.stem for word in alignment.claim.words}
    given = {kind for _, kind, _ in theirs}
    wanted = {kind for _, kind, _ in mine} - given - ({"some"} if "all" in given else set())
    parts = {kind for _, kind, stem in theirs if kind in PARTS and stem in of_claim} - {kind for _, kind, _ in mine}
    return bool(wanted or parts)


def has_other_words(alignment: Alignment) -> bool:
    """Whether the sentence has words of its own where the claim has one that it lacks; they may mean the same."""
    mine = [word for word in alignment.claim.words if word.is_content]
    places = {word.stem: place for place, word in enumerate(mine)}
    theirs = (-1, *(places.get(word.stem) for word in alignment.sentence.words if word.is_content), len(mine))
    missing = (place for place, word in enumerate(mine) if not alignment.holds(word))
    return any(
        theirs[at] == place - 1 and None in theirs[at + 1 : at + 4] and place + 1 in theirs[at + 2 : at + 4]
        for place in missing
        for at in range(len(theirs))
    )


def _is_substituted(alignment: Alignment) -> bool:
    """Another noun among the very words around one that the sentence lacks: it may mean the same, and it may not."""
    mine, theirs = alignment.claim, alignment.sentence
    missing = [number for number, word in enumerate(mine.words) if word.is_content and not alignment.holds(word)]
    others = (number for number, word in enumerate(theirs.words) if word.is_content and word.stem not in mine.stems)
    around = {place for number in others for place in _neighbours(theirs, number)}
    return not around.isdisjoint(place for number in missing for place in _neighbours(mine, number))


def _neighbours(statement: Statement, number: int) -> list[tuple[int, str, str]]:
    """An article before a word with the word before that, or the one after, where this has a meaning."""
    before = statement.words[number - 1] if number else None
    if before is None or before.key not in BEFORE_NOUNS:
        return []
    inside = [shift for shift in (-2, 1) if 0 <= number + shift < len(statement.words)]
    beside = [(shift, statement.words[number + shift]) for shift in inside]
    article = "" if before.key in SMALL_WORDS else before.key
    return [(shift, article, word.key) for shift, word in beside if word.is_content]
