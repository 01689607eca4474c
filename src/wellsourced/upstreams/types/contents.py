"""A page's text as a paid service hands it over."""

from __future__ import annotations

from dataclasses import dataclass

from wellsourced.pages.page import Page


@dataclass(frozen=True, slots=True)
class Contents:
    """`source` says whether the service had it (`cached`) or fetched it (`crawled`)."""

    page: Page
    source: str
