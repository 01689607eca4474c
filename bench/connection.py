"""Talking to a server under measurement, with many calls in flight: over its standard input and output, or HTTP."""

from __future__ import annotations

import asyncio
import json
import re
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from queue import LifoQueue
from typing import Any, Protocol

from tests.http.http_server import free_port
from tests.http.raw_connection import ACCEPT

LONGEST_LINE = 64 * 1024 * 1024
LONGEST_WAIT = 60.0
PATIENCE = 5.0
MOST_IN_FLIGHT = 64
HEAD = 120
"""An answer's number stands in its first characters: reading no further leaves the processor to the servers."""
NUMBER = re.compile(rb'"id":\s?(\d+)')
VERSION = "2025-06-18"
HANDSHAKE = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class ServerFailed(Exception):
    """A server ended, or gave no answer in time."""


class ServerConnection(Protocol):
    @property
    def process(self) -> int:
        """The process that is the root of the server's tree."""

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> bytes:
        """The answer as it came."""

    async def close(self) -> None: ...


def is_error(answer: bytes) -> bool:
    return b'"isError":true' in answer or b'"error":' in answer[:HEAD]


async def stop_process(process: Process) -> None:
    """Closing its input asks a server to end; one that does not is terminated, then killed."""
    if process.stdin:
        process.stdin.close()
    for insist in (process.terminate, process.kill):
        try:
            await asyncio.wait_for(process.wait(), PATIENCE)
        except TimeoutError:
            insist()
    await process.wait()


class StdioConnection:
    """A server started for this connection; the handshake is done."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._asked = 0
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str], environment: Mapping[str, str]) -> StdioConnection:
        process = await asyncio.create_subprocess_exec(
            *command, env=dict(environment), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST_LINE
        )
        connection = cls(process)
        await connection.ask("initialize", HANDSHAKE)
        connection._send({"method": "notifications/initialized"})
        return connection

    @property
    def process(self) -> int:
        return self._process.pid

    async def ask(self, method: str, params: Mapping[str, Any]) -> bytes:
        self._asked += 1
        waiting = self._waiting[self._asked] = asyncio.get_running_loop().create_future()
        self._send({"id": self._asked, "method": method, "params": params})
        try:
            return await asyncio.wait_for(waiting, LONGEST_WAIT)
        except TimeoutError:
            raise ServerFailed(f"{method} was not answered within {LONGEST_WAIT:.0f} seconds") from None

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> bytes:
        return await self.ask("tools/call", {"name": tool, "arguments": arguments})

    async def close(self) -> None:
        await stop_process(self._process)
        await self._reading

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def _read(self) -> None:
        assert self._process.stdout
        async for line in self._process.stdout:
            found = NUMBER.search(line, 0, HEAD)
            waiting = self._waiting.pop(int(found[1]), None) if found else None
            if waiting and not waiting.done():
                waiting.set_result(line)
        for unanswered in self._waiting.values():
            if not unanswered.done():
                unanswered.set_exception(ServerFailed("the server ended before it answered"))


class HttpSession:
    """One session on a connection that is kept open; it is begun with the first call."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=LONGEST_WAIT)
        self._headers = {"content-type": "application/json", "accept": ACCEPT}
        self._is_begun = False

    def call(self, tool: str, arguments: Mapping[str, Any]) -> bytes:
        try:
            if not self._is_begun:
                self._begin()
            return self._post({"id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        except OSError as problem:
            self.close()
            raise ServerFailed(f"{tool} was not answered: {problem}") from problem

    def close(self) -> None:
        self._connection.close()

    def _begin(self) -> None:
        self._post({"id": 0, "method": "initialize", "params": HANDSHAKE})
        self._headers["mcp-protocol-version"] = VERSION
        self._post({"method": "notifications/initialized"})
        self._is_begun = True

    def _post(self, message: Mapping[str, Any]) -> bytes:
        self._connection.request("POST", "/mcp/", json.dumps({"jsonrpc": "2.0", **message}), self._headers)
        answer = self._connection.getresponse()
        if session := answer.headers.get("mcp-session-id"):
            self._headers["mcp-session-id"] = session
        return answer.read()


class HttpConnection:
    """A server started for this connection, with as many sessions as there may be calls in flight."""

    def __init__(self, process: Process, port: int) -> None:
        self._process = process
        self._threads = ThreadPoolExecutor(MOST_IN_FLIGHT)
        self._idle: LifoQueue[HttpSession] = LifoQueue()
        for _ in range(MOST_IN_FLIGHT):
            self._idle.put(HttpSession(port))

    @classmethod
    async def start(cls, command: Sequence[str], environment: Mapping[str, str]) -> HttpConnection:
        port = free_port()
        process = await asyncio.create_subprocess_exec(
            *command, env={**environment, "PORT": str(port)}, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
        )
        for _ in range(300):
            try:
                (await asyncio.open_connection("127.0.0.1", port))[1].close()
            except OSError:
                await asyncio.sleep(0.1)
            else:
                return cls(process, port)
        await stop_process(process)
        raise ServerFailed("the HTTP server did not come up")

    @property
    def process(self) -> int:
        return self._process.pid

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._call, tool, arguments)

    async def close(self) -> None:
        self._threads.shutdown()
        while not self._idle.empty():
            self._idle.get().close()
        self._process.terminate()
        await stop_process(self._process)

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> bytes:
        session = self._idle.get()
        try:
            return session.call(tool, arguments)
        finally:
            self._idle.put(session)
