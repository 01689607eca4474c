"""Runs all servers through all cases and returns the figures as rows."""

from __future__ import annotations

import asyncio
import statistics
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager

from bench.cases import cases, document_at, page_at, search
from bench.connection import ServerConnection
from bench.measure import Burst, Case, Effort, Start, measure, rotate, start_once
from bench.processes import megabytes_without_doubles, resident_megabytes
from bench.rows import Row
from bench.servers import MeasuredServer
from bench.web_server import WebServer

REST_SECONDS = 1.5
START = "Start and memory"
WITH_LATER = "Processor milliseconds a call, with what is done after the answers"
TABLES: tuple[tuple[str, bool, Callable[[Burst], float]], ...] = (
    ("Calls a second", True, lambda burst: burst.calls / burst.seconds),
    ("Milliseconds for half of the calls (p50)", False, lambda burst: burst.milliseconds(0.5)),
    ("Milliseconds for all but one in a hundred (p99)", False, lambda burst: burst.milliseconds(0.99)),
    ("Processor milliseconds a call", False, lambda burst: burst.processor * 1000 / burst.calls),
    (WITH_LATER, False, lambda burst: (burst.processor + burst.later) * 1000 / burst.calls),
    ("Requests to the web a call", False, lambda burst: burst.requests / burst.calls),
    ("Calls without the right answer", False, lambda burst: float(burst.wrong)),
)
PLOTTED = {TABLES[0][0]: 64, TABLES[1][0]: 1, TABLES[3][0]: 16}
"""The tables that are drawn, and with how many calls in flight."""


def print_progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def run_benchmarks(servers: Sequence[MeasuredServer], upstream: WebServer, effort: Effort) -> list[Row]:
    started = await measure_starts([one for one in servers if not one.is_http], upstream, effort)
    async with open_connections(servers) as connections:
        await asyncio.sleep(REST_SECONDS)
        at_rest = memory_of(connections, resident_megabytes)
        rows: list[Row] = []
        for case in cases(upstream.base, effort):
            results = await measure(case, connections, effort, upstream)
            rows += call_rows(case, results)
            print_progress(
                f"{label(case)}: " + ", ".join(f"{name} {b.calls / b.seconds:,.1f}/s" for name, b in results.items())
            )
        after = memory_of(connections, resident_megabytes)
        after_without_doubles = memory_of(connections, megabytes_without_doubles)
    rows.sort(key=lambda row: [name for name, _, _ in TABLES].index(row.table))
    return [
        *start_rows(started),
        Row(START, "memory at rest, MiB", at_rest, in_plot=True),
        Row(START, "memory after all calls, MiB", after, in_plot=True),
        Row(START, "memory after all calls, shared pages once, MiB", after_without_doubles),
        *rows,
    ]


@asynccontextmanager
async def open_connections(servers: Sequence[MeasuredServer]) -> AsyncIterator[dict[str, ServerConnection]]:
    open_ones: dict[str, ServerConnection] = {}
    try:
        for server in servers:
            open_ones[server.name] = await server.start()
        yield open_ones
    finally:
        for connection in open_ones.values():
            await connection.close()


def memory_of(connections: Mapping[str, ServerConnection], count: Callable[[int], float]) -> dict[str, float]:
    return {name: count(connection.process) for name, connection in connections.items()}


async def measure_starts(
    servers: Sequence[MeasuredServer], upstream: WebServer, effort: Effort
) -> dict[str, list[Start]]:
    """The first round is left out: it reads the programs from disk."""
    starts: dict[str, list[Start]] = {server.name: [] for server in servers}
    for turn in range(effort.starts + 1):
        for server in rotate(servers, turn):
            calls = [ask(turn) for ask in (search, page_at(upstream.base), document_at(upstream.base))]
            started = await start_once(server, *calls)
            if turn:
                starts[server.name].append(started)
    print_progress(
        "starts: " + ", ".join(f"{name} {median_of(starts[name], lambda s: s.listed):.0f} ms" for name in starts)
    )
    return starts


def median_of(starts: Sequence[Start], pick: Callable[[Start], float]) -> float:
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
        yield Row(START, name, {who: median_of(those, pick) for who, those in starts.items()}, in_plot=True)


def label(case: Case) -> str:
    return f"{case.name}, {case.in_flight} in flight" if case.in_flight > 1 else case.name


def call_rows(case: Case, results: Mapping[str, Burst]) -> Iterator[Row]:
    for table, more_is_better, pick in TABLES:
        if table == WITH_LATER and not case.reads_pages:
            continue
        figures = {name: pick(burst) for name, burst in results.items()}
        yield Row(table, label(case), figures, more_is_better, PLOTTED.get(table) == case.in_flight)
