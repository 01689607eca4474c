"""structured_search: a search whose hits come back as fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field, field_validator

from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.answers import StructuredQuery, StructuredResult

if TYPE_CHECKING:
    from wellsourced.upstream_client.lookup import Lookup


class StructuredSearchInput(ToolInput):
    query: str = Field(min_length=1, max_length=2000, description="Words.")
    category: str | None = Field(None, description="company, people, research paper, news, pdf, github …")
    num_results: int = Field(5, ge=1, le=10, description="How many.")
    schema_: dict[str, Any] | None = Field(None, alias="schema", description="The fields wanted.")
    provider: str | None = Field(None, description="exa.")

    @field_validator("schema_", mode="before")
    @classmethod
    def is_a_schema(cls, value: Any) -> Any:
        if value is None or isinstance(value, dict):
            return value
        raise ValueError('it must be a JSON object, {"type": "object", "properties": {"name": {"type": "string"}}}.')


class StructuredSearchResult(OutputPart):
    url: str
    title: str | None = None
    published_date: str | None = None
    author: str | None = None
    summary: Any = None
    highlights: list[str] | None = None
    entities: Any = None


class StructuredSearchOutput(ToolOutput):
    empty_lifetime: ClassVar[float] = 0
    query: str
    category: str
    result_count: int
    results: list[StructuredSearchResult]
    provider: str
    cost_usd: float | None = None
    notes: list[str] | None = None
    trust: str

    @property
    def is_empty(self) -> bool:
        return not self.results


async def run(input: StructuredSearchInput, call: Call, lookup: Lookup) -> StructuredSearchOutput:
    query = StructuredQuery(text=input.query, category=input.category, schema=input.schema_, count=input.num_results)
    looked = await lookup.ask(Kind.STRUCTURED, query, provider=input.provider, deadline=call.deadline, trace=call.trace)
    found: StructuredResult = looked.found
    results = [StructuredSearchResult.from_record(item) for item in found.items]
    return StructuredSearchOutput(
        query=input.query,
        category=input.category or "",
        result_count=len(results),
        results=results,
        provider=looked.provider,
        cost_usd=found.cost,
        notes=list(found.notes) or None,
        trust=UNTRUSTED,
    )


TOOL = Tool(
    name="structured_search",
    title="Structured search",
    description=(
        "Search (Exa, paid) and read fields from each hit by a flat JSON schema. highlights are verbatim; summary "
        "is best effort."
    ),
    input=StructuredSearchInput,
    output=StructuredSearchOutput,
    run=run,
    toolset="answers",
    order=160,
    label="structured search",
    cache=3600,
    when=("EXA_API_KEY",),
)
