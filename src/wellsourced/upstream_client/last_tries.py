"""How the last real question to each provider ended, kept so that `doctor` and a restarted server know it too.

Only the provider, the moment and the outcome are kept: no question, and nothing that the provider wrote, since an
answer may repeat the question.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from wellsourced.errors import WellsourcedError
from wellsourced.identity import Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.text.moments import format_rfc3339

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellsourced.storage.records.sealed import SealedRecords
    from wellsourced.upstream_client.kept_try import KeptTry

PLACE = "providers"
NOBODY = Identity(tenant="wellsourced", user="providers")
WRITE_SECONDS, READ_SECONDS, BEHIND_SECONDS = 60.0, 10.0, 1.0
ANSWERED = "answered"
STATUS = re.compile(r"\bHTTP ([1-5][0-9]{2})\b")
REASONS = {
    "auth_required": "It did not accept the key.",
    "blocked": "It refused the request.",
    "rate_limited": "It asked for a pause.",
    "network": "It could not be reached.",
    "content_empty": "Its answer was empty.",
    "upstream_changed": "Its answer was not understood.",
    "upstream_unavailable": "It is out of order.",
    "config": "It is not set up.",
}


@dataclass(frozen=True, slots=True)
class LastTry:
    """How a question ended: `failure` is None where the provider answered."""

    at: datetime
    failure: WellsourcedError | None = None

    @property
    def outcome(self) -> str:
        return self.failure.kind if self.failure else ANSWERED

    @property
    def public(self) -> KeptTry:
        """What anybody may see of it."""
        from wellsourced.upstream_client.kept_try import KeptTry

        if self.failure is None:
            return KeptTry(at=format_rfc3339(self.at), outcome=self.outcome)
        reason = REASONS.get(self.failure.kind, "It failed.")
        if status := STATUS.search(f"{self.failure.sentence} {self.failure.detail or ''}"):
            reason = f"{reason[:-1]} (HTTP {status[1]})."
        return KeptTry(at=format_rfc3339(self.at), outcome=self.outcome, reason=reason)


class LastTries:
    """Writes an outcome when it changes, else once a minute, and reads what other processes wrote now and then.

    Where they are kept is opened when it is first needed: a first search is answered before.
    """

    def __init__(self, open_records: Callable[[], SealedRecords[KeptTry]]) -> None:
        self._open_records = open_records
        self._written: dict[str, tuple[str, float]] = {}
        self._writing: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()
        self._read: dict[str, KeptTry] = {}
        self._read_at = float("-inf")

    @cached_property
    def _records(self) -> SealedRecords[KeptTry]:
        return self._open_records()

    def keep_soon(self, name: str, tried: LastTry) -> None:
        """Keep it, behind the answer that was just received."""
        now = time.monotonic()
        outcome, at = self._written.get(name, ("", 0.0))
        if outcome == tried.outcome and now - at < WRITE_SECONDS:
            return
        self._written[name] = (tried.outcome, now)
        task = asyncio.get_running_loop().create_task(self._write(name, tried))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def settle(self) -> None:
        """Have written at once what is to be, and wait for it."""
        self._closing.set()
        await asyncio.gather(*self._writing)

    async def _write(self, name: str, tried: LastTry) -> None:
        """Storage that cannot be used costs the record alone. First calls are answered before it is loaded for this."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), BEHIND_SECONDS)
        with suppress(WellsourcedError, OSError):
            await self._records.put(PLACE, NOBODY, name, tried.public)

    async def load(self, names: list[str]) -> dict[str, KeptTry]:
        """What is kept of these providers; nothing where the storage cannot be used."""
        now = time.monotonic()
        if now - self._read_at > READ_SECONDS:
            self._read_at = now
            try:
                found = [(name, await self._records.get(PLACE, name)) for name in names]
            except (WellsourcedError, OSError):
                return {}
            self._read = {name: tried for name, tried in found if tried}
        return self._read
