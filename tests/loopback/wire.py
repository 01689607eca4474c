"""The TCP connection under a request, for faults that no well-behaved HTTP server can produce."""

from __future__ import annotations

import asyncio
import socket
import struct

from starlette.types import Receive, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

_open: dict[tuple[str, int], asyncio.Transport] = {}


class OpenWire(H11Protocol):
    """uvicorn's HTTP/1.1, with its connections listed by the client's address."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client is not None:
            _open[self.client] = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self.client is not None:
            _open.pop(self.client, None)
        super().connection_lost(exc)


def transport_of(scope: Scope) -> asyncio.Transport:
    host, port = scope["client"]
    return _open[(host, port)]


async def gone(receive: Receive) -> None:
    """Returns when the client has left or the connection was cut."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def send_raw(scope: Scope, receive: Receive, raw: bytes) -> None:
    """Write bytes past the HTTP server and hang up."""
    transport = transport_of(scope)
    transport.write(raw)
    transport.close()
    await gone(receive)


async def reset(scope: Scope, receive: Receive) -> None:
    """Hang up with a TCP reset: a zero linger time throws away what is under way."""
    transport = transport_of(scope)
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
    await gone(receive)
