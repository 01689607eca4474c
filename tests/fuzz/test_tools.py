"""Every tool with arguments that are almost right: answered or refused in words, never a mistake of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.wrong_json import ODD, VALUES
from wellsourced.app import Application
from wellsourced.app.configuration import declared_settings
from wellsourced.settings import Settings
from wellsourced.tool import registry

EXAMPLES = 100
PERSONAL = {"MEMORY_ENABLED": "true", "USER_ANALYTICS_ENABLED": "true", "WORKSPACES_ENABLED": "true"}
PLAIN: dict[str, Any] = {
    **{"string": "tides", "integer": 1, "number": 0.5, "boolean": True},
    **{"array": ["tides"], "object": {}},
}


def fitting(schema: dict[str, Any]) -> Any:
    """A plain value that the schema of an argument asks for."""
    if "enum" in schema:
        return schema["enum"][0]
    return PLAIN.get(schema.get("type", "string"), "tides")


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    tool = draw(st.sampled_from(registry.all_tools()))
    properties = tool.declaration()["inputSchema"].get("properties", {})
    required = tool.declaration()["inputSchema"].get("required", [])
    given = {name: fitting(properties[name]) for name in required}
    for name in draw(st.lists(st.sampled_from(sorted(properties) or ["x"]), max_size=3)):
        given[name] = draw(st.just(fitting(properties.get(name, {}))) | st.sampled_from(ODD) | VALUES)
    return tool.name, given


async def no_names(host: str, port: int) -> Sequence[str]:
    """Nobody outside is asked for anything: the loopback internet goes by its address."""
    raise OSError(host)


def test_no_arguments_make_a_tool_stumble(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    hasty = {**environment, **PERSONAL, "CHROME_PATH": "disabled", "TOOL_TIMEOUT": "2s"}
    with asyncio.Runner() as runner:

        async def opened() -> Application:
            return Application(Settings(hasty, declared_settings()))

        app = runner.run(opened())
        for guard in (app.page_client._guard, app.client._guard):
            monkeypatch.setattr(guard, "_resolve", no_names)

        @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
        @given(calls())
        def holds(call: tuple[str, dict[str, Any]]) -> None:
            answer = runner.run(app.call(*call))
            assert "mistake in Wellsourced" not in (answer.error_text or ""), answer.error_text

        try:
            holds()
        finally:
            runner.run(app.close())
