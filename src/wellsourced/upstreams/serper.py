"""Serper: Google's result pages as JSON, for pages, pictures and news.

API: POST google.serper.dev/{search,images,news}. Key: SERPER_API_KEY. Filters travel in Google's own `tbs` notation;
there is no control for SafeSearch. A wrong key is HTTP 403, a spent account HTTP 400. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from html import unescape
from typing import Any, NoReturn

from wellsourced.errors import OutOfCredit, UpstreamChanged
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment
from wellsourced.text.urls import display_host, unwrap_redirect
from wellsourced.upstream import Access, Provider
from wellsourced.upstreams.helpers.google_filters import age_filter, image_filters, rows_to_request
from wellsourced.upstreams.helpers.json_fields import as_size, as_text
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object, raise_refusal, web_link
from wellsourced.upstreams.helpers.search_operators import compose_query
from wellsourced.upstreams.types.search import Article, Hit, Image, ImageQuery, NewsQuery, ResultSet, WebQuery

PROVIDER = Provider(
    name="serper",
    title="Serper",
    bases={"": "https://google.serper.dev"},
    needs=(Setting("SERPER_API_KEY", "Key of serper.dev.", secret=True),),
    preference=22,
    about="Google results through serper.dev; pages, pictures, news.",
)


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    reply = yield _build_request("/search", query, access, age_filter(query, access.now.date()))
    rows = _result_rows(_parse_reply(reply), "organic")
    return ResultSet(tuple(_parse_hit(row, access.now) for row in rows), _not_applied(query))


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    by_date = ["sbd:1"] if query.sort_by == "date" else []
    reply = yield _build_request("/news", query, access, [*age_filter(query, access.now.date()), *by_date])
    rows = _result_rows(_parse_reply(reply), "news")
    return ResultSet(tuple(_parse_article(row, access.now) for row in rows), _not_applied(query))


def images(query: ImageQuery, access: Access) -> Steps[ResultSet[Image]]:
    filters, missing = image_filters(query)
    reply = yield _build_request("/images", query, access, [*age_filter(query, access.now.date()), *filters])
    rows = _result_rows(_parse_reply(reply), "images", "imageUrl")
    return ResultSet(tuple(_parse_image(row) for row in rows), _not_applied(query) | missing)


def _build_request(path: str, query: WebQuery, access: Access, filters: list[str]) -> Request:
    body = {
        "q": compose_query(query),
        "num": rows_to_request(query.count),
        "gl": (query.country or "").lower(),
        "hl": (query.language or "").lower(),
        "tbs": ",".join(filters),
    }
    sent = {name: value for name, value in body.items() if value}
    return Request.post_json(path, sent, headers={"X-API-KEY": access["SERPER_API_KEY"]})


def _not_applied(query: WebQuery) -> frozenset[str]:
    return frozenset({"safe"} if query.safe != "medium" else ())


def _result_rows(body: Mapping[str, Any], key: str, address: str = "link") -> list[dict[str, Any]]:
    rows = list_under(body, key, "Serper")
    usable = [row for row in rows if isinstance(row, dict) and web_link(row.get(address))]
    if rows and not usable:
        raise UpstreamChanged(f"Serper's {key} results have no addresses.")
    return usable


def _parse_hit(row: Mapping[str, Any], now: datetime) -> Hit:
    url = unwrap_redirect(row["link"])
    return Hit(
        title=as_text(row.get("title")) or url,
        url=url,
        snippet=as_text(row.get("snippet")),
        published_at=parse_moment(as_text(row.get("date")), now),
    )


def _parse_article(row: Mapping[str, Any], now: datetime) -> Article:
    hit = _parse_hit(row, now)
    return hit.as_article(as_text(row.get("source")) or display_host(hit.url))


def _parse_image(row: Mapping[str, Any]) -> Image:
    return Image(
        title=as_text(row.get("title")) or row["imageUrl"],
        link=row["imageUrl"],
        thumbnail_link=web_link(unescape(as_text(row.get("thumbnailUrl")))),
        context_link=web_link(row.get("link")),
        width=as_size(row.get("imageWidth")),
        height=as_size(row.get("imageHeight")),
    )


def _parse_reply(reply: Reply) -> dict[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply)
    return parse_object(reply, "Serper")


def _raise_refusal(reply: Reply) -> NoReturn:
    value = error_object(reply).get("message")
    message = value[:200] if isinstance(value, str) else ""
    if "credit" in message.lower() or reply.status == 402:
        raise OutOfCredit(f"Serper: {message or reply.summary}")
    raise_refusal(reply, "Serper", message)
