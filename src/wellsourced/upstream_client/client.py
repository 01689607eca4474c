"""Holds the conversations that providers and sites describe: the one place where their requests become traffic."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from typing import Any, TypeAlias

from wellsourced import upstreams
from wellsourced.errors import (
    BadInput,
    KeyRejected,
    Misconfigured,
    NetworkFailed,
    NotFound,
    OutOfCredit,
    RateLimited,
    Refused,
    UpstreamChanged,
    WellsourcedError,
)
from wellsourced.http_exchange import Request
from wellsourced.net.breaker import Breaker
from wellsourced.net.client import Client
from wellsourced.pages import sites
from wellsourced.settings import Settings
from wellsourced.storage.cache.cache import Cache
from wellsourced.upstream import Access, Kind, Provider
from wellsourced.upstream_client.catalogue_cache import Shelf
from wellsourced.upstream_client.connection import Line
from wellsourced.upstream_client.failure_messages import explain, not_configured, resting

Conversation: TypeAlias = Generator[Any, Any, Any]
"""Yields a request, or a tuple of requests to be sent side by side; is sent the reply or replies."""

MISREADINGS = (KeyError, TypeError, ValueError, IndexError, AttributeError)
SEARCHES = frozenset(
    {Kind.WEB, Kind.IMAGES, Kind.NEWS, Kind.CASES, Kind.TRIALS, Kind.PLACES, Kind.ANSWERS, Kind.STRUCTURED}
)
CALLERS_FAULT = (BadInput, Refused, NotFound, OutOfCredit, Misconfigured, KeyRejected)


class Driver:
    """`kept` is where catalogues rest that providers mark as fit to be used again."""

    def __init__(
        self,
        client: Client,
        settings: Settings,
        *,
        kept: Cache | None = None,
        make_breaker: Callable[[], Breaker] = Breaker,
    ) -> None:
        self._client = client
        self._kept = kept
        self._lines = {
            name: Line(entry.provider, entry.settings(), settings, make_breaker())
            for name, entry in upstreams.catalogue().items()
        }
        self._site_lines = {
            name: Line(site.provider, site.settings(), settings, make_breaker())
            for name, site in sites.catalogue().items()
        }
        self._configured: dict[Kind, list[str]] = {}

    def line(self, name: str) -> Line:
        return self._lines[name]

    def is_configured(self, name: str) -> bool:
        return not self._lines[name].missing

    def is_healthy(self, name: str) -> bool:
        return self._lines[name].breaker.state != "open"

    def configured(self, kind: Kind) -> list[str]:
        """Providers that have all they need to be asked for this, best first."""
        if kind not in self._configured:
            self._configured[kind] = [name for name in upstreams.offering(kind) if not self._lines[name].missing]
        return self._configured[kind]

    def states(self) -> list[tuple[Provider, str]]:
        """Every configured provider and the state of its breaker."""
        return [(line.provider, line.breaker.state) for line in self._lines.values() if not line.missing]

    async def ask(self, name: str, kind: Kind, query: object, *, deadline: float = float("inf")) -> Any:
        """Hold one conversation; the result is whatever the provider's function returns."""
        line = self._lines[name]
        if line.missing:
            raise not_configured(line.provider, line.missing)
        if not line.breaker.allows():
            raise resting(line.provider, line.breaker.retry_after(), rate_limited=line.breaker.rate_limited)
        conversation = upstreams.catalogue()[name].conversation(kind)
        try:
            return await self._hold(line, conversation(query, access_of(line)), deadline)
        except WellsourcedError as error:
            raise explain(_moved(error, kind, query), line.provider) from error

    async def visit(self, site: sites.Site, url: str, *, deadline: float = float("inf")) -> Any:
        """Read a well-known site through its own interface; its errors speak of the page, not of us."""
        line = self._site_lines[site.provider.name]
        if not line.breaker.allows():
            raise resting(line.provider, line.breaker.retry_after(), rate_limited=line.breaker.rate_limited)
        return await self._hold(line, site.read(url, access_of(line)), deadline)

    async def _hold(self, line: Line, steps: Conversation, deadline: float) -> Any:
        """A whole conversation within the provider's time, its outcome told to the breaker."""
        shelf = Shelf(self._kept, line.provider.name)
        try:
            result = await self._converse(line, steps, shelf, min(deadline, time.monotonic() + line.provider.timeout))
        except asyncio.CancelledError:
            line.breaker.abandoned()
            raise
        except WellsourcedError as error:
            note_failure(line, line.discreet(error))
            if isinstance(error, UpstreamChanged):
                await shelf.throw_out()
            raise
        line.breaker.succeeded()
        await shelf.put_away()
        return result

    async def _converse(self, line: Line, steps: Conversation, shelf: Shelf, deadline: float) -> Any:
        go_on: Callable[[], Any] = lambda: next(steps)  # noqa: E731
        while True:
            try:
                wanted = go_on()
            except StopIteration as finished:
                return finished.value
            except MISREADINGS as problem:
                raise UpstreamChanged(
                    "its answer was not understood", detail=f"{type(problem).__name__}: {problem}"
                ) from problem
            go_on = await self._step(line, steps, wanted, shelf, deadline)

    async def _step(
        self, line: Line, steps: Conversation, wanted: Any, shelf: Shelf, deadline: float
    ) -> Callable[[], Any]:
        """One request, or several side by side. A network failure is thrown into the conversation, which may know
        a way round it; among several, the one that failed is None."""
        if isinstance(wanted, tuple):
            replies = await asyncio.gather(*(self._send_or_none(line, request, deadline) for request in wanted))
            return lambda: steps.send(tuple(replies))
        try:
            reply = await shelf.find(wanted) or await line.send(self._client, wanted, deadline)
        except NetworkFailed as error:
            failure = error
            return lambda: steps.throw(failure)
        shelf.note(wanted, reply)
        return lambda: steps.send(reply)

    async def _send_or_none(self, line: Line, request: Request, deadline: float) -> Any:
        try:
            return await line.send(self._client, request, deadline)
        except NetworkFailed:
            return None


def _moved(error: WellsourcedError, kind: Kind, query: object) -> WellsourcedError:
    """Words name no record that could be missing: a search that is not found has moved and says nothing of its hits."""
    is_search = kind in SEARCHES or (kind is Kind.SERIES and not getattr(query, "series_id", "").strip())
    if is_search and isinstance(error, NotFound):
        return UpstreamChanged("its search is not where it used to be", detail=error.sentence)
    return error


def access_of(line: Line) -> Access:
    return Access(line.values, datetime.now(UTC))


def note_failure(line: Line, error: WellsourcedError) -> None:
    """Tell the breaker, unless the failure says nothing about the provider's health."""
    if isinstance(error, CALLERS_FAULT):
        line.breaker.abandoned()
    elif isinstance(error, RateLimited):
        line.breaker.failed(rate_limited_for=error.retry_after or error.default_wait)
    else:
        line.breaker.failed()
