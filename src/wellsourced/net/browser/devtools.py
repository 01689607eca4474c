"""The Chrome DevTools Protocol: commands with answers, events, and sessions, over a pipe or a WebSocket.

Facts: chromedevtools.github.io/devtools-protocol. On a pipe the messages are JSON, each ended by a NUL.
"""

from __future__ import annotations

import asyncio
import json
from asyncio import LimitOverrunError
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

Params: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[str, str, Params], None]
"""Called with the session, the event's name and its parameters."""

LONGEST_MESSAGE = 96 * 1024 * 1024


class ConnectionLostError(Exception):
    """The browser has ended, or its messages could not be parsed any more."""


class CommandError(Exception):
    """The browser understood the command and did not carry it out."""


class Transport(Protocol):
    async def send(self, message: bytes) -> None: ...

    async def receive(self) -> bytes | str: ...

    async def close(self) -> None: ...


class PipeTransport:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, message: bytes) -> None:
        self._writer.write(message + b"\0")
        await self._writer.drain()

    async def receive(self) -> bytes:
        return (await self._reader.readuntil(b"\0"))[:-1]

    async def close(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


class WebSocketTransport:
    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, message: bytes) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            await self._connection.send(message.decode())
        except ConnectionClosed as closed:
            raise ConnectionError(str(closed)) from None

    async def receive(self) -> bytes | str:
        from websockets.exceptions import ConnectionClosed

        try:
            return await self._connection.recv()
        except ConnectionClosed as closed:
            raise ConnectionError(str(closed)) from None

    async def close(self) -> None:
        await self._connection.close()


class DevTools:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._number = 0
        self._answers: dict[int, asyncio.Future[Params]] = {}
        self._listeners: list[Listener] = []
        self.lost = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def send(self, method: str, params: Params | None = None, session: str = "") -> Params:
        """The answer to a command; CommandError when the browser declines, ConnectionLostError when it is gone."""
        if self.lost.is_set():
            raise ConnectionLostError(method)
        self._number = number = self._number + 1
        answer: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        message: Params = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        try:
            await self._transport.send(json.dumps(message).encode())
            return await answer
        except OSError:
            raise ConnectionLostError(method) from None
        finally:
            self._answers.pop(number, None)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a function with every event, until the function that is returned is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def close(self) -> None:
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        await self._transport.close()

    async def _read(self) -> None:
        try:
            while True:
                self._dispatch(json.loads(await self._transport.receive()))
        except (
            OSError,
            EOFError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            RecursionError,
            LimitOverrunError,
        ):
            pass  # the connection is lost, or speaks no protocol any more: to whoever waits it is the same
        finally:
            self.lost.set()
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionLostError("the browser is gone"))

    def _dispatch(self, message: Params) -> None:
        number = message.get("id")
        if number is None:
            for listener in tuple(self._listeners):
                listener(message.get("sessionId", ""), message.get("method", ""), message.get("params", {}))
            return
        answer = self._answers.get(number)
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(CommandError(str(message["error"].get("message", ""))))
        else:
            answer.set_result(message.get("result", {}))
