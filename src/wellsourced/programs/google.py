"""web-search-google-tool: the web through Google's Custom Search API.

One domain goes into `siteSearch`. Several allowed ones, and blocked ones beside them, become `site:` operators in the
one query, which costs a single unit of the quota; every result is checked against both lists afterwards.
"""

from __future__ import annotations

from wellsourced.programs.program import run_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from wellsourced.upstreams.types.search import WebQuery

NAME = "web-search-google-tool"
MOST_RESULTS, LAST_START = 10, 91
OVERVIEW = "https://developers.google.com/custom-search/v1/overview"
PANEL = "https://programmablesearchengine.google.com/controlpanel/create"
QUOTA = "Rate limit exceeded. You've used your free search quota (100/day)."
MISSING = (
    "Web search requires API key configuration.\n\nGoogle Custom Search offers 100 free searches/day.\n"
    f"Get API key: {OVERVIEW}\nGet Search Engine ID: {PANEL}\n"
    "Add to: ~/.config/ikigai/credentials.json as 'web_search.google.api_key' and 'web_search.google.engine_id'"
)
SETUP = (
    "⚠ Configuration Required\n\nWeb search needs an API key and Search Engine ID. Google Custom Search offers 100 "
    f"free searches/day.\n\nGet API key: {OVERVIEW}\nGet Search Engine ID: {PANEL}\n"
    "Add to: ~/.config/ikigai/credentials.json\n\nExample:\n"
    '{\n  "web_search": {\n    "google": {\n      "api_key": "your-api-key-here",\n'
    '      "engine_id": "your-search-engine-id"\n    }\n  }\n}'
)


def main() -> int:
    return run_program(NAME, "web_search_google", answer_request, "API_ERROR")


def answer_request(request: dict[str, Any]) -> dict[str, Any]:
    from wellsourced.programs.request_fields import read_domains, read_number, read_query
    from wellsourced.programs.search_engine import SearchEngine, query_engine, result_rows, select_results

    text = read_query(request)
    num = read_number(request, "num" if "num" in request else "count", MOST_RESULTS, 1, MOST_RESULTS)
    offset = read_number(request, "offset", 0, 0, LAST_START - 1)
    start = read_number(request, "start", offset + 1, 1, LAST_START)
    allowed, blocked = read_domains(request, "allowed_domains"), read_domains(request, "blocked_domains")
    engine = SearchEngine(provider="google", title="Google Custom Search", quota=QUOTA, values=read_keys())
    paging = {"num": str(num), "start": str(start), **lone_blocked(allowed, blocked)}
    body = query_engine(engine, build_query(text, num, allowed, blocked), paging)
    rows = result_rows(body, "items", ("kind", "queries", "searchInformation"))
    return select_results(rows, "link", "snippet", num, allowed, blocked)


def build_query(text: str, num: int, allowed: Sequence[str], blocked: Sequence[str]) -> WebQuery:
    from wellsourced.upstreams.types.search import WebQuery

    unwanted = [] if lone_blocked(allowed, blocked) else [f"-site:{domain}" for domain in blocked]
    return WebQuery(text=" ".join([text, *unwanted]), count=num, sites=tuple(allowed), safe="off")


def lone_blocked(allowed: Sequence[str], blocked: Sequence[str]) -> dict[str, str]:
    """`siteSearch` excludes one domain, where it is not needed to include one."""
    if allowed or len(blocked) != 1:
        return {}
    return {"siteSearch": blocked[0], "siteSearchFilter": "e"}


def read_keys() -> dict[str, str]:
    import json

    from wellsourced.programs.credentials import credential
    from wellsourced.programs.program import AUTH_MISSING, ProgramError

    key = credential("GOOGLE_SEARCH_API_KEY", "google", "api_key")
    engine = credential("GOOGLE_SEARCH_ENGINE_ID", "google", "engine_id")
    if key and engine:
        return {"GOOGLE_CUSTOM_SEARCH_API_KEY": key, "GOOGLE_CUSTOM_SEARCH_ID": engine}
    data = {"tool": "web_search_google", "credentials": ["api_key", "engine_id"]}
    raise ProgramError(
        MISSING, AUTH_MISSING, {"kind": "config_required", "content": SETUP, "data_json": json.dumps(data)}
    )
