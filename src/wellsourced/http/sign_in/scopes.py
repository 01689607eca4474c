"""The scopes a token must have: those every token needs, and those a tool call needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

ALL_TOOLS = frozenset({"research", "tool:*"})
USUAL_SCOPE = "research"
PREFIX = "tool:"
TOOL_SCOPE = re.compile(r"tool:[A-Za-z0-9_.-]{1,128}")
MOST_REQUESTED = 64


@dataclass(frozen=True, slots=True)
class RequiredScopes:
    required: tuple[str, ...] = ()
    per_tool: bool = False

    @property
    def initial(self) -> list[str]:
        """The scopes a client should request from the issuer to begin with."""
        return list(dict.fromkeys([*self.required, USUAL_SCOPE] if self.per_tool else self.required))

    def missing(self, granted: frozenset[str], tools: Iterable[str]) -> list[str]:
        """Empty when all is granted; else every scope the next token needs. Those granted for tools are included, so
        that asking for one more tool does not lose another."""
        lacking = [scope for scope in self.required if scope not in granted]
        if self.per_tool and not granted & ALL_TOOLS:
            lacking += [self._scope_for(tool, granted) for tool in tools if PREFIX + tool not in granted]
        if not lacking:
            return []
        kept = sorted(scope for scope in granted if TOOL_SCOPE.fullmatch(scope))
        return list(dict.fromkeys([*self.required, *lacking, *kept]))[:MOST_REQUESTED]

    def _scope_for(self, tool: str, granted: frozenset[str]) -> str:
        """The tool's own scope where the issuer grants such scopes, which other issuers may not know."""
        grants_single_tools = any(scope.startswith(PREFIX) for scope in granted)
        return PREFIX + tool if grants_single_tools and TOOL_SCOPE.fullmatch(PREFIX + tool) else USUAL_SCOPE
