"""What the demo tells while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call of a tool and what came back: its structured content, or the text of its error."""

    tool: str
    arguments: Mapping[str, Any]
    content: Mapping[str, Any] | None = None
    error: str = ""

    def as_json(self) -> dict[str, Any]:
        came = {"error": self.error} if self.content is None else {"content": self.content}
        return {"tool": self.tool, "arguments": self.arguments, **came}


@dataclass(frozen=True, slots=True)
class Event:
    """A step of the demo. `address` comes with the last one: the workbench on what was found."""

    step: int
    title: str
    text: str
    address: str | None = None
    exchange: Exchange | None = None

    def as_json(self) -> dict[str, Any]:
        """For people who watch: without the exchange, which may be long."""
        told: dict[str, Any] = {"step": self.step, "title": self.title, "text": self.text}
        return {**told, "address": self.address} if self.address else told
