"""Exa: search by meaning, for pages and news, answers with their sources, fields read out of pages, and their text.

API: docs.exa.ai. Key: EXA_API_KEY, header `x-api-key`; a wrong one can be HTTP 400. The query is prose, not operators:
sites, phrases and dates have parameters of their own. `startPublishedDate` drops pages of unknown date.
`includeText` and `excludeText` take one string of up to five words. The cost of a call comes with its answer, as an
object or as that object in a string. `/contents` answers 200 when a page failed and says so in `statuses`.
Checked 2026-11-15.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NoReturn

from wellsourced.errors import (
    BadInput,
    Blocked,
    ContentEmpty,
    KeyRejected,
    NotFound,
    OutOfCredit,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
)
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment, range_start
from wellsourced.text.moments import format_rfc3339
from wellsourced.text.plain_text import as_rendered, strip_invisible
from wellsourced.text.urls import display_host, unwrap_redirect
from wellsourced.upstream import Access, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object, raise_refusal, required_link
from wellsourced.upstreams.helpers.search_operators import cut_at_word, split_excluded
from wellsourced.upstreams.types.answers import (
    AnswerQuery,
    CitedPage,
    PageContents,
    StructuredItem,
    StructuredQuery,
    StructuredResult,
    WrittenAnswer,
)
from wellsourced.upstreams.types.search import Article, Hit, NewsQuery, ResultSet, WebQuery

PROVIDER = Provider(
    name="exa",
    title="Exa",
    bases={"": "https://api.exa.ai"},
    needs=(Setting("EXA_API_KEY", "Key of exa.ai.", secret=True),),
    timeout=30.0,
    preference=30,
    about="Search by meaning; pages and news with the passages that match; answers with sources.",
)

MOST_RESULTS, MOST_SITES, MOST_WORDS = 100, 1200, 5
SNIPPET_LENGTH = 500
CONTENTS_LENGTH = 200_000
SEARCH_TIME, COMPOSING_TIME = 10.0, 30.0
MOST_DOLLARS = 1e6  # a larger sum is no price of a request
CATEGORIES = ("company", "people", "research paper", "news", "pdf", "github", "financial report", "personal site")
WITHOUT_CATEGORY = {"github": "github.com"}
GITHUB_BY_SITE = "Exa has no category github any more; only pages of github.com were searched."
UNDATED_LEFT_OUT = "With a time range, Exa leaves out pages whose date it does not know."


# It understands meaning, not operators: dates have parameters, and other operators are words to it.
OPERATOR = re.compile(r"(?<!\S)(?:(?P<name>after|before):(?P<day>\d{4}-\d{2}-\d{2})|filetype:\w{1,8})(?!\S)")


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    reply = yield _build_request("/search", _search_body(query, access.now), access)
    hits = parse_rows(_result_rows(reply, access), lambda row: _parse_hit(row, access.now))
    return ResultSet(tuple(hits), _not_applied(query), notes=_notes(query))


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    body = {**_search_body(query, access.now), "category": "news"}
    reply = yield _build_request("/search", body, access)
    articles = parse_rows(_result_rows(reply, access), lambda row: _parse_article(row, access.now))
    unsorted = {"sort_by"} if query.sort_by != "relevance" else set()
    return ResultSet(tuple(articles), _not_applied(query) | unsorted, notes=_notes(query))


def answers(query: AnswerQuery, access: Access) -> Steps[WrittenAnswer]:
    text = query.text.strip()
    if not text:
        raise BadInput("Give the question to be answered in query.")
    reply = yield _build_request("/answer", {"query": text}, access, COMPOSING_TIME)
    body = _parse_reply(reply, access)
    written, sources = body["answer"], body["citations"]
    if not isinstance(written, str) or not isinstance(sources, list):
        raise UpstreamChanged("Exa's answer has no text or no list of citations.")
    if not written.strip():
        raise ContentEmpty("Exa composed no answer to this question; search for it instead.")
    return WrittenAnswer(
        text=as_rendered(written).strip(),
        citations=tuple(parse_rows(sources, _parse_cited_page)),
        cost=_parse_cost(body),
    )


def structured(query: StructuredQuery, access: Access) -> Steps[StructuredResult]:
    category = _category_name(query.category)
    if query.schema is not None:
        check_flat_schema(query.schema)
    if not query.text.strip():
        raise BadInput("Give what to search for in query.")
    site = WITHOUT_CATEGORY.get(category)
    asked = {
        "query": query.text.strip(),
        "type": "auto",
        "category": None if site else category or None,
        "includeDomains": [site] if site else None,
        "numResults": max(1, min(query.count, MOST_RESULTS)),
        "contents": {"summary": {"schema": query.schema} if query.schema is not None else True, "highlights": True},
    }
    sent = {name: value for name, value in asked.items() if value}
    reply = yield _build_request("/search", sent, access, COMPOSING_TIME)
    body = _parse_reply(reply, access)
    items = tuple(parse_rows(list_under(body, "results", "Exa"), _parse_structured_item))
    return StructuredResult(items=items, cost=_parse_cost(body), notes=(GITHUB_BY_SITE,) if site else ())


def contents(url: str, access: Access) -> Steps[PageContents]:
    """The text of one page."""
    asked = {"urls": [url], "text": {"maxCharacters": CONTENTS_LENGTH}}
    reply = yield _build_request("/contents", asked, access, COMPOSING_TIME)
    body = _parse_reply(reply, access)
    status = next(objects_in(body.get("statuses")), {})
    if status.get("status", "success") != "success":
        _raise_page_failure(status)
    rows = list_under(body, "results", "Exa")
    if not rows:
        raise UpstreamChanged("Exa's answer holds neither the page nor a reason why not.")
    return _page_contents(rows[0], url, "crawled" if status.get("source") == "crawled" else "cached", access.now)


def _page_contents(row: Mapping[str, Any], url: str, source: str, now: datetime) -> PageContents:
    text = row["text"]
    if not isinstance(text, str):
        raise UpstreamChanged("Exa's answer has a page without text.")
    if not text.strip():
        raise ContentEmpty("Exa has this page, without any text.")
    published, author = parse_moment(as_text(row.get("publishedDate")), now), as_text(row.get("author"))
    return PageContents(
        url=url,
        markdown=as_rendered(text).strip(),
        source=source,
        title=as_text(row.get("title")),
        author="" if any(c.isdecimal() for c in author) else author,
        date=published.date().isoformat() if published else "",
    )


def _raise_page_failure(status: Mapping[str, Any]) -> NoReturn:
    """One page failed, not the service."""
    error = as_object(status.get("error"))
    tag, code = as_text(error.get("tag"))[:80], error.get("httpStatusCode")
    message = f"Exa could not read the page: {tag or 'it did not say why'}"
    if tag == "CRAWL_NOT_FOUND" or code in (404, 410):
        raise NotFound(message)
    if tag == "SOURCE_NOT_AVAILABLE" or code in (401, 403):
        raise Blocked(message)
    raise UpstreamUnavailable(message)


def _category_name(category: str | None) -> str:
    name = " ".join((category or "").replace("_", " ").lower().split())
    if name and name not in CATEGORIES:
        raise BadInput(f"category is {name[:40]!r}; Exa knows {', '.join(CATEGORIES)}.")
    return name


def _parse_cited_page(row: Mapping[str, Any]) -> CitedPage:
    return CitedPage(
        url=unwrap_redirect(required_link(row["url"], "Exa")),
        title=as_text(row.get("title")) or None,
        author=as_text(row.get("author")) or None,
        published_date=as_text(row.get("publishedDate")) or None,
    )


def _parse_structured_item(row: Mapping[str, Any]) -> StructuredItem:
    page, highlights = _parse_cited_page(row), row.get("highlights")
    passages = [as_text(passage) for passage in highlights] if isinstance(highlights, list) else []
    return StructuredItem(
        url=page.url,
        title=page.title,
        author=page.author,
        published_date=page.published_date,
        summary=_parse_summary(row.get("summary")),
        highlights=tuple(passage for passage in passages if passage),
        entities=_without_invisible(row.get("entities")) or None,
    )


def _parse_summary(value: Any) -> Any:
    """Fields come as JSON in a string; whatever cannot be read as such is plain text."""
    if not isinstance(value, str):
        return _without_invisible(value) or None
    text = value.strip()
    parsed = _parse_json(text) if text.startswith(("{", "[")) else None
    return as_rendered(text) or None if parsed is None else _without_invisible(parsed)


def _without_invisible(value: Any) -> Any:
    """Data from foreign pages, without invisible characters."""
    return json.loads(strip_invisible(json.dumps(value, ensure_ascii=False)))


def _parse_json(text: str) -> Any:
    """The JSON in a text, or None."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _parse_cost(body: Mapping[str, Any]) -> float | None:
    """US dollars; the total comes alone or in an object, and either may be inside a string."""
    stated = body.get("costDollars")
    if isinstance(stated, str):
        stated = _parse_json(stated)
    total = stated.get("total") if isinstance(stated, dict) else stated
    if not isinstance(total, (int, float)) or isinstance(total, bool):
        return None
    return float(total) if 0 <= total < MOST_DOLLARS else None


