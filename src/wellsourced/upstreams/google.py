"""Google Custom Search: one of Google's programmable engines, for pages and pictures; news are dated pages.

API: developers.google.com/custom-search/v1. Keys: GOOGLE_CUSTOM_SEARCH_API_KEY and the engine's id. Ten results a
page, a hundred in all. An answer without `items` means that nothing was found. Closed to new customers; existing ones
are served until 2027-01-01. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any, NoReturn

from wellsourced.errors import KeyRejected, RateLimited, UpstreamChanged, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment
from wellsourced.text.urls import display_host, unwrap_redirect
from wellsourced.upstream import Access, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_size, as_text, parse_rows
from wellsourced.upstreams.helpers.replies import error_object, web_link
from wellsourced.upstreams.helpers.search_operators import compose_query, split_excluded
from wellsourced.upstreams.types.search import Article, Hit, Image, ImageQuery, NewsQuery, ResultSet, WebQuery

PROVIDER = Provider(
    name="google",
    title="Google Custom Search",
    bases={"": "https://www.googleapis.com"},
    needs=(
        Setting("GOOGLE_CUSTOM_SEARCH_API_KEY", "Key of the Custom Search JSON API.", secret=True),
        Setting("GOOGLE_CUSTOM_SEARCH_ID", "Id (cx) of the programmable search engine."),
    ),
    preference=20,
    about="Google's index through a programmable search engine; pages, pictures, dated pages as news.",
)

PAGE, MOST, LAST_START = 10, 100, 91  # results a page, results in all, the last page
WINDOWS = {"hour": "d1", "day": "d1", "week": "w1", "month": "m1", "year": "y1"}
LANGUAGES = "ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr"
OWN_LANGUAGE = {"he": "iw", "nb": "no", "nn": "no"}
TRADITIONAL = ("zh-tw", "zh-hk", "zh-mo", "zh-hant")
DATED_TAGS = ("article:published_time", "datepublished", "og:published_time", "publishdate", "date", "dc.date.issued")
DATED_PARTS = ("newsarticle", "article", "blogposting")
DAILY_REASONS = frozenset({"dailyLimitExceeded", "quotaExceeded"})
PACE_REASONS = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"})


@dataclass
class CollectedRows:
    """Rows of one or more pages."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    more: bool = False
    notes: tuple[str, ...] = ()


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    collected = yield from _collect_rows(query, access, {})
    hits = [_parse_hit(row, access.now) for row in collected.rows]
    return ResultSet(tuple(hits), query.hour_unsent | _unsupported_language(query), collected.more, collected.notes)


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    by_date = {"sort": "date"} if query.sort_by == "date" and not query.days_unsent else {}
    collected = yield from _collect_rows(query, access, by_date)
    articles = [_parse_article(row, access.now) for row in collected.rows]
    return ResultSet(tuple(articles), query.hour_unsent | _unsupported_language(query), collected.more, collected.notes)


def images(query: ImageQuery, access: Access) -> Steps[ResultSet[Image]]:
    filters: dict[str, Param] = {
        "searchType": "image",
        "imgSize": query.size,
        "imgType": query.type,
        "imgColorType": query.color_type,
        "imgDominantColor": query.dominant_color,
        "fileType": query.file_type,
    }
    collected = yield from _collect_rows(query, access, filters)
    pictures = tuple(parse_rows(collected.rows, _parse_image))
    return ResultSet(pictures, query.hour_unsent | _unsupported_language(query), collected.more, collected.notes)


def _collect_rows(query: WebQuery, access: Access, filters: Mapping[str, Param]) -> Steps[CollectedRows]:
    """As many pages as the count asks for. What the first pages brought is kept when a later one fails."""
    collected, wanted = CollectedRows(), max(1, min(query.count, MOST))
    for start in range(1, wanted + 1, PAGE):
        params = {**_search_params(query, access), **filters, "num": min(PAGE, wanted - start + 1)}
        reply = yield Request.get("/customsearch/v1", {**params, "start": start if start > 1 else None})
        try:
            body = _parse_reply(reply, access)
            collected.rows += _result_rows(body, is_first=start == 1)
            collected.more = _has_next(body)
        except WellsourcedError as problem:
            if start == 1:
                raise
            collected.notes = (f"Google gave the first {len(collected.rows)} results only: {problem.sentence}",)
            break
        if not collected.more:
            break
    return collected


def _search_params(query: WebQuery, access: Access) -> dict[str, Param]:
    lone_site = query.sites[0] if len(query.sites) == 1 else None
    country = (query.country or "").lower().replace("gb", "uk")
    language = _language_code(query)
    days = query.days(access.now.date())
    return {
        "key": access["GOOGLE_CUSTOM_SEARCH_API_KEY"],
        "cx": query.engine_id or access["GOOGLE_CUSTOM_SEARCH_ID"],
        "q": compose_query(query, sites=lone_site is None, exact=False, exclude=False),
        "safe": "off" if query.safe == "off" else "active",
        "exactTerms": " ".join((query.exact_terms or "").replace('"', " ").split()) or None,
        "excludeTerms": _excluded_terms(query) or None,
        "siteSearch": lone_site,
        "siteSearchFilter": "i" if lone_site else None,
        "dateRestrict": WINDOWS[query.time_range] if query.time_range and not days else None,
        "sort": f"date:r:{days[0]:%Y%m%d}:{days[1]:%Y%m%d}" if days else None,
        "lr": f"lang_{language}" if language else None,
        "hl": query.language or None,
        "cr": f"country{country.upper()}" if country else None,
        "gl": country or None,
    }


def _excluded_terms(query: WebQuery) -> str:
    return " ".join(f'"{term}"' if " " in term else term for term in split_excluded(query.exclude_terms))


