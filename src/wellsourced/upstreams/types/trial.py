"""Clinical trials as registered."""

from __future__ import annotations

from dataclasses import dataclass

from wellsourced.upstreams.types.origin import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialQuery:
    """At least one of text, condition, intervention and sponsor must be given."""

    text: str = ""
    condition: str | None = None
    intervention: str | None = None
    sponsor: str | None = None
    status: str | None = None
    phase: str | None = None
    count: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One registration. Dates have the precision of the registry: a day, or only a month."""

    nct_id: str
    title: str
    url: str
    origin: Origin
    status: str | None = None
    phases: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    interventions: tuple[str, ...] = ()
    sponsor: str | None = None
    start_date: str | None = None
    completion_date: str | None = None
    enrollment: int | None = None
    has_results: bool | None = None
    source: str = "clinicaltrials"
