"""The innermost door: what the SDK's app takes literally is brought into the one form it knows, and its refusals
into sentences."""

from __future__ import annotations

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.server.hardening.cors import REFUSAL

MCP_PATH = "/mcp"
NO_MESSAGE = (
    "This is not a JSON-RPC 2.0 message. Send one JSON object with jsonrpc, method and, to get an answer, an id (a "
    "string or a whole number). Batches are not part of this protocol."
)
IN_SENTENCES = {
    b'"message":"Validation error: ': json.dumps(
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": NO_MESSAGE}}
    ).encode(),
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
    host's name means nothing."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            stripped = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
            headers = [(name, value.lower() if name == b"host" else value) for name, value in stripped]
            scope = {**scope, "headers": headers}
            if is_mcp(scope):
                scope |= {"path": MCP_PATH, "raw_path": MCP_PATH.encode()}
                send = in_a_sentence(send)
        await self._app(scope, receive, send)


def in_a_sentence(send: Send) -> Send:
    """`send` that says in words of ours why a request was not taken."""
    held: list[Message] = []

    async def told(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] in (400, 403, 421):
            held.append(message)
            return
        if held:
            start, said = held.pop(), message.get("body", b"")
            if body := next((ours for theirs, ours in IN_SENTENCES.items() if theirs in said), None):
                message = {**message, "body": body}
                kept = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
                start = {**start, "headers": [*kept, (b"content-length", b"%d" % len(body))]}
            await send(start)
        await send(message)

    return told
