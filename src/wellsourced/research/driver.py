"""Holds the conversations that providers describe: the one place where their requests become traffic.

Pace, breaker, retries and the operator's own addresses live here, once, for every provider.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

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
from wellsourced.model.exchange import Reply, Request, Steps
from wellsourced.model.provider import Access, Kind, Provider
from wellsourced.net.breaker import Breaker
from wellsourced.net.client import Client, Outgoing
from wellsourced.net.pace import Pacer
from wellsourced.providers import Entry, catalogue, offering
from wellsourced.research.explain import explain, not_configured, resting
from wellsourced.settings import Settings

MISREADINGS = (KeyError, TypeError, ValueError, IndexError, AttributeError)
PASSING_TROUBLE = frozenset({500, 502, 503, 504})
CALLERS_FAULT = (BadInput, Refused, NotFound, OutOfCredit, Misconfigured, KeyRejected)
RETRIES = 2
FIRST_PAUSE = 0.3


class Line:
    """The line to one provider: its addresses, its pace, its breaker."""

    def __init__(self, entry: Entry, settings: Settings, breaker: Breaker) -> None:
        self.entry = entry
        self.breaker = breaker
        self.pacer = Pacer(entry.provider.pace)
        self.values = {setting.name: settings.text(setting.name) for setting in entry.settings()}

    @property
    def provider(self) -> Provider:
        return self.entry.provider

    def address(self, host: str) -> tuple[str, bool]:
        """A base address and whether the operator chose it: such an address is trusted, and no other."""
        own = self.values[self.provider.base_variable(host)]
        return (own, True) if own else (self.provider.bases[host], False)

    @property
    def missing(self) -> list[str]:
        """Variables that must be set before this provider can be asked."""
        names = [setting.name for setting in self.provider.needs if not self.values[setting.name]]
        if not self.address("")[0]:
            names.append(self.provider.base_variable())
        return names


class Driver:
    def __init__(self, client: Client, settings: Settings, *, make_breaker: Callable[[], Breaker] = Breaker) -> None:
        self._client = client
        self._lines = {name: Line(entry, settings, make_breaker()) for name, entry in catalogue().items()}
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
            self._configured[kind] = [name for name in offering(kind) if not self._lines[name].missing]
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
            raise resting(line.provider, line.breaker.retry_after())
        access = Access(line.values, datetime.now(UTC))
        steps = line.entry.conversation(kind)(query, access)
        try:
            result = await self._converse(line, steps, min(deadline, time.monotonic() + line.provider.timeout))
        except asyncio.CancelledError:
            line.breaker.abandoned()
            raise
        except WellsourcedError as error:
            note_failure(line, error)
            raise explain(error, line.provider) from error
        line.breaker.succeeded()
        return result

    async def _converse(self, line: Line, steps: Steps[Any], deadline: float) -> Any:
        with_reply: Callable[[], Request] = lambda: next(steps)  # noqa: E731
        while True:
            try:
                request = with_reply()
            except StopIteration as finished:
                return finished.value
            except MISREADINGS as problem:
                raise UpstreamChanged(
                    "its answer was not understood", detail=f"{type(problem).__name__}: {problem}"
                ) from problem
            with_reply = await self._step(line, steps, request, deadline)

    async def _step(self, line: Line, steps: Steps[Any], request: Request, deadline: float) -> Callable[[], Request]:
        """Send one request; a network failure is thrown into the conversation, which may know a way round it."""
        try:
            reply = await self._send(line, request, deadline)
        except NetworkFailed as error:
            failure = error
            return lambda: steps.throw(failure)
        return lambda: steps.send(reply)

    async def _send(self, line: Line, request: Request, deadline: float) -> Reply:
        for attempt in range(RETRIES + 1):
            last = attempt == RETRIES or not request.is_repeatable
            try:
                reply = await self._send_once(line, request, deadline)
            except NetworkFailed as error:
                if last or not error.retryable or not await pause(attempt, deadline):
                    raise
                continue
            if reply.status in PASSING_TROUBLE and not last and await pause(attempt, deadline, reply.retry_after):
                continue
            return reply
        raise AssertionError("unreachable")

    async def _send_once(self, line: Line, request: Request, deadline: float) -> Reply:
        await line.pacer.turn(deadline)
        base, trusted = line.address(request.host)
        outgoing = Outgoing(
            method=request.method,
            url=absolute(base, request),
            headers=dict(request.headers),
            body=request.body,
            timeout=min(request.timeout or line.provider.timeout, max(0.1, deadline - time.monotonic())),
            trusted=trusted,
        )
        reply = await self._client.send(outgoing)
        line.pacer.learn(reply.headers, reply.status)
        return reply


async def pause(attempt: int, deadline: float, wanted: float | None = None) -> bool:
    """Wait a moment, with jitter, before another try; False when there is no time left for it."""
    seconds = wanted if wanted is not None else FIRST_PAUSE * 2**attempt * random.uniform(0.75, 1.25)
    if time.monotonic() + seconds >= deadline:
        return False
    await asyncio.sleep(seconds)
    return True


def absolute(base: str, request: Request) -> str:
    address = request.path if request.path.startswith(("http://", "https://")) else base.rstrip("/") + request.path
    if not request.params:
        return address
    return f"{address}{'&' if '?' in address else '?'}{urlencode(request.params, errors='replace')}"


def note_failure(line: Line, error: WellsourcedError) -> None:
    """Tell the breaker, unless the failure says nothing about the provider's health."""
    if isinstance(error, CALLERS_FAULT):
        line.breaker.abandoned()
    elif isinstance(error, RateLimited):
        line.breaker.failed(rate_limited_for=error.retry_after or error.default_wait)
    else:
        line.breaker.failed()
