"""Serves the web page on the result of the demo, in a process that cannot outlive this one."""

from __future__ import annotations

import asyncio
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from wellsourced.errors import UpstreamUnavailable

# A slow machine may need this long to import everything.
START_SECONDS = 30.0
END_SECONDS = 5.0
LONGEST_LOG = 500


@asynccontextmanager
async def workbench(environment: Mapping[str, str], folder: Path) -> AsyncIterator[str]:
    """Yield the address of the page once it answers."""
    port = free_port()
    log = folder / "workbench.log"
    with log.open("wb") as stderr:
        # Its stdin is a pipe that nobody writes to: it closes when this process ends, however that happens.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "wellsourced", "serve", "--http", "--until-eof"),
            *("--host", "127.0.0.1", "--port", str(port)),
            stdin=PIPE,
            stdout=DEVNULL,
            stderr=stderr,
            env=dict(environment),
            cwd=folder,
        )
    try:
        await wait_until_alive(port, process, log)
        yield f"http://127.0.0.1:{port}/"
    finally:
        await stop_process(process)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


async def wait_until_alive(port: int, process: Process, log: Path) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + START_SECONDS
    while not await is_alive(port):
        if process.returncode is not None or loop.time() > deadline:
            raise UpstreamUnavailable("The server for the demo's result did not start.", detail=end_of_log(log))
        await asyncio.sleep(0.05)


def end_of_log(log: Path) -> str:
    return log.read_text("utf-8", "replace")[-LONGEST_LOG:]


async def is_alive(port: int) -> bool:
    try:
        async with asyncio.timeout(START_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET /health/live HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            first = await reader.readline()
            writer.close()
    except (OSError, TimeoutError, ValueError):
        return False
    return b" 200 " in first


async def stop_process(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(END_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
