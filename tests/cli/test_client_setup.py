"""The snippets for clients: well-formed, complete, and without a key in them."""

from __future__ import annotations

import json
import shlex
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.running import run
from wellsourced.cli.client_setup import CLIENTS, Installation, own_command
from wellsourced.cli.doctor import CLIENTS as OFFERED

OWN = Installation(
    ("/opt/two words/wellsourced",), {"SEARCH_ROUTING": '{"web":"brave"}', "LOG_LEVEL": "error"}, ("BRAVE_API_KEY",)
)
LOOKED_UP = {
    "claude-code": "${BRAVE_API_KEY}",
    "claude-desktop": "put the value of BRAVE_API_KEY here",
    "cursor": "${env:BRAVE_API_KEY}",
    "vscode": "${input:BRAVE_API_KEY}",
}


def block(text: str, begins: str) -> str:
    """The indented block that starts with these characters."""
    start = text.index(f"    {begins}")
    lines = []
    for line in text[start:].split("\n"):
        if line and not line.startswith("    "):
            break
        lines.append(line.removeprefix("    "))
    return "\n".join(lines)


@pytest.mark.parametrize("client", LOOKED_UP)
def test_files_of_json(client: str) -> None:
    file = json.loads(block(CLIENTS[client](OWN), "{"))
    entry = file["servers" if client == "vscode" else "mcpServers"]["wellsourced"]
    assert (entry["command"], entry["args"]) == ("/opt/two words/wellsourced", [])
    assert entry["env"] == {**OWN.plain, "BRAVE_API_KEY": LOOKED_UP[client]}
    if client == "vscode":
        assert [asked["id"] for asked in file["inputs"]] == ["BRAVE_API_KEY"]


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_commands(client: str) -> None:
    program = client.partition("-")[0]
    words = shlex.split(block(CLIENTS[client](OWN), f"{program} mcp").split("\n")[0])
    assert words[:4] == [program, "mcp", "add", "wellsourced"]
    given = [words[place + 1] for place, word in enumerate(words) if word == "--env"]
    assert given == ['SEARCH_ROUTING={"web":"brave"}', "LOG_LEVEL=error", "BRAVE_API_KEY=$BRAVE_API_KEY"]
    assert words[words.index("--") + 1 :] == ["/opt/two words/wellsourced"]


def test_the_table_of_codex() -> None:
    table = tomllib.loads(block(CLIENTS["codex"](OWN), "[mcp_servers"))["mcp_servers"]["wellsourced"]
    assert table == {
        "command": "/opt/two words/wellsourced",
        "args": [],
        "env_vars": ["BRAVE_API_KEY"],
        "env": dict(OWN.plain),
    }


def test_the_command_of_this_installation(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    assert own_command(python, tmp_path) == (str(python), "-m", "wellsourced")
    if sys.platform != "win32":
        python.with_name("wellsourced").touch()
        assert own_command(python, tmp_path) == (str(python.with_name("wellsourced")),)
    assert own_command(python, tmp_path / "archive-v0" / "x") == ("uvx", "wellsourced")


@pytest.mark.parametrize("client", OFFERED)
def test_the_doctor_prints_them_without_keys(quiet_environment: Mapping[str, str], client: str) -> None:
    given = {"BRAVE_API_KEY": "BSAsecret-secret-secret", "PORT": "8765", "LOG_LEVEL": "error", "CACHE_DIR": "kept/here"}
    ran = run({**quiet_environment, **given}, "doctor", "--client", client)
    assert ran.status == 0
    assert "BRAVE_API_KEY" in ran.out and "LOG_LEVEL" in ran.out
    assert "BSAsecret" not in ran.out and "PORT" not in ran.out
    assert str(Path("kept/here").absolute()) in ran.out
