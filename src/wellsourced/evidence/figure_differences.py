"""Another figure, year or unit at the place of a claim's in an otherwise equal statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wellsourced.data.opposite_words import QUANTIFIER_OF
from wellsourced.evidence.difference import Difference
from wellsourced.evidence.figures import Figure, are_opposed, are_same, have_same_number
from wellsourced.evidence.statements import TIGHT_FRAME, Alignment, Statement


def lacking_figures(alignment: Alignment, is_stated: Callable[[Figure], bool]) -> list[Figure]:
    """Those of the claim that the sentence does not have; of a date with another year only the year."""
    theirs = alignment.sentence.figures
    opposed = [mine for mine in alignment.claim.figures if any(are_opposed(mine, other) for other in theirs)]
    open_ones = [mine for mine in alignment.claim.figures if not any(are_same(mine, other) for other in theirs)]
    lacking = [figure for figure in open_ones if not is_stated(figure)]
    lacking += [figure for figure in opposed if figure not in lacking]
    is_other_year = any(figure.is_year for figure in lacking)
    return [figure for figure in lacking if figure.dimension != "day" or not is_other_year]


def figure_difference(figure: Figure, alignment: Alignment) -> Difference | None:
    if not alignment.is_close(TIGHT_FRAME) or not alignment.holds_names():
        return None
    mine, theirs = alignment.claim.figures, alignment.sentence.figures
    free = [other for other in theirs if not any(are_same(own, other) for own in mine)]
    same_number = next((other for other in free if have_same_number(figure, other)), None)
    if same_number and _have_units(figure, same_number):
        return Difference("unit", figure.text, same_number.text)
    if other := _counterpart(figure, free, alignment):
        return Difference("year" if figure.is_year else "figure", figure.text, other.text)
    return None


def _have_units(*figures: Figure) -> bool:
    return all(figure.dimension and not figure.is_year for figure in figures)


def _counterpart(figure: Figure, free: Sequence[Figure], alignment: Alignment) -> Figure | None:
    """The figure of the sentence that stands where the claim's figure does: of its kind, with the same words around.

    A number without a unit differs only from a number of the same things: the next word is the same.
    """
    alike = [other for other in free if other.dimension == figure.dimension]
    if len(alike) == 1 and figure.dimension and not _is_of_another_thing(figure, alike[0], alignment):
        return alike[0]
    if not figure.dimension:
        counted = _next_word(alignment.claim, figure)
        alike = [other for other in alike if _next_word(alignment.sentence, other) == counted]
    near = sorted(((_likeness(figure, other, alignment), other.start, other) for other in alike), reverse=True)
    is_clear = bool(near) and any(near[0][0]) and (len(near) == 1 or near[0][0] > near[1][0])
    return near[0][2] if is_clear else None


def _is_of_another_thing(figure: Figure, other: Figure, alignment: Alignment) -> bool:
    """What a figure in brackets measures is often another thing, unless it stands behind what the claim counts."""
    before = alignment.sentence.text[: other.start]
    counted = _beside_figure(alignment.sentence, other)[0][-1:]
    return before.count("(") > before.count(")") and counted != [_next_word(alignment.claim, figure)]


def _likeness(figure: Figure, other: Figure, alignment: Alignment) -> tuple[bool, int]:
    """Whether the next word is the same, and how many of the words around are."""
    claim, sentence = alignment.claim, alignment.sentence
    shared = _words_around(claim, figure) & _words_around(sentence, other)
    return _next_word(claim, figure) == _next_word(sentence, other) != "", len(shared)


def _next_word(statement: Statement, figure: Figure) -> str:
    return next(iter(_beside_figure(statement, figure)[1]), "")


def _words_around(statement: Statement, figure: Figure) -> set[str]:
    before, after = _beside_figure(statement, figure)
    return {*before[-2:], *after[:2]}


def _beside_figure(statement: Statement, figure: Figure) -> tuple[list[str], list[str]]:
    """The words with meaning before and after a figure, as far as the next figures of its kind."""
    alike = [other for other in statement.figures if other.dimension == figure.dimension]
    first = max((other.end for other in alike if other.end <= figure.start), default=0)
    last = min((other.start for other in alike if other.start >= figure.end), default=len(statement.text))
    words = [word for word in statement.words if word.is_content and word.key not in QUANTIFIER_OF]
    near = [word for word in words if first <= word.start < last and not word.stem[:1].isdecimal()]
    before = [word.stem for word in near if word.end <= figure.start]
    return before, [word.stem for word in near if word.start >= figure.end]
