"""Open Library: an edition or a work as its record: authors, publisher, dates, ISBNs, description.

API: openlibrary.org/developers/api, the address with .json · Key: none. Authors are keys that are looked up. A
description is a text or an object with `value`; dates are free text. Data under CC0. Recorded 2017 and 2019.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wellsourced.errors import NotFound, UpstreamChanged
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request, send_requests
from wellsourced.text.partial_dates import parse_partial_date
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.contact import CONTACT, identify
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, number_or_text, objects_in, texts_in
from wellsourced.upstreams.helpers.replies import error_object

DOMAINS = ("openlibrary.org",)
SITE = Provider(
    name="openlibrary-pages",
    title="Open Library",
    bases={"": "https://openlibrary.org"},
    uses=(CONTACT,),
    pace=Pace(1),
    timeout=20.0,
    about="Editions and works of books.",
)
RECORD = re.compile(r"OL[0-9]{1,12}[MW]")
AUTHOR = re.compile(r"/authors/OL[0-9]{1,12}A")
MOST_AUTHORS = 6
FACTS = (
    ("Edition", "edition_name"), ("Publisher", "publishers"), ("Place", "publish_places"),
    ("Published", "publish_date"), ("First published", "first_publish_date"), ("Pages", "number_of_pages"),
    ("ISBN-13", "isbn_13"), ("ISBN-10", "isbn_10"), ("LCCN", "lccn"), ("OCLC", "oclc_numbers"),
    ("By", "by_statement"), ("Subjects", "subjects"),
)  # fmt: skip
TEXTS = (("Description", "description"), ("First sentence", "first_sentence"), ("Notes", "notes"))


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_path(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    path = _path(address) if address else ""
    if not path:
        return None
    record = _record((yield from send_request(Request.get(f"{path}.json", headers=identify(access)))), path)
    keys = [key for each in objects_in(record.get("authors")) if AUTHOR.fullmatch(key := _author_key(each))]
    replies = yield from send_requests(
        [Request.get(f"{key}.json", headers=identify(access)) for key in keys[:MOST_AUTHORS]]
    )
    names = [name for reply in replies if (name := _name(reply))]
    notes = ("Not all authors could be looked up.",) if len(names) < len(keys) else ()
    return SitePage(page=_page(url, record, ", ".join(names), notes), extracted_by="openlibrary:api")


def _path(address: WebUrl) -> str:
    kind, number = (*address.segments[:2], "", "")[:2]
    is_record = RECORD.fullmatch(number) and kind == ("books" if number.endswith("M") else "works")
    return f"/{kind}/{number}" if is_record else ""


def _record(reply: Reply, path: str) -> Mapping[str, Any]:
    if reply.status == 404:
        raise NotFound(f"Open Library has no record {path}.")
    record = as_object(reply.expect_ok().json())
    if not as_text(record.get("title")) or as_text(record.get("key")) != path:
        raise UpstreamChanged("Open Library's answer is not the record that was asked for.", detail=reply.summary)
    return record


def _author_key(entry: Mapping[str, Any]) -> str:
    """An edition names its authors, a work their roles."""
    return as_text(entry.get("key")) or as_text(as_object(entry.get("author")).get("key"))


def _name(reply: Reply | None) -> str:
    return as_text(error_object(reply).get("name")) if reply is not None and reply.status == 200 else ""


def _page(url: str, record: Mapping[str, Any], authors: str, notes: tuple[str, ...]) -> Page:
    subtitle = as_text(record.get("subtitle"))
    title = ": ".join(filter(None, (as_text(record["title"]), subtitle)))
    parts = [f"# {title}", authors, "\n".join(f"- {line}" for line in _facts(record))]
    parts += [f"## {name}\n\n{text}" for name, key in TEXTS if (text := _long_text(record.get(key)))]
    written = parse_partial_date(as_text(record.get("publish_date")) or as_text(record.get("first_publish_date")))
    return Page(
        url=url,
        markdown="\n\n".join(filter(None, parts)),
        title=title,
        author=authors,
        date=written.iso if written else "",
        site="Open Library",
        notes=notes,
    )


def _facts(record: Mapping[str, Any]) -> Iterator[str]:
    for name, key in FACTS:
        value = ", ".join(texts_in(record.get(key))) or number_or_text(record.get(key))
        if value:
            yield f"{name}: {value}"
    for each in objects_in(record.get("works")):
        if key := as_text(each.get("key")):
            yield f"Work: https://openlibrary.org{key}"


def _long_text(value: Any) -> str:
    return as_text(value) or as_text(as_object(value).get("value"))
