"""What is added to papers that were found: free copies by Unpaywall, and what Crossref knows against them.

Both side by side, a few at a time, within a limit of time. A paper that could not be checked is counted, because "no
retraction known" and "not looked at" are different things.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from wellsourced.net.concurrency import gather_with_limit
from wellsourced.scholarly.doi_services import CROSSREF, DoiServices
from wellsourced.scholarly.paper_filters import graver_notice
from wellsourced.upstreams.types.paper import Paper

AT_ONCE = 8
# Extras of an answer that is already complete: they may delay it only a little.
COPY_SECONDS = 6.0
INTEGRITY_SECONDS = 8.0
# Providers whose records already hold all that Crossref knows against a work.
SAYS_ITSELF = frozenset({CROSSREF})


@dataclass(frozen=True, slots=True)
class CheckedPapers:
    papers: list[Paper]
    unchecked: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        if not self.unchecked:
            return ()
        whom = "one paper" if self.unchecked == 1 else f"{self.unchecked} papers"
        return (f"Whether {whom} was retracted could not be checked with Crossref in time.",)


class PaperChecks:
    def __init__(self, services: DoiServices) -> None:
        self._services = services

    async def with_copies(self, papers: Sequence[Paper], deadline: float) -> list[Paper]:
        """Papers with a DOI and no PDF get the free one that Unpaywall knows; an address that is there stays."""
        limit = min(deadline, time.monotonic() + COPY_SECONDS)
        lacking = [paper for paper in papers if paper.doi and not paper.pdf_url]
        completed = await gather_with_limit(
            lacking, lambda paper: self._with_copy(paper, limit), at_once=AT_ONCE, deadline=limit
        )
        done = papers_by_doi(completed)
        return [done.get(paper.doi, paper) for paper in papers]

    async def with_integrity(self, papers: Sequence[Paper], deadline: float) -> CheckedPapers:
        limit = min(deadline, time.monotonic() + INTEGRITY_SECONDS)
        asked = [paper for paper in papers if paper.doi and paper.source not in SAYS_ITSELF]
        await self._services.fetch_registered([paper.doi for paper in asked if paper.doi], limit)
        completed = await gather_with_limit(
            asked, lambda paper: self._with_integrity(paper, limit), at_once=AT_ONCE, deadline=limit
        )
        done = papers_by_doi(completed)
        unchecked = sum(1 for paper in asked if paper.doi not in done and not paper.retraction)
        return CheckedPapers([done.get(paper.doi, paper) for paper in papers], unchecked)

    async def _with_copy(self, paper: Paper, deadline: float) -> Paper | None:
        result = await self._services.find_unpaywall_copy(paper.doi or "", deadline)
        copy = result.value
        if copy is None:
            return None
        is_open = True if copy.is_open else paper.open_access or False
        return replace(paper, pdf_url=copy.pdf_url, open_access=is_open)

    async def _with_integrity(self, paper: Paper, deadline: float) -> Paper | None:
        """None when it could not be asked; a DOI that Crossref says it does not have leaves the paper as it is."""
        result = await self._services.find_listed_notice(paper.doi or "", deadline)
        if not result.is_known:
            return paper if result.sources else None
        return replace(paper, retraction=graver_notice(result.value, paper.retraction))


def papers_by_doi(papers: Sequence[Paper | None]) -> dict[str | None, Paper]:
    return {paper.doi: paper for paper in papers if paper and paper.doi}
