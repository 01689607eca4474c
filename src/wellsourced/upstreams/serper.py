"""Serper: Google's result pages as JSON, for pages, pictures and news.

API: POST google.serper.dev/{search,images,news}. Key: SERPER_API_KEY. Filters travel in Google's own `tbs` notation;
there is no control for SafeSearch. A wrong key is HTTP 403, a spent account HTTP 400. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NoReturn

from wellsourced.errors import KeyRejected, OutOfCredit, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment
from wellsourced.text.json_fields import positive, words
from wellsourced.text.urls import display_host, unwrap_redirect
from wellsourced.upstream import Access, Provider
from wellsourced.upstreams.helpers.search_operators import compose
from wellsourced.upstreams.types.search import Article, Hit, Image, ImageQuery, NewsQuery, ResultSet, WebQuery

PROVIDER = Provider(
    name="serper",
    title="Serper",
    bases={"": "https://google.serper.dev"},
    needs=(Setting("SERPER_API_KEY", "Key of serper.dev.", secret=True),),
    preference=22,
    about="Google results through serper.dev; pages, pictures, news.",
)

STEP, MOST = 10, 100
AGES = {"hour": "qdr:h", "day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y"}
SIZES = {
    "icon": "isz:i",
    "small": "isz:s",
    "medium": "isz:m",
    "large": "isz:l",
    "xlarge": "isz:lt,islt:2mp",
    "xxlarge": "isz:lt,islt:4mp",
    "huge": "isz:lt,islt:8mp",
}
TYPES = {name: f"itp:{name}" for name in ("clipart", "face", "lineart", "photo", "animated")}
COLOR_TYPES = {"color": "ic:color", "gray": "ic:gray", "mono": "ic:gray", "trans": "ic:trans"}


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    reply = yield _request("/search", query, access, _age(query))
    rows = _rows(_answer(reply), "organic")
    return ResultSet(tuple(_hit(row, access.now) for row in rows), _unsafe(query))


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    by_date = ["sbd:1"] if query.sort_by == "date" else []
    reply = yield _request("/news", query, access, [*_age(query), *by_date])
    rows = _rows(_answer(reply), "news")
    return ResultSet(tuple(_article(row, access.now) for row in rows), _unsafe(query))


def images(query: ImageQuery, access: Access) -> Steps[ResultSet[Image]]:
    wishes, missing = _picture_filters(query)
    reply = yield _request("/images", query, access, [*_age(query), *wishes])
    rows = _rows(_answer(reply), "images", "imageUrl")
    return ResultSet(tuple(_image(row) for row in rows), _unsafe(query) | missing)


def _request(path: str, query: WebQuery, access: Access, filters: list[str]) -> Request:
    body = {
        "q": compose(query),
        "num": max(STEP, min(-(-query.count // STEP) * STEP, MOST)),
        "gl": (query.country or "").lower(),
        "hl": (query.language or "").lower(),
        "tbs": ",".join(filters),
    }
    sent = {name: value for name, value in body.items() if value}
    return Request.post_json(path, sent, headers={"X-API-KEY": access["SERPER_API_KEY"]})


def _age(query: WebQuery) -> list[str]:
    return [AGES[query.time_range]] if query.time_range else []


def _unsafe(query: WebQuery) -> frozenset[str]:
    return frozenset({"safe"} if query.safe != "medium" else ())


def _picture_filters(query: ImageQuery) -> tuple[list[str], frozenset[str]]:
    """Google's notation for each filter, and the names of those it has no word for.

    A dominant colour takes the place of the colour type, which it implies unless grey or transparent was asked for.
    """
    color = f"ic:specific,isc:{query.dominant_color}" if query.dominant_color else None
    wishes = {
        "size": SIZES.get(query.size or ""),
        "type": TYPES.get(query.type or ""),
        "color_type": None if color else COLOR_TYPES.get(query.color_type or ""),
        "dominant_color": color,
        "file_type": f"ift:{query.file_type}" if query.file_type else None,
    }
    implied = {"color_type"} if color and query.color_type == "color" else set()
    missing = {name for name, wish in wishes.items() if getattr(query, name) and not wish} - implied
    return [wish for wish in wishes.values() if wish], frozenset(missing)


def _rows(body: Mapping[str, Any], key: str, address: str = "link") -> list[dict[str, Any]]:
    rows = body[key]
    if not isinstance(rows, list):
        raise UpstreamChanged(f"Serper's answer has no list of {key} results.")
    usable = [row for row in rows if isinstance(row, dict) and _link(row.get(address))]
    if rows and not usable:
        raise UpstreamChanged(f"Serper's {key} results have no addresses.")
    return usable


def _link(value: Any) -> str | None:
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else None


def _hit(row: Mapping[str, Any], now: datetime) -> Hit:
    url = unwrap_redirect(row["link"])
    return Hit(
        title=words(row.get("title")) or url,
        url=url,
        snippet=words(row.get("snippet")),
        published_at=parse_moment(words(row.get("date")), now),
    )


def _article(row: Mapping[str, Any], now: datetime) -> Article:
    url = unwrap_redirect(row["link"])
    return Article(
        title=words(row.get("title")) or url,
        url=url,
        source=words(row.get("source")) or display_host(url),
        snippet=words(row.get("snippet")),
        published_at=parse_moment(words(row.get("date")), now),
    )


def _image(row: Mapping[str, Any]) -> Image:
    return Image(
        title=words(row.get("title")) or row["imageUrl"],
        link=row["imageUrl"],
        thumbnail_link=_link(row.get("thumbnailUrl")),
        context_link=_link(row.get("link")),
        width=positive(row.get("imageWidth")),
        height=positive(row.get("imageHeight")),
    )


def _answer(reply: Reply) -> dict[str, Any]:
    if reply.status >= 400:
        _refuse(reply)
    body = reply.expect_ok().json()
    if not isinstance(body, dict):
        raise UpstreamChanged("Serper's answer is not an object.")
    return body


def _refuse(reply: Reply) -> NoReturn:
    said = _message(reply)
    if "credit" in said.lower() or reply.status == 402:
        raise OutOfCredit(f"Serper: {said or reply.summary}")
    if said and reply.status in {401, 403}:
        raise KeyRejected(f"Serper does not accept the key: {said}")
    if reply.status == 429:
        raise RateLimited(f"Serper: {said or 'too many requests'}", retry_after=reply.retry_after)
    if said and reply.status < 500:
        raise UpstreamUnavailable(f"Serper refused the request: {said}", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamUnavailable(f"Serper answered HTTP {reply.status}.")


def _message(reply: Reply) -> str:
    """What the service itself says; "" for a page of somebody in between."""
    try:
        body = reply.json()
    except UpstreamChanged:
        return ""
    message = body.get("message") if isinstance(body, dict) else None
    return message[:200] if isinstance(message, str) else ""