def _language_code(query: WebQuery) -> str | None:
    """Google restricts to a fixed list of languages; Chinese goes by the script's home."""
    tag = (query.language or "").lower().replace("_", "-")
    primary = tag.partition("-")[0]
    if primary == "zh":
        return "zh-TW" if tag.startswith(TRADITIONAL) else "zh-CN"
    code = OWN_LANGUAGE.get(primary, primary)
    return code if code in LANGUAGES.split() else None


def _unsupported_language(query: WebQuery) -> frozenset[str]:
    return frozenset({"language"} if query.language and not _language_code(query) else ())


def _result_rows(body: Mapping[str, Any], *, is_first: bool) -> list[dict[str, Any]]:
    if "items" not in body:
        total = str(body["searchInformation"]["totalResults"])
        if is_first and total != "0":
            raise UpstreamChanged(f"Google speaks of {total[:20]} results and lists none.")
        return []
    rows = body["items"]
    if not isinstance(rows, list):
        raise UpstreamChanged("Google's answer has no list of results.")
    # Pictures that Google alone holds come as `x-raw-image:` and cannot be opened.
    usable = [row for row in rows if isinstance(row, dict) and web_link(row.get("link"))]
    if rows and not usable:
        raise UpstreamChanged("Google's results have no addresses.")
    return usable


def _has_next(body: Mapping[str, Any]) -> bool:
    """Google offers a page after the hundredth result too, and answers it with an error."""
    match body["queries"]:
        case {"nextPage": [{"startIndex": int(start)}, *_]}:
            return start <= LAST_START
    return False


def _parse_hit(row: Mapping[str, Any], now: datetime) -> Hit:
    url = unwrap_redirect(row["link"])
    snippet = as_text(row.get("snippet"))
    return Hit(
        title=as_text(row.get("title")) or url, url=url, snippet=snippet, published_at=_publication_date(row, now)
    )


def _parse_article(row: Mapping[str, Any], now: datetime) -> Article:
    hit = _parse_hit(row, now)
    outlet = next((tags["og:site_name"] for tags in _pagemap_parts(row, "metatags") if "og:site_name" in tags), "")
    return hit.as_article(as_text(outlet) or display_host(hit.url))


def _parse_image(row: Mapping[str, Any]) -> Image:
    about = row["image"]
    page = web_link(about["contextLink"])
    return Image(
        title=as_text(row.get("title")) or row["link"],
        link=row["link"],
        thumbnail_link=web_link(about.get("thumbnailLink")),
        context_link=page,
        width=as_size(about.get("width")),
        height=as_size(about.get("height")),
        file_size=as_size(about.get("byteSize")),
    )


def _publication_date(row: Mapping[str, Any], now: datetime) -> datetime | None:
    """What the page declares, or the date that Google puts before the snippet."""
    written = [part.get("datepublished") for name in DATED_PARTS for part in _pagemap_parts(row, name)]
    written += [tags.get(name) for tags in _pagemap_parts(row, "metatags") for name in DATED_TAGS]
    written.append(str(row.get("snippet") or "").partition(" ... ")[0])
    dates = (parse_moment(text, now) for text in written if isinstance(text, str))
    return next((date for date in dates if date), None)


def _pagemap_parts(row: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    pagemap = row.get("pagemap")
    parts = pagemap.get(name) if isinstance(pagemap, dict) else None
    yield from (part for part in (parts if isinstance(parts, list) else ()) if isinstance(part, dict))


def _parse_reply(reply: Reply, access: Access) -> dict[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply, access)
    body = reply.expect_ok().json()
    if not isinstance(body, dict) or not isinstance(body.get("queries"), dict):
        raise UpstreamChanged("Google's answer is not a list of search results.")
    return body


def _raise_refusal(reply: Reply, access: Access) -> NoReturn:
    error = _parse_error(reply)
    message, reasons = str(error.get("message") or reply.summary)[:200], _error_reasons(error)
    if reasons & DAILY_REASONS or (reply.status in {403, 429} and "per day" in message):
        raise RateLimited(f"Google: {message}", retry_after=_seconds_until_midnight(access.now))
    if reply.status == 429 or reasons & PACE_REASONS:
        raise RateLimited(f"Google: {message}", retry_after=reply.retry_after)
    if reply.status in {401, 403} and error:
        raise KeyRejected(f"Google does not accept the key: {message}")
    if any("KEY" in reason or "keyInvalid" in reason for reason in reasons):
        raise KeyRejected(f"Google does not accept the key: {message}")
    if error and reply.status < 500:
        raise UpstreamUnavailable(f"Google refused the request: {message}", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamUnavailable(f"Google answered HTTP {reply.status}.")


def _parse_error(reply: Reply) -> Mapping[str, Any]:
    return as_object(error_object(reply).get("error"))


def _error_reasons(error: Mapping[str, Any]) -> set[str]:
    """Old answers give reasons in `errors`, newer ones in `status` and `details` as well."""
    lists = [error.get("errors"), error.get("details")]
    entries = [entry for entries in lists if isinstance(entries, list) for entry in entries if isinstance(entry, dict)]
    return {str(entry["reason"]) for entry in entries if "reason" in entry} | {str(error.get("status", ""))}


def _seconds_until_midnight(now: datetime) -> float | None:
    """Daily quotas start anew at midnight in California."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        there = now.astimezone(ZoneInfo("America/Los_Angeles"))
    except ZoneInfoNotFoundError:
        return None
    midnight = datetime.combine(there.date() + timedelta(days=1), time(), there.tzinfo)
    return max(60.0, midnight.timestamp() - now.timestamp())
