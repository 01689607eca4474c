"""Of what one caller leaves behind, nothing appears in any answer, resource or view of the page of another.

For two users of one tenant, and for two callers without sign-in, told apart by MCP session or by a key of their own.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeAlias

import httpx2
import pytest

from tests.conftest import KEPT
from tests.http.http_server import http_server
from tests.loopback.run import Internet, keys
from tests.many_users.server import ACCEPT, META, MODERN, Person, Servers, decoded, message
from wellsourced.storage.library.store import document_id

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
SETTINGS = {
    "SEARCH_PROVIDER": "searxng",
    "ALLOW_PRIVATE_IPS": "true",
    "CHROME_PATH": "disabled",
    "LINK_THRESHOLD_BYTES": "1000",
    "SESSION_MAX_PER_USER": "3",
}
MOST_SESSIONS = 3
PROJECTS = "/api/projects"
STEP = {"stepNumber": 1, "nextStepNeeded": True}


@dataclass(frozen=True)
class Caller:
    """One who sends these headers with every request. `mark` is a word that only this caller says."""

    address: str
    headers: Mapping[str, str]
    mark: str
    wire: httpx2.Client

    def ask(self, method: str, **params: Any) -> str:
        """The answer as text; in the era without a handshake where the caller has no MCP session."""
        headers = {"accept": ACCEPT, **self.headers}
        if "mcp-session-id" not in self.headers:
            named = params.get("name") or params.get("uri")
            headers |= {"mcp-protocol-version": MODERN, "mcp-method": method, **({"mcp-name": named} if named else {})}
            params = {**params, "_meta": META}
        return self.wire.post(self.address + "/mcp", json=message(method, params), headers=headers).text

    def call(self, tool: str, **arguments: Any) -> str:
        return self.ask("tools/call", name=tool, arguments=arguments)

    def page(self, path: str) -> str:
        return self.wire.get(self.address + path, headers={"sec-fetch-site": "same-origin", **self.headers}).text

    def submit(self, path: str, body: Mapping[str, Any]) -> httpx2.Response:
        headers = {"sec-fetch-site": "same-origin", **self.headers}
        return self.wire.post(self.address + path, json=body, headers=headers)

    def first_event(self, path: str) -> str:
        headers = {"sec-fetch-site": "same-origin", **self.headers}
        with self.wire.stream("GET", self.address + path, headers=headers) as stream:
            return next(line for line in stream.iter_lines() if line.startswith("data:"))


@dataclass(frozen=True)
class Traces:
    """What a caller left: the address of a page, a session and its goal, an error, a large answer, a project."""

    url: str
    session: str
    artifact: str
    project: str
    mark: str


def leave_traces(caller: Caller, internet: Internet) -> Traces:
    url = f"{internet.base}/site/alpha/{caller.mark}?token={caller.mark}"
    caller.call("scrape_page", url=url)
    session = result(caller.call("sequential_search", searchStep="x", researchGoal=f"goal-{caller.mark}", **STEP))
    caller.call("scrape_page", url=url, sessionId=session["sessionId"])
    artifact = result(caller.call("scrape_page", url=url, mode="raw"))
    caller.call("memory_save", note=f"note-{caller.mark}", topic=caller.mark)
    caller.call("scrape_page", url=f"{internet.base}/status/404?{caller.mark}=error")
    caller.call("web_search", query="x", provider=f"no-{caller.mark}")
    caller.call("search_and_scrape", query=f"tides {caller.mark}", num_results=1)
    started = caller.submit(PROJECTS, {"name": f"project-{caller.mark}", "question": caller.mark}).json()
    project = started["projectId"]
    assert caller.submit(f"{PROJECTS}/{project}/add", {"kind": "source", "url": url}).status_code == 200
    return Traces(url, session["sessionId"], artifact["resource"], project, caller.mark)


def result(text: str) -> dict[str, Any]:
    content: dict[str, Any] = decoded(text)["result"]["structuredContent"]
    return content


def views(caller: Caller, traces: Traces) -> Iterator[tuple[str, str]]:
    """Everything in which a caller could meet the traces, by name; what only repeats the question is left out."""
    for entry in decoded(caller.ask("resources/list"))["result"]["resources"]:
        yield entry["uri"], caller.ask("resources/read", uri=entry["uri"])
    yield "artifact", caller.ask("resources/read", uri=traces.artifact).replace(traces.artifact, "")
    yield "get_research_session", caller.call("get_research_session", sessionId=traces.session)
    yield (
        "sequential_search",
        caller.call("sequential_search", sessionId=traces.session, searchStep="y", stepNumber=2, nextStepNeeded=True),
    )
    # Whatever takes a session, with the other's: it is not told from one that does not exist.
    for name in ("research_export", "format_bibliography", "audit_bibliography"):
        yield name, caller.call(name, sessionId=traces.session)
    yield "scrape_page", caller.call("scrape_page", url=traces.artifact).replace(traces.artifact, "")
    yield "tools/list", caller.ask("tools/list")
    yield "get_my_analytics", caller.call("get_my_analytics")
    yield "workspace_read", caller.call("workspace_read", workspace_id="w")
    yield "memory_recall", caller.call("memory_recall", query="note")
    reference = {"type": "ref/prompt", "name": "comprehensive-research"}
    yield "completion", caller.ask("completion/complete", ref=reference, argument={"name": "topic", "value": "m"})
    yield "fetch", caller.call("fetch", id=document_id(traces.url))
    for name, arguments in (("search", {}), ("web_search", {"provider": "library"})):
        yield name, shown_page(caller.call(name, query=traces.mark, **arguments), traces)
    for path in ("/api/sessions", "/api/library", "/api/health", "/api/about", "/metrics", "/health/ready"):
        yield path, caller.page(path)
    yield PROJECTS, caller.page(PROJECTS)
    for view in ("", "/captures", "/captures/1", "/export", "/receipts"):
        yield f"{PROJECTS}/{{id}}{view}", caller.page(f"{PROJECTS}/{traces.project}{view}")
    yield "/api/events", caller.first_event("/api/events")
    yield "/api/library?q=", shown_page(caller.page(f"/api/library?q={traces.mark}"), traces)
    yield "/api/library/{id}", caller.page(f"/api/library/{document_id(traces.url)}")
    # At last, since the pages that are found for these words come into the asker's own library.
    yield "a kept answer", said_before(caller.call("search_and_scrape", query=f"tides {traces.mark}", num_results=1))


def said_before(text: str) -> str:
    """An answer to a person that was kept; one that was made for this call shows nobody else's."""
    return text if '"cached":true' in text.replace('": ', '":') else ""


