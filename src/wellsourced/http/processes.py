"""Several processes that answer on one port (WEB_CONCURRENCY), for machines with more than one core.

Each opens the application for itself; what they share is in the files of CACHE_DIR or in Redis.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from types import FrameType

from wellsourced.settings import Settings

STOPPING = (signal.SIGTERM, signal.SIGINT)
# One that ends sooner did not get as far as serving: the next waits, so that the failures do not keep a core busy.
SHORTEST_LIFE = 5.0
logger = logging.getLogger(__name__)


def process_problems(settings: Settings) -> list[str]:
    if settings.count("WEB_CONCURRENCY") < 2:
        return []
    problems = []
    if not settings.flag("HTTP_STATELESS"):
        problems.append(
            "WEB_CONCURRENCY: the requests of one MCP session may reach any of the processes; set HTTP_STATELESS=true."
        )
    if not hasattr(os, "fork"):
        problems.append("WEB_CONCURRENCY: this system has no fork; start several servers behind a proxy instead.")
    return problems


class ProcessGroup:
    """`serve` runs in each process and says with which code it ends."""

    def __init__(self, count: int, serve: Callable[[], int]) -> None:
        self._count = count
        self._serve = serve
        self._started: dict[int, float] = {}
        self._is_stopping = False

    def run(self) -> int:
        """Until this process is asked to stop; one that ends unasked is started again."""
        for number in STOPPING:
            signal.signal(number, self._stop)
        for _ in range(self._count):
            self._start()
        while self._started:
            process, status = os.wait()
            lived = time.monotonic() - self._started.pop(process, 0.0)
            if not self._is_stopping:
                logger.warning("process %d ended with %d", process, os.waitstatus_to_exitcode(status))
                time.sleep(max(0.0, SHORTEST_LIFE - lived))
                self._start()
        return 0

    def _start(self) -> None:
        if self._is_stopping:
            return
        process = os.fork()
        if process:
            self._started[process] = time.monotonic()
            if self._is_stopping:  # asked between the fork and this line
                os.kill(process, signal.SIGTERM)
            return
        for number in STOPPING:
            signal.signal(number, signal.SIG_DFL)
        os._exit(self._serve())

    def _stop(self, number: int, _: FrameType | None) -> None:
        self._is_stopping = True
        for process in self._started:
            os.kill(process, number)
