"""Whether this machine seems to be offline: asked only when a name could not be looked up."""

from __future__ import annotations

import asyncio
import time

from wellsourced.net.guard import Resolve, system_resolve

# Names of several owners under several domains: where none of them can be looked up, the trouble is on this side.
NAMES = ("www.wikipedia.org", "api.crossref.org", "www.iana.org")
SECONDS = 3.0
KEPT_SECONDS = 15.0


class Connectivity:
    """Asks the system's resolver for a few well-known names; the finding is kept for some seconds."""

    def __init__(self, resolve: Resolve = system_resolve) -> None:
        self._resolve = resolve
        self._looked_at = float("-inf")
        self._is_offline = False

    async def seems_offline(self) -> bool:
        if time.monotonic() - self._looked_at > KEPT_SECONDS:
            self._is_offline = not any(await asyncio.gather(*map(self._is_known, NAMES)))
            self._looked_at = time.monotonic()
        return self._is_offline

    async def _is_known(self, name: str) -> bool:
        try:
            async with asyncio.timeout(SECONDS):
                return bool(await self._resolve(name, 443))
        except (OSError, UnicodeError):  # a time-out is an OSError
            return False
