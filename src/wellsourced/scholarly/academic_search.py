"""academic_search: find scholarly papers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pydantic import Field, field_validator

from wellsourced.errors import BadInput
from wellsourced.scholarly.paper_output import PaperPart, paper_part, papers_as_sources
from wellsourced.tool.arguments import SessionId, Words, none_for_zero
from wellsourced.tool.base import Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import (
    Hints,
    ResultList,
    build_query,
    describe_rest,
    list_fields,
    make_routed_hints,
    used_filters,
)
from wellsourced.tool.sources import FoundSource
from wellsourced.upstream import Kind
from wellsourced.upstream_client.entities import JOURNAL, PERSON, resolution_note
from wellsourced.upstreams.types.paper import PaperQuery

if TYPE_CHECKING:
    from wellsourced.scholarly.papers import Papers
    from wellsourced.upstream_client.entities import Entities
    from wellsourced.upstream_client.provider_choice import ProviderChoice

OPENALEX = "openalex"
NAMED = re.compile(r'(author|journal):\s{0,3}(?:"([^"]{2,100})"|([^;"]{2,100}))[;,\s]{0,4}(.*)', re.I | re.S)
IDENTIFIER = re.compile(r"[0-9]{4}-[0-9]{3}[0-9Xx]|(?:[0-9]{4}-){3}[0-9]{3}[0-9Xx]")
FIRST_YEAR, LAST_YEAR = 1900, 2030
FILTERS = ("open_access", "pdf_only", "full_text", "year_from", "year_to", "source", "lens")


class AcademicSearchInput(ToolInput):
    query: Words = Field(description="Topic or title; author: Name; words, or journal: Name; words.")
    num_results: int = Field(5, ge=1, le=10, description="How many.")
    year_from: int | None = Field(None, ge=FIRST_YEAR, le=LAST_YEAR, description="First year.")
    year_to: int | None = Field(None, ge=FIRST_YEAR, le=LAST_YEAR, description="Last year.")
    source: Literal["all", "arxiv", "pubmed", "ieee", "nature", "springer"] = Field(
        "all", description="Only from here."
    )
    pdf_only: bool = Field(False, description="Only with a free PDF.")
    sort_by: Literal["relevance", "date"] = Field("relevance", description="date: newest of the relevant.")
    open_access: bool = Field(False, description="Only free to read.")
    full_text: bool = Field(False, description="Only with readable full text.")
    lens: str | None = Field(None, description="Named domain set.")
    provider: str | None = Field(
        None,
        description=("openalex, crossref, pubmed, semanticscholar, arxiv or a web engine; 'all' merges."),
    )
    session_id: SessionId = None

    _left_out = field_validator("year_from", "year_to", mode="before")(none_for_zero)


class AcademicSearchOutput(ResultList):
    papers: list[PaperPart]
    total_results: int
    source: str
    filters_not_applied: list[str] | None = None

    def found_sources(self) -> list[FoundSource]:
        return papers_as_sources(self.papers)


async def run(
    input: AcademicSearchInput, call: Call, papers: Papers, providers: ProviderChoice, entities: Entities
) -> AcademicSearchOutput:
    query, provider, notes = await with_identifier(paper_query(input), input.provider, call, entities)
    results = await papers.find(query, provider=provider, lens=input.lens, trace=call.trace, deadline=call.deadline)
    return AcademicSearchOutput(
        papers=[paper_part(paper) for paper in results.papers],
        total_results=results.total,
        source=results.source,
        filters_not_applied=list(results.filters_not_applied) or None,
        **list_fields(
            input.query,
            results.papers,
            (*notes, *results.notes),
            None if results.papers else zero_result_hints(input, call, providers),
            describe_rest(input, len(results.papers), total=results.total),
        ),
    )


async def with_identifier(
    query: PaperQuery, provider: str | None, call: Call, entities: Entities
) -> tuple[PaperQuery, str | None, tuple[str, ...]]:
    """`author: Name` and `journal: Name` as the ORCID or ISSN that Wikidata knows; by words where it knows no single
    one. OpenAlex is asked then, which finds by both."""
    named = NAMED.fullmatch(query.text.strip())
    if named is None:
        return query, provider, ()
    name, rest = (named[2] or named[3]).strip(), named[4].strip()
    by_words = replace(query, text=f"{name} {rest}".strip())
    holding = PERSON if named[1].lower() == "author" else JOURNAL
    found = await entities.resolve(name, holding, call.deadline) if (provider or OPENALEX) == OPENALEX else None
    number = found.identifiers[holding[0]] if found else ""
    if found is None or not IDENTIFIER.fullmatch(number):
        return by_words, provider, (f"{name!r} was searched by words: no {holding[0]} of a single one is known.",)
    note = resolution_note(name, found, f"{holding[0]} {number}")
    known = replace(query, text=rest, orcid=number) if holding is PERSON else replace(query, text=rest, issn=number)
    return known, OPENALEX, (note,)


def paper_query(input: AcademicSearchInput) -> PaperQuery:
    if input.year_from and input.year_to and input.year_from > input.year_to:
        raise BadInput(f"year_from ({input.year_from}) is after year_to ({input.year_to}); swap them.")
    return build_query(PaperQuery, input, text=input.query, count=input.num_results)


def zero_result_hints(input: AcademicSearchInput, call: Call, providers: ProviderChoice) -> Hints:
    """The filters that take most away come first."""
    return make_routed_hints(call, providers, Kind.PAPERS, used_filters(input, *FILTERS))


TOOL = Tool(
    name="academic_search",
    title="Academic search",
    description=(
        "Search scholarly papers: authors, journal, year, DOI, abstract, citations, free PDF, retraction status."
    ),
    input=AcademicSearchInput,
    output=AcademicSearchOutput,
    run=run,
    toolset="academic",
    order=60,
    label="academic search",
    cache=3600,
    routed=True,
)
