"""Hacker News through Algolia's search: stories with their points and comments.

API: hn.algolia.com/api · Key: none, about 10,000 requests an hour · Recorded 2021; a hit of 2026 leaves out the
members that used to be null, and a text-only post then has no `url` at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time
from typing import Any

from wellsourced.errors import UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.text.dates import parse_moment, range_start
from wellsourced.text.plain_text import one_line, strip_markup
from wellsourced.text.urls import display_host
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.search_operators import cut_at_word
from wellsourced.upstreams.types.search import Article, Hit, NewsQuery, ResultSet, WebQuery

PROVIDER = Provider(
    name="hackernews",
    title="Hacker News",
    bases={"": "https://hn.algolia.com/api/v1"},
    pace=Pace(2),
    preference=95,
    automatic=False,
    about="Stories on Hacker News; only used when it is asked for by name.",
)

MOST_HITS = 100
STORY_TEXT_LENGTH = 300
ITEM_PAGE = "https://news.ycombinator.com/item?id="


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    reply = yield _build_request("/search", query, access)
    return _parse_results(query, access, reply)


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    path = "/search_by_date" if query.sort_by == "date" else "/search"
    reply = yield _build_request(path, query, access)
    results = _parse_results(query, access, reply)
    articles = tuple(hit.as_article(display_host(hit.url)) for hit in results.items)
    return ResultSet(articles, results.not_applied, results.more_available, results.notes)


def _build_request(path: str, query: WebQuery, access: Access) -> Request:
    """The exact phrase goes along as words, which every hit then holds; their order is left to the caller."""
    params: dict[str, Param] = {
        "query": one_line(f"{query.text} {query.exact_terms or ''}"),
        "tags": "story",
        "hitsPerPage": _requested_count(query),
        "page": 0,
        "numericFilters": _window(query, access.now),
    }
    return Request.get(path, params)


def _window(query: WebQuery, now: datetime) -> str | None:
    if days := query.days(now.date()):
        start = datetime.combine(days[0], time.min, tzinfo=UTC)
        end = datetime.combine(days[1], time.max, tzinfo=UTC)
        return f"created_at_i>={int(start.timestamp())},created_at_i<={int(end.timestamp())}"
    return f"created_at_i>{int(range_start(query.time_range, now).timestamp())}" if query.time_range else None


def _requested_count(query: WebQuery) -> int:
    """Filters that are applied to the answer need more to choose from."""
    is_filtered = query.sites or query.exclude_terms or query.exact_terms
    return MOST_HITS if is_filtered else max(1, min(query.count, MOST_HITS))


def _not_applied(query: WebQuery) -> frozenset[str]:
    unsent = {name for name in ("language", "country", "exact_terms") if getattr(query, name)}
    return frozenset(unsent if query.safe == "medium" else unsent | {"safe"})


def _parse_results(query: WebQuery, access: Access, reply: Reply) -> ResultSet[Hit]:
    if reply.status == 404:
        raise UpstreamChanged("Hacker News search is no longer at its address.", provider=PROVIDER.name)
    answer = reply.expect_ok().json()
    listed = answer.get("hits") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        message = "Hacker News search's answer holds no list of hits."
        raise UpstreamChanged(message, provider=PROVIDER.name, detail=reply.summary)
    hits = [hit for item in listed if isinstance(item, dict) if (hit := _parse_hit(item, access.now))]
    if listed and not hits:
        raise UpstreamChanged("None of Hacker News's hits has a title and an address.", provider=PROVIDER.name)
    return ResultSet(tuple(hits), _not_applied(query), _has_more(answer, len(listed)))


def _has_more(answer: Mapping[str, Any], received: int) -> bool | None:
    total = answer.get("nbHits")
    return total > received if isinstance(total, int) else None


def _parse_hit(item: Mapping[str, Any], now: datetime) -> Hit | None:
    title, url = one_line(_text_field(item, "title")), _story_url(item)
    if not title or not url:
        return None
    story = cut_at_word(strip_markup(_text_field(item, "story_text")), STORY_TEXT_LENGTH)
    return Hit(
        title=title,
        url=url,
        snippet=_snippet(item),
        published_at=_parse_date(item, now),
        extra_snippets=(story,) if story else (),
        engagement=_engagement(item) or None,
    )


def _story_url(item: Mapping[str, Any]) -> str | None:
    url = _text_field(item, "url").strip()
    if url.lower().startswith(("http://", "https://")):
        return url
    number = str(item.get("objectID") or item.get("story_id") or "")
    return f"{ITEM_PAGE}{number}" if number.isascii() and number.isdigit() else None


def _engagement(item: Mapping[str, Any]) -> dict[str, int]:
    counts = {"points": item.get("points"), "commentCount": item.get("num_comments")}
    return {name: count for name, count in counts.items() if type(count) is int}


def _snippet(item: Mapping[str, Any]) -> str:
    counts = _engagement(item)
    parts = [
        _count_text(counts.get("points"), "point"),
        _count_text(counts.get("commentCount"), "comment"),
        f"by {one_line(_text_field(item, 'author'))}" if _text_field(item, "author") else "",
    ]
    return " · ".join(part for part in parts if part)


def _count_text(number: int | None, noun: str) -> str:
    if number is None:
        return ""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _parse_date(item: Mapping[str, Any], now: datetime) -> datetime | None:
    written = parse_moment(_text_field(item, "created_at"), now)
    seconds = item.get("created_at_i")
    if written or not isinstance(seconds, int) or not 0 < seconds <= now.timestamp():
        return written
    return datetime.fromtimestamp(seconds, UTC)


def _text_field(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""
