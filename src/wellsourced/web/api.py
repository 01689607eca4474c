"""The JSON endpoints of the page: tool calls, sessions, what the server is; and how their answers are shaped.

The rate limits and scopes in front go by the same reading of a request's body (`requested_tools`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from wellsourced import __version__
from wellsourced.errors import WellsourcedError
from wellsourced.sessions.session_json import session_summary
from wellsourced.tool.answer import ToolAnswer, encode_json
from wellsourced.upstream import Kind
from wellsourced.web.access import HEADERS, AccessControl, RequestRefused, check_tool_was_seen

if TYPE_CHECKING:
    from wellsourced.mcp.dispatcher import Dispatcher

CALL_PATH = "/api/call"
STREAM_PATH = "/api/stream"
AUDIT_PATH = "/api/audit"
AUDIT_TOOL = "audit_bibliography"
IMAGE_PATH = "/api/image"
IMAGE_TOOL = "scrape_page"
# What these paths call whatever their body says: an image counts, and is allowed, like the page it stands in.
TOOL_OF_PATH = {AUDIT_PATH: AUDIT_TOOL, IMAGE_PATH: IMAGE_TOOL}
# What the page can look in, by its own names.
SEARCHES = {
    **{kind.value: kind for kind in (Kind.WEB, Kind.IMAGES, Kind.NEWS, Kind.PAPERS, Kind.PATENTS, Kind.FILINGS)},
    **{"courts": Kind.CASES, "statistics": Kind.SERIES, "trials": Kind.TRIALS, "places": Kind.PLACES},
}
TOLD_OF_TOOLS = ("name", "title", "description", "inputSchema")


class Api:
    def __init__(self, dispatcher: Dispatcher, access: AccessControl, *, has_demo: bool) -> None:
        self._dispatcher = dispatcher
        self._app = dispatcher.app
        self._access = access
        self._has_demo = has_demo

    async def call(self, request: Request) -> Response:
        """Call one tool, through the same pipeline as everywhere."""
        tool, arguments = await read_tool_call(request, self._dispatcher)
        return json_response(answer_json(await self._access.call_tool(request, tool, arguments)))

    async def about(self, request: Request) -> Response:
        app = self._app
        tools = [json.loads(entry["json"]) for entry in self._dispatcher.listings.tools]
        base = app.settings.text("PUBLIC_URL").rstrip("/") or str(request.base_url).rstrip("/")
        description = {
            "version": __version__,
            "mcp": f"{base}/mcp",
            "tools": [
                {name: tool.get(name) for name in ("name", "title", "description", "inputSchema")} for tool in tools
            ],
            "demo": self._has_demo,
            "providers": {name: app.services.upstreams.configured(kind) for name, kind in SEARCHES.items()},
            "lenses": app.services.lenses.catalogue(),
            "library": app.services.library.is_open,
            "librarySharing": app.services.library.is_shared,
        }
        return json_response(encode_json(description))

    async def sessions(self, request: Request) -> Response:
        try:
            sessions = await self._app.services.sessions.store.sessions_of(self._access.identity(request))
        except WellsourcedError as problem:
            raise RequestRefused(503, problem.sentence) from None
        return json_response(encode_json({"sessions": [session_summary(session) for session in sessions]}))


def requested_tools(path: str, body: bytes) -> tuple[str, ...]:
    """The tools that a request with this body will call; what cannot be parsed is left to the endpoint to refuse."""
    if path in TOOL_OF_PATH:
        return (TOOL_OF_PATH[path],)
    if path not in {CALL_PATH, STREAM_PATH}:
        return ()
    tool = (parse_object(body) or {}).get("tool")
    return (tool,) if isinstance(tool, str) else ()


async def read_tool_call(request: Request, dispatcher: Dispatcher) -> tuple[str, dict[str, Any]]:
    """The tool that is asked for, and its arguments."""
    body = await read_json(request)
    tool, arguments = body.get("tool"), body.get("arguments", {})
    if not isinstance(tool, str) or not dispatcher.listings.offers(tool):
        raise RequestRefused(404, "This server offers no such tool.")
    if not isinstance(arguments, dict):
        raise RequestRefused(400, "arguments must be a JSON object.")
    check_tool_was_seen(request, tool)
    return tool, arguments


async def read_json(request: Request) -> dict[str, Any]:
    """The body as an object; its size was limited by the middleware."""
    value = parse_object(await request.body())
    if value is None:
        raise RequestRefused(400, "The request must be a JSON object.")
    return value


def parse_object(body: bytes) -> dict[str, Any] | None:
    """The JSON object; None where it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def json_response(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers=HEADERS)


def answer_json(answer: ToolAnswer) -> bytes:
    """`content` is the tool's answer; or `error` has the sentence and its fields, so that the page can tell the kinds
    of failure apart."""
    if answer.error_text is None:
        return b'{"content":' + answer.body + b"}"
    return encode_json({"error": failure_json(answer.error_text, answer.error_kind)})


def failure_json(text: str, kind: str | None) -> dict[str, Any]:
    """The sentence, and the fields of the JSON line behind it; a text without such a line is about the input."""
    sentence, _, line = text.rpartition("\n\n")
    try:
        fields = json.loads(line)["error"] if sentence else {}
    except (ValueError, LookupError, TypeError):
        sentence, fields = text, {}
    return {"kind": kind, **fields, "sentence": sentence or text}
