"""The egress proxy, spoken to as a browser speaks to it, with real servers on loopback behind it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.net.loopback import Server, serving
from tests.net.loopback_guard import SITE, LoopbackGuard
from wellsourced.net.browser.egress_proxy import EgressProxy
from wellsourced.net.browser.page_allowance import PageAllowance
from wellsourced.net.browser.proxy_head import MessageHeadError, parse_proxy_request


class Bench:
    """A proxy with one allowance, the server that may be reached, and one beside it that may not."""

    def __init__(self, egress: EgressProxy, allowance: PageAllowance, site: Server, forbidden: Server) -> None:
        self.egress, self.allowance, self.site, self.forbidden = egress, allowance, site, forbidden

    @property
    def place(self) -> str:
        return f"{SITE}:{self.site.port}"

    async def say(self, start: str, *headers: str, credentials: str | None = None) -> bytes:
        """Send a request head to the proxy and read the answer to its end; one without a length ends with the line."""
        host, port = self.egress.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        known = self.allowance.credentials if credentials is None else credentials
        lines = [start, *headers, *([f"Proxy-Authorization: {known}"] if known else [])]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        answer = b""
        with suppress(ConnectionError):
            async with asyncio.timeout(60):
                while not _is_whole(answer) and (block := await reader.read(65536)):
                    answer += block
        writer.close()
        return answer


def _is_whole(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"Content-Length: (\d+)", head)
    return bool(end and length) and len(body) >= int(length[1] if length else 0)


def with_bench(
    scenario: Callable[[Bench], Awaitable[None]],
    *,
    allowance: Callable[[], PageAllowance] = PageAllowance,
    idle: float = 60,
) -> None:
    async def run() -> None:
        async with serving() as site, serving() as forbidden:
            egress = EgressProxy(LoopbackGuard(site.port), idle_seconds=idle)
            before = asyncio.all_tasks()
            await egress.start()
            bench = Bench(egress, allowance(), site, forbidden)
            egress.add_page(bench.allowance)
            address = egress.address.split(":")
            try:
                await scenario(bench)
            finally:
                await egress.close()
            assert not [t for t in asyncio.all_tasks() - before if "EgressProxy" in repr(t) or "_Relay" in repr(t)]
            with pytest.raises(ConnectionError):
                await asyncio.open_connection(address[0], int(address[1]))

    asyncio.run(run())


def test_a_plain_request_arrives_without_anything_meant_for_the_proxy() -> None:
    async def scenario(bench: Bench) -> None:
        answer = await bench.say(
            f"GET http://{bench.place}/a?b=c HTTP/1.1",
            f"Host: {bench.place}",
            "Proxy-Connection: keep-alive",
            "Accept: text/html",
        )
        assert answer.startswith(b"HTTP/1.1 200")
        assert answer.endswith(b"Connection: close\r\n\r\nhello")
        (heard,) = bench.site.heard
        assert heard.line == "GET /a?b=c HTTP/1.1"
        assert heard.headers == {"host": bench.place, "accept": "text/html", "connection": "close"}

    with_bench(scenario)


def test_a_tunnel_carries_anything_both_ways() -> None:
    async def scenario(bench: Bench) -> None:
        host, port = bench.egress.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(
            f"CONNECT {bench.place} HTTP/1.1\r\nProxy-Authorization: {bench.allowance.credentials}\r\n\r\n".encode()
        )
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 200 Connection Established\r\n\r\n"
        for _ in range(3):  # the same connection again and again, as a WebSocket would
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert (await reader.readuntil(b"hello")).startswith(b"HTTP/1.1 200")
        assert bench.site.connections == 1
        await bench.egress.remove_page(bench.allowance)
        assert await reader.read() == b""
        assert not bench.allowance.connections
        writer.close()

    with_bench(scenario)


@pytest.mark.parametrize("credentials", ["", "Basic Og==", "Basic eDp5", "Bearer ü", "basic"])
def test_without_the_page_s_password_nothing_is_done(credentials: str) -> None:
    async def scenario(bench: Bench) -> None:
        for start in (f"CONNECT {bench.place} HTTP/1.1", f"GET http://{bench.place}/ HTTP/1.1"):
            answer = await bench.say(start, credentials=credentials)
            assert answer.startswith(b"HTTP/1.1 407 ")
            assert b"Proxy-Authenticate: Basic" in answer
        assert bench.site.connections == 0

    with_bench(scenario)


def test_what_the_guard_refuses_is_not_connected_to_and_is_reported_once() -> None:
    async def scenario(bench: Bench) -> None:
        beside = bench.forbidden.port
        tries = {
            f"127.0.0.1:{beside}": "loopback",
            f"localhost:{beside}": "private network",
            f"[::ffff:127.0.0.1]:{beside}": "loopback",
            f"0x7f.1:{beside}": "loopback",
            "169.254.169.254": "metadata",
            f"inner.test:{beside}": "10.1.2.3",
            f"mixed.test:{beside}": "127.0.0.1",
            f"{SITE}:22": "port 22",
        }
        for place in tries:
            assert (await bench.say(f"CONNECT {place if ':' in place else place + ':443'} HTTP/1.1")).startswith(
                b"HTTP/1.1 403 "
            )
            # An answer of the proxy's would pass for one of the site's, so there is none.
            assert (await bench.say(f"GET http://{place}/ HTTP/1.1")) == b""
        assert {attempt.host for attempt in bench.allowance.refused} == set(tries)
        for attempt in bench.allowance.refused:
            assert tries[attempt.host] in attempt.reason
        assert bench.forbidden.connections == 0

    with_bench(scenario)


def test_what_cannot_be_reached_is_no_refusal() -> None:
    async def scenario(bench: Bench) -> None:
        answer = await bench.say("CONNECT nobody.test:443 HTTP/1.1")
        assert answer.startswith(b"HTTP/1.1 502 ")
        assert bench.allowance.refused == ()
        assert "nobody.test" in bench.allowance.failures["nobody.test"].sentence

    with_bench(scenario)


def test_a_page_gets_so_many_bytes_and_then_nothing_more() -> None:
    async def scenario(bench: Bench) -> None:
        answer = await bench.say(f"GET http://{bench.place}/endless HTTP/1.1")
        assert 100_000 < len(answer) <= 300_000
        assert bench.allowance.exhausted.is_set()
        assert (await bench.say(f"GET http://{bench.place}/ HTTP/1.1")) == b""

    with_bench(scenario, allowance=lambda: PageAllowance(bytes_left=300_000))


def test_connections_are_counted() -> None:
    async def scenario(bench: Bench) -> None:
        async def drip() -> bytes:
            return await bench.say(f"GET http://{bench.place}/drip HTTP/1.1")

        dripping = [asyncio.create_task(drip()) for _ in range(2)]
        while len(bench.allowance.connections) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert (await bench.say(f"GET http://{bench.place}/ HTTP/1.1")) == b""
        await bench.egress.remove_page(bench.allowance)
        assert all(part.startswith(b"HTTP/1.1 200") or not part for part in await asyncio.gather(*dripping))

    with_bench(scenario, allowance=lambda: PageAllowance(connections_allowed=2))


def test_a_silent_connection_ends_and_a_lively_one_does_not() -> None:
    async def silent(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(30)

    async def lively(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n")
        for _ in range(12):
            writer.write(b".")
            await asyncio.sleep(0.2)

    async def scenario(bench: Bench) -> None:
        bench.site.routes |= {"/silent": silent, "/lively": lively}
        started = time.monotonic()
        assert (await bench.say(f"GET http://{bench.place}/silent HTTP/1.1")) == b""
        assert time.monotonic() - started < 25
        assert (await bench.say(f"GET http://{bench.place}/lively HTTP/1.1")).endswith(b"\r\n\r\n............")

    with_bench(scenario, idle=1.8)


@pytest.mark.parametrize("path", ["/not-http", "/reset", "/broken-off"])
def test_a_broken_server_breaks_one_exchange_only(path: str) -> None:
    async def scenario(bench: Bench) -> None:
        await bench.say(f"GET http://{bench.place}{path} HTTP/1.1")
        assert (await bench.say(f"GET http://{bench.place}/ HTTP/1.1")).endswith(b"hello")

    with_bench(scenario)


@given(st.binary(max_size=300))
@example(b"CONNECT  HTTP/1.1\r\n\r\n")
@example(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
@example(b"GET http://a/ HTTP/1.1\r\nA: b\n c\r\n\r\n")
@example(b"GET file:///etc/passwd HTTP/1.1\r\n\r\n")
def test_no_head_is_misread(raw: bytes) -> None:
    try:
        request = parse_proxy_request(raw)
    except MessageHeadError:
        return
    assert request.url.startswith(("http://", "https://", "HTTP://"))
    assert request.head.for_next_hop().count(b"\r\n\r\n") == 1
