"""From the text of a token to the person it stands for."""

from __future__ import annotations

import time
from collections.abc import Callable

from wellsourced.http.sign_in.claims import Rules, SignedIn, read_claims
from wellsourced.http.sign_in.issuer_keys import Keys
from wellsourced.http.sign_in.jws import Parts, is_signed_by, take_apart
from wellsourced.http.sign_in.refusals import TokenRefused
from wellsourced.storage.revoked_tokens import RevokedTokens


class Tokens:
    """Nothing is remembered of a verified token: trying a signature costs about a tenth of a millisecond, and a
    revoked token stops at once."""

    def __init__(
        self, keys: Keys, rules: Rules, revoked: RevokedTokens, clock: Callable[[], float] = time.time
    ) -> None:
        self._keys = keys
        self._rules = rules
        self._clock = clock
        self.revoked = revoked

    async def verify(self, token: str) -> SignedIn:
        """TokenRefused for a token that is not good; IssuerUnavailable when nobody can say.

        The claims come first, because they are cheap: a token that is expired or meant for others asks nobody for keys.
        """
        parts = take_apart(token)
        signed_in = read_claims(parts, self._rules, self._clock())
        await self._check_signature(parts)
        if await self.revoked.holds(signed_in.token_id, self._clock()):
            raise TokenRefused("revoked", "The token has been revoked.")
        return signed_in

    async def revoke(self, token_id: str, until: float) -> None:
        await self.revoked.add(token_id, until, self._clock())

    async def _check_signature(self, parts: Parts) -> None:
        keys = await self._keys.fitting(parts.kid, parts.algorithm)
        if not keys:
            raise TokenRefused("unknown_key", "The token is signed with a key that the issuer does not publish.")
        if not any(is_signed_by(parts, key) for key in keys):
            raise TokenRefused("signature", "The token's signature is wrong.")