def _build_request(path: str, body: Mapping[str, Any], access: Access, timeout: float = SEARCH_TIME) -> Request:
    return Request.post_json(path, body, headers={"x-api-key": access["EXA_API_KEY"]}, timeout=timeout)


def _search_body(query: WebQuery, now: datetime) -> dict[str, Any]:
    excluded = _excluded_text(query)
    start = format_rfc3339(range_start(query.time_range, now)) if query.time_range and not query.date_from else None
    limits = {match["name"]: f"{match['day']}T00:00:00Z" for match in OPERATOR.finditer(query.text) if match["day"]}
    if days := query.days(now.date()):
        limits |= {"after": f"{days[0]}T00:00:00Z", "before": f"{days[1]}T23:59:59Z"}
    body = {
        "query": OPERATOR.sub(" ", query.text).strip(),
        "type": "auto",
        "numResults": max(1, min(query.count, MOST_RESULTS)),
        "contents": {"highlights": True},
        "includeDomains": list(query.sites[:MOST_SITES]),
        "includeText": _included_text(query),
        "excludeText": excluded[:1],
        "startPublishedDate": start or limits.get("after"),
        "endPublishedDate": limits.get("before"),
        "userLocation": (query.country or "").upper(),
        "moderation": query.safe != "off",
    }
    return {name: value for name, value in body.items() if value}


