"""news_search: find recent articles."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Literal

from pydantic import AliasChoices, Field, model_validator

from wellsourced.text.moments import format_rfc3339
from wellsourced.tool.arguments import (
    Country,
    Day,
    EngineName,
    Language,
    LensName,
    Query,
    SessionId,
    Site,
    check_window,
    day_or_none,
)
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import (
    MOST_ACTIONS,
    Hints,
    ResultList,
    SuggestedAction,
    build_query,
    describe_rest,
    list_fields,
    make_routed_hints,
    used_filters,
)
from wellsourced.tool.sources import FoundSource, WorkDetails
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import Article, NewsQuery, SafeSearch, TimeRange

if TYPE_CHECKING:
    from wellsourced.search.searcher import Searcher
    from wellsourced.upstream_client.provider_choice import ProviderChoice

MOST, POOL_FACTOR = 50, 4
# Days that each range reaches back, the shortest first; an hour holds no whole day.
RANGES: dict[TimeRange, int] = {"day": 1, "week": 7, "month": 28, "year": 365}
WIDEST, ANY = "year", "any"
SAFE_LEVELS: dict[str | None, SafeSearch] = {"off": "off", "moderate": "medium", "strict": "high", None: "medium"}


class NewsSearchInput(ToolInput):
    query: Query
    num_results: int = Field(5, ge=1, le=MOST, description="How many.")
    time_range: Literal["hour", "day", "week", "month", "year", "any"] = Field(
        "week", validation_alias=AliasChoices("time_range", "freshness"), description="How recent."
    )
    date_from: Day | None = Field(None, description="First day, YYYY-MM-DD.")
    date_to: Day | None = Field(None, description="Last day.")
    sort_by: Literal["relevance", "date"] = Field("relevance", description="Order.")
    news_source: Site | None = Field(None, description="Outlet's domain, e.g. reuters.com.")
    country: Country | None = Field(None, description="ISO 3166-1.")
    language: Language | None = Field(None, description="ISO 639-1.")
    safe: Literal["off", "moderate", "strict"] | None = Field(None, description="Safe search.")
    lens: LensName = None
    provider: EngineName = None
    session_id: SessionId = None

    @model_validator(mode="after")
    def has_a_window(self) -> NewsSearchInput:
        check_window(self.date_from, self.date_to)
        return self


class NewsArticle(OutputPart):
    title: str
    url: str
    source: str
    snippet: str
    published_at: str | None = None
    extra_snippets: list[str] | None = None
    engines: list[str] | None = None


class NewsSearchOutput(ResultList):
    articles: list[NewsArticle]
    filters_not_applied: list[str] | None = None

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(
                url=item.url,
                title=item.title,
                type="news",
                date=item.published_at,
                work=WorkDetails(kind="article-newspaper", container=item.source),
            )
            for item in self.articles
        ]


async def run(input: NewsSearchInput, call: Call, search: Searcher, providers: ProviderChoice) -> NewsSearchOutput:
    outcome = await search.news(
        news_query(input), provider=input.provider, lens=input.lens, trace=call.trace, deadline=call.deadline
    )
    articles = [news_article(article) for article in outcome.items[: input.num_results]]
    return NewsSearchOutput(
        articles=articles,
        filters_not_applied=list(outcome.filters_not_applied) or None,
        **list_fields(
            input.query,
            articles,
            outcome.notes,
            None if articles else zero_result_hints(input, call, providers),
            describe_rest(input, len(articles), more_available=call.trace.more_available),
        ),
    )


def news_query(input: NewsSearchInput) -> NewsQuery:
    """With days given, more is asked for: not every engine knows such a window, and other days are dropped here."""
    has_days = bool(input.date_from or input.date_to)
    return build_query(
        NewsQuery,
        input,
        text=input.query,
        count=min(MOST, input.num_results * POOL_FACTOR) if has_days else input.num_results,
        time_range=time_range(input),
        date_from=day_or_none(input.date_from),
        date_to=day_or_none(input.date_to),
        safe=SAFE_LEVELS[input.safe],
        sites=(input.news_source,) if input.news_source else (),
    )


def time_range(input: NewsSearchInput) -> TimeRange | None:
    """The one that was asked for; with days given the shortest that reaches back to the first, and no default week."""
    has_days = bool(input.date_from or input.date_to)
    if "time_range" in input.model_fields_set or not has_days:
        return None if input.time_range == "any" else input.time_range
    if input.date_from is None:
        return None
    age = (datetime.now(UTC).date() - date.fromisoformat(input.date_from)).days
    return next((name for name, days in RANGES.items() if age < days), None)


def news_article(article: Article) -> NewsArticle:
    published = format_rfc3339(article.published_at) if article.published_at else None
    return NewsArticle.from_record(article, published_at=published)


def zero_result_hints(input: NewsSearchInput, call: Call, providers: ProviderChoice) -> Hints:
    site = "lens" if input.lens else "news_source"
    filters = used_filters(input, "date_from", "date_to", site, "country", "language")
    hints = make_routed_hints(call, providers, Kind.NEWS, filters)
    if input.date_from or input.date_to:
        return hints
    applied = {"freshness": input.time_range, **filters}
    if input.time_range in {WIDEST, ANY}:
        return hints.model_copy(update={"filters_applied": applied})
    wider = SuggestedAction(action="widen_filter", parameter="freshness", value=WIDEST, detail="Look further back.")
    actions = [wider, *(action for action in hints.suggested_actions if action.action != "broaden_query")]
    reason = {"reason": "filters_too_restrictive", "filters_applied": applied}
    return hints.model_copy(update={**reason, "suggested_actions": actions[:MOST_ACTIONS]})


TOOL = Tool(
    name="news_search",
    title="News search",
    description=("Search news: headline, outlet, address, time of publication; of the last week by default."),
    input=NewsSearchInput,
    output=NewsSearchOutput,
    run=run,
    toolset="core",
    order=50,
    label="news search",
    cache=900,
    routed=True,
)
