"""search: the connector contract's search over the library and the web."""

from __future__ import annotations

from wellsourced.library.connector import Connector
from wellsourced.tool.arguments import Query
from wellsourced.tool.base import OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.sources import FoundSource


class SearchInput(ToolInput):
    query: Query

    @property
    def is_personal(self) -> bool:
        """The library holds what only this caller may see."""
        return True


class LibrarySearchResult(OutputPart):
    id: str
    title: str
    url: str


class SearchOutput(ToolOutput):
    results: list[LibrarySearchResult]

    @property
    def is_empty(self) -> bool:
        return not self.results

    def found_sources(self) -> list[FoundSource]:
        return [FoundSource(url=item.url, title=item.title, type="web") for item in self.results]


async def run(input: SearchInput, call: Call, connector: Connector) -> SearchOutput:
    found = await connector.find(input.query, call)
    return SearchOutput(results=[LibrarySearchResult(id=id, title=hit.title, url=hit.url) for id, hit in found])


TOOL = Tool(
    name="search",
    title="Search",
    description=(
        "Search the web and everything read before; gives ids, titles and addresses. Open one with fetch. For "
        "filters and snippets use web_search."
    ),
    input=SearchInput,
    output=SearchOutput,
    run=run,
    toolset="connector",
    order=310,
    cache=1800,
    label="search",
    routed=True,
)
