"""The pool of worker processes that parse foreign bytes, so that a hostile document ends only its reader.

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
from wellsourced.sandbox.limits import DOCUMENT_SECONDS, MEMORY_BYTES
from wellsourced.text.amounts import format_seconds

IDLE_SECONDS = 60.0
DOCUMENTS_A_WORKER = 1000
# A worker that grew beyond this is replaced: parsers seldom give memory back.
LARGEST_PEAK = 384 * 2**20
ANSWER_OVERHEAD = 2**20
LONGEST_PAGE_ANSWER = 2**27
BYTES_A_CHARACTER = 12
SOURCE_FOLDER = str(Path(wellsourced.__file__).resolve().parent.parent)
INHERITED_VARIABLES = (
    "PATH",
    "LANG",
    "LC_ALL",
    "HOME",
    "SYSTEMROOT",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYTHONHOME",
)


class WorkerPool:
    """A small pool of worker processes; calls queue when all are busy."""

    def __init__(
        self,
        count: int = 2,
        memory_bytes: int = MEMORY_BYTES,
        seconds: float = DOCUMENT_SECONDS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._memory_bytes = memory_bytes
        self._seconds = seconds
        self._idle_seconds = idle_seconds
        self._free_workers = asyncio.Semaphore(max(count, 1))
        self._page_slots = asyncio.Semaphore(max(os.cpu_count() or 1, 1))
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._is_extracting = False

    async def read_document(self, kind: str, body: bytes, *, max_chars: int, charset: str = "") -> Document:
        """The document, or its refusal as an exception. A worker that dies fails only this call."""
        longest = max_chars * BYTES_A_CHARACTER
        document = await self._ask(body, longest, kind=kind, max_chars=max_chars, charset=charset)
        if not isinstance(document, Document):
            raise Unreadable("The document's reader answered with something else.")
        return document

    async def extract_page(self, body: bytes, url: str, content_type: str = "") -> Page:
        """A web page. One is read here, beside the event loop; those that come meanwhile are read by workers.

        No more at a time than there are processors: more would only take turns, and hold memory while they wait.
        """
        async with self._page_slots:
            if self._is_extracting:
                page = await self._ask(body, LONGEST_PAGE_ANSWER, kind="html", url=url, content_type=content_type)
                if not isinstance(page, Page):
                    raise Unreadable("The page's reader answered with something else.")
                return page
            return await self._extract_in_thread(body, url, content_type)

    async def _extract_in_thread(self, body: bytes, url: str, content_type: str) -> Page:
        from wellsourced.pages.html import extract as html

        self._is_extracting = True
        try:
            return await asyncio.to_thread(html.extract, body, url, content_type)
        finally:
            self._is_extracting = False

    async def _ask(self, body: bytes, longest: int, **parameters: str | int) -> Document | Page:
        async with self._free_workers:
            if self._closed:
                raise WellsourcedError("The server is shutting down; the document was not read.")
            worker = await self._take_worker()
            self._busy.add(worker)
            try:
                return await worker.call(body, longest, self._seconds, parameters)
            finally:
                self._busy.discard(worker)
                self._return_worker(worker)

    async def close(self) -> None:
        """End every worker and wait until it is gone."""
        self._closed = True
        if self._timer:
            self._timer.cancel()
        self._end_idle()
        for worker in self._busy:
            self._end(worker)
        await asyncio.gather(*self._ending)

    async def __aenter__(self) -> WorkerPool:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def process_ids(self) -> list[int]:
        return [worker.process.pid for worker in (*self._idle, *self._busy)]

    async def _take_worker(self) -> WorkerProcess:
        while self._idle:
            worker = self._idle.pop()
            if worker.process.returncode is None:
                return worker
        return await start_worker(self._memory_bytes)

    def _return_worker(self, worker: WorkerProcess) -> None:
        if self._closed or not worker.is_fit:
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

    def _end(self, worker: WorkerProcess) -> None:
        """Kill at once; a task of its own waits until nothing of the process is left."""
        worker.kill()
        task = asyncio.ensure_future(worker.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


class WorkerProcess:
    """One worker process, as the pool sees it: a call goes in, an answer comes out."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.is_fit = True
        self._documents = 0

    async def call(
        self, body: bytes, longest: int, seconds: float, parameters: Mapping[str, str | int]
    ) -> Document | Page:
        """Send a call and wait for its answer; whatever interrupts the exchange leaves the worker unfit for another."""
        was_fit, self.is_fit = self.is_fit, False
        try:
            async with asyncio.timeout(seconds):
                await self._send_call(body, seconds, parameters)
                answer, peak = read_answer(await self._receive_answer(longest))
        except TimeoutError:
            raise TimeLimit(f"Reading the document took longer than {format_seconds(seconds)} and was ended.") from None
        except (OSError, EOFError, asyncio.IncompleteReadError, ValueError) as problem:
            raise Unreadable(await self._exit_reason(), detail=type(problem).__name__) from None
        self._documents += 1
        self.is_fit = was_fit and self._documents < DOCUMENTS_A_WORKER and peak < LARGEST_PEAK
        if isinstance(answer, WellsourcedError):
            raise answer
        return answer

    async def _send_call(self, body: bytes, seconds: float, parameters: Mapping[str, str | int]) -> None:
        sink = self.process.stdin
        if sink is None:
            raise EOFError
        call, prefix = call_frames(body, seconds, **parameters)
        sink.write(call + prefix)
        sink.write(body)
        await sink.drain()

    async def _receive_answer(self, longest: int) -> bytes:
        source = self.process.stdout
        if source is None:
            raise EOFError
        length = int.from_bytes(await source.readexactly(PREFIX), "big")
        if length > longest + ANSWER_OVERHEAD:
            raise ValueError("the answer is longer than was asked for")
        return await source.readexactly(length)

    async def _exit_reason(self) -> str:
        """A sentence from how the process ended."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2):
                await self.process.wait()
        code = self.process.returncode
        if code in {-24, -14}:  # SIGXCPU, SIGALRM: the limits of CPU and wall time
            return "Reading the document used up its time and was ended."
        return "The document made its reader crash, so it was not read; it is damaged or made to do harm."

    def kill(self) -> None:
        self.is_fit = False
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()

    async def end(self) -> None:
        """Wait for the killed process and let go of its pipes."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        await self.process.wait()
        while self.process.stdout is not None and await self._drain_output(self.process.stdout):
            pass

    @staticmethod
    async def _drain_output(source: asyncio.StreamReader) -> bytes:
        try:
            return await source.read(2**16)
        except OSError:
            return b""


async def start_worker(memory_bytes: int) -> WorkerProcess:
    """A fresh worker. It gets no secrets: only the variables that Python itself needs."""
    environment = {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ}
    environment["PYTHONPATH"] = SOURCE_FOLDER
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
            env=environment,
            start_new_session=True,
        )
    except OSError as problem:
        raise WellsourcedError("No process for reading documents could be started.", detail=str(problem)) from None
    return WorkerProcess(process)
