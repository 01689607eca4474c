"""Stands for the web: a process on loopback that answers as SearXNG, as pages and as documents, and counts.

    /search?q=…&format=json   /page/N   /document/N.pdf

It prints its address. Each line it is given is a delay in milliseconds for the answers from then on, and is answered
with the number of requests so far; when its input ends, so does it.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

from bench import sample_pages

ROOT = Path(__file__).resolve().parent.parent
LONGEST_HEAD = 64 * 1024


class SampleWeb:
    """What all connections share."""

    def __init__(self) -> None:
        self.base = ""
        self.delay = 0.0
        self.requests = 0

    def answer(self, target: str) -> tuple[int, str, bytes]:
        """Status, media type and body."""
        parts = urlsplit(target)
        kind, _, name = parts.path.strip("/").partition("/")
        number = name.removesuffix(".pdf")
        if kind == "search":
            query = parse_qs(parts.query).get("q", [""])[0]
            return 200, "application/json", sample_pages.search_answer(query, self.base)
        if kind == "page" and number.isdecimal():
            return 200, "text/html; charset=utf-8", sample_pages.page(int(number))
        if kind == "document" and number.isdecimal():
            return 200, "application/pdf", sample_pages.document(int(number))
        return 404, "text/plain", b"There is no such page."


class Connection(asyncio.Protocol):
    """HTTP/1.1 with connections kept open; requests have no body."""

    def __init__(self, web: SampleWeb) -> None:
        self._web = web
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *heads, self._unread = (self._unread + data).split(b"\r\n\r\n")
        if len(self._unread) > LONGEST_HEAD:
            self._transport.close()
        for head in heads:
            self._web.requests += 1
            asyncio.get_running_loop().call_later(self._web.delay, self._answer, head)

    def _answer(self, head: bytes) -> None:
        method, _, rest = head.decode("latin-1").partition(" ")
        status, media, body = self._web.answer(rest.partition(" ")[0])
        lines = f"HTTP/1.1 {status} -\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n\r\n"
        self._transport.write(lines.encode() + (b"" if method == "HEAD" else body))


async def serve() -> None:
    web = SampleWeb()
    for number in range(sample_pages.PAGES):
        sample_pages.page(number)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(web), "127.0.0.1", 0, backlog=512)
    web.base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    print(web.base, flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        web.delay = float(line) / 1000
        print(web.requests, flush=True)
    server.close()


class WebServer:
    """The process, from `with WebServer() as upstream` until the block ends."""

    def __enter__(self) -> WebServer:
        command = [sys.executable, "-m", "bench.web_server"]
        self._process = subprocess.Popen(  # noqa: S603
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._delay = 0.0
        self.base = self._line()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate(timeout=10)

    def delay(self, milliseconds: float) -> None:
        self._delay = milliseconds
        self.requests()

    def requests(self) -> int:
        """How many arrived so far."""
        assert self._process.stdin
        self._process.stdin.write(f"{self._delay}\n")
        self._process.stdin.flush()
        return int(self._line())

    def _line(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()


if __name__ == "__main__":
    asyncio.run(serve())
