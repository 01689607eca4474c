"""The benchmark measures: one tiny round of our own server, and the page that comes of it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from bench import measure_all, report, sample_pages
from bench.measure import Burst, Effort
from bench.plot import plot
from bench.processes import megabytes_without_doubles, resident_megabytes
from bench.rows import Row
from bench.servers import OURS, PEER, ours
from bench.web_server import WebServer

TINY = Effort(starts=1, rounds=1, seconds=0.05, slow_calls=1, in_flight=(2,))
REQUESTS = {
    "web_search, cached, 2 in flight": 0,
    "web_search, uncached, 2 in flight": 1,
    "scrape_page, cached, 2 in flight": 0,
    "scrape_page, uncached, 2 in flight": 1,
    "scrape_page, PDF": 1,
    "search_and_scrape, 200 ms away": 6,
    "search_and_scrape, 200 ms away, the same again": 0,
}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    with WebServer() as upstream:
        over_stdio, _ = ours(upstream.base, tmp_path_factory.mktemp("bench"))
        return asyncio.run(measure_all.run_benchmarks([over_stdio], upstream, TINY))


def figures(rows: list[Row], table: str) -> dict[str, dict[str, float]]:
    return {row.name: dict(row.figures) for row in rows if row.table.startswith(table)}


def test_every_call_is_answered_rightly_and_with_no_request_too_many(rows: list[Row]) -> None:
    assert figures(rows, "Requests") == {name: {OURS: count} for name, count in REQUESTS.items()}
    assert figures(rows, "Calls without") == {name: {OURS: 0} for name in REQUESTS}
    assert figures(rows, "Milliseconds for half")["search_and_scrape, 200 ms away"][OURS] > 400
    assert all(value > 0 for row in rows if row.in_plot for value in row.figures.values())


def test_what_is_done_after_the_answers_is_counted(rows: list[Row]) -> None:
    later = figures(rows, measure_all.WITH_LATER)
    assert set(later) == {name for name, requests in REQUESTS.items() if requests and "web_search" not in name}
    at_once = {row.name: row.figures[OURS] for row in rows if row.table == "Processor milliseconds a call"}
    assert all(later[name][OURS] > at_once[name] * 1.02 for name in later)


def test_the_page_and_the_plot_say_who_is_ahead(rows: list[Row]) -> None:
    twice = [replace(row, figures={**row.figures, PEER: row.figures[OURS] * 2}) for row in rows]
    conditions = report.RunConditions("1", "2", "quick", load=3.0)
    page = report.render_page(twice, conditions)
    behind = page.split("## Where we are behind")[1].split("## ")[0]
    assert "| scrape_page, PDF | Calls a second | ×0.50 | – |" in behind
    assert "Milliseconds" not in behind
    assert "worker process" in behind
    assert "| ×2.00 |" in page
    assert "busy" in page
    drawn = [part.text for part in ElementTree.fromstring(plot(twice, "<title>")).iter() if part.text]
    assert "cold start to tools/list, ms" in drawn
    assert "<title>" in drawn


def test_a_share_of_the_calls_is_answered_within_its_time() -> None:
    burst = Burst(times=[number / 1000 for number in range(100, 0, -1)])
    assert [burst.milliseconds(share) for share in (0.0, 0.5, 0.99)] == [1, 51, 100]


def test_the_made_up_web_has_all_sizes_and_tells_its_pages_apart() -> None:
    pages = [sample_pages.page(number) for number in range(sample_pages.PAGES)]
    assert len({len(page) for page in pages}) > sample_pages.PAGES // 2
    assert 10_000 <= min(map(len, pages)) < max(map(len, pages)) < 260_000
    assert all(page.count(sample_pages.page_mark(number).encode()) == 1 for number, page in enumerate(pages))


TWO_PROCESSES = """
import subprocess, sys
with subprocess.Popen([sys.executable, "-c", "print(1, flush=True); input()"], stdin=0) as child:
    pass
"""


def test_what_processes_share_counts_once_where_it_is_said() -> None:
    """Both have the interpreter's files in memory, which take megabytes."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", TWO_PROCESSES], stdin=pipe, stdout=pipe) as parent:
        assert parent.stdout
        assert parent.stdin
        parent.stdout.readline()
        counted_twice, once = resident_megabytes(parent.pid), megabytes_without_doubles(parent.pid)
        parent.stdin.close()
    assert counted_twice / 2 < once < counted_twice - 1
