"""doi.org: registered or not, by whom, and the agency's own record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import doi_org
from wellsourced.upstreams.types.paper import Author, PaperId, Registration

ACCESS = Access({})
HERE = {"responseCode": 1, "values": [{"type": "HS_ADMIN"}, {"type": "URL", "data": {"value": "https://a.example/"}}]}
NOWHERE = reply({"responseCode": 100, "handle": "10.1126/foo"}, 404)
DATACITE = {
    "type": "article",
    "DOI": "10.48550/ARXIV.2312.07559",
    "title": "PaperQA",
    "author": [{"family": "Lála", "given": "Jakub"}, {"literal": "A Team"}],
    "issued": {"date-parts": [[2023, 12, 8]]},
    "publisher": "arXiv",
}


def test_registered() -> None:
    steps = doi_org.registration("https://doi.org/10.5284/1011335", ACCESS)
    requests, found = converse(steps, reply(HERE), reply([{"DOI": "10.5284/1011335", "RA": "DataCite"}]))
    assert [request.path for request in requests] == ["/api/handles/10.5284/1011335", "/ra/10.5284/1011335"]
    assert found == Registration(doi="10.5284/1011335", registered=True, agency="DataCite", url="https://a.example/")


@pytest.mark.parametrize(
    "agency",
    [
        reply("<html>", 503),
        reply("oops"),
        reply([]),
        reply([{"DOI": "10.1000/x", "status": "Unknown"}]),
        reply({"x": 1}),
    ],
)
def test_an_unknown_agency_does_no_harm(agency: Reply) -> None:
    _, found = converse(doi_org.registration("10.1000/x", ACCESS), reply({"responseCode": 200}), agency)
    assert found == Registration(doi="10.1000/x", registered=True)


def test_a_broken_line_to_the_agency_service_does_no_harm() -> None:
    steps = doi_org.registration("10.1000/x", ACCESS)
    next(steps)
    steps.send(reply(HERE))
    with pytest.raises(StopIteration) as done:
        steps.throw(errors.NetworkFailed("gone"))
    assert (done.value.value.registered, done.value.value.agency) == (True, None)


def test_registered_nowhere(shared: Path) -> None:
    for answer in (NOWHERE, recorded(shared, "crossref/doi-org-not-found-404.html", 404)):
        _, found = converse(doi_org.registration("10.1126/foo", ACCESS), answer)
        assert found == Registration(doi="10.1126/foo", registered=False)


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply("<html>Not Found", 404), errors.UpstreamChanged),
        (reply({"responseCode": 1}, 404), errors.UpstreamChanged),
        (reply({"responseCode": 100}), errors.UpstreamUnavailable),
        (reply({"responseCode": 2}), errors.UpstreamUnavailable),
        (reply({"responseCode": True}), errors.UpstreamChanged),
        (reply("<html>"), errors.UpstreamChanged),
        (reply("", 429), errors.RateLimited),
        (reply("", 500), errors.UpstreamUnavailable),
    ],
)
def test_only_the_handle_services_own_answer_is_a_no(failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(doi_org.registration("10.1000/x", ACCESS), failure)
    assert type(caught.value) is kind


def test_recorded_record(shared: Path) -> None:
    target = "https://api.crossref.org/v1/works/10.1126%2Fscience.169.3946.635/transform"
    steps = doi_org.record(PaperId("doi", "10.1126/science.169.3946.635"), ACCESS)
    answer = recorded(shared, "crossref/transform-csl-json.json")
    requests, paper = converse(steps, reply("", 302, location=target), answer)
    assert [(request.host, request.path) for request in requests] == [
        ("", "/10.1126/science.169.3946.635"),
        ("crossref", "/v1/works/10.1126%2Fscience.169.3946.635/transform"),
    ]
    assert all(dict(request.headers) == {"Accept": doi_org.CSL} for request in requests)
    assert (paper.title, paper.journal, paper.date) == ("The Structure of Ordinary Water", "Science", "1970-08-14")
    assert paper.author_names == (Author(family="Frank", given="Henry S."),)
    assert (paper.volume, paper.issue, paper.pages, paper.type) == ("169", "3946", "635-641", "journal-article")
    assert (paper.abstract or "").startswith("The train of thought pursued in this article")


def test_a_record_of_datacite() -> None:
    steps = doi_org.record(PaperId("arxiv", "2312.07559v1"), ACCESS)
    moved = reply("", 302, location="https://data.crosscite.org/10.48550%2Farxiv.2312.07559")
    requests, paper = converse(steps, moved, reply(DATACITE))
    assert (requests[1].host, requests[1].path) == ("crosscite", "/10.48550%2Farxiv.2312.07559")
    assert (paper.doi, paper.type, paper.ids.arxiv) == ("10.48550/arxiv.2312.07559", "preprint", "2312.07559")
    assert paper.authors == ("Jakub Lála", "A Team")


@pytest.mark.parametrize(
    "location", ["https://journal.example/10.1000/x", "http://127.0.0.1/x", "https://169.254.169.254/"]
)
def test_a_page_for_people_is_not_fetched(location: str) -> None:
    with pytest.raises(errors.NotFound, match="no record for programs"):
        converse(doi_org.record(PaperId("doi", "10.1000/x"), ACCESS), reply("", 302, location=location))


def test_unknown_records(shared: Path) -> None:
    for file in ("crossref/doi-org-not-found-404.html", "datacite/content-negotiation-404.txt"):
        with pytest.raises(errors.NotFound):
            converse(doi_org.record(PaperId("doi", "10.1126/foo"), ACCESS), recorded(shared, file, 404))


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ([reply("", 302, location="/10.1000/x")] * 4, errors.UpstreamChanged),
        ([reply("<html>")], errors.UpstreamChanged),
        ([reply([])], errors.UpstreamChanged),
        ([reply(DATACITE)], errors.NotFound),
        ([reply("", 500)], errors.UpstreamUnavailable),
        ([reply("", 429)], errors.RateLimited),
    ],
)
def test_failures_are_told_apart(answers: list[Reply], kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(doi_org.record(PaperId("doi", "10.1000/x"), ACCESS), *answers)
    assert type(caught.value) is kind


def test_what_is_not_sent() -> None:
    steps: list[Any] = [doi_org.registration("x", ACCESS), doi_org.registration("10.1000/../api", ACCESS)]
    for conversation in (*steps, doi_org.record(PaperId("pmid", "1"), ACCESS)):
        with pytest.raises(errors.BadInput):
            first_request(conversation)
