"""fetch: the connector contract's whole document behind an id of search."""

from __future__ import annotations

from pydantic import Field

from wellsourced.library.connector import Connector
from wellsourced.tool.base import Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.sources import FoundSource


class FetchInput(ToolInput):
    id: str = Field(min_length=1, max_length=4096, description="Id from search; an address works too.")

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
    opened = await connector.fetch(input.id, call)
    return FetchOutput(
        id=opened.id, title=opened.title, text=opened.text, url=opened.url, metadata=opened.metadata or None
    )


TOOL = Tool(
    name="fetch",
    title="Fetch a document",
    description=(
        "The full text of a search result by id, with title and address. For passages of long pages use scrape_page."
    ),
    input=FetchInput,
    output=FetchOutput,
    run=run,
    toolset="connector",
    order=320,
    cache=3600,
    label="scrape",
)
