"""Broken lines for the real process on stdio: every answer is JSON, and the next request is answered."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import mutated
from tests.fuzz.seeding import seeds_of
from tests.mcp.stdio_client import StdioServer

BATCHES = 40
BEYOND_THE_SEEDS = 10**9


def not_json(word: str) -> Any:
    raise AssertionError(f"{word} is not JSON")


def test_lines(environment: dict[str, str]) -> None:
    with StdioServer(environment) as server:
        server.initialize()
        server._next_id = BEYOND_THE_SEEDS

        @settings(max_examples=BATCHES, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.lists(mutated(seeds_of("rpc")), max_size=12))
        def holds(lines: list[bytes]) -> None:
            server.send(b"\n".join(lines) + b"\n")
            ping = server.ask("ping")
            while (line := server._lines.get(timeout=30)) is not None:
                said = json.loads(line, parse_constant=not_json)
                assert said["jsonrpc"] == "2.0"
                if said.get("id") == ping:
                    assert said["result"] == {}
                    return
            raise AssertionError("the server ended")

        holds()
        assert server.end_input() == 0
