"""Trusted timestamps (RFC 3161) on receipts: an authority that the operator names signs the digest of a receipt and the
time, so that not even the holder of the instance's key could have dated it back.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, TypeAlias

from wellsourced.errors import UpstreamChanged, WellsourcedError
from wellsourced.projects.receipts import Receipt, receipt_digest

QUERY_TYPE, REPLY_TYPE = "application/timestamp-query", "application/timestamp-reply"
GRANTED = ("granted", "granted_with_mods")
Post: TypeAlias = Callable[[str, bytes], Awaitable[bytes]]
"""Sends a query to an address and returns the body of the answer."""


class TimestampClient:
    """`url` is the authority's address, from the settings."""

    def __init__(self, url: str, post: Post) -> None:
        self._url = url
        self._post = post

    async def stamp(self, receipt: Receipt) -> Receipt:
        """The receipt with the authority's word, or with the sentence why there is none."""
        nonce = secrets.randbits(63)
        try:
            token = read_reply(await self._post(self._url, timestamp_query(receipt, nonce)))
            stamped = {**receipt, "timestamp": {"authority": self._url, "token": base64.b64encode(token).decode()}}
            problems = list(timestamp_problems(stamped))
            if problems:
                raise UpstreamChanged(problems[0])
        except WellsourcedError as problem:
            return {**receipt, "timestamp": {"authority": self._url, "missing": problem.sentence}}
        return stamped


def timestamp_query(receipt: Mapping[str, Any], nonce: int) -> bytes:
    from asn1crypto import algos, tsp

    imprint = {"hash_algorithm": algos.DigestAlgorithm({"algorithm": "sha256"}), "hashed_message": _imprint(receipt)}
    query: bytes = tsp.TimeStampReq(
        {"version": "v1", "message_imprint": imprint, "nonce": nonce, "cert_req": True}
    ).dump()
    return query


def read_reply(body: bytes) -> bytes:
    """The token of an authority's answer; raises where it gave none."""
    from asn1crypto import tsp

    try:
        reply = tsp.TimeStampResp.load(body)
        status = reply["status"]["status"].native
        token: bytes = reply["time_stamp_token"].dump() if status in GRANTED else b""
    except (ValueError, TypeError, KeyError) as problem:
        raise UpstreamChanged("The timestamp authority's answer was not understood.", detail=str(problem)) from None
    if not token:
        raise UpstreamChanged(f"The timestamp authority gave no timestamp: {status}.")
    return token


def timestamp_problems(receipt: Mapping[str, Any]) -> Iterator[str]:
    """What does not hold of a receipt's timestamp; nothing where it holds or there is none."""
    stamp = receipt.get("timestamp") or {}
    if not stamp.get("token"):
        return
    name = f"Receipt {receipt.get('number')}: the timestamp"
    try:
        info, signed = _token_parts(base64.b64decode(stamp["token"]))
        if info["message_imprint"]["hashed_message"].native != _imprint(receipt):
            yield f"{name} is of something else than this receipt."
        if not _is_signed(signed):
            yield f"{name} does not carry the signature of its authority."
    except (ValueError, TypeError, KeyError, IndexError):
        yield f"{name} is damaged."


def timestamp_facts(receipt: Mapping[str, Any]) -> dict[str, str]:
    """When the authority saw the receipt and under which name; empty where there is no timestamp."""
    stamp = receipt.get("timestamp") or {}
    if not stamp.get("token") or list(timestamp_problems(receipt)):
        return {}
    info, signed = _token_parts(base64.b64decode(stamp["token"]))
    subject = _certificate(signed).subject.human_friendly
    return {"at": info["gen_time"].native.isoformat().replace("+00:00", "Z"), "authority": subject}


def _imprint(receipt: Mapping[str, Any]) -> bytes:
    return hashlib.sha256(receipt_digest(receipt).encode()).digest()


def _token_parts(token: bytes) -> tuple[Any, Any]:
    """The time and what it is of, and the signed data around it."""
    from asn1crypto import cms, tsp

    signed = cms.ContentInfo.load(token)["content"]
    return tsp.TSTInfo.load(signed["encap_content_info"]["content"].parsed.dump()), signed


def _certificate(signed: Any) -> Any:
    """The signer's own certificate, which may come with those above it."""
    serial = signed["signer_infos"][0]["sid"].chosen["serial_number"].native
    found = [each.chosen for each in signed["certificates"]]
    return next(each for each in found if each.serial_number == serial)


def _is_signed(signed: Any) -> bool:
    """The digest of the content is among the signed attributes, and these are signed by the certificate's key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
    from cryptography.x509 import load_der_x509_certificate

    signer, content = signed["signer_infos"][0], signed["encap_content_info"]["content"].parsed.dump()
    digest = signer["digest_algorithm"]["algorithm"].native
    attributes = {each["type"].native: each["values"][0].native for each in signer["signed_attrs"]}
    if attributes.get("message_digest") != hashlib.new(digest, content).digest():
        return False
    key = load_der_x509_certificate(_certificate(signed).dump()).public_key()
    named = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}[digest]
    data, signature = signer["signed_attrs"].untag().dump(), signer["signature"].native
    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, data, padding.PKCS1v15(), named)
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, data, ec.ECDSA(named))
        else:
            return False
    except InvalidSignature:
        return False
    return True
