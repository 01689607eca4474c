"""The real process over HTTP: its addresses, the pages elsewhere that may call, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping

import pytest

from tests.conformance.suite import FIXTURE_FREE, command, failing, run_without_fixtures, untried
from tests.http.http_server import free_port, get, http_server, lower
from tests.warm.process import run
from wellsourced.http.server import exposure_problems
from wellsourced.settings import Settings

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def post(url: str, message: object, **headers: str) -> tuple[int, bytes]:
    given = {"content-type": "application/json", "accept": "application/json, text/event-stream", **headers}
    request = urllib.request.Request(url, json.dumps(message).encode(), given)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=60) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()


def preflight(url: str, **headers: str) -> tuple[int, Mapping[str, str]]:
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "content-type", **headers}
    request = urllib.request.Request(url, headers=asked, method="OPTIONS")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=60) as reply:
            return reply.status, lower(reply.headers.items())
    except urllib.error.HTTPError as refused:
        return refused.code, lower(refused.headers.items())


def initialize(url: str, **headers: str) -> tuple[int, bytes]:
    who = {"name": "raw", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who}
    return post(url, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}, **headers)


def test_page_health_and_both_spellings_of_the_address(environment: Mapping[str, str]) -> None:
    with http_server(environment, subprocess.Popen) as address:
        assert get(address + "/health/live")[2] == b"ok"
        status, headers, body = get(address + "/")
        assert status == 200
        assert "default-src 'none'" in headers["content-security-policy"]
        assert b"Wellsourced" in body
        assert (get(address + "/health/ready")[0], get(address + "/health/ready")[2]) == (200, b'{"status":"healthy"}')
        for path in ("/", "/mcp", "/metrics", "/health/live", "/nowhere"):
            headers = get(address + path)[1]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-request-id"]
            assert "server" not in headers
        for path in ("/mcp", "/mcp/"):
            status, answer = initialize(address + path)
            assert status == 200, answer
            assert b"wellsourced" in answer


def test_port_alone_selects_http(environment: Mapping[str, str]) -> None:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "wellsourced"],
        env={**environment, "PORT": str(port)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stderr
        assert f"http://127.0.0.1:{port}/" in process.stderr.readline().decode()
    finally:
        process.terminate()
        process.wait(60)


def test_only_pages_that_are_listed_reach_it(environment: Mapping[str, str]) -> None:
    named = {"ALLOWED_HOSTS": "Bücher.example", "PUBLIC_URL": "https://Research.example:443"}
    with http_server({**environment, **named, "ALLOWED_ORIGINS": "https://App.example/"}) as address:
        for host in ("research.example", "RESEARCH.example:443", "xn--bcher-kva.example:81", "LOCALHOST"):
            assert initialize(address + "/mcp", host=host)[0] == 200, host
        refusals: list[tuple[dict[str, str], int, bytes]] = [
            ({"host": "evil.example"}, 421, b"ALLOWED_HOSTS"),
            ({"origin": "https://evil.example"}, 403, b"ALLOWED_ORIGINS"),
            ({"content-type": "text/plain"}, 400, b"application/json"),
        ]
        for sent, status, remedy in refusals:
            response = initialize(address + "/mcp", **sent)
            assert (response[0], remedy in response[1]) == (status, True), response
        for body in ([PING], {"id": 1, "method": "ping"}, "ping"):
            status, answer = post(address + "/mcp", body)
            assert (status, json.loads(answer)["error"]["code"]) == (400, -32600)
            assert b"JSON-RPC 2.0" in answer and b"pydantic" not in answer
        page = {"origin": "https://app.example", "sec-fetch-mode": "cors", "sec-fetch-site": "cross-site"}
        status, headers = preflight(address + "/mcp", **page)
        assert (status, headers["access-control-allow-origin"]) == (204, "https://app.example")
        assert "mcp-protocol-version" in headers["access-control-allow-headers"].lower()
        status, answer = initialize(address + "/mcp", **page)
        assert (status, b"wellsourced" in answer) == (200, True)
        assert preflight(address + "/mcp", origin="https://evil.example")[0] == 403


def test_every_page_reaches_it_when_told_so(environment: Mapping[str, str]) -> None:
    with http_server({**environment, "CORS_STRICT": "false"}) as address:
        assert preflight(address + "/mcp", origin="https://any.example")[1]["access-control-allow-origin"] == "*"
        assert initialize(address + "/mcp", origin="https://any.example")[0] == 200
        assert initialize(address + "/mcp", host="evil.example")[0] == 421


@pytest.mark.parametrize(
    ("environment", "host", "is_exposed"),
    [
        ({}, "0.0.0.0", True),
        ({}, "::", True),
        ({}, "research.example", True),
        ({}, "127.0.0.2", False),
        ({}, "::1", False),
        ({}, "localhost", False),
        ({"OAUTH_ISSUER_URL": "https://login.example"}, "0.0.0.0", False),
        ({"ALLOW_ANONYMOUS_HTTP": "true"}, "0.0.0.0", False),
    ],
)
def test_without_a_sign_in_it_stays_on_this_machine(environment: dict[str, str], host: str, is_exposed: bool) -> None:
    assert bool(exposure_problems(Settings(environment), host)) == is_exposed


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"HOST": "0.0.0.0"}, "ALLOW_ANONYMOUS_HTTP"),
        ({"TOOL_TIMEOUT": "soon"}, "TOOL_TIMEOUT"),
        ({"SEARCH_ROUTING": "{not json"}, "SEARCH_ROUTING"),
        ({"SEARCH_PROVIDER": "altavista"}, "SEARCH_PROVIDER"),
        ({"CACHE_ENCRYPTION_KEY": "secret-but-short"}, "64 hexadecimal digits"),
        ({"SEARXNG_URL": "searx.example"}, "SEARXNG_URL"),
        ({"REDIS_URL": "redis://127.0.0.1:1/0"}, "CACHE_ENCRYPTION_KEY"),
        ({"REDIS_URL": "http://127.0.0.1:1/0"}, "redis://:password@"),
        ({"ALLOWED_ORIGINS": "*, null, app.example"}, "'app.example' is no origin"),
    ],
)
def test_a_bad_setting_stops_the_start_and_is_named(
    environment: Mapping[str, str], change: dict[str, str], says: str
) -> None:
    surroundings = {**environment, "PORT": str(free_port()), **change}
    started = run([sys.executable, "-m", "wellsourced"], surroundings, timeout=60)
    assert started.returncode == 2
    assert says in started.stderr
    assert "Traceback" not in started.stderr
    assert "secret-but-short" not in started.stderr


def test_a_busy_port_is_told_in_a_sentence(environment: Mapping[str, str]) -> None:
    with http_server(environment) as address:
        line = [sys.executable, "-m", "wellsourced", "serve", "--http", "--port", address.rsplit(":", 1)[1]]
        again = run(line, environment, timeout=60)
    assert again.returncode == 1
    assert "cannot listen" in again.stderr
    assert "Traceback" not in again.stderr


@pytest.mark.parametrize("revision", FIXTURE_FREE)
def test_the_official_suite_finds_nothing_wrong_with_the_real_server(
    environment: Mapping[str, str], revision: str
) -> None:
    command()
    with http_server(environment) as address:
        outcomes = run_without_fixtures(address + "/mcp", revision)
    assert (failing(outcomes), untried(outcomes)) == ({}, set())
