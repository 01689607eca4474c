"""Watching a project: its pages are read again, and for each quotation, citation and link it is said what became of it.

Politely: one page of a host after the other at the pace that the reader keeps, only what changed where a site can tell,
links of pages that are not quoted only looked at. Nobody else is asked about a private address. A page that changed is
captured as it is now, so that the change can be shown too.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from wellsourced.citations.link_checker import LinkChecker, is_moved
from wellsourced.citations.web_archive import WebArchive
from wellsourced.errors import AuthRequired, Blocked, NotFound, WellsourcedError
from wellsourced.evidence.difference_part import difference_parts
from wellsourced.net.concurrency import gather_with_limit
from wellsourced.pages.attempts import FetchedReading, NotModified, Reading
from wellsourced.pages.reader import Reader
from wellsourced.projects.captures import Captures, QuotaReached
from wellsourced.projects.collector import now_text
from wellsourced.projects.project import DriftFinding, DriftReport, Mark, PageCapture, Project, ProjectItem
from wellsourced.projects.project_store import ProjectChange, ProjectStore
from wellsourced.projects.quotation_drift import QuotationDrift, compare_quotation, look_outside
from wellsourced.text.urls import host_of, is_web_url

if TYPE_CHECKING:
    from wellsourced.scholarly.papers import Papers

Job: TypeAlias = Callable[[], Awaitable[list[DriftFinding]]]

HOSTS_AT_ONCE = 4
PAGE_SECONDS = 60.0
QUIET = frozenset({"unchanged", "alive", "unknown"})
"""States that need no message."""
WALLS = (Blocked, AuthRequired)
MARKS = ("changed", "gone", "wall", "moved", "dead", "retracted", "corrected", "concern")


@dataclass(frozen=True, slots=True)
class PageNow:
    """A page as it is now: read, not modified, or the error that came instead."""

    fetched: FetchedReading | None = None
    error: WellsourcedError | None = None

    @property
    def moved_to(self) -> str | None:
        return self.fetched.fetched[-1].reply.url if self.fetched and self.fetched.fetched else None


class Watcher:
    def __init__(
        self,
        store: ProjectStore,
        captures: Captures,
        get_reader: Callable[[], Reader],
        links: LinkChecker,
        archive: WebArchive,
        get_papers: Callable[[], Papers],
    ) -> None:
        self._store = store
        self._captures = captures
        self._reader = get_reader
        self._links = links
        self._archive = archive
        self._papers = get_papers

    async def watch(self, project: Project, deadline: float) -> DriftReport:
        """What became of every item; the report is kept with the project."""
        pages: dict[int, list[ProjectItem]] = {}
        for item in project.listed("quote"):
            if (capture := project.capture_of(item)) and is_web_url(capture.final_url):
                pages.setdefault(capture.capture, []).append(item)
        quoted = {project.captures[number].final_url for number in pages}
        others = [item for item in project.listed("source") if item.url not in quoted]
        work: list[Job] = [partial(self._page, project, n, items, deadline) for n, items in pages.items()]
        work += [partial(self._link, item, deadline) for item in others]
        hosts = [host_of(project.captures[number].final_url) for number in pages]
        hosts += [host_of(item.url or "") for item in others]
        found = await self._by_host(hosts, work, deadline)
        for item in project.listed("citation", "source"):
            if item.doi:
                found += await self._notice(item, deadline)
        missing = {item.item for item in project.listed("quote", "citation")} - {each.item for each in found}
        found += [_finding(project.items[number], "unknown", detail=NOT_LOOKED_AT) for number in missing]
        return await self._keep(project, sorted(found, key=lambda each: each.item))

    async def _by_host(self, hosts: Sequence[str], work: Sequence[Job], deadline: float) -> list[DriftFinding]:
        """One after the other at each host, a few hosts side by side; what was not reached in time is left out."""
        queues: dict[str, list[Job]] = {}
        for host, job in zip(hosts, work, strict=True):
            queues.setdefault(host, []).append(job)
        found: list[DriftFinding] = []

        async def run(queue: list[Job]) -> None:
            for job in queue:
                found.extend(await job())

        await gather_with_limit(list(queues.values()), run, at_once=HOSTS_AT_ONCE, deadline=deadline)
        return found

    async def _page(
        self, project: Project, number: int, items: Sequence[ProjectItem], deadline: float
    ) -> list[DriftFinding]:
        """What became of the quotations from one capture, and of the source that it was made of."""
        capture = project.captures[number]
        now = await self._read_now(project, capture, deadline)
        findings = await self._quotations(project, capture, items, now)
        if any(each.state in {"changed", "gone", "moved"} for each in findings) and now.fetched:
            await self._keep_page(project, capture, now.fetched)
        archived = await self._archived(capture, now, deadline)
        where = {"archived_url": archived, "moved_to": _new_address(capture, now)}
        findings = [each.model_copy(update=where) for each in findings]
        sources = [item for item in project.listed("source") if item.url == capture.final_url]
        return findings + [_link_finding(item, capture, now, archived) for item in sources]

    async def _read_now(self, project: Project, capture: PageCapture, deadline: float) -> PageNow:
        named = {"if-none-match": capture.etag, "if-modified-since": capture.last_modified}
        validators = {name: value for name, value in named.items() if value}
        limit = min(deadline, time.monotonic() + PAGE_SECONDS)
        try:
            return PageNow(
                await self._reader().fetch(
                    capture.url, tenant=project.owner.tenant, deadline=limit, validators=validators
                )
            )
        except NotModified:
            return PageNow()
        except WellsourcedError as error:
            return PageNow(error=error)

    async def _quotations(
        self, project: Project, capture: PageCapture, items: Sequence[ProjectItem], now: PageNow
    ) -> list[DriftFinding]:
        if now.error:
            state, detail = page_state(now.error), now.error.sentence
            return [_finding(item, state, was=item.quote, detail=detail) for item in items]
        if now.fetched is None:
            return [
                _finding(item, "unchanged", detail="The site says that the page has not changed.") for item in items
            ]
        before = await self._captures.read(project, capture)
        return [await self._quotation(item, before, now.fetched) for item in items]

    async def _quotation(self, item: ProjectItem, before: Reading, after: FetchedReading) -> DriftFinding:
        quote, workers = item.quote or "", self._reader().workers
        drift: QuotationDrift = await workers.run(compare_quotation, quote, before.page, after.reading.page)
        if drift.state in {"gone", "changed"} and after.fetched and after.reading.page.content_type == "html":
            reply = after.fetched[-1].reply
            kind = reply.headers.get("content-type", "")
            drift = await workers.run(look_outside, drift, quote, before.page, reply.body, kind)
        return _finding(
            item,
            drift.state,
            was=item.quote if drift.state != "unchanged" else None,
            now=drift.now,
            differences=difference_parts(drift.differences),
            detail=drift.detail,
        )

    async def _keep_page(self, project: Project, capture: PageCapture, fetched: FetchedReading) -> None:
        try:
            await self._captures.check_room(project.owner)
            await self._captures.keep(project, capture.url, fetched)
        except QuotaReached:  # the finding stands without it
            return

    async def _archived(self, capture: PageCapture, now: PageNow, deadline: float) -> str | None:
        if not isinstance(now.error, NotFound):
            return None
        copy = await self._archive.find_newest(capture.final_url, deadline)
        return copy.value.url if copy.value else None

    async def _link(self, item: ProjectItem, deadline: float) -> list[DriftFinding]:
        """Of a source that is not quoted, only whether its link still leads there."""
        if not item.url or not is_web_url(item.url):
            return []
        link = await self._links.check_link(item.url, deadline)
        state = "unknown" if link.live is None else "dead" if not link.live else "moved" if link.moved_to else "alive"
        more = {"moved_to": link.moved_to, "archived_url": link.archived_url, "detail": link.reason}
        return [_finding(item, state, **more)]

    async def _notice(self, item: ProjectItem, deadline: float) -> list[DriftFinding]:
        """What was published against a work; of a source only where there is something."""
        notice = await self._papers().doi_services.find_notice(item.doi or "", deadline)
        if notice.value:
            state = "retracted" if notice.value.retracted else "corrected"
            detail = " ".join(filter(None, (notice.value.kind, notice.value.date, f"({notice.value.source})")))
            return [_finding(item, state, detail=detail)]
        if item.kind == "source":
            return []
        return [_finding(item, "unchanged" if notice.is_known else "unknown", detail=notice.why or None)]

    async def _keep(self, project: Project, findings: Sequence[DriftFinding]) -> DriftReport:
        report = DriftReport(
            project_id=project.id,
            name=project.head.name,
            watched_at=now_text(),
            counts=dict(Counter(each.state for each in findings)),
            findings=list(findings),
        )

        def change(known: Project) -> ProjectChange:
            head = known.head.model_copy(update={"watched_at": report.watched_at, "drift": report.counts})
            items = [_marked(known.items[each.item], each) for each in findings if each.item in known.items]
            return ProjectChange(head, _merged_items(items), drift=report)

        await self._store.update(project.owner, project.id, change)
        return report


NOT_LOOKED_AT = "There was no time to look, or nothing to look at."


def page_state(error: WellsourcedError) -> Any:
    """What an error says of a page: that it is gone, behind a wall, or nothing."""
    return "gone" if isinstance(error, NotFound) else "wall" if isinstance(error, WALLS) else "unknown"


def _finding(item: ProjectItem, state: Any, **fields: Any) -> DriftFinding:
    about: dict[str, Any] = {"url": item.url, "title": item.title or item.text, "checked_at": now_text()}
    return DriftFinding(item=item.item, kind=item.kind, state=state, **about, **fields)


def _new_address(capture: PageCapture, now: PageNow) -> str | None:
    return now.moved_to if now.moved_to and is_moved(capture.final_url, now.moved_to) else None


def _link_finding(item: ProjectItem, capture: PageCapture, now: PageNow, archived: str | None) -> DriftFinding:
    if now.error:
        state = page_state(now.error)
        return _finding(item, "dead" if state == "gone" else state, detail=now.error.sentence, archived_url=archived)
    if moved_to := _new_address(capture, now):
        return _finding(item, "moved", moved_to=moved_to)
    return _finding(item, "alive")


def _marked(item: ProjectItem, finding: DriftFinding) -> ProjectItem:
    """With the finding and, where it is worth a mark, a mark; marks that other services set stay."""
    kept = [mark for mark in item.marks if mark.mark not in MARKS or finding.state == "unknown"]
    if finding.state not in QUIET:
        kept = [mark for mark in kept if mark.mark != finding.state]
        kept.append(Mark(mark=finding.state, detail=finding_words(finding)))
    return item.model_copy(update={"drift": finding, "marks": kept})


def _merged_items(items: Sequence[ProjectItem]) -> list[ProjectItem]:
    """Each item once: what two findings say of one is said by the later, with the marks of both."""
    merged: dict[int, ProjectItem] = {}
    for item in items:
        earlier = merged.get(item.item)
        marks = [*(earlier.marks if earlier else []), *item.marks]
        unique = list({mark.mark: mark for mark in marks}.values())
        merged[item.item] = item.model_copy(update={"marks": unique})
    return list(merged.values())


def finding_words(finding: DriftFinding) -> str:
    """A finding in words."""
    if finding.differences:
        return "; ".join(
            f"“{each.claim}” is now “{each.source}”"
            if each.claim and each.source
            else f"“{each.claim}” is left out"
            if each.claim
            else f"“{each.source}” was added"
            for each in finding.differences
        )
    parts = (finding.detail, f"It is now at {finding.moved_to}." if finding.moved_to else "")
    copies = f"An archived copy is at {finding.archived_url}." if finding.archived_url else ""
    return " ".join(filter(None, (*parts, copies)))
