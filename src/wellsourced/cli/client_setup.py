"""How MCP clients are configured for Wellsourced: the exact command or file of each.

The forms are those the clients document (November 2026). The command is that of this installation, by its full path,
because clients start it with a search path of their own; under `uvx`, whose folders come and go, it is `uvx`. Keys are
never printed: where a client can look a variable up, the configuration says so, else it has a placeholder.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "wellsourced"
PLACEHOLDER = "put the value of {} here"


@dataclass(frozen=True, slots=True)
class Installation:
    """The command to start, and the settings it is to be given: secret ones by name alone."""

    command: tuple[str, ...]
    plain: Mapping[str, str]
    secret: tuple[str, ...]

    def environment(self, secret: str) -> dict[str, str]:
        """`secret` is the client's notation for the value of a variable, with {} for its name."""
        return {**self.plain, **{name: secret.format(name) for name in self.secret}}

    def server(self, secret: str, **more: str) -> dict[str, Any]:
        entry: dict[str, Any] = {**more, "command": self.command[0], "args": list(self.command[1:])}
        environment = self.environment(secret)
        return {**entry, "env": environment} if environment else entry

    def shell_options(self) -> str:
        """`--env NAME=value` for each setting; the shell fills in the secret ones."""
        plain = [f"--env {shlex.quote(f'{name}={value}')}" for name, value in self.plain.items()]
        return "".join(f"{part} " for part in [*plain, *(f'--env {name}="${name}"' for name in self.secret)])


def this_installation(plain: Mapping[str, str], secret: tuple[str, ...]) -> Installation:
    return Installation(own_command(Path(sys.executable), Path(sys.prefix)), plain, secret)


def own_command(python: Path, prefix: Path) -> tuple[str, ...]:
    # Folders of uv's cache, in which `uvx` runs a package; they may be gone tomorrow.
    if any(part.startswith(("archive-v", "environments-v")) for part in prefix.parts):
        return ("uvx", NAME)
    script = python.with_name(f"{NAME}.exe" if sys.platform == "win32" else NAME)
    return (str(script),) if script.is_file() else (str(python), "-m", NAME)


def claude_code(own: Installation) -> str:
    command = f"claude mcp add {NAME} {own.shell_options()}-- {shlex.join(own.command)}"
    project = mcp_servers_file(own.server("${{{}}}"))
    return f"Run:\n\n{indent_block(command)}\n\nor, for everyone in a project, put into .mcp.json:\n\n{project}"


def claude_desktop(own: Installation) -> str:
    places = (
        "macOS: ~/Library/Application Support/Claude/claude_desktop_config.json",
        r"Windows: %APPDATA%\Claude\claude_desktop_config.json",
    )
    where = "\n".join(f"  {place}" for place in places)
    return f"Put into claude_desktop_config.json:\n{where}\n\n{mcp_servers_file(own.server(PLACEHOLDER))}"


def cursor(own: Installation) -> str:
    entry = own.server("${{env:{}}}")
    return f"Put into ~/.cursor/mcp.json, or .cursor/mcp.json of a project:\n\n{mcp_servers_file(entry)}"


def vscode(own: Installation) -> str:
    entry = own.server("${{input:{}}}", type="stdio")
    asked = [{"type": "promptString", "id": name, "description": name, "password": True} for name in own.secret]
    text = json.dumps({**({"inputs": asked} if asked else {}), "servers": {NAME: entry}}, indent=2, ensure_ascii=False)
    return f"Put into .vscode/mcp.json:\n\n{indent_block(text)}"


def codex(own: Installation) -> str:
    command = f"codex mcp add {NAME} {own.shell_options()}-- {shlex.join(own.command)}"
    return f"Run:\n\n{indent_block(command)}\n\nor put into ~/.codex/config.toml:\n\n{indent_block(codex_table(own))}"


def codex_table(own: Installation) -> str:
    """TOML's basic strings and arrays of them are written like JSON's."""
    lines = [
        f"[mcp_servers.{NAME}]",
        f"command = {format_toml(own.command[0])}",
        f"args = {format_toml(list(own.command[1:]))}",
    ]
    if own.secret:
        lines.append(f"env_vars = {format_toml(list(own.secret))}")
    if own.plain:
        lines += [
            "",
            f"[mcp_servers.{NAME}.env]",
            *(f"{name} = {format_toml(value)}" for name, value in own.plain.items()),
        ]
    return "\n".join(lines)


def format_toml(value: str | list[str]) -> str:
    # TOML forbids a raw DEL, which JSON allows.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def mcp_servers_file(entry: dict[str, Any]) -> str:
    return indent_block(json.dumps({"mcpServers": {NAME: entry}}, indent=2, ensure_ascii=False))


def indent_block(text: str) -> str:
    return "\n".join(f"    {line}" if line else line for line in text.split("\n"))


CLIENTS: dict[str, Callable[[Installation], str]] = {
    "claude-code": claude_code,
    "claude-desktop": claude_desktop,
    "cursor": cursor,
    "vscode": vscode,
    "codex": codex,
}
