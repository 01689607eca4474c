"""Dates of cited works in every shape that bibliographies have them, as partial dates.

Understood: ISO and EDTF (`2011-05-25`, `2011-05~/2012`, `-0044-03-15`), RIS (`1948/07//`), month names of the larger
European languages in any order with day and year, Chinese, Japanese and Korean dates, and bare years.
"""

from __future__ import annotations

import re
from calendar import monthrange

from wellsourced.citations.reference import PartialDate

LONGEST = 200
FIRST_YEAR, LAST_YEAR = -9999, 2200
MONTH_STEMS: tuple[tuple[str, ...], ...] = (
    ("jan", "ene", "янв", "stycz", "led", "oca"),
    ("feb", "fev", "fév", "febb", "фев", "lut", "úno", "şub"),
    ("mar", "mär", "maerz", "maa", "мар", "břez"),
    ("apr", "avr", "abr", "апр", "kwi", "dub", "nis"),
    ("may", "mai", "mag", "mei", "maj", "май", "мая", "kvě"),
    ("jun", "juin", "giu", "июн", "czerw", "haz"),
    ("jul", "juil", "lug", "lip", "июл", "tem"),
    ("aug", "aoû", "aou", "ago", "авг", "sier", "ağu"),
    ("sep", "set", "сен", "wrz", "zář", "eyl"),
    ("oct", "okt", "out", "ott", "окт", "paź", "říj", "eki"),
    ("nov", "ноя", "kas"),
    ("dec", "dez", "dic", "déc", "дек", "grud", "pros", "ara"),
)
ISO = re.compile(r"(-?[0-9]{4})(?:[-/.]([0-9]{1,2})?(?:[-/.]([0-9]{1,2})?)?)?(?![0-9])")
CJK = re.compile(r"([0-9]{4})\s?[年년](?:\s?([0-9]{1,2})\s?[月월](?:\s?([0-9]{1,2})\s?[日일])?)?")
DAY_FIRST = re.compile(r"([0-9]{1,2})[./]([0-9]{1,2})[./]([0-9]{4})(?![0-9])")
WORD = re.compile(r"[^\W\d_]{3,12}")
NUMBER = re.compile(r"(?<![0-9])([0-9]{1,4})(?:st|nd|rd|th|er|\.)?(?![0-9])")


def read_date(text: str) -> PartialDate | None:
    """The first date in a short text; None when there is none."""
    text = text[:LONGEST].strip().strip("[](){}?~%")
    found = CJK.match(text) or ISO.match(text)
    if found:
        named = month_number(text[found.end() :]) if found[2] is None else None
        return _named(text) if named else make_date(*found.groups())
    found = DAY_FIRST.match(text)
    if found:
        return make_date(found[3], found[2], found[1]) or make_date(found[3], found[1], found[2])
    return _named(text)


def make_date(year: object, month: object = None, day: object = None) -> PartialDate | None:
    """As much of the date as makes sense; the parts may be numbers or their texts, months also names."""
    when = _number(year)
    if when is None or not FIRST_YEAR <= when <= LAST_YEAR or when == 0:
        return None
    month_in_year = _number(month)
    if month_in_year is None and isinstance(month, str):
        month_in_year = month_number(month)
    if month_in_year is None or not 1 <= month_in_year <= 12:
        return PartialDate(when)
    day_in_month = _number(day)
    if day_in_month is None or not 1 <= day_in_month <= monthrange(max(when, 1), month_in_year)[1]:
        return PartialDate(when, month_in_year)
    return PartialDate(when, month_in_year, day_in_month)


def month_number(text: str) -> int | None:
    """The month that is named in the text, in one of several languages."""
    for word in WORD.findall(text[:LONGEST].casefold()):
        for number, stems in enumerate(MONTH_STEMS, start=1):
            if word.startswith(stems):
                return number
    return None


def _named(text: str) -> PartialDate | None:
    """`12 May 2010`, `May 12, 2010`, `Mai 2010`, `2010 May 12`, `c. 1850`."""
    numbers = NUMBER.findall(text)
    years = [number for number in numbers if len(number) == 4]
    days = [number for number in numbers if len(number) <= 2]
    return make_date(years[0], month_number(text), days[0] if days else None) if years else None


def _number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 10_000:
        return int(value)
    if isinstance(value, int):
        return value
    text = value.strip() if isinstance(value, str) else ""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 4 else None
