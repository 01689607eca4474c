"""Another name at the same place of an otherwise equal statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellsourced.data.opposite_words import SPEECH
from wellsourced.evidence.difference import Difference, DifferenceKind
from wellsourced.evidence.statements import Alignment, Statement, Word
from wellsourced.text.index_words import fold_text

SHOWN = 90  # characters of a wording
FEWEST_BESIDE_NAME = 3
LONGEST_NAME = 5
# Words that stand before names of places and people, beside which a German noun is distinguished from a name.
BEFORE_NAMES = frozenset(["in", "nach", "aus", "von", "bei", "fluss", "stadt", "herr", "frau"])
_ARTICLES = "the a an der die das den dem le la les l el los las il lo gli i o os as de du des"
ARTICLES = frozenset(_ARTICLES.split())

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
