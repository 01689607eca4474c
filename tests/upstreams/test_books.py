"""Books: Open Library, Google Books and the Library of Congress, by words and by ISBN, with each kind of failure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import google_books, loc, open_library
from wellsourced.upstreams.types.paper import PaperId, PaperQuery

ACCESS = Access({"OPENALEX_EMAIL": "me@a.example"})
OWLS = PaperQuery(text="owls -toys", year_from=1990, year_to=2000)
MODULES: dict[str, Any] = {"open_library": open_library, "google_books": google_books, "loc": loc}
EMPTY: dict[str, Any] = {
    "open_library": {"numFound": 0, "docs": []},
    "google_books": {"totalItems": 0},
    "loc": {"results": [], "pagination": {"of": 0}},
}
MODS = """<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Owls</title></titleInfo>
<name type="personal"><namePart>Strix, Ada,</namePart><namePart type="date">1950-</namePart></name>
<originInfo><dateIssued>c1999</dateIssued><agent><namePart>Night Press</namePart></agent></originInfo>
<identifier type="isbn">0123751063</identifier><identifier type="lccn">2010045158</identifier></mods>"""
ISBN = PaperId("isbn", "978-0-12-375106-5")


def test_the_requests() -> None:
    request = first_request(open_library.papers(OWLS, ACCESS))
    assert dict(request.params)["q"] == 'owls -"toys" first_publish_year:[1990 TO 2000]'
    assert "me@a.example" in request.headers["User-Agent"]
    assert dict(first_request(open_library.record(ISBN, ACCESS)).params)["bibkeys"] == "ISBN:9780123751065"
    assert dict(first_request(google_books.papers(PaperQuery(text="isbn 0123751063"), ACCESS)).params)["q"] == (
        "isbn:0123751063"
    )
    assert dict(first_request(loc.papers(OWLS, ACCESS)).params)["dates"] == "1990/2000"


def test_recorded_books(shared: Path) -> None:
    _, found = converse(
        open_library.papers(PaperQuery(text="time war"), ACCESS), recorded(shared, "more/openlibrary/search-q.json")
    )
    assert [(book.title, book.year, book.isbn) for book in found.items] == [
        ("This Is How You Lose the Time War", 2019, "9781534431003"),
        ("This is How You Lose the Time War", None, None),
    ]
    edition = recorded(shared, "more/openlibrary/api-books-isbn-jscmd-data.json")
    _, book = converse(open_library.record(PaperId("isbn", "9782070427796"), ACCESS), edition)
    assert (book.title, book.authors, book.publisher, book.date, book.isbn) == (
        "Les ombres errantes", ("Pascal Quignard",), "Gallimard", "2002", "9782070427796",
    )  # fmt: skip
    _, none = converse(open_library.papers(OWLS, ACCESS), recorded(shared, "more/openlibrary/search-empty.json"))
    assert none.items == () and none.more_available is False
    volumes = recorded(shared, "more/googlebooks/volumes.json")
    _, found = converse(google_books.papers(PaperQuery(text="dune"), ACCESS), volumes)
    assert [(book.title, book.date, book.isbn) for book in found.items] == [
        ("A Brief History of Time: From the Big Bang to Black Holes", "1998-09-01", "9780553380163"),
        ("Dune", "1965", "0441172717"),
    ]
    with pytest.raises(errors.RateLimited, match="GOOGLE_BOOKS_API_KEY"):
        converse(google_books.papers(OWLS, ACCESS), recorded(shared, "more/googlebooks/error-429-quota.json", 429))
    mods = recorded(shared, "more/loc/lccn-2010045158-mods.xml")
    _, book = converse(
        loc.record(ISBN, ACCESS), reply({**EMPTY["loc"], "results": [{"number_lccn": ["2010045158"]}]}), mods
    )
    assert (book.title, book.authors, book.year, book.publisher) == (
        "Developing high quality data models", ("Matthew West",), 2011, "Morgan Kaufmann",
    )  # fmt: skip


def test_an_isbn_brings_its_own_book_or_none() -> None:
    """A search for an ISBN may answer with another book, which is no record of it."""
    other = {"id": "x", "volumeInfo": {"title": "Other", "industryIdentifiers": [{"identifier": "9780553380163"}]}}
    with pytest.raises(errors.NotFound):
        converse(google_books.record(ISBN, ACCESS), reply({"totalItems": 1, "items": [other]}))
    right = {"id": "y", "volumeInfo": {"title": "Right", "industryIdentifiers": [{"identifier": "0123751063"}]}}
    _, book = converse(google_books.record(ISBN, ACCESS), reply({"totalItems": 2, "items": [other, right]}))
    assert (book.title, book.isbn) == ("Right", "9780123751065")
    with pytest.raises(errors.NotFound):
        converse(open_library.record(ISBN, ACCESS), reply({}))
    named = reply({"results": [{"number_lccn": ["2010045158"]}], "pagination": {"of": 1}})
    _, book = converse(loc.record(ISBN, ACCESS), named, reply(MODS))
    assert (book.author_names[0].family, book.publisher, book.year) == ("Strix", "Night Press", 1999)
    with pytest.raises(errors.NotFound):
        converse(loc.record(PaperId("isbn", "9780553380163"), ACCESS), named, reply(MODS))
    for module in MODULES.values():
        with pytest.raises(errors.BadInput):
            converse(module.record(PaperId("isbn", "9780123751066"), ACCESS))


@pytest.mark.parametrize("name", MODULES)
def test_nothing_found_is_no_failure(name: str) -> None:
    _, found = converse(MODULES[name].papers(OWLS, ACCESS), reply(EMPTY[name]))
    assert found.items == ()


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply("", 403), errors.Blocked),
        (reply("", 429, retry_after="3"), errors.RateLimited),
        (reply("", 503), errors.UpstreamUnavailable),
        (reply("<html>", 200), errors.UpstreamChanged),
        (reply([]), errors.UpstreamChanged),
        (reply({"numFound": 3, "docs": [], "totalItems": 3, "items": {}, "results": 1}), errors.UpstreamChanged),
    ],
)
def test_each_failure_has_its_kind(name: str, failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises((kind, KeyError)) as caught:
        converse(MODULES[name].papers(PaperQuery(text="owls"), ACCESS), failure)
    assert type(caught.value) in {kind, KeyError}
