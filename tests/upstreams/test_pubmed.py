"""PubMed: two requests for a search, marks of retraction, and errors with HTTP 200."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import pubmed
from wellsourced.upstreams.types.paper import Author, Integrity, PaperId, PaperQuery

ACCESS = Access({})
OWLS = PaperQuery(text="owls")
PLAIN = {
    **{"db": "pubmed", "term": "owls", "retmode": "json", "retmax": "5", "sort": "relevance"},
    "tool": "wellsourced",
}
RECORD = (
    '<PubmedArticle><MedlineCitation><PMID Version="1">{number}</PMID><Article><Journal><JournalIssue><PubDate>{date}'
    "</PubDate></JournalIssue></Journal><ArticleTitle>{title}</ArticleTitle>{inner}</Article>{marks}</MedlineCitation>"
    '<PubmedData><ArticleIdList><ArticleId IdType="pubmed">{number}</ArticleId>{ids}</ArticleIdList>'
    '<ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.1000/cited</ArticleId>'
    '<ArticleId IdType="pmc">PMC999</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData>'
    "</PubmedArticle>"
)
EMPTY = {"date": "<Year>2020</Year>", "title": "T.", "inner": "", "marks": "", "ids": ""}


def numbers(*found: str, count: int | None = None, **more: Any) -> Reply:
    result = {"count": str(len(found) if count is None else count), "idlist": list(found), **more}
    return reply({"header": {"type": "esearch"}, "esearchresult": result})


def records(*parts: dict[str, str]) -> Reply:
    inner = "".join(RECORD.format(**{"number": str(place), **EMPTY, **part}) for place, part in enumerate(parts, 1))
    doctype = '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.invalid/pubmed.dtd">'
    return reply(f'<?xml version="1.0" ?>{doctype}<PubmedArticleSet>{inner}</PubmedArticleSet>')


@pytest.mark.parametrize(
    ("asked", "sent", "missing"),
    [
        ({}, {}, set()),
        ({"count": 500}, {"retmax": "100"}, set()),
        ({"sort_by": "date"}, {"sort": "pub_date"}, set()),
        ({"year_from": 2019, "year_to": 2020}, {"datetype": "pdat", "mindate": "2019", "maxdate": "2020"}, set()),
        ({"year_to": 2020}, {"datetype": "pdat", "mindate": "1500", "maxdate": "2020"}, set()),
        ({"full_text": True}, {"term": '(owls) AND "pubmed pmc"[sb]'}, set()),
        (
            {"full_text": True, "text": "owls -barn"},
            {"term": '(owls) AND "pubmed pmc"[sb] NOT "barn"'},
            set(),
        ),
        ({"open_access": True}, {"term": '(owls) AND "free full text"[sb]'}, set()),
        ({"pdf_only": True}, {"term": '(owls) AND "free full text"[sb]'}, {"pdf_only"}),
        ({"source": "pubmed"}, {}, set()),
        ({"source": "ieee"}, {}, {"source"}),
    ],
)
def test_requests(asked: dict[str, Any], sent: dict[str, str], missing: set[str]) -> None:
    (request,), found = converse(pubmed.papers(PaperQuery(**{"text": "owls", **asked}), ACCESS), numbers())
    assert (request.path, dict(request.params)) == ("/entrez/eutils/esearch.fcgi", {**PLAIN, **sent})
    assert (found.items, found.not_applied) == ((), frozenset(missing))


def test_identity_and_the_second_request() -> None:
    access = Access({"PUBMED_API_KEY": "k", "PUBMED_EMAIL": "me@a.example"})
    requests, found = converse(pubmed.papers(OWLS, access), numbers("2", "1"), records({}, {}))
    assert requests[1].path == "/entrez/eutils/efetch.fcgi"
    own = {"tool": "wellsourced", "email": "me@a.example", "api_key": "k"}
    assert dict(requests[1].params) == {"db": "pubmed", "id": "2,1", "retmode": "xml", **own}
    assert dict(requests[0].params) == {**PLAIN, **own}
    assert [paper.ids.pmid for paper in found.items] == ["2", "1"]
    shared_contact = first_request(pubmed.papers(OWLS, Access({"OPENALEX_EMAIL": "we@a.example"})))
    assert dict(shared_contact.params)["email"] == "we@a.example"


def test_recorded_search(shared: Path) -> None:
    search, fetch = "pubmed/esearch-attention.json", "pubmed/efetch-attention-3-records.xml"
    _, found = converse(pubmed.papers(OWLS, ACCESS), recorded(shared, search), recorded(shared, fetch))
    first = found.items[0]
    assert [paper.ids.pmid for paper in found.items] == ["41884867", "41884779", "41884685"]
    assert (first.doi, first.ids.pmcid, first.open_access) == ("10.1162/imag.a.1176", "PMC13010356", True)
    assert first.title.startswith("Neural dynamics of visuospatial endogenous attention")
    assert first.author_names[0] == Author(family="Parisi", given="Giorgia")
    assert all(paper.abstract and paper.year == 2026 for paper in found.items)
    assert (found.more_available, found.notes) == (True, ())
    few = recorded(shared, "pubmed/esearch-pten-d326n.json")
    _, found = converse(pubmed.papers(OWLS, ACCESS), few, records({"number": "17427195"}, {"number": "32150788"}))
    assert ([paper.ids.pmid for paper in found.items], found.more_available) == (["32150788", "17427195"], False)


def test_dropped_phrases_are_told(shared: Path) -> None:
    search, fetch = "pubmed/esearch-apc-phrase-dropped.json", "pubmed/efetch-attention-3-records.xml"
    _, found = converse(pubmed.papers(OWLS, ACCESS), recorded(shared, search), recorded(shared, fetch))
    assert found.notes == ("PubMed does not know “p.E1317Q” and searched for the rest alone.",)
    warnings = {"quotedphrasesnotfound": ['"a b"'], "outputmessages": ["No items found.", "Odd thing."]}
    lost: dict[str, Any] = {"errorlist": {"phrasesnotfound": ['"pubmed pmc"[sb]']}, "warninglist": warnings}
    query = PaperQuery(text="owls", full_text=True)
    _, found = converse(pubmed.papers(query, ACCESS), numbers(**lost))
    assert (found.items, found.not_applied) == ((), frozenset({"full_text"}))
    assert found.notes[1:] == ("PubMed says: Odd thing.",)
    assert '“"a b"”' in found.notes[0]


@pytest.mark.parametrize(
    ("file", "number", "expected"),
    [
        (
            "efetch-comments-corrections-35649368",
            "35649368",
            {
                "doi": "10.1016/j.celrep.2022.110870",
                "journal": "Cell reports",
                "date": "2022-05-31",
                "pages": "110870",
                "retraction": Integrity(
                    kind="correction",
                    retracted=False,
                    source="pubmed",
                    date="2022-06-28",
                    notice_doi="10.1016/j.celrep.2022.111044",
                ),
            },
        ),
        (
            "efetch-1979-219391",
            "219391",
            {
                "title": "The fine structure of blood cells in ceroid-lipofuscinosis (Spielmeyer-Vogt's disease)",
                "doi": "10.1055/s-0028-1085314",
                "date": "1979-02",
                "volume": "10",
                "issue": "1",
                "retraction": None,
            },
        ),
        ("efetch-1970s-no-abstract-219391", "219391", {"year": 1979, "type": "journal-article"}),
        (
            "efetch-markup-in-title",
            "29872490",
            {
                "title": "Genome-wide significant risk factors on chromosome 19 and the APOE locus",
                "doi": "10.18632/oncotarget.25083",
                "volume": "9",
            },
        ),
        (
            "efetch-pubmed-book",
            "21413195",
            {
                "title": "Rheumatoid Arthritis: National Clinical Guideline for Management and Treatment in Adults",
                "isbn": "9781860163593",
                "publisher": "Royal College of Physicians (UK)",
                "type": "book",
                "date": "2009-02",
                "url": "https://pubmed.ncbi.nlm.nih.gov/21413195/",
            },
        ),
        (
            "documented-retraction-markers",
            "9500320",
            {"retraction": Integrity(kind="retraction", retracted=True, source="pubmed", date="2010-02-06")},
        ),
    ],
)
def test_recorded_records(shared: Path, file: str, number: str, expected: dict[str, Any]) -> None:
    steps = pubmed.record(PaperId("pmid", number), ACCESS)
    (request,), paper = converse(steps, recorded(shared, f"pubmed/{file}.xml"))
    assert dict(request.params)["id"] == number
    assert paper.ids.pmid == number
    assert {name: getattr(paper, name) for name in expected} == expected


def test_ids_are_the_articles_own_and_not_those_of_what_it_cites(shared: Path) -> None:
    _, paper = converse(pubmed.record(PaperId("pmid", "1"), ACCESS), records({}))
    assert (paper.doi, paper.ids.pmcid, paper.open_access) == (None, None, None)
    steps = pubmed.record(PaperId("pmid", "29872490"), ACCESS)
    _, paper = converse(steps, recorded(shared, "pubmed/efetch-markup-in-title.xml"))
    assert paper.ids.pmcid == "PMC5973862"


# Every reference type that the registry's schema has.
AGAINST = {
    **dict.fromkeys(("RetractionIn", "PartialRetractionIn", "RetractedandRepublishedIn"), "retraction"),
    **dict.fromkeys(("ExpressionOfConcernIn", "ExpressionOfConcernIn ErratumIn"), "expression_of_concern"),
    **dict.fromkeys(("ErratumIn", "CorrectedandRepublishedIn"), "correction"),
}
NOTICES = ("RetractionOf", "PartialRetractionOf", "ExpressionOfConcernFor", "ErratumFor")
HARMLESS = (
    "CorrectedandRepublishedFrom", "RetractedandRepublishedFrom", "CommentIn", "CommentOn", "UpdateIn", "UpdateOf",
    "AssociatedDataset", "AssociatedPublication", "OriginalReportIn", "ReprintIn", "ReprintOf", "RepublishedIn",
    "RepublishedFrom", "SummaryForPatientsIn",
)  # fmt: skip


@pytest.mark.parametrize("types", [*AGAINST, *NOTICES, *HARMLESS])
def test_marks(types: str) -> None:
    source = "<RefSource>J Owls. 2001. doi: 10.1000/other</RefSource>"
    marks = "".join(f'<CommentsCorrections RefType="{each}">{source}</CommentsCorrections>' for each in types.split())
    wrapped = f"<CommentsCorrectionsList>{marks}</CommentsCorrectionsList>"
    _, paper = converse(pubmed.record(PaperId("pmid", "1"), ACCESS), records({"marks": wrapped}))
    assert (paper.retraction and paper.retraction.kind) == AGAINST.get(types)
    assert paper.notice_for == (("10.1000/other",) if types in NOTICES else ())


@pytest.mark.parametrize(
    ("kind", "type_", "retracted"),
    [("Retracted Publication", None, True), ("Retraction of Publication", "retraction-notice", False)],
)
def test_publication_types(kind: str, type_: str | None, retracted: bool) -> None:
    inner = f"<PublicationTypeList><PublicationType>{kind}</PublicationType></PublicationTypeList>"
    marks = '<CommentsCorrectionsList><CommentsCorrections RefType="ErratumIn"/></CommentsCorrectionsList>'
    _, paper = converse(pubmed.record(PaperId("pmid", "1"), ACCESS), records({"inner": inner, "marks": marks}))
    assert paper.type == type_
    assert paper.retraction is not None
    assert paper.retraction.retracted is retracted


def test_titles_and_dates() -> None:
    given = {"title": "[Les <i>chouettes</i> du nord].", "date": "<MedlineDate>1998 Dec-1999 Jan</MedlineDate>"}
    parts = '<Abstract><AbstractText Label="AIM">A.</AbstractText><AbstractText>B.</AbstractText></Abstract>'
    _, paper = converse(pubmed.record(PaperId("pmid", "1"), ACCESS), records({**given, "inner": parts}))
    assert (paper.title, paper.date, paper.year) == ("Les chouettes du nord", "1998-12", 1998)
    assert paper.abstract == "AIM: A. B."
    season = records({"date": "<MedlineDate>Winter 1999</MedlineDate>"})
    assert converse(pubmed.record(PaperId("pmid", "1"), ACCESS), season)[1].year == 1999


def test_a_record_by_doi_must_be_that_doi() -> None:
    ids = '<ArticleId IdType="doi">10.1000/Owls</ArticleId>'
    steps = pubmed.record(PaperId("doi", "10.1000/OWLS"), ACCESS)
    requests, paper = converse(steps, numbers("1"), records({"ids": ids}))
    assert dict(requests[0].params)["term"] == '"10.1000/owls"[doi]'
    assert paper.doi == "10.1000/owls"
    for answers in ((numbers(),), (numbers("1"), records({}))):
        with pytest.raises(errors.NotFound):
            converse(pubmed.record(PaperId("doi", "10.1000/owls"), ACCESS), *answers)


def test_no_record(shared: Path) -> None:
    with pytest.raises(errors.NotFound):
        converse(pubmed.record(PaperId("pmid", "37909814"), ACCESS), recorded(shared, "pubmed/efetch-empty-set.xml"))
    with pytest.raises(errors.UpstreamChanged):
        converse(pubmed.papers(OWLS, ACCESS), numbers("1"), recorded(shared, "pubmed/efetch-empty-set.xml"))


def test_recorded_failures(shared: Path) -> None:
    with pytest.raises(errors.UpstreamUnavailable, match="Empty term"):
        converse(pubmed.papers(OWLS, ACCESS), recorded(shared, "pubmed/esearch-error-empty-term.json"))
    for status in (200, 429):
        limited = recorded(shared, "pubmed/error-429-rate-limit.json", status)
        with pytest.raises(errors.RateLimited) as caught:
            converse(pubmed.papers(OWLS, ACCESS), limited)
        assert "capture-host" not in str(caught.value) + str(caught.value.detail)
        with pytest.raises(errors.RateLimited):
            converse(pubmed.papers(OWLS, ACCESS), numbers("1"), limited)
    for file in ("esearch-old-xml.xml", "esearch-phrase-not-found.xml"):
        with pytest.raises(errors.UpstreamChanged):
            converse(pubmed.papers(OWLS, ACCESS), recorded(shared, f"pubmed/{file}"))


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply({"error": "API key invalid", "api-key": "secret"}, 400), errors.KeyRejected),
        (reply({"error": "Search Backend failed"}), errors.UpstreamUnavailable),
        (reply("<html>", 404), errors.UpstreamChanged),
        (reply("<html>", 502), errors.UpstreamUnavailable),
        (reply("<html>"), errors.UpstreamChanged),
        (reply("", 429, retry_after="9"), errors.RateLimited),
        (numbers(count=3), errors.UpstreamChanged),
        (numbers("x"), errors.UpstreamChanged),
        (numbers(count=1, idlist="7"), errors.UpstreamChanged),
    ],
)
def test_failures_are_told_apart(failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(pubmed.papers(OWLS, ACCESS), failure)
    assert type(caught.value) is kind
    assert "secret" not in f"{caught.value}{caught.value.detail}"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<eFetchResult><ERROR>Cannot retrieve</ERROR></eFetchResult>", errors.UpstreamUnavailable),
        ("<html></html>", errors.UpstreamChanged),
        ("<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>", errors.UpstreamChanged),
        ("<PubmedArticleSet>", errors.UpstreamChanged),
        ('<!DOCTYPE a [<!ENTITY x "y">]><PubmedArticleSet>&x;</PubmedArticleSet>', errors.UpstreamChanged),
    ],
)
def test_records_that_are_none(body: str, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(pubmed.papers(OWLS, ACCESS), numbers("1"), reply(body))
    assert type(caught.value) is kind


def test_what_is_not_sent() -> None:
    for steps in (
        pubmed.papers(PaperQuery(text=" "), ACCESS),
        pubmed.record(PaperId("arxiv", "1605.08386"), ACCESS),
        pubmed.record(PaperId("pmid", "1 OR 2"), ACCESS),
        pubmed.record(PaperId("doi", "owls"), ACCESS),
    ):
        with pytest.raises(errors.BadInput):
            first_request(steps)
