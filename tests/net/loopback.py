"""A small HTTP server on loopback that misbehaves to order, for the tests of the client."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

MEBIBYTE = 1024 * 1024


@dataclass
class Heard:
    """One request as it arrived, and on which connection."""

    line: str
    headers: dict[str, str]
    body: bytes
    connection: int


@dataclass
class Server:
    port: int = 0
    heard: list[Heard] = field(default_factory=list)
    connections: int = 0
    hung_up: int = 0
    routes: dict[str, Callable[[asyncio.StreamWriter], Awaitable[None]]] = field(default_factory=dict)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def redirect(self, path: str, location: str, status: int = 302) -> None:
        self.routes[path] = lambda writer: say(writer, b"moved", f"Location: {location}", status=status)


async def say(writer: asyncio.StreamWriter, body: bytes, *headers: str, status: int = 200) -> None:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    await writer.drain()


async def gzip_bomb(writer: asyncio.StreamWriter) -> None:
    """A thousandth of what it unfolds to: 1 GiB of zeros."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = squeeze.compress(bytes(MEBIBYTE)) + squeeze.flush(zlib.Z_FULL_FLUSH)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n")
    writer.write(b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + block * 1024)
    await writer.drain()
    while True:
        writer.write(block * 1024)
        await writer.drain()


async def zstd_bomb(writer: asyncio.StreamWriter) -> None:
    """Four bytes for every 128 KiB: blocks that say "the same byte, so many times"."""
    block = (128 * 1024 << 3 | 1 << 1).to_bytes(3, "little") + b"x"
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nConnection: close\r\n\r\n")
    writer.write(b"\x28\xb5\x2f\xfd\x00\x50")
    while True:
        writer.write(block * 16384)
        await writer.drain()


async def endless(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        await writer.drain()


async def drip(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while True:
        writer.write(b".")
        await writer.drain()
        await asyncio.sleep(0.02)


async def zipped(writer: asyncio.StreamWriter) -> None:
    body = gzip.compress("grüße ".encode() * 1000)
    await say(
        writer, body, "Content-Encoding: gzip", "X-Many: 1", "X-Many: 2", "Content-Type: a/b", "Content-Type: c/d"
    )


async def reset(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


async def broken_off(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
    await writer.drain()
    writer.close()


async def not_gzip(writer: asyncio.StreamWriter) -> None:
    await say(writer, b"this is not compressed at all", "Content-Encoding: gzip")


async def not_http(writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 mail.example ESMTP\r\n\r\n")
    await writer.drain()
    writer.close()


ROUTES: dict[str, Callable[[asyncio.StreamWriter], Awaitable[None]]] = {
    "/": lambda writer: say(writer, b"hello"),
    "/gzip-bomb": gzip_bomb,
    "/zstd-bomb": zstd_bomb,
    "/endless": endless,
    "/drip": drip,
    "/zipped": zipped,
    "/reset": reset,
    "/broken-off": broken_off,
    "/not-gzip": not_gzip,
    "/not-http": not_http,
}


@asynccontextmanager
async def serving(address: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    server = Server(routes=dict(ROUTES))
    handlers: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        handlers.add(task)
        server.connections += 1
        try:
            await _converse(server, server.connections, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            server.hung_up += 1
        except asyncio.CancelledError:
            return
        finally:
            writer.close()

    listener = await asyncio.start_server(handle, address, 0, ssl=tls)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()
        for task in handlers:
            task.cancel()
        await asyncio.gather(*handlers, return_exceptions=True)


async def _converse(
    server: Server, connection: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    while not writer.is_closing():
        line, *rest = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (entry.partition(":") for entry in rest)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        server.heard.append(Heard(line, headers, body, connection))
        path = line.split()[1].partition("?")[0]
        await server.routes.get(path, ROUTES["/"])(writer)
