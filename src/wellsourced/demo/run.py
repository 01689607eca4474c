"""One run of the demo: a sample web, a server on it that a real MCP client asks, and the workbench on the result."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from wellsourced.errors import BadInput, RateLimited, UpstreamUnavailable, WellsourcedError

if TYPE_CHECKING:
    from mcp import Client

    from wellsourced.demo.steps import DemoState, DemoStep

JOB_SECONDS = 120.0
CALL_SECONDS = 30.0
REPORT = "report.md"
STAYS_OPEN = "The sessions and the library of this run can be looked at there until the demo ends."
BUSY = "The demo is running for somebody else just now. It takes a few seconds: start it again when it has ended."
SECONDS_TO_WAIT = 10
OPEN_SECONDS = 1800  # a visitor may leave without closing anything


@dataclass(frozen=True, slots=True)
class ToolExchange:
    """One call of a tool and what came back: its structured content, or the text of its error."""

    tool: str
    arguments: Mapping[str, Any]
    content: Mapping[str, Any] | None = None
    error: str = ""

    def as_json(self) -> dict[str, Any]:
        outcome = {"error": self.error} if self.content is None else {"content": self.content}
        return {"tool": self.tool, "arguments": self.arguments, **outcome}


@dataclass(frozen=True, slots=True)
class DemoEvent:
    """A step of the demo. `address` comes with the last one: the workbench on what was found."""

    step: int
    title: str
    text: str
    address: str | None = None
    exchange: ToolExchange | None = None

    def as_json(self) -> dict[str, Any]:
        """Without the exchange, which may be long, but with the sources that it found: this is for people who watch."""
        payload: dict[str, Any] = {"step": self.step, "title": self.title, "text": self.text}
        payload |= {"address": self.address} if self.address else {}
        return payload | ({"evidence": found} if (found := self._evidence()) else {})

    def _evidence(self) -> dict[str, Any] | None:
        content = self.exchange.content if self.exchange else None
        if not self.exchange or not content or "sources" not in content or "summary" not in content:
            return None
        sources = [{**source, "content": ""} for source in content["sources"]]
        failures = content.get("scrapeFailures", [])
        return {"claim": self.exchange.arguments.get("claim"), "sources": sources, "failures": failures}


class DemoRun:
    """`events` begins and follows it, `close` ends it and takes away everything it made but `report`.

    Without `report` the exported report lies in the run's own folder. `open_for` is how many seconds the workbench on
    the result stays open; with 0 there is none.
    """

    def __init__(self, *, report: Path | None = None, open_for: float = math.inf) -> None:
        self._report = report
        self._open_for = open_for
        self._events: asyncio.Queue[DemoEvent | WellsourcedError | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def events(self) -> AsyncGenerator[DemoEvent, None]:
        """Each step as it is done; raises WellsourcedError where one could not be. To be called once."""
        # Contexts of the client must be left by the task that entered them, which a generator cannot promise.
        self._task = asyncio.create_task(self._run())
        while event := await self._events.get():
            if isinstance(event, WellsourcedError):
                raise event
            yield event

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            async with AsyncExitStack() as stack:
                await self._run_in_folder(stack)
                self._events.put_nowait(None)
                await asyncio.sleep(self._open_for)
        except Exception as problem:  # noqa: BLE001 - the reader of the events waits for one in every case
            self._events.put_nowait(as_demo_error(problem))
        except asyncio.CancelledError:
            self._events.put_nowait(UpstreamUnavailable("The demo was ended before it was done."))
            raise

    async def _run_in_folder(self, stack: AsyncExitStack) -> None:
        from wellsourced.demo.environment import demo_environment
        from wellsourced.demo.sample_web import sample_web
        from wellsourced.demo.steps import STEPS, DemoState
        from wellsourced.demo.workbench import workbench

        folder = Path(stack.enter_context(TemporaryDirectory(prefix="wellsourced-demo-", ignore_cleanup_errors=True)))
        port = await stack.enter_async_context(sample_web())
        environment = demo_environment(folder, port)
        async with asyncio.timeout(JOB_SECONDS):
            state = DemoState(port)
            await self._call_tools(environment, folder, state)
        if self._open_for:
            page = await stack.enter_async_context(workbench(environment, folder))
            address = f"{page}#/sessions?id={state.session}"
            self._events.put_nowait(
                DemoEvent(len(STEPS) + 1, "Look at the result", f"Open {address}\n{STAYS_OPEN}", address)
            )

    async def _call_tools(self, environment: Mapping[str, str], folder: Path, state: DemoState) -> None:
        from mcp import Client, StdioServerParameters

        from wellsourced.demo.steps import STEPS

        server = StdioServerParameters(
            command=sys.executable, args=["-m", "wellsourced"], env=dict(environment), cwd=folder
        )
        async with Client(server, read_timeout_seconds=CALL_SECONDS) as client:
            for number, step in enumerate(STEPS, 1):
                exchange = await call_step(step, state, client)
                content = exchange.content or {}
                state.session = state.session or str(content.get("sessionId", ""))
                note = self._write_report(folder, content) if "document" in content else ""
                self._events.put_nowait(
                    DemoEvent(number, step.title, describe_step(step, exchange) + note, exchange=exchange)
                )

    def _write_report(self, folder: Path, content: Mapping[str, Any]) -> str:
        """Write the report to a file; return the line that says where."""
        report = self._report or folder / REPORT
        try:
            report.write_text(content["document"], "utf-8")
        except OSError as problem:
            raise BadInput(f"The report cannot be written to {report}: {problem.strerror}.") from None
        return f"\nWritten to {report}{'' if self._report else ', which goes when the demo ends'}."


class SharedDemo:
    """The demo for the visitors of a running server: one run at a time.

    The workbench of the last run stays open for half an hour, until the next one begins or `close` is called.
    """

    def __init__(self) -> None:
        self._last: DemoRun | None = None
        self.is_running = False

    async def run(self) -> AsyncGenerator[DemoEvent]:
        """The events of a fresh run. Raises RateLimited while another one is under way."""
        if self.is_running:
            raise RateLimited(BUSY, retry_after=SECONDS_TO_WAIT)
        self.is_running = True
        has_ended = False
        try:
            await self.close()
            self._last = DemoRun(open_for=OPEN_SECONDS)
            async for event in self._last.events():
                yield event
            has_ended = True
        finally:
            self.is_running = False
            if not has_ended:
                await self.close()

    async def close(self) -> None:
        run, self._last = self._last, None
        if run is not None:
            await run.close()


def as_demo_error(problem: BaseException) -> WellsourcedError:
    """Take the error out of the groups that the client's tasks wrap it in."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    if isinstance(problem, WellsourcedError):
        return problem
    return UpstreamUnavailable(f"The demo could not go on ({type(problem).__name__}).", detail=str(problem))


async def call_step(step: DemoStep, state: DemoState, client: Client) -> ToolExchange:
    arguments = dict(step.arguments(state))
    result: Any = await client.call_tool(step.tool, arguments)
    if result.is_error:
        return ToolExchange(step.tool, arguments, error=result.content[0].text)
    return ToolExchange(step.tool, arguments, content=result.structured_content)


def describe_step(step: DemoStep, exchange: ToolExchange) -> str:
    description = step.describe(exchange)
    parts = {
        f"Asked {step.tool}": step.asked,
        "Came back": description.came_back,
        "Noticed": description.noticed,
    }
    return "\n".join(f"{label}: {text}".replace(": \n", ":\n", 1) for label, text in parts.items() if text)
