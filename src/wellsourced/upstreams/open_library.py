"""Open Library: books, by words and by ISBN.

API: openlibrary.org/developers/api · Key: none; three requests a second for programs that name a contact. An unknown
ISBN is an empty object with HTTP 200. Dates are free text. Several books under one ISBN and wrong data occur, so a
record found by ISBN is evidence of a book, not of each detail. Data under CC0. Recorded in part, checked 2026-11-17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput, NotFound, UpstreamChanged
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.text.identifiers import find_isbn
from wellsourced.text.partial_dates import parse_partial_date
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.contact import CONTACT, identify
from wellsourced.upstreams.helpers.database_query import without_unwanted
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, as_year, objects_in, texts_in
from wellsourced.upstreams.helpers.paper_fields import (
    authors_of,
    isbn_among,
    object_or_refusal,
    paper_results,
    years_asked,
)
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.types.paper import Paper, PaperId, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="open_library",
    title="Open Library",
    bases={"": "https://openlibrary.org"},
    uses=(CONTACT,),
    pace=Pace(1),
    timeout=20,
    preference=70,
    automatic=False,
    good_at=("book",),
    about="Books of all kinds, by words, author or ISBN.",
)

SITE = "https://openlibrary.org"
MOST_RESULTS = 100
FIELDS = "key,title,subtitle,author_name,first_publish_year,isbn,publisher,ebook_access"


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    """Books; an ISBN among the words is looked for as one."""
    text, unwanted = without_unwanted(query.text)
    isbn = find_isbn(text)
    words = [f"isbn:{isbn}" if isbn else text, *(f'-"{term}"' for term in unwanted)]
    if years := years_asked(query):
        words.append(f"first_publish_year:[{years[0]} TO {years[1]}]")
    params: dict[str, Param] = {
        "q": " ".join(words),
        "fields": FIELDS,
        "limit": max(1, min(query.count, MOST_RESULTS)),
        "sort": "new" if query.sort_by == "date" else None,
    }
    reply = yield Request.get("/search.json", params, headers=identify(access))
    body = object_or_refusal(reply, PROVIDER.title)
    rows = list_under(body, "docs", PROVIDER.title)
    total = body["numFound"] if "numFound" in body else body["num_found"]
    return paper_results(rows, lambda row: _parse_work(row, isbn or ""), query, total, title=PROVIDER.title)


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The edition with exactly this ISBN."""
    isbn = find_isbn(f"ISBN {work.value}") if work.scheme == "isbn" else None
    if isbn is None:
        raise BadInput(f"Open Library knows books by ISBN, such as 9780553380163; {str(work)[:60]} is none.")
    params: dict[str, Param] = {"bibkeys": f"ISBN:{isbn}", "jscmd": "data", "format": "json"}
    reply = yield Request.get("/api/books", params, headers=identify(access))
    body = object_or_refusal(reply, PROVIDER.title)
    if not body:
        raise NotFound(f"Open Library has no book with the ISBN {isbn}.")
    return _parse_edition(body[f"ISBN:{isbn}"], isbn)


def _parse_work(row: Any, wanted: str) -> Paper:
    """A work; `year` is that of its first edition, whatever edition the ISBN belongs to."""
    title, key = as_text(row["title"]), as_text(row["key"])
    if not title or not key.startswith("/"):
        raise UpstreamChanged("Open Library's answer has a book without title or key.")
    year = as_year(row.get("first_publish_year"))
    publishers = texts_in(row.get("publisher"))
    return Paper(
        title=_whole_title(row),
        url=f"{SITE}{key}",
        source=PROVIDER.name,
        **authors_of(texts_in(row.get("author_name"))),
        year=year,
        date=str(year) if year else None,
        type="book",
        publisher=publishers[0] if len(publishers) == 1 else None,
        isbn=isbn_among(row.get("isbn") or (), wanted),
        open_access=True if row.get("ebook_access") == "public" else None,
    )


def _parse_edition(row: Any, isbn: str) -> Paper:
    title = as_text(row["title"])
    if not title:
        raise UpstreamChanged("Open Library's answer has a book without a title.")
    written = parse_partial_date(as_text(row.get("publish_date")))
    date = written.iso if written else None
    key = as_text(row.get("key"))
    publishers = [as_text(entry.get("name")) for entry in objects_in(row.get("publishers"))]
    return Paper(
        title=_whole_title(row),
        url=f"{SITE}{key}" if key.startswith("/") else f"{SITE}/isbn/{isbn}",
        source=PROVIDER.name,
        **authors_of(as_text(entry.get("name")) for entry in objects_in(row.get("authors"))),
        year=as_year(date),
        date=date,
        type="book",
        publisher=next(filter(None, publishers), None),
        isbn=isbn,
    )


def _whole_title(row: Mapping[str, Any]) -> str:
    title, subtitle = as_text(as_object(row).get("title")), as_text(row.get("subtitle"))
    return f"{title}: {subtitle}" if subtitle and subtitle.casefold() not in title.casefold() else title
