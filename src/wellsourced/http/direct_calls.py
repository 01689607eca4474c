"""Answers plain JSON-RPC posts directly, as stdio does: no stream, no session task, no second parsing.

Whatever needs more goes on to the SDK's app: the handshake, streams, progress, notifications, 2026-era requests, and
every request that is not in the plainest form, so that refusals have one source. The SDK keeps the sessions; those
that were opened here are known by its responses.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.request_context import MCP_PATH, request_context
from wellsourced.mcp.dispatcher import Dispatcher
from wellsourced.mcp.json_rpc import (
    INTERNAL_ERROR,
    ProtocolError,
    RpcMessage,
    encode,
    error_line,
    meta_of,
    read_message,
    result_line,
)
from wellsourced.mcp.listings import METHODS
from wellsourced.mcp.server_info import HANDSHAKE_VERSIONS
from wellsourced.tool.answer import LARGE_ANSWER, encode_json, encode_long_text

Headers: TypeAlias = dict[bytes, bytes]

JUDGED_BY = frozenset({b"host", b"origin", b"content-type"})
SESSION = b"mcp-session-id"
VERSION = b"mcp-protocol-version"
VERSIONS = frozenset({None, *(version.encode() for version in HANDSHAKE_VERSIONS)})
ANSWERED = frozenset({*METHODS, "tools/call", "resources/read", "prompts/get", "completion/complete"}) - {
    "initialize",
    "server/discover",
}
# The SDK ends a session that it has not heard of for half an hour, so every few minutes one request goes its way.
SECONDS_WITHOUT_SDK = 300.0
MOST_SESSIONS = 10_000
MOST_KNOWN_SAFE = 1000
SENT_AT_ONCE = 2**18


class DirectCalls:
    """`stateless` is the setting under which a request needs no session."""

    def __init__(
        self, app: ASGIApp, dispatcher: Dispatcher, security: TransportSecuritySettings, *, stateless: bool
    ) -> None:
        self._app = app
        self._dispatcher = dispatcher
        self._security = TransportSecurityMiddleware(security)
        self._stateless = stateless
        self._safe: set[tuple[tuple[bytes, bytes], ...]] = set()
        self._sessions: OrderedDict[bytes, tuple[str, float]] = OrderedDict()
        self._running: dict[tuple[bytes, str | int | None], asyncio.Task[bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != MCP_PATH:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if scope["method"] != "POST":
            if scope["method"] == "DELETE":
                self._sessions.pop(headers.get(SESSION, b""), None)
            await self._app(scope, receive, send)
            return
        opening = await receive()
        message = plain_message(opening, request_context(scope).document)
        if message and await self._may_answer(scope, headers, message):
            await self._answer(scope, headers, message, receive, send)
            return
        if message and message.method == "notifications/cancelled":
            self._cancel(headers.get(SESSION, b""), message.params.get("requestId"))
        await self._hand_over(scope, replaying(opening, receive), send)

    async def _may_answer(self, scope: Scope, headers: Headers, message: RpcMessage) -> bool:
        if not is_plain_request(message, request_context(scope).tools) or not is_plain_http(headers):
            return False
        if not self._stateless and not self._is_session_of(headers.get(SESSION), scope):
            return False
        return await self._is_safe(scope)

    async def _is_safe(self, scope: Scope) -> bool:
        """By the SDK's check, which goes by three headers; what has passed it once passes it again."""
        said = tuple([pair for pair in scope["headers"] if pair[0] in JUDGED_BY])
        if said not in self._safe:
            if await self._security.validate_request(Request(scope), is_post=True) is not None:
                return False
            if len(self._safe) >= MOST_KNOWN_SAFE:
                self._safe.clear()
            self._safe.add(said)
        return True

    def _is_session_of(self, session: bytes | None, scope: Scope) -> bool:
        owner, since = self._sessions.get(session or b"", ("", 0.0))
        return owner == owner_key(scope) and time.monotonic() - since < SECONDS_WITHOUT_SDK

    async def _answer(self, scope: Scope, headers: Headers, message: RpcMessage, receive: Receive, send: Send) -> None:
        """Run the call; a client that closes the connection has given up on it."""
        session = headers.get(SESSION, b"")
        task = asyncio.create_task(self._response(scope, message))
        self._running[session, message.id] = task
        try:
            await asyncio.sleep(0)  # enough for what is kept in memory: nobody need watch the connection meanwhile
            if task.done() or await finished_before_disconnect(task, receive):
                await send_json(send, line_of(task, message), session)
        finally:
            task.cancel()
            if self._running.get((session, message.id)) is task:
                del self._running[session, message.id]

    async def _response(self, scope: Scope, message: RpcMessage) -> bytes:
        try:
            return result_line(message.id, await self._result(scope, message))
        except ProtocolError as error:
            error.id = message.id
            return error_line(error)
        except Exception:  # noqa: BLE001 - nothing may leave as a traceback
            return error_line(ProtocolError(INTERNAL_ERROR, "Internal error", id=message.id))

    async def _result(self, scope: Scope, message: RpcMessage) -> bytes:
        context = request_context(scope)
        if message.method in METHODS:
            return self._dispatcher.listings.answer(message)
        if message.method != "tools/call":
            result = await self._dispatcher.handle(message.method, message.params, identity=context.identity)
            return await asyncio.to_thread(encode_resource, result) if is_large_resource(result) else encode(result)
        answer = await self._dispatcher.call_tool(
            message.params, identity=context.identity, request_id=context.request_id, source_ip=context.address
        )
        return await answer.encoded_result({}, None)

    def _cancel(self, session: bytes, wanted: object) -> None:
        """Types are compared, too: to Python true equals 1."""
        if isinstance(wanted, str | int) and not isinstance(wanted, bool):
            task = self._running.get((session, wanted))
            if task:
                task.cancel()

    async def _hand_over(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_and_note(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._note_session(scope, message)
            await send(message)

        await self._app(scope, receive, send_and_note)

    def _note_session(self, scope: Scope, start: Message) -> None:
        """Remember the session that the SDK opened or used in this response, or forget one it does not know."""
        if start["status"] >= 400:
            self._sessions.pop(dict(scope["headers"]).get(SESSION, b""), None)
        elif session := dict(start.get("headers", ())).get(SESSION):
            self._sessions[session] = (owner_key(scope), time.monotonic())
            self._sessions.move_to_end(session)
            if len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)


def is_large_resource(result: Mapping[str, Any]) -> bool:
    return sum(len(part.get("text", "")) for part in result.get("contents", ())) > LARGE_ANSWER


def encode_resource(result: Mapping[str, Any]) -> bytes:
    """The contents of a resource as JSON, its text in pieces."""
    [content] = result["contents"]
    about = encode_json({name: value for name, value in content.items() if name != "text"})
    return b'{"contents":[' + about[:-1] + b',"text":' + encode_long_text(content["text"]) + b"}]}"


def plain_message(opening: Message, document: Any) -> RpcMessage | None:
    """The message in a body that came whole, and was parsed; None for what the SDK is to answer or refuse."""
    if opening["type"] != "http.request" or opening.get("more_body", False):
        return None
    try:
        return read_message(document)
    except ProtocolError:
        return None


def is_plain_request(message: RpcMessage, tools: Sequence[str]) -> bool:
    """A request without the 2026 envelope that needs no stream: none that asks for progress.

    `tools` are those that the middleware read from the body and checked scopes and rate limits for; no other is called.
    """
    if not message.is_request or message.is_modern or message.method not in ANSWERED:
        return False
    if message.method == "tools/call" and message.params.get("name") not in tools:
        return False
    return "progressToken" not in meta_of(message.params)


def is_plain_http(headers: Mapping[bytes, bytes]) -> bool:
    accepted = headers.get(b"accept", b"").lower()
    takes_both = b"application/json" in accepted and b"text/event-stream" in accepted
    kind = headers.get(b"content-type", b"").split(b";")[0].strip()
    return takes_both and kind == b"application/json" and headers.get(VERSION) in VERSIONS


def owner_key(scope: Scope) -> str:
    """Whom a session belongs to: a signed-in person's is theirs alone, as the SDK has it."""
    return request_context(scope).identity.owner if "user" in scope else ""


def replaying(opening: Message, receive: Receive) -> Receive:
    waiting = [opening]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


async def finished_before_disconnect(task: asyncio.Task[bytes], receive: Receive) -> bool:
    gone = asyncio.create_task(disconnected(receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        return task.done()
    finally:
        gone.cancel()


async def disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def line_of(task: asyncio.Task[bytes], message: RpcMessage) -> bytes:
    """A cancelled request has no response in the protocol, but HTTP needs one."""
    with contextlib.suppress(asyncio.CancelledError):
        return task.result()
    return error_line(ProtocolError(0, "Request cancelled", id=message.id))


async def send_json(send: Send, body: bytes, session: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if session:
        headers.append((SESSION, session))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for start in range(0, len(body), SENT_AT_ONCE):  # so that others have their turn between the pieces of a large one
        piece, is_last = body[start : start + SENT_AT_ONCE], start + SENT_AT_ONCE >= len(body)
        await send({"type": "http.response.body", "body": piece, "more_body": not is_last})
