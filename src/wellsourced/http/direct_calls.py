"""Answers plain JSON-RPC posts directly, as stdio does: no stream, no session task, no second parsing.

Whatever needs more goes on to the SDK's app: streams, progress, 2026-era requests, and every request that is not in the
plainest form, so that refusals have one source. A session is opened and ended here; when one of its requests goes to
the SDK, it gets a second one there, opened the way clients open theirs, and the ids are exchanged on the way.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.allowed_callers import AllowedCallers
from wellsourced.http.request_context import MCP_PATH, request_context
from wellsourced.http.sessions import McpSession, McpSessions
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

SESSION = b"mcp-session-id"
VERSION = b"mcp-protocol-version"
VERSIONS = frozenset({None, *(version.encode() for version in HANDSHAKE_VERSIONS)})
ANSWERED = frozenset({*METHODS, "tools/call", "resources/read", "prompts/get", "completion/complete"}) - {
    "server/discover"
}
CANCELLED = "notifications/cancelled"
INITIALIZED = encode({"jsonrpc": "2.0", "method": "notifications/initialized"})
TOO_MANY = error_line(ProtocolError(INTERNAL_ERROR, "Too many open sessions"))
PASSED_ON = frozenset({b"host", b"origin"})
TO_SDK = [(b"accept", b"application/json, text/event-stream"), (b"content-type", b"application/json")]
EVENTS = b"text/event-stream"
LIFE_SECONDS = 15.0
SENT_AT_ONCE = 2**18


class DirectCalls:
    def __init__(self, app: ASGIApp, dispatcher: Dispatcher, allowed: AllowedCallers) -> None:
        self._app = app
        self._dispatcher = dispatcher
        self._allowed = allowed
        self._stateless = dispatcher.app.settings.flag("HTTP_STATELESS")
        self._sessions = McpSessions()
        self._running: dict[tuple[bytes, str | int | None], asyncio.Task[bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != MCP_PATH:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        session = self._sessions.find(headers.get(SESSION), owner_key(scope))
        if scope["method"] == "POST":
            await self._post(scope, headers, session, receive, send)
        elif scope["method"] == "DELETE" and session and self._allowed.allow(scope):
            self._sessions.end(session)
            await (self._hand_over(scope, session, receive, send) if session.sdk_id else send_status(send, 200))
        elif scope["method"] == "GET" and session and self._may_listen(scope, headers, session):
            await self._listen(session, receive, send)
        else:
            await self._hand_over(scope, session, receive, send)

    def _may_listen(self, scope: Scope, headers: Headers, session: McpSession) -> bool:
        """One stream a session; what becomes of a second one, the SDK says."""
        is_first = not session.busy and not session.sdk_id
        return is_first and EVENTS in headers.get(b"accept", b"").lower() and self._allowed.allow(scope)

    async def _listen(self, session: McpSession, receive: Receive, send: Send) -> None:
        """An open stream, on which a server that asks nothing of its clients sends signs of life alone."""
        headers = [(b"content-type", EVENTS), (b"cache-control", b"no-cache, no-transform"), (SESSION, session.id)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        ends = {asyncio.create_task(disconnected(receive)), asyncio.create_task(session.over.wait())}
        try:
            with self._sessions.held(session):
                while not (await asyncio.wait(ends, timeout=LIFE_SECONDS, return_when=asyncio.FIRST_COMPLETED))[0]:
                    await send({"type": "http.response.body", "body": b": ping\r\n\r\n", "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            for each in ends:
                each.cancel()

    async def _post(
        self, scope: Scope, headers: Headers, session: McpSession | None, receive: Receive, send: Send
    ) -> None:
        opening = await receive()
        message = plain_message(opening, request_context(scope).document)
        if message and self._may_answer(scope, headers, session, message):
            if message.is_request:
                await self._answer(scope, session, message, receive, send)
                return
            if message.method == CANCELLED:
                self._cancel(session, message.params.get("requestId"))
            if not session or not session.sdk_id:
                await send_status(send, 202)
                return
        await self._hand_over(scope, session, replaying(opening, receive), send)

    def _may_answer(self, scope: Scope, headers: Headers, session: McpSession | None, message: RpcMessage) -> bool:
        if message.is_modern or not is_plain_http(headers) or not self._allowed.allow(scope):
            return False
        if message.method == "initialize":
            return SESSION not in headers and is_plain_opening(message)
        if session is None and not self._stateless:
            return False
        return not message.is_request or is_plain_request(message, request_context(scope).tools)

    async def _answer(
        self, scope: Scope, session: McpSession | None, message: RpcMessage, receive: Receive, send: Send
    ) -> None:
        """Run the call; a client that closes the connection has given up on it."""
        if message.method == "initialize" and not self._stateless:
            session = self._sessions.open(owner_key(scope), message.params["protocolVersion"])
            if session is None:
                await send_json(send, TOO_MANY, b"", 503)
                return
        id = session.id if session else b""
        task = asyncio.create_task(self._response(scope, message))
        self._running[id, message.id] = task
        try:
            await asyncio.sleep(0)  # enough for what is kept in memory: nobody need watch the connection meanwhile
            if task.done() or await finished_before_disconnect(task, receive):
                await send_json(send, line_of(task, message), id)
        finally:
            task.cancel()
            if self._running.get((id, message.id)) is task:
                del self._running[id, message.id]

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

    def _cancel(self, session: McpSession | None, wanted: object) -> None:
        """Types are compared, too: to Python true equals 1."""
        if isinstance(wanted, str | int) and not isinstance(wanted, bool):
            task = self._running.get((session.id if session else b"", wanted))
            if task:
                task.cancel()

    async def _hand_over(self, scope: Scope, session: McpSession | None, receive: Receive, send: Send) -> None:
        if session is None:
            await self._app(scope, receive, send)
            return
        with self._sessions.held(session):
            await self._open_in_sdk(scope, session)
            headers = [pair for pair in scope["headers"] if pair[0] != SESSION]
            # Where the SDK refused to open one, it refuses this for the same reason.
            headers += [(SESSION, session.sdk_id)] if session.sdk_id else []
            await self._app({**scope, "headers": headers}, receive, naming_session(send, session.id))

    async def _open_in_sdk(self, scope: Scope, session: McpSession) -> None:
        async with session.opening:
            id = session.sdk_id
            if not self._sessions.is_open_in_sdk(session):
                id = await self._post_to_sdk(scope, opening_of(session), [])
                if id:
                    await self._post_to_sdk(scope, INITIALIZED, [(SESSION, id)])
            self._sessions.note_sdk_id(session, id)

    async def _post_to_sdk(self, scope: Scope, body: bytes, headers: list[tuple[bytes, bytes]]) -> bytes:
        """The session that the response names."""
        passed_on = [pair for pair in scope["headers"] if pair[0] in PASSED_ON]
        named: list[bytes] = []

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                named.extend(value for name, value in message["headers"] if name == SESSION)

        whole: Message = {"type": "http.request", "body": body, "more_body": False}
        asked = {**scope, "method": "POST", "headers": [*passed_on, *TO_SDK, *headers]}
        await self._app(asked, replaying(whole, never), send)
        return named[0] if named else b""


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
    """A request that needs no stream: none that asks for progress.

    `tools` are those that the middleware read from the body and checked scopes and rate limits for; no other is called.
    """
    if message.method not in ANSWERED:
        return False
    if message.method == "tools/call" and message.params.get("name") not in tools:
        return False
    return "progressToken" not in meta_of(message.params)


def is_plain_opening(message: RpcMessage) -> bool:
    """A handshake in which everything stands that must; what is wrong with another one is said by the SDK."""
    params, who = message.params, message.params.get("clientInfo")
    return (
        message.is_request
        and isinstance(params.get("protocolVersion"), str)
        and isinstance(params.get("capabilities"), dict)
        and isinstance(who, dict)
        and all(isinstance(who.get(name), str) for name in ("name", "version"))
        and not meta_of(params)
    )


def opening_of(session: McpSession) -> bytes:
    who = {"name": "wellsourced", "version": "1"}
    params = {"protocolVersion": session.version, "capabilities": {}, "clientInfo": who}
    return encode({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})


def is_plain_http(headers: Mapping[bytes, bytes]) -> bool:
    accepted = headers.get(b"accept", b"").lower()
    takes_both = b"application/json" in accepted and EVENTS in accepted
    kind = headers.get(b"content-type", b"").split(b";")[0].strip()
    return takes_both and kind == b"application/json" and headers.get(VERSION) in VERSIONS


def owner_key(scope: Scope) -> str:
    """Whom a session belongs to: a signed-in person's is theirs alone, as the SDK has it."""
    return request_context(scope).identity.owner if request_context(scope).issuer else ""


