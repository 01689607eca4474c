"""Scholarly answers that are damaged: an error, never a silent nothing. And which recorded answers are read at all.

`KeyError` and its kind count as errors: the upstream client reports them as an upstream that changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.upstreams.conversation import converse, reply
from tests.upstreams.recorded import recorded
from tests.upstreams.test_broken_answers import GONE, JSON, damaged, places
from wellsourced.errors import NotFound, UpstreamChanged, WellsourcedError
from wellsourced.http_exchange import Steps
from wellsourced.upstream import Access, Kind
from wellsourced.upstreams import arxiv, crossref, doi_org, openalex, pubmed, semanticscholar, unpaywall
from wellsourced.upstreams.types.paper import (
    EdgeQuery,
    Edges,
    Integrity,
    OpenCopy,
    Paper,
    PaperId,
    PaperQuery,
    Registration,
)
from wellsourced.upstreams.types.search import ResultSet

EXPECTED = (WellsourcedError, KeyError, TypeError, ValueError, IndexError, AttributeError)
ACCESS = Access({"UNPAYWALL_EMAIL": "me@a.example"})
OWLS = PaperQuery(text="owls")
X = PaperId("doi", "10.1000/x")
MODULES = (arxiv, crossref, doi_org, openalex, pubmed, semanticscholar, unpaywall)

UNREAD = {
    "openalex/documented-group-by.json": "counts by group are never asked for",
    "openalex/work-select-open-access-doi.json": "so few fields are never selected",
    "openalex/work-select-open-access-green.json": "so few fields are never selected",
    "crossref/agency-crossref.json": "doi.org is asked for the agency, for any agency's DOI",
    "crossref/agency-datacite.json": "doi.org is asked for the agency, for any agency's DOI",
    "crossref/transform-bibtex-aip.bib": "records are read as CSL-JSON, never as BibTeX",
    "crossref/transform-bibtex-colon-doi.bib": "records are read as CSL-JSON, never as BibTeX",
    "crossref/transform-style-apa.txt": "citations are formatted here",
    "crossref/works-title-search-retracted-no-signal.json": "read below: `select` is never sent",
    "pubmed/documented-esummary-pubmed.json": "records are read from efetch, which has abstracts",
    "pubmed/esummary-pmc-ecology.json": "records are read from efetch, which has abstracts",
    "semanticscholar/snippet-search.json": "excerpts are never asked for",
    "semanticscholar/paper-search-open-access-pdf.json": "read below: titles are always asked for",
    "semanticscholar/paper-search-turing-1936.json": "read below: titles are always asked for",
    "unpaywall/search-copper.json": "copies are asked for by DOI, never by title",
    "unpaywall/search-empty.json": "copies are asked for by DOI, never by title",
    "datacite/dois-list.json": "DataCite's records come by way of doi.org",
    "datacite/content-negotiation-apa-html.txt": "citations are formatted here",
}


def test_every_recorded_answer_is_read_or_excused(shared: Path) -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    folders = {"openalex", "crossref", "pubmed", "semanticscholar", "arxiv", "unpaywall", "datacite"}
    files = {
        f"{folder}/{path.name}"
        for folder in folders
        for path in (shared / "wire" / folder).iterdir()
        if path.name != "PROVENANCE.md"
    }
    assert set(UNREAD) <= files
    for file in files - set(UNREAD):
        stem = file.partition("/")[2].rpartition(".")[0].removeprefix("works-")
        assert stem in tests, f"no test reads {file}"


def test_answers_to_other_questions_are_not_taken_for_ours(shared: Path) -> None:
    for file in UNREAD:
        if file.startswith("openalex/"):
            with pytest.raises(EXPECTED):
                converse(openalex.papers(OWLS, ACCESS), recorded(shared, file))
        if file.startswith("semanticscholar/"):
            with pytest.raises(EXPECTED):
                converse(semanticscholar.papers(OWLS, ACCESS), recorded(shared, file))
        if file.startswith(("unpaywall/", "pubmed/")):
            with pytest.raises(EXPECTED):
                converse(unpaywall.open_copy("10.1000/x", ACCESS), recorded(shared, file))
    for file in ("crossref/agency-crossref.json", "crossref/agency-datacite.json"):
        with pytest.raises(EXPECTED):
            converse(crossref.integrity("10.5284/1011335", ACCESS), recorded(shared, file))


def test_a_list_without_a_signal_says_nothing_of_retraction(shared: Path) -> None:
    answer = recorded(shared, "crossref/works-title-search-retracted-no-signal.json")
    (request,), found = converse(crossref.papers(OWLS, ACCESS), answer)
    assert (found.items[0].doi, found.items[0].retraction) == ("10.1155/2022/8341966", None)
    assert "select" not in dict(request.params)


WORK = {
    "id": "https://openalex.org/W1",
    "doi": "https://doi.org/10.1000/x",
    "display_name": "T",
    "is_retracted": True,
    "type": "article",
    "publication_year": 2020,
    "publication_date": "2020-01-02",
    "cited_by_count": 3,
    "ids": {"pmid": "https://pubmed.example/1", "pmcid": "https://pmc.example/2"},
    "authorships": [{"author": {"display_name": "A"}, "raw_author_name": "B"}],
    "primary_location": {
        "source": {"display_name": "J", "host_organization_name": "P"},
        "landing_page_url": "https://l/",
    },
    "best_oa_location": {"pdf_url": "https://p.example/", "landing_page_url": "https://arxiv.org/abs/1605.08386"},
    "open_access": {"is_oa": True, "oa_url": "https://o.example/x.pdf"},
    "biblio": {"volume": "1", "issue": "2", "first_page": "3", "last_page": "4"},
    "abstract_inverted_index": {"a": [0, 2], "b": [1]},
    "referenced_works": ["https://openalex.org/W2"],
    "referenced_works_count": 1,
}
WORKS = {"meta": {"count": 1}, "results": [WORK]}
UPDATE = {"DOI": "10.1000/n", "type": "retraction", "source": "publisher", "updated": {"date-parts": [[2020, 1, 2]]}}
ITEM = {
    "DOI": "10.1000/x",
    "title": ["T"],
    "author": [{"given": "G", "family": "F"}, {"name": "N"}],
    "issued": {"date-parts": [[2020, 1, 2]]},
    "container-title": ["J"],
    "institution": [{"name": "I"}],
    "type": "journal-article",
    "abstract": "<jats:p>A</jats:p>",
    "is-referenced-by-count": 1,
    "license": [{"URL": "https://creativecommons.org/"}],
    "link": [{"URL": "https://p.example/", "content-type": "application/pdf"}],
    "updated-by": [UPDATE],
    "update-to": [UPDATE],
    "volume": "1",
    "page": "2",
    "publisher": "P",
    "ISBN": ["9781860163593"],
}
PAPER = {
    "paperId": "a1",
    "title": "T",
    "externalIds": {"DOI": "10.1000/X", "ArXiv": "1605.08386", "PubMed": "1", "PubMedCentral": "2"},
    "url": "https://u.example/",
    "venue": "V",
    "year": 2020,
    "authors": [{"name": "A"}],
    "openAccessPdf": {"url": "https://p.example/"},
    "isOpenAccess": True,
    "publicationTypes": ["Review"],
    "publicationDate": "2020-01-02",
    "journal": {"name": "J", "volume": "1", "pages": "2 - 3"},
    "tldr": {"text": "S"},
    "abstract": "A",
    "citationCount": 1,
    "referenceCount": 1,
}
EDGE = {"isInfluential": True, "intents": ["background"], "contexts": ["c"]}
COPY = {
    "doi": "10.1000/x",
    "is_oa": True,
    "oa_status": "gold",
    "best_oa_location": {"url_for_pdf": "https://p.example/", "url": "https://u.example/", "license": "cc-by"},
    "oa_locations": [{"url_for_pdf": "https://q.example/"}],
}
CSL = {**ITEM, "title": "T", "container-title": "J", "author": [{"literal": "L"}, {"given": "G", "family": "F"}]}
SEARCHED = {"header": {}, "esearchresult": {"count": "1", "idlist": ["1"], "errorlist": {"phrasesnotfound": ["p"]}}}
HANDLE = {"responseCode": 1, "values": [{"type": "URL", "data": {"value": "https://u.example/"}}]}
CITATION = "<MedlineCitation><PMID>1</PMID></MedlineCitation>"
FETCHED = f"<PubmedArticleSet><PubmedArticle>{CITATION}</PubmedArticle></PubmedArticleSet>"
ENTRY = "<entry><id>http://arxiv.org/abs/1605.08386v1</id><title>T</title></entry>"
ATOM = f"<feed><totalResults>1</totalResults>{ENTRY}</feed>"


def crossref_one(item: object) -> dict[str, Any]:
    return {"status": "ok", "message-type": "work", "message": item}


CROSSREF_LIST = {"status": "ok", "message-type": "work-list", "message": {"total-results": 1, "items": [ITEM]}}

Asking = tuple[Callable[[], Steps[Any]], list[Any], int]
SMALL: dict[str, Asking] = {
    "openalex.papers": (lambda: openalex.papers(OWLS, ACCESS), [WORKS], 0),
    "openalex.record": (lambda: openalex.record(X, ACCESS), [WORK], 0),
    "openalex.records": (lambda: openalex.records(["10.1000/x"], ACCESS), [WORKS], 0),
    "openalex.citations": (lambda: openalex.citations(EdgeQuery(seed="10.1000/x"), ACCESS), [WORK, WORKS, WORKS], 0),
    "openalex.citations/2": (lambda: openalex.citations(EdgeQuery(seed="T"), ACCESS), [WORKS, WORKS, WORKS], 1),
    "crossref.papers": (lambda: crossref.papers(OWLS, ACCESS), [CROSSREF_LIST], 0),
    "crossref.record": (lambda: crossref.record(X, ACCESS), [crossref_one(ITEM)], 0),
    "crossref.records": (lambda: crossref.records(["10.1000/x"], ACCESS), [CROSSREF_LIST], 0),
    "crossref.integrity": (lambda: crossref.integrity("10.1000/x", ACCESS), [crossref_one(ITEM)], 0),
    "semanticscholar.papers": (lambda: semanticscholar.papers(OWLS, ACCESS), [{"total": 1, "data": [PAPER]}], 0),
    "semanticscholar.record": (lambda: semanticscholar.record(X, ACCESS), [PAPER], 0),
    "semanticscholar.citations": (
        lambda: semanticscholar.citations(EdgeQuery(seed="10.1000/x"), ACCESS),
        [PAPER, {"data": [{**EDGE, "citingPaper": PAPER}]}, {"data": [{**EDGE, "citedPaper": PAPER}]}],
        1,
    ),
    "unpaywall.open_copy": (lambda: unpaywall.open_copy("10.1000/x", ACCESS), [COPY], 0),
    "doi_org.record": (lambda: doi_org.record(X, ACCESS), [CSL], 0),
    "doi_org.registration": (lambda: doi_org.registration("10.1000/x", ACCESS), [HANDLE, [{"RA": "Crossref"}]], 0),
    "pubmed.papers": (lambda: pubmed.papers(OWLS, ACCESS), [SEARCHED, FETCHED], 0),
    "pubmed.record": (lambda: pubmed.record(PaperId("pmid", "1"), ACCESS), [FETCHED], -1),
    "pubmed.records": (lambda: pubmed.records(["1"], ACCESS), [FETCHED], -1),
    "arxiv.papers": (lambda: arxiv.papers(OWLS, ACCESS), [ATOM], -1),
    "arxiv.record": (lambda: arxiv.record(PaperId("arxiv", "1605.08386"), ACCESS), [ATOM], -1),
    "arxiv.records": (lambda: arxiv.records(["1605.08386"], ACCESS), [ATOM], -1),
}
TARGETS = [(name, path) for name, (_, bodies, at) in SMALL.items() if at >= 0 for path in places(bodies[at])]


def ask(name: str, *bodies: object) -> Any:
    """The result; a conversation may need fewer answers than there are."""
    steps = SMALL[name][0]()
    next(steps)
    try:
        for body in bodies:
            steps.send(reply(body))
    except StopIteration as done:
        return done.value
    raise AssertionError(f"{name} wants a further answer")


def test_everything_offered_is_tried() -> None:
    offered = {f"{m.PROVIDER.name}.{kind.value}" for m in MODULES for kind in Kind if hasattr(m, kind.value)}
    assert offered == {name.partition("/")[0] for name in SMALL}


def two(row: object) -> dict[str, Any]:
    """An answer's rows after one that cannot be read; numbers of rows come as text at times."""
    return {"meta": {"count": "2"}, "total": "2", "results": [{}, row], "data": [{}, row]}


