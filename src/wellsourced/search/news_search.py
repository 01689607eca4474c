"""news_search: find recent articles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import AliasChoices, Field

from wellsourced.text.dates import format_rfc3339
from wellsourced.tool.arguments import Country, EngineName, Language, LensName, Query, SessionId, Site
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import Hints, ResultList, build_query, list_fields, make_routed_hints, used_filters
from wellsourced.tool.sources import FoundSource
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import Article, NewsQuery, SafeSearch

if TYPE_CHECKING:
    from wellsourced.search.searcher import Searcher
    from wellsourced.upstream_client.provider_choice import ProviderChoice

SAFE_LEVELS: dict[str | None, SafeSearch] = {"off": "off", "moderate": "medium", "strict": "high", None: "medium"}


class NewsSearchInput(ToolInput):
    query: Query
    num_results: int = Field(5, ge=1, le=50, description="How many.")
    time_range: Literal["hour", "day", "week", "month", "year"] = Field(
        "week", validation_alias=AliasChoices("time_range", "freshness"), description="How recent."
    )
    sort_by: Literal["relevance", "date"] = Field("relevance", description="Order.")
    news_source: Site | None = Field(None, description="Outlet's domain, e.g. reuters.com.")
    country: Country | None = Field(None, description="ISO 3166-1.")
    language: Language | None = Field(None, description="ISO 639-1.")
    safe: Literal["off", "moderate", "strict"] | None = Field(None, description="Safe search.")
    lens: LensName = None
    provider: EngineName = None
    session_id: SessionId = None


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
            FoundSource(url=item.url, title=item.title, type="news", date=item.published_at) for item in self.articles
        ]


async def run(input: NewsSearchInput, call: Call, search: Searcher, providers: ProviderChoice) -> NewsSearchOutput:
    outcome = await search.news(
        news_query(input), provider=input.provider, lens=input.lens, trace=call.trace, deadline=call.deadline
    )
    articles = [news_article(article) for article in outcome.items]
    return NewsSearchOutput(
        articles=articles,
        filters_not_applied=list(outcome.filters_not_applied) or None,
        **list_fields(input.query, articles, outcome.notes, zero_result_hints(input, call, providers)),
    )


def news_query(input: NewsSearchInput) -> NewsQuery:
    return build_query(
        NewsQuery,
        input,
        text=input.query,
        count=input.num_results,
        safe=SAFE_LEVELS[input.safe],
        sites=(input.news_source,) if input.news_source else (),
    )


def news_article(article: Article) -> NewsArticle:
    published = format_rfc3339(article.published_at) if article.published_at else None
    return NewsArticle.from_record(article, published_at=published)


def zero_result_hints(input: NewsSearchInput, call: Call, providers: ProviderChoice) -> Hints:
    site = "lens" if input.lens else "news_source"
    filters = {"freshness": input.time_range, **used_filters(input, site, "country", "language")}
    return make_routed_hints(call, providers, Kind.NEWS, filters)


TOOL = Tool(
    name="news_search",
    title="News search",
    description=(
        "Search news: headline, outlet, address, time of publication. The last week unless time_range says otherwise."
    ),
    input=NewsSearchInput,
    output=NewsSearchOutput,
    run=run,
    toolset="core",
    order=50,
    label="news search",
    cache=900,
    routed=True,
)
