"""Completions for arguments with known values: lenses, providers, and the choices of tools and prompts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wellsourced.app import Application
from wellsourced.mcp.prompts import PROMPTS
from wellsourced.mcp.resources import CHOOSABLE_KINDS
from wellsourced.tool import registry
from wellsourced.upstreams import all_upstreams

MOST_VALUES = 100


def complete_argument(app: Application, prompt: str | None, argument: str, typed: str) -> dict[str, Any]:
    """Values that start with what was typed, case-insensitively, sorted."""
    values = sorted({value for value in known_values(app, prompt, argument) if value.lower().startswith(typed.lower())})
    return {"values": values[:MOST_VALUES], "total": len(values), "hasMore": len(values) > MOST_VALUES}


def known_values(app: Application, prompt: str | None, argument: str) -> Iterable[str]:
    if argument == "lens":
        return app.services.lenses.names()
    if argument == "provider":
        return [*choosable_providers(app), "all"]
    if prompt in PROMPTS:
        own = (known.choices for known in PROMPTS[prompt].arguments if known.name == argument)
        return next(own, ())
    return enum_values(argument)


def choosable_providers(app: Application) -> Iterable[str]:
    """The configured providers that can be chosen in some tool."""
    configured = (provider for provider, _ in app.services.upstreams.states())
    return (
        provider.public_name
        for provider in configured
        if all_upstreams()[provider.name].offers & CHOOSABLE_KINDS.keys()
    )


def enum_values(argument: str) -> set[str]:
    """The values any tool accepts for an argument of this name."""
    values: set[str] = set()
    for tool in registry.all_tools():
        schema = tool.declaration()["inputSchema"]["properties"].get(argument, {})
        values.update(schema.get("enum", ()))
    return values
