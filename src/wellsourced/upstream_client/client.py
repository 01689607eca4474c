"""Holds the conversations that providers and sites describe: the one place where their requests become traffic."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

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
from wellsourced.http_exchange import SHORT_REPLY, Request
from wellsourced.net.circuit_breaker import CircuitBreaker
from wellsourced.net.client import HttpClient
from wellsourced.pages import sites
from wellsourced.settings import Settings
from wellsourced.storage.cache.cache import Cache
from wellsourced.tool.activity import asking
from wellsourced.upstream import Access, Kind, Provider
from wellsourced.upstream_client.catalogue_cache import CatalogueCache
from wellsourced.upstream_client.connection import UpstreamConnection
from wellsourced.upstream_client.failure_messages import breaker_open, explain_failure, not_configured
from wellsourced.upstream_client.last_tries import LastTries, LastTry

if TYPE_CHECKING:
    from wellsourced.upstream_client.kept_try import KeptTry

Conversation: TypeAlias = Generator[Any, Any, Any]
"""Yields a request, or a tuple of requests to be sent side by side; is sent the reply or replies."""
Step: TypeAlias = tuple[Callable[[Any], Any], Any, int]
"""How a conversation goes on: what is called, with what, and how many bytes there are to read, long replies beside
the event loop."""

# What a parser raises at an answer of another shape than it knows.
MISREADINGS = (KeyError, TypeError, ValueError, IndexError, AttributeError)
SEARCHES = frozenset(
    {Kind.WEB, Kind.IMAGES, Kind.NEWS, Kind.CASES, Kind.TRIALS, Kind.PLACES, Kind.ANSWERS, Kind.STRUCTURED}
)
# Failures that say nothing about the provider's health.
CALLERS_FAULT = (BadInput, Refused, NotFound, OutOfCredit, Misconfigured, KeyRejected)


class UpstreamClient:
    """Asks providers and well-known sites, each over a connection of its own; `cache` keeps their catalogues."""

    def __init__(
        self,
        client: HttpClient,
        settings: Settings,
        *,
        cache: Cache | None = None,
        tries: LastTries | None = None,
        make_breaker: Callable[[], CircuitBreaker] = CircuitBreaker,
    ) -> None:
        self._client = client
        self._cache = cache
        self._tries = tries
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
        return [(connection.provider, connection.breaker.state) for connection in self.configured_connections()]

    def configured_connections(self) -> list[UpstreamConnection]:
        return [connection for connection in self._connections.values() if not connection.missing]

    def paused(self, name: str) -> WellsourcedError:
        """Why a provider with an open breaker is not asked."""
        try:
            check_breaker(self._connections[name])
        except WellsourcedError as error:
            return error
        raise AssertionError(f"{name} may be asked")

    async def last_tries(self) -> dict[str, KeptTry]:
        """How the last question to each configured provider ended, here or in a process before."""
        connections = self.configured_connections()
        kept = await self._tries.load([each.provider.name for each in connections]) if self._tries else {}
        own = {each.provider.name: each.last_try.public for each in connections if each.last_try}
        newest = {name: max((kept.get(name), own.get(name)), key=_moment) for name in kept.keys() | own.keys()}
        return {name: tried for name, tried in newest.items() if tried}

    async def close(self) -> None:
        """Wait for what is being kept."""
        if self._tries:
            await self._tries.settle()

    def _keep_try(self, connection: UpstreamConnection) -> None:
        is_provider = self._connections.get(connection.provider.name) is connection
        if self._tries and connection.last_try and is_provider:
            self._tries.keep_soon(connection.provider.name, connection.last_try)

    async def ask(self, name: str, kind: Kind, query: object, *, deadline: float = float("inf")) -> Any:
        """Hold one conversation; the result is whatever the provider's function returns."""
        connection = self._connections[name]
        if connection.missing:
            raise not_configured(connection.provider, connection.missing)
        conversation = upstreams.all_upstreams()[name].conversation(kind)
        check_breaker(connection)
        try:
            return await self._converse(connection, conversation(query, access_for(connection)), deadline)
        except WellsourcedError as error:
            raise explain_failure(_moved_search(error, kind, query), connection.provider) from error

    async def read_site(self, site: sites.Site, url: str, *, deadline: float = float("inf")) -> Any:
        """Read a well-known site through its own interface; its errors speak of the page, not of a provider."""
        connection = self._site_connections[site.provider.name]
        check_breaker(connection)
        return await self._converse(connection, site.read(url, access_for(connection)), deadline)

    async def _converse(self, connection: UpstreamConnection, steps: Conversation, deadline: float) -> Any:
        """A whole conversation within the provider's time, its outcome reported to the breaker."""
        catalogues = CatalogueCache(self._cache, connection.provider.name)
        limit = min(deadline, time.monotonic() + connection.provider.timeout)
        try:
            with asking(connection.provider.title):
                result = await self._run_steps(connection, steps, catalogues, limit)
        except asyncio.CancelledError:
            connection.breaker.abandoned()
            raise
        except WellsourcedError as error:
            report_failure(connection, connection.mask_secrets(error))
            self._keep_try(connection)
            if isinstance(error, UpstreamChanged):
                await catalogues.delete_used()
            raise
        connection.breaker.succeeded()
        connection.pacer.pause_for(getattr(result, "pause", 0.0))
        connection.last_try = LastTry(datetime.now(UTC))
        self._keep_try(connection)
        await catalogues.store_received()
        return result

    async def _run_steps(
        self, connection: UpstreamConnection, steps: Conversation, catalogues: CatalogueCache, deadline: float
    ) -> Any:
        step: Step = steps.send, None, 0
        while True:
            try:
                wanted, is_over = await asyncio.to_thread(resume, *step) if step[2] > SHORT_REPLY else resume(*step)
            except MISREADINGS as problem:
                raise UpstreamChanged(
                    "its answer was not understood", detail=f"{type(problem).__name__}: {problem}"
                ) from problem
            if is_over:
                return wanted
            step = await self._send_step(connection, steps, wanted, catalogues, deadline)

    async def _send_step(
        self,
        connection: UpstreamConnection,
        steps: Conversation,
        wanted: Any,
        catalogues: CatalogueCache,
        deadline: float,
    ) -> Step:
        """Send one request, or several side by side, and return how to go on.

        A network failure is thrown into the conversation, which may know a way round it; among several requests,
        the reply of one that failed is None.
        """
        if isinstance(wanted, tuple):
            replies = await asyncio.gather(*(self._send_or_none(connection, request, deadline) for request in wanted))
            return steps.send, tuple(replies), sum(len(reply.body) for reply in replies if reply)
        try:
            reply = await catalogues.find(wanted) or await connection.send(self._client, wanted, deadline)
        except NetworkFailed as error:
            return steps.throw, error, 0
        catalogues.note(wanted, reply)
        return steps.send, reply, len(reply.body)

    async def _send_or_none(self, connection: UpstreamConnection, request: Request, deadline: float) -> Any:
        try:
            return await connection.send(self._client, request, deadline)
        except NetworkFailed:
            return None


