"""What differs between a claim and a source: its kind and both wordings."""

from __future__ import annotations

from typing import Literal, TypeAlias

from wellsourced.late_dataclass import dataclass

DifferenceKind: TypeAlias = Literal[
    "figure", "year", "unit", "negation", "direction", "quotation", "attribution", "name", "scope"
]
QuotationStatus: TypeAlias = Literal["word_for_word", "marked_changes", "altered", "not_found"]
"""How the words of a quotation stand in a text."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`claim` and `source` are the wordings on the two sides; one is "" where something stands on one side only."""

    kind: DifferenceKind
    claim: str
    source: str
