"""The measuring itself: a burst of calls at one server, a start, and how the servers take turns."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from bench.connection import ServerConnection, ServerFailed, StdioConnection, is_error
from bench.processes import processor_seconds, resident_megabytes
from bench.servers import MeasuredServer
from bench.web_server import WebServer

T = TypeVar("T")

WARMING_SECONDS = 30.0
LOOK_SECONDS, IDLE_SHARE = 0.25, 0.02
"""How often it is looked whether a server still works; one that takes less than this of a processor is at rest."""
LONGEST_REST = 20.0


@dataclass(frozen=True)
class ToolCall:
    """A call, and what its answer must hold."""

    tool: str
    arguments: Mapping[str, Any]
    expected: str


MakeCall = Callable[[int], ToolCall]


@dataclass(frozen=True)
class Case:
    """Calls of one kind, so many in flight, the web so far away."""

    name: str
    make_call: MakeCall
    in_flight: int = 1
    delay: float = 0
    first: int = 0
    is_cached: bool = False
    most_calls: int = 5000
    is_counted: bool = False
    """Its bursts are of exactly `most_calls`, however long that takes."""
    reads_pages: bool = False
    """A server may put off a part of the work until it is left alone."""

    def calls(self, turn: int) -> Iterator[ToolCall]:
        """A cached case asks the same again and again; the others nothing twice, and the same of every server."""
        for number in range(self.most_calls):
            yield self.make_call(self.first if self.is_cached else self.first + turn * self.most_calls + number)


@dataclass(frozen=True)
class Effort:
    """How long the measuring may take."""

    starts: int
    rounds: int
    seconds: float
    slow_calls: int
    """Calls of search_and_scrape in a round."""
    in_flight: tuple[int, ...] = (1, 16, 64)
    quiet: float = 1.5
    """Seconds without work after which a server is taken to have nothing left to do."""


@dataclass
class Burst:
    """What one or more bursts of the same calls came to."""

    seconds: float = 0
    processor: float = 0
    later: float = 0
    """Processor seconds after the last answer."""
    requests: int = 0
    wrong: int = 0
    times: list[float] = field(default_factory=list)

    @property
    def calls(self) -> int:
        return max(len(self.times), 1)

    def add(self, other: Burst) -> None:
        self.seconds += other.seconds
        self.processor += other.processor
        self.later += other.later
        self.requests += other.requests
        self.wrong += other.wrong
        self.times += other.times

    def milliseconds(self, share: float) -> float:
        """The time within which this share of the calls was answered."""
        ordered = sorted(self.times) or [float("nan")]
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)] * 1000


async def burst(
    connection: ServerConnection, case: Case, calls: Iterator[ToolCall], seconds: float, upstream: WebServer
) -> Burst:
    """As many askers as calls may be in flight, each asking the next when it has its answer."""
    done = Burst(requests=-upstream.requests(), processor=-processor_seconds(connection.process))
    begin = time.perf_counter()

    async def asker() -> None:
        while time.perf_counter() - begin < seconds and (call := next(calls, None)):
            asked = time.perf_counter()
            done.wrong += not await is_answered_correctly(connection, call)
            done.times.append(time.perf_counter() - asked)

    await asyncio.gather(*(asker() for _ in range(case.in_flight)))
    done.seconds = time.perf_counter() - begin
    done.processor += processor_seconds(connection.process)
    done.requests += upstream.requests()
    return done


async def rest(connection: ServerConnection, quiet: float) -> float:
    """Wait until a server has had nothing to do for so long; the processor seconds that it took before."""
    begin, spent = time.perf_counter(), processor_seconds(connection.process)
    worked, before = begin, spent
    while (now := time.perf_counter()) - worked < quiet and now - begin < LONGEST_REST:
        await asyncio.sleep(LOOK_SECONDS)
        if (after := processor_seconds(connection.process)) - before > IDLE_SHARE * LOOK_SECONDS:
            worked = time.perf_counter()
        before = after
    return before - spent


async def is_answered_correctly(connection: ServerConnection, call: ToolCall) -> bool:
    try:
        answer = await connection.call(call.tool, call.arguments)
    except ServerFailed:
        return False
    return call.expected.encode() in answer and not is_error(answer)


async def measure(
    case: Case, connections: Mapping[str, ServerConnection], effort: Effort, upstream: WebServer
) -> dict[str, Burst]:
    """The servers take turns, in an order that changes, so that a busy moment of the machine falls on all alike.

    Each is warm when it begins: what the first calls of a process cost is told by its start. What one has put off is
    done before it is the next one's turn.
    """
    results = {name: Burst() for name in connections}
    for connection in connections.values():
        warming = islice(case.calls(effort.rounds), case.in_flight)
        await burst(connection, case, warming, WARMING_SECONDS, upstream)
        if case.reads_pages:
            await rest(connection, effort.quiet)
    upstream.delay(case.delay)
    limit = math.inf if case.is_counted else effort.seconds
    for turn in range(effort.rounds):
        for name in rotate(list(connections), turn):
            results[name].add(await burst(connections[name], case, case.calls(turn), limit, upstream))
            if case.reads_pages:
                results[name].later += await rest(connections[name], effort.quiet)
    upstream.delay(0)
    return results


def rotate(things: Sequence[T], turn: int) -> Iterable[T]:
    start = turn % len(things)
    return [*things[start:], *things[:start]]


@dataclass(frozen=True)
class Start:
    """A process from nothing to its list of tools and its first calls: milliseconds, and megabytes before them."""

    listed: float
    processor: float
    memory: float
    first_search: float
    first_page: float
    first_document: float


async def start_once(server: MeasuredServer, search: ToolCall, page: ToolCall, document: ToolCall) -> Start:
    begin = time.perf_counter()
    connection = await StdioConnection.start(server.command, server.environment)
    await connection.ask("tools/list", {})
    listed = time.perf_counter() - begin
    try:
        return Start(
            listed=listed * 1000,
            processor=processor_seconds(connection.process) * 1000,
            memory=resident_megabytes(connection.process),
            first_search=await time_call(connection, search),
            first_page=await time_call(connection, page),
            first_document=await time_call(connection, document),
        )
    finally:
        await connection.close()


async def time_call(connection: ServerConnection, call: ToolCall) -> float:
    asked = time.perf_counter()
    if not await is_answered_correctly(connection, call):
        raise ServerFailed(f"{call.tool} got a wrong answer from a server that was just started")
    return (time.perf_counter() - asked) * 1000
