"""Google Books: books by words and by ISBN.

API: developers.google.com/books/docs/v1 · Key: GOOGLE_BOOKS_API_KEY, optional in name: without one the quota that all
callers share is mostly used up (HTTP 429, which says nothing of the book). `items` is absent where nothing was found.
A search for an ISBN may answer with another book, so the numbers are compared. Recorded 2026-08.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wellsourced.errors import BadInput, NotFound, RateLimited, UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.identifiers import find_all_isbns, find_isbn
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.database_query import without_unwanted
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    as_web_address,
    as_year,
    iso_from_text,
    objects_in,
    texts_in,
)
from wellsourced.upstreams.helpers.paper_fields import authors_of, isbn_among, paper_results
from wellsourced.upstreams.helpers.replies import error_object, parse_object, raise_refusal
from wellsourced.upstreams.types.paper import Paper, PaperId, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="google_books",
    title="Google Books",
    bases={"": "https://www.googleapis.com"},
    uses=(
        Setting(
            "GOOGLE_BOOKS_API_KEY", "Key of the Google Books API; without it the quota is mostly used up.", secret=True
        ),
    ),
    pace=Pace(1),
    preference=72,
    automatic=False,
    good_at=("book",),
    about="Books with descriptions; hardly answers without a key.",
)

MOST_RESULTS = 40
NO_QUOTA = (
    "The quota that callers without a key share is used up; set GOOGLE_BOOKS_API_KEY. This says nothing of books."
)


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    text, unwanted = without_unwanted(query.text)
    isbn = find_isbn(text)
    words = " ".join([f"isbn:{isbn}" if isbn else text, *(f'-"{term}"' for term in unwanted)])
    body = yield from _volumes(words, query.count, access, newest=query.sort_by == "date")
    rows = body.get("items", ()) if as_count(body["totalItems"]) else ()
    if not isinstance(rows, list | tuple):
        raise UpstreamChanged("Google Books's answer has no list of items.")
    # `totalItems` is an estimate that may be above 0 on a page without items; nothing was found then.
    total = body["totalItems"] if rows else 0
    return paper_results(rows, lambda row: _parse_volume(row, isbn or ""), query, total, title=PROVIDER.title)


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The volume whose own numbers hold this ISBN."""
    isbn = find_isbn(f"ISBN {work.value}") if work.scheme == "isbn" else None
    if isbn is None:
        raise BadInput(f"Google Books knows books by ISBN, such as 9780553380163; {str(work)[:60]} is none.")
    body = yield from _volumes(f"isbn:{isbn}", 5, access)
    as_count(body["totalItems"])
    for row in objects_in(body.get("items")):
        if find_all_isbns(isbn) & find_all_isbns(" , ".join(_numbers(row))):
            return replace(_parse_volume(row, isbn), isbn=isbn)
    raise NotFound(f"Google Books has no book with the ISBN {isbn}.")


def _volumes(words: str, count: int, access: Access, *, newest: bool = False) -> Steps[Mapping[str, Any]]:
    params: dict[str, Param] = {
        "q": words,
        "maxResults": max(1, min(count, MOST_RESULTS)),
        "printType": "books",
        "orderBy": "newest" if newest else None,
        "country": "US",  # without it, hosts in data centres are refused
        "key": access["GOOGLE_BOOKS_API_KEY"] or None,
    }
    reply = yield Request.get("/books/v1/volumes", params)
    if reply.status >= 300:
        _raise_failure(reply, has_key=bool(access["GOOGLE_BOOKS_API_KEY"]))
    return parse_object(reply, PROVIDER.title)


def _raise_failure(reply: Reply, *, has_key: bool) -> None:
    message = as_text(as_object(error_object(reply).get("error")).get("message"))[:300]
    if reply.status == 429 and message and not has_key:
        raise RateLimited(NO_QUOTA, retry_after=reply.retry_after, detail=message)
    raise_refusal(reply, PROVIDER.title, message)


def _numbers(row: Mapping[str, Any]) -> list[str]:
    listed = as_object(row.get("volumeInfo")).get("industryIdentifiers")
    return [as_text(entry.get("identifier")) for entry in objects_in(listed)]


def _parse_volume(row: Any, wanted: str) -> Paper:
    volume, identifier = as_object(row["volumeInfo"]), as_text(row["id"])
    title, subtitle = as_text(volume.get("title")), as_text(volume.get("subtitle"))
    if not title or not identifier:
        raise UpstreamChanged("Google Books's answer has a book without title or id.")
    date = iso_from_text(volume.get("publishedDate"))
    return Paper(
        title=f"{title}: {subtitle}" if subtitle else title,
        url=as_web_address(volume.get("infoLink")) or f"https://books.google.com/books?id={identifier}",
        source=PROVIDER.name,
        **authors_of(texts_in(volume.get("authors"))),
        year=as_year(date),
        date=date,
        type="book",
        abstract=as_text(volume.get("description")) or None,
        publisher=as_text(volume.get("publisher")) or None,
        isbn=isbn_among(_numbers(row), wanted),
    )