def shown_page(text: str, traces: Traces) -> str:
    """The answer to a question with the mark where it names the page; else it may only repeat the question."""
    return text if f"token={traces.mark}" in text else ""


Pair: TypeAlias = tuple[Caller, Caller]


@pytest.fixture(scope="module")
def open_server(running_internet: Internet, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Starts a server without sign-in on first use, with one choice for ANONYMOUS_CALLERS."""
    started: dict[str, str] = {}
    with ExitStack() as stack:

        def address(choice: str) -> str:
            if choice not in started:
                surroundings = {name: os.environ[name] for name in KEPT if name in os.environ}
                folder = str(tmp_path_factory.mktemp("open"))
                own = {"ANONYMOUS_CALLERS": choice, "CACHE_DIR": folder}
                environment = {**surroundings, **running_internet.environment(), **keys(), **SETTINGS, **own}
                started[choice] = stack.enter_context(http_server(environment))
            return started[choice]

        yield address


@pytest.fixture
def wire() -> Iterator[httpx2.Client]:
    with httpx2.Client(trust_env=False, timeout=60) as client:
        yield client


def session_headers(address: str, wire: httpx2.Client, token: Mapping[str, str] | None = None) -> dict[str, str]:
    headers = {"accept": ACCEPT, **(token or {})}
    opened = wire.post(address + "/mcp", json=message("initialize", HELLO), headers=headers)
    return {"mcp-session-id": opened.headers["mcp-session-id"]}


def key_headers(address: str, wire: httpx2.Client) -> dict[str, str]:
    return {"x-client-key": secrets.token_hex(16)}


def no_headers(address: str, wire: httpx2.Client) -> dict[str, str]:
    return {}


def caller(address: str, headers: Mapping[str, str], wire: httpx2.Client) -> Caller:
    return Caller(address, headers, "m" + secrets.token_hex(6), wire)


def met(asker: Caller, traces: Traces) -> set[str]:
    return {name for name, text in views(asker, traces) if traces.mark in text}


EVERYWHERE = {
    "artifact",
    "sequential_search",
    "format_bibliography",
    "audit_bibliography",
    "scrape_page",
    "get_research_session",
    "research_export",
    "fetch",
    "search",
    "web_search",
    "a kept answer",
    "/api/sessions",
    "/api/library",
    "/api/library?q=",
    "/api/library/{id}",
    "/api/health",
    "/api/events",
    PROJECTS,
    *(f"{PROJECTS}/{{id}}{view}" for view in ("", "/captures", "/captures/1", "/export")),
    "diagnostics://errors/recent",
}


def check_apart(one: Caller, other: Caller, internet: Internet, found: set[str] = EVERYWHERE) -> None:
    traces, theirs = leave_traces(one, internet), leave_traces(other, internet)
    assert met(one, traces) == found, "one's own traces are found, so that the test could fail"
    assert met(other, traces) == met(one, theirs) == set(), "nor what was kept when their owner looked"


@pytest.mark.parametrize("headers", [session_headers, key_headers], ids=["by session", "by key"])
def test_two_without_sign_in_share_nothing(
    open_server: Callable[..., str],
    wire: httpx2.Client,
    running_internet: Internet,
    headers: Callable[[str, httpx2.Client], dict[str, str]],
) -> None:
    address = open_server("separate")
    one, other = (caller(address, headers(address, wire), wire) for _ in range(2))
    check_apart(one, other, running_internet)


def test_nobody_without_sign_in_pushes_out_anothers_session(
    open_server: Callable[..., str], wire: httpx2.Client
) -> None:
    address = open_server("separate")
    one, other = (caller(address, key_headers(address, wire), wire) for _ in range(2))

    def begin(who: Caller) -> dict[str, Any]:
        return result(who.call("sequential_search", searchStep="x", researchGoal=who.mark, **STEP))

    kept = begin(one)["sessionId"]
    crowd = [begin(other) for _ in range(MOST_SESSIONS + 2)]
    assert [crowd[0]["sessionId"] in begun.get("warning", "") for begun in crowd].count(True) == 1, "it is told"
    assert one.mark in one.call("get_research_session", sessionId=kept)


@pytest.mark.parametrize("has_session", [False, True], ids=["through the SDK", "answered directly"])
def test_two_users_of_one_tenant_share_nothing(servers: Servers, wire: httpx2.Client, has_session: bool) -> None:
    first, second, _ = servers.people()
    servers.agree(first, second)
    address = servers.addresses[0]

    def signed_in(who: Person) -> Caller:
        token = {"authorization": f"Bearer {who.token}"}
        session = session_headers(address, wire, token) if has_session else {}
        return Caller(address, {**token, **session}, who.mark, wire)

    one, other = signed_in(first), signed_in(second)
    check_apart(one, other, servers.internet, {*EVERYWHERE, "memory_recall"})


@pytest.mark.parametrize("choice", ["auto", "one"])
def test_on_this_machine_all_clients_and_the_page_are_one_persons(
    open_server: Callable[..., str], wire: httpx2.Client, running_internet: Internet, choice: str
) -> None:
    address = open_server(choice)
    client = caller(address, session_headers(address, wire), wire)
    page = caller(address, key_headers(address, wire), wire)
    assert met(page, leave_traces(client, running_internet)) == EVERYWHERE


def test_behind_a_proxy_nobody_is_the_local_user(
    open_server: Callable[..., str], wire: httpx2.Client, running_internet: Internet
) -> None:
    address = open_server("auto")
    local = caller(address, session_headers(address, wire), wire)
    proxied = caller(address, {"x-forwarded-for": "203.0.113.7", **key_headers(address, wire)}, wire)
    assert met(proxied, leave_traces(local, running_internet)) == set()


def test_a_caller_who_cannot_be_told_apart_reads_on_and_is_told_what_is_missing(
    open_server: Callable[..., str], wire: httpx2.Client, running_internet: Internet
) -> None:
    nobody = caller(open_server("separate"), {}, wire)
    url = f"{running_internet.base}/site/alpha/{nobody.mark}"
    assert "resource" not in result(nobody.call("scrape_page", url=url, mode="raw")), "a link could not be opened"
    found = result(nobody.call("search", query="alpha"))["results"]
    assert all(entry["id"] == entry["url"] for entry in found)
    assert "X-Client-Key" in nobody.call("sequential_search", searchStep="x", researchGoal="y", **STEP)
    assert nobody.mark not in nobody.page("/api/library")
