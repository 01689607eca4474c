"""What stands against a work, from everybody who could know: Crossref, OpenAlex, PubMed, and the title itself.

Crossref's record already holds what Crossref knows, so a work that was looked up there is not asked for again.
"""

from __future__ import annotations

from wellsourced.citations.paper_reference import retraction_in_title
from wellsourced.errors import WellsourcedError
from wellsourced.scholarly.doi_services import CROSSREF, OPENALEX
from wellsourced.scholarly.lookup_answer import LookupAnswer
from wellsourced.scholarly.paper_filters import graver_notice
from wellsourced.scholarly.papers import Papers
from wellsourced.scholarly.record_cache import PAPER, RecordCache
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.paper import Integrity, Paper, PaperId

# Their records already contain retractions, so that none means none.
KNOWS_BY_ITSELF = frozenset({CROSSREF, "pubmed"})


class RetractionChecker:
    def __init__(self, papers: Papers, records: RecordCache) -> None:
        self._papers = papers
        self._records = records

    async def fetch_flag(self, doi: str, deadline: float) -> LookupAnswer[Integrity]:
        """OpenAlex's flag. That it has none proves little; that it knows the work proves that it was looked at."""
        work = PaperId("doi", doi)
        try:
            paper: Paper = await self._records.fetch(OPENALEX, Kind.RECORD, work, PAPER, deadline=deadline)
        except WellsourcedError as error:
            return LookupAnswer(state="unknown", why=error.sentence)
        return LookupAnswer(state="found" if paper.retraction else "none", value=paper.retraction, sources=(OPENALEX,))

    async def check(
        self, record: Paper, doi: str | None, flagged: LookupAnswer[Integrity] | None, deadline: float
    ) -> LookupAnswer[Integrity]:
        """The gravest word; "none" when somebody who keeps such a list was asked and had nothing."""
        notice = await self._fetch_notice(record, doi, flagged, deadline)
        own = graver_notice(retraction_in_title(record), record.retraction)
        gravest = graver_notice(own, notice.value)
        if gravest:
            sources = notice.sources if notice.value else (record.source, *notice.sources)
            return LookupAnswer(state="found", value=gravest, sources=tuple(dict.fromkeys(sources)))
        if record.source in KNOWS_BY_ITSELF:
            sources = (record.source, *(notice.sources if notice.is_known else ()))
            return LookupAnswer(state="none", sources=tuple(dict.fromkeys(sources)))
        return notice

    async def _fetch_notice(
        self, record: Paper, doi: str | None, flagged: LookupAnswer[Integrity] | None, deadline: float
    ) -> LookupAnswer[Integrity]:
        if doi is None:
            return LookupAnswer(state="unknown", why="The work has no DOI by which retractions are listed.")
        if record.source == CROSSREF:
            return flagged or await self.fetch_flag(doi, deadline)
        return await self._papers.doi_services.find_notice(doi, deadline)
