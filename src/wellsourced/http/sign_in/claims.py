"""Checks a token's claims: who issued it for whom, from when until when, and the person it names."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wellsourced.http.sign_in.signed_token import SignedToken, TokenRefused
from wellsourced.identity import DEFAULT_TENANT, Identity, is_anonymous_name

CLOCK_SKEW = 60
END_OF_TIME = 253_402_300_800  # the year 10000: later than that is a mistake, and no store takes it
LONGEST_NAME = 256
UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class TokenRules:
    issuer: str
    audience: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    identity: Identity
    scopes: frozenset[str]
    refused_from: float
    """When the token has expired, clock skew included."""
    token_id: str
    """By which a revocation names it."""


def check_claims(token: SignedToken, rules: TokenRules, now: float) -> SignedIn:
    claims = token.claims
    check_issuer_and_audience(claims, rules)
    expires = check_times(claims, now)
    if "cnf" in claims:
        raise TokenRefused("bound", "The token is bound to a key of its holder (cnf); only bearer tokens are accepted.")
    return SignedIn(
        identity=Identity(tenant=tenant_of(claims), user=user_of(claims)),
        scopes=frozenset(scope for name in ("scope", "scp") for scope in scopes_in(claims.get(name))),
        refused_from=expires + CLOCK_SKEW,
        token_id=token_id(token),
    )


def check_issuer_and_audience(claims: Mapping[str, Any], rules: TokenRules) -> None:
    if claims.get("iss") != rules.issuer:
        raise TokenRefused("issuer", "The token was not issued by the issuer this server accepts.")
    audience = claims.get("aud")
    if rules.audience not in (audience if isinstance(audience, list) else [audience]):
        raise TokenRefused("audience", "The token is for another audience than this server.")


def check_times(claims: Mapping[str, Any], now: float) -> float:
    """When the token expires. Clocks may differ by a minute."""
    expires = time_claim(claims, "exp")
    if expires is None:
        raise TokenRefused("expiry", "The token has no expiry (exp).")
    if now >= expires + CLOCK_SKEW:
        raise TokenRefused("expired", "The token has expired.")
    for name in ("nbf", "iat"):
        start = time_claim(claims, name)
        if start is not None and start > now + CLOCK_SKEW:
            raise TokenRefused("not_yet_valid", f"The token is not valid yet ({name} lies in the future).")
    return expires


def time_claim(claims: Mapping[str, Any], name: str) -> float | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < END_OF_TIME:
        raise TokenRefused("malformed", f"The token's {name} is not a time.")
    return float(value)


def user_of(claims: Mapping[str, Any]) -> str:
    """The subject. Without one, all who have such a token would be one person, so the token is refused."""
    user = claims.get("sub")
    if not is_name(user) or is_anonymous_name(str(user)):
        raise TokenRefused(
            "subject", f"The token names no user: sub must have 1 to {LONGEST_NAME} printable characters."
        )
    return str(user)


def tenant_of(claims: Mapping[str, Any]) -> str:
    tenant = claims.get("tenant_id", DEFAULT_TENANT)
    if not is_name(tenant):
        raise TokenRefused("tenant", f"The token's tenant_id does not have 1 to {LONGEST_NAME} printable characters.")
    return str(tenant)


def is_name(value: object) -> bool:
    """Whether it is a name of any script, without line breaks, control characters and blanks around it."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_NAME or value != value.strip():
        return False
    return not any(unicodedata.category(character) in UNPRINTABLE for character in value)


def scopes_in(value: object) -> list[str]:
    """A text with blanks between the scopes, or a list; issuers differ."""
    if value is None:
        return []
    if isinstance(value, str):
        return value.split()
    if isinstance(value, list) and all(isinstance(scope, str) for scope in value):
        return value
    raise TokenRefused("malformed", "The token's scopes are neither a text nor a list of texts.")


def token_id(token: SignedToken) -> str:
    """The issuer's own id of the token, else a digest of what was signed, and not of the signature: of an ES256
    signature anybody can make a second valid one, and both are the same token."""
    name = token.claims.get("jti")
    if name is None:
        return "digest:" + hashlib.sha256(token.signed).hexdigest()
    if not isinstance(name, str) or not name:
        raise TokenRefused("malformed", "The token's jti is not a text.")
    return jti_token_id(name)


def jti_token_id(jti: str) -> str:
    return "jti:" + jti
