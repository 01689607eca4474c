"""One page's share of the way out: what it may still use, what was refused to it, and what failed."""

from __future__ import annotations

import asyncio
import base64
import secrets
from dataclasses import dataclass, field

from wellsourced.errors import WellsourcedError

MEBIBYTE = 1024 * 1024
ATTEMPTS_KEPT = 100


@dataclass(frozen=True, slots=True)
class Attempt:
    """A place a page wanted to reach and was kept from, with the guard's own words for why."""

    host: str
    reason: str


@dataclass(eq=False)
class Door:
    """Every connection of one page goes through its door; the proxy knows it by the credentials."""

    bytes_left: int = 64 * MEBIBYTE
    connections_allowed: int = 64
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    password: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    failures: dict[str, WellsourcedError] = field(default_factory=dict)
    overdrawn: asyncio.Event = field(default_factory=asyncio.Event)
    connections: set[asyncio.Task[None]] = field(default_factory=set)
    _attempts: dict[str, Attempt] = field(default_factory=dict)

    @property
    def refused(self) -> tuple[Attempt, ...]:
        return tuple(self._attempts.values())

    @property
    def credentials(self) -> str:
        """What the browser's Proxy-Authorization header holds."""
        return "Basic " + base64.b64encode(f"{self.name}:{self.password}".encode()).decode()

    def refuse(self, place: str, problem: WellsourcedError) -> None:
        """Note a refusal, once for each place and no more than a reader can use."""
        if len(self._attempts) < ATTEMPTS_KEPT:
            self._attempts.setdefault(place, Attempt(place, problem.sentence))

    def fail(self, host: str, problem: WellsourcedError) -> None:
        if len(self.failures) < ATTEMPTS_KEPT:
            self.failures[host] = problem

    def spend(self, count: int) -> bool:
        """Whether the page may have so many bytes more; the first time it may not, all its traffic ends."""
        self.bytes_left -= count
        if self.bytes_left < 0:
            self.overdrawn.set()
        return not self.overdrawn.is_set()
