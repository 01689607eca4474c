"""Checks the date limits of a search before it is sent."""

from __future__ import annotations

import re
from datetime import date

from wellsourced.errors import BadInput
from wellsourced.upstreams.helpers.periods import bounds

DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
SHOWN_LENGTH = 40


def check_date_window(date_from: str | None, date_to: str | None, *, days_only: bool = True) -> None:
    """Raise ValueError with a sentence when a date cannot be read or the window is turned round."""
    for name, text in (("date_from", date_from), ("date_to", date_to)):
        if text and text.strip() and days_only and not is_day(text.strip()):
            raise ValueError(f"{name} must be a day as YYYY-MM-DD, e.g. 2024-07-31; got {text[:SHOWN_LENGTH]!r}.")
    try:
        bounds(date_from, date_to)
    except BadInput as problem:
        raise ValueError(problem.sentence) from None


def is_day(text: str) -> bool:
    try:
        return bool(DAY.fullmatch(text)) and date.fromisoformat(text) is not None
    except ValueError:
        return False
