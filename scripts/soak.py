"""The real server under mixed load on loopback: what it holds at rest must not grow.

Compared are a rest after the first tenth of the time and the rest at the end: memory of the whole process tree,
processes, open files and tasks, over stdio and over HTTP. Ends with status 1 when one of them grew.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from scripts.soak_load import Load, over_http, over_stdio, prepare
from tests.drills.processes import family
from tests.http.http_server import free_port, wait_until_alive
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer

PROBED = (sys.executable, "-m", "scripts.soak_probe")
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV")
SMALL = {
    "CACHE_MAX_MEMORY_MB": "4",
    "CHROME_PATH": "disabled",
    "ALLOW_PRIVATE_IPS": "true",
    "SEARCH_PROVIDER": "searxng",
}
UNLIMITED = {"RATE_LIMIT_GLOBAL": "0", "RATE_LIMIT_PER_TENANT": "0", "DAILY_QUOTA_PER_TENANT": "0"}
SETTLE_SECONDS = 2.0
SPARE = {"processes": 0, "files": 16, "tasks": 3}
"""Connections that are kept for reuse, and timers, come and go."""


@dataclass(frozen=True)
class Held:
    """What a server holds at rest."""

    megabytes: float
    processes: int
    files: int
    tasks: int


class Subject:
    def __init__(self, name: str, process: int, probe: Path) -> None:
        self.name = name
        self._process = process
        self._probe = probe

    def held(self) -> Held:
        members = family(self._process)
        return Held(
            megabytes=round(sum(map(resident, members)), 1),
            processes=len(members),
            files=sum(1 for _ in Path(f"/proc/{self._process}/fd").iterdir()),
            tasks=self._tasks(),
        )

    def _tasks(self) -> int:
        self._probe.unlink(missing_ok=True)
        os.kill(self._process, signal.SIGUSR1)
        limit = time.monotonic() + 10
        while not self._probe.exists() and time.monotonic() < limit:
            time.sleep(0.02)
        return int(self._probe.read_text())


def resident(process: int) -> float:
    """Megabytes in memory, those shared with others by their share."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def environment(internet: Internet, folder: Path, name: str) -> dict[str, str]:
    kept = {key: os.environ[key] for key in KEPT if key in os.environ}
    own = {"CACHE_DIR": str(folder / name), "SOAK_PROBE": str(folder / f"{name}-tasks")}
    return {**kept, **internet.environment(), **SMALL, **UNLIMITED, **own}


@contextmanager
def http_subject(given: Mapping[str, str]) -> Iterator[tuple[str, Subject]]:
    port = free_port()
    command = [*PROBED, "serve", "--http", "--port", str(port)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, env=dict(given), stdin=subprocess.DEVNULL, stderr=log)  # noqa: S603
        try:
            wait_until_alive(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}", Subject("http", process.pid, Path(given["SOAK_PROBE"]))
        finally:
            process.terminate()
            process.wait(30)


def soak(seconds: float, growth: float = 0.1, warm_up: float = 0.1) -> list[str]:
    """What grew or went unanswered; the table is printed."""
    with tempfile.TemporaryDirectory() as name, Internet() as internet:
        prepare(internet)
        folder = Path(name)
        stdio = environment(internet, folder, "stdio")
        with (
            StdioServer(stdio, PROBED, subprocess.Popen) as server,
            http_subject(environment(internet, folder, "http")) as (address, http),
        ):
            server.initialize()
            subjects = [Subject("stdio", server.process.pid, Path(stdio["SOAK_PROBE"])), http]
            load = Load(internet.base, [over_stdio(server), over_http(address), over_http(address)])
            early = at_rest(load, subjects, seconds * warm_up)
            late = at_rest(load, subjects, seconds * (1 - warm_up))
            load.stop()
    print(f"{load.done} calls in {seconds:.0f} seconds")
    problems = [f"unanswered: {unanswered}" for unanswered in load.unanswered]
    for subject, before, after in zip(subjects, early, late, strict=True):
        problems += compared(subject.name, before, after, growth)
    return problems


def at_rest(load: Load, subjects: list[Subject], seconds: float) -> list[Held]:
    load.run(seconds)
    time.sleep(SETTLE_SECONDS)
    return [subject.held() for subject in subjects]


def compared(name: str, before: Held, after: Held, growth: float) -> list[str]:
    problems = []
    for field, early, late in zip(fields(Held), astuple(before), astuple(after), strict=True):
        most = early * (1 + growth) if field.name == "megabytes" else early + SPARE[field.name]
        print(f"{name:6} {field.name:10} {early:>8} {late:>8}  {'grew' if late > most else 'level'}")
        if late > most:
            problems.append(f"{name}: {field.name} grew from {early} to {late}")
    return problems


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=30.0)
    problems = soak(options.parse_args().minutes * 60)
    print("\n".join(problems) or "nothing grew")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
