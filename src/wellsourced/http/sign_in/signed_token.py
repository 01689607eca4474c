"""A signed token in compact form (RFC 7515 and 7519), parsed strictly, and its signature, checked by PyJWT.

Every part must be base64url in its one canonical spelling, so that no two texts are the same token; PyJWT would accept
others. RS256 and ES256 are the only algorithms, and the key decides which of them, never the token.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from wellsourced.errors import AuthRequired

if TYPE_CHECKING:
    from jwt import PyJWK

LONGEST_TOKEN = 16 * 1024
ALGORITHMS = frozenset({"RS256", "ES256"})
# RFC 9068 access tokens, and plain JWTs; a logout token, a DPoP proof and the like name themselves here.
TYPES = frozenset({"jwt", "at+jwt", "application/jwt", "application/at+jwt"})
BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


class TokenRefused(AuthRequired):
    """The token is not good. `reason` is the word for the audit log; the sentence never repeats what a caller sent."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class SignedToken:
    """A token in its parts; nothing in it is to be trusted before `is_signed_by`."""

    algorithm: str
    kid: str | None
    claims: dict[str, Any]
    signed: bytes
    signature: bytes

    def is_signed_by(self, key: PyJWK) -> bool:
        return key.algorithm_name == self.algorithm and key.Algorithm.verify(self.signed, key.key, self.signature)


def parse_token(token: str) -> SignedToken:
    if len(token) > LONGEST_TOKEN:
        raise TokenRefused("oversized", f"The token is longer than {LONGEST_TOKEN} characters.")
    pieces = token.split(".")
    if len(pieces) != 3:
        raise TokenRefused("malformed", "The token is not a signed JWT of three parts.")
    try:
        header, claims = parse_part(pieces[0]), parse_part(pieces[1])
        signature = decode_base64url(pieces[2])
    except (ValueError, RecursionError):
        raise TokenRefused("malformed", "The token is not a JWT: its parts are not JSON in base64url.") from None
    algorithm, kid = check_header(header)
    return SignedToken(algorithm, kid, claims, f"{pieces[0]}.{pieces[1]}".encode(), signature)


def check_header(header: dict[str, Any]) -> tuple[str, str | None]:
    """The algorithm and the key's id, if everything that the header demands is supported."""
    algorithm, kid, kind = header.get("alg"), header.get("kid"), header.get("typ", "JWT")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise TokenRefused("algorithm", "The token is not signed with RS256 or ES256.")
    if "crit" in header:
        raise TokenRefused("extension", "The token demands an extension (crit) that is not supported here.")
    if not isinstance(kind, str) or kind.lower() not in TYPES:
        raise TokenRefused("type", "The token is not an access token: its typ is neither JWT nor at+jwt.")
    if not isinstance(kid, str | None):
        raise TokenRefused("malformed", "The token's kid is not a string.")
    return algorithm, kid


def decode_base64url(text: str) -> bytes:
    """Strict: nothing but the alphabet, no padding, no stray bits at the end. ValueError otherwise."""
    if not BASE64URL.fullmatch(text):
        raise ValueError("not base64url")
    decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(decoded).rstrip(b"=") != text.encode():
        raise ValueError("not canonical")
    return decoded


def parse_part(part: str) -> dict[str, Any]:
    """A JSON object in base64url; a member named twice is refused, because parsers differ in which one counts."""
    value = json.loads(decode_base64url(part), object_pairs_hook=without_repeats, parse_constant=refuse_constant)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is named twice")
    return members


def refuse_constant(text: str) -> NoReturn:
    """NaN and Infinity are not JSON, though Python reads them."""
    raise ValueError("not a JSON number")
