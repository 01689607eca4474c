"""What a token must be good for: the scopes every token needs, and those a tool call needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

EVERYTHING = frozenset({"research", "tool:*"})
USUAL = "research"
PREFIX = "tool:"
PLAIN = re.compile(r"tool:[A-Za-z0-9_.-]{1,128}")
MOST_ASKED_FOR = 64


@dataclass(frozen=True, slots=True)
class Demands:
    required: tuple[str, ...] = ()
    per_tool: bool = False

    @property
    def usual(self) -> list[str]:
        """What a client should ask the issuer for to begin with."""
        return list(dict.fromkeys([*self.required, USUAL] if self.per_tool else self.required))

    def to_ask_for(self, granted: frozenset[str], tools: Iterable[str]) -> list[str]:
        """Empty when all is granted; else every scope a better token needs, those it has for tools included, so that
        stepping up for one tool does not cost another."""
        lacking = [scope for scope in self.required if scope not in granted]
        if self.per_tool and not granted & EVERYTHING:
            lacking += [self._scope_for(tool, granted) for tool in tools if PREFIX + tool not in granted]
        if not lacking:
            return []
        kept = sorted(scope for scope in granted if PLAIN.fullmatch(scope))
        return list(dict.fromkeys([*self.required, *lacking, *kept]))[:MOST_ASKED_FOR]

    def _scope_for(self, tool: str, granted: frozenset[str]) -> str:
        """An issuer that gives out scopes for single tools is asked for one more; others may not know such scopes."""
        gives_single_tools = any(scope.startswith(PREFIX) for scope in granted)
        return PREFIX + tool if gives_single_tools and PLAIN.fullmatch(PREFIX + tool) else USUAL
