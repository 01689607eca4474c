"""Periods as statistics name them (`2024`, `2024Q3`, `2024-07`, `2020M01`, `2024-W05`) and the days they cover."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import TypeVar

from wellsourced.errors import BadInput

T = TypeVar("T")

ASKED = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
NAMED = re.compile(r"([0-9]{4})(?:-?([QSHTMW])-?([0-9]{1,2})|-([0-9]{2})(?:-([0-9]{2}).{0,30})?|-?A1?)?")
PARTS_OF_YEAR = {"Q": 3, "S": 6, "H": 6, "T": 4, "M": 1}

Days = tuple[date, date]


def first_day(text: str | None, name: str) -> date | None:
    """The day a lower bound stands for; BadInput says what would be right."""
    return _parse_bound(text, name)[0] if text and text.strip() else None


def last_day(text: str | None, name: str) -> date | None:
    """The day an upper bound stands for: `2024` means the last of December."""
    return _parse_bound(text, name)[1] if text and text.strip() else None


def parse_bounds(date_from: str | None, date_to: str | None) -> tuple[date | None, date | None]:
    """Both ends of a window, each checked, and in order."""
    start, end = first_day(date_from, "date_from"), last_day(date_to, "date_to")
    if start and end and start > end:
        raise BadInput(f"date_from ({date_from}) is after date_to ({date_to}); swap them or leave one out.")
    return start, end


def days_of(period: str) -> Days | None:
    """First and last day of a period; None for a name that is not understood."""
    match = NAMED.fullmatch(period.strip())
    if not match:
        return None
    year, part, number, month, day = match.groups()
    try:
        if part == "W":
            monday = date.fromisocalendar(int(year), int(number), 1)
            return monday, monday + timedelta(days=6)
        if part:
            length = PARTS_OF_YEAR[part]
            return _days_of_months(int(year), (int(number) - 1) * length + 1, length)
        return _days_between(int(year), int(month) if month else None, int(day) if day else None)
    except ValueError:
        return None


def select_window(
    items: Iterable[T],
    period_of: Callable[[T], str],
    limits: tuple[date | None, date | None],
    count: int,
) -> tuple[list[T], bool]:
    """What overlaps the window, cut to `count`, and whether something was cut.

    With a first day the oldest come first, else the newest: the end that was asked for is the end that is kept.
    Items of a period that is not understood are never dropped; they are put last.
    """
    start, end = limits
    dated = [(item, days_of(period_of(item))) for item in items]
    inside = [(item, days) for item, days in dated if days is None or _overlaps(days, start, end)]
    known = [(item, days) for item, days in inside if days is not None]
    known.sort(key=lambda pair: pair[1][1], reverse=start is None)
    ordered = [item for item, _ in known] + [item for item, days in inside if days is None]
    return ordered[: max(1, count)], len(ordered) > max(1, count)


def _overlaps(days: Days, start: date | None, end: date | None) -> bool:
    return (start is None or days[1] >= start) and (end is None or days[0] <= end)


def _parse_bound(text: str, name: str) -> Days:
    match = ASKED.fullmatch(text.strip())
    try:
        year, month, day = (int(part) if part else None for part in match.groups()) if match else (None, None, None)
        return _days_between(year or 0, month, day)
    except ValueError:
        raise BadInput(f"{name} is {text[:40]!r}; it must be a date such as 2024-07-31, or a year.") from None


def _days_between(year: int, month: int | None, day: int | None) -> Days:
    if month is None:
        return date(year, 1, 1), date(year, 12, 31)
    if day is None:
        return _days_of_months(year, month, 1)
    return date(year, month, day), date(year, month, day)


def _days_of_months(year: int, first: int, length: int) -> Days:
    last = first + length - 1
    return date(year, first, 1), date(year, last, monthrange(year, last)[1])
