"""Verifies a token: from its text to the person it stands for."""

from __future__ import annotations

import time
from collections.abc import Callable

from wellsourced.http.sign_in.claims import SignedIn, TokenRules, check_claims
from wellsourced.http.sign_in.issuer_keys import IssuerKeys
from wellsourced.http.sign_in.signed_token import SignedToken, TokenRefused, parse_token
from wellsourced.storage.revoked_tokens import RevokedTokens


class TokenVerifier:
    """Verified tokens are not cached: checking a signature takes about a tenth of a millisecond, and a revoked token
    is refused at once."""

    def __init__(
        self, keys: IssuerKeys, rules: TokenRules, revoked: RevokedTokens, clock: Callable[[], float] = time.time
    ) -> None:
        self._keys = keys
        self._rules = rules
        self._clock = clock
        self.revoked = revoked

    async def verify(self, text: str) -> SignedIn:
        """TokenRefused for a token that is not good; IssuerUnavailable when nobody can say.

        The claims come first, because they are cheap: no key is fetched for a token that is expired or for others.
        """
        token = parse_token(text)
        signed_in = check_claims(token, self._rules, self._clock())
        await self._check_signature(token)
        if await self.revoked.holds(signed_in.token_id, self._clock()):
            raise TokenRefused("revoked", "The token has been revoked.")
        return signed_in

    async def revoke(self, token_id: str, until: float) -> None:
        await self.revoked.add(token_id, until, self._clock())

    async def _check_signature(self, token: SignedToken) -> None:
        keys = await self._keys.matching(token.kid, token.algorithm)
        if not keys:
            raise TokenRefused("unknown_key", "The token is signed with a key that the issuer does not publish.")
        if not any(token.is_signed_by(key) for key in keys):
            raise TokenRefused("signature", "The token's signature is wrong.")
