"""Where a value was read: its birth certificate."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The record behind a value.

    `url` opens the record, `record` names it exactly (an accession number with concept and period, a series with a
    date, a cell of a dataset). `unit` is what the value counts. `vintage` is the ISO date or moment as of which the
    upstream stated it: a filing day, a last update.
    """

    url: str
    record: str
    unit: str | None = None
    vintage: str | None = None