def resume(step: Callable[[Any], Any], value: object, size: int) -> tuple[Any, bool]:
    """What the conversation wants next, or its result and True."""
    try:
        return step(value), False
    except StopIteration as finished:
        return finished.value, True


def _moment(tried: KeptTry | None) -> str:
    return tried.at if tried else ""


def check_breaker(connection: UpstreamConnection) -> None:
    breaker = connection.breaker
    if not breaker.allows():
        last = connection.last_try.failure if connection.last_try else None
        raise breaker_open(connection.provider, breaker.retry_after(), rate_limited=breaker.rate_limited, last=last)


def access_for(connection: UpstreamConnection) -> Access:
    return Access(connection.values, datetime.now(UTC))


def _moved_search(error: WellsourcedError, kind: Kind, query: object) -> WellsourcedError:
    """A search names no record that could be missing: where it is not found, it has moved and says nothing of hits."""
    is_search = kind in SEARCHES or (kind is Kind.SERIES and not getattr(query, "series_id", "").strip())
    if is_search and isinstance(error, NotFound):
        return UpstreamChanged("its search is not where it used to be", detail=error.sentence)
    return error


def report_failure(connection: UpstreamConnection, error: WellsourcedError) -> None:
    """Count a failure at the breaker, unless it says nothing about the provider's health."""
    answered = isinstance(error, BadInput | Refused | NotFound)
    connection.last_try = LastTry(datetime.now(UTC), None if answered else error)
    if isinstance(error, CALLERS_FAULT):
        connection.breaker.abandoned()
    elif isinstance(error, RateLimited):
        connection.breaker.failed(rate_limited_for=error.retry_after or error.default_wait)
    else:
        connection.breaker.failed()
