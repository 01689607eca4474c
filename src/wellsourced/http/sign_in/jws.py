"""A signed token in compact form (RFC 7515 and 7519), taken apart strictly, and its signature.

Every part must be base64url in its one canonical spelling, so that no two texts are the same token. RS256 and ES256
are the only algorithms, and the key's type decides, never the token's word.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from wellsourced.http.sign_in.refusals import TokenRefused

PublicKey: TypeAlias = RSAPublicKey | EllipticCurvePublicKey

LONGEST_TOKEN = 16 * 1024
ALGORITHMS = frozenset({"RS256", "ES256"})
# RFC 9068 access tokens, and plain JWTs; a logout token, a DPoP proof and the like name themselves here.
TYPES = frozenset({"jwt", "at+jwt", "application/jwt", "application/at+jwt"})
COORDINATE_BYTES = 32
ALPHABET = re.compile(r"[A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Parts:
    algorithm: str
    kid: str | None
    claims: dict[str, Any]
    signed: bytes
    signature: bytes


def take_apart(token: str) -> Parts:
    """The parts of a token whose signature nobody has looked at yet."""
    if len(token) > LONGEST_TOKEN:
        raise TokenRefused("oversized", f"The token is longer than {LONGEST_TOKEN} characters.")
    pieces = token.split(".")
    if len(pieces) != 3:
        raise TokenRefused("malformed", "The token is not a signed JWT of three parts.")
    try:
        header, claims = read_object(pieces[0]), read_object(pieces[1])
        signature = from_base64url(pieces[2])
    except (ValueError, RecursionError):
        raise TokenRefused("malformed", "The token is not a JWT: its parts are not JSON in base64url.") from None
    algorithm, kid = check_header(header)
    return Parts(algorithm, kid, claims, f"{pieces[0]}.{pieces[1]}".encode(), signature)


def check_header(header: dict[str, Any]) -> tuple[str, str | None]:
    """The algorithm and the key's name, if all that the header asks for is understood here."""
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


def is_signed_by(parts: Parts, key: PublicKey) -> bool:
    try:
        if isinstance(key, RSAPublicKey):
            key.verify(parts.signature, parts.signed, PKCS1v15(), SHA256())
        else:
            key.verify(der(parts.signature), parts.signed, ECDSA(SHA256()))
    except InvalidSignature:
        return False
    return True


def der(signature: bytes) -> bytes:
    """The two numbers of an ES256 signature (RFC 7518, 3.4) as the library wants them."""
    if len(signature) != 2 * COORDINATE_BYTES:
        raise InvalidSignature
    first, second = signature[:COORDINATE_BYTES], signature[COORDINATE_BYTES:]
    return encode_dss_signature(int.from_bytes(first), int.from_bytes(second))


def from_base64url(text: str) -> bytes:
    """Strict: nothing but the alphabet, no padding, no stray bits at the end. ValueError otherwise."""
    if not ALPHABET.fullmatch(text):
        raise ValueError("not base64url")
    decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(decoded).rstrip(b"=") != text.encode():
        raise ValueError("not canonical")
    return decoded


def read_object(part: str) -> dict[str, Any]:
    """A JSON object in base64url; a member named twice is refused, because readers differ in which one counts."""
    found = json.loads(from_base64url(part), object_pairs_hook=without_repeats, parse_constant=no_number)
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a member is named twice")
    return found


def no_number(text: str) -> NoReturn:
    raise ValueError("not a JSON number")
