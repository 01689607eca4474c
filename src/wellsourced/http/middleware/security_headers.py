"""The security headers of every answer; what an answer set for itself stays."""

from __future__ import annotations

from collections.abc import Sequence

from wellsourced.settings import Settings

HSTS = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")


def security_headers(settings: Settings) -> list[tuple[bytes, bytes]]:
    wanted = {
        b"content-security-policy": settings.text("HTTP_CSP"),
        b"referrer-policy": settings.text("HTTP_REFERRER_POLICY"),
        b"permissions-policy": settings.text("HTTP_PERMISSIONS_POLICY"),
        b"x-content-type-options": "nosniff",
        b"x-frame-options": "DENY",
        b"cache-control": "no-store",
    }
    return [(name, header_value(value)) for name, value in wanted.items()]


def header_value(text: str) -> bytes:
    """A setting as one line that HTTP can carry."""
    return " ".join(text.split()).encode("latin-1", "replace")


def completed(own: Sequence[tuple[bytes, bytes]], wanted: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The answer's own headers and those of the wanted that it lacks."""
    present = {name.lower() for name, _ in own}
    return [*own, *(pair for pair in wanted if pair[0] not in present)]
