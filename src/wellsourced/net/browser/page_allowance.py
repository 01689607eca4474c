"""What one page may use of the network: bytes and connections left, hosts refused to it, and what failed."""

from __future__ import annotations

import asyncio
import base64
import secrets
from dataclasses import dataclass, field

from wellsourced.errors import WellsourcedError

MEBIBYTE = 1024 * 1024
MOST_HOSTS_NOTED = 100


@dataclass(frozen=True, slots=True)
class RefusedHost:
    """A host that a page wanted to reach and was kept from, with the guard's reason."""

    host: str
    reason: str


@dataclass(eq=False)
class PageAllowance:
    """The limits of one page, which every connection of it counts against; the proxy knows it by the credentials."""

    bytes_left: int = 64 * MEBIBYTE
    connections_allowed: int = 64
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    password: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    failures: dict[str, WellsourcedError] = field(default_factory=dict)
    exhausted: asyncio.Event = field(default_factory=asyncio.Event)
    connections: set[asyncio.Task[None]] = field(default_factory=set)
    _refused_hosts: dict[str, RefusedHost] = field(default_factory=dict)

    @property
    def refused(self) -> tuple[RefusedHost, ...]:
        return tuple(self._refused_hosts.values())

    @property
    def credentials(self) -> str:
        """What the browser's Proxy-Authorization header holds."""
        return "Basic " + base64.b64encode(f"{self.name}:{self.password}".encode()).decode()

    def refuse(self, place: str, problem: WellsourcedError) -> None:
        """Note a refusal, once for each place and no more than a reader can use."""
        if len(self._refused_hosts) < MOST_HOSTS_NOTED:
            self._refused_hosts.setdefault(place, RefusedHost(place, problem.sentence))

    def fail(self, host: str, problem: WellsourcedError) -> None:
        if len(self.failures) < MOST_HOSTS_NOTED:
            self.failures[host] = problem

    def spend(self, count: int) -> bool:
        """Whether the page may have so many bytes more; the first time it may not, all its traffic ends."""
        self.bytes_left -= count
        if self.bytes_left < 0:
            self.exhausted.set()
        return not self.exhausted.is_set()
