"""Dates that may lack day or month, as bibliographic services write them, in ISO: `2010`, `2010-02`, `2010-02-06`."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from wellsourced.text.json_fields import year as plausible_year

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ISO = re.compile(r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2}))?)?(?![0-9])")
NAMED = re.compile(r"\b([12][0-9]{3})\s{1,3}([A-Z][a-z]{2})[a-z]{0,6}(?:\s{1,3}([0-9]{1,2}))?(?![0-9])")


def from_parts(value: Any) -> str | None:
    """`{"date-parts": [[2010, 2, 6]]}`, as Crossref and CSL have it; numbers may be texts, and all may be null."""
    parts = value.get("date-parts") if isinstance(value, dict) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    return compose(*first[:3]) if isinstance(first, list) and first else None


def from_text(value: Any) -> str | None:
    """`2014-02-18`, `2014/02/18 00:00`, `2014-02`, `2014`."""
    found = ISO.match(value) if isinstance(value, str) else None
    return compose(*found.groups()) if found else None


def from_citation(text: str) -> str | None:
    """The date inside `Lancet. 2010 Feb 6;375(9713):445`."""
    found = NAMED.search(text[:1000])
    return compose(*found.groups()) if found else None


def compose(year: Any = None, month: Any = None, day: Any = None) -> str | None:
    """As much of the date as makes sense; months may be named in English."""
    digits = str(year)
    when = plausible_year(digits) if len(digits) == 4 else None
    if when is None:
        return None
    number = _month(month)
    if number is None:
        return f"{when:04}"
    try:
        return date(when, number, int(str(day))).isoformat()
    except (ValueError, OverflowError):
        return f"{when:04}-{number:02}"


def _month(value: Any) -> int | None:
    text = str(value)
    if text[:3].lower() in MONTHS:
        return MONTHS.index(text[:3].lower()) + 1
    return int(text) if text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= 12 else None
