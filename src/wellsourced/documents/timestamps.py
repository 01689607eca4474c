"""Points in time as documents write them: W3C/ISO 8601, PDF dates (ISO 32000-1, 7.9.4) and RFC 822 (RSS)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from wellsourced.late_pattern import late_pattern
from wellsourced.text.moments import to_utc

PDF_DATE = late_pattern(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+\-Z])(?:(\d\d)'?(\d\d)?)?)?")
ISO_START = late_pattern(r"\d{4}(-\d\d(-\d\d)?)?")
LONGEST = 64


def parse_timestamp(text: str | None) -> datetime | None:
    """An aware UTC datetime, or None when the text is not one; without a zone it is taken as UTC."""
    words = (text or "").strip()[:LONGEST]
    if not words:
        return None
    for read in (_iso, _pdf, _mail):
        try:
            timestamp = read(words)
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
        if timestamp is not None:
            return timestamp
    return None


def _iso(text: str) -> datetime | None:
    start = ISO_START.match(text)
    if start is None or (len(text) > 4 and text[4] != "-"):
        return None
    if start.group(2) is None:
        text = start.group() + ("-01-01" if start.group(1) is None else "-01")
    return to_utc(datetime.fromisoformat(text))


def _pdf(text: str) -> datetime | None:
    match = PDF_DATE.fullmatch(text.rstrip("'\x00 "))
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part) if part else None for part in match.groups()[:6])
    read = datetime(year or 1, month or 1, day or 1, hour or 0, minute or 0, min(second or 0, 59))
    sign, hours, minutes = match.groups()[6:]
    if sign in {"+", "-"}:
        shift = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        read = read.replace(tzinfo=timezone(shift if sign == "+" else -shift))
    return to_utc(read)


def _mail(text: str) -> datetime | None:
    from email.utils import parsedate_to_datetime

    return to_utc(parsedate_to_datetime(text))
