"""web_search: find pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from wellsourced.evidence.reputation import DomainReputation
from wellsourced.search.searcher import SearchResults
from wellsourced.text.moments import format_rfc3339
from wellsourced.text.urls import display_host
from wellsourced.tool.arguments import Country, Day, Language, Query, SessionId, Site, check_window, day_or_none
from wellsourced.tool.base import OutputPart, Tool, ToolInput
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
from wellsourced.tool.sources import FoundSource, WorkDetails
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import Hit, WebQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wellsourced.evidence.reputation import ReputationTable
    from wellsourced.library.library import Library
    from wellsourced.search.searcher import Searcher
    from wellsourced.upstream_client.provider_choice import ProviderChoice

LIBRARY = "library"
SiteList = Annotated[list[Site], Field(max_length=10)]


class WebSearchInput(ToolInput):
    query: Query
    num_results: int = Field(5, ge=1, le=10, description="How many.")
    time_range: Literal["day", "week", "month", "year"] | None = Field(None, description="How recent.")
    date_from: Day | None = Field(None, description="First day, YYYY-MM-DD.")
    date_to: Day | None = Field(None, description="Last day.")
    safe: Literal["off", "medium", "high"] = Field("medium", description="Safe search.")
    language: Language | None = Field(None, description="ISO 639-1, e.g. de.")
    site: Site | None = Field(None, description="Only this domain.")
    sites: SiteList | None = Field(None, description="Only these domains.")
    exact_terms: str | None = Field(None, description="Required phrase.")
    exclude_terms: str | None = Field(None, description="Excluded words.")
    country: Country | None = Field(None, description="ISO 3166-1, e.g. CH.")
    lens: str | None = Field(None, description="Named domain set; overrides site.")
    provider: str | None = Field(None, description="One engine; 'all' merges; 'library' is what was read before.")
    session_id: SessionId = None
    claim: str | None = Field(None, description="Adds each snippet's sentence nearest to it.")

    @model_validator(mode="after")
    def has_a_window(self) -> WebSearchInput:
        check_window(self.date_from, self.date_to)
        return self

    @property
    def is_personal(self) -> bool:
        return (self.provider or "").strip().lower() == LIBRARY


class SourceReputation(OutputPart):
    tier: str
    note: str


class WebResult(OutputPart):
    title: str
    url: str
    snippet: str
    display_link: str
    published_at: str | None = None
    extra_snippets: list[str] | None = None
    engagement: dict[str, int] | None = None
    engines: list[str] | None = None
    source_reputation: SourceReputation | None = None
    claim_signal: str | None = None


class WebSearchOutput(ResultList):
    urls: list[str]
    results: list[WebResult]
    filters_not_applied: list[str] | None = None

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(
                url=item.url,
                title=item.title,
                type="web",
                date=item.published_at,
                work=WorkDetails(site=item.display_link),
            )
            for item in self.results
        ]


async def run(
    input: WebSearchInput,
    call: Call,
    search: Searcher,
    providers: ProviderChoice,
    reputation: ReputationTable,
    get_library: Callable[[], Library],
) -> WebSearchOutput:
    if input.is_personal:
        outcome = await from_library(input, call, get_library())
    else:
        outcome = await search.web(
            web_query(input), provider=input.provider, lens=input.lens, trace=call.trace, deadline=call.deadline
        )
    signals = await find_signals(input.claim, outcome.items) if input.claim else [None] * len(outcome.items)
    results = [web_result(hit, signal, reputation) for hit, signal in zip(outcome.items, signals, strict=True)]
    return WebSearchOutput(
        urls=[item.url for item in results],
        results=results,
        filters_not_applied=list(outcome.filters_not_applied) or None,
        **list_fields(
            input.query,
            results,
            outcome.notes,
            None if results else zero_result_hints(input, call, providers),
            describe_rest(input, len(results), more_available=call.trace.more_available),
        ),
    )


async def from_library(input: WebSearchInput, call: Call, library: Library) -> SearchResults[Hit]:
    """With provider `library`: from everything that was read before."""
    kept = await library.ask(web_query(input), call.identity)
    call.trace.attempted.append(LIBRARY)
    call.trace.used = LIBRARY
    lost = kept.not_applied | ({"lens"} if input.lens else set())
    return SearchResults(items=tuple(kept.items), filters_not_applied=tuple(sorted(lost)), notes=kept.notes)


def web_query(input: WebSearchInput) -> WebQuery:
    return build_query(
        WebQuery,
        input,
        text=input.query,
        count=input.num_results,
        sites=tuple(filter(None, [input.site, *(input.sites or ())])),
        date_from=day_or_none(input.date_from),
        date_to=day_or_none(input.date_to),
    )


def web_result(hit: Hit, signal: str | None, reputation: ReputationTable) -> WebResult:
    return WebResult(
        title=hit.title,
        url=hit.url,
        snippet=hit.snippet,
        display_link=display_host(hit.url),
        published_at=format_rfc3339(hit.published_at) if hit.published_at else None,
        extra_snippets=list(hit.extra_snippets) or None,
        engagement=hit.engagement,
        engines=list(hit.engines) or None,
        source_reputation=standing(reputation.lookup(hit.url)),
        claim_signal=signal,
    )


async def find_signals(claim: str, hits: Sequence[Hit]) -> list[str | None]:
    """Of each snippet the sentence nearest to the claim; found beside the event loop, since the words are foreign."""
    from wellsourced.evidence.claims import nearest_sentence

    texts = [" ".join((hit.snippet, *hit.extra_snippets)) for hit in hits]
    return await asyncio.to_thread(lambda: [nearest_sentence(claim, text) for text in texts])


def standing(known: DomainReputation | None) -> SourceReputation | None:
    return SourceReputation(tier=known.tier, note=known.note) if known else None


def zero_result_hints(input: WebSearchInput, call: Call, providers: ProviderChoice) -> Hints:
    # A lens takes the place of the sites, so that they were not applied and need not be removed.
    sites = () if input.lens else ("site", "sites")
    names = (
        *sites,
        "lens",
        "time_range",
        "date_from",
        "date_to",
        "country",
        "language",
        "exact_terms",
        "exclude_terms",
    )
    filters = used_filters(input, *names)
    if "sites" in filters:
        filters["sites"] = ", ".join(input.sites or ())
    return make_routed_hints(call, providers, Kind.WEB, filters)


TOOL = Tool(
    name="web_search",
    title="Web search",
    description=("Search the web. Read hits with scrape_page; search_and_scrape does both."),
    input=WebSearchInput,
    output=WebSearchOutput,
    run=run,
    toolset="core",
    order=10,
    label="search",
    cache=1800,
    states_freshness=True,
    routed=True,
)
