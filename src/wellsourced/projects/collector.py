"""What goes into a project: sources, quotations, citations, files and sessions, each read and captured on the way."""

from __future__ import annotations

import mimetypes
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wellsourced.citations.parse.citation import parse_citation
from wellsourced.errors import BadInput, NotFound, WellsourcedError
from wellsourced.evidence.page_quotation import EXACT, LocatedQuotation, locate_quotation
from wellsourced.pages.page import Page
from wellsourced.projects.captures import CapturedPage, Captures, QuotaReached, address_key, newest_capture
from wellsourced.projects.project import Mark, Project, ProjectHead, ProjectItem
from wellsourced.projects.project_store import ProjectChange, ProjectStore
from wellsourced.projects.receipts import SigningKey, new_receipt, receipt_digest
from wellsourced.sessions.session_json import moment_text, session_json
from wellsourced.text.identifiers import doi_from_url, doi_url, normalise_doi
from wellsourced.tool.sources import FoundSource

if TYPE_CHECKING:
    from wellsourced.pages.reader import Reader
    from wellsourced.projects.signing_key_store import SigningKeyStore
    from wellsourced.projects.timestamps import TimestampClient
    from wellsourced.sessions.sessions import Sessions

LONGEST_QUOTE = 2000
MOST_OF_A_SESSION = 100
MARK_OF_NOTICE = {"correction": "corrected", "expression_of_concern": "concern"}
COPIED = ("prints a press release", "marks of a press release", "same text")


@dataclass(frozen=True, slots=True)
class Added:
    """What was added, and what could not be."""

    project: Project
    items: Sequence[ProjectItem]
    notes: Sequence[str] = ()


def now_text() -> str:
    return moment_text(datetime.now(UTC).replace(microsecond=0))


