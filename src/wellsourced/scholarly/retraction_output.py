"""Whether a paper was retracted or corrected, as tools show it: pages that are read have it too, where it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.tool.base import OutputPart

if TYPE_CHECKING:
    from wellsourced.upstreams.types.paper import Integrity


class RetractionStatus(OutputPart):
    retracted: bool
    kind: str
    date: str | None = None
    notice_doi: str | None = None
    source: str | None = None


def retraction_status(integrity: Integrity | None) -> RetractionStatus | None:
    return RetractionStatus.from_record(integrity) if integrity else None
