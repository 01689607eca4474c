"""arXiv: queries, versions, withdrawals, and errors delivered as entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import arxiv
from wellsourced.upstreams.types.paper import Integrity, PaperId, PaperQuery

ACCESS = Access({})
OWLS = PaperQuery(text="owls", count=10)
PLAIN = {"start": "0", "max_results": "5", "sortBy": "relevance", "sortOrder": "descending"}
ENTRY = (
    "<entry><id>http://arxiv.org/abs/{id}</id><title>Owls\n  and $x$</title><summary>{summary}</summary>"
    "<published>2020-01-02T00:00:00Z</published><updated>2021-03-04T00:00:00Z</updated>"
    "<a:comment>{comment}</a:comment></entry>"
)


def feed(*entries: dict[str, str], total: int | None = None, inner: str = "") -> Reply:
    parts = [ENTRY.format(**{"id": "2001.00001v2", "summary": "S.", "comment": "", **entry}) for entry in entries]
    count = len(entries) if total is None else total
    return reply(
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:a="http://arxiv.org/schemas/atom" xmlns:o="urn:o">'
        f"<o:totalResults>{count}</o:totalResults>{''.join(parts)}{inner}</feed>"
    )


@pytest.mark.parametrize(
    ("asked", "sent", "missing"),
    [
        ({}, {"search_query": "all:owls"}, set()),
        ({"text": "the sleep of owls"}, {"search_query": "all:sleep AND all:owls"}, set()),
        (
            {"text": "to be or not to be"},
            {"search_query": "all:to AND all:be AND all:or AND all:not"},
            set(),
        ),
        ({"text": '"snowy owl" AND (nest:x)'}, {"search_query": 'all:"snowy owl" AND all:"nest x"'}, set()),
        (
            {"text": 'owls -barn X-ray -"snowy owl" AND NOT the zoo at -40', "year_from": 2019, "year_to": 2019},
            {
                "search_query": "all:owls AND all:X-ray AND all:40 AND submittedDate:[201901010000 TO 201912312359]"
                ' ANDNOT all:barn ANDNOT all:"snowy owl" ANDNOT all:zoo'
            },
            set(),
        ),
        (
            {"text": "owls OR совы NOT (梟 barn) sleep"},
            {"search_query": "(all:owls OR all:совы) AND all:sleep ANDNOT all:梟 ANDNOT all:barn"},
            set(),
        ),
        (
            {"text": "OWLS DO NOT SLEEP"},
            {"search_query": "all:OWLS AND all:SLEEP"},
            set(),
        ),
        ({"text": "who -owls"}, {"search_query": "all:who ANDNOT all:owls"}, set()),
        (
            {"text": "DNA AND 梟 AND RNA NOT XNA"},
            {"search_query": "all:DNA AND all:梟 AND all:RNA ANDNOT all:XNA"},
            set(),
        ),
        ({"text": "梟 совы 100%"}, {"search_query": "all:梟 AND all:совы AND all:100%"}, set()),
        ({"count": 500}, {"search_query": "all:owls", "max_results": "100"}, set()),
        ({"sort_by": "date"}, {"search_query": "all:owls", "sortBy": "submittedDate"}, set()),
        (
            {"year_from": 2019, "year_to": 2020},
            {"search_query": "all:owls AND submittedDate:[201901010000 TO 202012312359]"},
            set(),
        ),
        (
            {"source": "arxiv", "open_access": True, "pdf_only": True, "full_text": True},
            {"search_query": "all:owls"},
            set(),
        ),
        ({"source": "pubmed"}, {"search_query": "all:owls"}, {"source"}),
    ],
)
def test_requests(asked: dict[str, Any], sent: dict[str, str], missing: set[str]) -> None:
    (request,), found = converse(arxiv.papers(PaperQuery(**{"text": "owls", **asked}), ACCESS), feed())
    assert (request.path, dict(request.params)) == ("/api/query", {**PLAIN, **sent})
    assert (found.items, found.not_applied, found.more_available) == ((), frozenset(missing), False)


def test_recorded_searches(shared: Path) -> None:
    _, found = converse(arxiv.papers(OWLS, ACCESS), recorded(shared, "arxiv/search-testing-0-10.xml"))
    assert (len(found.items), found.more_available) == (10, True)
    first = found.items[0]
    assert (first.doi, first.ids.arxiv) == ("10.1109/icstw55395.2022.00035", "2202.12139")
    assert first.url == "https://arxiv.org/abs/2202.12139v1"
    _, found = converse(arxiv.papers(OWLS, ACCESS), recorded(shared, "arxiv/search-attention-or-mechanism.xml"))
    assert found.items[0].title.startswith("Déjà vu: A Contextualized Temporal Attention Mechanism")
    assert found.items[0].pdf_url == "https://arxiv.org/pdf/2002.00741v1"
    assert all(paper.retraction is None and paper.open_access for paper in found.items)


def test_recorded_records(shared: Path) -> None:
    steps = arxiv.record(PaperId("doi", "10.48550/arXiv.1605.08386"), ACCESS)
    (request,), paper = converse(steps, recorded(shared, "arxiv/id-1605.08386.xml"))
    assert dict(request.params) == {"id_list": "1605.08386", "max_results": "1"}
    assert (paper.title, paper.authors) == (
        "Heat-bath random walks with Markov bases",
        ("Caprice Stanley", "Tobias Windisch"),
    )
    assert (paper.doi, paper.date, paper.journal) == ("10.48550/arxiv.1605.08386", "2016-05-26", "arXiv")
    steps = arxiv.record(PaperId("arxiv", "astro-ph/0601001"), ACCESS)
    _, paper = converse(steps, recorded(shared, "arxiv/id-old-style.xml"))
    assert (paper.ids.arxiv, paper.journal) == ("astro-ph/0601001", "ActaAstron.56:1-50,2006")
    assert paper.abstract is not None
    assert "limit of V_max<17.5" in paper.abstract


def test_recorded_absences(shared: Path) -> None:
    with pytest.raises(errors.NotFound):
        converse(arxiv.record(PaperId("arxiv", "0000.0000"), ACCESS), recorded(shared, "arxiv/id-unknown-empty.xml"))
    for status in (400, 200):
        bad = recorded(shared, "arxiv/error-400-bad-id.xml", status)
        with pytest.raises(errors.BadInput, match="incorrect id format for abc"):
            converse(arxiv.record(PaperId("arxiv", "abc"), ACCESS), bad)
        with pytest.raises(errors.UpstreamUnavailable, match="incorrect id format"):
            converse(arxiv.papers(OWLS, ACCESS), bad)


@pytest.mark.parametrize(
    ("entry", "withdrawn"),
    [
        ({"comment": "This paper has been withdrawn by the author due to an error"}, True),
        ({"comment": "Withdrawn"}, True),
        ({"summary": "This submission has been withdrawn because of a crucial sign error."}, True),
        ({"comment": "12 pages; replaces a withdrawn draft of 2010"}, False),
        ({"summary": "We study why investors withdraw money. Funds are withdrawn daily."}, False),
    ],
)
def test_withdrawals(entry: dict[str, str], withdrawn: bool) -> None:
    _, paper = converse(arxiv.record(PaperId("arxiv", "2001.00001"), ACCESS), feed(entry))
    expected = Integrity(kind="retraction", retracted=True, source="arxiv", date="2021-03-04") if withdrawn else None
    assert paper.retraction == expected
    assert (paper.title, paper.ids.arxiv) == ("Owls and $x$", "2001.00001")


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply("Rate exceeded.", 429), errors.RateLimited),
        (reply("busy", 503, retry_after="5"), errors.UpstreamUnavailable),
        (reply("<html><body></body></html>"), errors.UpstreamChanged),
        (reply("<html>no"), errors.UpstreamChanged),
        (reply("<feed/>"), errors.UpstreamChanged),
        (feed(total=3), errors.UpstreamChanged),
        (feed(inner="<entry/>", total=1), errors.UpstreamChanged),
        (Reply(400, {}, feed().body), errors.UpstreamUnavailable),
    ],
)
def test_failures_are_told_apart(failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    for steps in (arxiv.papers(OWLS, ACCESS), arxiv.record(PaperId("arxiv", "2001.00001"), ACCESS)):
        with pytest.raises(kind) as caught:
            converse(steps, failure)
        assert type(caught.value) is kind


def test_another_paper_is_not_handed_on() -> None:
    with pytest.raises(errors.UpstreamChanged):
        converse(arxiv.record(PaperId("arxiv", "2002.00002"), ACCESS), feed({}))


def test_what_is_not_sent() -> None:
    for steps in (
        arxiv.papers(PaperQuery(text='" " ()'), ACCESS),
        arxiv.record(PaperId("pmid", "1"), ACCESS),
        arxiv.record(PaperId("doi", "10.1000/x"), ACCESS),
    ):
        with pytest.raises(errors.BadInput):
            first_request(steps)
