"""patent_search: find patents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from wellsourced.errors import BadInput
from wellsourced.scholarly.patents import covers_office, search_url
from wellsourced.tool.arguments import SessionId, none_for_zero
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import (
    WARNING,
    Hints,
    ResultList,
    SuggestedAction,
    describe_rest,
    list_fields,
    make_routed_hints,
    used_filters,
)
from wellsourced.tool.sources import FoundSource, WorkDetails
from wellsourced.upstream import Kind
from wellsourced.upstreams.helpers.search_operators import cut_at_word
from wellsourced.upstreams.types.patent import Patent, PatentQuery

if TYPE_CHECKING:
    from wellsourced.scholarly.patents import Patents
    from wellsourced.upstream_client.provider_choice import ProviderChoice

ABSTRACT_LENGTH = 1000
FIRST_CLAIM_LENGTH = 500
RECORD_LENGTHS = {
    "claims": 6000, "family": 1000, "cites": 1500, "cited_by": 1500, "legal_events": 1000, "description": 1500,
}  # fmt: skip
SECTIONS = {
    "claims": "Claims", "family": "Family", "cites": "Patent citations", "cited_by": "Cited by",
    "legal_events": "Legal events", "description": "Description",
}  # fmt: skip
FIRST_YEAR, LAST_YEAR = 1700, 2100
FILTERS = ("patent_office", "year_from", "year_to", "cpc_code", "assignee", "inventor")


class PatentSearchInput(ToolInput):
    query: str | None = Field(None, max_length=500, description="Words or number; or give assignee or inventor.")
    num_results: int = Field(5, ge=1, le=10, description="How many.")
    search_type: Literal["prior_art", "specific", "landscape"] = Field(
        "prior_art", description="specific: one number; landscape: also grouped by owner."
    )
    patent_office: Literal["all", "US", "EP", "WO", "JP", "CN", "KR"] = Field("all", description="Office.")
    assignee: str | None = Field(None, max_length=200, description="Owner, with or without Inc, Ltd, GmbH.")
    inventor: str | None = Field(None, max_length=200, description="Inventor's name.")
    cpc_code: str | None = Field(None, max_length=30, description="CPC class, e.g. G06F or G06F3/01.")
    year_from: int | None = Field(None, description="First filing year.")
    year_to: int | None = Field(None, description="Last filing year.")
    provider: str | None = Field(
        None, description="epo, lens, uspto, searchapi, google_patents (numbers) or a web engine."
    )
    session_id: SessionId = None

    _left_out = field_validator("year_from", "year_to", mode="before")(none_for_zero)

    @model_validator(mode="after")
    def asks_something(self) -> PatentSearchInput:
        said = (self.query, self.assignee, self.inventor, self.cpc_code)
        if not any(text and text.strip() for text in said):
            raise ValueError("Give a query (words or a patent number), an assignee or an inventor.")
        return self


class PatentPart(OutputPart):
    title: str
    number: str
    url: str
    abstract: str | None = None
    assignee: str | None = None
    inventor: str | None = None
    inventors: list[str] | None = None
    filed: str | None = None
    granted: str | None = None
    published: str | None = None
    priority: str | None = None
    cpc: list[str] | None = None
    pdf: str | None = None
    status: str | None = None
    source: str | None = None
    claims: list[str] | None = None
    family: list[str] | None = None
    cites: list[str] | None = None
    cited_by: list[str] | None = None
    legal_events: list[str] | None = None
    description: list[str] | None = None
    application: str | None = None


class AssigneeCluster(OutputPart):
    assignee: str
    count: int
    numbers: list[str]


class PatentSearchOutput(ResultList):
    empty_lifetime: ClassVar[float] = 0
    patents: list[PatentPart]
    search_type: str
    source: str
    search_url: str | None = None
    assignee_clusters: list[AssigneeCluster] | None = None

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(
                url=patent.url,
                title=f"{patent.title} ({patent.number})",
                type="patent",
                author=patent.inventor or patent.assignee,
                date=patent.granted or patent.published or patent.filed,
                work=WorkDetails(kind="patent", number=patent.number),
            )
            for patent in self.patents
        ]


async def run(input: PatentSearchInput, call: Call, patents: Patents, providers: ProviderChoice) -> PatentSearchOutput:
    query = patent_query(input)
    found = await patents.find(
        query, input.search_type, provider=input.provider, trace=call.trace, deadline=call.deadline
    )
    groups = [AssigneeCluster(assignee=g.assignee, count=g.count, numbers=list(g.numbers)) for g in found.clusters]
    return PatentSearchOutput(
        patents=[patent_part(patent, input.search_type) for patent in found.patents],
        search_type=input.search_type,
        source=found.source,
        search_url=search_url(query, input.search_type),
        assignee_clusters=groups or None,
        **list_fields(
            query.text,
            found.patents,
            (*found.notes, *how_to_claims(found.patents, input.search_type)),
            None if found.patents else zero_result_hints(input, query, call, providers),
            describe_rest(input, len(found.patents), more_available=found.more_available),
        ),
    )


def how_to_claims(patents: Sequence[Patent], search_type: str) -> list[str]:
    """Databases search without claims; a number brings them."""
    has_none = bool(patents) and search_type != "specific" and not any(patent.claims for patent in patents)
    return ['Claims, family and citations of one: its number with search_type "specific".'] if has_none else []


def patent_query(input: PatentSearchInput) -> PatentQuery:
    for name, year in (("year_from", input.year_from), ("year_to", input.year_to)):
        if year is not None and not FIRST_YEAR <= year <= LAST_YEAR:
            raise BadInput(f"{name} must be a year from {FIRST_YEAR} to {LAST_YEAR}; got {str(year)[:20]}.")
    if input.year_from and input.year_to and input.year_from > input.year_to:
        raise BadInput(f"year_from ({input.year_from}) is after year_to ({input.year_to}); swap them.")
    return PatentQuery(
        text=(input.query or "").strip(),
        count=input.num_results,
        office=None if input.patent_office == "all" else input.patent_office,
        assignee=(input.assignee or "").strip() or None,
        inventor=(input.inventor or "").strip() or None,
        cpc=(input.cpc_code or "").strip() or None,
        year_from=input.year_from,
        year_to=input.year_to,
    )


def patent_part(patent: Patent, search_type: str = "prior_art") -> PatentPart:
    """A patent asked for by its number comes with its record, others with the beginning of their first claim."""
    abstract = patent.abstract or ""
    return PatentPart.from_record(
        patent,
        **record_part(patent, whole=search_type == "specific"),
        abstract=(cut_at_word(abstract, ABSTRACT_LENGTH) or None),
        assignee=patent.assignees[0] if patent.assignees else None,
        inventor=patent.inventors[0] if patent.inventors else None,
        inventors=list(patent.inventors) if len(patent.inventors) > 1 else None,
        cpc=list(patent.cpc[:10]) or None,
    )


def record_part(patent: Patent, *, whole: bool) -> dict[str, list[str] | None]:
    lists = {name: list(getattr(patent, name)) for name in RECORD_LENGTHS}
    if not whole:
        first = [cut_at_word(claim, FIRST_CLAIM_LENGTH) for claim in lists["claims"][:1]]
        return {**dict.fromkeys(lists), "claims": first or None}
    return {name: list(fitting_lines(lines, name, patent.url)) or None for name, lines in lists.items()}


def fitting_lines(lines: list[str], name: str, url: str) -> Iterator[str]:
    """As many as fit, the first at least in part, how many more there are and how to go on."""
    left = RECORD_LENGTHS[name]
    for count, line in enumerate(lines):
        if len(line) > left:
            yield from [cut_at_word(line, left)] if not count else []
            rest = f"{len(lines) - count} of {len(lines)} more" if count else "cut"
            yield f'({rest}: scrape_page with url {url} and section "{SECTIONS[name]}")'
            return
        left -= len(line)
        yield line


def zero_result_hints(input: PatentSearchInput, query: PatentQuery, call: Call, providers: ProviderChoice) -> Hints:
    filters = used_filters(input, *FILTERS)
    if input.provider and not covers_office(input.provider.strip().lower(), query):
        return coverage_hints(input, query, call, providers, filters)
    return make_routed_hints(call, providers, Kind.PATENTS, filters)


def coverage_hints(
    input: PatentSearchInput, query: PatentQuery, call: Call, providers: ProviderChoice, filters: Mapping[str, str]
) -> Hints:
    """The database that was named does not hold that office: one that does, or whoever there is."""
    others = [name for name in providers.suggestions(Kind.PATENTS) if covers_office(name, query)]
    action = SuggestedAction(
        action="switch_provider" if others else "remove_filter",
        parameter="provider",
        value=others[0] if others else None,
        detail=f"{input.provider} does not hold patents of {query.office}.",
    )
    return Hints(
        reason="coverage_miss",
        providers_attempted=list(call.trace.attempted) or None,
        filters_applied=dict(filters) or None,
        suggested_actions=[action],
        epistemic_warning=WARNING,
    )


TOOL = Tool(
    name="patent_search",
    title="Patent search",
    description=(
        "Search patents by words, owner, inventor, CPC class or number: title, abstract, people, dates, status, PDF; "
        "specific adds claims, family, citations both ways, legal events."
    ),
    input=PatentSearchInput,
    output=PatentSearchOutput,
    run=run,
    toolset="patents",
    order=70,
    label="patent search",
    cache=86_400,
    routed=True,
)
