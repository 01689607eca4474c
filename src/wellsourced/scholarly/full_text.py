"""The whole text of a paper: its free copies, one after the other, until one is read that is the right paper.

The copy that a service points to may be another version, a supplement, or a page that wants a login, so every text is
checked for the paper's title before it is handed on.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wellsourced.errors import (
    BadInput,
    Blocked,
    ContentEmpty,
    NetworkFailed,
    NotFound,
    RateLimited,
    Refused,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.pages.page import Page
from wellsourced.pages.reader import Reader
from wellsourced.scholarly.doi_services import DoiServices
from wellsourced.scholarly.lookup_answer import LookupAnswer
from wellsourced.text.identifiers import doi_from_url, find_arxiv_id, find_doi, find_pmid, normalise_doi
from wellsourced.text.titles import is_same_title, is_title_near_start
from wellsourced.upstreams.types.paper import OpenCopy, Paper, PaperId

# Less than this is an abstract, not a paper.
FEWEST_WORDS = 600

# Each copy may take its full time.
MOST_COPIES = 6
COPY_SECONDS = 25.0
# What leaves open whether there is a free copy.
UNSETTLED = (RateLimited, Blocked, NetworkFailed, UpstreamUnavailable)

SCHOLAR_ID = re.compile(r"[0-9a-f]{40}")
PMC = re.compile(r"\bPMC([1-9][0-9]{3,9})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TriedCopy:
    """A place that was tried and what came of it."""

    url: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FullText:
    """`is_checked` says that the title stands in the text; without a known title nothing could be compared."""

    page: Page
    title: str
    is_checked: bool
    paper: Paper | None = None
    tried: tuple[TriedCopy, ...] = ()


@dataclass(frozen=True, slots=True)
class IdentifiedPaper:
    """What is known before it is read; `address` is one the caller gave, `missing` why there is no record."""

    work: PaperId | None
    paper: Paper | None
    address: str | None = None
    missing: WellsourcedError | None = None


class FullTextReader:
    def __init__(self, services: DoiServices, reader: Reader | None) -> None:
        self._services = services
        self._reader = reader

    async def read(self, identifier: str, *, tenant: str, deadline: float) -> FullText:
        known = await self._identified(identifier.strip(), tenant, deadline)
        doi = known.paper.doi if known.paper and known.paper.doi else _doi_of(known.work)
        copy = (await self._services.find_open_copy(doi, deadline)).value if doi else None
        tried: list[TriedCopy] = []
        failures: list[WellsourcedError] = []
        for url in list(dict.fromkeys(copy_addresses(known, copy)))[:MOST_COPIES]:
            try:
                page = await self._page(url, tenant, deadline)
                is_checked = check_title(page, known.paper)
            except WellsourcedError as error:
                tried.append(TriedCopy(url, error.sentence))
                failures.append(error)
                continue
            return FullText(
                page=page,
                title=known.paper.title if known.paper else page.title,
                is_checked=is_checked,
                paper=known.paper,
                tried=tuple(tried),
            )
        name = identifier[:120]
        raise unreadable_error(name, tried, failures) if tried else no_copy_error(name, known)

    async def _page(self, url: str, tenant: str, deadline: float) -> Page:
        if self._reader is None:
            raise UpstreamUnavailable("Pages cannot be read here.")
        limit = min(deadline, time.monotonic() + COPY_SECONDS)
        return (await self._reader.read(url, tenant=tenant, deadline=limit)).page

    async def _identified(self, text: str, tenant: str, deadline: float) -> IdentifiedPaper:
        work = find_paper_id(text)
        if work:
            found = await self._services.find_record(work, deadline)
            return IdentifiedPaper(work, found.value, _address(text), missing_record_error(found))
        url = f"https://www.semanticscholar.org/paper/{text}" if SCHOLAR_ID.fullmatch(text) else _address(text)
        if not url:
            raise BadInput(
                f"{text[:80]!r} names no paper; give a DOI, an arXiv id (2301.00001), PMID:12345, PMC12345, "
                "a Semantic Scholar id, or the paper's address."
            )
        return await self._by_page(url, tenant, deadline)

    async def _by_page(self, url: str, tenant: str, deadline: float) -> IdentifiedPaper:
        """A page that says in its metadata which paper it is about."""
        try:
            page = await self._page(url, tenant, deadline)
        # An address that may not be fetched is the caller's mistake, not a missing copy.
        except Refused:
            raise
        except WellsourcedError:
            return IdentifiedPaper(None, None, url)
        tags = page.structured.citation
        named = tags.get("citation_doi", "") or tags.get("citation_arxiv_id", "")
        work = find_paper_id(named) if named else None
        if work is None:
            return IdentifiedPaper(None, None, tags.get("citation_pdf_url") or url)
        found = await self._services.find_record(work, deadline)
        return IdentifiedPaper(work, found.value, tags.get("citation_pdf_url") or url, missing_record_error(found))


def unreadable_error(name: str, tried: Sequence[TriedCopy], failures: Sequence[WellsourcedError]) -> WellsourcedError:
    """One error for all copies: that there is none to be had only where each of them settles that."""
    outcomes = " ".join(f"{copy.url}: {copy.outcome}" for copy in tried)
    sentence = f"No free copy of {name} could be read. {outcomes}"
    open_still = next((error for error in failures if isinstance(error, UNSETTLED)), None)
    if open_still is None:
        return NotFound(sentence, detail=outcomes)
    return type(open_still)(sentence, retry_after=open_still.retry_after, detail=outcomes)


def no_copy_error(name: str, known: IdentifiedPaper) -> WellsourcedError:
    if known.missing is None:
        return NotFound(f"No free copy of {name} is known.")
    return type(known.missing)(f"No free copy of {name} is known. {known.missing.sentence}")


def missing_record_error(record: LookupAnswer[Paper]) -> WellsourcedError | None:
    if record.state == "none":
        return NotFound(f"No such work is known to {', '.join(record.sources)}.")
    return UpstreamUnavailable(record.why) if record.why else None


def find_paper_id(text: str) -> PaperId | None:
    """The identifier that a text or an address holds."""
    if arxiv := find_arxiv_id(text):
        return PaperId("arxiv", arxiv)
    if doi := normalise_doi(text) or doi_from_url(text) or find_doi(text):
        return PaperId("doi", doi)
    number = find_pmid(text) or (text if text.isascii() and text.isdigit() and len(text) <= 9 else None)
    return PaperId("pmid", number) if number else None


def copy_addresses(known: IdentifiedPaper, copy: OpenCopy | None) -> Iterator[str]:
    """Where the text may stand, best first: archives that let programs read, then PDFs, then pages."""
    paper = known.paper
    arxiv = paper.ids.arxiv if paper else None
    if known.work and known.work.scheme == "arxiv":
        arxiv = known.work.value
    if arxiv:
        yield f"https://arxiv.org/abs/{arxiv}"
        yield f"https://arxiv.org/pdf/{arxiv}"
    central = PMC.search((paper.ids.pmcid if paper else None) or known.address or "")
    if central:
        yield f"https://pmc.ncbi.nlm.nih.gov/articles/PMC{central[1]}/"
    for address in (
        copy.pdf_url if copy else None,
        paper.pdf_url if paper else None,
        copy.landing_url if copy else None,
        known.address,
        paper.url if paper and paper.open_access is not False else None,
    ):
        if address:
            yield address


def check_title(page: Page, paper: Paper | None) -> bool:
    """Whether the title was found; raises when the text is too short for a paper, or is another one."""
    if page.word_count < FEWEST_WORDS:
        raise ContentEmpty(f"It holds {page.word_count} words only, which is no whole paper.")
    if paper is None:
        return False
    if is_title_near_start(paper.title, page.plain or page.markdown) or (
        page.title and is_same_title(page.title, paper.title)
    ):
        return True
    raise NotFound(f"It does not have the title “{paper.title[:120]}”, so it may be another paper.")


def _doi_of(work: PaperId | None) -> str | None:
    return work.value if work and work.scheme == "doi" else None


def _address(text: str) -> str | None:
    if PMC.fullmatch(text):
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{text.upper()}/"
    return text if text.startswith(("https://", "http://")) else None
