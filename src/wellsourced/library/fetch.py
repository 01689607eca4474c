"""fetch: the connector contract's whole document behind an id of search."""

from __future__ import annotations

import re

from pydantic import Field

from wellsourced.errors import BadInput
from wellsourced.library.connector import Connector, FetchedDocument
from wellsourced.pages.artifact_page import is_own_address
from wellsourced.text.budget import truncate_text
from wellsourced.tool.base import Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.sources import FoundSource

TEXT_BYTES = 28_000
"""Of one answer: seven thousand tokens."""
NEXT = "#offset="
OFFSET = re.compile(r"#offset=([0-9]{1,9})$")


class FetchInput(ToolInput):
    id: str = Field(min_length=1, max_length=4096, description="Id from search, metadata.nextId, or an address.")

    @property
    def is_personal(self) -> bool:
        """The library holds what only this caller may see."""
        return True


class FetchOutput(ToolOutput):
    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str] | None = None

    def found_sources(self) -> list[FoundSource]:
        if is_own_address(self.url):
            return []
        about = self.metadata or {}
        return [
            FoundSource(
                url=self.url,
                title=self.title,
                type="scraped",
                author=about.get("author"),
                date=about.get("date"),
                doi=about.get("doi"),
                retraction=about.get("retraction"),
            )
        ]


async def run(input: FetchInput, call: Call, connector: Connector) -> FetchOutput:
    id, start = split_offset(input.id)
    return output(await connector.fetch(id, call), start)


def output(document: FetchedDocument, start: int) -> FetchOutput:
    """The document from a place on; where it is too long for one answer, the id that goes on is in the metadata."""
    if start >= len(document.text) > 0:
        raise BadInput(f"The document has {len(document.text)} characters; {NEXT}{start} is beyond its end.")
    rest = document.text[start:]
    text, is_cut = truncate_text(rest, max_bytes=TEXT_BYTES, marker="")
    reached = start + len(text)
    more = {"nextId": f"{document.id}{NEXT}{reached}", "charactersLeft": str(len(document.text) - reached)}
    return FetchOutput(
        id=document.id,
        title=document.title,
        text=text,
        url=document.url,
        metadata={**document.metadata, **(more if is_cut else {})} or None,
    )


def split_offset(id: str) -> tuple[str, int]:
    """An id and the place it goes on from, as the metadata of a long document gives it."""
    found = OFFSET.search(id)
    return (id[: found.start()], int(found[1])) if found else (id, 0)


TOOL = Tool(
    name="fetch",
    title="Fetch a document",
    description=(
        "The full text of a search result by id, with title and address; a long one goes on at metadata.nextId."
    ),
    input=FetchInput,
    output=FetchOutput,
    run=run,
    toolset="connector",
    order=320,
    cache=3600,
    label="scrape",
)
