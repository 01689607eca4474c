"""A browser that is ready for pages: our own with its egress proxy, or one in a pool elsewhere."""

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
    SocketWire,
)
from wellsourced.net.browser.egress_proxy import Door, Egress
from wellsourced.net.browser.user_agent import user_agent_override
from wellsourced.net.guard import AddressGuard

CONNECT_SECONDS = 10.0
WHAT_IT_TAKES = "BROWSER_CDP_URL takes http(s)://host:port or ws(s)://host:port/path of a running Chromium."


@dataclass
class Workshop:
    devtools: DevTools
    user_agent: Params
    egress: Egress | None
    end_browser: Callable[[], Awaitable[None]]

    def admit(self, door: Door) -> None:
        if self.egress is not None:
            self.egress.open_door(door)

    async def dismiss(self, door: Door) -> None:
        if self.egress is not None:
            await self.egress.close_door(door)

    async def close(self) -> None:
        await self.end_browser()
        if self.egress is not None:
            await self.egress.close()


async def open_workshop(guard: AddressGuard, chrome_path: str, *, no_sandbox: bool) -> Workshop:
    program = find_chromium(chrome_path)
    egress = Egress(guard)
    await egress.start()
    try:
        chromium = await start_chromium(program, proxy=egress.address, no_sandbox=no_sandbox)
    except BaseException:
        await egress.close()
        raise
    return await _furnished(Workshop(chromium.devtools, {}, egress, chromium.close))


async def connect_workshop(guard: AddressGuard, cdp_url: str) -> Workshop:
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
            f"The browser at {_shown(cdp_url)} could not be reached. {WHAT_IT_TAKES}", detail=str(problem)[:400]
        ) from None
    devtools = DevTools(SocketWire(connection))
    return await _furnished(Workshop(devtools, {}, None, devtools.close))


async def _furnished(workshop: Workshop) -> Workshop:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            workshop.user_agent = user_agent_override(await workshop.devtools.send("Browser.getVersion"))
            await workshop.devtools.send("Target.setDiscoverTargets", {"discover": True})
    except BaseException as problem:
        await workshop.close()
        if not isinstance(problem, TimeoutError | ConnectionLostError | CommandError):
            raise
        raise BrowserUnavailable("The browser does not answer.", detail=str(problem)[:400]) from None
    return workshop


async def _socket_address(guard: AddressGuard, cdp_url: str) -> str:
    """The WebSocket to speak to. Browsers name it at /json/version, often with a host only they know themselves."""
    from wellsourced.net.client import HttpClient, OutgoingRequest

    parts = urlsplit(cdp_url)
    if parts.scheme in {"ws", "wss"}:
        return cdp_url
    asked = urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") + "/json/version", parts.query, ""))
    client = HttpClient(guard, user_agent="wellsourced")
    try:
        reply = await client.send(OutgoingRequest("GET", asked, {}, timeout=CONNECT_SECONDS, trusted=True))
        path = urlsplit(str(json.loads(reply.body)["webSocketDebuggerUrl"])).path
    except (WellsourcedError, ValueError, KeyError, TypeError) as problem:
        raise BrowserUnavailable(
            f"No browser answers at {_shown(cdp_url)}. {WHAT_IT_TAKES}", detail=str(problem)[:400]
        ) from None
    finally:
        await client.close()
    return urlunsplit(("wss" if parts.scheme == "https" else "ws", parts.netloc, path, parts.query, ""))


def _shown(cdp_url: str) -> str:
    """Without the path and query, where pools expect their tokens."""
    parts = urlsplit(cdp_url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
