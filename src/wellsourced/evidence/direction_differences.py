"""Where a claim and a sentence point opposite ways: a rise beside a fall, stable beside unstable."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from wellsourced.data.opposite_words import Side, are_opposed_by_prefix, opposed_sides, points_a_way, sides_of
from wellsourced.evidence.difference import Difference
from wellsourced.evidence.statements import Alignment, Statement, Word

AROUND = 3
VERB_ENDS = {"zu": "steigen", "an": "steigen", "ab": "sinken", "zuruck": "sinken"}
ENDING = 4  # letters that two words have in common where one of them is the other with a beginning
KEPT = 64  # statements of which what was read is kept: a claim and its nearest sentences


def opposite_direction(alignment: Alignment) -> Difference | None:
    """A word of the claim whose opposite stands at the same place of the sentence."""
    mine, theirs = directions_of(alignment.claim), directions_of(alignment.sentence)
    own_sides = all_sides(mine)
    for word, sides in mine:
        against = opposed_sides(sides)
        if not against.isdisjoint(own_sides):
            continue
        alike = max((_shared_around(alignment, word, w) for w, s in theirs if not s.isdisjoint(sides)), default=-1)
        other = next((w for w, s in theirs if not s.isdisjoint(against) and _stand_alike(alignment, word, w)), None)
        # A word that points the same way may speak of something else, where it stands among other words.
        # So may the word itself, where it stands among clearly fewer.
        margin = 2 if word.stem in alignment.stems else 0
        is_nearer = other is not None and alike + margin < _shared_around(alignment, word, other)
        if other and (is_nearer or _go_on_alike(alignment, word, other)):
            return Difference("direction" if points_a_way(sides) else "name", word.text, other.text)
    return _with_prefix(alignment)


def _with_prefix(alignment: Alignment) -> Difference | None:
    """A word of one side with a denying beginning on the other: stable and unstable."""
    both = (alignment.claim, alignment.sentence)
    mine, theirs = ([word for word in each.words if word.is_content] for each in both)
    known = {word.key for word in mine} & {word.key for word in theirs}
    mine, theirs = ([word for word in side if word.key not in known] for side in (mine, theirs))
    language = alignment.claim.language
    pairs = ((one, other) for one in mine for other in theirs if one.stem[-ENDING:] == other.stem[-ENDING:])
    opposed = ((one, other) for one, other in pairs if are_opposed_by_prefix(one.stem, other.stem, language))
    found = next((pair for pair in opposed if _stand_alike(alignment, *pair)), None)
    return Difference("direction", found[0].text, found[1].text) if found else None


@lru_cache(maxsize=KEPT)
def directions_of(statement: Statement) -> list[tuple[Word, frozenset[Side]]]:
    """The words that point a way; not those that compare a figure ("at least 40")."""
    compared = [(figure.compared_from, figure.end) for figure in statement.figures]
    free = (word for word in statement.words if not any(start <= word.start < end for start, end in compared))
    return [(word, sides) for word in free if (sides := sides_of(_pointing_key(word, statement), statement.language))]


def _pointing_key(word: Word, statement: Statement) -> str:
    """A German verb may have left its first part at the end of the clause: "ging … zurück" is a fall."""
    ends_clause = statement.language == "de" and statement.text[word.end : word.end + 1] in ("", *",.;:!?")
    return VERB_ENDS.get(word.key, word.key) if ends_clause else word.key


def all_sides(directions: Sequence[tuple[Word, frozenset[Side]]]) -> frozenset[Side]:
    return frozenset().union(*(sides for _, sides in directions))


def _go_on_alike(alignment: Alignment, mine: Word, theirs: Word) -> bool:
    """Whether the very word behind the one stands behind the other, and not behind the same one elsewhere."""
    behind = _word_behind(alignment.claim, mine)
    same = (word for word in alignment.sentence.words if word.stem == mine.stem)
    return (
        bool(behind)
        and behind == _word_behind(alignment.sentence, theirs)
        and all(_word_behind(alignment.sentence, word) != behind for word in same)
    )


def _word_behind(statement: Statement, word: Word) -> str:
    """The stem of the next word, where it has a meaning; else ""."""
    following = next((each for each in statement.words if each.start >= word.end), None)
    return following.stem if following and following.is_content else ""


def _stand_alike(alignment: Alignment, mine: Word, theirs: Word) -> bool:
    return _shared_around(alignment, mine, theirs) > 0


def _shared_around(alignment: Alignment, mine: Word, theirs: Word) -> int:
    """How many words with meaning beside the one stand near the other too."""
    near = alignment.claim.content_around(mine.start, mine.end, AROUND, 2)  # "el precio del cacao de Caracas bajó"
    return len(set(near) & set(alignment.sentence.content_around(theirs.start, theirs.end, 4, 4)))
