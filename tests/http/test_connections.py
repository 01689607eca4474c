"""Clients that are slow, silent or malformed, against the real process and against a limit of a few connections."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from tests.drills.processes import eventually
from tests.http.http_server import get, http_server
from tests.http.raw_connection import connect, exchange, read_to_end, read_until, request
from wellsourced.http.connections import MOST_HELD, ConnectionLimit, JoinedWrites, connection_class

SLOW_CLIENTS = 200
LIMITS = {
    "HTTP_READ_HEADER_TIMEOUT": "4s",
    "HTTP_READ_TIMEOUT": "1s",
    "HTTP_IDLE_TIMEOUT": "1s",
    "HTTP_MAX_HEADER_BYTES": "4096",
    "MAX_REQUEST_BODY_BYTES": "100000",
}
CHUNKED = {"transfer-encoding": "chunked", "content-type": "application/json"}


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("data")
    with http_server({"CACHE_DIR": str(folder), "PATH": "/usr/bin:/bin", **LIMITS}) as address:
        yield address


def test_slow_heads_end_in_time_and_keep_nobody_out(strict: str) -> None:
    with ExitStack() as opened:
        slow = [opened.enter_context(connect(strict)) for _ in range(SLOW_CLIENTS)]
        for connection in slow:
            connection.sendall(b"GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a:")
        assert get(strict + "/health/live")[0] == 200
        for connection in slow:
            connection.sendall(b" b")
        said = [read_to_end(connection) for connection in slow]
    assert all(b" 408 " in each and b"HTTP_READ_HEADER_TIMEOUT" in each for each in said)


WITHOUT_PROGRESS = {
    "silent": (b"", b""),
    "idle": (request("GET", "/health/live"), b" 200 "),
    "blank lines": (request("GET", "/health/live") + b"\r\n\r\n", b" 200 "),
    "a body that never comes": (request("GET", "/health/live", {"content-length": "50"}), b" 408 "),
    "half a body": (request("POST", "/mcp", {"content-length": "50"}) + b"{", b"HTTP_READ_TIMEOUT"),
    "half a chunked body": (request("POST", "/mcp", CHUNKED) + b"1\r\n{\r\n", b" 408 "),
}


def test_connections_without_progress_are_ended(strict: str) -> None:
    with ExitStack() as opened:
        connections = {name: opened.enter_context(connect(strict)) for name in WITHOUT_PROGRESS}
        for name, connection in connections.items():
            connection.sendall(WITHOUT_PROGRESS[name][0])
        said = {name: read_to_end(connection) for name, connection in connections.items()}
    assert {name for name, (_, sentence) in WITHOUT_PROGRESS.items() if sentence not in said[name]} == set()
    assert said["silent"] == b""


NOT_HOSTS = ("localhost:evil", "localhost:8765:80", "localhost:99999", "user@localhost", "local host", "[::1", "a/b")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (request("GET", "/", {"x-long": "a" * 5000}), 431),
        (b"GET / HTTP/1.1\r\nx-long: " + b"a" * 5000, 431),
        (request("GET", "/" + "a" * 5000), 431),
        (request("POST", "/mcp", CHUNKED) + b"1\r\n{\r\n0\r\nx-trailer: " + b"a" * 600_000, 431),
        (request("POST", "/mcp", {**CHUNKED, "content-length": "3"}) + b"0\r\n\r\n", 400),
        (request("POST", "/mcp", {"content-length": "3, 4"}) + b"{} ", 400),
        (request("GET", "/health/live", {"Host": "elsewhere.example"}), 400),
        (b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{} ", 400),
        (request("POST", "/mcp", {"transfer-encoding": "xchunked"}) + b"0\r\n\r\n", 400),
        *((request("GET", "/health/live", {"host": host}), 400) for host in NOT_HOSTS),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        (request("POST", "/mcp", {"content-length": "100001", "connection": "close"}), 413),
        (request("POST", "/mcp", {"connection": "close"}, b" " * 100_001), 413),
        (request("POST", "/mcp", {**CHUNKED, "connection": "close"}) + b"20000\r\n" + b" " * 0x20000 + b"\r\n", 413),
    ],
)
def test_what_is_too_large_or_ambiguous_is_refused_in_a_sentence(strict: str, sent: bytes, status: int) -> None:
    head, _, body = exchange(strict, sent).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), head
    assert b"x-content-type-options: nosniff" in head.lower()
    assert body.count(b" ") > 4
    assert get(strict + "/health/live")[0] == 200


@pytest.mark.parametrize("ending", ["close", "keep-alive"])
def test_an_upload_of_20_mb_is_answered_and_not_reset(strict: str, ending: str) -> None:
    with connect(strict) as connection:
        connection.sendall(request("POST", "/mcp", {"connection": ending}, b" " * 20_000_000))
        said = read_until(connection, b"MAX_REQUEST_BODY_BYTES")
        assert said.startswith(b"HTTP/1.1 413 ")
        connection.sendall(request("GET", "/health/live", {"connection": "close"})) if ending != "close" else None
        assert (connection.recv(65536) == b"") == (ending == "close")


def test_a_large_upload_reads_its_refusal_and_the_connection_goes_on(strict: str) -> None:
    with connect(strict) as connection:
        connection.sendall(request("POST", "/mcp", body=b" " * 3_000_000))
        connection.sendall(request("GET", "/health/live", {"connection": "close"}))
        said = read_to_end(connection)
    assert b" 413 " in said
    assert said.endswith(b"ok")


def small_limit(**changes: float) -> ConnectionLimit:
    usual = {"head_seconds": 30.0, "idle_seconds": 30.0, "head_bytes": 4096, "most": 20}
    return ConnectionLimit(**{**usual, **changes}, headers=[(b"cache-control", b"no-store")])  # type: ignore[arg-type]


def serving(app: Callable[..., Awaitable[None]], shared: ConnectionLimit, script: Callable[[str], None]) -> None:
    """Run a blocking script against an app in this process."""

    async def run() -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(app, http=connection_class(shared), ws="none", lifespan="off", log_level="error")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server._serve([listener]))
        await asyncio.to_thread(script, f"http://127.0.0.1:{listener.getsockname()[1]}")
        server.should_exit = server.force_exit = True
        await task

    asyncio.run(run())


class WaitingApp:
    """/slow holds its caller; everything else is answered at once."""

    def __init__(self) -> None:
        self.held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        if scope["path"] == "/slow":
            self.held += 1
            await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


def test_idle_connections_give_way_and_busy_ones_do_not() -> None:
    shared, app = small_limit(), WaitingApp()

    def script(address: str) -> None:
        with ExitStack() as opened:
            busy = [opened.enter_context(connect(address)) for _ in range(10)]
            for connection in busy:
                connection.sendall(request("GET", "/slow"))
            eventually(lambda: app.held == 10)
            idle = [opened.enter_context(connect(address)) for _ in range(30)]
            for connection in idle[10:]:
                connection.sendall(b"GET / HTTP/1.1\r\n")
            assert get(address + "/")[0] == 200
            assert read_to_end(idle[0]) == b""
            assert shared.open <= shared.most
            more = [opened.enter_context(connect(address)) for _ in range(10)]
            for connection in more:
                connection.sendall(request("GET", "/slow"))
            eventually(lambda: app.held == 20)
            status, _, body = get(address + "/")
            assert (status, b"another connection" in body) == (503, True)

    serving(app, shared, script)


async def telling_app(scope: Scope, receive: Receive, send: Send) -> None:
    """The names of the headers, as they are once the body has been read."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b",".join(name for name, _ in scope["headers"])})