class Collector:
    def __init__(
        self,
        store: ProjectStore,
        captures: Captures,
        keys: SigningKeyStore,
        sessions: Sessions,
        get_reader: Callable[[], Reader],
        timestamps: TimestampClient | None = None,
    ) -> None:
        self._store = store
        self._captures = captures
        self._keys = keys
        self._sessions = sessions
        self._reader = get_reader
        self._timestamps = timestamps

    async def add(
        self,
        project: Project,
        deadline: float,
        *,
        url: str = "",
        quote: str = "",
        item: int | None = None,
        claim: str = "",
        citation: str = "",
        file: tuple[str, bytes] | None = None,
        session_id: str = "",
        tags: Sequence[str] = (),
    ) -> Added:
        """Add whichever one of these is given: a page, words of it or of a file, a citation, a file, a session."""
        if sum(map(bool, (url or item, citation, file, session_id))) != 1:
            raise BadInput("Give one of: the url of a page, an item to quote, a citation, a file, a session.")
        if citation:
            return await self.add_citation(project, citation, tags)
        if file:
            return await self.add_file(project, *file, tags)
        if session_id:
            return await self.add_session(project, session_id, deadline)
        if quote or item is not None:
            return await self.add_quote(project, quote, deadline, url=url, item=item, claim=claim, tags=tags)
        return await self.add_source(project, url, deadline, tags)

    async def add_source(
        self, project: Project, url: str, deadline: float, tags: Iterable[str] = (), session_id: str | None = None
    ) -> Added:
        """Read and capture a page, and list it; one that is listed already is read again."""
        page, item = await self.capture_source(project, url, deadline, tags, session_id)
        return Added(page.project, [item], self._notes(page.project))

    async def capture_source(
        self, project: Project, url: str, deadline: float, tags: Iterable[str] = (), session_id: str | None = None
    ) -> tuple[CapturedPage, ProjectItem]:
        """A page read, captured and listed in one write, and its item."""
        fetched = await self._captures.fetch(project, url, deadline)
        keys = {address_key(each) for each in (url, fetched.reading.page.url) if each}
        fields = source_fields(fetched.reading.page)

        def also(known: Project, change: ProjectChange) -> ProjectChange:
            (capture,) = change.captures
            kept = {**fields, "url": capture.final_url, "capture": capture.capture}
            item = find_source(known, keys)
            if item:
                return replace(change, items=[item.model_copy(update=kept)])
            listed = with_item(replace(known, head=change.head), "source", tags=list(tags), **kept)
            return replace(change, head=listed.head, items=listed.items)

        page = await self._captures.keep(project, url, fetched, session_id, also=also)
        return page, find_source(page.project, {address_key(page.capture.final_url)}) or page.project.listed("source")[
            -1
        ]

    async def add_quote(
        self,
        project: Project,
        quote: str,
        deadline: float,
        *,
        url: str = "",
        item: int | None = None,
        claim: str = "",
        tags: Iterable[str] = (),
    ) -> Added:
        """Find words in a page, or in a file of the project, and keep them with a receipt. Words that are not there
        are refused: what a project quotes stands in its capture."""
        page = await self._page_with(project, quote, url, item, deadline)
        return await self.quote_page(page, quote, claim, tags)

    async def quote_page(self, page: CapturedPage, quote: str, claim: str = "", tags: Iterable[str] = ()) -> Added:
        found = await self._located(page, quote)
        if found.status not in EXACT or found.text is None or found.start is None or found.end is None:
            raise BadInput(missing_words(found))
        words, place, key, at = (
            found.text[:LONGEST_QUOTE],
            (found.start, found.end),
            await self._keys.load(),
            now_text(),
        )
        fields = {
            "url": page.capture.final_url,
            "title": page.capture.title or None,
            "quote": words,
            "claim": claim or None,
            "start": place[0],
            "end": place[1],
            "link": found.link,
            "status": found.status,
            "capture": page.capture.capture,
            "tags": list(tags),
        }

        def change(project: Project) -> ProjectChange:
            wanted = with_item(project, "quote", receipt=project.head.receipts + 1, **fields)
            return _with_receipt(project, wanted, page, words, place, key, at)

        project = await self._store.update(page.project.owner, page.project.id, change)
        added = project.items[project.head.numbered]
        return Added(await self._stamp(project, project.head.receipts), [added], self._notes(project))

    async def add_citation(self, project: Project, text: str, tags: Iterable[str] = ()) -> Added:
        citation = parse_citation(text.strip())
        doi = citation.reference.doi or None
        fields = {
            "text": text.strip(),
            "title": citation.reference.title or None,
            "doi": doi,
            "url": citation.url or (doi_url(doi) if doi else None),
            "tags": list(tags),
        }
        return await self._added(project, lambda known: with_item(known, "citation", **fields))

    async def add_file(self, project: Project, name: str, content: bytes, tags: Iterable[str] = ()) -> Added:
        if not name.strip() or not content:
            raise BadInput("A file needs a name and content.")
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        page = await self._captures.capture_file(project, name.strip(), content, kind)
        fields = {
            "title": name.strip(),
            "content_type": kind,
            "bytes": len(content),
            "capture": page.capture.capture,
            "tags": list(tags),
        }
        return await self._added(page.project, lambda known: with_item(known, "file", **fields))

    async def add_session(self, project: Project, session_id: str, deadline: float) -> Added:
        """Keep a session beyond its end, capture its sources, and take over its evidence as quotations."""
        project = await self.keep_session(project, session_id)
        session = await self._sessions.fetch(project.owner, session_id)
        notes: list[str] = []
        items: list[ProjectItem] = [item for item in project.listed("session") if item.session_id == session.id]
        for source in [source for source in session.sources if source.rejected is None][:MOST_OF_A_SESSION]:
            try:
                added = await self._take_over(project, source, session.id, deadline)
            except QuotaReached:
                raise
            except WellsourcedError as problem:
                notes.append(f"{source.url} was not captured: {problem.sentence}")
                continue
            project, items, notes = added.project, [*items, *added.items], [*notes, *added.notes]
        return Added(project, items, notes)

    async def keep_session(self, project: Project, session_id: str) -> Project:
        """The session as it is now, in place of how it was before."""
        session = await self._sessions.fetch(project.owner, session_id)
        fields = {
            "session_id": session.id,
            "title": session.goal,
            "step_count": len(session.steps),
            "source_count": len(session.sources),
            "record": session_json(session),
        }

        def change(known: Project) -> ProjectChange:
            for item in known.listed("session"):
                if item.session_id == session.id:
                    return ProjectChange(_touched(known.head), [item.model_copy(update=fields)])
            return with_item(known, "session", **fields)

        return await self._store.update(project.owner, project.id, change)

    async def _take_over(self, project: Project, source: FoundSource, session_id: str, deadline: float) -> Added:
        if time.monotonic() >= deadline:
            raise BadInput("there was no time left; add it by its address.")
        page, item = await self.capture_source(project, source.url, deadline, session_id=session_id)
        items, notes = [item], list[str]()
        if marks := marks_of(source):
            marked = items[0].model_copy(update={"marks": marks})
            page = replace(page, project=await self._replace(page.project, marked))
            items = [marked]
        for evidence in source.evidence:
            try:
                added = await self.quote_page(page, evidence.quote, evidence.claim)
                page, items = replace(page, project=added.project), [*items, *added.items]
            except BadInput as problem:
                notes.append(f"“{evidence.quote[:80]}” was not taken over: {problem.sentence}")
        return Added(page.project, items, notes)

    async def _page_with(
        self, project: Project, quote: str, url: str, item: int | None, deadline: float
    ) -> CapturedPage:
        """The capture that has the words: the newest there is, else the page as it is now."""
        if item is not None:
            return await self._captured_item(project, item)
        if not url.strip():
            raise BadInput("A quotation needs the url of its page, or the item of a file of the project.")
        if newest_capture(project, url):
            page = await self._captures.read_again(project, url)
            if (await self._located(page, quote)).status in EXACT:
                return page
        return (await self.capture_source(project, url, deadline))[0]

    async def _captured_item(self, project: Project, number: int) -> CapturedPage:
        item = project.items.get(number)
        capture = project.capture_of(item) if item else None
        if capture is None:
            raise NotFound(f"Item {number} of this project has no capture.")
        return CapturedPage(project, capture, await self._captures.read(project, capture), fresh=False)

    async def _located(self, page: CapturedPage, quote: str) -> LocatedQuotation:
        if not quote.strip():
            raise BadInput("A quotation needs words.")
        found: LocatedQuotation = await self._reader().workers.run(locate_quotation, quote, page.reading.page)
        return found

    async def _stamp(self, project: Project, number: int) -> Project:
        """Have the time attested where an authority is configured; a receipt without it is still one."""
        if self._timestamps is None:
            return project
        receipt = await self._timestamps.stamp(project.receipts[number])
        return await self._store.update(
            project.owner, project.id, lambda known: ProjectChange(known.head, receipts={number: receipt})
        )

    async def _replace(self, project: Project, item: ProjectItem) -> Project:
        return await self._store.update(project.owner, project.id, lambda known: ProjectChange(known.head, [item]))

    async def _added(self, project: Project, change: Callable[[Project], ProjectChange]) -> Added:
        after = await self._store.update(project.owner, project.id, change)
        return Added(after, [after.items[after.head.numbered]], self._notes(after))

    def _notes(self, project: Project) -> list[str]:
        return [note] if (note := self._captures.room_note(project.owner)) else []


