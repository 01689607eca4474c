"""The real process on stdio, spoken to in raw JSON-RPC."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

import pytest

from tests.loopback.run import Internet
from tests.mcp.stdio_client import MODERN, StdioServer

NOISY = """
import os, sys, threading
from wellsourced.mcp import stdio

def chatter():
    while True:
        print("a library says hello", flush=True)
        os.write(1, b"so does a C extension\\n")
        threading.Event().wait(0.01)

threading.Timer(0.05, chatter).start()
stdio.serve()
os._exit(0)
"""


@pytest.mark.parametrize(
    ("asked", "answered"),
    [("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25")],
)
def test_handshake_names_a_version_both_know(environment: Mapping[str, str], asked: str, answered: str) -> None:
    """Cold, as a client starts it."""
    with StdioServer(environment, begin=subprocess.Popen) as server:
        result = server.initialize(asked)["result"]
        assert result["protocolVersion"] == answered
        assert result["serverInfo"]["name"] == "wellsourced"
        assert set(result["capabilities"]) == {"tools", "resources", "prompts", "completions"}
        assert "web_search" in result["instructions"]
        assert server.end_input() == 0


def test_the_stateless_era_needs_no_handshake_and_carries_its_envelope(environment: Mapping[str, str]) -> None:
    with StdioServer(environment, begin=subprocess.Popen) as server:
        discovered = server.request("server/discover", {"_meta": MODERN})["result"]
        assert discovered["supportedVersions"] == ["2026-07-28"]
        listed = server.request("tools/list", {"_meta": MODERN})["result"]
        assert listed["resultType"] == "complete"
        assert listed["ttlMs"] > 0
        assert listed["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "wellsourced"
        called = server.call("web_search", {"query": "solar panels"}, MODERN)["result"]
        assert called["resultType"] == "complete"
        assert called["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "wellsourced"
        assert called["_meta"]["cached"] is False


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"_meta": {**MODERN, "io.modelcontextprotocol/protocolVersion": "2027-01-01"}}, -32022),
        ({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}, -32602),
        ({}, -32602),
    ],
)
def test_a_request_of_the_stateless_era_without_a_proper_envelope_is_refused(
    environment: Mapping[str, str], params: dict[str, Any], code: int
) -> None:
    with StdioServer(environment) as server:
        server.request("server/discover", {"_meta": MODERN})
        assert server.request("tools/list", params)["error"]["code"] == code


BAD_LINES: list[tuple[bytes, int]] = [
    (b"this is not JSON", -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"', -32700),
    (b"\xff\xfe\x00", -32700),
    (b"[" * 100_000, -32700),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    (b"[]", -32600),
    (b"42", -32600),
    (b'"hello"', -32600),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
    (b'{"id":1,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"no/such/method"}', -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such_tool"}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"web_search","arguments":[]}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"stats://nothing"}}', -32002),
    (b'{"jsonrpc":"2.0","id":1,"method":"resources/read"}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"fact-check"}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"no-such-prompt"}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"fact-check","arguments":[]}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}', -32602),
    (
        b'{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":["a"]},'
        b'"argument":{"name":"depth","value":""}}}',
        -32602,
    ),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":["page 2"]}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":"page 2"}}', -32602),
    (b"x" * (17 << 20), -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * (16 << 20) + b'"}}', -32600),
]


def test_every_bad_line_gets_a_proper_error_and_the_next_call_still_works(environment: Mapping[str, str]) -> None:
    with StdioServer(environment) as server:
        server.initialize()
        for line, code in BAD_LINES:
            server.send(line + b"\n")
            answer = server.read()
            assert answer is not None, line[:80]
            assert answer["error"]["code"] == code, (line[:80], answer)
            assert server.request("ping")["result"] == {}
        assert server.call("web_search", {"query": "solar panels"})["result"]["isError"] is False
        assert server.end_input() == 0


def test_what_is_odd_and_yet_no_reason_to_fall_silent(environment: Mapping[str, str]) -> None:
    """All in one go, so that it waits for the runtime to load: a notification is never answered and cancels nothing
    but the id it names, an id comes back as it was sent, and two requests with one id are two requests."""
    with StdioServer(environment) as server:
        server.send(
            b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"stats://sessions"}}\n'
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}\n'
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":true}}\n'
            b'{"jsonrpc":"2.0","method":"notifications/progress","params":[]}\n'
            b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"stats://tools"}}\n'
            b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}\n'
            b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"web_search","_meta":[7]}}\n'
        )
        assert server.end_input() == 0
        answers = []
        while (message := server.read()) is not None:
            answers.append((message["id"], "result" in message))
    assert sorted(answers, key=str) == [("\ud800", True), (1, True), (1, True), (2, True)]


def test_two_hundred_calls_before_the_end_of_input_get_two_hundred_answers(environment: Mapping[str, str]) -> None:
    with StdioServer(environment) as server:
        server.initialize()
        wanted = {server.ask("tools/call", {"name": "web_search", "arguments": {"query": f"q{n}"}}) for n in range(200)}
        assert server.end_input() == 0
        answered = set()
        while (message := server.read()) is not None:
            assert message["result"]["isError"] is False, message
            answered.add(message["id"])
        assert answered == wanted


def test_calls_run_side_by_side(environment: Mapping[str, str], internet: Internet) -> None:
    internet.control("/searxng", latency_ms=400)
    with StdioServer(environment) as server:
        server.initialize()
        server.call("web_search", {"query": "warm up"})
        wanted = {server.ask("tools/call", {"name": "web_search", "arguments": {"query": f"q{n}"}}) for n in range(12)}
        while wanted:
            message = server.read()
            assert message
            wanted.discard(message["id"])
    assert internet.stats()["most_in_flight"]["/searxng"] > 3


def test_a_cancelled_call_is_not_answered_and_the_rest_goes_on(
    environment: Mapping[str, str], internet: Internet
) -> None:
    with StdioServer(environment) as server:
        server.initialize()
        server.call("web_search", {"query": "warm up"})
        internet.control("/searxng", latency_ms=30_000)
        slow = server.ask("tools/call", {"name": "web_search", "arguments": {"query": "slow"}})
        deadline = time.monotonic() + 60
        while not internet.stats()["in_flight"].get("/searxng") and time.monotonic() < deadline:
            time.sleep(0.02)
        server.notify("notifications/cancelled", {"requestId": slow, "reason": "changed my mind"})
        assert server.request("ping")["result"] == {}
        assert server.end_input(timeout=20) == 0
        assert server.read() is None


def test_nothing_but_protocol_on_stdout_whatever_a_library_prints(environment: Mapping[str, str]) -> None:
    with StdioServer(environment, (sys.executable, "-c", NOISY)) as server:
        server.initialize()
        assert server.call("web_search", {"query": "solar panels"})["result"]["isError"] is False
        time.sleep(0.2)
        server.end_input()
        while server.read() is not None:
            pass
    for reader in server._readers:
        reader.join(60)
    assert b"a library says hello" in server.stderr
    assert b"so does a C extension" in server.stderr


def test_a_bad_setting_is_named_on_stderr_and_the_server_goes_on(environment: Mapping[str, str]) -> None:
    with StdioServer({**environment, "TOOL_TIMEOUT": "soon"}) as server:
        server.initialize()
        assert server.call("web_search", {"query": "solar panels"})["result"]["isError"] is False
        server.end_input()
        for reader in server._readers:
            reader.join(60)
    assert b"TOOL_TIMEOUT" in server.stderr
    assert b"30s, 5m or 1h30m" in server.stderr


def test_toolsets_and_tools_narrow_the_list(environment: Mapping[str, str]) -> None:
    with StdioServer({**environment, "TOOLS": "news_search"}) as server:
        server.initialize()
        assert [tool["name"] for tool in server.request("tools/list")["result"]["tools"]] == ["news_search"]
        assert server.call("web_search", {"query": "x"})["error"]["code"] == -32602


def test_text_and_structured_content_are_the_same_complete_answer(environment: Mapping[str, str]) -> None:
    with StdioServer(environment) as server:
        server.initialize()
        result = server.call("web_search", {"query": "solar panels"})["result"]
        assert [item["type"] for item in result["content"]] == ["text"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        assert result["structuredContent"]["trust"] == "untrusted-external-content"
