"""Writes docs/toolsets.md: the groups that TOOLSETS chooses from, and ready-made choices for kinds of work."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from wellsourced.mcp import declare
from wellsourced.mcp.listings import TOOLSET_ALIASES

BYTES_PER_TOKEN = 4.2
READ_BY_MODELS = ("name", "description", "inputSchema")
PROFILES = {
    "Somebody who looks things up": ("core",),
    "Author, editor, reviewer": ("core", "academic", "trust"),
    "Journalist, fact checker": ("core", "trust", "sessions"),
    "Lawyer": ("core", "domain", "trust", "sessions"),
    "Analyst, economist": ("core", "domain", "sessions"),
    "Inventor, patent attorney": ("core", "academic", "patents"),
    "Designer, marketing": ("core", "brand"),
    "Host that knows `search` and `fetch` only": ("connector",),
}
HEAD = """# Toolsets and profiles

A model reads the list of tools before every conversation. `TOOLSETS` offers only the groups that it names, `TOOLS` adds
single ones by name; with neither, all are offered. A name that does not exist is said on stderr, with those that do.

```sh
TOOLSETS=core,academic
TOOLS=verify_citation
```

Sizes are about what the list takes of a model's context, in tokens. Some tools are offered only where a setting
is made; [tools](tools.md) says which."""
PROFILES_HEAD = """## Profiles

Choices that fit kinds of work. Put the line into `env` of the client's configuration, or set it before
`wellsourced install CLIENT`, which takes it along."""


def toolsets_page() -> str:
    tools = [(entry["toolset"], json.loads(entry["json"])) for entry in declare.declarations()["tools"]]
    return "\n".join(
        [
            HEAD,
            "",
            "| group | tools | tokens |",
            "|---|---|--:|",
            *group_rows(tools),
            f"| all | | {size(tool for _, tool in tools):,} |",
            "",
            PROFILES_HEAD,
            "",
            "| for | set | tokens |",
            "|---|---|--:|",
            *profile_rows(tools),
            "",
        ]
    )


def group_rows(tools: list[tuple[str, dict[str, Any]]]) -> Iterable[str]:
    also = {name: alias for alias, name in TOOLSET_ALIASES.items()}
    for group in dict.fromkeys(toolset for toolset, _ in tools):
        members = [tool for toolset, tool in tools if toolset == group]
        name = f"`{group}`" + (f" or `{also[group]}`" if group in also else "")
        names = ", ".join(f"`{tool['name']}`" for tool in members)
        yield f"| {name} | {names} | {size(members):,} |"


def profile_rows(tools: list[tuple[str, dict[str, Any]]]) -> Iterable[str]:
    for person, groups in PROFILES.items():
        tokens = size(tool for toolset, tool in tools if toolset in groups)
        yield f"| {person} | `TOOLSETS={','.join(groups)}` | {tokens:,} |"


def size(tools: Iterable[dict[str, Any]]) -> int:
    """In tokens, to the next fifty."""
    seen = [{key: tool[key] for key in READ_BY_MODELS} for tool in tools]
    tokens = len(json.dumps(seen, separators=(",", ":"), ensure_ascii=False)) / BYTES_PER_TOKEN
    return -int(-tokens // 50) * 50
