"""Wikimedia Commons: pictures that may be used again, each with its licence and who made it.

API: mediawiki.org/wiki/API:Imageinfo · Key: none. Files are pages of the namespace 6; what is said of one stands in
`extmetadata`, each fact as {"value": HTML}. Follows the documentation, not a recording.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from wellsourced.errors import UpstreamChanged
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.contact import CONTACT, identify
from wellsourced.upstreams.helpers.json_fields import (
    as_object,
    as_size,
    as_text,
    as_web_address,
    objects_in,
    parse_rows,
)
from wellsourced.upstreams.helpers.mediawiki import parse_wiki_answer
from wellsourced.upstreams.helpers.search_operators import compose_query, unsent_filters
from wellsourced.upstreams.types.search import Image, ImageQuery, ResultSet

PROVIDER = Provider(
    name="commons",
    title="Wikimedia Commons",
    bases={"": "https://commons.wikimedia.org"},
    uses=(CONTACT,),
    pace=Pace(3),
    preference=92,
    automatic=False,
    good_at=("general",),
    about="Pictures that may be used again, with licence and author.",
    attribution="Wikimedia Commons: each picture has a licence of its own, which wants its author named.",
)

LONGEST_QUERY, MOST_IMAGES, THUMBNAIL = 300, 50, 320
DRAWN = frozenset({"lineart", "clipart"})
OWN_FILTERS = ("size", "type", "color_type", "dominant_color", "file_type")
FORMATS = {"jpg": "image/jpeg", "gif": "image/gif", "png": "image/png", "svg": "image/svg+xml", "webp": "image/webp"}


def images(query: ImageQuery, access: Access) -> Steps[ResultSet[Image]]:
    words = compose_query(query, sites=False, limit=LONGEST_QUERY)
    kind = "drawing" if query.type in DRAWN else "bitmap|drawing"
    wanted = f"filemime:{FORMATS[query.file_type]}" if query.file_type in FORMATS else f"filetype:{kind}"
    count = max(1, min(query.count, MOST_IMAGES))
    params: dict[str, Param] = {
        "action": "query",
        "format": "json",
        "formatversion": 2,
        "generator": "search",
        "gsrnamespace": 6,
        "gsrsearch": f"{wanted} {words}",
        "gsrlimit": count,
        "prop": "imageinfo",
        "iiprop": "url|size|mime|extmetadata",
        "iiurlwidth": THUMBNAIL,
        "iiextmetadatafilter": "LicenseShortName|Artist|Credit",
    }
    reply = yield Request.get("/w/api.php", params, headers=identify(access))
    body = parse_wiki_answer(reply, PROVIDER.title)
    if "query" not in body and "batchcomplete" in body:
        return ResultSet((), _unsent(query), more_available=False)
    pages = as_object(body["query"])["pages"]
    rows = sorted(objects_in(pages if isinstance(pages, list) else list(as_object(pages).values())), key=_rank)
    if not rows:
        raise UpstreamChanged("Wikimedia Commons' answer announces pictures and holds none.", detail=reply.summary)
    return ResultSet(tuple(parse_rows(rows, _parse_image)[:count]), _unsent(query), "continue" in body)


def _unsent(query: ImageQuery) -> frozenset[str]:
    sent = {"file_type"} if query.file_type in FORMATS else {"type"} if query.type in DRAWN else set()
    asked = {name for name in OWN_FILTERS if getattr(query, name)}
    return unsent_filters(query, "exact_terms") | (asked - sent)


def _rank(row: Any) -> int:
    place = row.get("index")
    return place if type(place) is int else MOST_IMAGES + 1


def _parse_image(row: Any) -> Image:
    title, info = as_text(row["title"]), next(objects_in(row["imageinfo"]), {})
    link = as_web_address(info.get("url"))
    if not title or not link:
        raise UpstreamChanged("Wikimedia Commons' answer has a file without title or address.")
    facts = as_object(info.get("extmetadata"))
    said = {name: as_text(as_object(facts.get(name)).get("value")) for name in ("LicenseShortName", "Artist", "Credit")}
    page = f"https://commons.wikimedia.org/wiki/{quote(title.replace(' ', '_'), safe='/:(),')}"
    return Image(
        title=title.removeprefix("File:").rpartition(".")[0] or title,
        link=link,
        thumbnail_link=as_web_address(info.get("thumburl")),
        context_link=as_web_address(info.get("descriptionurl")) or page,
        width=as_size(info.get("width")),
        height=as_size(info.get("height")),
        file_size=as_size(info.get("size")),
        licence=said["LicenseShortName"][:100] or None,
        credit=(said["Artist"] or said["Credit"])[:200] or None,
    )
