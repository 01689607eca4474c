"""An OAuth issuer of one's own on a loopback port: keys made here, both kinds of discovery, rotation and outages."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections import Counter
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, TypeAlias

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PrivateKey: TypeAlias = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey

AUDIENCE = "https://research.example.org/mcp"
JWKS = "/keys.json"


@cache
def rsa_key(name: str = "first", bits: int = 2048) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, bits)


@cache
def ec_key(name: str = "first") -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def encoded(value: bytes | dict[str, Any]) -> str:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def number(value: int, length: int | None = None) -> str:
    return encoded(value.to_bytes(length or (value.bit_length() + 7) // 8))


def jwk(key: PrivateKey, kid: str, **more: Any) -> dict[str, Any]:
    if isinstance(key, rsa.RSAPrivateKey):
        public = key.public_key().public_numbers()
        return {"kty": "RSA", "kid": kid, "use": "sig", "n": number(public.n), "e": number(public.e), **more}
    point = key.public_key().public_numbers()
    return {"kty": "EC", "crv": "P-256", "kid": kid, "x": number(point.x, 32), "y": number(point.y, 32), **more}


def signature(key: PrivateKey, text: bytes) -> bytes:
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(text, PKCS1v15(), SHA256())
    first, second = decode_dss_signature(key.sign(text, ec.ECDSA(SHA256())))
    return first.to_bytes(32) + second.to_bytes(32)


def signed(header: dict[str, Any], claims: dict[str, Any], key: PrivateKey) -> str:
    text = f"{encoded(header)}.{encoded(claims)}"
    return f"{text}.{encoded(signature(key, text.encode()))}"


def signed_with_public_key(header: dict[str, Any], claims: dict[str, Any], key: PrivateKey) -> str:
    """The classic confusion: HS256 with the published key as the secret."""
    text = f"{encoded(header)}.{encoded(claims)}"
    secret = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return f"{text}.{encoded(hmac.digest(secret, text.encode(), hashlib.sha256))}"


class Issuer:
    """From `with Issuer() as issuer` until the block ends. `down` makes every answer a 503."""

    def __init__(self, path: str = "/realms/staff") -> None:
        self.keys = [jwk(rsa_key(), "r1"), jwk(ec_key(), "e1")]
        self.asked: Counter[str] = Counter()
        self.down = False
        self.claimed: str | None = None
        self.elsewhere = 404
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.root = f"http://127.0.0.1:{self._server.server_port}"
        self.url = self.root + path
        self.documents = {f"{path}/.well-known/openid-configuration"}

    def __enter__(self) -> Issuer:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def claims(self, **changed: Any) -> dict[str, Any]:
        """Those of a good token; a claim changed to None is left out."""
        now = int(time.time())
        usual = {"iss": self.url, "aud": [AUDIENCE, "other"], "sub": "ana", "iat": now, "exp": now + 300}
        return {name: value for name, value in {**usual, **changed}.items() if value is not None}

    def token(self, *, key: PrivateKey | None = None, header: dict[str, Any] | None = None, **changed: Any) -> str:
        key = key or rsa_key()
        usual = {"alg": "RS256", "kid": "r1"} if isinstance(key, rsa.RSAPrivateKey) else {"alg": "ES256", "kid": "e1"}
        return signed({**usual, "typ": "at+jwt", **(header or {})}, self.claims(**changed), key)

    def _answer(self, path: str) -> tuple[int, dict[str, Any]]:
        self.asked[path] += 1
        if self.down:
            return 503, {}
        if path == JWKS:
            return 200, {"keys": self.keys}
        if path in self.documents:
            return 200, {"issuer": self.claimed or self.url, "jwks_uri": self.root + JWKS}
        return self.elsewhere, {}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, document = issuer._answer(self.path)
                body = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Quiet."""

        return Handler