def test_a_trailer_does_not_become_a_header() -> None:
    late = b"1\r\n{\r\n0\r\nx-admin-key: late\r\n\r\n"

    def script(address: str) -> None:
        said = exchange(address, request("POST", "/", {**CHUNKED, "connection": "close"}) + late)
        assert b"transfer-encoding" in said
        assert b"x-admin-key" not in said

    serving(telling_app, small_limit(), script)


async def flooding_app(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(100):
        await send({"type": "http.response.body", "body": b" " * 1_000_000, "more_body": True})


def test_a_client_that_does_not_read_is_let_go() -> None:
    shared = small_limit(idle_seconds=0.3)

    def script(address: str) -> None:
        with connect(address) as connection:
            connection.sendall(request("GET", "/"))
            eventually(lambda: shared.open)
            eventually(lambda: not shared.open)

    serving(flooding_app, shared, script)


class RecordingTransport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:  # type: ignore[override]
        self.sent.append(data)

    def close(self) -> None:
        self.is_closed = True


def test_head_and_body_leave_in_one_write_and_nothing_is_kept_back() -> None:
    async def write() -> tuple[list[bytes], bool]:
        below = RecordingTransport()
        joined = JoinedWrites(below, asyncio.get_running_loop())
        for piece in (b"head", b"body", b"event"):
            joined.write(piece)
        await asyncio.sleep(0)  # nothing follows the event in its turn of the loop
        joined.write(b"large" * MOST_HELD)
        joined.write(b"last")
        joined.close()
        return below.sent, below.is_closed

    assert asyncio.run(write()) == ([b"headbody", b"event", b"large" * MOST_HELD, b"last"], True)
