"""What an upstream's file declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.routing import Route


@dataclass(frozen=True)
class Upstream:
    """One imitated service. In `environment`, `{base}` stands for the address of the loopback.

    `keys` are the credentials it accepts. They are apart, because a key makes a service configured for every test.
    """

    prefix: str
    environment: Mapping[str, str]
    routes: Sequence[Route]
    keys: Mapping[str, str] = field(default_factory=dict)


def base_of(request: Request) -> str:
    """The loopback's address as the caller wrote it, for links to its own pages."""
    return f"http://{request.headers['host']}"


async def asked(request: Request) -> dict[str, str]:
    """Query parameters and, over them, the fields of a posted form."""
    from urllib.parse import parse_qsl

    fields = dict(request.query_params)
    if request.method == "POST":
        fields.update(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))
    return fields


def whole_number(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() else default
