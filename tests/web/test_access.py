"""Who may ask the workbench anything, and who is turned away with which sentence."""

from __future__ import annotations

from collections.abc import Mapping

from tests.http.http_server import http_server
from tests.web.requests import SAME_ORIGIN, PageClient, post, with_page
from wellsourced.http.request_context import RequestContext
from wellsourced.identity import Identity

CALL = {"tool": "format_bibliography", "arguments": {"sources": [{"title": "A title", "url": "https://a.example/"}]}}
KEY = "schlüssel-Δ-1234"
SENT_KEY = KEY.encode().decode("latin-1")
PUBLIC_HOST = "xn--w-0fa.example:8443"
PATHS = ("about", "sessions", "library", "library/x", "projects", "projects/x", "health", "events")


def without(*names: str, **others: str) -> dict[str, str]:
    changed = {name.replace("_", "-"): value for name, value in others.items()}
    return {name: value for name, value in {**SAME_ORIGIN, **changed}.items() if name not in names}


TURNED_AWAY: list[tuple[str, Mapping[str, str], int]] = [
    ("another page's form", without(content_type="text/plain"), 415),
    ("a form's content type", without(content_type="application/x-www-form-urlencoded"), 415),
    ("no content type", without("content-type"), 415),
    ("a page elsewhere", without(sec_fetch_site="cross-site"), 403),
    ("a sibling host", without(sec_fetch_site="same-site"), 403),
    ("a bookmark", without(sec_fetch_site="none"), 403),
    ("an older browser elsewhere", without("sec-fetch-site", origin="https://evil.example"), 403),
    ("a sandboxed frame", without("sec-fetch-site", origin="null"), 403),
    ("an origin that is none", without("sec-fetch-site", origin="http://["), 403),
    ("another port", without("sec-fetch-site", origin="http://127.0.0.1:9999"), 403),
    ("no proof at all", without("sec-fetch-site"), 403),
    ("a rebound name", without(host="evil.example:8765"), 421),
    ("a rebound name that claims our origin", without(host="evil.example", origin="http://evil.example"), 421),
    ("a name that begins like ours", without(host="127.0.0.1.evil.example"), 421),
    ("no host", without(host=""), 421),
]


def test_only_the_page_itself_may_have_tools_called(quiet_environment: Mapping[str, str]) -> None:
    async def script(client: PageClient) -> None:
        for what, headers, status in TURNED_AWAY:
            for path in ("call", "audit", "demo"):
                reply = await client.request("POST", f"/api/{path}", CALL, headers=headers)
                assert (reply.status, bool(reply.json["error"])) == (status, True), what
        for headers in (SAME_ORIGIN, without("sec-fetch-site", origin="http://127.0.0.1:8765")):
            reply = await client.request("POST", "/api/call", CALL, headers=headers)
            assert "A title" in reply.json["content"]["bibliography"]
        assert (await client.request("GET", "/api/call")).status == 405

    with_page(quiet_environment, script)


def test_reading_is_refused_to_other_names_and_other_pages(quiet_environment: Mapping[str, str]) -> None:
    async def script(client: PageClient) -> None:
        for path in PATHS:
            for headers, status in (({"host": "evil.example"}, 421), (without(sec_fetch_site="cross-site"), 403)):
                assert (await client.request("GET", f"/api/{path}", headers=headers)).status == status, path
        for path in ("/", "/static/main.js"):
            assert (await client.request("GET", path, headers={"host": "evil.example"})).status == 421
            assert (await client.request("GET", path, headers=without(sec_fetch_site="cross-site"))).status == 200
        for host in ("localhost", "[::1]:1", "research.example.org", "RESEARCH.example.org:443", PUBLIC_HOST):
            assert (await client.request("GET", "/api/about", headers={"host": host})).status == 200, host

    named = {"ALLOWED_HOSTS": "research.example.org", "PUBLIC_URL": "https://wä.Example:8443"}
    with_page({**quiet_environment, **named}, script)


def test_locked_by_the_admin_key(quiet_environment: Mapping[str, str]) -> None:
    async def script(client: PageClient) -> None:
        stranger = RequestContext("1", "127.0.0.1", identity=Identity("acme", "ada"))
        for wrong in ({}, {"x-admin-key": ""}, {"x-admin-key": "wrong"}):
            for path in PATHS:
                reply = await client.request("GET", f"/api/{path}", headers={**SAME_ORIGIN, **wrong}, context=stranger)
                assert (reply.status, reply.json["locked"], reply.json["signIn"]) == (401, True, False)
            assert (await client.request("POST", "/api/call", CALL, headers={**SAME_ORIGIN, **wrong})).status == 401
        for right in (SENT_KEY, "the one before"):
            headers = {**SAME_ORIGIN, "x-admin-key": right}
            assert (await client.request("GET", "/api/about", headers=headers)).status == 200
            assert (await client.request("POST", "/api/call", CALL, headers=headers)).json["content"]
        assert (await client.request("GET", "/")).status == 200

    locked = {"ADMIN_API_KEY": KEY, "ADMIN_API_KEY_PREV": "the one before"}
    with_page({**quiet_environment, **locked}, script)


def test_locked_by_sign_in(quiet_environment: Mapping[str, str]) -> None:
    step = {"searchStep": "Look", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "Ada's own question"}
    begin = {"tool": "sequential_search", "arguments": step}

    def signed_in(user: str, *tools: str) -> RequestContext:
        return RequestContext("1", "127.0.0.1", tools, Identity("acme", user))

    async def script(client: PageClient) -> None:
        unnamed = await client.request("GET", "/api/about", context=RequestContext("1", "127.0.0.1"))
        assert (unnamed.status, unnamed.json["signIn"]) == (401, True)
        begun = await client.request("POST", "/api/call", begin, context=signed_in("ada", "sequential_search"))
        assert begun.json["content"]["sessionId"]
        lists = [
            (await client.request("GET", "/api/sessions", context=signed_in(user))).json for user in ("ada", "bob")
        ]
        assert [[each["researchGoal"] for each in found["sessions"]] for found in lists] == [["Ada's own question"], []]

    with_page({**quiet_environment, "OAUTH_ISSUER_URL": "https://issuer.example"}, script)


def test_no_tool_is_called_but_those_that_scopes_and_limits_were_weighed_for(
    quiet_environment: Mapping[str, str],
) -> None:
    def weighed(*tools: str) -> RequestContext:
        return RequestContext("1", "127.0.0.1", tools)

    async def script(client: PageClient) -> None:
        for path in ("call", "audit"):
            assert (await client.request("POST", f"/api/{path}", CALL, context=weighed("web_search"))).status == 400
        assert (await client.request("POST", "/api/call", CALL, context=weighed("format_bibliography"))).status == 200

    with_page(quiet_environment, script)


def test_calls_of_the_workbench_count_against_the_tenant(quiet_environment: Mapping[str, str]) -> None:
    with http_server({**quiet_environment, "DAILY_QUOTA_PER_TENANT": "2"}) as address:
        headers = {"Content-Type": "application/json", "Origin": address}
        replies = [post(address + "/api/call", CALL, headers) for _ in range(3)]
        assert [status for status, _ in replies] == [200, 200, 429]
        assert replies[2][1]["retryAfterSeconds"] > 0
