"""What is known of one work by its identifier: its record, what stands against it, its registration, a free copy.

A missing answer is no exception: a `LookupAnswer` says found, none or unknown, and which upstreams it rests on. Only a
text that is no identifier raises.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pydantic import TypeAdapter

from wellsourced.errors import BadInput, NotFound, WellsourcedError
from wellsourced.scholarly.lookup_answer import LookupAnswer
from wellsourced.scholarly.record_cache import PAPER, RecordCache, own_id
from wellsourced.text.identifiers import find_arxiv_id, normalise_doi, without_arxiv_version
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.paper import Integrity, OpenCopy, Paper, PaperId, Registration

CROSSREF = "crossref"
OPENALEX = "openalex"
UNPAYWALL = "unpaywall"
DOI_ORG = "doi_org"
# Each in the order of how complete their records are for that identifier.
RECORDS = {
    "doi": ("crossref", "doi_org", "openalex"),
    "arxiv": ("arxiv", "semanticscholar", "openalex"),
    "pmid": ("pubmed", "openalex", "semanticscholar"),
    "pmcid": ("openalex", "semanticscholar"),
    "isbn": ("open_library", "google_books", "loc"),
}
# Who is asked where one of the usual could not be: by the beginning of the DOI, or for any identifier of the kind.
STAND_INS = {
    "doi": (("10.1101/", "biorxiv"), ("10.5281/zenodo.", "zenodo"), ("", "datacite"), ("", "europepmc")),
    "pmid": (("", "europepmc"),),
}
# arXiv registers its DOIs with DataCite, so Crossref does not know them.
ARXIV_DOI_RECORDS = ("arxiv", "doi_org", "openalex")
INTEGRITY: TypeAdapter[Integrity | None] = TypeAdapter(Integrity | None)
OPEN_COPY = TypeAdapter(OpenCopy)
REGISTRATION = TypeAdapter(Registration)
FOREVER = float("inf")


class DoiServices:
    def __init__(self, records: RecordCache) -> None:
        self._records = records

    async def find_notice(self, doi: str, deadline: float = FOREVER) -> LookupAnswer[Integrity]:
        """Crossref's word, and OpenAlex's flag where Crossref knows of nothing; "none" means that somebody looked."""
        doi = require_doi(doi)
        listed, flagged = await asyncio.gather(self.find_listed_notice(doi, deadline), self._find_flag(doi, deadline))
        if listed.is_found and ((listed.value and listed.value.retracted) or not flagged.is_found):
            agreeing = flagged.sources if flagged.is_found else ()
            return replace(listed, sources=listed.sources + agreeing)
        if flagged.is_found:
            return flagged
        known = [finding for finding in (listed, flagged) if finding.is_known]
        if not known:
            return listed
        return LookupAnswer(state="none", sources=tuple(source for finding in known for source in finding.sources))

    async def find_listed_notice(self, doi: str, deadline: float = FOREVER) -> LookupAnswer[Integrity]:
        """What Crossref lists against a work; a DOI of another agency is unknown to it, not clean."""
        doi = require_doi(doi)
        if find_arxiv_id(doi) is not None:
            return LookupAnswer(state="unknown", why="arXiv's DOIs are not registered with Crossref.")
        if record := await self._records.cached_record(CROSSREF, PaperId("doi", doi)):
            known = record.retraction
            return LookupAnswer(state="found" if known else "none", value=known, sources=(CROSSREF,))
        try:
            notice: Integrity | None = await self._records.fetch(
                CROSSREF, Kind.INTEGRITY, doi, INTEGRITY, deadline=deadline
            )
        except NotFound as error:
            return LookupAnswer(state="unknown", sources=(CROSSREF,), why=error.sentence)
        except WellsourcedError as error:
            return LookupAnswer(state="unknown", why=error.sentence)
        return LookupAnswer(state="found" if notice else "none", value=notice, sources=(CROSSREF,))

    async def find_record(self, work: PaperId, deadline: float = FOREVER) -> LookupAnswer[Paper]:
        """The work as the first upstream describes it that knows it. "none" only when all that were asked said so."""
        work = PaperId("doi", require_doi(work.value)) if work.scheme == "doi" else work
        is_preprint = work.scheme == "doi" and find_arxiv_id(work.value) is not None
        names = ARXIV_DOI_RECORDS if is_preprint else RECORDS[work.scheme]
        answer = await self._first_record(names, work, deadline)
        if answer.state != "unknown":
            return answer
        others = [name for start, name in STAND_INS.get(work.scheme, ()) if work.value.startswith(start)]
        stand_in = await self._first_record(others, work, deadline)
        return stand_in if stand_in.is_found else answer

    async def _first_record(self, names: Sequence[str], work: PaperId, deadline: float) -> LookupAnswer[Paper]:
        failures: list[str] = []
        for name in names:
            try:
                paper: Paper = await self._records.fetch(name, Kind.RECORD, work, PAPER, deadline=deadline)
            except NotFound:
                continue
            except WellsourcedError as error:
                failures.append(error.sentence)
            else:
                return LookupAnswer(state="found", value=paper, sources=(name,))
        if failures:
            return LookupAnswer(state="unknown", why=" ".join(failures))
        return LookupAnswer(state="none", sources=tuple(names))

    async def prefetch(self, works: Iterable[PaperId], deadline: float = FOREVER) -> None:
        """The records of many works, each from where it will be asked for soon."""
        wanted = list(dict.fromkeys(works))
        preprints = [work for work in wanted if own_id(work)[0] == "arxiv"]
        articles = [work for work in wanted if work.scheme == "pmid"]
        await asyncio.gather(
            self._records.prefetch("arxiv", preprints, deadline=deadline),
            self._records.prefetch("pubmed", articles, deadline=deadline),
        )
        records = [await self._records.cached_record("pubmed", work) for work in articles]
        dois = [*map(doi_of, wanted), *(record.doi for record in records if record)]
        known = list(dict.fromkeys(PaperId("doi", doi) for doi in dois if doi))
        await asyncio.gather(
            self.fetch_registered([work.value for work in known], deadline),
            self._records.prefetch(OPENALEX, known, deadline=deadline),
        )

    async def fetch_registered(self, dois: Iterable[str], deadline: float = FOREVER) -> None:
        """Crossref's records alone; arXiv registers its own DOIs elsewhere."""
        registered = [PaperId("doi", doi) for doi in dict.fromkeys(dois) if find_arxiv_id(doi) is None]
        await self._records.prefetch(CROSSREF, registered, deadline=deadline)

    async def find_registration(self, doi: str, deadline: float = FOREVER) -> LookupAnswer[Registration]:
        """Whether any agency registered the DOI; the value is there for "none" too."""
        try:
            registration: Registration = await self._records.fetch(
                DOI_ORG,
                Kind.REGISTRATION,
                require_doi(doi),
                REGISTRATION,
                deadline=deadline,
                lasts=lambda registration: registration.registered is True,
            )
        except WellsourcedError as error:
            return LookupAnswer(
                state="unknown", value=Registration(doi=require_doi(doi), registered=None), why=error.sentence
            )
        if registration.registered is None:
            return LookupAnswer(state="unknown", value=registration, why="doi.org could not tell.")
        return LookupAnswer(
            state="found" if registration.registered else "none", value=registration, sources=(DOI_ORG,)
        )

    async def find_open_copy(self, doi: str, deadline: float = FOREVER) -> LookupAnswer[OpenCopy]:
        """Unpaywall's word, else OpenAlex's. A work that is known and closed is found, with `is_open` false."""
        copy_result = await self.find_unpaywall_copy(doi, deadline)
        if copy_result.is_found:
            return copy_result
        work = PaperId("doi", require_doi(doi))
        try:
            paper: Paper = await self._records.fetch(OPENALEX, Kind.RECORD, work, PAPER, deadline=deadline)
        except WellsourcedError:
            return copy_result
        if paper.open_access is None:
            return copy_result
        copy = OpenCopy(doi=work.value, is_open=paper.open_access, pdf_url=paper.pdf_url)
        return LookupAnswer(state="found", value=copy, sources=(OPENALEX,))

    async def find_unpaywall_copy(self, doi: str, deadline: float = FOREVER) -> LookupAnswer[OpenCopy]:
        """What Unpaywall alone knows."""
        try:
            copy: OpenCopy = await self._records.fetch(
                UNPAYWALL,
                Kind.OPEN_COPY,
                require_doi(doi),
                OPEN_COPY,
                deadline=deadline,
                lasts=lambda copy: copy.is_open,
            )
        except NotFound:
            return LookupAnswer(state="none", sources=(UNPAYWALL,))
        except WellsourcedError as error:
            return LookupAnswer(state="unknown", why=error.sentence)
        return LookupAnswer(state="found", value=copy, sources=(UNPAYWALL,))

    async def _find_flag(self, doi: str, deadline: float) -> LookupAnswer[Integrity]:
        """OpenAlex's retraction flag, or arXiv's note of withdrawal for a DOI of its own."""
        arxiv = find_arxiv_id(doi)
        name, work = ("arxiv", PaperId("arxiv", arxiv)) if arxiv else (OPENALEX, PaperId("doi", doi))
        try:
            paper: Paper = await self._records.fetch(name, Kind.RECORD, work, PAPER, deadline=deadline)
        except WellsourcedError as error:
            return LookupAnswer(state="unknown", why=error.sentence)
        return LookupAnswer(state="found" if paper.retraction else "none", value=paper.retraction, sources=(name,))


def require_doi(doi: str) -> str:
    normal = normalise_doi(doi)
    if not normal:
        raise BadInput(f"{doi[:80]!r} is not a DOI; one looks like 10.1038/nature12373.")
    return normal


def doi_of(work: PaperId) -> str | None:
    """The DOI of a work that has one by its nature."""
    if work.scheme == "doi":
        return normalise_doi(work.value)
    return f"10.48550/arxiv.{without_arxiv_version(work.value)}".lower() if work.scheme == "arxiv" else None
