"""SearchAPI.io: Google's result pages as JSON, for pages, pictures and news.

API: www.searchapi.io/docs. Key: SEARCHAPI_API_KEY, sent as a bearer token because keys in addresses end up in logs.
Picture filters travel in Google's `tbs` notation, the only control that covers all of them. Pictures are listed
under `images` with objects for `original` and `source`. A search without results may be a 200 with `error`.
Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, NoReturn

from wellsourced.errors import OutOfCredit, RateLimited, UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment
from wellsourced.text.urls import display_host, unwrap_redirect
from wellsourced.upstream import Access, Provider
from wellsourced.upstreams.helpers.assignees import bare_company
from wellsourced.upstreams.helpers.google_filters import age_filter, image_filters, rows_to_request, us_date
from wellsourced.upstreams.helpers.json_fields import as_object, as_size, as_text, iso_from_text, parse_rows
from wellsourced.upstreams.helpers.patent_numbers import is_grant, patent_number, patent_page_url
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object, raise_refusal, web_link
from wellsourced.upstreams.helpers.search_operators import compose_query
from wellsourced.upstreams.types.patent import Patent, PatentQuery
from wellsourced.upstreams.types.search import Article, Hit, Image, ImageQuery, NewsQuery, ResultSet, WebQuery

PROVIDER = Provider(
    name="searchapi",
    title="SearchAPI.io",
    bases={"": "https://www.searchapi.io"},
    needs=(Setting("SEARCHAPI_API_KEY", "Key of searchapi.io.", secret=True),),
    preference=24,
    about="Google results through searchapi.io; pages, pictures, news, patents.",
)

SAFE = {"off": "off", "medium": "blur", "high": "active"}
NOTHING_FOUND = ("any results", "no results")
USED_UP = ("used all", "out of searches", "upgrade", "credit")


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    params: dict[str, Param] = {
        "engine": "google",
        "num": rows_to_request(query.count),
        **_time_period(query, access.now.date()),
    }
    reply = yield _build_request(query, access, params)
    rows = _result_rows(_parse_reply(reply), "organic_results")
    return ResultSet(tuple(_parse_hit(row, access.now) for row in rows))


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    params: dict[str, Param] = {
        "engine": "google_news",
        **_time_period(query, access.now.date()),
        "sort_by": "most_recent" if query.sort_by == "date" else None,
    }
    reply = yield _build_request(query, access, params)
    body = _parse_reply(reply)
    rows = _result_rows(body, "news_results" if "news_results" in body else "organic_results")
    return ResultSet(tuple(_parse_article(row, access.now) for row in rows))


def images(query: ImageQuery, access: Access) -> Steps[ResultSet[Image]]:
    filters, missing = image_filters(query)
    filters += age_filter(query, access.now.date())
    reply = yield _build_request(query, access, {"engine": "google_images", "tbs": ",".join(filters) or None})
    found = parse_rows(_result_rows(_parse_reply(reply), "images"), _parse_image)
    return ResultSet(tuple(found), missing)


def patents(query: PatentQuery, access: Access) -> Steps[ResultSet[Patent]]:
    """Google Patents. Nothing but documented samples is known of this engine, so both spellings of a link are read."""
    reply = yield Request.get("/api/v1/search", _patent_params(query), headers=_auth_header(access))
    body = _parse_reply(reply)
    if "organic_results" not in body and _found_nothing(body):
        return ResultSet(())
    rows = list_under(body, "organic_results", "SearchAPI")
    found = tuple(patent for row in rows if isinstance(row, dict) and (patent := _parse_patent(row)))
    if rows and not found:
        raise UpstreamChanged("None of SearchAPI's patents has a number.")
    return ResultSet(found[: query.count])


def _auth_header(access: Access) -> dict[str, str]:
    return {"Authorization": f"Bearer {access['SEARCHAPI_API_KEY']}"}


def _patent_params(query: PatentQuery) -> dict[str, Param]:
    """Years are years of filing. A search by owner or inventor alone still needs a query, which may be `*`."""
    text = query.number or query.text.strip() or "*"
    cpc = "".join((query.cpc or "").split()).upper()
    return {
        "engine": "google_patents",
        "q": f"{text} CPC={cpc}" if cpc else text,
        "assignee": bare_company(query.assignee) if query.assignee else None,
        "inventor": query.inventor,
        "country": query.office,
        "after": f"filing:{query.year_from:04}0101" if query.year_from else None,
        "before": f"filing:{query.year_to:04}1231" if query.year_to else None,
        "num": rows_to_request(query.count),
    }


def _parse_patent(row: Mapping[str, Any]) -> Patent | None:
    """None for a scholarly article among the patents."""
    number = patent_number(as_text(row.get("publication_number")) or as_text(row.get("patent_id")))
    if not number:
        return None
    granted = iso_from_text(row.get("grant_date"))
    country_status = row.get("country_status")
    status = country_status.get(number[:2]) if isinstance(country_status, dict) else None
    return Patent(
        title=as_text(row.get("title")) or number,
        number=number,
        url=web_link(row.get("patent_link")) or web_link(row.get("link")) or patent_page_url(number),
        source=PROVIDER.name,
        abstract=as_text(row.get("snippet")) or None,
        assignees=(owner,) if (owner := as_text(row.get("assignee"))) else (),
        inventors=(person,) if (person := as_text(row.get("inventor"))) else (),
        priority=iso_from_text(row.get("priority_date")),
        filed=iso_from_text(row.get("filing_date")),
        published=iso_from_text(row.get("publication_date")),
        granted=granted if is_grant(number) is not False else None,
        pdf=web_link(row.get("pdf")),
        status=as_text(status).replace("_", " ").capitalize() or None,
    )


def _build_request(query: WebQuery, access: Access, own_params: Mapping[str, Param]) -> Request:
    country = (query.country or "").lower()
    params = {
        **own_params,
        "q": compose_query(query),
        "safe": SAFE[query.safe],
        "gl": "uk" if country == "gb" else country or None,
        "hl": (query.language or "").lower() or None,
    }
    return Request.get("/api/v1/search", params, headers=_auth_header(access))


def _time_period(query: WebQuery, today: date) -> dict[str, Param]:
    if days := query.days(today):
        return {"time_period_min": us_date(days[0]), "time_period_max": us_date(days[1])}
    return {"time_period": f"last_{query.time_range}" if query.time_range else None}


def _result_rows(body: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    if key not in body and _found_nothing(body):
        return []
    rows = list_under(body, key, "SearchAPI")
    usable = [row for row in rows if isinstance(row, dict) and _result_link(row)]
    if rows and not usable:
        raise UpstreamChanged("SearchAPI's results have no addresses.")
    return usable


def _found_nothing(body: Mapping[str, Any]) -> bool:
    """Said in so many words, or by a count of nought; a list that is merely missing is not understood."""
    message = str(body.get("error", "")).lower()
    about = body.get("search_information")
    total = about.get("total_results") if isinstance(about, dict) else None
    return any(phrase in message for phrase in NOTHING_FOUND) or (total == 0 and total is not False)


def _result_link(row: Mapping[str, Any]) -> str:
    """Where a row points to: the picture of an image, the page of anything else."""
    original = row.get("original")
    return web_link(original.get("link") if isinstance(original, dict) else row.get("link")) or ""


def _parse_hit(row: Mapping[str, Any], now: datetime) -> Hit:
    url = unwrap_redirect(_result_link(row))
    return Hit(
        title=as_text(row.get("title")) or url,
        url=url,
        snippet=as_text(row.get("snippet")),
        published_at=parse_moment(as_text(row.get("date")), now),
    )


def _parse_article(row: Mapping[str, Any], now: datetime) -> Article:
    hit = _parse_hit(row, now)
    article = hit.as_article(_outlet_name(row.get("source")) or display_host(hit.url))
    return replace(article, published_at=parse_moment(as_text(row.get("iso_date") or row.get("date")), now))


def _outlet_name(source: Any) -> str:
    """A name, or an object with one, as the engines differ."""
    name = source.get("name") if isinstance(source, dict) else source
    return as_text(name)


def _parse_image(row: Mapping[str, Any]) -> Image:
    original, page = row["original"], row["source"]["link"]
    return Image(
        title=as_text(row.get("title")) or original["link"],
        link=original["link"],
        thumbnail_link=web_link(row.get("thumbnail")),
        context_link=web_link(page),
        width=as_size(original.get("width")),
        height=as_size(original.get("height")),
    )


def _parse_reply(reply: Reply) -> dict[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply)
    body = parse_object(reply, "SearchAPI")
    if "error" in body and not _found_nothing(body):
        _raise_refusal(reply)
    return body


def _raise_refusal(reply: Reply) -> NoReturn:
    message = _error_message(reply)
    # Used-up credits come under several statuses, a success among them.
    is_used_up = any(phrase in message.lower() for phrase in USED_UP)
    if reply.status == 402 or (is_used_up and reply.status in {200, 403, 429}):
        raise OutOfCredit(f"SearchAPI: {message or reply.summary}")
    if "rate limit" in message.lower() and reply.status not in {401, 403}:
        raise RateLimited(f"SearchAPI: {message}", retry_after=reply.retry_after)
    raise_refusal(reply, "SearchAPI", message)


def _error_message(reply: Reply) -> str:
    error = error_object(reply).get("error")
    message = as_object(error).get("message") or error
    return str(message)[:200] if message else ""
