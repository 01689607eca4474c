"""Receipts: for each quotation a small signed record of what was captured, when, and where the words stand in it.

A receipt is JSON in canonical form (RFC 8785: keys sorted, no blanks, UTF-8; only strings and whole numbers occur),
signed with the instance's Ed25519 key. Each names the digest of the one before in its project, so that one left out
shows. Anybody can check it without this server: the public key stands in it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from wellsourced import __version__
from wellsourced.projects.capture_records import digest_of_bytes
from wellsourced.projects.project import PageCapture

Receipt: TypeAlias = dict[str, Any]

VERSION = 1
KEY_PREFIX = "ed25519:"
UNSIGNED = ("signature", "timestamp")
TOOL = f"wellsourced/{__version__}"


def canonical_json(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


class SigningKey:
    """The Ed25519 key of an instance."""

    def __init__(self, secret: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(secret)

    @property
    def public(self) -> str:
        return KEY_PREFIX + base64.b64encode(self._key.public_key().public_bytes_raw()).decode()

    def sign(self, receipt: Receipt) -> Receipt:
        """The receipt with this key and its signature over all the rest."""
        named = {**receipt, "key": self.public}
        return {**named, "signature": base64.b64encode(self._key.sign(signed_bytes(named))).decode()}


def fingerprint(key: str) -> str:
    """A public key as people compare it: the first 16 bytes of its SHA-256, in groups."""
    digest = hashlib.sha256(base64.b64decode(key.removeprefix(KEY_PREFIX))).hexdigest()[:32]
    return " ".join(digest[place : place + 4] for place in range(0, 32, 4))


def signed_bytes(receipt: Mapping[str, Any]) -> bytes:
    return canonical_json({name: value for name, value in receipt.items() if name not in UNSIGNED})


def receipt_digest(receipt: Mapping[str, Any]) -> str:
    """What the next receipt of the project names. A timestamp is added afterwards and says so itself."""
    return digest_of_bytes(canonical_json({name: value for name, value in receipt.items() if name != "timestamp"}))


def new_receipt(
    project: str, number: int, previous: str, capture: PageCapture, words: str, place: tuple[int, int], at: str
) -> Receipt:
    return {
        "version": VERSION,
        "project": project,
        "number": number,
        "previous": previous,
        "issuedAt": at,
        "tool": TOOL,
        "capture": {
            "url": capture.url,
            "finalUrl": capture.final_url,
            "at": capture.captured_at,
            "status": capture.status,
            "bodyDigest": capture.digest,
            "record": capture.record,
        },
        "quotation": {
            "text": words,
            "digest": digest_of_bytes(words.encode("utf-8", "replace")),
            "start": place[0],
            "end": place[1],
            "textDigest": capture.text_digest,
        },
    }


def receipt_problems(receipt: Mapping[str, Any]) -> Iterator[str]:
    """What does not hold of a receipt by itself, in sentences; nothing where all of it does."""
    try:
        name, quotation = f"Receipt {receipt['number']}", receipt["quotation"]
        if receipt["version"] != VERSION:
            yield f"{name} is of version {receipt['version']}; this tool knows version {VERSION}."
        if not _is_signed(receipt):
            yield f"{name}: the signature does not fit; something in it was changed, or the key is another."
        if quotation["digest"] != digest_of_bytes(quotation["text"].encode("utf-8", "replace")):
            yield f"{name}: the words of the quotation are not those whose digest it names."
    except (LookupError, TypeError, AttributeError) as problem:
        yield f"This is not a whole receipt: {problem} is missing or of the wrong form."


def chain_problems(receipts: Sequence[Mapping[str, Any]], count: int | None = None, last: str = "") -> Iterator[str]:
    """What does not hold between the receipts of a project; `count` and `last` are what the project says of them."""
    previous, expected = "", 1
    for receipt in receipts:
        number = receipt.get("number")
        if number != expected:
            yield f"Receipt {expected} is missing: after it comes receipt {number}."
        elif receipt.get("previous") != previous:
            yield f"Receipt {number} does not follow the one before it: one of the two was changed or exchanged."
        previous = receipt_digest(receipt)
        expected = (number if isinstance(number, int) else expected) + 1
    if count is not None and expected - 1 != count:
        yield f"The project has {count} receipts; {expected - 1} are here."
    elif last and previous != last:
        yield "The last receipt is not the one that the project names."
    if len({receipt.get("key") for receipt in receipts}) > 1:
        yield "The receipts are signed with different keys."


def _is_signed(receipt: Mapping[str, Any]) -> bool:
    try:
        key, signature = (
            base64.b64decode(receipt["key"].removeprefix(KEY_PREFIX)),
            base64.b64decode(receipt["signature"]),
        )
    except (binascii.Error, ValueError):
        return False
    return verify_signature(key, signature, signed_bytes(receipt))


def verify_signature(key: bytes, signature: bytes, data: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True
