"""One run: all servers through all cases, told as rows."""

from __future__ import annotations

import asyncio
import statistics
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager

from bench.cases import Effort, cases, document_at, page_at, search
from bench.contestants import OURS_HTTP, Contestant
from bench.conversation import Conversation
from bench.measure import Burst, Case, Start, in_turn, measure, start_once
from bench.processes import resident_megabytes
from bench.rows import Row
from bench.upstream import Upstream

REST_SECONDS = 1.5
START = "Start and memory"
TABLES: tuple[tuple[str, bool, Callable[[Burst], float]], ...] = (
    ("Calls a second", True, lambda burst: burst.calls / burst.seconds),
    ("Milliseconds for half of the calls (p50)", False, lambda burst: burst.milliseconds(0.5)),
    ("Milliseconds for all but one in a hundred (p99)", False, lambda burst: burst.milliseconds(0.99)),
    ("Processor milliseconds a call", False, lambda burst: burst.processor * 1000 / burst.calls),
    ("Requests to the web a call", False, lambda burst: burst.requests / burst.calls),
    ("Calls without the right answer", False, lambda burst: float(burst.wrong)),
)
PLOTTED = {TABLES[0][0]: 64, TABLES[1][0]: 1, TABLES[3][0]: 16}
"""The tables that are drawn, and with how many calls in flight."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def run(contestants: Sequence[Contestant], upstream: Upstream, effort: Effort) -> list[Row]:
    started = await measure_starts([one for one in contestants if one.name != OURS_HTTP], upstream, effort)
    async with conversing(contestants) as conversations:
        await asyncio.sleep(REST_SECONDS)
        at_rest = memory_of(conversations)
        rows: list[Row] = []
        for case in cases(upstream.base, effort):
            results = await measure(case, conversations, effort.rounds, effort.seconds, upstream)
            rows += call_rows(case, results)
            say(f"{label(case)}: " + ", ".join(f"{name} {b.calls / b.seconds:,.1f}/s" for name, b in results.items()))
        after = memory_of(conversations)
    rows.sort(key=lambda row: [name for name, _, _ in TABLES].index(row.table))
    return [
        *start_rows(started),
        Row(START, "memory at rest, MiB", at_rest, in_plot=True),
        Row(START, "memory after all calls, MiB", after, in_plot=True),
        *rows,
    ]


@asynccontextmanager
async def conversing(contestants: Sequence[Contestant]) -> AsyncIterator[dict[str, Conversation]]:
    open_ones: dict[str, Conversation] = {}
    try:
        for contestant in contestants:
            open_ones[contestant.name] = await contestant.start()
        yield open_ones
    finally:
        for conversation in open_ones.values():
            await conversation.close()


def memory_of(conversations: Mapping[str, Conversation]) -> dict[str, float]:
    return {name: resident_megabytes(conversation.process) for name, conversation in conversations.items()}


async def measure_starts(
    contestants: Sequence[Contestant], upstream: Upstream, effort: Effort
) -> dict[str, list[Start]]:
    """The first round is left out: it reads the programs from disk."""
    starts: dict[str, list[Start]] = {contestant.name: [] for contestant in contestants}
    for turn in range(effort.starts + 1):
        for contestant in in_turn(contestants, turn):
            questions = [ask(turn) for ask in (search, page_at(upstream.base), document_at(upstream.base))]
            started = await start_once(contestant, *questions)
            if turn:
                starts[contestant.name].append(started)
    say("starts: " + ", ".join(f"{name} {middle(starts[name], lambda s: s.listed):.0f} ms" for name in starts))
    return starts


def middle(starts: Sequence[Start], pick: Callable[[Start], float]) -> float:
    return statistics.median(map(pick, starts))


def start_rows(starts: Mapping[str, Sequence[Start]]) -> Iterator[Row]:
    picks: dict[str, Callable[[Start], float]] = {
        "cold start to tools/list, ms": lambda start: start.listed,
        "processor time of it, ms": lambda start: start.processor,
        "first web_search at once, ms": lambda start: start.first_search,
        "then the first scrape_page, ms": lambda start: start.first_page,
        "then the first PDF, ms": lambda start: start.first_document,
        "memory after tools/list, MiB": lambda start: start.memory,
    }
    for name, pick in picks.items():
        yield Row(START, name, {who: middle(those, pick) for who, those in starts.items()}, in_plot=True)


def label(case: Case) -> str:
    return f"{case.name}, {case.in_flight} in flight" if case.in_flight > 1 else case.name


def call_rows(case: Case, results: Mapping[str, Burst]) -> Iterator[Row]:
    for table, more_is_better, pick in TABLES:
        figures = {name: pick(burst) for name, burst in results.items()}
        yield Row(table, label(case), figures, more_is_better, PLOTTED.get(table) == case.in_flight)
