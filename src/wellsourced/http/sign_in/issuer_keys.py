"""The issuer's public keys (RFC 7517): cached, and never fetched more often than is reasonable.

Cached keys go on serving while the issuer is down; of a key that is not among them nobody can say then whether the
issuer has it. An unknown key causes one fetch, and then none for a minute, however many tokens name such keys: nobody
can use this server to flood the issuer.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellsourced.errors import UpstreamChanged, UpstreamUnavailable, WellsourcedError
from wellsourced.http.sign_in.discovery import fetch_key_set
from wellsourced.http.sign_in.signed_token import decode_base64url
from wellsourced.net.client import HttpClient
from wellsourced.storage.single_flight import SingleFlight

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from jwt import PyJWK

MOST_KEYS = 100
SHORTEST_RSA = 2048
# Longer keys and larger exponents would let an issuer make every check of a signature costly.
LONGEST_RSA = 8192
LARGEST_EXPONENT = 2**32
# The members that make up a public key, and the algorithm by which such a key signs for us.
NUMBERS = {"RSA": ("n", "e"), "EC": ("x", "y")}
ALGORITHM_OF = {"RSA": "RS256", "EC": "ES256"}

BETWEEN_SEARCHES = 60.0
BETWEEN_TRIES = 60.0
BETWEEN_FIRST_TRIES = 5.0
NEVER = float("-inf")

logger = logging.getLogger("wellsourced")


class IssuerUnavailable(UpstreamUnavailable):
    """The issuer's keys cannot be fetched, which says nothing about the token."""

    action = "retry_after_delay"
    default_wait = 10


class IssuerKeys:
    def __init__(
        self, client: HttpClient, issuer: str, refresh_seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client = client
        self._issuer = issuer
        self._refresh_seconds = refresh_seconds
        self._clock = clock
        self._keys: list[PyJWK] | None = None
        self._is_reachable = False
        self._fetched = self._tried = self._searched = NEVER
        self._flights = SingleFlight()

    async def matching(self, kid: str | None, algorithm: str) -> list[PyJWK]:
        """The keys with that id and algorithm; with that algorithm alone, where the token names no id."""
        if self._is_due():
            await self._flights.run("keys", self._fetch)
        matches = self._cached(kid, algorithm)
        if not matches and self._keys is not None and self._may_search():
            await self._flights.run("keys", self._search)
            matches = self._cached(kid, algorithm)
        if not matches and not self._is_reachable:
            raise IssuerUnavailable("The issuer's keys cannot be fetched at the moment. Try again shortly.")
        return matches

    def _is_due(self) -> bool:
        now = self._clock()
        if self._keys is None:
            return len(self._flights) > 0 or now - self._tried >= BETWEEN_FIRST_TRIES
        return now - self._fetched >= self._refresh_seconds and now - self._tried >= BETWEEN_TRIES

    def _may_search(self) -> bool:
        return len(self._flights) > 0 or self._clock() - self._searched >= BETWEEN_SEARCHES

    def _cached(self, kid: str | None, algorithm: str) -> list[PyJWK]:
        return [key for key in self._keys or () if key.algorithm_name == algorithm and kid in {None, key.key_id}]

    async def _search(self) -> None:
        await self._fetch()
        self._searched = self._clock()

    async def _fetch(self) -> None:
        try:
            self._keys = parse_key_set(await fetch_key_set(self._client, self._issuer))
            self._fetched = self._clock()
            self._is_reachable = True
        except WellsourcedError as problem:
            self._is_reachable = False
            logger.warning("Sign-in: the keys of %s could not be fetched: %s", self._issuer, problem.sentence)
        self._tried = self._clock()


def parse_key_set(document: object) -> list[PyJWK]:
    """The usable keys. A set without any is an answer too: the issuer has withdrawn them."""
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise UpstreamChanged("its key set is not understood: it has no list of keys")
    keys = (parse_key(entry) for entry in entries[:MOST_KEYS] if isinstance(entry, dict))
    return [key for key in keys if key is not None]


def parse_key(entry: Mapping[str, Any]) -> PyJWK | None:
    """None for a key that is meant for something else, too weak, too costly, or not a key at all."""
    kind, kid = str(entry.get("kty")), entry.get("kid")
    if kind not in NUMBERS or not isinstance(kid, str | None) or not is_for_signatures(entry, ALGORITHM_OF[kind]):
        return None
    if kind == "EC" and entry.get("crv") != "P-256":
        return None
    # Loaded where somebody signs in: they take their room.
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from jwt import PyJWK, PyJWTError

    try:
        for name in NUMBERS[kind]:
            decode_base64url(entry[name])  # PyJWT takes other spellings, too
        # Only the members of a public key are handed on: with `d` PyJWT would make a private key of it.
        public = {name: entry[name] for name in ("kty", "kid", "crv", *NUMBERS[kind]) if name in entry}
        key = PyJWK(public, ALGORITHM_OF[kind])
    except (LookupError, TypeError, ValueError, PyJWTError, UnsupportedAlgorithm):
        return None
    return key if not isinstance(key.key, RSAPublicKey) or has_allowed_size(key.key) else None


def is_for_signatures(entry: Mapping[str, Any], algorithm: str) -> bool:
    operations = entry.get("key_ops", ["verify"])
    return (
        entry.get("use", "sig") == "sig"
        and entry.get("alg", algorithm) == algorithm
        and isinstance(operations, list)
        and "verify" in operations
    )


def has_allowed_size(key: RSAPublicKey) -> bool:
    return SHORTEST_RSA <= key.key_size <= LONGEST_RSA and key.public_numbers().e <= LARGEST_EXPONENT
