"""The keys in an issuer's key set (RFC 7517) that may sign for us: RSA from 2048 bits and EC on P-256."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicNumbers
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

from wellsourced.errors import UpstreamChanged
from wellsourced.http.sign_in.jws import COORDINATE_BYTES, PublicKey, from_base64url

MOST_KEYS = 100
SHORTEST_RSA = 2048
LONGEST_RSA = 8192
LARGEST_EXPONENT = 2**32
ALGORITHM_OF = {"RSA": "RS256", "EC": "ES256"}


@dataclass(frozen=True, slots=True)
class Key:
    kid: str | None
    algorithm: str
    public: PublicKey


def read_key_set(document: object) -> list[Key]:
    """The usable keys. A set without any is an answer too: the issuer has withdrawn them."""
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise UpstreamChanged("its key set is not understood: it has no list of keys")
    found = (read_key(entry) for entry in entries[:MOST_KEYS] if isinstance(entry, dict))
    return [key for key in found if key is not None]


def read_key(entry: Mapping[str, Any]) -> Key | None:
    """None for a key that is meant for something else, too weak, or not a key at all."""
    kid, algorithm = entry.get("kid"), ALGORITHM_OF.get(str(entry.get("kty")))
    if algorithm is None or not isinstance(kid, str | None) or not is_for_signatures(entry, algorithm):
        return None
    try:
        public = read_rsa(entry) if algorithm == "RS256" else read_p256(entry)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
    return Key(kid, algorithm, public)


def is_for_signatures(entry: Mapping[str, Any], algorithm: str) -> bool:
    operations = entry.get("key_ops", ["verify"])
    return (
        entry.get("use", "sig") == "sig"
        and entry.get("alg", algorithm) == algorithm
        and isinstance(operations, list)
        and "verify" in operations
    )


def read_rsa(entry: Mapping[str, Any]) -> PublicKey:
    modulus, exponent = number(entry["n"]), number(entry["e"])
    if not SHORTEST_RSA <= modulus.bit_length() <= LONGEST_RSA or exponent > LARGEST_EXPONENT:
        raise ValueError("too short, or too costly to use")
    return RSAPublicNumbers(exponent, modulus).public_key()


def read_p256(entry: Mapping[str, Any]) -> PublicKey:
    if entry.get("crv") != "P-256":
        raise ValueError("another curve")
    across, up = from_base64url(entry["x"]), from_base64url(entry["y"])
    if len(across) != COORDINATE_BYTES or len(up) != COORDINATE_BYTES:
        raise ValueError("not a point")
    return EllipticCurvePublicNumbers(int.from_bytes(across), int.from_bytes(up), SECP256R1()).public_key()


def number(text: str) -> int:
    return int.from_bytes(from_base64url(text))