ONE_BAD: dict[str, list[object]] = {
    "openalex.papers": [two(WORK)],
    "openalex.records": [two(WORK)],
    "openalex.citations": [WORK, two(WORK), two(WORK)],
    "crossref.papers": [{**CROSSREF_LIST, "message": {"total-results": "2", "items": [{}, ITEM]}}],
    "crossref.records": [{**CROSSREF_LIST, "message": {"total-results": 2, "items": [None, ITEM]}}],
    "semanticscholar.papers": [two(PAPER)],
    "semanticscholar.citations": [
        *(PAPER, two({**EDGE, "citingPaper": PAPER})),
        two({**EDGE, "citedPaper": PAPER}),
    ],
    "pubmed.papers": [SEARCHED, FETCHED.replace("<PubmedArticle>", "<PubmedArticle/><PubmedArticle>")],
    "arxiv.papers": [ATOM.replace("<entry>", "<entry/><entry>")],
}


@pytest.mark.parametrize("name", ONE_BAD)
def test_one_bad_row_costs_that_row(name: str) -> None:
    found = papers_of(ask(name, *ONE_BAD[name]))
    assert len(found) == len(papers_of(ask(name, *SMALL[name][1])))


def is_well_typed(paper: Paper) -> bool:
    texts = [
        paper.title,
        paper.url,
        paper.source,
        *paper.authors,
        *paper.intents,
        *(a.name for a in paper.author_names),
    ]
    maybe = [paper.doi, paper.journal, paper.date, paper.type, paper.abstract, paper.pdf_url, paper.tldr, paper.volume]
    maybe += [paper.issue, paper.pages, paper.publisher, paper.isbn, paper.ids.arxiv, paper.ids.pmid, paper.ids.s2]
    numbers, truths = [paper.year, paper.citation_count], [paper.open_access, paper.is_influential]
    return (
        all(isinstance(text, str) and text for text in texts)
        and all(text is None or (isinstance(text, str) and text) for text in maybe)
        and all(number is None or type(number) is int for number in numbers)
        and all(truth is None or type(truth) is bool for truth in truths)
        and (paper.retraction is None or isinstance(paper.retraction, Integrity))
    )


