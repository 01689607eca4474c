"""Bad bodies for every address of the HTTP server: each is answered in words, none with a 500 or a traceback."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.wrong_json import ODD, bodies
from tests.http.http_server import http_process
from tests.http.raw_connection import ACCEPT, MODERN
from tests.loopback.run import Internet
from tests.mcp.stdio_client import MODERN as ENVELOPE

KEY = "an-admin-key-of-enough-letters"
UNLIMITED = {"RATE_LIMIT_GLOBAL": "0", "RATE_LIMIT_PER_TENANT": "0", "DAILY_QUOTA_PER_TENANT": "0"}
PERSONAL = {"MEMORY_ENABLED": "true", "USER_ANALYTICS_ENABLED": "true", "WORKSPACES_ENABLED": "true"}
CALL = {"name": "web_search", "arguments": {"query": "tides"}, "_meta": ENVELOPE}
MESSAGE = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": CALL}
MCP_HEADERS = {
    "accept": ACCEPT,
    "mcp-protocol-version": MODERN,
    "mcp-method": "tools/call",
    "mcp-name": "web_search",
}
MEMBER = {"tenant": "t", "user": "ada", "workspace": "w", "purpose": "memory", "granted": True}
ADDRESSES: list[tuple[str, str, Any]] = [
    ("POST", "/mcp", MESSAGE),
    ("POST", "/api/call", {"tool": "web_search", "arguments": {"query": "tides"}}),
    ("POST", "/api/audit", {"text": "@misc{a, title={Tides}}"}),
    ("POST", "/admin/consent", MEMBER),
    ("POST", "/admin/workspace/members", MEMBER),
    ("DELETE", "/admin/workspace/members", MEMBER),
    ("DELETE", "/admin/data", MEMBER),
]
QUERIES = ("/admin/data", "/admin/consent", "/admin/cache", "/admin/analytics", "/api/library", "/metrics")
HEADERS = (
    *("accept", "authorization", "content-type", "host", "last-event-id", "mcp-protocol-version", "mcp-session-id"),
    *("origin", "x-forwarded-for", "x-request-id"),
)
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def address(running_internet: Internet, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    folder = {"CACHE_DIR": str(tmp_path_factory.mktemp("fuzz")), "CHROME_PATH": "disabled"}
    environment = {**kept, **running_internet.environment(), **folder, **UNLIMITED, **PERSONAL, "ADMIN_API_KEY": KEY}
    with http_process(environment) as (address, process):
        yield address
        process.terminate()
        assert process.stderr
        assert b"Traceback" not in process.stderr.read()


def send(address: str, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
    connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
    try:
        given = {"content-type": "application/json", "x-admin-key": KEY, **headers}
        connection.request(method, path, body, given)
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def check(status: int, said: bytes) -> None:
    assert status < 500, said[:500]
    assert b"Traceback" not in said
    assert b"mistake in Wellsourced" not in said, said[:500]


@pytest.mark.parametrize(("method", "path", "good"), ADDRESSES, ids=[f"{row[0]} {row[1]}" for row in ADDRESSES])
def test_bodies(address: str, method: str, path: str, good: Any) -> None:
    headers = MCP_HEADERS if path == "/mcp" else {"sec-fetch-site": "same-origin"}

    @QUICK
    @given(bodies(good))
    def holds(body: bytes) -> None:
        check(*send(address, method, path, body, headers))

    check(*send(address, method, path, json.dumps(good).encode(), headers))
    holds()


@QUICK
@given(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(("tenant", "user", "q", "limit", "purpose", "workspace")), st.sampled_from(ODD)),
)
def test_queries(address: str, path: str, parameters: dict[str, Any]) -> None:
    pairs = "&".join(f"{name}={quote(str(value), errors='replace')}" for name, value in parameters.items())
    check(*send(address, "GET", f"{path}?{pairs}"[:8000], b"", {"sec-fetch-site": "same-origin"}))


@QUICK
@given(st.binary(max_size=40), st.sampled_from(HEADERS))
def test_headers(address: str, value: bytes, name: str) -> None:
    clean = bytes(byte for byte in value if byte not in b"\r\n\0").decode("latin-1")
    body = json.dumps(MESSAGE).encode()
    check(*send(address, "POST", "/mcp", body, {**MCP_HEADERS, name: clean}))
