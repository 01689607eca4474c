"""A research session as a client keeps it: steps that the server acknowledges, and what it remembers of them."""

from __future__ import annotations

from typing import Any

from tests.mcp.stdio_client import StdioServer


def arguments(number: int, session: str | None = None, words: str = "") -> dict[str, Any]:
    step: dict[str, Any] = {"searchStep": f"Step {number} {words}", "stepNumber": number, "nextStepNeeded": True}
    return {**step, "sessionId": session} if session else step


def begin(server: StdioServer) -> str:
    """A session with two acknowledged steps, by its id."""
    session: str = acknowledged(server.call("sequential_search", arguments(1)))["sessionId"]
    acknowledged(server.call("sequential_search", arguments(2, session)))
    return session


def acknowledged(response: dict[str, Any]) -> dict[str, Any]:
    result = response["result"]
    assert not result["isError"], result["content"][0]["text"]
    content: dict[str, Any] = result["structuredContent"]
    return content


def steps_kept(server: StdioServer, session: str) -> int:
    kept: int = acknowledged(server.call("get_research_session", {"sessionId": session}))["stepCount"]
    return kept
