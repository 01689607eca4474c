"""Exa: search by meaning, for pages and news.

API: docs.exa.ai. Key: EXA_API_KEY, header `x-api-key`; a wrong one can be HTTP 400. The query is prose, not operators:
sites, phrases and dates have parameters of their own. `startPublishedDate` drops pages of unknown date.
`includeText` and `excludeText` take one string of up to five words. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NoReturn

from wellsourced.errors import KeyRejected, OutOfCredit, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.model.exchange import Reply, Request, Steps
from wellsourced.model.provider import Access, Provider
from wellsourced.model.search import Article, Found, Hit, NewsQuery, WebQuery
from wellsourced.model.setting import Setting
from wellsourced.text.dates import published_at, rfc3339, since
from wellsourced.text.markup import plain
from wellsourced.text.operators import cut_at_word, exclude_list
from wellsourced.text.urls import display_link, unwrap_redirect

PROVIDER = Provider(
    name="exa",
    title="Exa",
    bases={"": "https://api.exa.ai"},
    needs=(Setting("EXA_API_KEY", "Key of exa.ai.", secret=True),),
    preference=30,
    about="Search by meaning; pages and news with the passages that match.",
)

MOST_RESULTS, MOST_SITES, MOST_WORDS = 100, 1200, 5
SNIPPET_LENGTH = 500
UNDATED_LEFT_OUT = "With a time range, Exa leaves out pages whose date it does not know."


def web(query: WebQuery, access: Access) -> Steps[Found[Hit]]:
    reply = yield _request("/search", _search(query, access.now), access)
    hits = [_hit(row, access.now) for row in _rows(_answer(reply, access))]
    return Found(tuple(hits), _not_applied(query), notes=_notes(query))


def news(query: NewsQuery, access: Access) -> Steps[Found[Article]]:
    body = {**_search(query, access.now), "category": "news"}
    reply = yield _request("/search", body, access)
    articles = [_article(row, access.now) for row in _rows(_answer(reply, access))]
    unsorted = {"sort_by"} if query.sort_by != "relevance" else set()
    return Found(tuple(articles), _not_applied(query) | unsorted, notes=_notes(query))


def _request(path: str, body: Mapping[str, Any], access: Access) -> Request:
    return Request.post_json(path, body, headers={"x-api-key": access["EXA_API_KEY"]})


def _search(query: WebQuery, now: datetime) -> dict[str, Any]:
    excluded = _excluded(query)
    body = {
        "query": query.text.strip(),
        "type": "auto",
        "numResults": max(1, min(query.count, MOST_RESULTS)),
        "contents": {"highlights": True},
        "includeDomains": list(query.sites[:MOST_SITES]),
        "includeText": _included(query),
        "excludeText": excluded[:1],
        "startPublishedDate": rfc3339(since(query.time_range, now)) if query.time_range else None,
        "userLocation": (query.country or "").upper(),
        "moderation": query.safe != "off",
    }
    return {name: value for name, value in body.items() if value}


def _included(query: WebQuery) -> list[str]:
    """The beginning of the phrase: a page that holds the whole of it holds that too."""
    words = (query.exact_terms or "").replace('"', " ").split()
    return [" ".join(words[:MOST_WORDS])] if words else []


def _excluded(query: WebQuery) -> list[str]:
    """Unwanted terms that fit; a longer one must not be cut, it would shut out too much."""
    return [term for term in exclude_list(query.exclude_terms) if len(term.split()) <= MOST_WORDS]


def _not_applied(query: WebQuery) -> frozenset[str]:
    missing = {"language"} if query.language else set()
    sent, asked = _excluded(query)[:1], exclude_list(query.exclude_terms)
    return frozenset(missing | ({"exclude_terms"} if sent != asked else set()))


def _notes(query: WebQuery) -> tuple[str, ...]:
    return (UNDATED_LEFT_OUT,) if query.time_range else ()


def _rows(body: Mapping[str, Any]) -> list[Any]:
    rows = body["results"]
    if not isinstance(rows, list):
        raise UpstreamChanged("Exa's answer has no list of results.")
    return rows


def _hit(row: Mapping[str, Any], now: datetime) -> Hit:
    url = _address(row["url"])
    first, *others = _passages(row)
    return Hit(
        title=_words(row["title"]) or url,
        url=url,
        snippet=first,
        published_at=published_at(_words(row.get("publishedDate")), now),
        extra_snippets=tuple(others),
    )


def _article(row: Mapping[str, Any], now: datetime) -> Article:
    hit = _hit(row, now)
    return Article(
        title=hit.title,
        url=hit.url,
        source=display_link(hit.url),
        snippet=hit.snippet,
        published_at=hit.published_at,
        extra_snippets=hit.extra_snippets,
    )


def _passages(row: Mapping[str, Any]) -> list[str]:
    """Highlights, or else the summary, or else the beginning of the text."""
    highlights = row.get("highlights")
    passages = [_words(passage) for passage in highlights] if isinstance(highlights, list) else []
    instead = _words(row.get("summary")) or cut_at_word(_words(row.get("text")), SNIPPET_LENGTH)
    return [passage for passage in passages if passage] or [instead]


def _address(value: Any) -> str:
    if isinstance(value, str) and value.startswith(("https://", "http://")):
        return unwrap_redirect(value)
    raise UpstreamChanged("Exa's answer has a result without an address.")


def _words(value: Any) -> str:
    """The plain text of a member; one of another type is as good as absent."""
    return plain(value) if isinstance(value, str) else ""


def _answer(reply: Reply, access: Access) -> dict[str, Any]:
    if reply.status >= 400:
        _refuse(reply, access)
    body = reply.expect_ok().json()
    if not isinstance(body, dict):
        raise UpstreamChanged("Exa's answer is not an object.")
    return body


def _refuse(reply: Reply, access: Access) -> NoReturn:
    said = _complaint(reply)
    words = said.lower()
    if reply.status == 402 or "credit" in words:
        raise OutOfCredit(f"Exa: {said or 'the account has no credit left'}")
    if reply.status == 429:
        raise RateLimited(f"Exa: {said or 'too many requests'}", retry_after=_wait(reply, access.now))
    if said and (reply.status in {401, 403} or "api-key" in words or "api key" in words):
        raise KeyRejected(f"Exa does not accept the key: {said}")
    if said and reply.status not in {404, 410} and reply.status < 500:
        raise UpstreamUnavailable(f"Exa refused the request: {said}", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamUnavailable(f"Exa answered HTTP {reply.status}.")


def _complaint(reply: Reply) -> str:
    """`error` holds the sentence in search answers, only the status in others, which have `message`."""
    try:
        body = reply.json()
    except UpstreamChanged:
        return ""
    said = (body.get("message") or body.get("error")) if isinstance(body, dict) else None
    return said[:200] if isinstance(said, str) else ""


def _wait(reply: Reply, now: datetime) -> float | None:
    """`Retry-After`, or the unix time at which the window starts anew."""
    reset = reply.headers.get("x-ratelimit-reset", "").strip()
    if reply.retry_after is not None or not reset.isdecimal() or len(reset) > 12:
        return reply.retry_after
    return max(1.0, float(reset) - now.timestamp())