def papers_of(result: Any) -> list[Paper]:
    match result:
        case ResultSet(items=items):
            return list(items)
        case Edges(seed=seed, cited_by=cited_by, references=references):
            return [seed, *(cited_by or ()), *(references or ())]
        case Paper():
            return [result]
        case tuple():
            return list(result)
    assert result is None or isinstance(result, (Integrity, OpenCopy, Registration))
    return []


@pytest.mark.parametrize("name", SMALL)
def test_the_small_answers_are_understood(name: str) -> None:
    result = ask(name, *SMALL[name][1])
    assert result is not None
    assert all(is_well_typed(paper) for paper in papers_of(result))
    assert not isinstance(result, ResultSet) or result.items


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(TARGETS), JSON | st.just(GONE))
def test_any_damage_is_an_error_or_an_answer_never_a_silent_nothing(
    target: tuple[str, tuple[Any, ...]], value: object
) -> None:
    name, path = target
    _, bodies, at = SMALL[name]
    bodies = [*bodies[:at], damaged(bodies[at], path, value), *bodies[at + 1 :]]
    try:
        result = ask(name, *bodies)
    except EXPECTED:
        return
    assert all(is_well_typed(paper) for paper in papers_of(result))
    emptied = value in ([], "0", 0) or (value is GONE and isinstance(path[-1], int))
    assert not isinstance(result, ResultSet) or result.items or emptied, f"{name} read {bodies[at]} as nothing found"


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(SMALL)), JSON)
def test_answers_of_any_other_shape(name: str, body: object) -> None:
    for sent in (body, {"unexpected": body}):
        with pytest.raises(EXPECTED):
            ask(name, sent)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(SMALL)), st.integers(400, 599), JSON | st.binary(max_size=40))
