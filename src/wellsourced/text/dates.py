"""Dates as search engines write them, read to aware UTC moments or to None, never guessed.

Understood: RFC 3339 and its looser cousins, RFC 1123, month names in many languages (see `months`), `MM/DD/YYYY`,
dotted day-first dates, East Asian dates, and ages (see `ages`). A moment without a zone is taken as UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from wellsourced.errors import BadInput
from wellsourced.text.ages import age
from wellsourced.text.months import MONTHS, common_year, settled

LONGEST = 80
EARLIEST_YEAR = 1000
FUTURE_TOLERANCE = timedelta(days=1)
RANGES = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}
ZONES = {"z": 0, "utc": 0, "gmt": 0, "ut": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300}
ZONES |= {"mst": -420, "mdt": -360, "pst": -480, "pdt": -420}

MONTH = r"(?P<name>[^\W\d_][^\d\s,/-]{1,15})"
DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?"
YEAR = r"(?P<year>\d{4})(?: [гр]\.?)?"
TIME = (
    r"(?:(?:t|,? at |,? )(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,12}))?)?"
    r" ?(?P<half>[ap]\.?m\.?)? ?\(?(?P<zone>z|ut|utc|gmt|[ecmp][sd]t|[+-]\d{2}:?\d{2})?\)?)?"
)
WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,? )?"
FORMS = tuple(
    re.compile(form + TIME)
    for form in (
        r"(?P<year>\d{4})([-/.]) ?(?P<month>\d{1,2})\2 ?(?P<day>\d{1,2})\.?",
        r"(?P<year>\d{4}) ?[年년] ?(?P<month>\d{1,2}) ?[月월] ?(?P<day>\d{1,2}) ?[日일]",
        rf"{WEEKDAY}{DAY}[ -](?:de |d['’]|of )?{MONTH}[ ,-]{{1,2}}(?:del? )?{YEAR}",
        rf"{WEEKDAY}{MONTH} {DAY},? (?:del? )?{YEAR}",
        rf"(?P<year>\d{{4}})\.? {MONTH} {DAY}",
        r"(?P<day>\d{1,2}) th(?:g|áng) (?P<month>\d{1,2}),? (?:năm )?(?P<year>\d{4})",
        r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})",
        r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})",
    )
)


def published_at(text: str | None, now: datetime) -> datetime | None:
    """The moment in UTC; None for anything not understood, impossible, or more than a day in the future."""
    words = " ".join((text or "")[: LONGEST * 4].split()).lower()
    if not words or len(words) > LONGEST:
        return None
    try:
        moment = _written(settled(words)) or _before(now, words)
    except (ValueError, OverflowError):
        return None
    if moment is None or moment.year < EARLIEST_YEAR or moment > in_utc(now) + FUTURE_TOLERANCE:
        return None
    return moment


def rfc3339(moment: datetime) -> str:
    """`2024-05-06T07:08:09Z`"""
    return in_utc(moment).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def since(time_range: str, now: datetime) -> datetime:
    """The moment at which a range such as `week` begins; months count 30 days and years 365."""
    if time_range not in RANGES:
        raise BadInput(f"time_range {time_range!r} is not known; it is one of {', '.join(RANGES)}.")
    return in_utc(now) - RANGES[time_range]


def in_utc(moment: datetime) -> datetime:
    """A moment that does not say its zone was meant as UTC."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _before(now: datetime, words: str) -> datetime | None:
    passed = age(words)
    return None if passed is None else in_utc(now) - passed


def _written(words: str) -> datetime | None:
    for form in FORMS:
        found = form.fullmatch(words)
        if found:
            return _moment(found.groupdict())
    return None


def _moment(part: dict[str, str | None]) -> datetime:
    name = part.get("name")
    month = _month(name) if name else int(part["month"] or 0)
    second = 59 if part["second"] == "60" else int(part["second"] or 0)
    micro = int((part["fraction"] or "0").ljust(6, "0")[:6])
    hour = _hour(int(part["hour"] or 0), part["half"])
    minute, day = int(part["minute"] or 0), int(part["day"] or 0)
    year = common_year(int(part["year"] or 0)) if name else int(part["year"] or 0)
    return datetime(year, month, day, hour, minute, second, micro, _zone(part["zone"])).astimezone(UTC)


def _month(name: str) -> int:
    """Zero, which no date has, for a word that is no month; Hebrew writes "in" and the month as one word."""
    bare = name.rstrip(".")
    return MONTHS.get(bare) or MONTHS.get(bare.removeprefix("ב"), 0)


def _hour(hour: int, half: str | None) -> int:
    if half is None:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(hour)
    return hour % 12 + (12 if half.startswith("p") else 0)


def _zone(name: str | None) -> timezone:
    if not name or name in ZONES:
        return timezone(timedelta(minutes=ZONES[name] if name else 0))
    minutes = int(name[1:3]) * 60 + int(name[-2:])
    return timezone(timedelta(minutes=-minutes if name[0] == "-" else minutes))
