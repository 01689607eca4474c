"""Reads a response: the peer must be the one that was checked, the body is bounded after decompression."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from wellsourced.errors import Refused
from wellsourced.http_exchange import Reply
from wellsourced.net.failure_messages import ResponseTooLarge
from wellsourced.net.guard import CheckedTarget
from wellsourced.net.request import OutgoingRequest, is_redirect
from wellsourced.text.urls import display_url

if TYPE_CHECKING:
    import wreq

TRUNCATED = "x-truncated"
SINGLE_HEADERS = frozenset({"content-type", "location", "retry-after", "content-disposition"})


async def read_reply(
    response: wreq.Response, request: OutgoingRequest, target: CheckedTarget, *, follow: bool
) -> Reply:
    """The answer as data; the body of a redirect that will be followed is left where it is."""
    peer = response.remote_addr
    if peer is not None and peer.ip() not in target.addresses:
        raise Refused(
            f"URL rejected for {display_url(target.url)}: the connection went to {peer.ip()}, which was not checked."
        )
    headers = _headers(response.headers)
    reply = Reply(response.status.as_int(), headers, b"", target.url)
    if request.method == "HEAD" or (follow and is_redirect(reply)):
        return reply
    length = response.content_length  # None where it is not said, or is that of a compressed body
    if length is not None and length <= request.max_bytes:
        return Reply(reply.status, headers, bytes(await response.bytes()), target.url)
    if length is not None and not request.keep_partial:
        raise _too_large(request, target)
    body = await _body(response, request.max_bytes + 1)
    if len(body) > request.max_bytes:
        if not request.keep_partial:
            raise _too_large(request, target)
        headers[TRUNCATED] = "1"
    return Reply(reply.status, headers, bytes(memoryview(body)[: request.max_bytes]), target.url)


async def _body(response: wreq.Response, enough: int) -> bytearray:
    """The decompressed body, read no further than is enough; what the server still holds back stays there."""
    body = bytearray()
    async with response.stream() as parts:
        async for part in parts:
            if isinstance(part, memoryview):  # the other thing that comes is trailers
                body += part
            if len(body) >= enough:
                break
    return body


def _headers(pairs: Iterable[tuple[memoryview, memoryview]]) -> dict[str, str]:
    """Headers by lower-case name; repeated ones are joined, except where only one can be meant."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in pairs:
        name, value = bytes(raw_name).decode("latin-1").lower(), _text(bytes(raw_value))
        if name not in headers:
            headers[name] = value
        elif name not in SINGLE_HEADERS:
            headers[name] += f", {value}"
    headers.pop(TRUNCATED, None)
    return headers


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _too_large(request: OutgoingRequest, target: CheckedTarget) -> ResponseTooLarge:
    return ResponseTooLarge(f"{display_url(target.url)} holds more than the {request.max_bytes:,} bytes that are read.")
