"""Copies of web pages in an archive: what is asked for, and what the archive has or makes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class SnapshotQuery:
    """Asks for the newest copy of a page."""

    url: str


@dataclass(frozen=True, slots=True)
class CaptureQuery:
    """Asks for a fresh copy to be made."""

    url: str


@dataclass(frozen=True, slots=True)
class CaptureStatusQuery:
    """Asks how the making of a copy goes."""

    job: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """`at` is None where the archive's own time stamp is no moment, which happens with very old copies."""

    url: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """How far a fresh copy is. `code` is the archive's own word for a refusal, `why` its sentence.

    `repeated` says that the archive took a copy so recently that it will not make another one.
    """

    state: Literal["made", "pending", "refused"]
    job: str | None = None
    snapshot: Snapshot | None = None
    code: str | None = None
    why: str | None = None
    repeated: bool = False
    http_status: int | None = None
