"""One run of the demo: a sample web, a server on it that a real MCP client asks, and the workbench on the result."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from wellsourced.demo.event import Event, Exchange
from wellsourced.errors import BadInput, UpstreamUnavailable, WellsourcedError

if TYPE_CHECKING:
    from mcp import Client

    from wellsourced.demo.scenes import Scene, Stage

JOB_SECONDS = 120.0
CALL_SECONDS = 30.0
REPORT = "report.md"
STAYS_OPEN = "The sessions and the library of this run can be looked at there until the demo ends."


class DemoRun:
    """`events` begins and follows it, `close` ends it and takes away everything it made but `report`.

    Without `report` the exported report lies in the run's own folder. `open_for` is how many seconds the workbench on
    the result stays open; with 0 there is none.
    """

    def __init__(self, *, report: Path | None = None, open_for: float = math.inf) -> None:
        self._report = report
        self._open_for = open_for
        self._told: asyncio.Queue[Event | WellsourcedError | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def events(self) -> AsyncGenerator[Event, None]:
        """Each step as it is done; raises WellsourcedError where one could not be. To be called once."""
        # Contexts of the client must be left by the task that entered them, which a generator cannot promise.
        self._task = asyncio.create_task(self._perform())
        while told := await self._told.get():
            if isinstance(told, WellsourcedError):
                raise told
            yield told

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _perform(self) -> None:
        try:
            async with AsyncExitStack() as stack:
                await self._job(stack)
                self._told.put_nowait(None)
                await asyncio.sleep(self._open_for)
        except Exception as problem:  # noqa: BLE001 - whoever follows the events must hear of every end
            self._told.put_nowait(as_told(problem))
        except asyncio.CancelledError:
            self._told.put_nowait(UpstreamUnavailable("The demo was ended before it was done."))
            raise

    async def _job(self, stack: AsyncExitStack) -> None:
        from wellsourced.demo.environment import surroundings
        from wellsourced.demo.sample_web import sample_web
        from wellsourced.demo.scenes import SCENES, Stage
        from wellsourced.demo.workbench import workbench

        folder = Path(stack.enter_context(TemporaryDirectory(prefix="wellsourced-demo-", ignore_cleanup_errors=True)))
        port = await stack.enter_async_context(sample_web())
        environment = surroundings(folder, port)
        async with asyncio.timeout(JOB_SECONDS):
            await self._research(environment, folder, Stage(port))
        if self._open_for:
            address = await stack.enter_async_context(workbench(environment, folder))
            self._tell(Event(len(SCENES) + 1, "Look at the result", f"Open {address}\n{STAYS_OPEN}", address))

    async def _research(self, environment: Mapping[str, str], folder: Path, stage: Stage) -> None:
        from mcp import Client, StdioServerParameters

        from wellsourced.demo.scenes import SCENES

        server = StdioServerParameters(
            command=sys.executable, args=["-m", "wellsourced"], env=dict(environment), cwd=folder
        )
        async with Client(server, read_timeout_seconds=CALL_SECONDS) as client:
            for number, scene in enumerate(SCENES, 1):
                exchange = await play(scene, stage, client)
                content = exchange.content or {}
                stage.session = stage.session or str(content.get("sessionId", ""))
                more = self._keep(folder, content) if "document" in content else ""
                self._tell(Event(number, scene.title, narrated(scene, exchange) + more, exchange=exchange))

    def _keep(self, folder: Path, content: Mapping[str, Any]) -> str:
        """The report as a file; gives the line that says where."""
        report = self._report or folder / REPORT
        try:
            report.write_text(content["document"], "utf-8")
        except OSError as problem:
            raise BadInput(f"The report cannot be written to {report}: {problem.strerror}.") from None
        return f"\nWritten to {report}{'' if self._report else ', which goes when the demo ends'}."

    def _tell(self, event: Event) -> None:
        self._told.put_nowait(event)


def as_told(problem: BaseException) -> WellsourcedError:
    """What went wrong, taken out of the groups that the client's tasks wrap it in."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    if isinstance(problem, WellsourcedError):
        return problem
    return UpstreamUnavailable(f"The demo could not go on ({type(problem).__name__}).", detail=str(problem))


async def play(scene: Scene, stage: Stage, client: Client) -> Exchange:
    arguments = dict(scene.arguments(stage))
    result: Any = await client.call_tool(scene.tool, arguments)
    if result.is_error:
        return Exchange(scene.tool, arguments, error=result.content[0].text)
    return Exchange(scene.tool, arguments, content=result.structured_content)


def narrated(scene: Scene, exchange: Exchange) -> str:
    told = scene.tell(exchange)
    parts = {f"Asked {scene.tool}": scene.asked, "Came back": told.came_back, "Noticed": told.noticed}
    return "\n".join(f"{label}: {text}".replace(": \n", ":\n", 1) for label, text in parts.items() if text)
