"""The innermost middleware: brings requests into the one form the SDK's app accepts, and replaces the SDK's terse
refusals by sentences."""

from __future__ import annotations

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.middleware.cors import REFUSAL
from wellsourced.http.request_context import MCP_PATH, is_mcp_request

CONTENT_TYPE = b"content-type"
RESUME = b"last-event-id"
IGNORING_CASE = (b"host", CONTENT_TYPE)
NOT_A_MESSAGE = (
    "This is not a JSON-RPC 2.0 message. Send one JSON object with jsonrpc, method and, to get an answer, an id (a "
    "string or a whole number). Batches are not part of this protocol."
)
NOT_A_MESSAGE_BODY = json.dumps(
    {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": NOT_A_MESSAGE}}
).encode()
REPLACED_BODIES = {
    b'"message":"Validation error: ': NOT_A_MESSAGE_BODY,
    b'"message":"Body must be a single JSON-RPC request': NOT_A_MESSAGE_BODY,
    b"Invalid Host header": b"This server does not answer to that Host; the operator can list it in ALLOWED_HOSTS.",
    b"Invalid Origin header": REFUSAL.encode(),
    b"Invalid Content-Type header": b"Send JSON with the header Content-Type: application/json.",
}
"""What the SDK says of a request that it refuses, and the body that is sent instead."""


class NormaliseMiddleware:
    """/mcp/ becomes /mcp: older clients use the one, newer ones the other, and a redirect would lose the body.

    Blanks around header values, which the HTTP parser leaves in place, are not part of them (RFC 9110, 5.5). Host names
    and media types are case-insensitive. No events are stored, so there are none to resume after: a client that asks
    for it gets a stream that begins now, where the SDK would send no response.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            stripped = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
            is_mcp = is_mcp_request(scope)
            lowered = IGNORING_CASE if is_mcp else IGNORING_CASE[:1]
            headers = [(name, value.lower() if name in lowered else value) for name, value in stripped]
            scope = {**scope, "headers": headers}
            if is_mcp:
                kept = [pair for pair in headers if pair[0] != RESUME]
                scope |= {"path": MCP_PATH, "raw_path": MCP_PATH.encode(), "headers": kept}
                body: list[bytes] = []
                receive, send = recording_receive(receive, body), explaining_send(send, body)
        await self._app(scope, receive, send)


def recording_receive(receive: Receive, body: list[bytes]) -> Receive:
    """`receive` that adds the parts of the request to `body`."""

    async def receive_and_record() -> Message:
        message = await receive()
        body.append(message.get("body", b""))
        return message

    return receive_and_record


def explaining_send(send: Send, request_body: list[bytes]) -> Send:
    """`send` that replaces the body of a refusal; the start is held back until the body shows whether it is one."""
    held: list[Message] = []

    async def explain_and_send(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] in (202, 400, 403, 421):
            held.append(message)
            return
        if held:
            start, original = held.pop(), message.get("body", b"")
            is_unanswered = start["status"] == 202 and has_id(b"".join(request_body))
            if body := NOT_A_MESSAGE_BODY if is_unanswered else replacement(original):
                message = {**message, "body": body}
                start = {**start, "status": max(start["status"], 400), "headers": resized(start["headers"], len(body))}
            await send(start)
        await send(message)

    return explain_and_send


def replacement(body: bytes) -> bytes | None:
    return next((ours for theirs, ours in REPLACED_BODIES.items() if theirs in body), None)


def resized(headers: list[tuple[bytes, bytes]], length: int) -> list[tuple[bytes, bytes]]:
    """The headers for a body of this length; plain text where no content type was set."""
    kept = [pair for pair in headers if pair[0].lower() != b"content-length"]
    kind = [] if CONTENT_TYPE in (name.lower() for name, _ in kept) else [(CONTENT_TYPE, b"text/plain; charset=utf-8")]
    return [*kept, *kind, (b"content-length", b"%d" % length)]


def has_id(body: bytes) -> bool:
    """Whether the message has a method and an id. One with an invalid id, such as 1.5 or null, is a notification to
    the SDK, which accepts it with 202, and its sender would wait for the response for ever."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and "method" in message and "id" in message
