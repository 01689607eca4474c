"""Answers that a provider composes or extracts from pages it names, and the texts of pages that it hands over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerQuery:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPage:
    """A page an answer rests on; `published_date` is as the provider wrote it."""

    url: str
    title: str | None = None
    author: str | None = None
    published_date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenAnswer:
    """A written answer. `cost` is the provider's own estimate in US dollars, None when it gave none."""

    text: str
    citations: tuple[CitedPage, ...]
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredQuery:
    """`schema` is a JSON schema of the fields to be read out of each page."""

    text: str
    category: str | None = None
    schema: Mapping[str, Any] | None = None
    count: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredItem:
    """One page. `summary` follows the schema where one was asked for, else it is text; `highlights` are verbatim."""

    url: str
    title: str | None = None
    author: str | None = None
    published_date: str | None = None
    summary: Any = None
    highlights: tuple[str, ...] = ()
    entities: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredResult:
    items: tuple[StructuredItem, ...]
    cost: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContents:
    """`source` says whether the service had it (`cached`) or fetched it (`crawled`); `date` is an ISO date or ""."""

    url: str
    markdown: str
    source: str
    title: str = ""
    author: str = ""
    date: str = ""
