"""What capturing a page for a project costs: processor time of an uncached scrape_page with and without it.

python -m bench.capture_cost [--rounds 4] [--pages DIR]

One server reads a page, captures the same page at another address, and goes on to the next: those of the benchmark, or
the HTML files of a folder. Its whole tree of processes is counted, and what it does after its answers too.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import http.server
import math
import multiprocessing
from collections.abc import Callable, Iterator
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.connection import ServerConnection, is_error
from bench.processes import processor_seconds
from bench.sample_pages import PAGES
from bench.servers import ours
from bench.web_server import WebServer

Address = Callable[[int], str]
QUIET_SECONDS = 0.1
"""After a call: what it leaves to be done after its answer is its cost too."""


def serve_folder(folder: str, told: Connection) -> None:
    """A process of its own, so that its time is not the server's; what follows a ? is not looked at."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    handler.func.log_message = lambda *_: None  # type: ignore[method-assign]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    told.send(server.server_address[1])
    server.serve_forever()


@contextlib.contextmanager
def folder_site(folder: Path) -> Iterator[Address]:
    names = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.html"))]
    told, tell = multiprocessing.Pipe()
    process = multiprocessing.Process(target=serve_folder, args=(str(folder), tell), daemon=True)
    process.start()
    base = f"http://127.0.0.1:{told.recv()}"
    yield lambda number: f"{base}/{names[number % PAGES % len(names)]}?n={number}"
    process.terminate()
    process.join()


async def spend(connection: ServerConnection, address: str, **more: str) -> float:
    """Processor milliseconds of reading a page; endless where it is not read."""
    before = processor_seconds(connection.process)
    answer = await connection.call("scrape_page", {"url": address, **more})
    await asyncio.sleep(QUIET_SECONDS)
    return math.inf if is_error(answer) else 1000 * (processor_seconds(connection.process) - before)


async def compare(connection: ServerConnection, address: Address, rounds: int) -> list[tuple[float, float]]:
    """Of each page what reading it and what capturing it took. The least of all rounds counts, since whatever else
    the machine does can only add to it; no address is asked for twice."""
    spent = [(math.inf, math.inf)] * PAGES
    for turn, page in product(range(rounds), range(PAGES)):
        first, second = (address(page + (2 * turn + nth) * PAGES) for nth in (0, 1))
        read, captured = await spend(connection, first), await spend(connection, second, project="P")
        spent[page] = min(spent[page][0], read), min(spent[page][1], captured)
    return [pair for pair in spent if max(pair) < math.inf]


async def main() -> None:
    known = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("--rounds", type=int, default=4)
    known.add_argument("--pages", type=Path, help="a folder of HTML files instead of the benchmark's pages")
    chosen = known.parse_args()
    with TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        upstream = stack.enter_context(WebServer())
        site = stack.enter_context(folder_site(chosen.pages)) if chosen.pages else None
        connection = await ours(upstream.base, Path(folder))[0].start()
        try:
            address = site or (lambda number: f"{upstream.base}/page/{number}")
            spent = await compare(connection, address, chosen.rounds)
        finally:
            await connection.close()
    read, captured = (sum(times) / len(spent) for times in zip(*spent, strict=True))
    print(f"{len(spent)} pages: read {read:.2f} ms, captured {captured:.2f} ms: {100 * (captured / read - 1):+.1f} %")


if __name__ == "__main__":
    asyncio.run(main())
