"""Receipts with a trusted timestamp, from an authority on loopback."""

from __future__ import annotations

import base64
import hashlib
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from asn1crypto import cms, core, tsp
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.app import with_app
from tests.loopback.run import Internet
from tests.projects.test_projects import ANNA, YEARS, reading, serve
from wellsourced.app import Application
from wellsourced.projects.receipts import receipt_problems
from wellsourced.projects.timestamps import timestamp_facts, timestamp_problems

__all__ = ["reading"]


class Authority:
    """Signs what it is asked to, with a certificate of its own."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        name, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Loopback Time")]), datetime.now(UTC)
        self.certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self.key.public_key())
            .serial_number(27)
            .not_valid_before(now)
            .not_valid_after(now + timedelta(days=1))
            .sign(self.key, hashes.SHA256())
        )

    def answer(self, query: bytes) -> bytes:
        asked = tsp.TimeStampReq.load(query)
        info = tsp.TSTInfo(
            {
                "version": "v1",
                "policy": "1.2.3.4",
                "message_imprint": asked["message_imprint"],
                "serial_number": 1,
                "gen_time": datetime.now(UTC).replace(microsecond=0),
                "nonce": asked["nonce"],
            }
        )
        return bytes(tsp.TimeStampResp({"status": {"status": "granted"}, "time_stamp_token": self._token(info)}).dump())

    def _token(self, info: Any) -> Any:
        digest = hashlib.sha256(info.dump()).digest()
        attributes = cms.CMSAttributes(
            [
                {"type": "content_type", "values": ["tst_info"]},
                {"type": "message_digest", "values": [digest]},
            ]
        )
        certificate = asn1_x509.Certificate.load(self.certificate.public_bytes(serialization.Encoding.DER))
        signer = {
            "version": "v1",
            "sid": {"issuer_and_serial_number": {"issuer": certificate.issuer, "serial_number": 27}},
            "digest_algorithm": {"algorithm": "sha256"},
            "signed_attrs": attributes,
            "signature_algorithm": {"algorithm": "sha256_ecdsa"},
            "signature": self.key.sign(attributes.dump(), ec.ECDSA(hashes.SHA256())),
        }
        content = {"content_type": "tst_info", "content": core.ParsableOctetString(info.dump())}
        signed = {
            "version": "v3",
            "digest_algorithms": [{"algorithm": "sha256"}],
            "encap_content_info": content,
            "certificates": [certificate],
            "signer_infos": [signer],
        }
        return cms.ContentInfo({"content_type": "signed_data", "content": cms.SignedData(signed)})


@pytest.fixture
def authority() -> Iterator[str]:
    signs = Authority()

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = self.rfile.read(int(self.headers["content-length"]))
            body = signs.answer(query) if self.path == "/" else b"no"
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def receipt(environment: Mapping[str, str], url: str) -> dict[str, Any]:
    async def script(app: Application) -> dict[str, Any]:
        project = await app.services.projects.start(ANNA, "Tides")
        added = await app.services.projects.collector.add_quote(project, YEARS, time.monotonic() + 60, url=url)
        return added.project.receipts[1]

    return with_app(environment, script)


def test_a_receipt_is_stamped_and_a_wrong_stamp_is_named(
    reading: Mapping[str, str], internet: Internet, authority: str
) -> None:
    stamped = receipt({**reading, "TIMESTAMP_URL": authority + "/"}, serve(internet))
    assert list(receipt_problems(stamped)) == list(timestamp_problems(stamped)) == []
    facts = timestamp_facts(stamped)
    assert "Loopback Time" in facts["authority"] and facts["at"].endswith("Z")
    other = {**stamped, "issuedAt": "2020-01-01T00:00:00Z"}
    assert "something else" in " ".join(timestamp_problems(other)) and list(receipt_problems(other))
    token = bytearray(base64.b64decode(stamped["timestamp"]["token"]))
    token[-5] ^= 1
    forged = {**stamped, "timestamp": {**stamped["timestamp"], "token": base64.b64encode(token).decode()}}
    assert list(timestamp_problems(forged))


def test_without_the_authority_the_receipt_stands_and_says_so(
    reading: Mapping[str, str], internet: Internet, authority: str
) -> None:
    unstamped = receipt({**reading, "TIMESTAMP_URL": authority + "/confused"}, serve(internet))
    assert "not understood" in unstamped["timestamp"]["missing"]
    assert list(receipt_problems(unstamped)) == list(timestamp_problems(unstamped)) == []
