"""A token that was changed in any way is refused with a sentence, and never breaks anything."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given, settings
from hypothesis import strategies as st
from jwt import PyJWK

from tests.http.sign_in.issuer import AUDIENCE, ec_key, encoded, jwk, rsa_key, signed
from wellsourced.http.sign_in.claims import TokenRules
from wellsourced.http.sign_in.issuer_keys import parse_key_set
from wellsourced.http.sign_in.signed_token import TokenRefused, decode_base64url
from wellsourced.http.sign_in.token_verifier import TokenVerifier

ISSUER = "https://login.example.org"
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
KEYS = parse_key_set({"keys": [jwk(rsa_key(), "r1"), jwk(ec_key(), "e1")]})
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.="


class RememberedTokens:
    def __init__(self) -> None:
        self._tokens: set[str] = set()

    async def add(self, token: str, until: float, now: float) -> None:
        self._tokens.add(token)

    async def holds(self, token: str, now: float) -> bool:
        return token in self._tokens

    async def close(self) -> None:
        pass


class FixedKeys:
    async def matching(self, kid: str | None, algorithm: str) -> list[PyJWK]:
        return [key for key in KEYS if key.algorithm_name == algorithm and kid in {None, key.key_id}]


def good_claims(**changed: Any) -> dict[str, Any]:
    # A day: the tokens are made when the tests are collected, and may be used only after a long run of others.
    return {"iss": ISSUER, "aud": AUDIENCE, "sub": "ana", "exp": int(time.time()) + 86_400, **changed}


GOOD = [
    signed({"alg": "RS256", "kid": "r1"}, good_claims(), rsa_key()),
    signed({"alg": "ES256", "kid": "e1"}, good_claims(), ec_key()),
]


def verify(token: str, verifier: TokenVerifier | None = None) -> str:
    verifier = verifier or TokenVerifier(FixedKeys(), TokenRules(ISSUER, AUDIENCE), RememberedTokens())  # type: ignore[arg-type]
    return asyncio.run(verifier.verify(token)).token_id


def assert_refused(token: str) -> None:
    with pytest.raises(TokenRefused) as refused:
        verify(token)
    assert refused.value.sentence.isascii()
    assert '"' not in refused.value.sentence


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(GOOD), st.integers(0), st.sampled_from(ALPHABET), st.sampled_from(["put", "insert", "cut"]))
def test_one_character_changed(token: str, where: int, character: str, how: str) -> None:
    at = where % len(token)
    rest = token[at + 1 :] if how != "insert" else token[at:]
    changed = token[:at] + ("" if how == "cut" else character) + rest
    if changed != token:
        assert_refused(changed)


@pytest.mark.parametrize("token", GOOD)
def test_no_other_spelling_of_the_same_bytes(token: str) -> None:
    """Base64 readers often take any last character that differs only in bits that are thrown away."""
    passing = []
    for last in ALPHABET:
        try:
            passing.append(verify(token[:-1] + last))
        except TokenRefused:
            continue
    assert len(passing) == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
names = st.sampled_from(["iss", "aud", "sub", "exp", "nbf", "iat", "jti", "tenant_id", "scope", "scp", "cnf"])


@settings(max_examples=120, deadline=None)
@given(
    st.dictionaries(names, json_values, max_size=4),
    st.dictionaries(st.sampled_from(["alg", "kid", "typ"]), json_values),
)
def test_whatever_the_issuer_signs_is_read_or_refused(claims: dict[str, Any], header: dict[str, Any]) -> None:
    """Even with a good signature, strange claims never break the reader."""
    with suppress(TokenRefused):
        verify(signed({"alg": "ES256", "kid": "e1", **header}, good_claims(**claims), ec_key()))


@settings(max_examples=120, deadline=None)
@given(
    st.text(max_size=200)
    | st.lists(st.binary(max_size=60), min_size=3, max_size=3).map(lambda p: ".".join(map(encoded, p)))
)
def test_anything_else(text: str) -> None:
    assert_refused(text)


def test_the_other_signature_of_the_same_words_is_the_same_token() -> None:
    """Of an ES256 signature anybody can make a second one; a revocation must meet both."""
    text, _, signature = GOOD[1].rpartition(".")
    raw = decode_base64url(signature)
    twin = f"{text}.{encoded(raw[:32] + (ORDER - int.from_bytes(raw[32:])).to_bytes(32))}"
    verifier = TokenVerifier(FixedKeys(), TokenRules(ISSUER, AUDIENCE), RememberedTokens())  # type: ignore[arg-type]
    assert twin != GOOD[1]
    asyncio.run(verifier.revoke(verify(GOOD[1], verifier), time.time() + 300))
    for token in (GOOD[1], twin):
        with pytest.raises(TokenRefused, match="revoked"):
            verify(token, verifier)


def test_a_curve_that_is_not_p256_is_no_key() -> None:
    strange = ec.generate_private_key(ec.SECP384R1()).public_key().public_numbers()
    entry = {"kty": "EC", "crv": "P-384", "x": encoded(strange.x.to_bytes(48)), "y": encoded(strange.y.to_bytes(48))}
    assert parse_key_set({"keys": [entry, {**entry, "crv": "P-256"}]}) == []
