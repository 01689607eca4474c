"""Moments as every answer writes them; apart from `dates`, which reads them and takes long to load."""

from __future__ import annotations

from datetime import UTC, datetime


def format_rfc3339(moment: datetime) -> str:
    """`2024-05-06T07:08:09Z`"""
    return to_utc(moment).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def to_utc(moment: datetime) -> datetime:
    """A moment that does not say its zone was meant as UTC."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