def _included_text(query: WebQuery) -> list[str]:
    """The beginning of the phrase: a page that holds the whole of it holds that too."""
    phrase = (query.exact_terms or "").replace('"', " ").split()
    return [" ".join(phrase[:MOST_WORDS])] if phrase else []


def _excluded_text(query: WebQuery) -> list[str]:
    """Unwanted terms that fit; a longer one must not be cut, it would shut out too much."""
    return [term for term in split_excluded(query.exclude_terms) if len(term.split()) <= MOST_WORDS]


def _not_applied(query: WebQuery) -> frozenset[str]:
    missing = {"language"} if query.language else set()
    sent, asked = _excluded_text(query)[:1], split_excluded(query.exclude_terms)
    return frozenset(missing | ({"exclude_terms"} if sent != asked else set()))


def _notes(query: WebQuery) -> tuple[str, ...]:
    return (UNDATED_LEFT_OUT,) if query.time_range else ()


def _parse_hit(row: Mapping[str, Any], now: datetime) -> Hit:
    url = unwrap_redirect(required_link(row["url"], "Exa"))
    first, *others = _passages(row)
    return Hit(
        title=as_text(row.get("title")) or url,
        url=url,
        snippet=first,
        published_at=parse_moment(as_text(row.get("publishedDate")), now),
        extra_snippets=tuple(others),
    )


def _parse_article(row: Mapping[str, Any], now: datetime) -> Article:
    hit = _parse_hit(row, now)
    return hit.as_article(display_host(hit.url))


def _result_rows(reply: Reply, access: Access) -> list[Any]:
    return list_under(_parse_reply(reply, access), "results", "Exa")


