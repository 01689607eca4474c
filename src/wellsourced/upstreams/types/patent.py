"""Patents: what is asked for and what is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Office: TypeAlias = Literal["US", "EP", "WO", "JP", "CN", "KR"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatentQuery:
    """`number` is in normal form (`US10165245B2`) and asks for that document alone. Years are years of filing."""

    text: str = ""
    count: int = 5
    number: str | None = None
    office: Office | None = None
    assignee: str | None = None
    inventor: str | None = None
    cpc: str | None = None
    year_from: int | None = None
    year_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Patent:
    """One published document. `number` carries office and kind code where known; all dates are ISO days.

    `granted` is the day of grant and None for an application; `published` is the day this document came out, which for
    an application is no grant. `assignees` are owners and applicants as written, `cpc` symbols without blanks.
    `application` is its number, where known. Claims begin with their numbers; family, citations and events are lines
    that begin with a number or a day.
    """

    title: str
    number: str
    url: str
    source: str
    abstract: str | None = None
    assignees: tuple[str, ...] = ()
    inventors: tuple[str, ...] = ()
    priority: str | None = None
    filed: str | None = None
    published: str | None = None
    granted: str | None = None
    cpc: tuple[str, ...] = ()
    pdf: str | None = None
    status: str | None = None
    claims: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    cited_by: tuple[str, ...] = ()
    legal_events: tuple[str, ...] = ()
    description: tuple[str, ...] = ()
    application: str | None = None

    @property
    def office(self) -> str:
        return self.number[:2]
