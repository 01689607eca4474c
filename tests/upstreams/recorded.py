"""Recorded answers as replies."""

from __future__ import annotations

from pathlib import Path

from wellsourced.http_exchange import Reply


def recorded(shared: Path, file: str, status: int = 200, **headers: str) -> Reply:
    """`openalex/works-search-attention.json` and the like."""
    named = {name.replace("_", "-").lower(): value for name, value in headers.items()}
    return Reply(status, named, (shared / "wire" / file).read_bytes())
