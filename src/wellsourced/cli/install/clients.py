"""Where each MCP client keeps its servers, and how an entry looks there (as documented in November 2026)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Entry: TypeAlias = dict[str, Any]
MakeEntry: TypeAlias = Callable[[Sequence[str], Mapping[str, str]], Entry]

MAC, WINDOWS = "darwin", "win32"


@dataclass(frozen=True, slots=True)
class Client:
    """`path` leads to the object that holds the servers; `newer_path` is preferred where a file already has it.
    `restart` says how the client notices the change."""

    title: str
    file: Callable[[], Path]
    path: tuple[str, ...]
    entry: MakeEntry
    format: str = "json"
    newer_path: tuple[str, ...] = ()
    restart: str = "Restart it to use the new server."


def home(*parts: str) -> Callable[[], Path]:
    return lambda: Path.home().joinpath(*parts)


def settings_folder() -> Path:
    """The folder in which applications keep the settings of a person."""
    if sys.platform == MAC:
        return Path.home() / "Library" / "Application Support"
    if sys.platform == WINDOWS:
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def settings(*parts: str) -> Callable[[], Path]:
    return lambda: settings_folder().joinpath(*parts)


def by_system(*, windows: Callable[[], Path], others: Callable[[], Path]) -> Callable[[], Path]:
    def file() -> Path:
        return windows() if sys.platform == WINDOWS else others()

    return file


def plain_entry(command: Sequence[str], environment: Mapping[str, str]) -> Entry:
    entry: Entry = {"command": command[0], "args": list(command[1:])}
    return {**entry, "env": dict(environment)} if environment else entry


def typed_entry(command: Sequence[str], environment: Mapping[str, str]) -> Entry:
    return {"type": "stdio", **plain_entry(command, environment)}


def opencode_entry(command: Sequence[str], environment: Mapping[str, str]) -> Entry:
    entry: Entry = {"type": "local", "command": list(command), "enabled": True}
    return {**entry, "environment": dict(environment)} if environment else entry


def goose_entry(command: Sequence[str], environment: Mapping[str, str]) -> Entry:
    start = {"cmd": command[0], "args": list(command[1:]), "envs": dict(environment)}
    return {"name": "wellsourced", "type": "stdio", "enabled": True, **start, "timeout": 300}


SERVERS = ("mcpServers",)
CLINE = ("Code", "User", "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json")

CLIENTS: dict[str, Client] = {
    "claude-code": Client("Claude Code", home(".claude.json"), SERVERS, typed_entry),
    "claude-desktop": Client("Claude Desktop", settings("Claude", "claude_desktop_config.json"), SERVERS, plain_entry),
    "cline": Client("Cline", settings(*CLINE), SERVERS, plain_entry),
    "codex": Client("Codex", home(".codex", "config.toml"), ("mcp_servers",), plain_entry, format="toml"),
    "continue": Client("Continue", home(".continue", "mcpServers", "wellsourced.json"), SERVERS, plain_entry),
    "cursor": Client("Cursor", home(".cursor", "mcp.json"), SERVERS, plain_entry),
    "gemini-cli": Client("Gemini CLI", home(".gemini", "settings.json"), SERVERS, plain_entry),
    "goose": Client(
        "Goose",
        by_system(
            windows=settings("Block", "goose", "config", "config.yaml"), others=home(".config", "goose", "config.yaml")
        ),
        ("extensions",),
        goose_entry,
        format="yaml",
    ),
    "jetbrains": Client("Junie, in JetBrains IDEs", home(".junie", "mcp", "mcp.json"), SERVERS, plain_entry),
    "lm-studio": Client("LM Studio", home(".lmstudio", "mcp.json"), SERVERS, plain_entry),
    "opencode": Client(
        "opencode",
        home(".config", "opencode", "opencode.json"),
        ("mcp",),
        opencode_entry,
        newer_path=("mcp", "servers"),
    ),
    "vscode": Client("VS Code", settings("Code", "User", "mcp.json"), ("servers",), typed_entry),
    "windsurf": Client("Windsurf", home(".codeium", "windsurf", "mcp_config.json"), SERVERS, plain_entry),
    "zed": Client(
        "Zed",
        by_system(windows=settings("Zed", "settings.json"), others=home(".config", "zed", "settings.json")),
        ("context_servers",),
        plain_entry,
        restart="It notices the change by itself.",
    ),
}
