"""citation_graph: who cites a paper, and what it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from wellsourced.scholarly.citation_neighbours import CitationGraph
from wellsourced.scholarly.paper_output import PaperPart, paper_part, papers_as_sources
from wellsourced.tool.arguments import SessionId
from wellsourced.tool.base import UNTRUSTED, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import describe_rest
from wellsourced.tool.sources import FoundSource

if TYPE_CHECKING:
    from wellsourced.scholarly.papers import Papers


class CitationGraphInput(ToolInput):
    paper: str = Field(
        min_length=1, max_length=500, description="DOI, arXiv id, PMID:number, or the paper's exact title."
    )
    direction: Literal["cited_by", "references", "both"] = Field("both", description="Which edges.")
    num_results: int = Field(10, ge=1, le=25, description="For each direction.")
    influential_only: bool = Field(False, description="Only influential ones.")
    provider: str | None = Field(None, description="semanticscholar (intent, influence) or openalex.")
    session_id: SessionId = None


class CitationGraphOutput(ToolOutput):
    seed: str
    direction: str
    provider: str
    cited_by: list[PaperPart] | None = None
    cited_by_count: int | None = None
    cited_by_total: int | None = None
    references: list[PaperPart] | None = None
    references_count: int | None = None
    references_total: int | None = None
    seed_paper: PaperPart | None = None
    more: str | None = None
    notes: list[str] | None = None
    trust: str

    @property
    def is_empty(self) -> bool:
        return not self.cited_by and not self.references

    def found_sources(self) -> list[FoundSource]:
        return papers_as_sources([*(self.cited_by or ()), *(self.references or ())])


async def run(input: CitationGraphInput, call: Call, papers: Papers) -> CitationGraphOutput:
    graph = await papers.graph(
        input.paper,
        input.direction,
        count=input.num_results,
        influential_only=input.influential_only,
        provider=input.provider,
        trace=call.trace,
        deadline=call.deadline,
    )
    return make_output(input, graph)


def make_output(input: CitationGraphInput, graph: CitationGraph) -> CitationGraphOutput:
    cited_by = None if graph.cited_by is None else [paper_part(paper) for paper in graph.cited_by]
    references = None if graph.references is None else [paper_part(paper) for paper in graph.references]
    rests = {
        "citedBy": describe_rest(input, len(cited_by or ()), total=graph.counts.cited_by),
        "references": describe_rest(input, len(references or ()), total=graph.counts.references),
    }
    return CitationGraphOutput(
        seed=input.paper,
        direction=input.direction,
        provider=graph.provider,
        cited_by=cited_by,
        cited_by_count=None if cited_by is None else len(cited_by),
        cited_by_total=graph.counts.cited_by if cited_by is not None else None,
        references=references,
        references_count=None if references is None else len(references),
        references_total=graph.counts.references if references is not None else None,
        seed_paper=paper_part(graph.seed),
        more=" ".join(f"{name}: {rest}" for name, rest in rests.items() if rest) or None,
        notes=list(dict.fromkeys(graph.notes)) or None,
        trust=UNTRUSTED,
    )


TOOL = Tool(
    name="citation_graph",
    title="Citation graph",
    description=(
        "Works that cite a paper (citedBy) and that it cites (references), one hop, with intent, influence and "
        "retraction status where known."
    ),
    input=CitationGraphInput,
    output=CitationGraphOutput,
    run=run,
    toolset="academic",
    order=170,
    label="citation graph",
    cache=86_400,
    routed=True,
)
