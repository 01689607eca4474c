"""Room for connections: how many there may be, and which one gives way when there are no more.

Idle connections never keep others out: the one that has been without a whole request for longest gives way. Only when
all are busy is a newcomer turned away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wellsourced.http.middleware.security_headers import security_headers
from wellsourced.settings import Settings

if TYPE_CHECKING:
    from wellsourced.http.connections import Connection

MOST_CONNECTIONS = 10_000
ENOUGH_FILES = 65_536


@dataclass(slots=True)
class Room:
    """What all connections share."""

    head_seconds: float
    idle_seconds: float
    head_bytes: int
    most: int
    headers: Sequence[tuple[bytes, bytes]]
    open: int = 0
    waiting: dict[Connection, None] = field(default_factory=dict)
    """Those without a whole request, the longest-waiting first."""

    def make_way(self) -> bool:
        """Whether there is room for one more, if need be in an idle one's place."""
        if self.open <= self.most:
            return True
        longest = next(iter(self.waiting), None)
        if longest is None:
            return False
        longest.give_way()
        return True


def open_room(settings: Settings) -> Room:
    return Room(
        head_seconds=settings.seconds("HTTP_READ_HEADER_TIMEOUT"),
        idle_seconds=settings.seconds("HTTP_IDLE_TIMEOUT"),
        head_bytes=settings.count("HTTP_MAX_HEADER_BYTES"),
        most=min(MOST_CONNECTIONS, files_allowed() // 2),
        headers=security_headers(settings),
    )


def files_allowed() -> int:
    """How many files and sockets this process may have open; the soft limit is raised as far as it may be."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return ENOUGH_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH_FILES if hard == resource.RLIM_INFINITY else min(hard, ENOUGH_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return ENOUGH_FILES if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # macOS has a further, unspoken limit
        return soft
    return wanted
