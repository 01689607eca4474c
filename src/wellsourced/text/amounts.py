"""Lengths of time and numbers of things in words."""

from __future__ import annotations


def format_seconds(seconds: float) -> str:
    """`1 second`, `0.3 seconds`, `86400 seconds`"""
    shown = f"{seconds:.3f}".rstrip("0").rstrip(".")
    return f"{shown} second{'' if shown == '1' else 's'}"


def format_duration(seconds: float) -> str:
    """`4 hours`, `90 minutes`, `30 seconds`"""
    for size, name in ((3600, "hour"), (60, "minute")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g} {name}{'' if seconds == size else 's'}"
    return format_seconds(seconds)


def format_roughly(seconds: float) -> str:
    """In the largest unit of which there are at least two: `1 second`, `119 seconds`, `2 minutes`, `3 days`"""
    for size, name in ((86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{round(seconds / size)} {name}"
    return format_seconds(max(1, round(seconds)))


def format_count(number: int, one: str) -> str:
    """`1 source`, `2 sources`, `1,200 sources`"""
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def format_bytes(count: int) -> str:
    """In the largest unit of which there is one: 640 bytes, 12.5 KB, 2.0 GB."""
    if count < 1000:
        return format_count(count, "byte")
    size, unit = count / 1000, "KB"
    for larger in ("MB", "GB", "TB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.1f} {unit}"
