"""The connection to one upstream: its addresses, its rate limit, its breaker, and retries with backoff."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import quote_plus

from wellsourced.errors import NetworkFailed, WellsourcedError
from wellsourced.http_exchange import Reply, Request
from wellsourced.net.circuit_breaker import CircuitBreaker
from wellsourced.net.client import HttpClient, OutgoingRequest
from wellsourced.net.pace import Pacer
from wellsourced.net.rate_limit_headers import with_retry_seconds
from wellsourced.settings import Settings
from wellsourced.settings.setting import Setting
from wellsourced.text.masker import Masker
from wellsourced.text.plain_text import strip_invisible
from wellsourced.upstream import Provider
from wellsourced.upstream_client.last_tries import LastTry

TRANSIENT_STATUSES = frozenset({500, 502, 503, 504})
RETRIES = 2
# Doubled with every attempt and varied by a quarter, so that many callers do not retry in the same instant.
FIRST_BACKOFF_SECONDS = 0.3
ANSWER_BYTES = 32 * 1024 * 1024
# Catalogues that are kept may be larger than an ordinary answer: they are fetched once for everybody.
CATALOGUE_BYTES = 64 * 1024 * 1024


class UpstreamConnection:
    """One provider with its settings. `values` are the variables it declares, secrets included."""

    def __init__(
        self, provider: Provider, declared: Iterable[Setting], settings: Settings, breaker: CircuitBreaker
    ) -> None:
        self.provider = provider
        self.breaker = breaker
        self.pacer = Pacer(provider.pace)
        self.last_try: LastTry | None = None
        declared = list(declared)
        self.values = {setting.name: settings.text(setting.name) for setting in declared}
        self._masker = Masker(self.values[setting.name] for setting in declared if setting.secret)

    def address(self, host: str) -> tuple[str, bool]:
        """A base address and whether the operator chose it: such an address is trusted, and no other."""
        override = self.values[self.provider.base_variable(host)]
        return (override, True) if override else (self.provider.bases[host], False)

    @property
    def missing(self) -> list[str]:
        """Variables that must be set before this provider can be asked."""
        names = [setting.name for setting in self.provider.needs if not self.values[setting.name]]
        if self.provider.needs_one_of and not any(map(self.values.get, self.provider.needs_one_of)):
            names.append(" or ".join(self.provider.needs_one_of))
        if not self.address("")[0]:
            names.append(self.provider.base_variable())
        return names

    async def send(self, client: HttpClient, request: Request, deadline: float) -> Reply:
        """The reply; transient failures are retried where asking twice does no harm and there is time."""
        for attempt in range(RETRIES + 1):
            last = attempt == RETRIES or not request.is_repeatable
            try:
                reply = await self._send_once(client, request, deadline)
            except NetworkFailed as error:
                # The system's resolver has asked for a name several times already: offline, nobody need wait longer.
                if last or error.is_lookup or not error.retryable or not await back_off(attempt, deadline):
                    raise
                continue
            if reply.status in TRANSIENT_STATUSES and not last and await back_off(attempt, deadline, reply.retry_after):
                continue
            return reply
        raise AssertionError("unreachable")

    def mask_secrets(self, error: WellsourcedError) -> WellsourcedError:
        """The error without keys and invisible characters: its sentence may end up as a note in an answer."""
        error.sentence = self._masker.mask(strip_invisible(error.sentence))
        error.detail = error.detail and self._masker.mask(strip_invisible(error.detail))
        error.args = (error.sentence,)
        return error

    def _without_keys(self, reply: Reply) -> Reply:
        """The reply without keys in its body, which upstreams repeat when they refuse them.

        Masked before errors quote its beginning: cut first, half a key would stay.
        """
        if reply.status < 300:
            return reply
        text = self._masker.without_known(reply.body.decode("utf-8", "surrogateescape"))
        return replace(reply, body=text.encode("utf-8", "surrogateescape"))

    async def _send_once(self, client: HttpClient, request: Request, deadline: float) -> Reply:
        await self.pacer.wait_for_turn(deadline)
        url, trusted = self._destination(request)
        left = max(0.1, deadline - time.monotonic())
        reply = await client.send(
            OutgoingRequest(
                method=request.method,
                url=url,
                headers=dict(request.headers),
                body=request.body,
                timeout=min(request.timeout or self.provider.timeout, left),
                trusted=trusted,
                max_bytes=CATALOGUE_BYTES if request.keep else ANSWER_BYTES,
            )
        )
        self.pacer.learn_from(reply.headers, reply.status)
        return self._without_keys(with_retry_seconds(reply))

    def _destination(self, request: Request) -> tuple[str, bool]:
        """A whole address in the request goes through the guard like any other, whoever chose the base."""
        if request.path.startswith(("http://", "https://")):
            return with_params(request.path, request), False
        base, trusted = self.address(request.host)
        return with_params(base.rstrip("/") + request.path, request), trusted


def with_params(url: str, request: Request) -> str:
    if not request.params:
        return url
    query = "&".join([f"{_quoted(name)}={_quoted(value)}" for name, value in request.params])
    return f"{url}{'&' if '?' in url else '?'}{query}"


def _quoted(text: str) -> str:
    """As in a form; plain letters and digits, as names and most values are, stay as they are."""
    return text if text.isascii() and text.isalnum() else quote_plus(text, errors="replace")


async def back_off(attempt: int, deadline: float, wanted: float | None = None) -> bool:
    """Wait a moment, with jitter, before another try; False when there is no time left for it."""
    seconds = wanted if wanted is not None else FIRST_BACKOFF_SECONDS * 2**attempt * random.uniform(0.75, 1.25)
    if time.monotonic() + seconds >= deadline:
        return False
    await asyncio.sleep(seconds)
    return True
