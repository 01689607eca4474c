"""news_search: find recent articles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import AliasChoices, Field

from wellsourced.text.dates import format_rfc3339
from wellsourced.tool.arguments import Country, Language, Site, Words
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.hints import Hints, filled, routed_hints
from wellsourced.tool.listing import Listing
from wellsourced.tool.sources import FoundSource
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import Article, NewsQuery, SafeSearch

if TYPE_CHECKING:
    from wellsourced.search.searcher import Search
    from wellsourced.upstream_client.provider_choice import ProviderChoice

SAFE_LEVELS: dict[str | None, SafeSearch] = {"off": "off", "moderate": "medium", "strict": "high", None: "medium"}


class NewsSearchInput(ToolInput):
    query: Words = Field(description="Words.")
    num_results: int = Field(5, ge=1, le=50, description="How many.")
    time_range: Literal["hour", "day", "week", "month", "year"] = Field(
        "week", validation_alias=AliasChoices("time_range", "freshness"), description="How recent."
    )
    sort_by: Literal["relevance", "date"] = Field("relevance", description="Order.")
    news_source: Site | None = Field(None, description="Outlet's domain, e.g. reuters.com.")
    country: Country | None = Field(None, description="ISO 3166-1.")
    language: Language | None = Field(None, description="ISO 639-1.")
    safe: Literal["off", "moderate", "strict"] | None = Field(None, description="Safe search.")
    lens: str | None = Field(None, description="Named domain set.")
    provider: str | None = Field(None, description="One engine; 'all' merges.")
    session_id: str | None = Field(None, alias="sessionId", description="Session.")


class NewsArticle(OutputPart):
    title: str
    url: str
    source: str
    snippet: str
    published_at: str | None = None
    extra_snippets: list[str] | None = None
    engines: list[str] | None = None


class NewsSearchOutput(Listing):
    articles: list[NewsArticle]
    filters_not_applied: list[str] | None = None

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(url=item.url, title=item.title, type="news", date=item.published_at) for item in self.articles
        ]


async def run(input: NewsSearchInput, call: Call, search: Search, providers: ProviderChoice) -> NewsSearchOutput:
    outcome = await search.news(
        news_query(input), provider=input.provider, lens=input.lens, trace=call.trace, deadline=call.deadline
    )
    articles = [result(article) for article in outcome.items]
    return NewsSearchOutput(
        articles=articles,
        query=input.query,
        result_count=len(articles),
        filters_not_applied=list(outcome.filters_not_applied) or None,
        notes=list(outcome.notes) or None,
        hints=None if articles else zero_result_hints(input, call, providers),
        trust=UNTRUSTED,
    )


def news_query(input: NewsSearchInput) -> NewsQuery:
    return NewsQuery(
        text=input.query,
        count=input.num_results,
        time_range=input.time_range,
        safe=SAFE_LEVELS[input.safe],
        language=input.language,
        country=input.country,
        sites=(input.news_source,) if input.news_source else (),
        sort_by=input.sort_by,
    )


def result(article: Article) -> NewsArticle:
    return NewsArticle(
        title=article.title,
        url=article.url,
        source=article.source,
        snippet=article.snippet,
        published_at=format_rfc3339(article.published_at) if article.published_at else None,
        extra_snippets=list(article.extra_snippets) or None,
        engines=list(article.engines) or None,
    )


def zero_result_hints(input: NewsSearchInput, call: Call, providers: ProviderChoice) -> Hints:
    site = "lens" if input.lens else "news_source"
    filters = {"freshness": input.time_range, **filled(input, site, "country", "language")}
    return routed_hints(call, providers, Kind.NEWS, filters)


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
