"""Another name at the same place of an otherwise equal statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import product

from wellsourced.data.opposite_words import NEGATIONS, SMALL_WORDS, SPEECH
from wellsourced.evidence.difference import Difference, DifferenceKind
from wellsourced.evidence.statements import Alignment, Statement, Word
from wellsourced.text.index_words import fold_text

SHOWN = 90  # characters of a wording
FEWEST_BESIDE_NAME = 3
LONGEST_NAME = 5
ALIKE_SPELLING = 0.7
# Every German noun has a capital. A name is one that follows a preposition without an article, as common nouns in the
# singular seldom do ("in Lorsch", "in der Stadt"), or a title or a kind of place, which stand before names alone.
_BEFORE_NAMES = (
    "in nach aus von bei bis um fur durch gegen mit uber zu zwischen"
    " herr herrn frau doktor professor konig konigin kaiser kaiserin graf grafin herzog papst"
    " stadt dorf gemeinde kloster schloss fluss berg insel land provinz"
)
ROMAN = re.compile("[ivx]+$")
NEVER = re.compile("(?!)")
PAST = {
    language: re.compile(pattern)
    for language, pattern in {
        "en": "..ed$|^(?:said|wrote|found|made|took|gave|built|held|saw|became|led|won|was)$",
        "de": "..te$|^(?:schrieb|sah|fand|war|nahm|gab|hielt|erfand)$",
        "fr": "..(?:a|it|ut)$",
        "es": "..o$",
        "it": "..o$",
        "pt": "..[oi]u$",
        "nl": "..[dt]e$",
    }.items()
}
BEFORE_NAMES = frozenset(_BEFORE_NAMES.split())


def other_name(alignment: Alignment) -> Difference | None:
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
    if first < place and not first and words[0].key in SMALL_WORDS:
        first = 1  # An article that opens the sentence.
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
        both = ((claim, ours), (sentence, name))
        if any(alike) and (all(_is_surely_name(*side) for side in both) or (alike[1] and _open_alike(*both))):
            yield name


def _open_alike(*both: tuple[Statement, Sequence[Word]]) -> bool:
    """Whether both open their statements without an article, before a verb in the past: so do hardly any but names."""
    return all(
        len(name) == 1
        and name[0] is statement.words[0]
        and name[0].key not in NEGATIONS
        and not name[0].key.endswith(("s", "ing", "ung", "tion"))
        and bool(PAST.get(statement.language, NEVER).search(statement.words[1].key))
        for statement, name in both
    )


def _beside(statement: Statement, name: Sequence[Word]) -> tuple[str, str]:
    """The stems of the words before and after a name, articles passed over; "" where there is none."""
    before = [word.stem for word in statement.words if word.end <= name[0].start and word.key not in SMALL_WORDS]
    after = [word.stem for word in statement.words if word.start >= name[-1].end and word.key not in SMALL_WORDS]
    return before[-1] if before else "", after[0] if after else ""


def _are_other_names(ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Not too long, and not one the short form or another spelling of the other."""
    if max(len(ours), len(theirs)) > LONGEST_NAME:
        return False
    # What both have ("Doctor", "River") tells neither from the other.
    shared = {word.key for word in ours} & {word.key for word in theirs}
    one, other = ([word for word in name if word.key not in shared] for name in (ours, theirs))
    is_acronym = any(word.text.isupper() and len(word.key) > 1 and not ROMAN.match(word.key) for word in (*one, *other))
    pairs = product((word for word in one if word.is_content), (word for word in other if word.is_content))
    is_variant = 2 * len(shared) >= min(len(ours), len(theirs))
    return not is_variant and not is_acronym and not any(_are_spellings(*pair) for pair in pairs)


def _are_spellings(one: Word, other: Word) -> bool:
    """Whether two names are written nearly alike: "Faroe" and "Faeroes", "Peking" and "Pekin"."""
    return SequenceMatcher(None, one.key, other.key, autojunk=False).ratio() > ALIKE_SPELLING


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