def test_error_answers_of_any_shape(name: str, status: int, body: object) -> None:
    keys = ("error", "message", "esearchresult", "status")
    for sent in (body, *({key: body} for key in keys if not isinstance(body, bytes))):
        with pytest.raises(WellsourcedError):
            converse(SMALL[name][0](), reply(sent, status))


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(("pubmed.papers", "pubmed.record", "arxiv.papers", "arxiv.record")), st.data())
def test_damaged_xml(name: str, data: st.DataObject) -> None:
    *before, text = SMALL[name][1]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 60)))
    cut = text[:start] + data.draw(st.sampled_from(("", "x", "<b/>", "&amp;"))) + text[end:]
    try:
        result = ask(name, *before, cut)
    except EXPECTED:
        return
    assert all(is_well_typed(paper) for paper in papers_of(result))
    assert papers_of(result) or "<totalResults>0" in cut


@pytest.mark.parametrize("module", [openalex, crossref, semanticscholar, pubmed])
def test_a_pause_that_is_asked_for_in_words_of_their_own_is_kept(module: Any) -> None:
    busy = reply({"error": "busy", "message": "busy"}, 503, retry_after="7")
    with pytest.raises(WellsourcedError) as refused:
        converse(module.papers(OWLS, ACCESS), busy)
    assert refused.value.retry_after == 7


def test_a_title_without_any_match_is_nothing_found() -> None:
    with pytest.raises(NotFound):
        converse(semanticscholar.citations(EdgeQuery(seed="A title nobody gave"), ACCESS), reply({"data": []}))


def test_a_count_beyond_all_bounds_is_no_crash() -> None:
    with pytest.raises(UpstreamChanged):
        converse(pubmed.papers(OWLS, ACCESS), reply({"esearchresult": {"count": float("inf"), "idlist": []}}))
