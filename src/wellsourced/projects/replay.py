"""Reading, searching and verifying from a capture alone."""

from __future__ import annotations

from typing import Any

from wellsourced.evidence.page_quotation import locate_quotation, quotation_part
from wellsourced.pages.excerpt import take_excerpt
from wellsourced.pages.page import Page
from wellsourced.sandbox.pool import WorkerPool

PASSAGE_BYTES = 20_000


async def look_into(workers: WorkerPool, page: Page, *, query: str = "", quote: str = "") -> dict[str, Any]:
    """The passages of a page on a query, and where words stand in it; as JSON, and only what was asked for."""
    seen: dict[str, Any] = {}
    if query:
        part = await workers.run(take_excerpt, page, PASSAGE_BYTES, 0, None, query)
        seen["passages"] = [{"text": each.text, "link": each.link} for each in part.passages]
    if quote:
        found = quotation_part(await workers.run(locate_quotation, quote, page))
        seen["quotation"] = found.model_dump(by_alias=True, exclude_none=True)
    return seen
