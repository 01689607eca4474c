"""Dates that may lack day or month, as people write them in references.

Understood: ISO and EDTF (`2011-05-25`, `2011-05~/2012`, `-0044-03-15`), RIS (`1948/07//`), month names of the larger
European languages in any order with day and year, Chinese, Japanese and Korean dates, and bare years.
"""

from __future__ import annotations

import re
from calendar import monthrange

from wellsourced.late_dataclass import dataclass
from wellsourced.text.dates import MONTH_STEMS

LONGEST = 200
FIRST_YEAR, LAST_YEAR = -9999, 2200
ISO_OR_EDTF = re.compile(r"(-?[0-9]{4})(?:[-/.]([0-9]{1,2})?(?:[-/.]([0-9]{1,2})?)?)?(?![0-9])")
CJK = re.compile(r"([0-9]{4})\s?[年년](?:\s?([0-9]{1,2})\s?[月월](?:\s?([0-9]{1,2})\s?[日일])?)?")
DAY_FIRST = re.compile(r"([0-9]{1,2})[./]([0-9]{1,2})[./]([0-9]{4})(?![0-9])")
MONTH_WORD = re.compile(r"[^\W\d_]{3,12}")
NUMBER = re.compile(r"(?<![0-9])([0-9]{1,4})(?:st|nd|rd|th|er|\.)?(?![0-9])")


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
