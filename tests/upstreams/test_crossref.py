"""Crossref: requests, recorded works and what was published against them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import crossref
from wellsourced.upstreams.types.paper import Author, Integrity, PaperId, PaperQuery

ACCESS = Access({})
OWLS = PaperQuery(text="owls", count=20)


def one(message: dict[str, Any]) -> Reply:
    return reply({"status": "ok", "message-type": "work", "message": {"DOI": "10.1000/X", **message}})


def listing(*items: object, total: int | None = None) -> Reply:
    message = {"total-results": len(items) if total is None else total, "items": list(items)}
    return reply({"status": "ok", "message-type": "work-list", "message": message})


def update(kind: str, *date: int, doi: str = "10.1000/notice", source: str = "publisher") -> dict[str, Any]:
    return {"DOI": doi, "type": kind, "source": source, "updated": {"date-parts": [list(date)]}}


@pytest.mark.parametrize(
    ("asked", "sent", "missing"),
    [
        ({}, {}, set()),
        ({"count": 500}, {"rows": "100"}, set()),
        ({"year_from": 2019, "year_to": 2020}, {"filter": "from-pub-date:2019,until-pub-date:2020"}, set()),
        ({"source": "ieee"}, {"filter": "prefix:10.1109"}, set()),
        ({"source": "nature"}, {"filter": "prefix:10.1038"}, set()),
        ({"source": "springer", "year_to": 1999}, {"filter": "until-pub-date:1999,prefix:10.1007"}, set()),
        ({"source": "arxiv"}, {}, {"source"}),
        ({"open_access": True, "pdf_only": True, "full_text": True}, {}, {"open_access", "pdf_only", "full_text"}),
        ({"sort_by": "date"}, {"rows": "50"}, set()),
        ({"text": 'owls -barn -"snowy owl"'}, {"query.bibliographic": "owls"}, set()),
        ({"text": "50% & <owls>"}, {"query.bibliographic": "50% & <owls>"}, set()),
    ],
)
def test_requests(asked: dict[str, Any], sent: dict[str, str], missing: set[str]) -> None:
    query = PaperQuery(**{"text": "owls", **asked})
    (request,), found = converse(crossref.papers(query, ACCESS), listing())
    assert (request.path, dict(request.params)) == ("/works", {"query.bibliographic": "owls", "rows": "5", **sent})
    assert (found.items, found.not_applied, found.more_available) == ((), frozenset(missing), False)


def test_many_records_in_one_request() -> None:
    asked = ("10.1000/x", "10.1016/s0140-6736(97)11096-0", "10.1000/a,b")
    items = ({"DOI": "10.1016/S0140-6736(97)11096-0", "updated-by": [update("retraction", 2010, 2)]},)
    (request,), found = converse(crossref.records(asked, ACCESS), listing(*items))
    named = "doi:10.1000/x,doi:10.1016/s0140-6736(97)11096-0"
    assert (request.path, dict(request.params)) == ("/works", {"filter": named, "rows": "2"})
    assert [(paper.doi, bool(paper.retraction)) for paper in found] == [(asked[1], True)]


def test_records_that_no_filter_can_name_are_not_asked_for() -> None:
    with pytest.raises(StopIteration) as done:
        next(crossref.records(("10.1000/a,b",), ACCESS))
    assert done.value.value == ()


def test_contact() -> None:
    both = Access({"CROSSREF_EMAIL": "c@a.example", "OPENALEX_EMAIL": "o@a.example"})
    assert dict(first_request(crossref.integrity("10.1000/x", both)).params) == {"mailto": "c@a.example"}
    other = Access({"OPENALEX_EMAIL": "o@a.example"})
    request = first_request(crossref.record(PaperId("doi", "10.1000/X(1)<2>#3"), other))
    assert (request.path, dict(request.params)) == ("/works/10.1000/x(1)", {"mailto": "o@a.example"})


def test_recorded_lists(shared: Path) -> None:
    _, found = converse(crossref.papers(OWLS, ACCESS), recorded(shared, "crossref/works-query-ecology-rows2.json"))
    first, second = found.items
    assert (first.title, first.type, first.isbn) == ("Communicating Ecology", "reference-entry", "9780199830060")
    assert (first.date, first.year, first.publisher) == ("2022-07-26", 2022, "Oxford University Press")
    assert (first.abstract or "").startswith("Communication is perhaps the most important, but least formally")
    assert second.author_names == (Author(given="André", family="Kessler"),)
    assert found.more_available is True

    _, found = converse(crossref.papers(OWLS, ACCESS), recorded(shared, "crossref/works-cursor-first-page.json"))
    assert len(found.items) == 20
    assert [paper.year for paper in found.items[:3]] == [None, None, 2020]
    assert {paper.type for paper in found.items} >= {"book-chapter", "dataset", "conference-paper", "preprint"}
    _, found = converse(crossref.papers(OWLS, ACCESS), recorded(shared, "crossref/works-query-empty.json"))
    assert found.items == ()
    for name, title in (("select-doi-title", "Communicating Ecology"), ("title-search-unrelated-hit", "GRAVITY HILL")):
        _, found = converse(crossref.papers(OWLS, ACCESS), recorded(shared, f"crossref/works-{name}.json"))
        assert found.items[0].title == title
        assert found.items[0].year is None


RETRACTED = Integrity(
    kind="retraction",
    retracted=True,
    source="retraction-watch",
    date="2023-07-06",
    notice_doi="10.1177/09567976231187595",
)
CORRECTED = Integrity(
    kind="correction",
    retracted=False,
    source="publisher",
    date="2012-05-08",
    notice_doi="10.1371/annotation/c76da2c1-ccb8-4797-94c1-359d3ceceeda",
)


@pytest.mark.parametrize(
    ("file", "doi", "expected"),
    [
        ("work-retracted-evil-genius", "10.1177/0956797614520714", RETRACTED),
        ("notice-update-to-lancet-2010", "10.1016/s0140-6736(10)60175-4", None),
        ("work-pone-0033693", "10.1371/journal.pone.0033693", CORRECTED),
        ("work-preprint-biorxiv", "10.1101/2024.04.01.587366", None),
    ],
)
def test_recorded_works(shared: Path, file: str, doi: str, expected: Integrity | None) -> None:
    answer = recorded(shared, f"crossref/{file}.json")
    (request,), found = converse(crossref.integrity(doi, ACCESS), answer)
    assert (request.path, found) == (f"/works/{doi}", expected)
    _, paper = converse(crossref.record(PaperId("doi", doi.upper()), ACCESS), answer)
    assert (paper.doi, paper.retraction, paper.url) == (doi, expected, f"https://doi.org/{doi}")


def test_recorded_details(shared: Path) -> None:
    steps = crossref.record(PaperId("doi", "10.1101/2024.04.01.587366"), ACCESS)
    _, paper = converse(steps, recorded(shared, "crossref/work-preprint-biorxiv.json"))
    assert (paper.type, paper.journal, paper.date) == ("preprint", "bioRxiv", "2024-04-01")
    assert (paper.abstract or "").startswith("Understanding the effects of rare genetic variants")
    steps = crossref.record(PaperId("doi", "10.1177/0956797614520714"), ACCESS)
    _, paper = converse(steps, recorded(shared, "crossref/work-retracted-evil-genius.json"))
    assert (paper.open_access, paper.pdf_url) == (None, None)  # its PDF link is for miners only


def test_recorded_notices_and_a_correction_in_place(shared: Path) -> None:
    _, found = converse(
        crossref.papers(OWLS, ACCESS), recorded(shared, "crossref/journal-works-correction-notices.json")
    )
    assert [paper.retraction for paper in found.items] == [None, None, None]
    assert found.items[2].abstract is not None
    assert found.items[2].abstract.startswith("Background: The impact of infertility")
    _, found = converse(crossref.papers(OWLS, ACCESS), recorded(shared, "crossref/funder-works-self-update.json"))
    (paper,) = found.items
    assert paper.doi == "10.1103/physrevb.98.104436"
    in_place = Integrity(kind="correction", retracted=False, source="publisher", date="2019-04-08")
    assert (paper.retraction, paper.pages) == (in_place, "104436")


def test_a_concern_listed_twice_has_its_earliest_date(shared: Path) -> None:
    fragment = json.loads((shared / "wire/crossref/fragment-updated-by-concern-listed-twice.json").read_bytes())
    _, found = converse(crossref.integrity("10.1000/x", ACCESS), one(fragment))
    assert found == Integrity(
        kind="expression_of_concern",
        retracted=False,
        source="publisher",
        date="2026-02-13",
        notice_doi="10.1016/j.lungcan.2026.109332",
    )


@pytest.mark.parametrize(
    ("updates", "kind", "date"),
    [
        ([update("erratum", 2004, 3, 6), update("retraction", 2010, 2, 6)], "retraction", "2010-02-06"),
        ([update("expression_of_concern", 2009), update("correction", 2001)], "expression_of_concern", "2009"),
        ([update("partial_retraction", 2020, 5)], "retraction", "2020-05"),
        ([update("withdrawal"), update("removal", 2020)], "retraction", "2020"),
        ([update("Expression-of-Concern", 2020)], "expression_of_concern", "2020"),
        ([update("retraction_and_replacement", 2020)], "retraction", "2020"),
        *(
            [[update(name, 2020)], "correction", "2020"]
            for name in ("corrigendum", "addendum", "clarification", "erratum", "err")
        ),
        ([update("new_version", 2020), update("new_edition", 2021), "x", None], None, None),
        ([], None, None),
        (None, None, None),
    ],
)
def test_the_gravest_counts(updates: Any, kind: str | None, date: str | None) -> None:
    _, found = converse(crossref.integrity("10.1000/x", ACCESS), one({"updated-by": updates}))
    assert (found and found.kind, found and found.date) == (kind, date)
    assert found is None or found.retracted == (kind == "retraction")


def test_a_notice_against_others_is_itself_sound() -> None:
    message = {"update-to": [update("retraction", 2020, doi="10.1000/other")]}
    assert converse(crossref.integrity("10.1000/x", ACCESS), one(message))[1] is None
    message = {"update-to": [update("withdrawal", 2020, doi="10.1000/X")]}
    _, found = converse(crossref.integrity("10.1000/x", ACCESS), one(message))
    assert found == Integrity(kind="retraction", retracted=True, source="publisher", date="2020")


@pytest.mark.parametrize("kind", [*crossref.KINDS, "new_version", "new_edition"])
def test_notices_are_linked_both_ways(kind: str) -> None:
    """The notice names the work, and the work its notice, for every type of update that is a reproach."""
    notice = {"DOI": "10.1000/notice", "title": ["N"], "update-to": [update(kind, 2020, doi="10.1000/Work")]}
    work = {"updated-by": [update(kind, 2020)]}
    found = converse(crossref.integrity("10.1000/work", ACCESS), one(work))[1]
    is_reproach = kind in crossref.KINDS
    assert crossref._parse_paper(notice).notice_for == (("10.1000/work",) if is_reproach else ())
    assert (found and found.notice_doi) == ("10.1000/notice" if is_reproach else None)


def test_details() -> None:
    item = {
        "DOI": "10.1000/X",
        "title": [],
        "author": [{"name": "WHO"}, {"family": "Ōe"}, {}, "x"],
        "license": [{"URL": "http://creativecommons.org/licenses/by/4.0/"}],
        "link": [{"content-type": "application/pdf", "URL": "https://a.example/x.pdf"}],
        "ISBN": ["http://id.crossref.org/isbn/9781860163593"],
    }
    _, found = converse(crossref.papers(OWLS, ACCESS), listing(item))
    (paper,) = found.items
    assert (paper.title, paper.authors) == ("https://doi.org/10.1000/x", ("WHO", "Ōe"))
    assert paper.author_names[0] == Author(literal="WHO")
    assert (paper.open_access, paper.pdf_url, paper.isbn) == (True, "https://a.example/x.pdf", "9781860163593")


def test_newest_first() -> None:
    items = [{"DOI": f"10.1000/{y}", "issued": {"date-parts": [[y]]}} for y in (2001, 2020, 2010)]
    query = PaperQuery(text="owls", sort_by="date", count=2)
    _, found = converse(crossref.papers(query, ACCESS), listing(*items))
    assert [paper.year for paper in found.items] == [2020, 2010]


@pytest.mark.parametrize("file", ["work-not-found-404.txt", "datacite-doi-404.txt"])
def test_unknown_here(shared: Path, file: str) -> None:
    answer = recorded(shared, f"crossref/{file}", 404)
    with pytest.raises(errors.NotFound):
        converse(crossref.record(PaperId("doi", "10.48550/arxiv.2312.07559"), ACCESS), answer)
    with pytest.raises(errors.NotFound):
        converse(crossref.integrity("10.1371/notarealdoi", ACCESS), answer)


@pytest.mark.parametrize(
    ("file", "status", "said"),
    [
        ("error-400-parameter-not-allowed.json", 400, "does not support field query parameters"),
        ("error-400-rows-not-integer.json", 400, "must be a positive integer"),
        ("error-404-invalid-cursor.json", 404, "it is invalid"),
    ],
)
def test_recorded_refusals(shared: Path, file: str, status: int, said: str) -> None:
    answer = recorded(shared, f"crossref/{file}", status)
    for steps in (crossref.papers(OWLS, ACCESS), crossref.record(PaperId("doi", "10.1000/x"), ACCESS)):
        with pytest.raises(errors.UpstreamUnavailable, match=said) as caught:
            converse(steps, answer)
        assert type(caught.value) is errors.UpstreamUnavailable


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply("Too many", 429, retry_after="2"), errors.RateLimited),
        (reply("<html>not here</html>", 404), errors.UpstreamChanged),
        (reply("<html>", 503), errors.UpstreamUnavailable),
        (reply("<html>who are you", 403), errors.Blocked),
        (reply("<html>"), errors.UpstreamChanged),
        (reply({"status": "ok", "message-type": "funder", "message": {}}), errors.UpstreamChanged),
        (listing(total=3), errors.UpstreamChanged),
    ],
)
def test_failures_are_told_apart(failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    for steps in (crossref.papers(OWLS, ACCESS), crossref.integrity("10.1000/x", ACCESS)):
        with pytest.raises(kind) as caught:
            converse(steps, failure)
        assert type(caught.value) is kind


def test_what_is_not_sent() -> None:
    with pytest.raises(errors.BadInput):
        first_request(crossref.papers(PaperQuery(text=" "), ACCESS))
    with pytest.raises(errors.BadInput, match="DOI only"):
        first_request(crossref.record(PaperId("pmid", "1"), ACCESS))
    with pytest.raises(errors.BadInput):
        first_request(crossref.integrity("10.1000/../../members", ACCESS))
