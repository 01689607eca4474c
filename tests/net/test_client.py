"""The client on a real loopback server that does everything wrong."""

from __future__ import annotations

import asyncio
import resource
import ssl
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.net.loopback import MEBIBYTE, Server, serving
from wellsourced.errors import BadInput, NetworkFailed, Refused
from wellsourced.net import client as client_module
from wellsourced.net.client import HttpClient, OutgoingRequest, ResponseTooLarge
from wellsourced.net.guard import AddressGuard


class Book:
    """A resolver with a few made-up names, all of them on loopback."""

    def __init__(self, **names: Sequence[str]) -> None:
        self.names = names
        self.asked = 0

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return self.names.get(host.split(".")[0], ["127.0.0.1"])


def with_server(
    scenario: Callable[[HttpClient, Server], Awaitable[None]], *, guard: AddressGuard | None = None
) -> None:
    async def run() -> None:
        client = HttpClient(guard or AddressGuard(allow_private=True, resolve=Book()), user_agent="wellsourced-test")
        async with serving() as server:
            try:
                await scenario(client, server)
            finally:
                await client.close()

    asyncio.run(run())


def get(url: str, **options: Any) -> OutgoingRequest:
    return OutgoingRequest("GET", url, options.pop("headers", {}), **options)


def test_a_made_up_name_is_reached_at_its_checked_address_and_the_connection_is_kept() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        for host in ("no-such-name.example", "no-such-name.example.", "under_score.example"):
            reply = await client.send(get(server.url("/a?q={x}|'#frag", host)))
            assert (reply.status, reply.body) == (200, b"hello")
            assert reply.url == server.url("/a?q={x}|%27#frag", host)
            assert server.heard[-1].line == "GET /a?q={x}|%27 HTTP/1.1"
        before = server.connections
        for _ in range(5):
            await client.send(get(server.url("/", "no-such-name.example")))
        assert server.connections == before

    with_server(scenario)


def test_ipv6_literals_and_mixed_answers_are_reached() -> None:
    async def run() -> None:
        names = Book(both=["::1", "127.0.0.1"])
        client = HttpClient(AddressGuard(allow_private=True, resolve=names), user_agent="t")
        async with serving("::1") as six, serving() as four:
            assert (await client.send(get(six.url("/", "[::1]")))).body == b"hello"
            assert names.asked == 0
            assert (await client.send(get(four.url("/", "both.example")))).body == b"hello"
        await client.close()

    asyncio.run(run())


def test_a_name_that_changes_its_mind_after_the_check_gains_nothing() -> None:
    answers = [["127.0.0.1"], ["169.254.169.254"]]

    async def rebinding(host: str, port: int) -> Sequence[str]:
        return answers.pop(0)

    now = [0.0]

    async def scenario(client: HttpClient, server: Server) -> None:
        url = server.url("/", "rebinding.example")
        assert (await client.send(get(url))).status == 200
        now[0] = 100
        with pytest.raises(Refused, match="metadata"):
            await client.send(get(url))
        assert len(server.heard) == 1

    with_server(scenario, guard=AddressGuard(allow_private=True, resolve=rebinding, clock=lambda: now[0]))


def test_pages_on_loopback_are_refused_before_anything_is_sent() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        with pytest.raises(Refused, match="loopback"):
            await client.send(get(server.url()))
        assert (await client.send(get(server.url(), trusted=True))).status == 200
        assert server.connections == 1

    with_server(scenario, guard=AddressGuard(resolve=Book()))


def test_headers_and_bodies_arrive_whole_in_both_directions() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        request = OutgoingRequest("POST", server.url("/zipped"), {"X-Key": "k", "Content-Type": "t/u"}, "ü".encode())
        reply = await client.send(request)
        assert reply.text == "grüße " * 1000
        assert reply.headers["x-many"] == "1, 2"
        assert reply.headers["content-type"] == "a/b"
        heard = server.heard[0]
        assert (heard.line, heard.body) == ("POST /zipped HTTP/1.1", "ü".encode())
        assert heard.headers["x-key"] == "k"
        assert heard.headers["user-agent"] == "wellsourced-test"
        assert "cookie" not in heard.headers

    with_server(scenario)


def test_the_chrome_face_is_the_newest_chrome_and_the_plain_one_is_our_own() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        await client.send(get(server.url(), as_chrome=True))
        await client.send(get(server.url(), headers={"User-Agent": "other"}))
        chrome, plain = (heard.headers for heard in server.heard)
        assert "Chrome/" in chrome["user-agent"]
        assert chrome["sec-fetch-mode"] == "navigate"
        assert plain["user-agent"] == "other"
        assert "sec-fetch-mode" not in plain

    with_server(scenario)


