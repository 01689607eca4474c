"""The measuring itself: a burst of calls at one server, a start, and how the servers take turns."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from bench.contestants import Contestant
from bench.conversation import Conversation, Failed, OverStdio, is_error
from bench.processes import processor_seconds, resident_megabytes
from bench.upstream import Upstream

T = TypeVar("T")

WARMING_SECONDS = 30.0


@dataclass(frozen=True)
class Question:
    """A call, and what its answer must hold."""

    tool: str
    arguments: Mapping[str, Any]
    expected: str


Ask = Callable[[int], Question]


@dataclass(frozen=True)
class Case:
    """Calls of one kind, so many in flight, the web so far away."""

    name: str
    ask: Ask
    in_flight: int = 1
    delay: float = 0
    first: int = 0
    is_cached: bool = False
    most_calls: int = 5000
    is_counted: bool = False
    """Its bursts are of exactly `most_calls`, however long that takes."""

    def questions(self, turn: int) -> Iterator[Question]:
        """A cached case asks the same again and again; the others nothing twice, and the same of every server."""
        for number in range(self.most_calls):
            yield self.ask(self.first if self.is_cached else self.first + turn * self.most_calls + number)


@dataclass
class Burst:
    """What one or more bursts of the same calls came to."""

    seconds: float = 0
    processor: float = 0
    requests: int = 0
    wrong: int = 0
    times: list[float] = field(default_factory=list)

    @property
    def calls(self) -> int:
        return max(len(self.times), 1)

    def add(self, other: Burst) -> None:
        self.seconds += other.seconds
        self.processor += other.processor
        self.requests += other.requests
        self.wrong += other.wrong
        self.times += other.times

    def milliseconds(self, share: float) -> float:
        """The time within which this share of the calls was answered."""
        ordered = sorted(self.times) or [float("nan")]
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)] * 1000


async def burst(
    conversation: Conversation, case: Case, questions: Iterator[Question], seconds: float, upstream: Upstream
) -> Burst:
    """As many askers as calls may be in flight, each asking the next when it has its answer."""
    done = Burst(requests=-upstream.requests(), processor=-processor_seconds(conversation.process))
    begin = time.perf_counter()

    async def asker() -> None:
        while time.perf_counter() - begin < seconds and (question := next(questions, None)):
            asked = time.perf_counter()
            done.wrong += not await is_right(conversation, question)
            done.times.append(time.perf_counter() - asked)

    await asyncio.gather(*(asker() for _ in range(case.in_flight)))
    done.seconds = time.perf_counter() - begin
    done.processor += processor_seconds(conversation.process)
    done.requests += upstream.requests()
    return done


async def is_right(conversation: Conversation, question: Question) -> bool:
    try:
        answer = await conversation.call(question.tool, question.arguments)
    except Failed:
        return False
    return question.expected.encode() in answer and not is_error(answer)


async def measure(
    case: Case, conversations: Mapping[str, Conversation], rounds: int, seconds: float, upstream: Upstream
) -> dict[str, Burst]:
    """The servers take turns, in an order that changes, so that a busy moment of the machine falls on all alike.

    Each is warm when it begins: what the first calls of a process cost is told by its start.
    """
    results = {name: Burst() for name in conversations}
    for conversation in conversations.values():
        warming = islice(case.questions(rounds), case.in_flight)
        await burst(conversation, case, warming, WARMING_SECONDS, upstream)
    upstream.delay(case.delay)
    limit = math.inf if case.is_counted else seconds
    for turn in range(rounds):
        for name in in_turn(list(conversations), turn):
            results[name].add(await burst(conversations[name], case, case.questions(turn), limit, upstream))
    upstream.delay(0)
    return results


def in_turn(things: Sequence[T], turn: int) -> Iterable[T]:
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


async def start_once(contestant: Contestant, search: Question, page: Question, document: Question) -> Start:
    begin = time.perf_counter()
    conversation = await OverStdio.start(contestant.command, contestant.environment)
    await conversation.ask("tools/list", {})
    listed = time.perf_counter() - begin
    try:
        return Start(
            listed=listed * 1000,
            processor=processor_seconds(conversation.process) * 1000,
            memory=resident_megabytes(conversation.process),
            first_search=await timed(conversation, search),
            first_page=await timed(conversation, page),
            first_document=await timed(conversation, document),
        )
    finally:
        await conversation.close()


async def timed(conversation: Conversation, question: Question) -> float:
    asked = time.perf_counter()
    if not await is_right(conversation, question):
        raise Failed(f"{question.tool} got a wrong answer from a server that was just started")
    return (time.perf_counter() - asked) * 1000
