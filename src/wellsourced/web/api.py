"""What the page asks and is told, as JSON: the tools through the app, the sessions, the library."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from wellsourced import __version__
from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.sessions.session_json import session_summary
from wellsourced.tool.answer import encode_json
from wellsourced.upstream import Kind
from wellsourced.web.access import HEADERS, Entrance, TurnedAway, check_weighed
from wellsourced.web.request_body import read_object
from wellsourced.web.views import kept_json, outcome

if TYPE_CHECKING:
    from wellsourced.mcp.dispatcher import Dialogue

SEARCHES = {"web": Kind.WEB, "news": Kind.NEWS, "papers": Kind.PAPERS}
LISTED = 50
LONGEST_QUESTION = 500


class Api:
    def __init__(self, dialogue: Dialogue, entrance: Entrance, *, has_demo: bool) -> None:
        self._dialogue = dialogue
        self._app = dialogue.app
        self._entrance = entrance
        self._has_demo = has_demo

    async def call(self, request: Request) -> Response:
        """One tool, through the same layers as everywhere."""
        given = await read_json(request)
        tool, arguments = given.get("tool"), given.get("arguments", {})
        if not isinstance(tool, str) or not self._dialogue.listings.offers(tool):
            raise TurnedAway(404, "This server offers no such tool.")
        if not isinstance(arguments, dict):
            raise TurnedAway(400, "arguments must be a JSON object.")
        check_weighed(request, tool)
        return as_json(outcome(await self._entrance.ask(self._app, request, tool, arguments)))

    async def about(self, request: Request) -> Response:
        app, listings = self._app, self._dialogue.listings
        tools = [json.loads(entry["json"]) for entry in listings.tools]
        base = app.settings.text("PUBLIC_URL").rstrip("/") or str(request.base_url).rstrip("/")
        told = {
            "version": __version__,
            "mcp": f"{base}/mcp",
            "tools": [{name: tool.get(name) for name in ("name", "title", "description")} for tool in tools],
            "demo": self._has_demo,
            "providers": {name: app.services.upstreams.configured(kind) for name, kind in SEARCHES.items()},
            "lenses": app.services.lenses.catalogue(),
            "library": app.services.library.is_open,
        }
        return as_json(encode_json(told))

    async def sessions(self, request: Request) -> Response:
        try:
            found = await self._app.services.sessions.store.sessions_of(self._entrance.identity(request))
        except WellsourcedError as problem:
            raise TurnedAway(503, problem.sentence) from None
        return as_json(encode_json({"sessions": [session_summary(session) for session in found]}))

    async def library(self, request: Request) -> Response:
        """What was read lately, or with `q` what answers it."""
        from wellsourced.storage.library.store import LibraryFilters

        library, identity = self._app.services.library, self._entrance.identity(request)
        question = request.query_params.get("q", "").strip()[:LONGEST_QUESTION]
        try:
            if question:
                found = await library.search(question, identity, limit=LISTED)
                entries = [kept_json(result.about, result.passage) for result in found]
            else:
                entries = [kept_json(kept) for kept in await library.listed(identity, LibraryFilters(), LISTED)]
            total = (await library.totals(identity)).documents
        except WellsourcedError as problem:
            raise TurnedAway(400 if isinstance(problem, BadInput) else 503, problem.sentence) from None
        return as_json(encode_json({"entries": entries, "total": total}))

    async def library_entry(self, request: Request) -> Response:
        try:
            whole = await self._app.services.library.fetch(request.path_params["id"], self._entrance.identity(request))
        except WellsourcedError as problem:
            raise TurnedAway(503, problem.sentence) from None
        if whole is None:
            raise TurnedAway(404, "The library has no such entry any more.")
        return as_json(encode_json({**kept_json(whole.about), "text": whole.text}))


def as_json(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers=HEADERS)


async def read_json(request: Request) -> dict[str, Any]:
    """The body as an object; how large it may be is decided in front."""
    value = read_object(await request.body())
    if value is None:
        raise TurnedAway(400, "The request must be a JSON object.")
    return value
