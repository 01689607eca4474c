"""Reading, searching and verifying from captures alone: of a project, or of a WACZ file on a machine that has nothing
else. Nothing here opens a connection.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from wellsourced.evidence.page_quotation import EXACT, locate_quotation, quotation_part
from wellsourced.pages.attempts import Reading
from wellsourced.pages.excerpt import find_passages, take_excerpt
from wellsourced.pages.page import Page
from wellsourced.pages.read_reply import read_reply
from wellsourced.projects.project import PageCapture, ProjectItem
from wellsourced.projects.wacz_read import WaczFile
from wellsourced.sandbox.pool import WorkerPool
from wellsourced.text.ranking import rank_pieces

PASSAGE_BYTES = 20_000
SEARCHED_BYTES = 3_000
MOST_FOUND = 10
HTML_BYTES = 8 * 1024 * 1024


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


@dataclass(frozen=True, slots=True)
class FoundPassage:
    capture: PageCapture
    text: str
    link: str


@dataclass(frozen=True, slots=True)
class ReplayedQuotation:
    """A quotation of the project, looked for again in its capture; `same_place` where it stands where it stood."""

    item: ProjectItem
    status: str
    same_place: bool

    @property
    def holds(self) -> bool:
        return self.status in EXACT and self.same_place


class Replay:
    def __init__(self, wacz: WaczFile, workers: WorkerPool) -> None:
        self.wacz = wacz
        self.workers = workers

    async def read(self, capture: PageCapture) -> Reading:
        """What was read then; of another tool's capture, what is read of it now."""
        reading = await asyncio.to_thread(self.wacz.reading, capture)
        return reading or await self.read_anew(capture)

    async def read_anew(self, capture: PageCapture) -> Reading:
        """The bytes of a capture, read by this version."""
        reply = await asyncio.to_thread(self.wacz.reply, capture)
        return await read_reply(reply, capture.url, capture.way, self.workers, HTML_BYTES)

    async def search(self, query: str) -> list[FoundPassage]:
        """The best passages of all captures, each page's best ones held against each other."""
        found: list[FoundPassage] = []
        for capture in self.wacz.captures.values():
            if capture.same_as is None:
                page = (await self.read(capture)).page
                part = await self.workers.run(find_passages, page, query, SEARCHED_BYTES)
                found += [FoundPassage(capture, each.text, each.link) for each in part.passages]
        ranked = await asyncio.to_thread(rank_pieces, query, [each.text for each in found])
        order = sorted(range(len(found)), key=lambda n: -ranked[n].score)
        return [found[n] for n in order if ranked[n].is_near][:MOST_FOUND]

    async def quotations(self) -> list[ReplayedQuotation]:
        """Every quotation of the project, found again in its capture."""
        return [await self._quotation(item) for item in self.wacz.items if item.kind == "quote" and item.quote]

    async def _quotation(self, item: ProjectItem) -> ReplayedQuotation:
        page = (await self.read(self.wacz.captures[item.capture or 0])).page
        found = await self.workers.run(locate_quotation, item.quote or "", page)
        return ReplayedQuotation(item, found.status, (found.start, found.end) == (item.start, item.end))
