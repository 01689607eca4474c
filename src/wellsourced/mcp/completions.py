"""Completions for arguments with known values: lenses, providers, and the choices of tools and prompts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wellsourced.app import Application
from wellsourced.mcp.prompts import PROMPTS
from wellsourced.mcp.resources import CHOSEN
from wellsourced.tool import registry
from wellsourced.upstreams import all_upstreams

MOST = 100


def complete(app: Application, prompt: str | None, argument: str, typed: str) -> dict[str, Any]:
    """Values that start with what was typed, case-insensitively, sorted."""
    values = sorted({value for value in choices(app, prompt, argument) if value.lower().startswith(typed.lower())})
    return {"values": values[:MOST], "total": len(values), "hasMore": len(values) > MOST}


def choices(app: Application, prompt: str | None, argument: str) -> Iterable[str]:
    if argument == "lens":
        return app.services.lenses.names()
    if argument == "provider":
        return [*choosable(app), "all"]
    if prompt in PROMPTS:
        own = [known.choices for known in PROMPTS[prompt].arguments if known.name == argument]
        return own[0] if own else ()
    return enum_values(argument)


def choosable(app: Application) -> Iterable[str]:
    """The configured providers that some tool can be told to ask."""
    configured = (provider for provider, _ in app.services.upstreams.states())
    return (provider.public_name for provider in configured if all_upstreams()[provider.name].offers & CHOSEN.keys())


def enum_values(argument: str) -> set[str]:
    """What any tool accepts for an argument of this name."""
    found: set[str] = set()
    for tool in registry.all_tools():
        schema = tool.declaration()["inputSchema"]["properties"].get(argument, {})
        found.update(schema.get("enum", ()))
    return found