@pytest.mark.parametrize("path", ["/gzip-bomb", "/zstd-bomb", "/endless"])
def test_bodies_are_cut_at_the_limit_quickly_and_in_little_memory(path: str) -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        await client.send(get(server.url()))
        memory, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
        request = get(server.url(path), max_bytes=2 * MEBIBYTE)
        with pytest.raises(ResponseTooLarge, match="2,097,152 bytes") as failure:
            await client.send(request)
        assert not failure.value.retryable
        partial = await client.send(replace(request, keep_partial=True))
        assert len(partial.body) == 2 * MEBIBYTE
        assert partial.headers["x-truncated"] == "1"
        assert time.monotonic() - start < 30
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 64 * 1024
        for _ in range(100):
            if server.hung_up >= 2:
                break
            await asyncio.sleep(0.02)
        assert server.hung_up == 2

    with_server(scenario)


def test_a_body_of_exactly_the_limit_is_whole() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        reply = await client.send(get(server.url(), max_bytes=5))
        assert reply.body == b"hello"
        assert "x-truncated" not in reply.headers
        with pytest.raises(ResponseTooLarge):
            await client.send(get(server.url(), max_bytes=4))

    with_server(scenario)


def test_a_slow_drip_ends_at_the_time_limit() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        start = time.monotonic()
        with pytest.raises(NetworkFailed, match=r"did not answer within 0\.3 seconds"):
            await client.send(get(server.url("/drip"), timeout=0.3))
        assert time.monotonic() - start < 20

    with_server(scenario)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/reset", "127.0.0.1 closed the connection"),
        ("/broken-off", "broke off"),
        ("/not-gzip", "could not be decompressed"),
        ("/not-http", "did not answer in HTTP"),
    ],
)
def test_failures_on_the_wire_are_told_in_words(path: str, words: str) -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        with pytest.raises(NetworkFailed, match=words) as failure:
            await client.send(get(server.url(path + "?key=secret")))
        assert "wreq" not in failure.value.sentence
        assert failure.value.detail
        assert "secret" not in failure.value.detail

    with_server(scenario)


def test_a_closed_port_is_a_refused_connection() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        async with serving() as other:
            url = other.url()
        with pytest.raises(NetworkFailed, match="refused the connection"):
            await client.send(get(url))

    with_server(scenario)


def test_an_untrusted_certificate_is_told_as_such(tmp_path: Path) -> None:
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    write_self_signed(certificate, key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def run() -> None:
        client = HttpClient(AddressGuard(allow_private=True, resolve=Book()), user_agent="t")
        async with serving(tls=context) as secure:
            with pytest.raises(NetworkFailed, match="certificate that cannot be trusted"):
                await client.send(get(f"https://self-signed.example:{secure.port}/"))
            assert not secure.heard
        await client.close()

    asyncio.run(run())


def write_self_signed(certificate: Path, key: Path) -> None:
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    secret = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "self-signed.example")])
    built = (
        x509.CertificateBuilder(name, name, secret.public_key(), x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - timedelta(days=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("self-signed.example")]), critical=False)
        .sign(secret, hashes.SHA256())
    )
    certificate.write_bytes(built.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        secret.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )


@pytest.mark.parametrize("headers", [{"X-Key": "a\r\nEvil: 1"}, {"bad name": "1"}])
def test_headers_that_would_break_the_request_are_refused(headers: dict[str, str]) -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        with pytest.raises(BadInput, match="cannot be sent"):
            await client.send(get(server.url(), headers=headers))
        with pytest.raises(BadInput, match="not an HTTP method"):
            await client.send(replace(get(server.url()), method="GE T"))
        assert server.heard == []

    with_server(scenario)


@pytest.mark.parametrize(
    ("location", "error", "words"),
    [
        ("http://169.254.169.254/latest/", Refused, "metadata"),
        ("http://[::ffff:a9fe:a9fe]/", Refused, "metadata"),
        ("//metadata.google.internal/x", Refused, "metadata"),
        ("file:///etc/passwd", Refused, "file: addresses"),
        ("http://user:pw@127.0.0.1/", Refused, "user name or password"),
        ("http://[bad", NetworkFailed, "not an address"),
        ("/redirect", NetworkFailed, "in a circle"),
    ],
)
def test_redirects_are_checked_at_every_hop(location: str, error: type[Exception], words: str) -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        server.redirect("/redirect", location)
        request = get(server.url("/redirect"), redirects=5)
        with pytest.raises(error, match=words):
            await client.send(request)
        unfollowed = await client.send(replace(request, redirects=0))
        assert (unfollowed.status, unfollowed.body) == (302, b"moved")

    with_server(scenario)


