"""A difference between a claim and a source as the tools give it."""

from __future__ import annotations

from collections.abc import Sequence

from wellsourced.evidence.difference import Difference
from wellsourced.tool.base import OutputPart


class DifferencePart(OutputPart):
    """`kind`: figure, year, unit, negation, direction, quotation, attribution, name or scope; both wordings."""

    kind: str
    claim: str
    source: str


def difference_sentence(difference: Difference) -> str:
    """Both wordings in words, or the one that stands alone."""
    sides = (("the claim", difference.claim), ("the source", difference.source))
    said = ", ".join(f"{who} says “{wording}”" for who, wording in sides if wording)
    return f"Differs ({difference.kind}): {said}."


def difference_parts(differences: Sequence[Difference]) -> list[DifferencePart] | None:
    """None where nothing differs, so that the field is left out."""
    return [DifferencePart.from_record(each) for each in differences] or None
