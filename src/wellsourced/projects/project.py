"""A project: a named, lasting collection of sources, quotations, citations, files and sessions.

What is read for it is captured (`PageCapture`), each quotation has a receipt, and a watch says what changed since.
These are the forms in which it is stored, exported and shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pydantic import Field

from wellsourced.evidence.difference_part import DifferencePart
from wellsourced.identity import Identity
from wellsourced.tool.base import OutputPart

ItemKind: TypeAlias = Literal["source", "quote", "citation", "file", "session"]
DriftState: TypeAlias = Literal[
    "unchanged", "moved", "changed", "gone", "wall", "unknown", "alive", "dead", "retracted", "corrected"
]
LONGEST_NAME = 120
LONGEST_TAG = 60
MOST_TAGS = 20


class Mark(OutputPart):
    """What a reader must know of an item: retracted, corrected, concern, copied, contradicted, or how it drifted."""

    mark: str
    detail: str = ""


class DriftFinding(OutputPart):
    """What became of an item since it was added; `was` and `now` are both wordings of a quotation."""

    item: int
    kind: ItemKind
    state: DriftState
    checked_at: str
    url: str | None = None
    title: str | None = None
    was: str | None = None
    now: str | None = None
    differences: list[DifferencePart] | None = None
    detail: str | None = None
    moved_to: str | None = None
    archived_url: str | None = None


class ProjectItem(OutputPart):
    """One thing in a project. `capture` and `receipt` are numbers within the project; `record` is a session as it was
    exported, kept beyond its end. One that was taken out keeps its number and nothing else."""

    item: int
    kind: ItemKind
    added_at: str
    tags: list[str] = Field(default_factory=list)
    url: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    type: str | None = None
    doi: str | None = None
    quote: str | None = None
    claim: str | None = None
    start: int | None = None
    end: int | None = None
    link: str | None = None
    status: str | None = None
    text: str | None = None
    content_type: str | None = None
    bytes: int | None = None
    session_id: str | None = None
    step_count: int | None = None
    source_count: int | None = None
    record: dict[str, Any] | None = None
    capture: int | None = None
    receipt: int | None = None
    marks: list[Mark] = Field(default_factory=list)
    drift: DriftFinding | None = None
    removed: bool | None = None


class PageCapture(OutputPart):
    """What was read from one address, as it came. `digest` is of the body, `text_digest` of the text in which places
    are counted; a body that is there already is kept once, and `same_as` names its capture."""

    capture: int
    url: str
    final_url: str
    captured_at: str
    status: int
    content_type: str
    bytes: int
    stored: int
    digest: str
    text_digest: str
    record: str
    way: str
    title: str = ""
    same_as: int | None = None
    session_id: str | None = None
    etag: str | None = None
    last_modified: str | None = None


class DriftReport(OutputPart):
    """What a watch found, item by item."""

    project_id: str
    name: str
    watched_at: str
    counts: dict[str, int]
    findings: list[DriftFinding]


class ProjectHead(OutputPart):
    """What is known of a project without its parts. `numbered` counts the items ever added, removed ones included."""

    project_id: str
    name: str
    question: str = ""
    tags: list[str] = Field(default_factory=list)
    archived: bool = False
    created_at: str
    changed_at: str
    counts: dict[str, int] = Field(default_factory=dict)
    numbered: int = 0
    captures: int = 0
    capture_bytes: int = 0
    receipts: int = 0
    chain: str = ""
    watched_at: str | None = None
    drift: dict[str, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """`revision` counts the writes; it tells a stale copy from a fresh one."""

    owner: Identity
    head: ProjectHead
    items: Mapping[int, ProjectItem] = field(default_factory=dict)
    captures: Mapping[int, PageCapture] = field(default_factory=dict)
    receipts: Mapping[int, dict[str, Any]] = field(default_factory=dict)
    drift: DriftReport | None = None
    revision: int = 0

    @property
    def id(self) -> str:
        return self.head.project_id

    def listed(self, *kinds: ItemKind) -> list[ProjectItem]:
        """The items that are there, in the order of adding; of some kinds, or of all."""
        return [item for item in self.items.values() if not item.removed and (not kinds or item.kind in kinds)]

    def capture_of(self, item: ProjectItem) -> PageCapture | None:
        return self.captures.get(item.capture) if item.capture else None


def head_json(head: ProjectHead) -> dict[str, Any]:
    return head.model_dump(by_alias=True, exclude_none=True, exclude={"chain", "numbered"})


def item_json(item: ProjectItem) -> dict[str, Any]:
    """As it is shown: a session's own record is only exported."""
    return item.model_dump(by_alias=True, exclude_none=True, exclude={"record"})


def whole_json(project: Project) -> dict[str, Any]:
    """All that is kept of a project, but the captured bytes."""
    parts = {"items": project.listed(), "captures": project.captures.values()}
    listed = {name: [_dump(part) for part in found] for name, found in parts.items()}
    drift = {"drift": _dump(project.drift)} if project.drift else {}
    counted = {"receiptCount": project.head.receipts}
    return {**_dump(project.head), **listed, **counted, "receipts": list(project.receipts.values()), **drift}


def _dump(part: OutputPart) -> dict[str, Any]:
    return part.model_dump(by_alias=True, exclude_none=True)


def project_json(project: Project) -> dict[str, Any]:
    return head_json(project.head) | {"items": [item_json(item) for item in project.listed()]}
