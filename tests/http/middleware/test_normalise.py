"""Requests that the SDK's app would leave without an answer, or answer with a word, against the real process."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from tests.http.http_server import http_server
from tests.http.raw_connection import ACCEPT

HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
ANSWERS: list[tuple[dict[str, Any], int, str]] = [
    ({"id": 1, "method": "ping"}, 200, '"result":{}'),
    ({"id": 1.5, "method": "ping"}, 400, "an id (a string or a whole number)"),
    ({"id": None, "method": "ping"}, 400, "an id (a string or a whole number)"),
    ({"id": True, "method": "tools/call", "params": {"name": "web_search"}}, 400, "an id (a string or a whole number)"),
    ({"method": "notifications/unheard-of"}, 202, ""),
    ({"id": 1, "result": {}}, 202, ""),
    ({"id": 1, "method": "tools/call", "params": {}}, 200, "name is missing"),
    (
        {"id": 1, "method": "tools/call", "params": {"name": "web_search", "arguments": []}},
        200,
        "arguments must be",
    ),
    ({"id": 1, "method": "prompts/list", "params": {"cursor": "page 2"}}, 200, "every list comes whole"),
]


class Client:
    def __init__(self, address: str) -> None:
        self._address = urlsplit(address)
        self._session = {"mcp-session-id": self.ask("POST", {"id": 0, "method": "initialize", "params": HANDSHAKE})[2]}

    def ask(self, method: str, message: Mapping[str, Any] | None, **headers: str) -> tuple[int, str, str]:
        """Status, content (of a stream of events nothing) and session."""
        given = {"accept": ACCEPT, "content-type": "Application/JSON", **getattr(self, "_session", {}), **headers}
        body = json.dumps({"jsonrpc": "2.0", **message}).encode() if message else None
        connection = http.client.HTTPConnection(str(self._address.hostname), self._address.port, timeout=60)
        connection.request(method, "/mcp", body, given)
        with connection.getresponse() as answer:
            is_endless = method == "GET" and answer.status == 200
            read = b"" if is_endless else answer.read()
            return answer.status, read.decode(), answer.getheader("mcp-session-id", "")


def test_every_request_is_answered_and_every_refusal_says_why(environment: Mapping[str, str]) -> None:
    with http_server(environment) as address:
        client = Client(address)
        for message, status, content in ANSWERS:
            answered = client.ask("POST", message)
            assert answered[0] == status, (message, answered)
            assert content in answered[1], (message, answered)
            assert bool(answered[1]) == bool(content)
        resumed = {"accept": "text/event-stream", "last-event-id": "5"}
        assert client.ask("GET", None, **resumed)[0] == 200
