"""Lengths of time are said as people say them."""

from __future__ import annotations

import pytest

from wellsourced.text.amounts import format_duration, format_roughly, format_seconds

SAID: list[tuple[float, str, str]] = [
    (0, "0 seconds", "0 seconds"),
    (0.3, "0.3 seconds", "0.3 seconds"),
    (1, "1 second", "1 second"),
    (1.5, "1.5 seconds", "1.5 seconds"),
    (60, "60 seconds", "1 minute"),
    (100, "100 seconds", "100 seconds"),
    (5400, "5400 seconds", "90 minutes"),
    (3600, "3600 seconds", "1 hour"),
    (14400, "14400 seconds", "4 hours"),
    (2_592_000, "2592000 seconds", "720 hours"),
]


@pytest.mark.parametrize(("length", "exactly", "roundly"), SAID)
def test_said(length: float, exactly: str, roundly: str) -> None:
    assert (format_seconds(length), format_duration(length)) == (exactly, roundly)


def test_said_roughly() -> None:
    said = [format_roughly(length) for length in (0.2, 1.4, 119, 120, 7199, 7200, 172_799, 172_800)]
    assert said == ["1 second", "1 second", "119 seconds", "2 minutes", "120 minutes", "2 hours", "48 hours", "2 days"]
