"""Dates that may lack day or month, as bibliographies and bibliographic services write them.

`parse_partial_date` reads what people write in references: ISO and EDTF (`2011-05-25`, `2011-05~/2012`, `-0044-03-15`),
RIS (`1948/07//`), month names of the larger European languages in any order with day and year, Chinese, Japanese and
Korean dates, and bare years. The `iso_from_…` functions read what services send and return ISO text: `2010`,
`2010-02`, `2010-02-06`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from typing import Any

from wellsourced.text.dates import ENGLISH_MONTHS, MONTH_STEMS
from wellsourced.text.json_fields import year as plausible_year

LONGEST = 200
FIRST_YEAR, LAST_YEAR = -9999, 2200
ISO_OR_EDTF = re.compile(r"(-?[0-9]{4})(?:[-/.]([0-9]{1,2})?(?:[-/.]([0-9]{1,2})?)?)?(?![0-9])")
CJK = re.compile(r"([0-9]{4})\s?[年년](?:\s?([0-9]{1,2})\s?[月월](?:\s?([0-9]{1,2})\s?[日일])?)?")
DAY_FIRST = re.compile(r"([0-9]{1,2})[./]([0-9]{1,2})[./]([0-9]{4})(?![0-9])")
MONTH_WORD = re.compile(r"[^\W\d_]{3,12}")
NUMBER = re.compile(r"(?<![0-9])([0-9]{1,4})(?:st|nd|rd|th|er|\.)?(?![0-9])")
ISO_START = re.compile(r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2}))?)?(?![0-9])")
YEAR_AND_MONTH = re.compile(r"\b([12][0-9]{3})\s{1,3}([A-Z][a-z]{2})[a-z]{0,6}(?:\s{1,3}([0-9]{1,2}))?(?![0-9])")


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date that may lack day or month. Years before our era are negative."""

    year: int
    month: int | None = None
    day: int | None = None

    @property
    def iso(self) -> str:
        parts = [f"{self.year:04}"] + [f"{part:02}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)


def parse_partial_date(text: str) -> PartialDate | None:
    """The first date in a short text; None when there is none."""
    text = text[:LONGEST].strip().strip("[](){}?~%")
    match = CJK.match(text) or ISO_OR_EDTF.match(text)
    if match:
        name = find_month(text[match.end() :]) if match[2] is None else None
        return _parse_named(text) if name else build_partial_date(*match.groups())
    match = DAY_FIRST.match(text)
    if match:
        return build_partial_date(match[3], match[2], match[1]) or build_partial_date(match[3], match[1], match[2])
    return _parse_named(text)


def build_partial_date(year: object, month: object = None, day: object = None) -> PartialDate | None:
    """As much of the date as makes sense; the parts may be numbers or their texts, months also names."""
    when = _number(year)
    if when is None or not FIRST_YEAR <= when <= LAST_YEAR or when == 0:
        return None
    month_in_year = _number(month)
    if month_in_year is None and isinstance(month, str):
        month_in_year = find_month(month)
    if month_in_year is None or not 1 <= month_in_year <= 12:
        return PartialDate(when)
    day_in_month = _number(day)
    if day_in_month is None or not 1 <= day_in_month <= monthrange(max(when, 1), month_in_year)[1]:
        return PartialDate(when, month_in_year)
    return PartialDate(when, month_in_year, day_in_month)


def find_month(text: str) -> int | None:
    """The month that is named in the text, in one of several languages."""
    for word in MONTH_WORD.findall(text[:LONGEST].casefold()):
        for number, stems in enumerate(MONTH_STEMS, start=1):
            if word.startswith(stems):
                return number
    return None


def _parse_named(text: str) -> PartialDate | None:
    """`12 May 2010`, `May 12, 2010`, `Mai 2010`, `2010 May 12`, `c. 1850`."""
    numbers = NUMBER.findall(text)
    years = [number for number in numbers if len(number) == 4]
    days = [number for number in numbers if len(number) <= 2]
    return build_partial_date(years[0], find_month(text), days[0] if days else None) if years else None


def _number(value: object) -> int | None:
    """A whole number of at most four digits, also as text or as a float without a fraction."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 10_000:
        return int(value)
    if isinstance(value, int):
        return value
    text = value.strip() if isinstance(value, str) else ""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 4 else None


def iso_from_date_parts(value: Any) -> str | None:
    """`{"date-parts": [[2010, 2, 6]]}`, as Crossref and CSL have it; numbers may be texts, and all may be null."""
    parts = value.get("date-parts") if isinstance(value, dict) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    return partial_iso(*first[:3]) if isinstance(first, list) and first else None


def iso_from_text(value: Any) -> str | None:
    """`2014-02-18`, `2014/02/18 00:00`, `2014-02`, `2014`."""
    match = ISO_START.match(value) if isinstance(value, str) else None
    return partial_iso(*match.groups()) if match else None


def iso_from_citation(text: str) -> str | None:
    """The date inside `Lancet. 2010 Feb 6;375(9713):445`."""
    match = YEAR_AND_MONTH.search(text[:1000])
    return partial_iso(*match.groups()) if match else None


def partial_iso(year: Any = None, month: Any = None, day: Any = None) -> str | None:
    """As much of the date as makes sense; months may be named in English."""
    digits = str(year)
    when = plausible_year(digits) if len(digits) == 4 else None
    if when is None:
        return None
    partial = build_partial_date(when, _english_month(month), str(day))
    return partial.iso if partial else None


def _english_month(value: Any) -> int | None:
    text = str(value)
    if text[:3].lower() in ENGLISH_MONTHS:
        return ENGLISH_MONTHS.index(text[:3].lower()) + 1
    return int(text) if text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= 12 else None
