"""How the last question to a provider ended, in the form in which it is kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from wellsourced.tool.base import OutputPart
from wellsourced.upstream_client.last_tries import ANSWERED

RECENT = timedelta(hours=1)


class KeptTry(OutputPart):
    at: str
    outcome: str
    reason: str | None = None

    @property
    def is_recent_failure(self) -> bool:
        moment = datetime.fromisoformat(self.at)
        return self.outcome != ANSWERED and datetime.now(UTC) - moment < RECENT
