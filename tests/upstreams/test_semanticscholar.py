"""Semantic Scholar: searches without `data`, edges with intent, title matches that are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import semanticscholar
from wellsourced.upstreams.types.paper import EdgeCounts, EdgeQuery, PaperId, PaperQuery

ACCESS = Access({})
KEYED = Access({"SEMANTIC_SCHOLAR_API_KEY": "k"})
OWLS = PaperQuery(text="owls")
NOTHING = reply({"total": 0, "offset": 0})
PLAIN = {"query": "owls", "limit": "5", "fields": semanticscholar.FIELDS}


def paper(number: str = "a1", **more: Any) -> dict[str, Any]:
    return {"paperId": number, "title": "Owls of the North", **more}


@pytest.mark.parametrize(
    ("asked", "sent", "missing"),
    [
        ({}, {}, set()),
        ({"count": 500}, {"limit": "100"}, set()),
        ({"year_from": 2019}, {"year": "2019-"}, set()),
        ({"year_to": 2020}, {"year": "-2020"}, set()),
        ({"year_from": 2019, "year_to": 2020}, {"year": "2019-2020"}, set()),
        ({"open_access": True}, {"openAccessPdf": ""}, set()),
        ({"pdf_only": True}, {"openAccessPdf": ""}, set()),
        ({"source": "arxiv"}, {"venue": "arXiv.org"}, set()),
        ({"source": "ieee"}, {}, {"source"}),
        ({"full_text": True}, {}, {"full_text"}),
        ({"sort_by": "date"}, {"limit": "50"}, set()),
        ({"text": "owls -barn"}, {"query": "owls"}, set()),
        ({"text": 'heat-bath "random walks" - 100%'}, {"query": "heat bath random walks - 100%"}, set()),
    ],
)
def test_requests(asked: dict[str, Any], sent: dict[str, str], missing: set[str]) -> None:
    (request,), found = converse(semanticscholar.papers(PaperQuery(**{"text": "owls", **asked}), ACCESS), NOTHING)
    assert (request.path, dict(request.params)) == ("/graph/v1/paper/search", {**PLAIN, **sent})
    assert (found.items, found.not_applied, dict(request.headers)) == ((), frozenset(missing), {})


def test_the_key_goes_into_a_header() -> None:
    request = first_request(semanticscholar.papers(OWLS, KEYED))
    assert dict(request.headers) == {"x-api-key": "k"}
    assert "k" not in dict(request.params).values()


def test_recorded_searches(shared: Path) -> None:
    answer = recorded(shared, "semanticscholar/paper-search-attention.json")
    _, found = converse(semanticscholar.papers(OWLS, ACCESS), answer)
    first, second, third = found.items
    assert (first.doi, first.journal, first.citation_count) == ("10.1016/j.neucom.2021.03.091", "Neurocomputing", 2865)
    assert (first.open_access, first.pdf_url, first.abstract) == (False, None, None)
    assert (second.ids.arxiv, second.pdf_url) == ("2406.10581", "https://arxiv.org/pdf/2406.10581")
    assert (third.doi, third.url.rpartition("/")[2]) == (None, third.ids.s2)
    assert third.authors == ("Siqi Miao", "Miaoyuan Liu", "Pan Li")
    assert found.more_available is True
    empty = recorded(shared, "semanticscholar/paper-search-empty.json")
    _, found = converse(semanticscholar.papers(OWLS, ACCESS), empty)
    assert (found.items, found.more_available) == ((), False)


@pytest.mark.parametrize(
    ("file", "doi", "expected"),
    [
        (
            "paper-by-doi-chemcrow",
            "10.1038/s42256-024-00832-8",
            {"pdf_url": "https://www.nature.com/articles/s42256-024-00832-8.pdf", "pages": "525-535", "volume": "6"},
        ),
        (
            "paper-by-doi-arxiv",
            "10.48550/arxiv.2312.07559",
            {"pdf_url": "https://arxiv.org/pdf/2312.07559", "type": "preprint", "date": "2023-12-08"},
        ),
        ("paper-full-turing-1950", "10.1093/mind/lix.236.433", {"journal": "Mind", "year": 1950, "pages": "433-460"}),
    ],
)
def test_recorded_records(shared: Path, file: str, doi: str, expected: dict[str, Any]) -> None:
    steps = semanticscholar.record(PaperId("doi", doi), ACCESS)
    (request,), found = converse(steps, recorded(shared, f"semanticscholar/{file}.json"))
    assert (request.path, dict(request.params)) == (f"/graph/v1/paper/DOI:{doi}", {"fields": semanticscholar.FIELDS})
    assert found.doi == doi
    assert {name: getattr(found, name) for name in expected} == expected
    assert (found.tldr is not None) == (file == "paper-full-turing-1950")
    with pytest.raises(errors.NotFound, match="answered with"):
        converse(
            semanticscholar.record(PaperId("doi", "10.1000/other"), ACCESS),
            recorded(shared, f"semanticscholar/{file}.json"),
        )


def test_recorded_rows_of_a_batch(shared: Path) -> None:
    rows = recorded(shared, "semanticscholar/paper-batch-with-null.json").json()
    found = []
    for row in rows:
        steps = semanticscholar.record(PaperId("arxiv", "1605.08386"), ACCESS)
        if row is None:
            with pytest.raises(errors.UpstreamChanged):
                converse(steps, reply(row))
        else:
            found.append(converse(steps, reply(row))[1].title)
    assert found[0] == "How Much Should We Trust Differences-in-Differences Estimates?"
    assert len(found) == len(rows) - 1


def test_other_ids() -> None:
    for work, path in {
        PaperId("arxiv", "1605.08386v1"): "ARXIV:1605.08386",
        PaperId("arxiv", "astro-ph/0601001"): "ARXIV:astro-ph/0601001",
        PaperId("pmid", "38799228"): "PMID:38799228",
    }.items():
        assert first_request(semanticscholar.record(work, ACCESS)).path == f"/graph/v1/paper/{path}"
    for work in (PaperId("pmid", "1/citations"), PaperId("arxiv", "../x"), PaperId("doi", "x")):
        with pytest.raises(errors.BadInput):
            first_request(semanticscholar.record(work, ACCESS))


def test_recorded_citations(shared: Path) -> None:
    seed = recorded(shared, "semanticscholar/paper-full-turing-1950.json")
    cited_by = recorded(shared, "semanticscholar/citations-brca1-page.json")
    references = recorded(shared, "semanticscholar/references-nv-diamond.json")
    query = EdgeQuery(seed="doi:10.1093/mind/lix.236.433", count=100)
    requests, edges = converse(semanticscholar.citations(query, ACCESS), seed, cited_by, references)
    number = "2d5673caa9e6af3a7b82a43f19ee920992db07ad"
    assert [request.path for request in requests[1:]] == [
        f"/graph/v1/paper/{number}/citations",
        f"/graph/v1/paper/{number}/references",
    ]
    assert dict(requests[1].params)["fields"].startswith("contexts,intents,isInfluential,title,")
    assert "tldr" not in dict(requests[1].params)["fields"]
    assert edges.counts == EdgeCounts(cited_by=10059, references=14)
    assert edges.cited_by is not None
    assert len(edges.cited_by) == 100
    assert sum(bool(paper.intents) for paper in edges.cited_by) == 33
    assert sum(paper.is_influential is True for paper in edges.cited_by) == 4
    assert [paper.doi for paper in edges.references or ()][:1] == ["10.1103/physreva.87.032118"]

    query = EdgeQuery(seed="10.1093/mind/lix.236.433", direction="cited_by")
    small = recorded(shared, "semanticscholar/citations-nv-diamond.json")
    _, edges = converse(semanticscholar.citations(query, ACCESS), seed, small)
    assert (edges.references, [paper.is_influential for paper in edges.cited_by or ()]) == (None, [None] * 3)
    item = recorded(shared, "semanticscholar/citation-item-with-intents.json").json()
    _, edges = converse(semanticscholar.citations(query, ACCESS), seed, reply({"offset": 0, "data": [item]}))
    (citing,) = edges.cited_by or ()
    assert (citing.is_influential, citing.intents) == (True, ("result", "background", "methodology"))


def test_withheld_references_are_not_none_at_all() -> None:
    query = EdgeQuery(seed="10.1000/x", direction="references")
    withheld = reply({"citingPaperInfo": {"openAccessPdf": {}}, "data": None})
    _, edges = converse(semanticscholar.citations(query, ACCESS), reply(paper()), withheld)
    assert (edges.references, edges.notes) == (None, (semanticscholar.WITHHELD,))
    _, edges = converse(semanticscholar.citations(query, ACCESS), reply(paper()), reply({"offset": 0, "data": []}))
    assert (edges.references, edges.notes) == ((), ())


def test_a_title_as_seed(shared: Path) -> None:
    title = "Effect of native oxide layers on copper thin-film tensile properties: A reactive molecular dynamics study"
    query = EdgeQuery(seed=title, direction="cited_by")
    match = recorded(shared, "semanticscholar/title-match.json")
    requests, edges = converse(semanticscholar.citations(query, ACCESS), match, reply({"data": []}))
    assert requests[0].path == "/graph/v1/paper/search/match"
    assert edges.seed.doi == "10.1063/1.4938384"
    wrong = recorded(shared, "semanticscholar/title-match-wrong-paper.json")
    with pytest.raises(errors.NotFound, match="closest is 'Explanation of Gravity Hill"):
        converse(semanticscholar.citations(EdgeQuery(seed="Gravity hill"), ACCESS), wrong)
    none = recorded(shared, "semanticscholar/title-match-not-found-404.json", 404)
    with pytest.raises(errors.NotFound):
        converse(semanticscholar.citations(EdgeQuery(seed="askldjrq3rjaw938h"), ACCESS), none)


def test_newest_first() -> None:
    rows = [paper("a", year=2001), paper("b", publicationDate="2020-05-01", year=2020), paper("c", year=2010)]
    query = PaperQuery(text="owls", sort_by="date", count=2)
    _, found = converse(semanticscholar.papers(query, ACCESS), reply({"total": 3, "data": rows}))
    assert [item.year for item in found.items] == [2020, 2010]


def test_recorded_failures(shared: Path) -> None:
    not_found = recorded(shared, "semanticscholar/paper-not-found-404.json", 404)
    with pytest.raises(errors.NotFound, match=r"10\.1101"):
        converse(semanticscholar.record(PaperId("doi", "10.1101/2024.04.01.587366"), ACCESS), not_found)
    with pytest.raises(errors.UpstreamUnavailable, match="unsupported fields"):
        converse(
            semanticscholar.papers(OWLS, ACCESS),
            recorded(shared, "semanticscholar/error-400-unsupported-field.json", 400),
        )
    forbidden = recorded(shared, "semanticscholar/error-403-forbidden.json", 403)
    with pytest.raises(errors.KeyRejected):
        converse(semanticscholar.papers(OWLS, KEYED), forbidden)
    with pytest.raises(errors.Blocked):
        converse(semanticscholar.papers(OWLS, ACCESS), forbidden)
    with pytest.raises(errors.RateLimited):
        converse(
            semanticscholar.papers(OWLS, ACCESS),
            recorded(shared, "semanticscholar/error-429-too-many-requests.json", 429),
        )


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply("<html>", 404), errors.UpstreamChanged),
        (reply("<html>", 503), errors.UpstreamUnavailable),
        (reply("<html>"), errors.UpstreamChanged),
        (reply({"total": 7, "offset": 0}), errors.UpstreamChanged),
        (reply({"total": 7, "data": []}), errors.UpstreamChanged),
        (reply({"message": "no"}, 401), errors.KeyRejected),
    ],
)
def test_failures_are_told_apart(failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(semanticscholar.papers(OWLS, ACCESS), failure)
    assert type(caught.value) is kind
