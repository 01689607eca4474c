"""The innermost door: what the SDK's app takes literally is brought into the one form it knows, and its refusals
into sentences."""

from __future__ import annotations

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.middleware.cors import REFUSAL

MCP_PATH = "/mcp"
TYPE = b"content-type"
RESUME = b"last-event-id"
NO_MESSAGE = (
    "This is not a JSON-RPC 2.0 message. Send one JSON object with jsonrpc, method and, to get an answer, an id (a "
    "string or a whole number). Batches are not part of this protocol."
)
REFUSED = json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": NO_MESSAGE}}).encode()
IN_SENTENCES = {
    b'"message":"Validation error: ': REFUSED,
    b'"message":"Body must be a single JSON-RPC request': REFUSED,
    b"Invalid Host header": b"This server does not answer to that Host; the operator can list it in ALLOWED_HOSTS.",
    b"Invalid Origin header": REFUSAL.encode(),
    b"Invalid Content-Type header": b"Send JSON with the header Content-Type: application/json.",
}
"""What the SDK says of a request that it does not take, and what its caller is told instead."""


def is_mcp(scope: Scope) -> bool:
    return scope["path"] in (MCP_PATH, MCP_PATH + "/")


class Tidy:
    """/mcp/ is /mcp: older clients use the one, newer ones the other, and a redirect loses the body. Blanks
    around header values, which the HTTP parser leaves in place, are not part of them (RFC 9110, 5.5). The case of a
    host's name means nothing, nor does that of a media type. No events are kept, so there are none to resume after:
    a client that asks for it gets a stream that begins now, where the SDK would give no answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            stripped = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
            headers = [(name, value.lower() if name == b"host" else value) for name, value in stripped]
            scope = {**scope, "headers": headers}
            if is_mcp(scope):
                plain = [(name, value.lower() if name == TYPE else value) for name, value in headers if name != RESUME]
                scope |= {"path": MCP_PATH, "raw_path": MCP_PATH.encode(), "headers": plain}
                asked: list[bytes] = []
                receive, send = noting(receive, asked), in_a_sentence(send, asked)
        await self._app(scope, receive, send)


def noting(receive: Receive, asked: list[bytes]) -> Receive:
    """`receive` that adds the parts of the body to `asked`."""

    async def noted() -> Message:
        message = await receive()
        asked.append(message.get("body", b""))
        return message

    return noted


def in_a_sentence(send: Send, asked: list[bytes]) -> Send:
    """`send` that says in words of ours why a request was not taken."""
    held: list[Message] = []

    async def told(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] in (202, 400, 403, 421):
            held.append(message)
            return
        if held:
            start, said = held.pop(), message.get("body", b"")
            if body := REFUSED if start["status"] == 202 and has_id(b"".join(asked)) else in_words(said):
                message = {**message, "body": body}
                start = {**start, "status": max(start["status"], 400), "headers": sized(start["headers"], len(body))}
            await send(start)
        await send(message)

    return told


def in_words(said: bytes) -> bytes | None:
    return next((ours for theirs, ours in IN_SENTENCES.items() if theirs in said), None)


def sized(headers: list[tuple[bytes, bytes]], length: int) -> list[tuple[bytes, bytes]]:
    kept = [pair for pair in headers if pair[0].lower() != b"content-length"]
    kind = [] if TYPE in (name.lower() for name, _ in kept) else [(TYPE, b"text/plain; charset=utf-8")]
    return [*kept, *kind, (b"content-length", b"%d" % length)]


def has_id(body: bytes) -> bool:
    """A message with a method and an id that is none, such as 1.5 or null, is a notification to the SDK, and whoever
    sent it would wait for the answer for ever."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and "method" in message and "id" in message
