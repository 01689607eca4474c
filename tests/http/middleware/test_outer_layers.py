"""The outer middleware: request ids, the caller's address, security headers, CORS, and failures of the app."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellsourced.http.request_context import RequestContext, request_context
from wellsourced.http.server import outer_layers, wrap
from wellsourced.settings import Settings

PAGE = "https://app.example"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@dataclass
class Outcome:
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    context: RequestContext | None = None

    def __getitem__(self, name: str) -> str | None:
        values = [value for key, value in self.headers if key == name]
        assert len(values) < 2, values
        return values[0] if values else None


def ask(
    environment: Mapping[str, str],
    headers: Mapping[str, str] | Sequence[tuple[str, str]] = (),
    app: ASGIApp | None = None,
    **changes: Any,
) -> Outcome:
    outcome = Outcome()
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    raw = [(name.encode(), value.encode("latin-1")) for name, value in pairs]
    scope: Scope = {"type": "http", "method": "POST", "path": "/mcp", "scheme": "http", "client": ("10.0.0.9", 1)}
    scope.update({"headers": raw, **changes})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            outcome.status = message["status"]
            outcome.headers = [(name.decode().lower(), value.decode()) for name, value in message["headers"]]
        outcome.body += message.get("body", b"")

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        outcome.context = request_context(scope)
        await PlainTextResponse("fine", headers={"Content-Security-Policy": "own"})(scope, receive, send)

    async def run() -> None:
        await wrap(app or page, outer_layers(Settings(environment)))(scope, receive, send)

    asyncio.run(run())
    return outcome


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"x-request-id": "abc-1.2:3"}, "abc-1.2:3"),
        ({"x-request-id": "abc", "traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}, "abc"),
        ({"x-request-id": "a b", "traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}, TRACE),
        ({"traceparent": f"00-{'0' * 32}-00f067aa0ba902b7-01"}, None),
        ({"x-request-id": "x" * 129}, None),
        ({"x-request-id": 'a"\u00e9'}, None),
        ({}, None),
    ],
)
def test_the_request_id_is_the_callers_where_it_is_sane(headers: dict[str, str], expected: str | None) -> None:
    outcome = ask({}, headers)
    assert outcome.context
    assert outcome["x-request-id"] == outcome.context.request_id
    if expected is None:
        assert outcome.context.request_id not in headers.values()
        assert len(outcome.context.request_id) == 32
    else:
        assert outcome.context.request_id == expected


def test_security_headers_complete_what_the_page_set() -> None:
    outcome = ask({"HTTP_REFERRER_POLICY": "same-origin"})
    assert outcome["content-security-policy"] == "own"
    assert outcome["referrer-policy"] == "same-origin"
    assert outcome["permissions-policy"] == "geolocation=(), camera=(), microphone=()"
    assert outcome["x-content-type-options"] == "nosniff"
    assert outcome["x-frame-options"] == "DENY"
    assert outcome["cache-control"] == "no-store"
    assert outcome["strict-transport-security"] is None


@pytest.mark.parametrize(
    ("environment", "headers", "is_sent"),
    [
        ({"PUBLIC_URL": "https://research.example"}, {}, True),
        ({"PUBLIC_URL": "http://research.example"}, {}, False),
        ({}, {"x-forwarded-proto": "https"}, False),
        ({"TRUST_PROXY": "true"}, {"x-forwarded-proto": "https"}, True),
        ({"TRUST_PROXY": "true"}, {"x-forwarded-proto": "https, http"}, False),
    ],
)
def test_hsts_only_where_https_is_spoken(environment: dict[str, str], headers: dict[str, str], is_sent: bool) -> None:
    assert (ask(environment, headers)["strict-transport-security"] is not None) == is_sent


@pytest.mark.parametrize(
    ("trust", "forwarded", "address"),
    [
        ("false", ["1.1.1.1"], "10.0.0.9"),
        ("true", [], "10.0.0.9"),
        ("true", ["6.6.6.6, 1.1.1.1"], "1.1.1.1"),
        ("true", ["6.6.6.6", "1.1.1.1:4711"], "1.1.1.1"),
        ("true", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("true", ["2001:DB8::1"], "2001:db8::1"),
        ("true", ["unknown"], "10.0.0.9"),
    ],
)
def test_the_callers_address(trust: str, forwarded: list[str], address: str) -> None:
    outcome = ask({"TRUST_PROXY": trust}, [("x-forwarded-for", value) for value in forwarded])
    assert outcome.context
    assert outcome.context.address == address


ONE, ALL, STRICT = {"ALLOWED_ORIGINS": PAGE + "/"}, {"CORS_STRICT": "false"}, {"CORS_STRICT": "true"}


@pytest.mark.parametrize(
    ("environment", "origin", "allowed"),
    [
        (ONE, PAGE, PAGE),
        (ONE, "https://evil.example", None),
        (ONE, PAGE + ".evil.example", None),
        (ONE, "null", None),
        (STRICT, PAGE, None),
        ({}, PAGE, None),
        (ALL, PAGE, "*"),
        ({"ALLOWED_ORIGINS": "*"}, PAGE, "*"),
        ({**ALL, **ONE}, "https://evil.example", None),
    ],
)
def test_cors(environment: dict[str, str], origin: str, allowed: str | None) -> None:
    asked = {"origin": origin, "access-control-request-method": "POST"}
    preflight = ask(environment, asked, method="OPTIONS")
    answer = ask(environment, {"origin": origin})
    assert preflight.status == (204 if allowed else 403)
    for outcome in (preflight, answer):
        assert outcome["access-control-allow-origin"] == allowed
        assert outcome["access-control-allow-credentials"] is None
        assert outcome["vary"] == (None if allowed == "*" else "Origin")
    if allowed:
        names = (preflight["access-control-allow-headers"] or "").lower().split(", ")
        assert {"authorization", "mcp-session-id", "mcp-protocol-version", "last-event-id"} <= set(names)
        assert int(preflight["access-control-max-age"] or 0) > 0
        assert "Mcp-Session-Id" in (answer["access-control-expose-headers"] or "")


def test_a_mistake_of_ours_is_a_sentence() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("secret detail")

    outcome = ask({}, app=broken)
    assert outcome.status == 500
    assert b"Please report it" in outcome.body
    assert b"secret" not in outcome.body
    assert outcome["x-request-id"]