def source_fields(page: Page) -> dict[str, Any]:
    """What is listed of a page; a DOI only where the page declares it, since a text may name those of others."""
    doi = normalise_doi(page.structured.citation.get("citation_doi", "")) or doi_from_url(page.url)
    about = {"title": page.title, "author": page.author, "date": page.date, "doi": doi}
    return {name: value or None for name, value in about.items()} | {"type": "scraped"}


def find_source(project: Project, keys: set[str]) -> ProjectItem | None:
    return next((item for item in project.listed("source") if address_key(item.url or "") in keys), None)


def with_item(project: Project, kind: Any, **fields: Any) -> ProjectChange:
    number, at = project.head.numbered + 1, now_text()
    counts = {**project.head.counts, kind: project.head.counts.get(kind, 0) + 1}
    head = project.head.model_copy(update={"numbered": number, "counts": counts, "changed_at": at})
    return ProjectChange(head, [ProjectItem(item=number, kind=kind, added_at=at, **fields)])


def _touched(head: ProjectHead) -> ProjectHead:
    return head.model_copy(update={"changed_at": now_text()})


def _with_receipt(
    project: Project,
    change: ProjectChange,
    page: CapturedPage,
    words: str,
    place: tuple[int, int],
    key: SigningKey,
    at: str,
) -> ProjectChange:
    number = project.head.receipts + 1
    receipt = key.sign(new_receipt(project.id, number, project.head.chain, page.capture, words, place, at))
    head = change.head.model_copy(update={"receipts": number, "chain": receipt_digest(receipt)})
    return replace(change, head=head, receipts={number: receipt})


def missing_words(found: LocatedQuotation) -> str:
    """Why a quotation is not kept, with the page's own words where it has others."""
    if found.status == "altered" and found.text:
        return f"The page has other words, so nothing was kept. It says: “{found.text[:500]}”. Quote these instead."
    return "These words do not stand in the page, so nothing was kept. Read the page and quote its own words."


def marks_of(source: FoundSource) -> list[Mark]:
    marks = []
    if source.retraction:
        kind, _, rest = source.retraction.partition(" ")
        marks.append(Mark(mark=MARK_OF_NOTICE.get(kind, "retracted"), detail=rest))
    copied = [note for note in source.standing if any(words in note for words in COPIED)]
    marks += [Mark(mark="copied", detail=note) for note in copied[:1]]
    differing = [item for item in source.evidence if item.stance == "differs"]
    marks += [Mark(mark="contradicted", detail=item.differs) for item in differing[:1]]
    return marks
