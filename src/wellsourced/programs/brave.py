"""web-search-brave-tool: the web through Brave's API."""

from __future__ import annotations

from wellsourced.programs.program import run_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "web-search-brave-tool"
SIGNUP = "https://brave.com/search/api/"
MOST_RESULTS = 20
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
    return run_program(NAME, "web_search_brave", answer_request, "API_ERROR")


def answer_request(request: dict[str, Any]) -> dict[str, Any]:
    from wellsourced.programs.request_fields import read_domains, read_number, read_query
    from wellsourced.programs.search_engine import SearchEngine, query_engine, result_rows, select_results
    from wellsourced.upstreams.types.search import WebQuery

    text = read_query(request)
    count = read_number(request, "count" if "count" in request else "num", 10, 1, MOST_RESULTS)
    offset = read_number(request, "offset", _start_page(request, count), 0)
    allowed, blocked = read_domains(request, "allowed_domains"), read_domains(request, "blocked_domains")
    engine = SearchEngine(provider="brave", title="Brave Search", quota=QUOTA, values={"BRAVE_API_KEY": read_key()})
    # Rows are left out afterwards, so more are asked for where domains are given.
    wanted = MOST_RESULTS if allowed or blocked else count
    body = query_engine(engine, WebQuery(text=text, count=wanted), {"offset": str(offset)})
    web = body.get("web")
    rows = result_rows(web, "results", ("type",)) if web else result_rows(body, "results", ("type", "query"))
    return select_results(rows, "url", "description", count, allowed, blocked)


def _start_page(request: dict[str, Any], count: int) -> int:
    """Google's `start` counts results from one, Brave's offset counts pages from nought."""
    from wellsourced.programs.request_fields import read_number

    return (read_number(request, "start", 1, 1) - 1) // count


def read_key() -> str:
    import json

    from wellsourced.programs.credentials import credential
    from wellsourced.programs.program import AUTH_MISSING, ProgramError

    key = credential("BRAVE_API_KEY", "brave", "api_key")
    if key:
        return key
    data = {"tool": "web_search_brave", "credential": "api_key", "signup_url": SIGNUP}
    raise ProgramError(
        MISSING, AUTH_MISSING, {"kind": "config_required", "content": SETUP, "data_json": json.dumps(data)}
    )
