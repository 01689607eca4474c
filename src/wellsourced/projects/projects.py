"""The projects of people: begun, found by name, tagged, archived and deleted; and the services that fill them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wellsourced.errors import BadInput, NotFound, SessionNotFound
from wellsourced.identity import Identity
from wellsourced.pages.attempts import Reading
from wellsourced.projects.captures import Captures, QuotaReached
from wellsourced.projects.collector import Collector, now_text
from wellsourced.projects.project import (
    LONGEST_NAME,
    LONGEST_TAG,
    MOST_TAGS,
    DriftReport,
    PageCapture,
    Project,
    ProjectHead,
    ProjectItem,
    whole_json,
)
from wellsourced.projects.project_store import ProjectChange, ProjectStore
from wellsourced.projects.receipts import SigningKey
from wellsourced.projects.schedule import WatchList
from wellsourced.projects.signing_key_store import SigningKeyStore
from wellsourced.projects.watch import QUIET, Watcher

LONGEST_QUESTION = 1000
MOST_NAMED = 5
FROM_CAPTURE = "@"
REPORT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class ProjectReading:
    """A page that was read for a project. `capture` is None where there was no room for one; the notes say so."""

    name: str
    reading: Reading
    capture: PageCapture | None = None
    receipt: int | None = None


@dataclass(frozen=True, slots=True)
class ProjectReport:
    project: Project
    at: str
    document: str | dict[str, Any]
    drift: dict[str, Any] | None = None


class Projects:
    def __init__(
        self,
        store: ProjectStore,
        captures: Captures,
        collector: Collector,
        keys: SigningKeyStore,
        watcher: Watcher,
        watched: WatchList,
        post_report: Callable[[DriftReport], Awaitable[None]] | None = None,
    ) -> None:
        self.store = store
        self.watched = watched
        self._watcher = watcher
        self._post_report = post_report
        self._ids: dict[tuple[Identity, str], str] = {}
        self.keys = keys
        self.captures = captures
        self.collector = collector

    async def start(self, owner: Identity, name: str, question: str = "", tags: Iterable[str] = ()) -> Project:
        """A new project; a name that is taken is refused."""
        name = " ".join(name.split())
        if not name or len(name) > LONGEST_NAME or name.startswith(FROM_CAPTURE):
            raise BadInput(f"A project needs a name of 1 to {LONGEST_NAME} characters that does not begin with @.")
        if any(head.name.casefold() == name.casefold() for head in await self.store.heads(owner)):
            raise BadInput(f"You have a project of the name {name!r} already. Choose another one, or add to it.")
        at = now_text()
        question = " ".join(question.split())[:LONGEST_QUESTION]
        id = str(uuid.uuid4())
        head = ProjectHead(
            project_id=id, name=name, question=question, tags=clean_tags(tags), created_at=at, changed_at=at
        )
        self._ids[owner, name.casefold()] = id
        return await self.store.create(owner, head)

    async def heads(self, owner: Identity, *, archived: bool = False) -> Sequence[ProjectHead]:
        """The last changed first; archived ones only where they are asked for."""
        return [head for head in await self.store.heads(owner) if archived or not head.archived]

    async def find(self, owner: Identity, name: str) -> Project:
        """A project by its name or id, its items and captures with it."""
        wanted = " ".join(name.split())
        known = self._ids.get((owner, wanted.casefold()))
        if known and (project := await self._load_if(owner, known, wanted)):
            return project
        heads = await self.store.heads(owner)
        for head in heads:
            if wanted.casefold() in (head.project_id, head.name.casefold()):
                self._ids[owner, wanted.casefold()] = head.project_id
                return await self.store.load(owner, head.project_id)
        yours = ", ".join(repr(head.name) for head in heads[:MOST_NAMED])
        raise NotFound(f"There is no project {wanted[:LONGEST_NAME]!r}." + (f" Yours are {yours}." if yours else ""))

    async def _load_if(self, owner: Identity, id: str, name: str) -> Project | None:
        """A project that had this name, if it is there and has it still."""
        try:
            project = await self.store.load(owner, id)
        except NotFound:
            return None
        return project if name.casefold() in (project.id, project.head.name.casefold()) else None

    def _remembered(self, owner: Identity, name: str) -> tuple[Project, bool] | None:
        """A project as it was last seen, for whoever goes on to write: the store refuses what builds on an old one."""
        known = self.store.remembered(owner, self._ids.get((owner, " ".join(name.split()).casefold()), ""))
        return (known, False) if known else None

    async def find_or_start(self, owner: Identity, name: str) -> tuple[Project, bool]:
        """A project by name, begun where there is none, and whether it was."""
        try:
            return await self.find(owner, name), False
        except NotFound:
            return await self.start(owner, name), True

    async def read_page(
        self,
        owner: Identity,
        name: str,
        url: str,
        *,
        deadline: float,
        quote: str = "",
        session_id: str | None = None,
    ) -> ProjectReading:
        """Read and capture a page for a project, which is begun where there is none, and keep a quotation that stands
        in it; with an @ before the name the newest capture is read instead."""
        if name.startswith(FROM_CAPTURE):
            project = await self.find(owner, name[1:])
            page = await self.captures.read_again(project, url)
            note = f"Read from the capture of {page.capture.captured_at}, not from the network."
            return ProjectReading(project.head.name, with_notes(page.reading, [note]), page.capture)
        project, begun = self._remembered(owner, name) or await self.find_or_start(owner, name)
        notes = [f"The project {project.head.name!r} was begun."] if begun else []
        try:
            page, _ = await self.collector.capture_source(project, url, deadline, session_id=session_id)
        except QuotaReached as problem:  # the page is given all the same, and that it was not kept is said
            reading = await self.captures.read_uncaptured(project, url, deadline)
            return ProjectReading(project.head.name, with_notes(reading, [*notes, problem.sentence]))
        notes += filter(None, [self.captures.room_note(owner)])
        receipt = None
        if quote.strip():
            try:
                quoted = await self.collector.quote_page(page, quote)
                receipt = quoted.items[0].receipt
            except BadInput as problem:
                notes.append(problem.sentence)
        reading = with_notes(page.reading, notes)
        return ProjectReading(project.head.name, reading, page.capture, receipt)

    async def tag(self, project: Project, tags: Iterable[str], item: int | None = None) -> Project:
        """Replace the tags of the project, or of one item."""
        clean = clean_tags(tags)

        def change(known: Project) -> ProjectChange:
            head = _changed(known.head)
            if item is None:
                return ProjectChange(head.model_copy(update={"tags": clean}))
            return ProjectChange(head, [_item(known, item).model_copy(update={"tags": clean})])

        return await self.store.update(project.owner, project.id, change)

    async def archive(self, project: Project, archived: bool = True) -> Project:
        return await self.store.update(
            project.owner,
            project.id,
            lambda known: ProjectChange(_changed(known.head).model_copy(update={"archived": archived})),
        )

    async def remove(self, project: Project, item: int) -> Project:
        """Take an item out. Its number, its capture and its receipt stay, so that the chain of receipts holds."""

        def change(known: Project) -> ProjectChange:
            gone = _item(known, item)
            counts = {**known.head.counts, gone.kind: known.head.counts.get(gone.kind, 1) - 1}
            head = _changed(known.head).model_copy(update={"counts": {k: n for k, n in counts.items() if n}})
            left = ProjectItem(item=item, kind=gone.kind, added_at=gone.added_at, removed=True)
            return ProjectChange(head, [left])

        return await self.store.update(project.owner, project.id, change)

    async def delete(self, project: Project) -> int:
        """The project with all its captures; how many these were."""
        captures = await self.store.delete(project.owner, project.id)
        await self.watched.drop(project.id)
        await self.captures.used(project.owner)
        return captures

    async def watch(self, project: Project, deadline: float) -> DriftReport:
        """What became of everything in it; the webhook gets it where something did."""
        report = await self._watcher.watch(project, deadline)
        await self.watched.note(project.owner, project.id)
        if self._post_report and set(report.counts) - QUIET:
            await self._post_report(report)
        return report

    async def watch_due(self, owner: Identity, id: str, deadline: float) -> DriftReport:
        """For the schedule: raises NotFound for a project that is gone or was put away."""
        project = await self.store.load(owner, id)
        if project.head.archived:
            raise NotFound("The project was archived.")
        return await self.watch(project, deadline)

    async def refreshed(self, project: Project) -> Project:
        """With its sessions as they are now, as far as they have not ended."""
        for item in project.listed("session"):
            try:
                project = await self.collector.keep_session(project, item.session_id or "")
            except SessionNotFound:
                continue
        return project

    async def signing_key(self) -> SigningKey:
        return await self.keys.load()

    async def report(self, owner: Identity, name: str, format: str, watch_until: float | None = None) -> ProjectReport:
        """A project for people or programs, watched before where there is a time until which that may take."""
        from wellsourced.projects.report import html_report, markdown_report_of

        project = await self.find(owner, name)
        found = await self.watch(project, watch_until - REPORT_SECONDS) if watch_until else None
        project, at = await self.refreshed(await self.store.load(owner, project.id)), now_text()
        write = {"html": html_report, "markdown": markdown_report_of}.get(format)
        document = await asyncio.to_thread(write, project, at) if write else whole_json(project)
        drift = found.model_dump(by_alias=True, exclude_none=True) if found else None
        return ProjectReport(project, at, document, drift)

    async def keep_session(self, owner: Identity, name: str, session_id: str) -> None:
        """A session of a project, as it is now; the project is begun where there is none."""
        project, _ = await self.find_or_start(owner, name)
        await self.collector.keep_session(project, session_id)

    async def close(self) -> None:
        await self.store.close()


def with_notes(reading: Reading, notes: Iterable[str]) -> Reading:
    return replace(reading, notes=(*reading.notes, *notes))


def clean_tags(tags: Iterable[str]) -> list[str]:
    clean = list(dict.fromkeys(" ".join(tag.split()) for tag in tags if tag.strip()))
    if len(clean) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in clean):
        raise BadInput(f"There can be {MOST_TAGS} tags of {LONGEST_TAG} characters each.")
    return clean


def _changed(head: ProjectHead) -> ProjectHead:
    return head.model_copy(update={"changed_at": now_text()})


def _item(project: Project, number: int) -> ProjectItem:
    item = project.items.get(number)
    if item is None or item.removed:
        raise NotFound(f"The project has no item {number}.")
    return item
