"""The pool of worker processes that work on foreign text, so that a hostile page ends only its reader.

Whatever takes longer the longer a foreign text is, is run through `WorkerPool.run`: a short text in a thread, a long
one in a worker process, which is killed when the call that waits for it is over. A thread could not be, and would keep
the event loop waiting while it holds Python's lock.

Workers are started when first needed as `python -m wellsourced.sandbox.worker`, used for many calls, replaced after a
crash or when they have grown, ended when idle. A worker whose parent is gone ends by itself: its input ends, and Linux
signals it. One worker more than a single caller may hold is there for another's page, callers that wait are served in
turn, and a worker that is busy for long is joined by another. No more are started than keep the processors at work,
unless none of them falls free for a moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from wellsourced.documents.document import Document, Unreadable
from wellsourced.errors import TimeLimit, WellsourcedError
from wellsourced.pages.fair_slots import FairSlots
from wellsourced.pages.page import Page
from wellsourced.process import give_back_memory
from wellsourced.sandbox import reading
from wellsourced.sandbox.frames import (
    MOST_PARTS,
    PREFIX,
    field_names,
    in_pieces,
    pack_call,
    part_lengths,
    read_answer,
    returned_type,
)
from wellsourced.sandbox.limits import DOCUMENT_SECONDS, OUT_OF_TIME
from wellsourced.sandbox.reading import extract_page, parse_document
from wellsourced.sandbox.start import MEMORY_BYTES, start_process
from wellsourced.storage.cache.partition import current_owner
from wellsourced.text.amounts import format_seconds

T = TypeVar("T")

IDLE_SECONDS = 60.0
SPARE_SECONDS = 45.0
"""How long more than one worker is kept with nothing to do."""
CALLS_A_WORKER = 1000
# A worker that holds more than this after a call is replaced: parsers do not give all of it back.
MOST_HELD = 96 * 2**20
LONGEST_ANSWER = 2**27
# What is longer is packed and unpacked beside the event loop, and its memory given back to the system afterwards.
LARGE = 2**20
# A worker that is busy for longer is joined by another, up to so many: hostile pages of several callers keep none out.
BUSY_SECONDS = 5.0
MOST_JOINED = 2
TRIM_SECONDS = 2.0
"""How long after work on a text its memory is given back: the call that it was for is mostly over then."""
USUAL_WORKERS = max(1, (os.cpu_count() or 1) - 1)
"""Beside this process they keep all processors at work; each more takes its memory and makes none of it faster."""
PATIENCE_SECONDS = 1.0
"""How long one of them may be waited for; another is started where a text keeps it busy."""
# What is longer than this is worked on in a process of its own. Below it, each pattern is done within milliseconds.
SHORT = 2**18
# Several short ones, the sources of an answer, cost more to copy to a worker and back than to work on.
SHORT_TOGETHER = 2**20
WITHOUT_TEXT = frozenset({int, float, bool, type(None)})


class WorkerPool:
    """A small pool of worker processes. `count` is how many one caller may hold; there is one more for the others."""

    def __init__(
        self,
        count: int = 2,
        memory_bytes: int = MEMORY_BYTES,
        seconds: float = DOCUMENT_SECONDS,
        idle_seconds: float = IDLE_SECONDS,
        keep_images: bool = False,
    ) -> None:
        self.keep_images = keep_images
        self._memory_bytes = memory_bytes
        self._seconds = seconds
        self._idle_seconds = idle_seconds
        self._worker_slots = FairSlots(max(count, 1) + 1, max(count, 1))
        # A worker takes the largest page that waits, which would hold Python's lock here; this process the smallest.
        self._page_slots = FairSlots(max(os.cpu_count() or 1, 1), takes_largest=self._is_for_worker)
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._starting = 0
        self._returned = asyncio.Event()
        self._ending: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._trim_timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._running_here = 0
        """Jobs in threads of this process."""
        self._pages_here = 0
        """Those of them that read pages."""

    def adopt(self, process: asyncio.subprocess.Process) -> None:
        """Take up a process that was started before there was a pool."""
        self._return_worker(WorkerProcess(process))

    async def read_document(self, kind: str, body: bytes, *, max_chars: int, charset: str = "") -> Document:
        """The document, or its refusal as an exception. A worker that dies fails only this call."""
        return await self._run_in_worker(parse_document, (kind, body, max_chars, charset, self._seconds))

    async def extract_page(self, body: bytes, url: str, content_type: str = "") -> Page:
        """A web page. One short page is read here, beside the event loop; others are read by workers while any is free,
        as is the first, where a worker waits and nothing that reads pages is loaded here yet.

        No more at a time than there are processors: more would only take turns, and hold memory while they wait.
        """
        if len(body) > SHORT:
            return await self._run_in_worker(extract_page, (body, url, content_type, self.keep_images))
        async with self._page_slots.slot(current_caller(), len(body)):
            if self._is_for_worker() and self._worker_slots.has_free_slot(current_caller()):
                return await self._run_in_worker(extract_page, (body, url, content_type, self.keep_images))
            self._pages_here += 1
            try:
                return await self.run_here(extract_page, body, url, content_type, self.keep_images)
            finally:
                self._pages_here -= 1

    def _is_for_worker(self) -> bool:
        """Whether a worker should read the next page. Beside other short work here it is not waited for: that is mostly
        done before the page which keeps it busy."""
        is_worker_free = self._idle or len(self._busy) + self._starting < USUAL_WORKERS
        is_first = self._idle and not reading.are_pages_ready()
        return bool(self._pages_here or (self._running_here and is_worker_free) or is_first)

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """What a function of ours makes of foreign text, outside the event loop and no longer than the call lasts.

        The function must stand in a module under its name and declare what it returns, and its arguments must be
        data: a worker process gets its name, and its answer is held against the declaration.
        """
        lengths = text_lengths(arguments)
        if sum(lengths) <= SHORT_TOGETHER and max(lengths, default=0) <= SHORT:
            return await self.run_here(function, *arguments)
        return await self._run_in_worker(function, arguments)

    async def run_here(self, function: Callable[..., T], *arguments: object) -> T:
        """In a thread, for what is short. Meanwhile workers read pages: two threads would only take turns."""
        self._running_here += 1
        try:
            return await asyncio.to_thread(function, *arguments)
        finally:
            self._running_here -= 1
            self._trim_soon()

    async def run_somewhere(self, function: Callable[..., T], *arguments: object) -> T:
        """The same; where no worker can do it, a thread does: for what must be done however long it takes."""
        try:
            return await self.run(function, *arguments)
        except WellsourcedError:
            return await asyncio.to_thread(function, *arguments)

    async def _run_in_worker(self, function: Callable[..., T], arguments: tuple[object, ...]) -> T:
        async with self._worker_slots.lasting_slot(current_caller(), BUSY_SECONDS, MOST_JOINED):
            if self._closed:
                raise WellsourcedError("The server is shutting down; the document was not read.")
            worker = await self._take_worker()
            self._busy.add(worker)
            try:
                return await worker.call(function, arguments, self._seconds)
            finally:
                self._busy.discard(worker)
                self._return_worker(worker)
                if worker.moved > LARGE:
                    worker.moved = 0
                    self._trim_soon()

    def _trim_soon(self) -> None:
        """Also while page follows page: what many at once took would else be held until a quiet moment."""
        if self._trim_timer is None and not self._closed:
            self._trim_timer = asyncio.get_running_loop().call_later(TRIM_SECONDS, self._trim)

    def _trim(self) -> None:
        self._trim_timer = None
        asyncio.get_running_loop().run_in_executor(None, give_back_memory)

    async def close(self) -> None:
        """End every worker and wait until it is gone."""
        self._closed = True
        for timer in (self._timer, self._trim_timer):
            if timer:
                timer.cancel()
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
        """One that waits; else a new one, where not enough are there or none falls free for a while."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_SECONDS
        while True:
            while self._idle:
                worker = self._idle.pop()
                if worker.process.returncode is None:
                    return worker
            if len(self._busy) + self._starting < USUAL_WORKERS or loop.time() >= until:
                return await self._start_worker()
            self._returned.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    await self._returned.wait()

    async def _start_worker(self) -> WorkerProcess:
        self._starting += 1
        try:
            return WorkerProcess(await start_process(self._memory_bytes))
        finally:
            self._starting -= 1

    def _return_worker(self, worker: WorkerProcess) -> None:
        self._returned.set()
        if self._closed or not worker.is_fit:
            self._end(worker)
            return
        self._idle.append(worker)
        if self._timer:
            self._timer.cancel()
        spare = min(SPARE_SECONDS, self._idle_seconds)
        self._timer = asyncio.get_running_loop().call_later(spare, self._end_spare)

    def _end_spare(self) -> None:
        """One worker at rest for a while, then none."""
        self._end_idle(keep=1)
        self._timer = asyncio.get_running_loop().call_later(self._idle_seconds - SPARE_SECONDS, self._end_idle)

    def _end_idle(self, keep: int = 0) -> None:
        workers, self._idle = self._idle[keep:], self._idle[:keep]
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
        self.moved = 0
        """Bytes that went in and out since the pool last looked."""
        self._calls = 0

    async def call(self, function: Callable[..., T], arguments: tuple[object, ...], seconds: float) -> T:
        """Send a call and wait for its answer; whatever interrupts the exchange leaves the worker unfit for another."""
        was_fit, self.is_fit = self.is_fit, False
        try:
            async with asyncio.timeout(seconds):
                await self._send(await beside_loop(text_length(arguments), pack_call, function, arguments, seconds))
                returned_type(function)  # made while the worker is at it: takes milliseconds the first time
                parts = await self._receive()
                answer: T | WellsourcedError
                answer, held = await beside_loop(_total(parts), read_answer, function, parts)
        except TimeoutError:
            raise TimeLimit(f"Reading the document took longer than {format_seconds(seconds)} and was ended.") from None
        except (OSError, EOFError, asyncio.IncompleteReadError, ValueError) as problem:
            raise Unreadable(await self._exit_reason(), detail=type(problem).__name__) from None
        self._calls += 1
        self.is_fit = was_fit and self._calls < CALLS_A_WORKER and held < MOST_HELD
        if isinstance(answer, WellsourcedError):
            raise answer
        return answer

    async def _send(self, parts: Sequence[bytes]) -> None:
        sink = self.process.stdin
        if sink is None:
            raise EOFError
        self.moved += _total(parts)
        for piece in in_pieces(parts):
            sink.write(piece)
            await sink.drain()

    async def _receive(self) -> list[bytes]:
        source = self.process.stdout
        if source is None:
            raise EOFError
        (count,) = part_lengths(await source.readexactly(PREFIX))
        if not 0 < count <= MOST_PARTS:
            raise ValueError("the answer has more parts than any has")
        lengths = part_lengths(await source.readexactly(PREFIX * count))
        if sum(lengths) > LONGEST_ANSWER:
            raise ValueError("the answer is longer than any is")
        self.moved += sum(lengths)
        return [await source.readexactly(length) for length in lengths]

    async def _exit_reason(self) -> str:
        """A sentence from how the process ended."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2):
                await self.process.wait()
        code = self.process.returncode
        if code in {-24, -14, OUT_OF_TIME}:  # SIGXCPU, SIGALRM: the limits of CPU and wall time
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


async def beside_loop(size: int, function: Callable[..., T], *arguments: object) -> T:
    """Packing or unpacking of so many characters: in a thread where that takes its time."""
    return function(*arguments) if size < LARGE else await asyncio.to_thread(function, *arguments)


def _total(parts: Sequence[bytes]) -> int:
    return sum(map(len, parts))


def current_caller() -> str:
    """Whose call this is, as far as it matters who else waits."""
    return current_owner() or ""


def text_length(value: object) -> int:
    """How much text there is in data."""
    return sum(text_lengths(value))


def text_lengths(value: object) -> list[int]:
    """How long each text in data is."""
    lengths: list[int] = []
    left: list[Any] = [value]
    while left:
        each = left.pop()
        if isinstance(each, (str, bytes)):
            lengths.append(len(each))
        elif isinstance(each, (tuple, list)):
            left += [part for part in each if type(part) not in WITHOUT_TEXT]
        elif hasattr(each, "__dataclass_fields__"):
            left += [getattr(each, name) for name in field_names(each.__class__)]
        elif isinstance(each, Mapping):
            left += [*each.keys(), *each.values()]
        elif isinstance(each, Iterable):
            left += each
    return lengths
