"""The headless browser's only way to the network: a loopback proxy that asks the guard about every connection.

It speaks what browsers expect of an HTTP proxy (RFC 9110): CONNECT, which also carries WebSockets, and plain requests
by absolute URI, one for each connection. It connects to the addresses the guard has checked and to no others, so a
name that answers differently the second time gains nothing. Each page has an allowance of its own, known by its
credentials; without them nothing on this machine can use the proxy.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Coroutine
from typing import Any

from wellsourced.errors import NetworkFailed, Refused, WellsourcedError
from wellsourced.net.browser.page_allowance import PageAllowance
from wellsourced.net.browser.proxy_head import MessageHeadError, ProxyRequest, parse_message_head, parse_proxy_request
from wellsourced.net.guard import AddressGuard, CheckedTarget

LOOPBACK = "127.0.0.1"
LONGEST_HEAD = 256 * 1024
READ_SIZE = 64 * 1024
MOST_CONNECTIONS = 512
HEAD_SECONDS = 15.0
CONNECT_SECONDS = 5.0
IDLE_SECONDS = 60.0

UNKNOWN_PAGE = 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="egress"'
TUNNEL_OPEN = "HTTP/1.1 200 Connection Established"
TUNNEL_REFUSED = "HTTP/1.1 403 Forbidden"
TUNNEL_FAILED = "HTTP/1.1 502 Bad Gateway"


class EgressProxy:
    def __init__(self, guard: AddressGuard, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._guard = guard
        self._idle_seconds = idle_seconds
        self._pages: dict[str, PageAllowance] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"{LOOPBACK}:{self._server.sockets[0].getsockname()[1]}"

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, LOOPBACK, 0, limit=LONGEST_HEAD)

    async def close(self) -> None:
        """End everything that is under way; afterwards no task and no socket of the proxy's is left."""
        if self._server is None:
            return
        self._server.close()
        await _cancel(self._tasks)
        await self._server.wait_closed()
        self._server = None
        self._pages.clear()

    def add_page(self, allowance: PageAllowance) -> None:
        self._pages[allowance.name] = allowance

    async def remove_page(self, allowance: PageAllowance) -> None:
        """What the page still had under way ends with it."""
        self._pages.pop(allowance.name, None)
        await _cancel(allowance.connections)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._tasks) >= MOST_CONNECTIONS:
            writer.transport.abort()
            return
        self._tasks.add(task)
        try:
            await self._serve(task, reader, writer)
        except (OSError, EOFError, TimeoutError, MessageHeadError, asyncio.LimitOverrunError):
            writer.transport.abort()
        except asyncio.CancelledError:
            # Only `close` and `remove_page` cancel this task, and both await it; asyncio would log the rest as a fault.
            writer.transport.abort()
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(
        self, task: asyncio.Task[None], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        async with asyncio.timeout(HEAD_SECONDS):
            request = parse_proxy_request(await reader.readuntil(b"\r\n\r\n"))
        allowance = self._page_for(request.head.get("proxy-authorization"))
        if allowance is None:
            await _send_head(writer, UNKNOWN_PAGE)
            return
        if len(allowance.connections) >= allowance.connections_allowed or allowance.exhausted.is_set():
            return
        allowance.connections.add(task)
        try:
            await self._relay(allowance, request, reader, writer)
        finally:
            allowance.connections.discard(task)

    def _page_for(self, credentials: str) -> PageAllowance | None:
        given = credentials.encode()
        return next((d for d in self._pages.values() if hmac.compare_digest(d.credentials.encode(), given)), None)

    async def _relay(
        self,
        allowance: PageAllowance,
        request: ProxyRequest,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        upstream = await self._connect_upstream(allowance, request, writer)
        if upstream is None:
            return
        upstream_reader, upstream_writer = upstream
        try:
            if request.is_tunnel:
                await _send_head(writer, TUNNEL_OPEN, last=False)
            else:
                upstream_writer.write(request.head.for_next_hop())
            flow = _Relay(allowance, self._idle_seconds)
            down = flow.tunnel(upstream_reader, writer) if request.is_tunnel else flow.answer(upstream_reader, writer)
            await flow.until_either_ends(flow.tunnel(reader, upstream_writer), down)
        finally:
            upstream_writer.transport.abort()

    async def _connect_upstream(
        self, allowance: PageAllowance, request: ProxyRequest, writer: asyncio.StreamWriter
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """A connection to where the guard lets the page go; a refusal or failure is noted and answered in a tunnel.

        A plain request is answered with a closed connection instead: an answer of ours would pass for the site's."""
        try:
            return await _connect(await self._guard.check(request.url))
        except Refused as refused:
            allowance.refuse(request.host_and_port, refused)
            answer = TUNNEL_REFUSED
        except WellsourcedError as problem:
            allowance.fail(request.host_and_port, problem)
            answer = TUNNEL_FAILED
        if request.is_tunnel:
            await _send_head(writer, answer)
        return None


class _Relay:
    """The two directions of one connection, under the page's limits and one common limit of silence."""

    def __init__(self, allowance: PageAllowance, idle_seconds: float) -> None:
        self._allowance = allowance
        self._idle_seconds = idle_seconds
        self._clock = asyncio.get_running_loop().time
        self._silence = asyncio.timeout(idle_seconds)

    async def until_either_ends(self, up: Coroutine[Any, Any, None], down: Coroutine[Any, Any, None]) -> None:
        """Browsers never close one half only, so the end of either direction is the end of both."""
        tasks = {asyncio.create_task(part) for part in (up, down)}
        try:
            async with self._silence:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancel(tasks)

    async def tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while block := await reader.read(READ_SIZE):
            if not await self._pass(block, writer):
                return

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A plain answer, whose head must say that the connection ends, or the browser would use it again."""
        while True:
            head = parse_message_head(await reader.readuntil(b"\r\n\r\n"))
            is_final = head.status >= 200
            await self._pass(head.for_next_hop(), writer)
            if is_final:
                break
        await self.tunnel(reader, writer)

    async def _pass(self, block: bytes, writer: asyncio.StreamWriter) -> bool:
        if not self._allowance.spend(len(block)):
            return False
        self._silence.reschedule(self._clock() + self._idle_seconds)
        writer.write(block)
        await writer.drain()
        return True


async def _connect(target: CheckedTarget) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first checked address that answers."""
    problem: Exception | None = None
    for address in target.addresses:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncio.open_connection(str(address), target.port, limit=LONGEST_HEAD)
        except (OSError, TimeoutError) as failed:
            problem = failed
    words = "could not be reached in time" if isinstance(problem, TimeoutError) else "could not be reached"
    raise NetworkFailed(f"{target.host} {words}.", detail=str(problem))


async def _send_head(writer: asyncio.StreamWriter, start: str, *, last: bool = True) -> None:
    ending = "Content-Length: 0\r\nConnection: close\r\n\r\n" if last else "\r\n"
    writer.write(f"{start}\r\n{ending}".encode())
    await writer.drain()


async def _cancel(tasks: set[asyncio.Task[None]]) -> None:
    waiting = list(tasks)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
