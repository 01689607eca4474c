"""The sessions last used, in memory, so that only what was written since has to be read. Bounded by their bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from wellsourced.identity import Identity
from wellsourced.sessions.session import Session
from wellsourced.storage.sessions.backend import Change, Kept

COST_OF_A_SESSION = 2000


class Copies:
    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._total = 0
        self._kept: OrderedDict[tuple[Identity, str], tuple[Session, int]] = OrderedDict()

    def get(self, owner: Identity, id: str) -> Session | None:
        found = self._kept.get((owner, id))
        return found[0] if found else None

    def keep(self, session: Session, news: Change | Kept) -> None:
        """Remember it as it is now; `news` is what was read or written since the copy before. The newest stays."""
        before = self._kept.pop((session.owner, session.id), (session, 0))[1]
        self._total -= before
        size = (before or COST_OF_A_SESSION) + sum(len(row.sealed) for row in news.rows)
        self._kept[session.owner, session.id] = session, size
        self._total += size
        while self._total > self._most and len(self._kept) > 1:
            self._total -= self._kept.popitem(last=False)[1][1]

    def drop(self, owner: Identity, id: str) -> None:
        self._total -= self._kept.pop((owner, id), (None, 0))[1]

    def drop_all(self, belongs: Callable[[Identity], bool]) -> None:
        for owner, id in [known for known in self._kept if belongs(known[0])]:
            self.drop(owner, id)
