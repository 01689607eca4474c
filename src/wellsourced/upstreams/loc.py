"""The Library of Congress: books by words, and the catalogue's own record of an ISBN.

API: www.loc.gov/apis, any page as JSON with `fo=json`, and lccn.loc.gov for records in MODS · Key: none; above 20
requests a minute the address is shut out for an hour. A captcha page may come instead of JSON. The MODS record is
recorded (2025-06), the search follows the documentation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wellsourced.errors import BadInput, Blocked, NotFound, UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.text.identifiers import find_all_isbns, find_isbn
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.contact import CONTACT, identify
from wellsourced.upstreams.helpers.json_fields import (
    as_object,
    as_web_address,
    as_year,
    first_text,
    iso_from_text,
    objects_in,
    texts_in,
)
from wellsourced.upstreams.helpers.paper_fields import (
    authors_of,
    isbn_among,
    object_or_refusal,
    paper_results,
    years_asked,
)
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_at, text_of
from wellsourced.upstreams.types.paper import Paper, PaperId, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PROVIDER = Provider(
    name="loc",
    title="Library of Congress",
    bases={"": "https://www.loc.gov", "lccn": "https://lccn.loc.gov"},
    uses=(CONTACT,),
    pace=Pace(1, 4.0),
    timeout=20,
    preference=74,
    automatic=False,
    good_at=("book",),
    about="Books, manuscripts, newspapers and pictures of the national library of the United States.",
)

MOST_RESULTS = 100
LCCN = re.compile(r"[a-z]{0,3}[0-9]{8,10}")
YEAR = re.compile(r"(?<![0-9])(1[0-9]{3}|20[0-9]{2})(?![0-9])")


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    years = years_asked(query)
    params: dict[str, Param] = {
        "q": query.text,
        "fo": "json",
        "c": max(1, min(query.count, MOST_RESULTS)),
        "at": "results,pagination",
        "dates": f"{years[0]}/{years[1]}" if years else None,
    }
    rows, total = yield from _search(params, access)
    return paper_results(rows, _parse_item, query, total, title=PROVIDER.title)


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The catalogue record that holds this ISBN."""
    isbn = find_isbn(f"ISBN {work.value}") if work.scheme == "isbn" else None
    if isbn is None:
        raise BadInput(f"The Library of Congress knows books by ISBN, such as 9780123751065; {str(work)[:60]} is none.")
    rows, _ = yield from _search({"q": isbn, "fo": "json", "c": 3, "at": "results,pagination"}, access)
    numbers = (number for row in objects_in(rows) for number in texts_in(row.get("number_lccn")))
    for lccn in list(dict.fromkeys(number for number in numbers if LCCN.fullmatch(number)))[:3]:
        reply = yield Request.get(f"/{lccn}/mods", headers=identify(access), host="lccn")
        if reply.status == 404:
            continue
        record_found = parse_mods(reply.expect_ok().body)
        if isbn_matches(record_found, isbn):
            return _paper_from_mods(record_found, isbn)
    raise NotFound(f"The Library of Congress has no record with the ISBN {isbn}.")


def _search(params: dict[str, Param], access: Access) -> Steps[tuple[list[Any], Any]]:
    reply = yield Request.get("/books/", params, headers=identify(access))
    _raise_if_walled(reply)
    body = object_or_refusal(reply, PROVIDER.title)
    return list_under(body, "results", PROVIDER.title), as_object(body["pagination"])["of"]


def _raise_if_walled(reply: Reply) -> None:
    if reply.body[:64].lstrip().startswith(b"<") and b"captcha" in reply.body[:100_000].lower():
        raise Blocked("The Library of Congress asks for a captcha: it blocks this address for now.")


def _parse_item(row: Any) -> Paper:
    """A search result; its date is mostly a year, or free text with one."""
    title, url = first_text(row["title"]), as_web_address(row.get("id")) or as_web_address(row.get("url"))
    if not title or not url:
        raise UpstreamChanged("The Library of Congress's answer has a result without title or address.")
    written = first_text(row.get("date"))
    date = iso_from_text(written) or next(iter(YEAR.findall(written[:100])), None)
    return Paper(
        title=title.rstrip(" /"),
        url=url.replace("http://", "https://", 1),
        source=PROVIDER.name,
        **authors_of(texts_in(row.get("contributor"))),
        year=as_year(date),
        date=date,
        type="book",
        abstract=first_text(row.get("description")) or None,
        isbn=isbn_among(texts_in(row.get("number_isbn"))),
    )


def parse_mods(body: bytes) -> Element:
    """The catalogue record; in a collection, the first."""
    root = parse_xml(body)
    found = root if root.tag == "mods" else root.find(".//mods")
    if found is None or not text_at(found, "titleInfo/title"):
        raise UpstreamChanged("The Library of Congress's record is not in MODS.")
    return found


def isbn_matches(mods: Element, isbn: str) -> bool:
    numbers = " , ".join(text_of(entry) for entry in mods.iterfind("identifier") if entry.get("type") == "isbn")
    return bool(find_all_isbns(isbn) & find_all_isbns(numbers))


def _paper_from_mods(mods: Element, isbn: str) -> Paper:
    title, subtitle = text_at(mods, "titleInfo/title"), text_at(mods, "titleInfo/subTitle")
    names = [entry for entry in mods.iterfind("name") if entry.get("type") == "personal"]
    origin = mods.find("originInfo")
    dates = YEAR.findall(" ".join(text_of(date) for date in mods.iterfind("originInfo/dateIssued"))[:100])
    lccn = next((text_of(entry) for entry in mods.iterfind("identifier") if entry.get("type") == "lccn"), "").strip()
    return Paper(
        title=f"{title}: {subtitle}" if subtitle else title,
        url=f"https://lccn.loc.gov/{lccn}" if LCCN.fullmatch(lccn) else f"https://www.loc.gov/books/?q={isbn}",
        source=PROVIDER.name,
        **authors_of(_name_of(entry) for entry in names),
        year=as_year(dates[0]) if dates else None,
        date=dates[0] if dates else None,
        type="book",
        publisher=text_at(origin, "publisher") or text_at(origin, "agent/namePart") or None,
        isbn=isbn,
    )


def _name_of(name: Element) -> str:
    """`West, Matthew`: the parts that are names, not dates or titles."""
    parts = [text_of(part) for part in name.iterfind("namePart") if part.get("type") in {None, "family", "given"}]
    return ", ".join(part.rstrip(",. ") for part in parts if part)
