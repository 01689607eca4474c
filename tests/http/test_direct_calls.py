"""Plain posts are answered directly, as the SDK would do; sessions, cancellation and refusals stay as they are."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx2
import pytest

from tests.http.http_server import http_server
from tests.loopback.run import Internet

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
BOTH = "application/json, text/event-stream"
REQUESTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ping", {}),
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("prompts/list", {}),
    ("resources/read", {"uri": "stats://tools"}),
    ("resources/read", {"uri": "research://nothing"}),
    ("prompts/get", {"name": "no such prompt"}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "y", "value": ""}}),
    ("tools/call", {"name": "no such tool", "arguments": {}}),
    ("tools/call", {"name": "web_search", "arguments": {"query": 5}}),
    ("tools/call", {"name": "web_search", "arguments": {"query": "tides"}}),
)


class Session:
    """A client over HTTP; `streaming` asks for progress, which only the SDK can give."""

    def __init__(self, address: str) -> None:
        self._client = httpx2.Client(base_url=address, headers={"accept": BOTH}, timeout=120, trust_env=False)
        opened = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
        self._client.headers["mcp-session-id"] = opened.headers["mcp-session-id"]
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, message: object, **headers: str) -> httpx2.Response:
        return self._client.post("/mcp", json=message, headers=headers)

    def post_in_pieces(self, message: object) -> httpx2.Response:
        """Chunked, so that no length is told beforehand."""
        body, kind = json.dumps(message).encode(), {"content-type": "application/json"}
        pieces = (body[start : start + 10_000] for start in range(0, len(body), 10_000))
        return self._client.post("/mcp", content=pieces, headers=kind)

    def ask(self, method: str, params: Mapping[str, Any], *, id: int = 1, streaming: bool = False) -> httpx2.Response:
        params = {**params, "_meta": {"progressToken": "p"}} if streaming else params
        return self.post({"jsonrpc": "2.0", "id": id, "method": method, "params": params})

    def end(self) -> None:
        assert self._client.delete("/mcp").status_code == 200

    def close(self) -> None:
        self._client.close()


@pytest.fixture
def session(environment: Mapping[str, str], internet: Internet) -> Iterator[Session]:
    with http_server(environment) as address:
        client = Session(address)
        yield client
        client.close()


def test_the_answers_are_those_of_the_sdk(session: Session) -> None:
    for method, params in REQUESTS:
        session.ask(method, params)  # so that both find it in the cache
        direct, streamed = session.ask(method, params), session.ask(method, params, streaming=True)
        assert direct.headers["content-type"] == "application/json", method
        assert streamed.headers["content-type"].startswith("text/event-stream"), method
        assert comparable(direct.json()) == comparable(last_event(streamed)), method


def test_what_is_not_plain_goes_to_the_sdk(session: Session) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert session.post(ping, accept="application/json").status_code == 406
    assert session.post(ping, **{"mcp-session-id": "f" * 32}).status_code == 404
    for _ in range(2):  # a host that has passed opens the way to no other
        assert session.post(ping).status_code == 200
        assert session.post(ping, host="elsewhere.example").status_code == 421
    assert session.post([ping]).status_code == 400
    session.end()
    assert session.post(ping).status_code == 404


def test_a_body_that_is_too_large_is_answered_413_and_the_session_goes_on(environment: Mapping[str, str]) -> None:
    """Told by its length or found on the way; a call that would be answered directly, and one for the SDK."""
    with http_server({**environment, "MAX_REQUEST_BODY_BYTES": "100000"}) as address:
        client = Session(address)
        for meta in ({}, {"_meta": {"progressToken": "p"}}):
            params = {"name": "web_search", "arguments": {"query": "tides" * 30_000}, **meta}
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            for refused in (client.post(call), client.post_in_pieces(call)):
                assert refused.status_code == 413
                assert "at most 100000 bytes" in refused.text and "MAX_REQUEST_BODY_BYTES" in refused.text
            call["params"] = {**params, "arguments": {"query": "tides"}}
            assert (client.post(call).status_code, client.post_in_pieces(call).status_code) == (200, 200)
        client.close()


@pytest.mark.parametrize("way", ["notification", "closed connection"])
def test_a_call_that_is_given_up_drops_its_requests(session: Session, internet: Internet, way: str) -> None:
    internet.control("/searxng", latency_ms=600_000)
    responses: list[httpx2.Response] = []
    waiting = threading.Thread(target=lambda: responses.extend(slow_call(session)), daemon=True)
    waiting.start()
    wait_until(lambda: bool(internet.stats()["in_flight"].get("/searxng")))
    if way == "notification":
        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
        assert session.post(cancelled).status_code == 202
        waiting.join(60)
        assert responses[0].json()["error"]["message"] == "Request cancelled"
    else:
        session.close()
    wait_until(lambda: not internet.stats()["in_flight"])


def slow_call(session: Session) -> list[httpx2.Response]:
    try:
        return [session.ask("tools/call", {"name": "web_search", "arguments": {"query": "slow"}}, id=7)]
    except httpx2.HTTPError:
        return []


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "it did not happen within a minute"
        time.sleep(0.05)


def last_event(response: httpx2.Response) -> dict[str, Any]:
    events = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: {")]
    message: dict[str, Any] = json.loads(events[-1])
    return message


def comparable(message: dict[str, Any]) -> dict[str, Any]:
    """Without what changes from call to call: counts and times."""
    result = message.get("result", {})
    if "contents" in result:
        return {**message, "result": [entry["uri"] for entry in result["contents"]]}
    return (
        {**message, "result": {**result, "_meta": sorted(result.get("_meta", {}))}} if "content" in result else message
    )


def test_large_answers_come_whole_in_pieces_and_shortened_through_a_stream(
    environment: Mapping[str, str], internet: Internet
) -> None:
    text = 'The "tide" rose\\fell \t in é 潮汐 😀.\n\n' * 40_000
    internet.control("/site/alpha/large", body=text, headers={"content-type": "text/plain; charset=utf-8"})
    page = {"url": f"{internet.base}/site/alpha/large", "max_length": 5_000_000}
    call = {"name": "scrape_page", "arguments": page}
    with http_server({**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}) as address:
        opened = Session(address)
        whole = opened.ask("tools/call", call).json()["result"]
        assert json.loads(whole["content"][0]["text"]) == whole["structuredContent"]
        assert whole["structuredContent"]["content"].strip() == text.strip()
        events = opened.ask("tools/call", call, streaming=True).text.splitlines()
        last = next(json.loads(line[6:]) for line in reversed(events) if line.startswith("data: {"))
        shortened = last["result"]["structuredContent"]
        assert shortened["truncated"] and 2**19 < len(shortened["content"].encode()) < 2**20
        read = opened.ask("resources/read", {"uri": shortened["resource"]}).json()["result"]["contents"][0]
        assert json.loads(read["text"])["content"] == whole["structuredContent"]["content"]
        opened.close()
