"""web-search-brave-tool: the web through Brave's API."""

from __future__ import annotations

from wellsourced.programs.brave_schema import SCHEMA
from wellsourced.programs.main_loop import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "web-search-brave-tool"
SIGNUP = "https://brave.com/search/api/"
MOST = 20
QUOTA = "Rate limit exceeded. You've used your free search quota (2,000/month)."
MISSING = (
    "Web search requires API key configuration.\n\nBrave Search offers 2,000 free searches/month.\n"
    f"Get your key: {SIGNUP}\nAdd to: ~/.config/ikigai/credentials.json as 'web_search.brave.api_key'"
)
SETUP = (
    "⚠ Configuration Required\n\nWeb search needs an API key. Brave Search offers 2,000 free searches/month.\n\n"
    f"Get your key: {SIGNUP}\nAdd to: ~/.config/ikigai/credentials.json\n\nExample:\n"
    '{\n  "web_search": {\n    "brave": {\n      "api_key": "your-api-key-here"\n    }\n  }\n}'
)


def main() -> int:
    return program(NAME, SCHEMA, answer, "API_ERROR")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    from wellsourced.programs import fields
    from wellsourced.programs.engine import Engine, ask
    from wellsourced.programs.results import chosen, listed
    from wellsourced.upstreams.types.search import WebQuery

    text = fields.query(request)
    count = fields.number(request, "count" if "count" in request else "num", 10, 1, MOST)
    offset = fields.number(request, "offset", _page(request, count), 0)
    allowed, blocked = fields.domains(request, "allowed_domains"), fields.domains(request, "blocked_domains")
    engine = Engine(provider="brave", title="Brave Search", quota=QUOTA, values={"BRAVE_API_KEY": key()})
    asked = MOST if allowed or blocked else count
    body = ask(engine, WebQuery(text=text, count=asked), {"offset": str(offset)})
    rows = listed(body["web"], "results", ("type",)) if body.get("web") else listed(body, "results", ("type", "query"))
    return chosen(rows, "url", "description", count, allowed, blocked)


def _page(request: dict[str, Any], count: int) -> int:
    """Google's `start` counts results from one, Brave's offset counts pages from nought."""
    from wellsourced.programs import fields

    return (fields.number(request, "start", 1, 1) - 1) // count


def key() -> str:
    import json

    from wellsourced.programs.credentials import credential
    from wellsourced.programs.program_error import AUTH_MISSING, Failure

    found = credential("BRAVE_API_KEY", "brave", "api_key")
    if found:
        return found
    data = {"tool": "web_search_brave", "credential": "api_key", "signup_url": SIGNUP}
    raise Failure(MISSING, AUTH_MISSING, {"kind": "config_required", "content": SETUP, "data_json": json.dumps(data)})
