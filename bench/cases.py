"""What is asked of the servers: the calls, how many at once, and how far away the web is."""

from __future__ import annotations

from dataclasses import replace

from bench.measure import Case, Effort, MakeCall, ToolCall
from bench.sample_pages import RESULTS, page_mark

FAR, VERY_FAR = 100, 200
SCRAPED = 5
NUMBERS_A_CASE = 1_000_000
IDEAL = 2 * VERY_FAR
"""Milliseconds for search_and_scrape: one answer of the search, then all pages side by side."""


FULL = Effort(starts=12, rounds=4, seconds=2.0, slow_calls=5)
QUICK = Effort(starts=5, rounds=2, seconds=0.6, slow_calls=3)


def search(number: int) -> ToolCall:
    query = f"tides in the harbour {number}"
    return ToolCall("web_search", {"query": query, "num_results": SCRAPED}, f"{query}, part {number * RESULTS}")


def search_and_scrape(number: int) -> ToolCall:
    """Both servers give so much text as a link, and say whether every page was read."""
    query = f"wages of masons {number}"
    return ToolCall("search_and_scrape", {"query": query, "num_results": SCRAPED}, r"\"status\":\"complete\"")


def page_at(base: str) -> MakeCall:
    return lambda number: ToolCall("scrape_page", {"url": f"{base}/page/{number}"}, page_mark(number))


def document_at(base: str) -> MakeCall:
    return lambda number: ToolCall("scrape_page", {"url": f"{base}/document/{number}.pdf"}, page_mark(number))


def cases(base: str, effort: Effort) -> list[Case]:
    """In the order of the tables; no two ask for the same pages, but for the one that asks again."""
    page = page_at(base)
    made = [
        Case(
            f"{name}, {'cached' if is_cached else 'uncached'}",
            ask,
            in_flight,
            is_cached=is_cached,
            reads_pages=ask is page and not is_cached,
        )
        for name, ask in (("web_search", search), ("scrape_page", page))
        for is_cached in (True, False)
        for in_flight in effort.in_flight
    ]
    far = Case(f"scrape_page, uncached, {FAR} ms away", page, delay=FAR, reads_pages=True)
    made += [replace(far, in_flight=in_flight) for in_flight in effort.in_flight[1:]]
    made.append(Case("scrape_page, PDF", document_at(base), reads_pages=True))
    slow = Case(f"search_and_scrape, {VERY_FAR} ms away", search_and_scrape, delay=VERY_FAR, reads_pages=True)
    made.append(replace(slow, most_calls=effort.slow_calls, is_counted=True))
    numbered = [replace(case, first=index * NUMBERS_A_CASE) for index, case in enumerate(made, 1)]
    return [*numbered, replace(numbered[-1], name=f"{slow.name}, the same again", reads_pages=False)]
