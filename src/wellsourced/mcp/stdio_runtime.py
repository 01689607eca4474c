"""The event loop behind stdio: a thread that holds the application and runs calls concurrently."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from wellsourced.mcp.json_rpc import (
    INTERNAL_ERROR,
    ProtocolError,
    RpcMessage,
    encode,
    error_line,
    meta_of,
    notification_line,
    result_line,
)
from wellsourced.mcp.server_info import META_SERVER_INFO, SERVER_INFO, envelope
from wellsourced.process import serve_many

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from wellsourced.mcp.dispatcher import Dispatcher
    from wellsourced.mcp.json_rpc import RequestId
    from wellsourced.mcp.listings import Listings
    from wellsourced.mcp.stdio import StdoutLines

DRAIN_SECONDS = 125.0
LOADING_SECONDS = 5.0
"""How long calls that came before anything was loaded have the processor to themselves."""
QUIET_SECONDS = 0.2


class StdioRuntime:
    """Starts at once and is ready a moment later; messages that arrive in between wait in a backlog."""

    def __init__(self, stdout: StdoutLines, listings: Listings, *, is_asked: bool = False) -> None:
        self._stdout = stdout
        self._listings = listings
        self._is_asked = is_asked
        self._lock = threading.Lock()
        self._backlog: list[RpcMessage] = []
        self._missing = ""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._input_ended = threading.Event()
        self._ended = threading.Event()
        self._stopping: asyncio.Event | None = None
        self._tasks: dict[asyncio.Task[None], RequestId] = {}
        serve_many()
        self._thread = threading.Thread(target=self._run, name="runtime", daemon=True)
        self._thread.start()

    def submit(self, message: RpcMessage) -> None:
        if self._missing:
            self._answer_missing(message)
            return
        with self._lock:
            if self._loop is None:
                self._backlog.append(message)
                return
        if threading.current_thread() is self._thread:
            self._receive(message)
        else:
            self._loop.call_soon_threadsafe(self._receive, message)

    def read_on(self, pipe: int | None, read: Callable[[], bool]) -> bool:
        """Have the event loop read from now on, and return when all is over; False where it cannot, or not yet."""
        with self._lock:
            loop = self._loop
        if loop is None or pipe is None or not isinstance(loop, asyncio.SelectorEventLoop):
            return False

        def read_ready() -> None:
            if not read():
                loop.remove_reader(pipe)
                self._input_ended.set()

        loop.call_soon_threadsafe(loop.add_reader, pipe, read_ready)
        self._input_ended.wait()
        self.finish()
        return True

    def finish(self) -> None:
        """Answer what is in flight, then end."""
        if self._ended.is_set():
            return
        self.submit(STOP)
        self._ended.wait(DRAIN_SECONDS)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except ImportError as problem:
            self._refuse(problem)
        finally:
            self._ended.set()
            self._input_ended.set()

    def _refuse(self, problem: ImportError) -> None:
        """A package is missing, without which no call can be answered: say so to each."""
        from wellsourced.missing_package import sentence_about

        sentence = sentence_about(problem) or "Wellsourced is not installed as a whole."
        sys.stderr.write(f"wellsourced: {sentence} ({problem.msg})\n")
        with self._lock:
            self._missing, waiting = sentence, self._backlog
        for message in waiting:
            self._answer_missing(message)

    def _answer_missing(self, message: RpcMessage) -> None:
        if message.is_request:
            self._stdout.write_line(error_line(ProtocolError(INTERNAL_ERROR, self._missing, id=message.id)))

    async def _serve(self) -> None:
        gc.disable()  # nothing of what is loaded is garbage, and looking for it takes an eighth of the time
        worker = await self._first_worker()
        from wellsourced.load_libraries import load_pydantic

        load_pydantic()
        from wellsourced.log import open_app_with_log
        from wellsourced.mcp.dispatcher import Dispatcher

        app = open_app_with_log()
        app.services.first_worker = worker
        for problem in (*app.problems, *self._listings.problems):
            sys.stderr.write(f"wellsourced: {problem}\n")
        self._dispatcher = Dispatcher(app, self._listings)
        self._stopping = asyncio.Event()
        with self._lock:
            self._loop = asyncio.get_running_loop()
            waiting, self._backlog = self._backlog, []
        for message in waiting:
            self._receive(message)
        await self._wait_for_quiet()
        self._dispatcher.get_ready()
        await self._stopping.wait()
        while self._tasks and not self._stdout.is_broken:
            await asyncio.wait(self._tasks, timeout=1)
        await app.close()

    async def _first_worker(self) -> Process | None:
        """Where a call waits already, on another processor: what the first page needs is loaded there meanwhile."""
        if not self._is_asked or (os.cpu_count() or 1) < 2:
            return None
        from wellsourced.errors import WellsourcedError
        from wellsourced.sandbox import READY_FOR_PAGES
        from wellsourced.sandbox.start import MEMORY_BYTES, start_process

        with suppress(WellsourcedError):
            return await start_process(MEMORY_BYTES, READY_FOR_PAGES)
        return None

    async def _wait_for_quiet(self) -> None:
        """What has been asked for is loaded first, and alone; so is what is asked for right after it."""
        until = time.monotonic() + LOADING_SECONDS
        while self._tasks and time.monotonic() < until:
            await asyncio.wait(self._tasks, timeout=LOADING_SECONDS)
            await asyncio.sleep(QUIET_SECONDS)

    def _receive(self, message: RpcMessage) -> None:
        if message is STOP:
            assert self._stopping is not None
            self._stopping.set()
        elif message.is_request:
            task = asyncio.create_task(self._answer(message))
            self._tasks[task] = message.id
            task.add_done_callback(self._tasks.pop)
        else:
            self._cancel(message.params.get("requestId"))

    def _cancel(self, wanted: object) -> None:
        """Cancel the call with this id, which may be any JSON. Types are compared, too: to Python true equals 1."""
        for task, id in self._tasks.items():
            if type(id) is type(wanted) and id == wanted:
                task.cancel()

    async def _answer(self, message: RpcMessage) -> None:
        try:
            line = result_line(message.id, await self._result(self._dispatcher, message))
        except ProtocolError as error:
            error.id = message.id
            line = error_line(error)
        except asyncio.CancelledError:
            return
        except Exception:  # noqa: BLE001 - nothing may take the loop down or leave as a traceback
            line = error_line(ProtocolError(INTERNAL_ERROR, "Internal error", id=message.id))
        self._stdout.write_line(line)

    async def _result(self, dispatcher: Dispatcher, message: RpcMessage) -> bytes:
        if message.method == "tools/call":
            answer = await dispatcher.call_tool(message.params, progress=self._progress(message))
            stamp = {META_SERVER_INFO: SERVER_INFO} if message.is_modern else {}
            return await answer.encoded_result(stamp, "complete" if message.is_modern else None)
        result = await dispatcher.handle(message.method, message.params, is_modern=message.is_modern)
        return encode({**result, **envelope(message.method)} if message.is_modern else result)

    def _progress(self, message: RpcMessage) -> Callable[[float, float | None, str], Awaitable[None]] | None:
        """A function that reports progress to the client; None where the request has no progress token."""
        token = meta_of(message.params).get("progressToken")
        if not isinstance(token, (str, int)) or isinstance(token, bool):
            return None

        async def report(done: float, total: float | None, text: str) -> None:
            params: dict[str, Any] = {"progressToken": token, "progress": done, "message": text}
            if total is not None:
                params["total"] = total
            self._stdout.write_line(notification_line("notifications/progress", params))

        return report


STOP = RpcMessage("", {}, None, is_request=False)
