"""Renders the page on what was measured: our figures, the peer's, and how they compare."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from bench.cases import FAR, FULL, IDEAL, SCRAPED, VERY_FAR
from bench.measure_all import REST_SECONDS
from bench.rows import EVEN, Row
from bench.sample_pages import SIZES
from bench.servers import OURS, OURS_HTTP, PEER, PEER_HTTP

SMALLEST, LARGEST = SIZES[0] // 1000, SIZES[-1] // 1000
MEANINGS = f"""- **cold start**: from starting the process until its list of tools is there; the programs are in the
  disk cache. The first calls follow at once, which is the worst moment for us: our process answers the list before it
  has loaded its libraries.
- **memory**: resident, of the whole process tree; pages that its processes share count for each of them, but for
  the row that says otherwise: there those of a file count once. *At rest* is {REST_SECONDS} seconds after the start.
- **cached**: the same call again and again. **uncached**: never the same call twice.
- **web_search** asks a SearXNG for {SCRAPED} results.
- **scrape_page** reads made-up pages of four layouts and five languages, about {SMALLEST} to {LARGEST} KB; every answer
  is checked for holding the right page. The **PDF** has four pages. What ours reads it also keeps in its encrypted
  library, as it does by default.
- **{FAR} ms away**: every answer of the web comes so much later.
- **search_and_scrape** searches and reads {SCRAPED} pages, every answer of the web {VERY_FAR} ms late. {IDEAL} ms and
  {SCRAPED + 1} requests are ideal.
- **over HTTP**: each call in flight has a session and a connection of its own, which stays open.
- **processor time**: of the whole process tree, with processes that have ended, up to the last answer. Ours indexes
  pages for its library when no more come for a second: that is in *with what is done after the answers*, which counts
  until a server has had nothing to do for {FULL.quiet} seconds; it is done before the next one's turn."""


COMPILED = """## Compiling the reader

Measured once, on 17 November 2026, on a busy machine, processor time in turns: with `mypyc` on 19 modules of
`pages/html`, the walk over a page, judging, writing and metadata (not the search for hidden text) take 0.89 of the time
on 88 articles and 0.84 on the pages of this benchmark, which is 1.1 to 1.2 times the pace; reading is only a part of an
uncached `scrape_page`, so that a call would gain less. It was to be built from 1.4 times on, and is not.
`Cython` on 50 modules of `pages/html`, without types added, gained nothing on the articles (18 November 2026: 17.3 to
20.2 ms a page against 17.3 to 20.5, in turns)."""

CAUSES = "What ours does in these rows that takes time or room; how much each takes was not measured:"
REASONS = {
    "first": "first calls wait for the libraries they need, which are not loaded before",
    "memory": "Python with its libraries, the cache and the worker for documents are held in memory",
    "web_search, uncached": "a new search is checked, judged and sealed into the encrypted cache",
    "scrape_page, uncached": "a new page goes through a learnt scorer, is judged, and is entered into the library",
    "PDF": "documents are read in a worker process, so that a hostile one cannot harm the server",
}
"""What ours does in a row, by what the row's name holds."""


@dataclass(frozen=True)
class RunConditions:
    """When, where and how it was measured."""

    ours: str
    peer: str
    effort: str
    load: float
    """The load average before the run."""


def render_page(rows: Sequence[Row], conditions: RunConditions) -> str:
    tables = [render_table(name, list(those)) for name, those in groupby(rows, key=lambda row: row.table)]
    return "\n\n".join(
        [
            "# Benchmarks",
            f"Written by `make bench`. Wellsourced {conditions.ours} beside web-researcher-mcp {conditions.peer}, "
            "a server in Go\nfor the same purpose: in one run, taking turns, with a web on loopback.",
            describe_conditions(conditions),
            "![How many times better, by measurement](benchmarks.svg)",
            render_behind(rows),
            "## What the rows mean",
            MEANINGS,
            *tables,
            COMPILED,
        ]
    )


def describe_conditions(conditions: RunConditions) -> str:
    cores, now = os.cpu_count(), datetime.now(UTC)
    machine = f"{cores} cores ({platform.machine()}), {platform.system()}, Python {platform.python_version()}"
    busy = (
        f" The machine was busy with other work (load average {conditions.load:.1f} before the run): the ratios count, "
        "the plain figures are worse than they would be on a machine at rest, and differences of a third may be chance."
        if conditions.load > 0.5
        else ""
    )
    return f"{now:%d %B %Y}, {conditions.effort} run; {machine}.{busy}"


def render_behind(rows: Sequence[Row]) -> str:
    """Where the peer is better, the worst first, and what ours does there."""
    worse = sorted((row for row in rows if row.is_behind), key=lambda row: row.worst)
    if not worse:
        return f"## Where we are behind\n\nNowhere by more than a factor of {EVEN} in this run."
    lines = [
        f"| {row.name} | {row.table} | {format_ratio(row.ratio)} | {format_ratio(row.http_ratio)} |" for row in worse
    ]
    table = ["| | measured | over stdio | over HTTP |", "|---|---|--:|--:|", *lines]
    reasons = [f"- {why}" for part, why in REASONS.items() if any(part in row.name for row in worse)]
    counted = f"{len(worse)} of {len(rows)} rows, by the ratios of the tables below."
    return "\n".join(["## Where we are behind", "", counted, "", *table, "", CAUSES, "", *reasons])


def render_table(name: str, rows: Sequence[Row]) -> str:
    if not any(value for row in rows for value in row.figures.values()):
        return f"## {name}\n\nNone, in any row."
    better = "more" if rows[0].more_is_better else "less"
    head = (
        f"## {name}\n\n{better.capitalize()} is better; the ratio says how many times better ours is than the peer.\n"
    )
    lines = [head, f"| | {PEER} | {OURS} | ratio | {PEER_HTTP} | {OURS_HTTP} | ratio |", f"|---|{'--:|' * 6}"]
    for row in rows:
        figures = {name: format_figure(row.figures.get(name)) for name in (PEER, OURS, PEER_HTTP, OURS_HTTP)}
        cells = (
            *(figures[PEER], figures[OURS], format_ratio(row.ratio)),
            *(figures[PEER_HTTP], figures[OURS_HTTP], format_ratio(row.http_ratio)),
        )
        lines.append(f"| {row.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def format_ratio(ratio: float | None) -> str:
    return f"×{ratio:.2f}" if ratio else "–"


def format_figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
