"""Bad endings of an answer, by name: what broken, slow and hostile servers do."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import cache
from typing import TypeAlias

from starlette.types import Receive, Scope, Send

from tests.loopback.wire import gone, reset, send_raw

Fault: TypeAlias = Callable[[Scope, Receive, Send, int], Awaitable[None]]
MEGABYTE = 1024 * 1024
LONGEST = 120.0
DRIP_PAUSE = 0.05
WORDS = b"<!doctype html><title>Half a page</title><p>" + b"This page ends too early. " * 40


async def stream(send: Send, receive: Receive, headers: list[tuple[bytes, bytes]], parts: AsyncIterator[bytes]) -> None:
    """Send parts until there are none or nobody listens."""
    left = asyncio.ensure_future(gone(receive))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    async for part in parts:
        if left.done():
            break
        await send({"type": "http.response.body", "body": part, "more_body": True})
    left.cancel()
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def in_turn(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
        await asyncio.sleep(0)


async def dripping() -> AsyncIterator[bytes]:
    for _ in range(int(LONGEST / DRIP_PAUSE)):
        yield b"."
        await asyncio.sleep(DRIP_PAUSE)


async def drip(scope: Scope, receive: Receive, send: Send, size: int) -> None:
    await stream(send, receive, [(b"content-type", b"text/html; charset=utf-8")], dripping())


async def silence(scope: Scope, receive: Receive, send: Send, size: int) -> None:
    """Take the request and never answer."""
    try:
        await asyncio.wait_for(gone(receive), LONGEST)
    except TimeoutError:
        await reset(scope, receive)


async def cut_off(scope: Scope, receive: Receive, send: Send, size: int) -> None:
    await reset(scope, receive)


def claiming(length: int) -> bytes:
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    return head.encode() + WORDS


async def half_body(scope: Scope, receive: Receive, send: Send, size: int) -> None:
    """Promise twice as much as is sent, then hang up."""
    await send_raw(scope, receive, claiming(2 * len(WORDS)))


async def wrong_length(scope: Scope, receive: Receive, send: Send, size: int) -> None:
    """Promise half of what is sent."""
    await send_raw(scope, receive, claiming(len(WORDS) // 2))


async def garbage(scope: Scope, receive: Receive, send: Send, size: int) -> None:
    await send_raw(scope, receive, b"\x00\xffSSH-2.0-not-a-web-server\r\n\r\n" * 3)


@cache
def deflated_megabyte() -> bytes:
    """A megabyte of zeros as deflate blocks that end on a byte, so that they can be repeated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)


def bomb(size: int) -> Iterator[bytes]:
    """A gzip file that unpacks to about `size` bytes, made without unpacking it."""
    yield b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    checksum, blocks = 0, max(1, size // MEGABYTE)
    for _ in range(blocks):
        checksum = zlib.crc32(bytes(MEGABYTE), checksum)
        yield deflated_megabyte()
    yield b"\x03\x00" + struct.pack("<II", checksum, blocks * MEGABYTE & 0xFFFFFFFF)


async def gzip_bomb(scope: Scope, receive: Receive, send: Send, size: int) -> None:
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-encoding", b"gzip")]
    await stream(send, receive, headers, in_turn(bomb(size)))


def long_list(size: int) -> Iterator[bytes]:
    row = b'{"title":"One of very many","url":"https://example.org/"},' * 1000
    yield b'{"results":['
    for _ in range(max(1, size // len(row))):
        yield row
    yield b'{"title":"the last"}]}'


async def huge_json(scope: Scope, receive: Receive, send: Send, size: int) -> None:
    await stream(send, receive, [(b"content-type", b"application/json")], in_turn(long_list(size)))


FAULTS: dict[str, Fault] = {
    "drip": drip,
    "silence": silence,
    "reset": cut_off,
    "half-body": half_body,
    "wrong-length": wrong_length,
    "garbage": garbage,
    "gzip-bomb": gzip_bomb,
    "huge-json": huge_json,
}
