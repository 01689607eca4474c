"""Processes that parse foreign bytes, each with limits of its own, so that a hostile document ends only its reader.

Started when first needed as `python -m wellsourced.sandbox.worker`, used for many documents, replaced after a crash,
ended when idle. A worker whose parent is gone ends by itself: its input ends, and Linux signals it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import wellsourced
from wellsourced.documents.document import Document, Unreadable
from wellsourced.errors import TimeLimit, WellsourcedError
from wellsourced.pages.page import Page
from wellsourced.sandbox.frames import PREFIX, call_frames, read_answer
from wellsourced.text.amounts import format_seconds

MEMORY_BYTES = 2**30
SECONDS = 30.0
IDLE_SECONDS = 60.0
MOST_DOCUMENTS = 1000
SWOLLEN = 384 * 2**20
LONGEST_ANSWER_EXTRA = 2**20
LONGEST_PAGE = 2**27
BYTES_A_CHARACTER = 12
HOUSE = str(Path(wellsourced.__file__).resolve().parent.parent)
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "HOME", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME")


class Workers:
    """A small pool of reading processes; calls wait their turn when all are busy."""

    def __init__(
        self,
        count: int = 2,
        memory_bytes: int = MEMORY_BYTES,
        seconds: float = SECONDS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._memory_bytes = memory_bytes
        self._seconds = seconds
        self._idle_seconds = idle_seconds
        self._turns = asyncio.Semaphore(max(count, 1))
        self._pages = asyncio.Semaphore(max(os.cpu_count() or 1, 1))
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._reading_here = False

    async def read(self, kind: str, body: bytes, *, max_chars: int, charset: str = "") -> Document:
        """The document, or its refusal as an exception. A worker that dies fails only this call."""
        longest = max_chars * BYTES_A_CHARACTER
        found = await self._ask(body, longest, kind=kind, max_chars=max_chars, charset=charset)
        if not isinstance(found, Document):
            raise Unreadable("The document's reader answered with something else.")
        return found

    async def extract(self, body: bytes, url: str, content_type: str = "") -> Page:
        """A web page. One is read here, beside the event loop; those that come meanwhile are read by workers.

        No more at a time than there are processors: more would only take turns, and hold memory while they wait.
        """
        async with self._pages:
            if self._reading_here:
                found = await self._ask(body, LONGEST_PAGE, kind="html", url=url, content_type=content_type)
                if not isinstance(found, Page):
                    raise Unreadable("The page's reader answered with something else.")
                return found
            return await self._extract_here(body, url, content_type)

    async def _extract_here(self, body: bytes, url: str, content_type: str) -> Page:
        from wellsourced.pages.html import extract as html

        self._reading_here = True
        try:
            return await asyncio.to_thread(html.extract, body, url, content_type)
        finally:
            self._reading_here = False

    async def _ask(self, body: bytes, longest: int, **told: str | int) -> Document | Page:
        async with self._turns:
            if self._closed:
                raise WellsourcedError("The server is shutting down; the document was not read.")
            worker = await self._take()
            self._busy.add(worker)
            try:
                return await worker.read(body, longest, self._seconds, told)
            finally:
                self._busy.discard(worker)
                self._give_back(worker)

    async def close(self) -> None:
        """End every worker and wait until it is gone."""
        self._closed = True
        if self._timer:
            self._timer.cancel()
        self._end_idle()
        for worker in self._busy:
            self._end(worker)
        await asyncio.gather(*self._ending)

    async def __aenter__(self) -> Workers:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def process_ids(self) -> list[int]:
        return [worker.process.pid for worker in (*self._idle, *self._busy)]

    async def _take(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.process.returncode is None:
                return worker
        return await start(self._memory_bytes)

    def _give_back(self, worker: _Worker) -> None:
        if self._closed or not worker.fit:
            self._end(worker)
            return
        self._idle.append(worker)
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(self._idle_seconds, self._end_idle)

    def _end_idle(self) -> None:
        workers, self._idle = self._idle, []
        for worker in workers:
            self._end(worker)

    def _end(self, worker: _Worker) -> None:
        """Kill at once; a task of its own waits until nothing of the process is left."""
        worker.kill()
        task = asyncio.ensure_future(worker.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


class _Worker:
    """One process and the conversation with it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.fit = True
        self._documents = 0

    async def read(self, body: bytes, longest: int, seconds: float, told: Mapping[str, str | int]) -> Document | Page:
        """Ask and wait; whatever interrupts the exchange leaves the worker unfit for another."""
        fit, self.fit = self.fit, False
        try:
            async with asyncio.timeout(seconds):
                await self._ask(body, seconds, told)
                answer, peak = read_answer(await self._listen(longest))
        except TimeoutError:
            raise TimeLimit(f"Reading the document took longer than {format_seconds(seconds)} and was ended.") from None
        except (OSError, EOFError, asyncio.IncompleteReadError, ValueError) as problem:
            raise Unreadable(await self._why_dead(), detail=type(problem).__name__) from None
        self._documents += 1
        self.fit = fit and self._documents < MOST_DOCUMENTS and peak < SWOLLEN
        if isinstance(answer, WellsourcedError):
            raise answer
        return answer

    async def _ask(self, body: bytes, seconds: float, told: Mapping[str, str | int]) -> None:
        sink = self.process.stdin
        if sink is None:
            raise EOFError
        call, prefix = call_frames(body, seconds, **told)
        sink.write(call + prefix)
        sink.write(body)
        await sink.drain()

    async def _listen(self, longest: int) -> bytes:
        source = self.process.stdout
        if source is None:
            raise EOFError
        length = int.from_bytes(await source.readexactly(PREFIX), "big")
        if length > longest + LONGEST_ANSWER_EXTRA:
            raise ValueError("the answer is longer than was asked for")
        return await source.readexactly(length)

    async def _why_dead(self) -> str:
        """A sentence from how the process ended."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2):
                await self.process.wait()
        code = self.process.returncode
        if code in {-24, -14}:
            return "Reading the document used up its time and was ended."
        return "The document made its reader crash, so it was not read; it is damaged or made to do harm."

    def kill(self) -> None:
        self.fit = False
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()

    async def end(self) -> None:
        """Wait for the killed process and let go of its pipes."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        await self.process.wait()
        while self.process.stdout is not None and await self._leftovers(self.process.stdout):
            pass

    @staticmethod
    async def _leftovers(source: asyncio.StreamReader) -> bytes:
        try:
            return await source.read(2**16)
        except OSError:
            return b""


async def start(memory_bytes: int) -> _Worker:
    """A fresh worker. It gets no secrets: only the variables that Python itself needs."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    kept["PYTHONPATH"] = HOUSE
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "wellsourced.sandbox.worker",
            str(memory_bytes),
            str(os.getpid()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=kept,
            start_new_session=True,
        )
    except OSError as problem:
        raise WellsourcedError("No process for reading documents could be started.", detail=str(problem)) from None
    return _Worker(process)
