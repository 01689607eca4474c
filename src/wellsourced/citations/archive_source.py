"""archive_source: a fresh copy of a page in the Wayback Machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from wellsourced.citations.web_archive import ArchiveResult
from wellsourced.text.moments import format_rfc3339
from wellsourced.tool.base import UNTRUSTED, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.sources import FoundSource

if TYPE_CHECKING:
    from wellsourced.citations.web_archive import WebArchive

SOURCE = "web.archive.org Save Page Now"


class ArchiveSourceInput(ToolInput):
    url: str = Field(min_length=1, max_length=4000, description="Public http(s) address.")


class ArchiveSourceOutput(ToolOutput):
    requested_url: str
    snapshot_url: str | None = None
    archived_at: str | None = None
    captured: bool
    status: str
    http_status: int | None = None
    reason: str | None = None
    poll_url: str | None = None
    source: str
    provenance: list[str] | None = None
    trust: str

    def found_sources(self) -> list[FoundSource]:
        return [FoundSource(url=self.requested_url, archived_url=self.snapshot_url)] if self.snapshot_url else []


async def run(input: ArchiveSourceInput, call: Call, web_archive: WebArchive) -> ArchiveSourceOutput:
    url = input.url.strip()
    result = await web_archive.capture(url, call.deadline)
    return make_output(url, result)


def make_output(url: str, result: ArchiveResult) -> ArchiveSourceOutput:
    return ArchiveSourceOutput.from_record(
        result,
        requested_url=url,
        snapshot_url=result.snapshot.url if result.snapshot else None,
        archived_at=format_rfc3339(result.archived_at) if result.archived_at else None,
        source=SOURCE,
        provenance=list(result.steps) or None,
        trust=UNTRUSTED,
    )


TOOL = Tool(
    name="archive_source",
    title="Archive a source",
    description=(
        "Have the Internet Archive keep a copy of a page. Falls back to its newest copy and says so; fresh ones "
        "need archive.org keys."
    ),
    input=ArchiveSourceInput,
    output=ArchiveSourceOutput,
    run=run,
    toolset="trust",
    order=290,
    label="archive",
    read_only=False,
    open_world=False,
)
