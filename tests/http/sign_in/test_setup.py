"""The real process with sign-in: the SDK's client, sessions that stay with their maker, and what is said where."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.http.http_server import http_process
from tests.http.sign_in.issuer import Issuer, ec_key
from tests.warm.process import run
from wellsourced.http.sign_in.setup import sign_in_problems
from wellsourced.settings import Settings

ACCEPT = {"accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@contextmanager
def signed_in(address: str, token: str) -> Iterator[httpx2.Client]:
    headers = {**ACCEPT, "authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=address, headers=headers, trust_env=False, timeout=60) as client:
        yield client


async def use(address: str, token: str, mode: str) -> Any:
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, trust_env=False) as wire:
        transport = streamable_http_client(address + "/mcp", http_client=wire)
        client: Any
        async with Client(transport, mode=mode) as client:
            assert "web_search" in {tool.name for tool in (await client.list_tools()).tools}
            return await client.call_tool("web_search", {"query": "solar panels", "num_results": 3})


def test_a_signed_in_client_works_and_sessions_stay_with_their_maker(
    environment: Mapping[str, str], issuer: Issuer, tmp_path: Path
) -> None:
    log = tmp_path / "audit.jsonl"
    settings = {
        "OAUTH_ISSUER_URL": issuer.url,
        "PUBLIC_URL": "https://research.example.org",
        "ENFORCE_SCOPES": "true",
        "AUDIT_OUTPUT_PATH": str(log),
        "LOG_LEVEL": "info",
    }
    tokens = [
        issuer.token(scope="research", jti="1"),
        issuer.token(scope="tool:web_search", key=ec_key()),
        issuer.token(scope="research", sub="ben"),
        issuer.token(scope="research", tenant_id="elsewhere"),
        issuer.token(scope="research", exp=1),
    ]
    with http_process({**environment, **settings}) as (address, process):
        for token, mode in zip(tokens, ("legacy", "2026-07-28"), strict=False):
            found = asyncio.run(use(address, token, mode))
            assert found.structured_content["resultCount"] == 3
        sessions_stay(address, tokens[0], tokens[2:4])
        research_stays(address, tokens[0], tokens[2:4])
        with signed_in(address, tokens[4]) as late:
            assert late.post("/mcp", json=message("ping")).status_code == 401
        process.terminate()
        said = process.stderr.read().decode() if process.stderr else ""
    written = log.read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["error_code"] for line in lines if line["event_type"] == "auth.failure"] == ["expired"]
    assert {line["user_id"] for line in lines if line["event_type"] == "tool_call"} == {"ana", "ben"}
    assert "Sign-in failed (expired) from 127.0.0.1" in said
    assert not [part for token in tokens for part in token.split(".")[1:] if part in said + written]


def sessions_stay(address: str, token: str, others: list[str]) -> None:
    """An MCP session asked for by another is answered as if there were none."""
    with signed_in(address, token) as client:
        session = {"mcp-session-id": client.post("/mcp", json=message("initialize", **HELLO)).headers["mcp-session-id"]}
        unknown = client.post("/mcp", json=message("ping"), headers={"mcp-session-id": "0" * 32})
        for other in others:
            with signed_in(address, other) as stranger:
                response = stranger.post("/mcp", json=message("ping"), headers=session)
                assert (response.status_code, response.content) == (404, unknown.content)
                assert stranger.delete("/mcp", headers=session).status_code == 404
        assert httpx2.post(address + "/mcp", json=message("ping"), headers=session, trust_env=False).status_code == 401
        assert client.post("/mcp", json=message("ping"), headers=session).status_code == 200


def research_stays(address: str, token: str, others: list[str]) -> None:
    """A research session is found by its owner alone."""
    step = {"searchStep": "first", "stepNumber": 1, "nextStepNeeded": True}
    begun = call(address, token, "sequential_search", **step)
    session = begun["structuredContent"]["sessionId"]
    for other in others:
        assert "session_not_found" in str(call(address, other, "get_research_session", sessionId=session))
    assert call(address, token, "get_research_session", sessionId=session)["structuredContent"]["sessionId"] == session


def call(address: str, token: str, tool: str, **arguments: Any) -> Any:
    with signed_in(address, token) as client:
        headers = {"mcp-session-id": client.post("/mcp", json=message("initialize", **HELLO)).headers["mcp-session-id"]}
        client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
        response = client.post("/mcp", json=message("tools/call", name=tool, arguments=arguments), headers=headers)
    return response.json()["result"]


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({}, None),
        ({"PUBLIC_URL": "https://here.example"}, None),
        ({"PUBLIC_URL": "http://["}, "PUBLIC_URL"),
        ({"OAUTH_ISSUER_URL": "https://ann:word@login.example", "OAUTH_AUDIENCE": "research"}, "OAUTH_ISSUER_URL"),
        ({"OAUTH_ISSUER_URL": "https://login.example", "PUBLIC_URL": "https://here.example"}, None),
        ({"OAUTH_ISSUER_URL": "https://login.example/", "OAUTH_AUDIENCE": "research"}, None),
        ({"OAUTH_ISSUER_URL": "https://login.example"}, "OAUTH_AUDIENCE"),
        ({"OAUTH_ISSUER_URL": "login.example", "OAUTH_AUDIENCE": "research"}, "OAUTH_ISSUER_URL"),
        ({"OAUTH_ISSUER_URL": "https://[login", "OAUTH_AUDIENCE": "research"}, "OAUTH_ISSUER_URL"),
        ({"OAUTH_ISSUER_URL": "https://login.example", "PUBLIC_URL": "here.example"}, "PUBLIC_URL"),
        ({"OAUTH_ISSUER_URL": "https://login.example", "PUBLIC_URL": "https://here.example/mcp/"}, "/mcp"),
    ],
)
def test_settings_that_leave_a_gap_are_named(variables: dict[str, str], named: str | None) -> None:
    found = sign_in_problems(Settings(variables))
    assert ([named] if named else []) == [named for problem in found if named and named in problem]
    assert len(found) == (named is not None)


def test_the_server_does_not_start_without_an_audience(quiet_environment: Mapping[str, str]) -> None:
    environment = {**quiet_environment, "OAUTH_ISSUER_URL": "https://login.example", "PORT": "1"}
    command = [sys.executable, "-m", "wellsourced", "serve", "--http"]
    ended = run(command, environment, timeout=60)
    assert ended.returncode == 2
    assert "OAUTH_AUDIENCE" in ended.stderr
