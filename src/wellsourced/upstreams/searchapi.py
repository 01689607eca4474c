"""SearchAPI.io: Google's result pages as JSON, for pages, pictures and news.

API: www.searchapi.io/docs. Key: SEARCHAPI_API_KEY, sent as a bearer token because keys in addresses end up in logs.
Picture filters travel in Google's `tbs` notation, the only control that covers all of them. Pictures are listed
under `images` with objects for `original` and `source`. A search without results may be a 200 with `error`.
Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NoReturn

from wellsourced.errors import KeyRejected, OutOfCredit, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment
from wellsourced.text.json_fields import members, positive, readable, words
from wellsourced.text.partial_dates import iso_from_text
from wellsourced.text.urls import display_host, unwrap_redirect
from wellsourced.upstream import Access, Provider
from wellsourced.upstreams.helpers.assignees import bare_company
from wellsourced.upstreams.helpers.patent_numbers import is_grant, patent_number, patent_page
from wellsourced.upstreams.helpers.search_operators import compose
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

STEP, MOST = 10, 100
SAFE = {"off": "off", "medium": "blur", "high": "active"}
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
NOTHING_FOUND = ("any results", "no results")
USED_UP = ("used all", "out of searches", "upgrade", "credit")


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    wishes: dict[str, Param] = {
        "engine": "google",
        "num": max(STEP, min(-(-query.count // STEP) * STEP, MOST)),
        "time_period": _period(query),
    }
    reply = yield _request(query, access, wishes)
    rows = _rows(_answer(reply), "organic_results")
    return ResultSet(tuple(_hit(row, access.now) for row in rows))


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    wishes: dict[str, Param] = {
        "engine": "google_news",
        "time_period": _period(query),
        "sort_by": "most_recent" if query.sort_by == "date" else None,
    }
    reply = yield _request(query, access, wishes)
    body = _answer(reply)
    rows = _rows(body, "news_results" if "news_results" in body else "organic_results")
    return ResultSet(tuple(_article(row, access.now) for row in rows))


def images(query: ImageQuery, access: Access) -> Steps[ResultSet[Image]]:
    filters, missing = _picture_filters(query)
    reply = yield _request(query, access, {"engine": "google_images", "tbs": ",".join(filters) or None})
    found = readable(_rows(_answer(reply), "images"), _image)
    return ResultSet(tuple(found), missing)


def patents(query: PatentQuery, access: Access) -> Steps[ResultSet[Patent]]:
    """Google Patents. Nothing but documented samples is known of this engine, so both spellings of a link are read."""
    reply = yield Request.get("/api/v1/search", _patent_params(query), headers=_key(access))
    body = _answer(reply)
    if "organic_results" not in body and _found_nothing(body):
        return ResultSet(())
    rows = body["organic_results"]
    if not isinstance(rows, list):
        raise UpstreamChanged("SearchAPI's answer has no list of patents.")
    found = tuple(patent for row in rows if isinstance(row, dict) and (patent := _patent(row)))
    if rows and not found:
        raise UpstreamChanged("None of SearchAPI's patents has a number.")
    return ResultSet(found[: query.count])


def _key(access: Access) -> dict[str, str]:
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
        "num": max(STEP, min(-(-query.count // STEP) * STEP, MOST)),
    }


def _patent(row: Mapping[str, Any]) -> Patent | None:
    """None for a scholarly article among the patents."""
    number = patent_number(words(row.get("publication_number")) or words(row.get("patent_id")))
    if not number:
        return None
    granted = iso_from_text(row.get("grant_date"))
    country_status = row.get("country_status")
    status = country_status.get(number[:2]) if isinstance(country_status, dict) else None
    return Patent(
        title=words(row.get("title")) or number,
        number=number,
        url=_link(row.get("patent_link")) or _link(row.get("link")) or patent_page(number),
        source=PROVIDER.name,
        abstract=words(row.get("snippet")) or None,
        assignees=(owner,) if (owner := words(row.get("assignee"))) else (),
        inventors=(person,) if (person := words(row.get("inventor"))) else (),
        priority=iso_from_text(row.get("priority_date")),
        filed=iso_from_text(row.get("filing_date")),
        published=iso_from_text(row.get("publication_date")),
        granted=granted if is_grant(number) is not False else None,
        pdf=_link(row.get("pdf")),
        status=words(status).replace("_", " ").capitalize() or None,
    )


def _request(query: WebQuery, access: Access, wishes: Mapping[str, Param]) -> Request:
    country = (query.country or "").lower()
    params = {
        **wishes,
        "q": compose(query),
        "safe": SAFE[query.safe],
        "gl": "uk" if country == "gb" else country or None,
        "hl": (query.language or "").lower() or None,
    }
    return Request.get("/api/v1/search", params, headers=_key(access))


def _period(query: WebQuery) -> str | None:
    return f"last_{query.time_range}" if query.time_range else None


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
        "time_range": f"qdr:{query.time_range[0]}" if query.time_range else None,
    }
    implied = {"color_type"} if color and query.color_type == "color" else set()
    missing = {name for name, wish in wishes.items() if getattr(query, name) and not wish} - implied
    return [wish for wish in wishes.values() if wish], frozenset(missing)


def _rows(body: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    if key not in body and _found_nothing(body):
        return []
    rows = body[key]
    if not isinstance(rows, list):
        raise UpstreamChanged(f"SearchAPI's answer has no list under {key}.")
    usable = [row for row in rows if isinstance(row, dict) and _address(row)]
    if rows and not usable:
        raise UpstreamChanged("SearchAPI's results have no addresses.")
    return usable


def _found_nothing(body: Mapping[str, Any]) -> bool:
    """Said in so many words, or by a count of nought; a list that is merely missing is not understood."""
    said = str(body.get("error", "")).lower()
    about = body.get("search_information")
    total = about.get("total_results") if isinstance(about, dict) else None
    return any(words in said for words in NOTHING_FOUND) or (total == 0 and total is not False)


def _link(value: Any) -> str | None:
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else None


def _address(row: Mapping[str, Any]) -> str:
    """Where a row points to: the picture of an image, the page of anything else."""
    original = row.get("original")
    return _link(original.get("link") if isinstance(original, dict) else row.get("link")) or ""


def _hit(row: Mapping[str, Any], now: datetime) -> Hit:
    url = unwrap_redirect(_address(row))
    return Hit(
        title=words(row.get("title")) or url,
        url=url,
        snippet=words(row.get("snippet")),
        published_at=parse_moment(words(row.get("date")), now),
    )


def _article(row: Mapping[str, Any], now: datetime) -> Article:
    url = unwrap_redirect(_address(row))
    return Article(
        title=words(row.get("title")) or url,
        url=url,
        source=_outlet(row.get("source")) or display_host(url),
        snippet=words(row.get("snippet")),
        published_at=parse_moment(words(row.get("iso_date") or row.get("date")), now),
    )


def _outlet(source: Any) -> str:
    """A name, or an object with one, as the engines differ."""
    name = source.get("name") if isinstance(source, dict) else source
    return words(name)


def _image(row: Mapping[str, Any]) -> Image:
    original, page = row["original"], row["source"]["link"]
    return Image(
        title=words(row.get("title")) or original["link"],
        link=original["link"],
        thumbnail_link=_link(row.get("thumbnail")),
        context_link=_link(page),
        width=positive(original.get("width")),
        height=positive(original.get("height")),
    )


def _answer(reply: Reply) -> dict[str, Any]:
    if reply.status >= 400:
        _refuse(reply, _message(reply))
    body = reply.expect_ok().json()
    if not isinstance(body, dict):
        raise UpstreamChanged("SearchAPI's answer is not an object.")
    if "error" in body and not _found_nothing(body):
        _refuse(reply, _message(reply))
    return body


def _refuse(reply: Reply, said: str) -> NoReturn:
    is_used_up = any(words in said.lower() for words in USED_UP)
    if reply.status == 402 or (is_used_up and reply.status in {200, 403, 429}):
        raise OutOfCredit(f"SearchAPI: {said or reply.summary}")
    if said and reply.status in {401, 403}:
        raise KeyRejected(f"SearchAPI does not accept the key: {said}")
    if reply.status == 429 or "rate limit" in said.lower():
        raise RateLimited(f"SearchAPI: {said or 'too many requests'}", retry_after=reply.retry_after)
    if said and reply.status < 500:
        raise UpstreamUnavailable(f"SearchAPI refused the request: {said}", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamUnavailable(f"SearchAPI: {said or reply.summary}")


def _message(reply: Reply) -> str:
    try:
        body = reply.json()
    except UpstreamChanged:
        return ""
    error = members(body).get("error")
    message = members(error).get("message") or error
    return str(message)[:200] if message else ""