def _passages(row: Mapping[str, Any]) -> list[str]:
    """Highlights, or else the summary, or else the beginning of the text."""
    highlights = row.get("highlights")
    passages = [as_text(passage) for passage in highlights] if isinstance(highlights, list) else []
    instead = as_text(row.get("summary")) or cut_at_word(as_text(row.get("text")), SNIPPET_LENGTH)
    return [passage for passage in passages if passage] or [instead]


def _parse_reply(reply: Reply, access: Access) -> dict[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply, access)
    return parse_object(reply, "Exa")


def _raise_refusal(reply: Reply, access: Access) -> NoReturn:
    message = _error_message(reply)
    lowered = message.lower()
    if reply.status == 402 or "credit" in lowered:
        raise OutOfCredit(f"Exa: {message or 'the account has no credit left'}")
    if reply.status == 429:
        raise RateLimited(f"Exa: {message or 'too many requests'}", retry_after=_seconds_to_wait(reply, access.now))
    if "api-key" in lowered or "api key" in lowered:
        raise KeyRejected(f"Exa does not accept the key: {message}")
    # A page that Exa does not have is missing; that is no refusal.
    raise_refusal(reply, "Exa", "" if reply.status in {404, 410} else message)


def _error_message(reply: Reply) -> str:
    """`error` holds the sentence in search answers, only the status in others, which have `message`."""
    body = error_object(reply)
    message = body.get("message") or body.get("error")
    return message[:200] if isinstance(message, str) else ""


def _seconds_to_wait(reply: Reply, now: datetime) -> float | None:
    """`Retry-After`, or the unix time at which the window starts anew."""
    reset = reply.headers.get("x-ratelimit-reset", "").strip()
    if reply.retry_after is not None or not reset.isdecimal() or len(reset) > 12:
        return reply.retry_after
    return max(1.0, float(reset) - now.timestamp())


MOST_PROPERTIES = 10
LARGEST = 20_000
PRIMITIVES = frozenset({"string", "number", "integer", "boolean", "null"})
COMPOSED = ("$ref", "anyOf", "oneOf", "allOf", "not", "properties", "patternProperties")


def check_flat_schema(schema: Mapping[str, Any]) -> None:
    """BadInput with what is wrong and what would be right, or nothing."""
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise BadInput('The schema must be an object: {"type": "object", "properties": {...}}.')
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not 1 <= len(properties) <= MOST_PROPERTIES:
        raise BadInput(f"The schema must have 1 to {MOST_PROPERTIES} properties.")
    if len(repr(schema)) > LARGEST:
        raise BadInput(f"The schema is longer than {LARGEST} characters; shorten its descriptions.")
    for name, property_ in properties.items():
        _check_property(str(name), property_)


def _check_property(name: str, property_: Any) -> None:
    if not isinstance(property_, Mapping):
        raise BadInput(f'The property {name!r} of the schema must be an object such as {{"type": "string"}}.')
    types = _types(property_)
    if "object" in types or any(word in property_ for word in COMPOSED):
        raise BadInput(f"The property {name!r} of the schema is nested; use plain values, or lists of them.")
    if "array" in types:
        _check_items(name, property_.get("items"))
    elif not types and "enum" not in property_ and "const" not in property_:
        raise BadInput(f"The property {name!r} of the schema has no type; give string, number, integer or boolean.")
    if unknown := types - PRIMITIVES - {"array"}:
        raise BadInput(f"The property {name!r} of the schema has the unknown type {min(unknown)!r}.")


def _check_items(name: str, items: Any) -> None:
    types = _types(items) if isinstance(items, Mapping) else set()
    if not types or types - PRIMITIVES or any(word in items for word in COMPOSED):
        raise BadInput(f"The list {name!r} of the schema must hold plain values: strings, numbers or truth values.")


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The types of a schema; several may be given as a list (`["string", "null"]`)."""
    stated = schema.get("type", ())
    return {str(one) for one in ([stated] if isinstance(stated, str) else stated if isinstance(stated, list) else ())}
