"""PubMed's answers: numbers in JSON, then records in XML."""

from __future__ import annotations

from html import escape

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.literature import TOTAL, Work, works
from tests.loopback.upstream import Upstream, whole_number

known: dict[str, Work] = {}


def number_of(work: Work) -> str:
    number = str(10_000_000 + work.number % 80_000_000)
    known[number] = work
    return number


async def search(request: Request) -> Response:
    text = request.query_params.get("term", "").partition(" AND ")[0]
    found = works(text, TOTAL)
    numbers = [number_of(work) for work in found][: whole_number(request.query_params.get("retmax"), 20)]
    result = {"count": str(len(found)), "retmax": str(len(numbers)), "retstart": "0", "idlist": numbers}
    return JSONResponse({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})


def record(number: str, work: Work) -> str:
    people = "".join(
        f"<Author><LastName>{last}</LastName><ForeName>{first}</ForeName></Author>" for first, last in work.authors
    )
    kinds = "<PublicationType>Journal Article</PublicationType>"
    if work.is_retracted:
        kinds += "<PublicationType>Retracted Publication</PublicationType>"
    return (
        f"<PubmedArticle><MedlineCitation><PMID Version='1'>{number}</PMID><Article><Journal><JournalIssue>"
        f"<PubDate><Year>{work.year}</Year></PubDate></JournalIssue><Title>Tests</Title></Journal>"
        f"<ArticleTitle>{escape(work.title)}.</ArticleTitle><Abstract><AbstractText>{escape(work.abstract)}</AbstractText>"
        f"</Abstract><AuthorList>{people}</AuthorList><PublicationTypeList>{kinds}</PublicationTypeList></Article>"
        f"</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType='pubmed'>{number}</ArticleId>"
        f"<ArticleId IdType='doi'>{escape(work.doi)}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>"
    )


async def fetch(request: Request) -> Response:
    numbers = request.query_params.get("id", "").split(",")
    rows = "".join(record(number, known[number]) for number in numbers if number in known)
    return Response(f"<?xml version='1.0'?><PubmedArticleSet>{rows}</PubmedArticleSet>", media_type="text/xml")


UPSTREAM = Upstream(
    prefix="/pubmed",
    environment={"PUBMED_BASE_URL": "{base}/pubmed"},
    routes=[Route("/entrez/eutils/esearch.fcgi", search), Route("/entrez/eutils/efetch.fcgi", fetch)],
)
