"""What stands against a work, from everybody who could know: Crossref, OpenAlex, PubMed, and the title itself.

Crossref's record already holds what Crossref knows, so a work that was looked up there is not asked for again.
"""

from __future__ import annotations

from wellsourced.citations.paper_reference import marked_in_title
from wellsourced.errors import WellsourcedError
from wellsourced.scholarly.doi_services import FLAGS, REGISTER
from wellsourced.scholarly.finding import Finding
from wellsourced.scholarly.papers import Papers
from wellsourced.scholarly.record_cache import PAPER, Keeper
from wellsourced.scholarly.works import graver
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.paper import Integrity, Paper, PaperId

KNOWS_BY_ITSELF = frozenset({REGISTER, "pubmed"})


class Against:
    def __init__(self, papers: Papers, keeper: Keeper) -> None:
        self._papers = papers
        self._keeper = keeper

    async def flagged(self, doi: str, deadline: float) -> Finding[Integrity]:
        """OpenAlex's flag. That it has none proves little; that it knows the work proves that it was looked at."""
        work = PaperId("doi", doi)
        try:
            paper: Paper = await self._keeper.ask(FLAGS, Kind.RECORD, work, PAPER, deadline=deadline)
        except WellsourcedError as error:
            return Finding(state="unknown", why=error.sentence)
        return Finding(state="found" if paper.retraction else "none", value=paper.retraction, sources=(FLAGS,))

    async def of(
        self, record: Paper, doi: str | None, flagged: Finding[Integrity] | None, deadline: float
    ) -> Finding[Integrity]:
        """The gravest word; "none" when somebody who keeps such a list was asked and had nothing."""
        said = await self._asked(record, doi, flagged, deadline)
        own = graver(marked_in_title(record), record.retraction)
        gravest = graver(own, said.value)
        if gravest:
            sources = said.sources if said.value else (record.source, *said.sources)
            return Finding(state="found", value=gravest, sources=tuple(dict.fromkeys(sources)))
        if record.source in KNOWS_BY_ITSELF:
            sources = (record.source, *(said.sources if said.is_known else ()))
            return Finding(state="none", sources=tuple(dict.fromkeys(sources)))
        return said

    async def _asked(
        self, record: Paper, doi: str | None, flagged: Finding[Integrity] | None, deadline: float
    ) -> Finding[Integrity]:
        if doi is None:
            return Finding(state="unknown", why="The work has no DOI by which retractions are listed.")
        if record.source == REGISTER:
            return flagged or await self.flagged(doi, deadline)
        return await self._papers.integrity(doi, deadline)
