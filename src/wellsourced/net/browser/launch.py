"""Launches a browser of our own with its egress proxy, or connects to one in a pool elsewhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from wellsourced.errors import BrowserUnavailable, WellsourcedError
from wellsourced.net.browser.chromium import find_chromium, start_chromium
from wellsourced.net.browser.devtools import (
    LONGEST_MESSAGE,
    CommandError,
    ConnectionLostError,
    DevTools,
    Params,
    WebSocketTransport,
)
from wellsourced.net.browser.egress_proxy import EgressProxy
from wellsourced.net.browser.page_allowance import PageAllowance
from wellsourced.net.browser.user_agent import user_agent_override
from wellsourced.net.guard import AddressGuard

CONNECT_SECONDS = 10.0
CDP_URL_ADVICE = "BROWSER_CDP_URL takes http(s)://host:port or ws(s)://host:port/path of a running Chromium."


@dataclass
class BrowserConnection:
    """A browser that is ready for pages. Only one of our own has an egress proxy."""

    devtools: DevTools
    user_agent: Params
    egress: EgressProxy | None
    end_browser: Callable[[], Awaitable[None]]

    def add_page(self, allowance: PageAllowance) -> None:
        if self.egress is not None:
            self.egress.add_page(allowance)

    async def remove_page(self, allowance: PageAllowance) -> None:
        if self.egress is not None:
            await self.egress.remove_page(allowance)

    async def close(self) -> None:
        await self.end_browser()
        if self.egress is not None:
            await self.egress.close()


async def launch_browser(guard: AddressGuard, chrome_path: str, *, no_sandbox: bool) -> BrowserConnection:
    program = find_chromium(chrome_path)
    egress = EgressProxy(guard)
    await egress.start()
    try:
        chromium = await start_chromium(program, proxy=egress.address, no_sandbox=no_sandbox)
    except BaseException:
        await egress.close()
        raise
    return await _prepared(BrowserConnection(chromium.devtools, {}, egress, chromium.close))


async def connect_browser(guard: AddressGuard, cdp_url: str) -> BrowserConnection:
    """A browser in a pool. Its address is the operator's own choice, so it may be private."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import WebSocketException

    address = await _socket_address(guard, cdp_url)
    try:
        connection = await connect(
            address, max_size=LONGEST_MESSAGE, open_timeout=CONNECT_SECONDS, close_timeout=2, proxy=None
        )
    except (OSError, TimeoutError, ValueError, WebSocketException) as problem:
        raise BrowserUnavailable(
            f"The browser at {_public_part(cdp_url)} could not be reached. {CDP_URL_ADVICE}", detail=str(problem)[:400]
        ) from None
    devtools = DevTools(WebSocketTransport(connection))
    return await _prepared(BrowserConnection(devtools, {}, None, devtools.close))


async def _prepared(connection: BrowserConnection) -> BrowserConnection:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            connection.user_agent = user_agent_override(await connection.devtools.send("Browser.getVersion"))
            await connection.devtools.send("Target.setDiscoverTargets", {"discover": True})
    except BaseException as problem:
        await connection.close()
        if not isinstance(problem, TimeoutError | ConnectionLostError | CommandError):
            raise
        raise BrowserUnavailable("The browser does not answer.", detail=str(problem)[:400]) from None
    return connection


async def _socket_address(guard: AddressGuard, cdp_url: str) -> str:
    """The WebSocket to speak to. Browsers name it at /json/version, often with a host only they know themselves."""
    from wellsourced.net.client import HttpClient, OutgoingRequest

    parts = urlsplit(cdp_url)
    if parts.scheme in {"ws", "wss"}:
        return cdp_url
    version_url = urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") + "/json/version", parts.query, ""))
    client = HttpClient(guard, user_agent="wellsourced")
    try:
        reply = await client.send(OutgoingRequest("GET", version_url, {}, timeout=CONNECT_SECONDS, trusted=True))
        path = urlsplit(str(json.loads(reply.body)["webSocketDebuggerUrl"])).path
    except (WellsourcedError, ValueError, KeyError, TypeError) as problem:
        raise BrowserUnavailable(
            f"No browser answers at {_public_part(cdp_url)}. {CDP_URL_ADVICE}", detail=str(problem)[:400]
        ) from None
    finally:
        await client.close()
    return urlunsplit(("wss" if parts.scheme == "https" else "ws", parts.netloc, path, parts.query, ""))


def _public_part(cdp_url: str) -> str:
    """Without the path and query, where pools expect their tokens."""
    parts = urlsplit(cdp_url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
