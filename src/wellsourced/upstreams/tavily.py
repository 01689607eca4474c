"""Tavily: web search for language models, for pages and news.

API: docs.tavily.com. Key: TAVILY_API_KEY, a bearer token. Queries have at most 400 characters; a phrase in quotes is
binding with `exact_match`; there are no minus operators. Countries are English names and count for pages only. Errors
come as `{"detail": {"error": …}}` or, for limits, as `{"error": {"code": …}}`. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NoReturn

from wellsourced.errors import OutOfCredit, RateLimited
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment
from wellsourced.text.urls import display_host, unwrap_redirect
from wellsourced.upstream import Access, Provider
from wellsourced.upstreams.helpers.countries import NAME_OF_TWO, two_letters
from wellsourced.upstreams.helpers.json_fields import as_text, parse_rows
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object, raise_refusal, required_link
from wellsourced.upstreams.helpers.search_operators import compose_query
from wellsourced.upstreams.types.search import Article, Hit, NewsQuery, ResultSet, WebQuery

PROVIDER = Provider(
    name="tavily",
    title="Tavily",
    bases={"": "https://api.tavily.com"},
    needs=(Setting("TAVILY_API_KEY", "Key of tavily.com.", secret=True),),
    timeout=60.0,
    preference=26,
    about="Search made for language models; pages and news with longer excerpts.",
)

MOST_CHARACTERS, MOST_RESULTS, MOST_SITES = 400, 20, 300


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    country = NAME_OF_TWO.get(two_letters(query.country or ""))
    reply = yield _build_request(query, access, {"topic": "general", "country": country})
    hits = parse_rows(_result_rows(reply), lambda row: _parse_hit(row, access.now))
    nowhere = {"country"} if query.country and not country else set()
    return ResultSet(tuple(hits), query.hour_unsent | _not_applied(query) | nowhere)


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    reply = yield _build_request(query, access, {"topic": "news"})
    articles = parse_rows(_result_rows(reply), lambda row: _parse_article(row, access.now))
    missing = {"country"} if query.country else set()
    missing |= {"sort_by"} if query.sort_by != "relevance" else set()
    return ResultSet(tuple(articles), query.hour_unsent | _not_applied(query) | missing)


def _build_request(query: WebQuery, access: Access, own_fields: Mapping[str, Any]) -> Request:
    body = {
        "query": compose_query(query, sites=False, exclude=False, limit=MOST_CHARACTERS),
        "search_depth": "basic",
        **own_fields,
        "max_results": max(1, min(query.count, MOST_RESULTS)),
        **_window(query, access.now.date()),
        "include_domains": list(query.sites[:MOST_SITES]),
        "exact_match": bool(query.exact_terms),
    }
    sent = {name: value for name, value in body.items() if value}
    return Request.post_json("/search", sent, headers={"Authorization": f"Bearer {access['TAVILY_API_KEY']}"})


def _window(query: WebQuery, today: date) -> dict[str, str | None]:
    if days := query.days(today):
        return {"start_date": days[0].isoformat(), "end_date": days[1].isoformat()}
    return {"time_range": "day" if query.time_range == "hour" else query.time_range}


def _not_applied(query: WebQuery) -> frozenset[str]:
    missing = {name for name in ("language", "exclude_terms") if getattr(query, name)}
    return frozenset(missing | ({"safe"} if query.safe != "medium" else set()))


def _result_rows(reply: Reply) -> list[Any]:
    return list_under(_parse_reply(reply), "results", "Tavily")


def _parse_hit(row: Mapping[str, Any], now: datetime) -> Hit:
    url = unwrap_redirect(required_link(row["url"], "Tavily"))
    return Hit(
        title=as_text(row.get("title")) or url,
        url=url,
        snippet=as_text(row.get("content")),
        published_at=parse_moment(as_text(row.get("published_date")), now),
    )


def _parse_article(row: Mapping[str, Any], now: datetime) -> Article:
    hit = _parse_hit(row, now)
    return hit.as_article(display_host(hit.url))


def _parse_reply(reply: Reply) -> dict[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply)
    body = parse_object(reply, "Tavily")
    if "results" not in body and ("error" in body or "detail" in body):
        _raise_refusal(reply)
    return body


def _raise_refusal(reply: Reply) -> NoReturn:
    message, wait = _error_message(reply)
    if wait is not None or "rate limit" in message.lower():
        raise RateLimited(f"Tavily: {message or 'too many requests'}", retry_after=wait or reply.retry_after)
    # 432 and 433 are statuses of its own for a plan that is used up.
    if reply.status in {402, 432, 433}:
        raise OutOfCredit(f"Tavily: {message or 'the plan is used up'}")
    raise_refusal(reply, "Tavily", message)


def _error_message(reply: Reply) -> tuple[str, float | None]:
    """The service's own words, and the seconds to wait where it names them."""
    match error_object(reply):
        case {"error": {"code": str(code) | int(code), **rest}}:
            wait = rest.get("retry_after_seconds")
            return str(rest.get("message") or code)[:200], float(wait) if isinstance(wait, int | float) else None
        case {"detail": {"error": message}} | {"detail": message} | {"error": message}:
            return str(message)[:200], None
    return "", None
