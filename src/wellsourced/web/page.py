"""The first page: what runs here, and the lines to paste into a client."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from wellsourced import __version__

if TYPE_CHECKING:
    from wellsourced.server.dialogue import Dialogue

STYLE = Path(__file__).with_name("style.css")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def page_routes(dialogue: Dialogue) -> list[Route]:
    async def first_page(request: Request) -> Response:
        return HTMLResponse(render(dialogue, str(request.base_url)), headers=HEADERS)

    async def style(request: Request) -> Response:
        return Response(STYLE.read_bytes(), media_type="text/css", headers=HEADERS)

    return [Route("/", first_page), Route("/style.css", style)]


def render(dialogue: Dialogue, base: str) -> str:
    address = f"{base}mcp"
    configuration = json.dumps({"mcpServers": {"wellsourced": {"type": "http", "url": address}}}, indent=2)
    tools = [json.loads(entry["json"]) for entry in dialogue.listings.tools]
    rows = "".join(f"<tr><th scope=row>{escape(t['name'])}<td>{escape(t['description'])}" for t in tools)
    states = dialogue.desk.services.driver.states()
    health = "".join(
        f"<tr><th scope=row>{escape(p.title)}<td>{'resting' if s == 'open' else 'ready'}" for p, s in states
    )
    return f"""<!doctype html>
<html lang=en>
<meta charset=utf-8>
<meta name=viewport content="width=device-width, initial-scale=1">
<title>Wellsourced</title>
<link rel=stylesheet href=/style.css>
<main>
<h1>Wellsourced <small>{escape(__version__)}</small></h1>
<p>This server hands assistants real, checkable sources. It is ready.
<h2>Connect a client</h2>
<p>For clients that read a JSON file:
<pre tabindex=0>{escape(configuration)}</pre>
<p>For Claude Code:
<pre tabindex=0>claude mcp add --transport http wellsourced {escape(address)}</pre>
<h2>Tools</h2>
<table><tbody>{rows}</table>
<h2>Providers</h2>
<table><tbody>{health}</table>
</main>
"""
