"""The MCP sessions of callers over HTTP. Most never need the SDK; one that does has a second one there."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

SESSION_IDLE_SECONDS = 1800
MOST_SESSIONS = 10_000
# The SDK ends its sessions after the same time, so that one there is not used up to its last minute.
SDK_SECONDS = SESSION_IDLE_SECONDS - 60


@dataclass(slots=True)
class McpSession:
    """`version` is that of the handshake; `sdk_id` is that of the SDK's session, empty where there is none."""

    id: bytes
    owner: str
    version: str
    used: float
    busy: int = 0
    """How many streams are open, or requests with the SDK."""
    sdk_id: bytes = b""
    sdk_used: float = 0.0
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    over: asyncio.Event = field(default_factory=asyncio.Event)


class McpSessions:
    def __init__(self, most: int = MOST_SESSIONS, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._open: dict[bytes, McpSession] = {}

    def open(self, owner: str, version: str) -> McpSession | None:
        """A new session; None where there are too many."""
        if len(self._open) >= self._most:
            self._open = {id: session for id, session in self._open.items() if not self._is_over(session)}
        if len(self._open) >= self._most:
            return None
        session = McpSession(secrets.token_hex(16).encode(), owner, version, self._clock())
        self._open[session.id] = session
        return session

    def find(self, id: bytes | None, owner: str) -> McpSession | None:
        """The session of this caller, which is in use from now on."""
        session = self._open.get(id) if id else None
        if session is None or session.owner != owner:
            return None
        if self._is_over(session):
            self.end(session)
            return None
        session.used = self._clock()
        return session

    def end(self, session: McpSession) -> None:
        session.over.set()
        self._open.pop(session.id, None)

    def is_open_in_sdk(self, session: McpSession) -> bool:
        return bool(session.sdk_id) and self._clock() - session.sdk_used < SDK_SECONDS

    def note_sdk_id(self, session: McpSession, id: bytes) -> None:
        session.sdk_id, session.sdk_used = id, self._clock()

    @contextmanager
    def held(self, session: McpSession) -> Iterator[None]:
        """Around what may take long: the session is not idle meanwhile."""
        session.busy += 1
        try:
            yield
        finally:
            session.busy -= 1
            session.used = self._clock()

    def _is_over(self, session: McpSession) -> bool:
        return not session.busy and self._clock() - session.used > SESSION_IDLE_SECONDS
