"""SearXNG: somebody's own metasearch instance.

API: docs.searxng.org/dev/search_api.html · Key: none; an instance behind a login takes SEARXNG_BASIC_AUTH or
SEARXNG_HEADERS · Shapes of 2026: results come typed and legacy in one list, engines that failed are listed beside
them, and an instance whose engines all failed still answers 200 with an empty list.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from wellsourced.errors import (
    Blocked,
    KeyRejected,
    Misconfigured,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import SHORT_REPLY, Reply, Request, Steps
from wellsourced.late_pattern import late_pattern
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment
from wellsourced.text.plain_text import strip_markup
from wellsourced.text.urls import display_host
from wellsourced.upstream import Access, Provider
from wellsourced.upstreams.helpers.search_operators import compose_query, leading_date
from wellsourced.upstreams.types.search import (
    Article,
    Hit,
    Image,
    ImageQuery,
    LateItems,
    NewsQuery,
    ResultSet,
    WebQuery,
    has_more_than,
)

PROVIDER = Provider(
    name="searxng",
    title="SearXNG",
    bases={"": ""},
    base_setting="SEARXNG_URL",
    uses=(
        Setting("SEARXNG_BASIC_AUTH", "user:password of a SearXNG instance behind a login.", secret=True),
        Setting("SEARXNG_HEADERS", "Headers for the SearXNG instance, e.g. X-Key: abc, X-Team: b.", secret=True),
    ),
    preference=40,
    about="Your own metasearch instance; its settings.yml must list json under search.formats.",
)

T = TypeVar("T", Hit, Article)

SAFE = {"off": "0", "medium": "1", "high": "2"}
MOST_ENGINES = 30
IMAGE_FILTERS = ("size", "type", "color_type", "dominant_color", "file_type")
HEADER_BREAK = late_pattern(r",\s*(?=[A-Za-z0-9_-]+\s*:(?!//))")
HEADER = late_pattern(r"([A-Za-z0-9_-]+)\s*+:\s*+([^\x00-\x1f\x7f]+)")
RESOLUTION = late_pattern(r"\s*(\d{1,6})\s*[x×*]\s*(\d{1,6})\b")
FILE_SIZE = late_pattern(r"\s*(\d{1,9}(?:\.\d{1,6})?)\s*([KMG]?)i?B\b", re.IGNORECASE)
SIZE_UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}
NO_JSON = (
    "The SearXNG instance does not hand out JSON (HTTP 403). Its settings.yml needs `search: formats: [html, json]` "
    "and a restart; public instances rarely allow it, so use an instance of your own."
)


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    reply = yield _build_request(query, access, "general")
    return _build_results(query, access, reply, lambda item: _parse_hit(item, access.now))


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    reply = yield _build_request(query, access, "news")
    results = _build_results(query, access, reply, lambda item: _parse_article(item, access.now))
    unsent = {"sort_by"} if query.sort_by == "date" else set()
    return replace(results, not_applied=results.not_applied | unsent)


def images(query: ImageQuery, access: Access) -> Steps[ResultSet[Image]]:
    reply = yield _build_request(query, access, "images")
    answer = _parse_reply(reply)
    pictures = _parse_items(reply, answer, _parse_image)
    unsent = {name for name in IMAGE_FILTERS if getattr(query, name)}
    if query.time_range == "hour":
        unsent.add("time_range")
    more = True if has_more_than(query.count, pictures) else None
    return ResultSet(pictures, frozenset(unsent | _not_applied(query)), more, _notes(answer))


def _build_request(query: WebQuery, access: Access, category: str) -> Request:
    params = {
        "q": compose_query(query),
        "format": "json",
        "categories": category,
        "language": _language_code(query),
        "time_range": "day" if query.time_range == "hour" else query.time_range,
        "safesearch": SAFE[query.safe],
    }
    return Request.get("/search", params, headers=_headers(access))


def _language_code(query: WebQuery) -> str | None:
    if query.language and query.country and "-" not in query.language:
        return f"{query.language.lower()}-{query.country.upper()}"
    return query.language


def _not_applied(query: WebQuery) -> set[str]:
    """A country goes upstream only as the second half of a language."""
    sent = _language_code(query) or ""
    return {"country"} if query.country and not sent.lower().endswith(f"-{query.country.lower()}") else set()


def _headers(access: Access) -> dict[str, str]:
    headers = {"Accept": "application/json"}
    if access["SEARXNG_BASIC_AUTH"]:
        if ":" not in access["SEARXNG_BASIC_AUTH"]:
            raise Misconfigured("SEARXNG_BASIC_AUTH must be user:password.", provider=PROVIDER.name)
        headers["Authorization"] = "Basic " + base64.b64encode(access["SEARXNG_BASIC_AUTH"].encode()).decode()
    for piece in HEADER_BREAK.split(access["SEARXNG_HEADERS"].strip()) if access["SEARXNG_HEADERS"].strip() else ():
        named = HEADER.fullmatch(piece.strip())
        if not named:
            raise Misconfigured("SEARXNG_HEADERS must be Name: Value, Name2: Value2.", provider=PROVIDER.name)
        headers = {name: value for name, value in headers.items() if name.lower() != named[1].lower()}
        headers[named[1]] = named[2].strip()
    return headers


def _build_results(
    query: WebQuery, access: Access, reply: Reply, read: Callable[[Mapping[str, Any]], T | None]
) -> ResultSet[T]:
    answer = _parse_reply(reply)
    items = _parse_items(reply, answer, read)
    not_applied = _not_applied(query) | query.hour_unsent | query.days_unsent
    more = True if has_more_than(query.count, items) else None
    return ResultSet(items, frozenset(not_applied), more, _notes(answer))


def _parse_reply(reply: Reply) -> Mapping[str, Any]:
    """The answer, or the error it stands for."""
    _raise_for_status(reply)
    if "html" in reply.headers.get("content-type", "") or reply.body[:64].lstrip().startswith(b"<"):
        message = (
            "The SearXNG instance answered with a web page: it wants a browser check or a login before it searches."
        )
        raise Blocked(message, provider=PROVIDER.name, detail=reply.summary)
    answer = reply.json()
    if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
        raise UpstreamChanged("SearXNG's answer holds no list of results.", provider="searxng", detail=reply.summary)
    failed = _failed_engines(answer)
    if failed and not answer["results"] and not answer.get("answers") and not answer.get("infoboxes"):
        raise _all_engines_failed(failed)
    return answer


def _raise_for_status(reply: Reply) -> None:
    if reply.status == 403:
        raise Blocked(NO_JSON, provider=PROVIDER.name, detail=reply.summary)
    if reply.status == 401:
        message = "The SearXNG instance asks for a login; check SEARXNG_BASIC_AUTH or SEARXNG_HEADERS."
        raise KeyRejected(message, provider=PROVIDER.name)
    if reply.status == 404:
        message = "There is no /search below SEARXNG_URL (HTTP 404); it must be the instance's own address."
        raise Misconfigured(message, provider=PROVIDER.name)
    if reply.status == 429:
        message = "The SearXNG instance's limiter refuses further searches for now (HTTP 429)."
        raise RateLimited(message, provider=PROVIDER.name, retry_after=reply.retry_after)
    reply.expect_ok()


def _failed_engines(answer: Mapping[str, Any]) -> dict[str, str]:
    """Engines that did not answer, with the reason."""
    listed = answer.get("unresponsive_engines")
    pairs = [pair for pair in listed if isinstance(pair, list) and pair] if isinstance(listed, list) else []
    named = ((pair[0], pair[1] if len(pair) > 1 else "no reason") for pair in pairs[:MOST_ENGINES])
    return {strip_markup(str(engine))[:60]: strip_markup(str(reason))[:120] for engine, reason in named}


def _list_engines(failed: Mapping[str, str]) -> str:
    return ", ".join(f"{engine} ({reason})" for engine, reason in failed.items())


def _all_engines_failed(failed: Mapping[str, str]) -> WellsourcedError:
    message = f"SearXNG brought nothing because its engines failed: {_list_engines(failed)}."
    reasons = [reason.lower() for reason in failed.values()]
    if all("captcha" in reason or "access denied" in reason for reason in reasons):
        return Blocked(message, provider=PROVIDER.name)
    if all(any(word in reason for word in ("captcha", "access denied", "too many requests")) for reason in reasons):
        return RateLimited(message, provider=PROVIDER.name)
    return UpstreamUnavailable(message, provider=PROVIDER.name)


def _notes(answer: Mapping[str, Any]) -> tuple[str, ...]:
    failed = _failed_engines(answer)
    return (f"SearXNG engines that did not answer: {_list_engines(failed)}.",) if failed else ()


Item = TypeVar("Item")


def _parse_items(
    reply: Reply, answer: Mapping[str, Any], read: Callable[[Mapping[str, Any]], Item | None]
) -> Sequence[Item]:
    """What can be read; a list of which nothing can be read is a change, not an empty answer."""
    results = answer["results"]
    items = LateItems(item for entry in results if isinstance(entry, dict) if (item := read(entry)) is not None)
    if results and not items:
        raise UpstreamChanged("None of SearXNG's results has a title and an address.", provider=PROVIDER.name)
    return items if len(reply.body) <= SHORT_REPLY else tuple(items)  # here it is beside the event loop


def _parse_hit(item: Mapping[str, Any], now: datetime) -> Hit | None:
    url, title = _web_address(item.get("url")), _text_field(item, "title")
    if not url or not title:
        return None
    snippet = _text_field(item, "content")
    return Hit(
        title=title,
        url=url,
        snippet=snippet,
        published_at=_parse_date(item, snippet, now),
        engines=_engine_names(item),
    )


def _parse_article(item: Mapping[str, Any], now: datetime) -> Article | None:
    hit = _parse_hit(item, now)
    return hit.as_article(display_host(hit.url)) if hit else None


def _parse_image(item: Mapping[str, Any]) -> Image | None:
    link = _web_address(item.get("img_src"))
    if not link:
        return None
    measured = RESOLUTION.match(_text_field(item, "resolution"))
    return Image(
        title=_text_field(item, "title"),
        link=link,
        thumbnail_link=_web_address(item.get("thumbnail_src")) or _web_address(item.get("thumbnail")),
        context_link=_web_address(item.get("url")),
        width=int(measured[1]) if measured else None,
        height=int(measured[2]) if measured else None,
        file_size=_byte_size(_text_field(item, "filesize")),
        engines=_engine_names(item),
    )


def _text_field(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    return strip_markup(value) if isinstance(value, str) else ""


def _web_address(value: object) -> str | None:
    """A web address; pictures are often named without a scheme, and thumbnails may be inline data, which is dropped."""
    text = value.strip() if isinstance(value, str) else ""
    text = f"https:{text}" if text.startswith("//") else text
    return text if text.lower().startswith(("http://", "https://")) else None


def _parse_date(item: Mapping[str, Any], snippet: str, now: datetime) -> datetime | None:
    for value in (item.get("publishedDate"), item.get("pubdate")):
        if isinstance(value, str) and (moment := parse_moment(value, now)):
            return moment
    return leading_date(snippet, now)


def _engine_names(item: Mapping[str, Any]) -> tuple[str, ...]:
    engines = item.get("engines")
    names = engines if isinstance(engines, list) and engines else [item.get("engine")]
    return tuple([name for name in names if isinstance(name, str) and name])


def _byte_size(text: str) -> int | None:
    size = FILE_SIZE.match(text)
    return int(float(size[1]) * SIZE_UNITS[size[2].upper()]) if size else None
