"""One citation, checked: does it exist, is it what it says it is, does anything stand against it, is its link alive.

Existence has three states. Only the registry itself can say no: the DOI system of a DOI, arXiv and PubMed of their
numbers, the server of its page. Silence, failure and absence from a catalogue leave it unknown, with the reason.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from wellsourced.citations.candidate_search import (
    CandidateRecord,
    CandidateSearch,
    CandidateSearchResult,
    Confidence,
)
from wellsourced.citations.court_cases import (
    COURTS,
    CourtCaseSearch,
    comparison_with_case,
    paper_from_case,
    reporter_place,
)
from wellsourced.citations.link_checker import CheckedLink, LinkChecker
from wellsourced.citations.match.record_comparison import RecordComparison, compare_with_record
from wellsourced.citations.parse.citation import ParsedCitation
from wellsourced.citations.retraction_checker import RetractionChecker
from wellsourced.citations.verification import (
    Status,
    Verification,
    VerificationNote,
    integrity_note,
    link_note,
    record_note,
    search_note,
)
from wellsourced.errors import NotFound, WellsourcedError
from wellsourced.evidence.source_type import classify_source
from wellsourced.pages.page import Page, declared_doi
from wellsourced.pages.reader import Reader
from wellsourced.scholarly.doi_services import doi_of
from wellsourced.scholarly.lookup_answer import LookupAnswer
from wellsourced.scholarly.papers import Papers
from wellsourced.scholarly.record_cache import RecordCache
from wellsourced.storage.cache.cache import Cache
from wellsourced.text.identifiers import find_all_isbns
from wellsourced.text.titles import compare_titles, is_title_near_start
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstreams.types.paper import Paper, PaperId

# Who assigns the identifiers, and so can say that one does not exist.
AUTHORITIES = {"arxiv": "arxiv", "pmid": "pubmed"}
ELSEWHERE = frozenset({"patent", "standard", "software", "bill", "legislation", "motion_picture", "song", "broadcast"})
SCHOLARLY = frozenset({"peer_reviewed", "academic", "preprint"})
BARE_IDENTIFIER = (
    "The identifier is registered, but nothing was given to compare: check that the title of the record is the title "
    "that was meant."
)
OTHER_WAY = (
    "The identifier could not be looked up; the work was found by its title. Whether the identifier is the work's own "
    "is not known."
)
STRANGE_TITLE = (
    "The title could not be compared with the record's: they are in two languages or scripts, or one is that of a part "
    "or the whole of the other. Check that the record is the work that was meant."
)
OTHER_BOOK = "The ISBN {} is that of “{}”, which is not the cited title."
NOT_HELD = "The catalogues that were asked hold papers and books; works of this kind are not in them."
NO_LAWS = "Laws and treaties are in no catalogue that is asked here; look at the official collection."
NO_RECORD = "The identifier is registered, but no record of it could be read, so nothing was compared."


class CitationVerifier:
    def __init__(
        self,
        upstreams: UpstreamClient,
        papers: Papers,
        reader: Reader,
        link_checker: LinkChecker,
        *,
        cache: Cache | None = None,
    ) -> None:
        self._upstreams = upstreams
        self._papers = papers
        self._reader = reader
        self._link_checker = link_checker
        self._retractions = RetractionChecker(papers, RecordCache(upstreams, cache))
        self._candidates = CandidateSearch(upstreams)
        self._cases = CourtCaseSearch(upstreams)

    async def verify(
        self, citation: ParsedCitation, *, deadline: float, tenant: str = "", thorough: bool = True
    ) -> Verification:
        """`thorough` also reads pages and asks further catalogues."""
        found = await self._verify(citation, deadline, tenant, thorough)
        if citation.broken_isbn:
            finding = f"{citation.broken_isbn} is no ISBN: its check digit is wrong."
            note = VerificationNote(source="checksum", finding=finding)
            found = replace(found, evidence=(*found.evidence, note), caveat=found.caveat or finding)
        return found

    async def _verify(self, citation: ParsedCitation, deadline: float, tenant: str, thorough: bool) -> Verification:
        if citation.kind == "url":
            return await self._by_address(citation, deadline, tenant, thorough)
        if not citation.url:
            return await self._verify_work(citation, deadline, thorough)
        found, link = await asyncio.gather(
            self._verify_work(citation, deadline, thorough), self._link_checker.check_link(citation.url, deadline)
        )
        return await self._with_link(found, link, citation, deadline, tenant)

    async def _verify_work(self, citation: ParsedCitation, deadline: float, thorough: bool) -> Verification:
        if citation.work:
            return await self._by_identifier(citation, citation.work, deadline, thorough)
        if citation.kind == "case":
            return await self._by_reporter(citation, deadline)
        if citation.reference.type == "legislation":  # papers about a law are not the law
            note = VerificationNote(source="catalogues", finding=NO_LAWS)
            return unmatched_verification(citation, CandidateSearchResult(best=None), [note])
        if citation.kind == "isbn":
            return await self._by_isbn(citation, deadline, thorough)
        return await self._by_search(citation, deadline, thorough)

    async def _by_identifier(
        self, citation: ParsedCitation, work: PaperId, deadline: float, thorough: bool
    ) -> Verification:
        doi = doi_of(work)
        # Asked ahead of the record: both are needed, and neither depends on the other.
        flag = asyncio.ensure_future(self._retractions.fetch_flag(doi, deadline)) if doi else None
        try:
            record = await self._papers.doi_services.find_record(work, deadline)
            notes = [record_note(work.scheme, record)]
            if record.value is None:
                return await self._without_record(citation, work, record, notes, deadline, thorough)
            flagged = await flag if flag else None
        finally:
            if flag:
                flag.cancel()
        integrity = await self._retractions.check(record.value, doi or record.value.doi, flagged, deadline)
        notes.append(integrity_note(integrity))
        comparison = compare_with_record(citation.reference, record.value, free_text=citation.free_text)
        found = Verification(
            kind=citation.kind,
            cited=citation.reference,
            exists=True,
            status="uncertain" if comparison.disagrees or comparison.has_strange_title else "confirmed",
            record=record.value,
            comparison=comparison,
            confidence=comparison_confidence(comparison),
            integrity=integrity,
            differences=comparison.differences,
            caveat=caveat_of(comparison),
            evidence=(*notes, *notice_notes(record.value)),
        )
        if comparison.title_match != "mismatch":
            return found
        return await self._with_possible_match(found, citation, deadline)

    async def _with_possible_match(
        self, found: Verification, citation: ParsedCitation, deadline: float
    ) -> Verification:
        """Where the title is another, the work with that title may have another identifier."""
        searched = await self._candidates.find_best(
            citation.reference, free_text=citation.free_text, deadline=deadline, thorough=False
        )
        best = searched.best
        notes = (*found.evidence, search_note(searched))
        if best is None or best.confidence not in {"high", "medium"} or is_same_work(best.paper, found.record):
            return replace(found, evidence=notes)
        where = best.paper.doi or best.paper.url
        difference = f"A work with the cited title is known under {where}."
        return replace(found, possible=best.paper, differences=(*found.differences, difference), evidence=notes)

    async def _without_record(
        self,
        citation: ParsedCitation,
        work: PaperId,
        record: LookupAnswer[Paper],
        notes: list[VerificationNote],
        deadline: float,
        thorough: bool,
    ) -> Verification:
        """No record: whether it exists at all is for the registry to say."""
        exists, note = await self._check_registration(work, record, deadline)
        notes.append(note)
        found = Verification(
            kind=citation.kind,
            cited=citation.reference,
            exists=exists,
            status="not_found" if exists is False else "uncertain",
            confidence="none",
            caveat=NO_RECORD if exists else None,
            evidence=tuple(notes),
        )
        if exists or not citation.reference.title:
            return found
        if exists is False:
            return await self._with_possible_match(found, citation, deadline)
        searched = await self._by_search(citation, deadline, thorough)
        if searched.exists:
            return replace(searched, caveat=OTHER_WAY, evidence=found.evidence + searched.evidence)
        return replace(found, possible=searched.possible, evidence=found.evidence + searched.evidence)

    async def _check_registration(
        self, work: PaperId, record: LookupAnswer[Paper], deadline: float
    ) -> tuple[bool | None, VerificationNote]:
        if work.scheme == "doi":
            answer = await self._papers.doi_services.find_registration(work.value, deadline)
            if answer.state == "unknown":
                return None, VerificationNote(source="doi.org", finding=answer.why or "could not be asked")
            agency = f" with {answer.value.agency}" if answer.value and answer.value.agency else ""
            outcome = f"registered{agency}" if answer.is_found else "not registered with any agency"
            return answer.is_found, VerificationNote(source="doi.org", finding=f"{work.value} is {outcome}.")
        name = AUTHORITIES.get(work.scheme)
        if name is None:
            finding = record.why or f"{work} is not known to the catalogues that were asked."
            return None, VerificationNote(source=work.scheme, finding=finding)
        if record.state == "none":
            return False, VerificationNote(source=name, finding=f"There is no {work}.")
        try:
            await self._upstreams.ask(name, Kind.RECORD, work, deadline=deadline)
        except NotFound:
            return False, VerificationNote(source=name, finding=f"There is no {work}.")
        except WellsourcedError as error:
            return None, VerificationNote(source=name, finding=error.sentence)
        return True, VerificationNote(source=name, finding=f"{work} exists.")

    async def _by_search(self, citation: ParsedCitation, deadline: float, thorough: bool) -> Verification:
        cited = citation.reference
        searched = await self._candidates.find_best(
            cited, free_text=citation.free_text, deadline=deadline, thorough=thorough
        )
        notes = [search_note(searched)]
        best = searched.best
        if best is None or not best.is_meant:
            return unmatched_verification(citation, searched, notes)
        integrity = await self._retractions.check(best.paper, best.paper.doi, None, deadline)
        notes.append(integrity_note(integrity))
        return Verification(
            kind=citation.kind,
            cited=cited,
            exists=True,
            status="uncertain" if best.comparison.disagrees or best.comparison.has_strange_title else "confirmed",
            record=best.paper,
            comparison=best.comparison,
            confidence=best.confidence,
            integrity=integrity,
            differences=best.comparison.differences,
            caveat=STRANGE_TITLE if best.comparison.has_strange_title else None,
            evidence=(*notes, *notice_notes(best.paper)),
        )

    async def _by_isbn(self, citation: ParsedCitation, deadline: float, thorough: bool) -> Verification:
        """The book of the number. A library that lacks it proves nothing, and a chapter bears its book's number."""
        cited = citation.reference
        numbers = sorted(find_all_isbns(cited.isbn or ""))
        if not numbers:
            return await self._by_search(citation, deadline, thorough)
        book = await self._papers.doi_services.find_record(PaperId("isbn", numbers[0]), deadline)
        note = record_note("isbn", book)
        comparison = compare_with_record(cited, book.value, free_text=citation.free_text) if book.value else None
        if comparison and book.value and comparison.title_match != "mismatch":
            return Verification(
                kind="isbn", cited=cited, exists=True, record=book.value, comparison=comparison, evidence=(note,),
                status="uncertain" if comparison.disagrees or comparison.has_strange_title else "confirmed",
                confidence=comparison_confidence(comparison), differences=comparison.differences,
                caveat=caveat_of(comparison),
            )  # fmt: skip
        found = await self._by_search(citation, deadline, thorough)
        found = replace(found, evidence=(note, *found.evidence))
        is_part = book.value and compare_titles(cited.container, book.value.title) in {"match", "partial"}
        if not book.value or is_part or cited.type == "chapter" or found.record:
            return found
        other = OTHER_BOOK.format(numbers[0], book.value.title)
        return replace(found, status="uncertain", possible=book.value, caveat=other)

    async def _by_reporter(self, citation: ParsedCitation, deadline: float) -> Verification:
        found = await self._cases.find(citation.reference, deadline)
        if found.value is None:
            finding = found.why or "No such decision is known; only courts of the United States are held."
            return Verification(
                kind="case",
                cited=citation.reference,
                exists=None,
                status="not_found" if found.state == "none" else "uncertain",
                confidence="none",
                evidence=(VerificationNote(source=COURTS, finding=finding),),
            )
        paper, differences = paper_from_case(found.value.case), found.value.differences
        is_it = not found.value.is_other
        is_sure = found.value.at_place or not reporter_place(citation.reference)
        confidence: Confidence = "high" if is_it and is_sure and not differences else "medium" if is_it else "low"
        return Verification(
            kind="case",
            cited=citation.reference,
            exists=True if is_it else None,
            status="confirmed" if confidence == "high" else "uncertain",
            record=paper if is_it else None,
            possible=None if is_it else paper,
            confidence=confidence,
            comparison=comparison_with_case(citation.reference, found.value),
            differences=differences,
            evidence=(VerificationNote(source=COURTS, finding=f"{paper.title}: {paper.journal or paper.url}"),),
        )

    async def _by_address(self, citation: ParsedCitation, deadline: float, tenant: str, thorough: bool) -> Verification:
        url = citation.url or citation.reference.url or ""
        link = await self._link_checker.check_link(url, deadline)
        page, problem = (
            (await self._read_page(url, tenant, deadline)) if thorough and link.live is not False else (None, None)
        )
        doi = doi_of_scholarly_page(page or Page(url=url, markdown=""))
        work = PaperId("doi", doi) if doi else citation.work
        notes = [link_note(link)]
        if problem:
            notes.append(VerificationNote(source="page", finding=problem))
        live = Verification(
            kind="url",
            cited=citation.reference,
            exists=link.live,
            status="confirmed" if link.live else "not_found" if link.is_dead and not link.archived_url else "uncertain",
            link=link,
            detected_doi=doi,
            evidence=tuple(notes),
        )
        if work is None:
            return live
        title = page.title if page else None
        cited = replace(citation.reference, title=title, raw=title or url, doi=doi)
        about = await self._by_identifier(replace(citation, reference=cited, work=work), work, deadline, False)
        return replace(
            about,
            kind="url",
            cited=citation.reference,
            exists=link.live if link.live is not None else about.exists,
            status=about.status if link.live else live.status,
            link=link,
            detected_doi=doi,
            evidence=live.evidence + about.evidence,
        )

    async def _with_link(
        self, found: Verification, link: CheckedLink, citation: ParsedCitation, deadline: float, tenant: str
    ) -> Verification:
        """A reference with an address: a living page that bears the cited title settles what no catalogue knew."""
        status: Status = (
            "uncertain" if found.status == "not_found" and found.exists is None and link.live else found.status
        )
        found = replace(found, link=link, status=status, evidence=(*found.evidence, link_note(link)))
        title = citation.reference.title
        if found.exists is not None or not title or not link.live or (link.http_status or 0) >= 400:
            return found
        page, _ = await self._read_page(link.url, tenant, deadline)
        if page is None or not (
            is_title_near_start(title, page.title) or is_title_near_start(title, page.plain or page.markdown)
        ):
            return found
        note = VerificationNote(source="page", finding="The page bears the cited title.")
        return replace(found, exists=True, status="confirmed", confidence="high", evidence=(*found.evidence, note))

    async def _read_page(self, url: str, tenant: str, deadline: float) -> tuple[Page | None, str | None]:
        try:
            return (await self._reader.read(url, tenant=tenant, deadline=deadline)).page, None
        except WellsourcedError as error:
            return None, error.sentence


