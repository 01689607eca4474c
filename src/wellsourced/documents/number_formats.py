"""Numbers of a spreadsheet as its cells show them: dates, hours passed, percentages, currencies.

Dates are numbers with a date format: the built-in format ids come from ECMA-376 part 1, 18.8.30, others are
recognised by their letters. Day 60 of the 1900 calendar does not exist, which is why days are counted from
1899-12-30, and those before it from a day later.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from wellsourced.documents.xml import Element, attribute, find_child
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

DATE_FORMATS = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
# A format has at most 255 characters.
NOT_FORMAT = late_pattern(r'"[^"]*"|\\.|\[[^\]]{0,255}\]')
SPAN = late_pattern(r"\[(?:h+|m+|s+)\]", re.I)
SPAN_FORMAT = 46
PERCENT_FORMATS = (9, 10)
UNSHOWN = late_pattern(r"_.|\[\$-[^\]]{0,255}\]")
CURRENCY = late_pattern(r"\[\$([^\]-]{1,8})[^\]]{0,255}\]|([$¢£¤¥\u20a0-\u20cf])")
DIGIT = late_pattern(r"[0#?]")
MISSING_DAY = 60


@dataclass(frozen=True)
class NumberFormats:
    """The cell styles, by number, that show more than digits."""

    dates: frozenset[int]
    spans: frozenset[int]
    units: dict[int, tuple[str, str]]
    day_zero: datetime

    def shown(self, value: str, style: str) -> str:
        """A stored number in the way its cell's style shows it."""
        index = int(style) if style.isdecimal() else 0
        if index in self.dates:
            return _date(value, self.day_zero)
        if index in self.spans:
            return _span(value)
        before, behind = self.units.get(index, ("", ""))
        return before + (_hundredfold(value) if behind == "%" else shorten_number(value)) + behind


def read_number_formats(styles: Element | None, *, from_1904: bool) -> NumberFormats:
    """What styles.xml says of numbers."""
    formats, used = _formats(styles), _formats_used(styles)
    dates, spans = _time_formats(formats)
    units = {index: unit for index, kind in enumerate(used) if (unit := _unit(formats.get(kind, "")))}
    return NumberFormats(
        frozenset(index for index, kind in enumerate(used) if kind in dates - spans),
        frozenset(index for index, kind in enumerate(used) if kind in spans),
        units,
        datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30),
    )


def _formats(styles: Element | None) -> dict[int, str]:
    """Number formats as they are written, by id; of the built-in ones those that put a sign behind the number."""
    formats = dict.fromkeys(PERCENT_FORMATS, "0%")
    listed = find_child(styles, "numFmts")
    for item in listed if listed is not None else ():
        key = attribute(item, "numFmtId") or ""
        if key.isdecimal():
            formats[int(key)] = attribute(item, "formatCode") or ""
    return formats


def _formats_used(styles: Element | None) -> list[int]:
    """The number format of each cell style."""
    listed = find_child(styles, "cellXfs")
    kinds = [attribute(item, "numFmtId") or "" for item in (listed if listed is not None else ())]
    return [int(kind) if kind.isdecimal() else 0 for kind in kinds]


def _time_formats(formats: dict[int, str]) -> tuple[set[int], set[int]]:
    """The formats that show a number as a date or time of day, and those that show hours passed (`[h]:mm`)."""
    dates, spans = set(DATE_FORMATS), {SPAN_FORMAT}
    for key, written in formats.items():
        code = NOT_FORMAT.sub("", written).split(";")[0].lower()
        if SPAN.search(written):
            spans.add(key)
        elif any(letter in code for letter in "ymdhs") and "general" not in code:
            dates.add(key)
    return dates, spans


def _unit(written: str) -> tuple[str, str] | None:
    """What a format puts before and behind the number: a percent sign or a currency."""
    code = UNSHOWN.sub("", written.split(";")[0])
    if "%" in NOT_FORMAT.sub("", code):
        return "", "%"
    match = CURRENCY.search(code)
    if not match:
        return None
    sign = (match[1] or match[2]).strip()
    if DIGIT.search(code, 0, match.start()):
        return "", f" {sign}"
    return (f"{sign} " if sign.isalpha() else sign), ""


def _hundredfold(value: str) -> str:
    try:
        return f"{float(value) * 100:.15g}"
    except ValueError:
        return value


def _date(value: str, day_zero: datetime) -> str:
    try:
        days = float(value)
        days += 1 <= days < MISSING_DAY and day_zero.year < 1900
        when = day_zero + timedelta(seconds=round(days * 86_400))
    except (ValueError, OverflowError):
        return value
    if days < 0:
        return shorten_number(value)
    if when.date() <= day_zero.date():
        return when.strftime("%H:%M:%S")
    return when.strftime("%Y-%m-%d %H:%M:%S").removesuffix(" 00:00:00")


def _span(value: str) -> str:
    try:
        seconds = round(float(value) * 86_400)
    except (ValueError, OverflowError):
        return value
    sign, seconds = "-" if seconds < 0 else "", abs(seconds)
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def shorten_number(value: str) -> str:
    """Spreadsheets store 17 digits; people see at most 15."""
    try:
        return f"{float(value):.15g}" if len(value) > 16 else value
    except ValueError:
        return value
