"""Reads a request's whole body before the app sees it: within a size, a time and a sum over all requests.

The tools that the body calls, by MCP or by the workbench, are put into the request context, for the rate limits and
scopes that come after it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.request_context import is_mcp_request, request_context
from wellsourced.mcp.json_rpc import parse_json
from wellsourced.settings import Settings
from wellsourced.text.amounts import format_seconds
from wellsourced.web.api import requested_tools

MOST_HELD_BYTES = 256 * 1024 * 1024
# However large a single body may be, this many fit at a time.
BODIES_AT_LEAST = 4
MOST_DISCARDED_BYTES = 64 * 1024 * 1024
DISCARD_SECONDS = 5.0


class BodyRefused(Exception):
    def __init__(self, status: int, sentence: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.response: Response = PlainTextResponse(sentence, status, headers)


class ClientDisconnected(Exception):
    """The caller closed the connection before the body was complete."""


class BodyLimitMiddleware:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._most = settings.count("MAX_REQUEST_BODY_BYTES")
        self._seconds = settings.seconds("HTTP_READ_TIMEOUT")
        self._most_held = max(MOST_HELD_BYTES, BODIES_AT_LEAST * self._most)
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = bytearray()
        try:
            await self._read_in_time(scope, receive, body)
            whole = bytes(body)
            if scope["method"] == "POST":
                note_contents(scope, whole)
            await self._app(scope, replay_body(whole, receive), send)
        except BodyRefused as refusal:
            is_late = refusal.response.status_code == 408
            await (refusal.response(scope, receive, send) if is_late else answer_and_discard(refusal, receive, send))
        except ClientDisconnected:
            return
        finally:
            self._held -= len(body)

    async def _read_in_time(self, scope: Scope, receive: Receive, body: bytearray) -> None:
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > self._most:
            raise self._too_large()
        try:
            async with asyncio.timeout(self._seconds):
                await self._read(receive, body)
        except TimeoutError:
            sentence = f"The request did not arrive within {format_seconds(self._seconds)} (HTTP_READ_TIMEOUT)."
            raise BodyRefused(408, sentence, {"connection": "close"}) from None

    async def _read(self, receive: Receive, body: bytearray) -> None:
        is_complete = False
        while not is_complete:
            message = await receive()
            if message["type"] != "http.request":
                raise ClientDisconnected
            part = message.get("body", b"")
            body += part
            self._held += len(part)
            if len(body) > self._most:
                raise self._too_large()
            if self._held > self._most_held:
                raise BodyRefused(503, "The server holds too many large requests just now.", {"retry-after": "5"})
            is_complete = not message.get("more_body", False)

    def _too_large(self) -> BodyRefused:
        return BodyRefused(
            413, f"The request is too large: at most {self._most} bytes are read (MAX_REQUEST_BODY_BYTES)."
        )


async def answer_and_discard(refusal: BodyRefused, receive: Receive, send: Send) -> None:
    """Answer, and read what still comes for a while before the response ends: a connection that is closed while data
    arrives is reset, and the client would learn of the reset instead of reading the answer."""
    response = refusal.response
    start = {"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers}
    await send(start)
    await send({"type": "http.response.body", "body": response.body, "more_body": True})
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DISCARD_SECONDS):
            await discard(receive)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def discard(receive: Receive) -> None:
    bytes_left = MOST_DISCARDED_BYTES
    while bytes_left > 0:
        message = await receive()
        bytes_left -= len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body", False):
            return


def replay_body(body: bytes, receive: Receive) -> Receive:
    """The body once, as one message, and then whatever comes: a caller that disconnects is still noticed."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def note_contents(scope: Scope, body: bytes) -> None:
    """Put what a body holds into the request context: it is parsed once for all that follows."""
    if not is_mcp_request(scope):
        if tools := requested_tools(scope["path"], body):
            request_context(scope).tools = tools
        return
    context = request_context(scope)
    with contextlib.suppress(ValueError, RecursionError):
        context.document = parse_json(body)
    context.tools = called_tools(body if context.document is None else context.document)


def called_tools(message: Any) -> tuple[str, ...]:
    """The tool of every tools/call, a batch's each, of a message or of bytes that are none to us.

    Of bytes it reads whatever either of the SDK's two parsers would, so that nothing it runs goes uncounted: numbers
    are not converted (very long ones are an error to one parser and not to the other), control characters pass. What
    is no JSON to anybody is left to the app to answer.
    """
    if isinstance(message, bytes):
        try:
            message = json.loads(message, strict=False, parse_int=len, parse_float=len)
        except (ValueError, RecursionError):
            return ()
    members = message if isinstance(message, list) else [message]
    return tuple(name for member in members if isinstance(name := called_tool(member), str))


def called_tool(message: Any) -> Any:
    if not isinstance(message, dict) or message.get("method") != "tools/call":
        return None
    params = message.get("params")
    return params.get("name") if isinstance(params, dict) else None