def unmatched_verification(
    citation: ParsedCitation, searched: CandidateSearchResult, notes: list[VerificationNote]
) -> Verification:
    """No catalogue has the work that is meant; one that may be it is shown, and only a full search says no."""
    likely = searched.best if searched.best and searched.best.confidence in {"medium", "low"} else None
    is_searched = bool(searched.asked) and not searched.failed and citation.reference.type not in ELSEWHERE
    if citation.reference.type in ELSEWHERE - {"legislation"} and not likely:
        notes = [*notes, VerificationNote(source="catalogues", finding=NOT_HELD)]
    return Verification(
        kind=citation.kind,
        cited=citation.reference,
        exists=None,
        status="uncertain" if likely or not is_searched else "not_found",
        possible=likely.paper if likely else None,
        comparison=likely.comparison if likely else None,
        confidence=likely.confidence if likely else "none",
        caveat=resemblance(likely) if likely else None,
        evidence=tuple(notes),
    )


def resemblance(candidate: CandidateRecord) -> str | None:
    """A title that is the same proves nothing where author and year are others."""
    if candidate.comparison.fields.title != "match":
        return None
    apart = " ".join(candidate.comparison.differences) or "Too little else agrees to say that it is meant."
    return f"It resembles “{candidate.paper.title}”, which has the same title. {apart}"


def comparison_confidence(comparison: RecordComparison) -> Confidence:
    if comparison.is_other_work:
        return "low"
    return "medium" if comparison.disagrees or comparison.has_strange_title else "high"


def caveat_of(comparison: RecordComparison) -> str | None:
    if comparison.has_strange_title:
        return STRANGE_TITLE
    return BARE_IDENTIFIER if comparison.title_match == "not_checked" else None


def notice_notes(record: Paper) -> tuple[VerificationNote, ...]:
    """That the work is itself a notice, and about what."""
    if not record.notice_for:
        return ()
    finding = f"The work is itself a notice about {', '.join(record.notice_for[:5])}."
    return (VerificationNote(source=record.source, finding=finding),)


def doi_of_scholarly_page(page: Page) -> str | None:
    """The DOI of a scholarly page; others have none to show."""
    is_scholarly = classify_source(page.url, page.structured).source_type in SCHOLARLY
    return declared_doi(page) if is_scholarly else None


def is_same_work(one: Paper, other: Paper | None) -> bool:
    return other is not None and (one.doi == other.doi if one.doi and other.doi else one.title == other.title)