def replaying(opening: Message, receive: Receive) -> Receive:
    waiting = [opening]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


async def never() -> Message:
    """What a client that stays connected sends after its request."""
    return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]


def naming_session(send: Send, id: bytes) -> Send:
    """`send` that names the session as its client knows it."""

    async def name_and_send(message: Message) -> None:
        if message["type"] == "http.response.start":
            named = [(name, id if name == SESSION else value) for name, value in message["headers"]]
            message = {**message, "headers": named}
        await send(message)

    return name_and_send


async def finished_before_disconnect(task: asyncio.Task[bytes], receive: Receive) -> bool:
    """Whether there is something to answer, and somebody to answer it to; who leaves ends the call."""
    gone = asyncio.create_task(disconnected(receive))
    gone.add_done_callback(lambda _: task.cancel())
    try:
        await task
    except asyncio.CancelledError:
        if (this := asyncio.current_task()) is None or this.cancelling():  # the server ends, not the call alone
            raise
    finally:
        gone.cancel()
    return not gone.done()


async def disconnected(receive: Receive) -> bool:
    while (await receive())["type"] != "http.disconnect":
        pass
    return True


def line_of(task: asyncio.Task[bytes], message: RpcMessage) -> bytes:
    """A cancelled request has no response in the protocol, but HTTP needs one."""
    with contextlib.suppress(asyncio.CancelledError):
        return task.result()
    return error_line(ProtocolError(0, "Request cancelled", id=message.id))


async def send_json(send: Send, body: bytes, session: bytes, status: int = 200) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if session:
        headers.append((SESSION, session))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    for start in range(0, len(body), SENT_AT_ONCE):  # so that others have their turn between the pieces of a large one
        piece, is_last = body[start : start + SENT_AT_ONCE], start + SENT_AT_ONCE >= len(body)
        await send({"type": "http.response.body", "body": piece, "more_body": not is_last})


async def send_status(send: Send, status: int) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
