"""One HTTP exchange as data: what a provider asks for and what it is handed back."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias, TypeVar

from wellsourced.errors import Blocked, KeyRejected, NotFound, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.late_dataclass import dataclass

T = TypeVar("T")
Param: TypeAlias = str | int | float | bool | Sequence[str] | None

DETAIL_LENGTH = 200
SHORT_REPLY = 64 * 1024
"""Bytes that are read within a millisecond or two, so that the event loop may do it."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request relative to one of the provider's base addresses (`host` names which one).

    `keep` is how many seconds a successful answer may be used again, for catalogues that are the same for everybody.
    An unsuccessful one is never kept.
    """

    method: str
    path: str
    params: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    host: str = ""
    timeout: float | None = None
    keep: float | None = None

    @classmethod
    def get(
        cls,
        path: str,
        params: Mapping[str, Param] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        host: str = "",
        timeout: float | None = None,
        keep: float | None = None,
    ) -> Request:
        return cls("GET", path, flatten(params or {}), headers or {}, None, host, timeout, keep)

    @classmethod
    def post_json(
        cls,
        path: str,
        value: object,
        params: Mapping[str, Param] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Request:
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        typed = {"Content-Type": "application/json", **(headers or {})}
        return cls("POST", path, flatten(params or {}), typed, body, timeout=timeout)

    @classmethod
    def post_form(cls, path: str, form: Mapping[str, Param], *, headers: Mapping[str, str] | None = None) -> Request:
        from urllib.parse import urlencode

        typed = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        return cls("POST", path, (), typed, urlencode(flatten(form), errors="replace").encode())

    @property
    def is_repeatable(self) -> bool:
        """Whether asking twice is harmless, so that a broken connection may be tried again."""
        return self.method in {"GET", "HEAD"}


def flatten(params: Mapping[str, Param]) -> tuple[tuple[str, str], ...]:
    """Drop what is None, repeat lists, spell booleans as JSON does."""
    pairs: list[tuple[str, str]] = []
    for name, value in params.items():
        if value is None:
            continue
        if isinstance(value, bool):
            pairs.append((name, "true" if value else "false"))
        elif isinstance(value, (str, int, float)):
            pairs.append((name, str(value)))
        else:
            pairs.extend((name, item) for item in value)
    return tuple(pairs)


@dataclass(frozen=True, slots=True)
class Redirect:
    """An answer that only pointed elsewhere."""

    url: str
    status: int
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, read whole. Header names are lower-case. `redirects` led to it, the first one first."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str = ""
    redirects: tuple[Redirect, ...] = ()

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON; a body that is not JSON means the upstream changed, never an empty answer."""
        try:
            return json.loads(self.body.removeprefix(b"\xef\xbb\xbf"))
        except (ValueError, RecursionError) as problem:
            raise UpstreamChanged(f"The answer is not JSON: {self.summary}", detail=str(problem)) from None

    @property
    def summary(self) -> str:
        """The start of the body on one line, for an error's detail."""
        return " ".join(self.text[: DETAIL_LENGTH * 4].split())[:DETAIL_LENGTH]

    @property
    def retry_after(self) -> float | None:
        """Seconds from `Retry-After`; `net/rate_limit_headers.py` has turned a date into seconds before."""
        value = self.headers.get("retry-after", "").strip()
        return float(value) if value.isascii() and value.replace(".", "", 1).isdigit() else None

    def expect_ok(self) -> Reply:
        """Raise the usual error of an unsuccessful status. Providers check their own peculiarities before."""
        if self.status < 300:
            return self
        description = f"HTTP {self.status}: {self.summary}" if self.body else f"HTTP {self.status}"
        if self.status == 401:
            raise KeyRejected(description)
        if self.status == 403:
            raise Blocked(description)
        if self.status in {404, 410}:
            raise NotFound(description)
        if self.status == 429:
            raise RateLimited(description, retry_after=self.retry_after)
        raise UpstreamUnavailable(description, retry_after=self.retry_after)


Steps: TypeAlias = Generator[Request, Reply, T]
"""A conversation: yields requests, is sent replies, returns typed results."""
