"""Google Patents: one patent's page, read for what it says of it.

Pages: patents.google.com/patent/{number}/en. No key. The facts stand in `itemprop` attributes, those of the patent
itself before those of the documents it cites; the day of grant is an event. A number without its kind code is sent on
to the right page, or not found; then the usual codes are tried. The service has no search for programs, so a number is
all it can be asked for. Checked 2026-11-15 on a page of 2024.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wellsourced.errors import BadInput, Blocked, UpstreamChanged
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.text.plain_text import one_line
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_web_address, iso_from_text
from wellsourced.upstreams.helpers.patent_numbers import (
    is_grant,
    is_same_document,
    number_parts,
    patent_number,
    patent_page_url,
)
from wellsourced.upstreams.types.patent import Patent, PatentQuery
from wellsourced.upstreams.types.search import ResultSet

if TYPE_CHECKING:
    from turbohtml import Document, Element

PROVIDER = Provider(
    name="google_patents",
    title="Google Patents",
    bases={"": "https://patents.google.com"},
    pace=Pace(6, 1.0),
    timeout=15,
    preference=90,
    automatic=False,
    about="The page of one patent, by its number; no search.",
)

REDIRECTS = frozenset({301, 302, 303, 307, 308})
KINDS = {
    "US": ("B2", "B1", "A"),
    "EP": ("B1", "A1"),
    "WO": ("A1",),
    "CN": ("B", "A"),
    "JP": ("B2", "A"),
    "KR": ("B1", "A"),
}
US_APPLICATION_DIGITS = 11  # year and seven digits, as in US20220000001
MOST_HOPS = 2
LANGUAGE = re.compile(r" \( ?[a-z]{2} ?\)")


def patents(query: PatentQuery, access: Access) -> Steps[ResultSet[Patent]]:
    number = query.number or patent_number(query.text)
    if not number:
        raise BadInput("Google Patents is asked by number, such as US10165245B2; it has no search for programs.")
    for candidate in _candidate_numbers(number):
        reply = yield from _fetch_page(candidate)
        if reply.status == 404:
            continue
        return ResultSet((_parse_patent(reply.expect_ok(), number),))
    return ResultSet(())


def _candidate_numbers(number: str) -> Iterator[str]:
    """The number as it is, then with the usual kind codes where it has none."""
    yield number
    office, digits, kind = number_parts(number)
    if kind:
        return
    is_application = office == "US" and len(digits) == US_APPLICATION_DIGITS
    yield from (f"{number}{code}" for code in (("A1",) if is_application else KINDS.get(office, ())))


def _fetch_page(number: str) -> Steps[Reply]:
    request = Request.get(f"/patent/{number}/en", headers={"Accept": "text/html", "Accept-Language": "en"})
    for _ in range(MOST_HOPS):
        reply = yield request
        if reply.status not in REDIRECTS:
            return reply
        target = urlsplit(reply.headers.get("location", ""))
        if "/patent/" not in target.path:
            raise Blocked("Google Patents sends programs away for now.", detail=target.geturl()[:200])
        request = Request.get(target.path, headers=request.headers)
    raise UpstreamChanged(f"Google Patents sends {number} round in a circle.")


def _parse_patent(reply: Reply, asked: str) -> Patent:
    import turbohtml

    if b"</html>" not in reply.body[-200:].lower():
        raise UpstreamChanged("Google's page breaks off before its end.", detail=reply.summary)
    page = turbohtml.parse(reply.text)
    number = patent_number(_text_of(page, "publicationNumber")) or ""
    if not number:
        raise UpstreamChanged("Google's page names no patent.", detail=reply.summary)
    if not is_same_document(number, asked):
        raise UpstreamChanged(f"Google's page is about {number}, not {asked}.")
    published = iso_from_text(_time_of(page, "publicationDate"))
    owners = [*_texts_of(page, "assigneeCurrent"), *_texts_of(page, "assigneeOriginal")]
    link = page.select_one("a[itemprop=pdfLink]")
    return Patent(
        title=_text_of(page, "title") or number,
        number=number,
        url=patent_page_url(number),
        source=PROVIDER.name,
        abstract=_parse_abstract(page),
        assignees=tuple(dict.fromkeys(owners)),
        inventors=tuple(dict.fromkeys(_texts_of(page, "inventor"))),
        priority=iso_from_text(_time_of(page, "priorityDate")),
        filed=iso_from_text(_time_of(page, "filingDate")),
        published=published,
        granted=_grant_day(page) or (published if is_grant(number) else None),
        cpc=tuple(dict.fromkeys(code for code in _texts_of(page, "Code") if "/" in code)),
        pdf=as_web_address(link.attr("href")) if link else None,
        status=_legal_status(page),
        claims=_parse_claims(page),
        family=_rows(page, "docdbFamily"),
        cites=_rows(page, "backwardReferencesOrig", "backwardReferences", "backwardReferencesFamily"),
        cited_by=_rows(page, "forwardReferencesOrig", "forwardReferences", "forwardReferencesFamily"),
        legal_events=_rows(page, "legalEvents"),
    )


def _parse_claims(page: Document) -> tuple[str, ...]:
    claims = (
        one_line(node.text).replace(" . ", ". ", 1) for node in page.select("section[itemprop=claims] .claim[num]")
    )
    return tuple(dict.fromkeys(claim for claim in claims if claim))


def _rows(page: Document, *names: str) -> tuple[str, ...]:
    """Lines of the tables of that name: number or day, dates, owner, title."""
    rows = (row for name in names for row in page.select(f"tr[itemprop={name}]"))
    lines = (" | ".join(text for cell in row.select("td") if (text := _cell(cell.text))) for row in rows)
    return tuple(dict.fromkeys(line for line in lines if line))


def _cell(text: str) -> str:
    return LANGUAGE.sub("", one_line(text)).removesuffix("*").strip()


def _text_of(page: Document | Element, name: str) -> str:
    node = page.select_one(f"[itemprop={name}]")
    return one_line(node.text or node.attr("content") or "") if node else ""


def _texts_of(page: Document, name: str) -> list[str]:
    """Names of the patent itself; those inside a listed document belong to that one."""
    elements = (element for element in page.select(f"[itemprop={name}]") if element.tag in {"dd", "span"})
    own = (element for element in elements if element.tag == "dd" or name == "Code")
    return [text for element in own if (text := one_line(element.text))]


def _time_of(page: Document, name: str) -> str:
    node = page.select_one(f"time[itemprop={name}]")
    return (node.attr("datetime") or one_line(node.text)) if node else ""


def _grant_day(page: Document) -> str | None:
    for event in page.select("[itemprop=events]"):
        if _text_of(event, "type") == "granted" or _text_of(event, "title").lower() == "application granted":
            when = event.select_one("time[itemprop=date]")
            return iso_from_text(when.attr("datetime")) if when else None
    return None


def _legal_status(page: Document) -> str | None:
    place = page.select_one("[itemprop=legalStatusIfi]")
    return (_text_of(place, "status") or None) if place else None


def _parse_abstract(page: Document) -> str | None:
    section = page.select_one("section[itemprop=abstract] [itemprop=content]")
    if section and (text := one_line(section.text)):
        return text
    tag = page.select_one('meta[name="DC.description"]')
    return one_line(tag.attr("content") or "") or None if tag else None
