"""An image of a page, fetched when a reader asks for it, by the server and through its guard: the browser sends nothing
to the site, and what comes back is an image or is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from wellsourced.errors import WellsourcedError
from wellsourced.net.request import OutgoingRequest
from wellsourced.web.access import HEADERS, RequestRefused, check_tool_was_seen
from wellsourced.web.api import IMAGE_TOOL, read_json

if TYPE_CHECKING:
    from wellsourced.mcp.dispatcher import Dispatcher

LARGEST = 8 * 1024 * 1024
SECONDS = 20.0
REDIRECTS = 5
TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml"})
# It is only ever asked for with POST and shown by <img>, where an SVG runs nothing; this holds should that change.
SHUT = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}


class ImageFetch:
    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    async def fetch(self, request: Request) -> Response:
        if not self._dispatcher.listings.offers(IMAGE_TOOL):
            raise RequestRefused(404, "This server reads no pages.")
        check_tool_was_seen(request, IMAGE_TOOL)
        url = (await read_json(request)).get("url")
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            raise RequestRefused(400, "url must be the http(s) address of an image.")
        wanted = OutgoingRequest(
            "GET", url, {"Accept": "image/*"}, timeout=SECONDS, max_bytes=LARGEST, redirects=REDIRECTS, as_chrome=True
        )
        try:
            reply = await self._dispatcher.app.page_client.send(wanted)
        except WellsourcedError as problem:
            raise RequestRefused(502, problem.sentence) from None
        kind = reply.headers.get("content-type", "").split(";")[0].strip().lower()
        if reply.status != 200 or kind not in TYPES:
            raise RequestRefused(502, f"No image came back from there (status {reply.status}).")
        return Response(reply.body, media_type=kind, headers={**HEADERS, **SHUT})
