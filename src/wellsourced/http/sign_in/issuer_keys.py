"""The issuer's keys, kept as long as they may be, and never asked for more often than is decent.

Keys in hand go on serving while the issuer is down; of a key that is not among them nobody can say then whether the
issuer has it. A key nobody knows makes us ask once, and then not again for a minute, however many tokens name such
keys: nobody can use us to flood the issuer.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from wellsourced.errors import WellsourcedError
from wellsourced.http.sign_in.discovery import find_key_set
from wellsourced.http.sign_in.jwk import Key, read_key_set
from wellsourced.http.sign_in.jws import PublicKey
from wellsourced.http.sign_in.refusals import IssuerUnavailable
from wellsourced.net.client import HttpClient
from wellsourced.storage.single_flight import SingleFlight

BETWEEN_SEARCHES = 60.0
BETWEEN_TRIES = 60.0
BETWEEN_FIRST_TRIES = 5.0
LONG_AGO = float("-inf")

logger = logging.getLogger("wellsourced")


class Keys:
    def __init__(
        self, client: HttpClient, issuer: str, refresh_seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client = client
        self._issuer = issuer
        self._refresh_seconds = refresh_seconds
        self._clock = clock
        self._keys: list[Key] | None = None
        self._is_reachable = False
        self._fetched = self._tried = self._searched = LONG_AGO
        self._flights = SingleFlight()

    async def fitting(self, kid: str | None, algorithm: str) -> list[PublicKey]:
        """The keys of that name and type; of that type alone, where the token names none."""
        if self._is_due():
            await self._flights.run("keys", self._fetch)
        found = self._in_hand(kid, algorithm)
        if not found and self._keys is not None and self._may_search():
            await self._flights.run("keys", self._search)
            found = self._in_hand(kid, algorithm)
        if not found and not self._is_reachable:
            raise IssuerUnavailable("The issuer's keys cannot be fetched at the moment. Try again shortly.")
        return found

    def _is_due(self) -> bool:
        now = self._clock()
        if self._keys is None:
            return len(self._flights) > 0 or now - self._tried >= BETWEEN_FIRST_TRIES
        return now - self._fetched >= self._refresh_seconds and now - self._tried >= BETWEEN_TRIES

    def _may_search(self) -> bool:
        return len(self._flights) > 0 or self._clock() - self._searched >= BETWEEN_SEARCHES

    def _in_hand(self, kid: str | None, algorithm: str) -> list[PublicKey]:
        return [key.public for key in self._keys or () if key.algorithm == algorithm and kid in {None, key.kid}]

    async def _search(self) -> None:
        await self._fetch()
        self._searched = self._clock()

    async def _fetch(self) -> None:
        try:
            self._keys = read_key_set(await find_key_set(self._client, self._issuer))
            self._fetched = self._clock()
            self._is_reachable = True
        except WellsourcedError as problem:
            self._is_reachable = False
            logger.warning("Sign-in: the keys of %s could not be fetched: %s", self._issuer, problem.sentence)
        self._tried = self._clock()
