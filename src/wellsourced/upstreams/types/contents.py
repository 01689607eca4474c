"""A page's text as a paid service hands it over."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContents:
    """`source` says whether the service had it (`cached`) or fetched it (`crawled`); `date` is an ISO date or ""."""

    url: str
    markdown: str
    source: str
    title: str = ""
    author: str = ""
    date: str = ""