def test_a_trusted_origin_cannot_lend_its_trust() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        async with serving() as other:
            server.redirect("/out", other.url())
            server.redirect("/home", "/")
            with pytest.raises(Refused, match="loopback") as refusal:
                await client.send(get(server.url("/out"), redirects=3, trusted=True))
            assert "redirected there from" in (refusal.value.detail or "")
            assert other.connections == 0
            assert (await client.send(get(server.url("/home"), redirects=3, trusted=True))).body == b"hello"

    with_server(scenario, guard=AddressGuard(resolve=Book()))


def test_the_last_url_of_a_chain_is_told_and_a_chain_that_is_too_long_is_a_failure() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        for number in range(7):
            server.redirect(f"/{number}", f"/{number + 1}", status=301 + number % 2)
        server.redirect("/7", "/end?was=日本#x")
        reply = await client.send(get(server.url("/0"), redirects=8))
        assert reply.url == server.url("/end?was=%E6%97%A5%E6%9C%AC#x")
        with pytest.raises(NetworkFailed, match="more than 3 times"):
            await client.send(get(server.url("/0"), redirects=3))

    with_server(scenario)


def test_credentials_stay_with_their_origin_and_do_not_come_back() -> None:
    secrets = {
        "Authorization": "Bearer s",
        "Cookie": "a=s",
        "X-Subscription-Token": "s",
        "X-API-Key": "s",
        "Crossref-Plus-API-Token": "s",
        "Ocp-Apim-Subscription-Key": "s",
    }

    async def scenario(client: HttpClient, server: Server) -> None:
        async with serving() as other:
            server.redirect("/same", "/away")
            server.redirect("/away", other.url("/back"))
            other.redirect("/back", server.url("/end"))
            await client.send(get(server.url("/same"), redirects=5, headers={**secrets, "Accept-Language": "de"}))
            same, away, end = server.heard
            for heard in (same, away):
                assert all(heard.headers.get(name.lower()) == value for name, value in secrets.items())
            for heard in (other.heard[0], end):
                assert not {name.lower() for name in secrets} & set(heard.headers)
                assert heard.headers["accept-language"] == "de"

    with_server(scenario)


@pytest.mark.parametrize(
    ("status", "method", "becomes", "keeps_body"),
    [
        (301, "POST", "GET", False),
        (302, "POST", "GET", False),
        (303, "POST", "GET", False),
        (303, "PUT", "GET", False),
        (302, "PUT", "PUT", True),
        (307, "POST", "POST", True),
        (308, "POST", "POST", True),
    ],
)
def test_methods_change_as_in_browsers(status: int, method: str, becomes: str, keeps_body: bool) -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        server.redirect("/from", "/to", status=status)
        request = OutgoingRequest(method, server.url("/from"), {"Content-Type": "t/u"}, b"body", redirects=1)
        await client.send(request)
        arrived = server.heard[-1]
        assert arrived.line == f"{becomes} /to HTTP/1.1"
        assert arrived.body == (b"body" if keeps_body else b"")
        assert ("content-type" in arrived.headers) == keeps_body

    with_server(scenario)


def test_a_body_is_not_carried_to_another_site() -> None:
    async def scenario(client: HttpClient, server: Server) -> None:
        async with serving() as other:
            server.redirect("/from", other.url(), status=307)
            with pytest.raises(NetworkFailed, match="another site does not get it"):
                await client.send(OutgoingRequest("POST", server.url("/from"), {}, b'{"api_key":"s"}', redirects=3))
            assert other.connections == 0

    with_server(scenario)


def test_dropping_an_old_session_does_not_disturb_what_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "SESSIONS_KEPT", 2)

    async def scenario(client: HttpClient, server: Server) -> None:
        async def late(writer: asyncio.StreamWriter) -> None:
            await asyncio.sleep(0.3)
            await server.routes["/"](writer)

        server.routes["/late"] = late
        slow = asyncio.create_task(client.send(get(server.url("/late", "old.example"))))
        await asyncio.sleep(0.1)
        for number in range(5):
            await client.send(get(server.url("/", f"n{number}.example")))
        assert (await slow).body == b"hello"

    with_server(scenario)


def test_the_http_library_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys, wellsourced.net.client; sys.exit('wreq' in sys.modules or 'can_ada' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
