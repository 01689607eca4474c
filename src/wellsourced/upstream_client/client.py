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
from wellsourced.net.circuit_breaker import CircuitBreaker
from wellsourced.net.client import HttpClient
from wellsourced.pages import sites
from wellsourced.settings import Settings
from wellsourced.storage.cache.cache import Cache
from wellsourced.upstream import Access, Kind, Provider
from wellsourced.upstream_client.catalogue_cache import Shelf
from wellsourced.upstream_client.connection import UpstreamConnection
from wellsourced.upstream_client.failure_messages import breaker_open, explain_failure, not_configured

Conversation: TypeAlias = Generator[Any, Any, Any]
"""Yields a request, or a tuple of requests to be sent side by side; is sent the reply or replies."""

MISREADINGS = (KeyError, TypeError, ValueError, IndexError, AttributeError)
SEARCHES = frozenset(
    {Kind.WEB, Kind.IMAGES, Kind.NEWS, Kind.CASES, Kind.TRIALS, Kind.PLACES, Kind.ANSWERS, Kind.STRUCTURED}
)
CALLERS_FAULT = (BadInput, Refused, NotFound, OutOfCredit, Misconfigured, KeyRejected)


class UpstreamClient:
    """`kept` is where catalogues rest that providers mark as fit to be used again."""

    def __init__(
        self,
        client: HttpClient,
        settings: Settings,
        *,
        kept: Cache | None = None,
        make_breaker: Callable[[], CircuitBreaker] = CircuitBreaker,
    ) -> None:
        self._client = client
        self._kept = kept
        self._connections = {
            name: UpstreamConnection(entry.provider, entry.settings(), settings, make_breaker())
            for name, entry in upstreams.all_upstreams().items()
        }
        self._site_connections = {
            name: UpstreamConnection(site.provider, site.settings(), settings, make_breaker())
            for name, site in sites.catalogue().items()
        }
        self._configured: dict[Kind, list[str]] = {}

    def connection(self, name: str) -> UpstreamConnection:
        return self._connections[name]

    def is_configured(self, name: str) -> bool:
        return not self._connections[name].missing

    def is_healthy(self, name: str) -> bool:
        return self._connections[name].breaker.state != "open"

    def configured(self, kind: Kind) -> list[str]:
        """Providers that have all they need to be asked for this, best first."""
        if kind not in self._configured:
            self._configured[kind] = [
                name for name in upstreams.providers_offering(kind) if not self._connections[name].missing
            ]
        return self._configured[kind]

    def states(self) -> list[tuple[Provider, str]]:
        """Every configured provider and the state of its breaker."""
        return [
            (connection.provider, connection.breaker.state)
            for connection in self._connections.values()
            if not connection.missing
        ]

    async def ask(self, name: str, kind: Kind, query: object, *, deadline: float = float("inf")) -> Any:
        """Hold one conversation; the result is whatever the provider's function returns."""
        connection = self._connections[name]
        if connection.missing:
            raise not_configured(connection.provider, connection.missing)
        if not connection.breaker.allows():
            raise breaker_open(
                connection.provider, connection.breaker.retry_after(), rate_limited=connection.breaker.rate_limited
            )
        conversation = upstreams.all_upstreams()[name].conversation(kind)
        try:
            return await self._hold(connection, conversation(query, access_of(connection)), deadline)
        except WellsourcedError as error:
            raise explain_failure(_moved(error, kind, query), connection.provider) from error

    async def read_site(self, site: sites.Site, url: str, *, deadline: float = float("inf")) -> Any:
        """Read a well-known site through its own interface; its errors speak of the page, not of us."""
        connection = self._site_connections[site.provider.name]
        if not connection.breaker.allows():
            raise breaker_open(
                connection.provider, connection.breaker.retry_after(), rate_limited=connection.breaker.rate_limited
            )
        return await self._hold(connection, site.read(url, access_of(connection)), deadline)

    async def _hold(self, connection: UpstreamConnection, steps: Conversation, deadline: float) -> Any:
        """A whole conversation within the provider's time, its outcome told to the breaker."""
        shelf = Shelf(self._kept, connection.provider.name)
        try:
            result = await self._converse(
                connection, steps, shelf, min(deadline, time.monotonic() + connection.provider.timeout)
            )
        except asyncio.CancelledError:
            connection.breaker.abandoned()
            raise
        except WellsourcedError as error:
            note_failure(connection, connection.discreet(error))
            if isinstance(error, UpstreamChanged):
                await shelf.throw_out()
            raise
        connection.breaker.succeeded()
        await shelf.put_away()
        return result

    async def _converse(
        self, connection: UpstreamConnection, steps: Conversation, shelf: Shelf, deadline: float
    ) -> Any:
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
            go_on = await self._step(connection, steps, wanted, shelf, deadline)

    async def _step(
        self, connection: UpstreamConnection, steps: Conversation, wanted: Any, shelf: Shelf, deadline: float
    ) -> Callable[[], Any]:
        """One request, or several side by side. A network failure is thrown into the conversation, which may know
        a way round it; among several, the one that failed is None."""
        if isinstance(wanted, tuple):
            replies = await asyncio.gather(*(self._send_or_none(connection, request, deadline) for request in wanted))
            return lambda: steps.send(tuple(replies))
        try:
            reply = await shelf.find(wanted) or await connection.send(self._client, wanted, deadline)
        except NetworkFailed as error:
            failure = error
            return lambda: steps.throw(failure)
        shelf.note(wanted, reply)
        return lambda: steps.send(reply)

    async def _send_or_none(self, connection: UpstreamConnection, request: Request, deadline: float) -> Any:
        try:
            return await connection.send(self._client, request, deadline)
        except NetworkFailed:
            return None


def _moved(error: WellsourcedError, kind: Kind, query: object) -> WellsourcedError:
    """Words name no record that could be missing: a search that is not found has moved and says nothing of its hits."""
    is_search = kind in SEARCHES or (kind is Kind.SERIES and not getattr(query, "series_id", "").strip())
    if is_search and isinstance(error, NotFound):
        return UpstreamChanged("its search is not where it used to be", detail=error.sentence)
    return error


def access_of(connection: UpstreamConnection) -> Access:
    return Access(connection.values, datetime.now(UTC))


def note_failure(connection: UpstreamConnection, error: WellsourcedError) -> None:
    """Tell the breaker, unless the failure says nothing about the provider's health."""
    if isinstance(error, CALLERS_FAULT):
        connection.breaker.abandoned()
    elif isinstance(error, RateLimited):
        connection.breaker.failed(rate_limited_for=error.retry_after or error.default_wait)
    else:
        connection.breaker.failed()
