"""OpenAlex: what is sent, what recorded answers mean, and what goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import openalex
from wellsourced.upstreams.types.paper import EdgeCounts, EdgeQuery, Integrity, PaperId, PaperQuery

ACCESS = Access({})
OWLS = PaperQuery(text="owls")
PLAIN = {"search": "owls", "per_page": "5", "select": openalex.FIELDS}


def work(number: int = 1, **more: Any) -> dict[str, Any]:
    row = {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.1000/W{number}",
        "display_name": "Gait &amp; <i>Posture</i>",
        "is_retracted": False,
    }
    return {**row, **more}


def page(*rows: object, count: int | None = None) -> Reply:
    return reply({"meta": {"count": len(rows) if count is None else count}, "results": list(rows)})


@pytest.mark.parametrize(
    ("asked", "sent", "missing"),
    [
        ({}, {}, set()),
        ({"count": 500}, {"per_page": "100"}, set()),
        ({"year_from": 2019}, {"filter": "from_publication_date:2019-01-01"}, set()),
        (
            {"year_from": 2019, "year_to": 2020, "open_access": True, "source": "arxiv"},
            {
                "filter": "from_publication_date:2019-01-01,to_publication_date:2020-12-31,open_access.is_oa:true"
                ",locations.source.id:S4306400194"
            },
            set(),
        ),
        ({"source": "pubmed"}, {"filter": "locations.source.id:S4306525036"}, set()),
        ({"source": "ieee"}, {"filter": "primary_location.source.publisher_lineage:P4310319808"}, set()),
        ({"source": "nature"}, {"filter": "primary_location.source.publisher_lineage:P4310319908"}, set()),
        ({"source": "springer"}, {"filter": "primary_location.source.publisher_lineage:P4310319965"}, set()),
        ({"pdf_only": True}, {"filter": "open_access.is_oa:true"}, {"pdf_only"}),
        ({"full_text": True}, {}, {"full_text"}),
        ({"sort_by": "date"}, {"per_page": "50"}, set()),
        ({"text": "who owns owls? (a* 100% b"}, {"search": "who owns owls a 100% b"}, set()),
        ({"text": '"snowy owl" AND (nest OR egg)'}, {"search": '"snowy owl" AND (nest OR egg)'}, set()),
        ({"text": 'owls -barn -the x-ray -"snowy owl"'}, {"search": 'owls x-ray NOT "barn" NOT "snowy owl"'}, set()),
        ({"text": 'un"paired 梟'}, {"search": "un paired 梟"}, set()),
    ],
)
def test_requests(asked: dict[str, Any], sent: dict[str, str], missing: set[str]) -> None:
    query = PaperQuery(**{"text": "owls", **asked})
    (request,), found = converse(openalex.papers(query, ACCESS), page())
    assert (request.path, dict(request.params)) == ("/works", {**PLAIN, **sent})
    assert (found.items, found.not_applied, found.more_available) == ((), frozenset(missing), False)


def test_many_records_in_one_request() -> None:
    asked = ("10.1000/w1", "10.1016/s0140-6736(97)11096-0", "10.1000/a|b", "10.1000/a,b")
    (request,), found = converse(openalex.records(asked, ACCESS), page(work(is_retracted=True)))
    named = "doi:10.1000/w1|10.1016/s0140-6736(97)11096-0"
    sent = {"filter": named, "per_page": "100", "select": openalex.FIELDS}
    assert (request.path, dict(request.params)) == ("/works", sent)
    assert [(paper.doi, bool(paper.retraction)) for paper in found] == [("10.1000/w1", True)]


def test_contact_and_key_are_sent_when_there_are_any() -> None:
    request = first_request(openalex.papers(OWLS, Access({"OPENALEX_EMAIL": "me@a.example", "OPENALEX_API_KEY": "k"})))
    assert dict(request.params) == {**PLAIN, "mailto": "me@a.example", "api_key": "k"}


def test_source_ids_stand_in_recorded_works(shared: Path) -> None:
    text = b"".join(path.read_bytes() for path in sorted((shared / "wire" / "openalex").glob("work*.json")))
    for name in ("arxiv", "pubmed", "nature", "springer"):
        assert openalex.SOURCES[name].rpartition(":")[2].encode() in text


def test_recorded_searches(shared: Path) -> None:
    _, found = converse(openalex.papers(OWLS, ACCESS), recorded(shared, "openalex/works-search-attention.json"))
    first, second, third = found.items
    assert (first.title, first.doi) == (
        "A review on the attention mechanism of deep learning",
        "10.1016/j.neucom.2021.03.091",
    )
    assert (first.authors[0], first.journal, first.year, first.type) == (
        "Zhaoyang Niu",
        "Neurocomputing",
        2021,
        "review",
    )
    assert (first.abstract, first.open_access, first.pdf_url) == (None, False, None)
    assert (second.abstract or "").startswith("Humans can naturally and effectively find salient regions in complex")
    assert second.pdf_url == "https://link.springer.com/content/pdf/10.1007/s41095-022-0271-y.pdf"
    assert (second.volume, second.issue, second.pages) == ("8", "3", "331-368")
    assert (third.ids.pmid, third.url) == ("8759451", "https://doi.org/10.1016/0042-6989(95)00294-4")
    assert found.more_available is True

    _, found = converse(
        openalex.papers(OWLS, ACCESS), recorded(shared, "openalex/works-filter-title-search-chemcrow.json")
    )
    assert [paper.type for paper in found.items] == ["journal-article", "preprint"]
    assert (found.items[1].ids.arxiv, found.items[1].pdf_url) == ("2304.05376", "https://arxiv.org/pdf/2304.05376")
    _, found = converse(
        openalex.papers(OWLS, ACCESS), recorded(shared, "openalex/works-filter-title-search-paperqa.json")
    )
    assert [paper.doi for paper in found.items] == ["10.48550/arxiv.2312.07559"]


@pytest.mark.parametrize(
    ("file", "doi", "expected"),
    [
        (
            "work-by-doi-xgen-2025",
            "10.1016/j.xgen.2025.100814",
            {"citation_count": 3, "open_access": True, "pages": "100814"},
        ),
        ("work-by-doi-pnas-1414271111", "10.1073/pnas.1414271111", {"citation_count": 138, "volume": "111"}),
        ("work-by-doi-case-report-no-abstract", "10.1007/s40278-023-41815-2", {"authors": (), "abstract": None}),
        (
            "work-retracted-evil-genius",
            "10.1177/0956797614520714",
            {"authors": ("Francesca Gino", "Scott S. Wiltermuth")},
        ),
    ],
)
def test_recorded_records(shared: Path, file: str, doi: str, expected: dict[str, Any]) -> None:
    steps = openalex.record(PaperId("doi", doi), ACCESS)
    (request,), paper = converse(steps, recorded(shared, f"openalex/{file}.json"))
    assert request.path == f"/works/doi:{doi}"
    assert paper.doi == doi
    assert {name: getattr(paper, name) for name in expected} == expected
    is_retracted = file.startswith("work-retracted")
    assert paper.retraction == (
        Integrity(kind="retraction", retracted=True, source="openalex") if is_retracted else None
    )


def test_records_by_other_ids_and_after_a_merger() -> None:
    (request,), _ = converse(openalex.record(PaperId("pmid", "24549296"), ACCESS), reply(work()))
    assert request.path == "/works/pmid:24549296"
    (request,), _ = converse(openalex.record(PaperId("arxiv", "2312.07559v2"), ACCESS), reply(work()))
    assert request.path == "/works/doi:10.48550/arxiv.2312.07559"
    moved = reply("", 301, location="https://api.openalex.org/works/W1")
    requests, paper = converse(openalex.record(PaperId("doi", "10.1000/w1"), ACCESS), moved, reply(work()))
    assert (requests[1].path, paper.ids.openalex) == ("/works/W1", "W1")


def test_a_record_of_another_work_is_not_handed_on(shared: Path) -> None:
    steps = openalex.record(PaperId("doi", "10.1000/other"), ACCESS)
    with pytest.raises(errors.NotFound, match=r"10\.1000/w1"):
        converse(steps, reply(work()))
    steps = openalex.record(PaperId("doi", "10.1046/j.1365-2699.2003.00795"), ACCESS)
    with pytest.raises(errors.NotFound):
        converse(steps, recorded(shared, "openalex/work-not-found-404.html", 404))


def test_details() -> None:
    row = work(
        abstract_inverted_index={"owls.": [3, "x", 10**12], "We": [0], "like": [1], "snowy": [2], "bad": None},
        doi=None,
        type="retraction",
        is_retracted=True,
        primary_location={"source": None, "landing_page_url": "https://a.example/x"},
        open_access={"is_oa": True, "oa_url": "https://a.example/landing"},
        ids={"pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/4234579"},
    )
    _, found = converse(openalex.papers(OWLS, ACCESS), page(row))
    (paper,) = found.items
    assert (paper.title, paper.url, paper.doi) == ("Gait & Posture", "https://a.example/x", None)
    assert paper.abstract == "We like snowy owls. owls."
    assert (paper.pdf_url, paper.retraction, paper.ids.pmcid) == (None, None, "PMC4234579")


def test_newest_first_among_the_most_relevant() -> None:
    rows = [
        work(n, publication_date=date) for n, date in enumerate(("2020-01-01", "2024-01-01", "2022-01-01", None), 1)
    ]
    query = PaperQuery(text="owls", sort_by="date", count=2)
    _, found = converse(openalex.papers(query, ACCESS), page(*rows))
    assert [paper.date for paper in found.items] == ["2024-01-01", "2022-01-01"]


def test_citation_graph() -> None:
    seed = work(7, cited_by_count=9, referenced_works=["https://openalex.org/W5", "https://openalex.org/W6", None])
    seed["referenced_works_count"] = 3
    steps = openalex.citations(EdgeQuery(seed="https://doi.org/10.1000/W7", count=2), ACCESS)
    requests, edges = converse(steps, reply(seed), page(work(8), work(9), count=9), page(work(5)))
    assert [dict(request.params).get("filter") for request in requests] == [None, "cites:W7", "openalex_id:W5|W6"]
    assert dict(requests[1].params)["sort"] == "cited_by_count:desc"
    assert edges.seed.ids.openalex == "W7"
    assert [paper.ids.openalex for paper in edges.cited_by or ()] == ["W8", "W9"]
    assert [paper.ids.openalex for paper in edges.references or ()] == ["W5"]
    assert edges.counts == EdgeCounts(cited_by=9, references=3)

    steps = openalex.citations(EdgeQuery(seed="10.1000/w7", direction="references"), ACCESS)
    _, edges = converse(steps, reply(work(7, referenced_works=[])))
    assert (edges.cited_by, edges.references) == (None, ())


def test_a_title_as_seed() -> None:
    rows = [work(1, display_name="Owls of the North?"), work(2, display_name="Another", cited_by_count=99)]
    rows += [work(3, display_name="Owls of the north", cited_by_count=5)]
    steps = openalex.citations(EdgeQuery(seed="Owls of the North?", direction="cited_by"), ACCESS)
    requests, edges = converse(steps, page(*rows), page())
    assert dict(requests[0].params)["filter"] == "title.search:Owls of the North"
    assert edges.seed.ids.openalex == "W3"
    with pytest.raises(errors.NotFound, match="no work with the title"):
        converse(openalex.citations(EdgeQuery(seed="Gravity hill"), ACCESS), page(*rows))


@pytest.mark.parametrize(
    ("failure", "kind", "wait"),
    [
        (reply({"error": "x", "message": "Invalid API key"}, 403), errors.KeyRejected, None),
        (reply({"error": "x", "message": "Wildcards require exact search"}), errors.UpstreamUnavailable, None),
        (reply("<html>no", 404), errors.UpstreamChanged, None),
        (reply("slow down", 429, retry_after="3"), errors.RateLimited, 3),
        (reply("<html>challenge", 403), errors.Blocked, None),
        (reply("oops", 502), errors.UpstreamUnavailable, None),
        (reply("<html>"), errors.UpstreamChanged, None),
        (page(count=5), errors.UpstreamChanged, None),
    ],
)
def test_failures_are_told_apart(failure: Reply, kind: type[errors.WellsourcedError], wait: float | None) -> None:
    with pytest.raises(kind) as caught:
        converse(openalex.papers(OWLS, ACCESS), failure)
    assert (type(caught.value), caught.value.retry_after) == (kind, wait)


def test_recorded_failures(shared: Path) -> None:
    with pytest.raises(errors.UpstreamUnavailable, match="nonsense_field is not a valid field"):
        converse(openalex.papers(OWLS, ACCESS), recorded(shared, "openalex/error-400-invalid-filter.json", 400))
    with pytest.raises(errors.RateLimited, match="Insufficient budget") as caught:
        converse(openalex.papers(OWLS, ACCESS), recorded(shared, "openalex/error-429-budget-exhausted.json", 429))
    assert caught.value.retry_after == 47052


def test_an_empty_question_is_not_sent() -> None:
    for text in ("", " ? ", "***"):
        with pytest.raises(errors.BadInput):
            first_request(openalex.papers(PaperQuery(text=text), ACCESS))
    with pytest.raises(errors.BadInput):
        first_request(openalex.record(PaperId("doi", "nature"), ACCESS))
