"""OpenAIRE Graph: research products of Europe's repositories and journals, linked.

API: graph.openaire.eu/docs/apis · Key: none, sixty requests an hour. Most fields can be null. Data under CC BY.
Recorded 2026, and in 2023 the interface before it, whose answers are read too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellsourced.errors import UpstreamChanged
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.text.identifiers import doi_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.database_query import without_unwanted
from wellsourced.upstreams.helpers.json_fields import (
    as_object,
    as_text,
    as_web_address,
    as_year,
    first_text,
    iso_from_text,
    number_or_text,
    objects_in,
)
from wellsourced.upstreams.helpers.paper_fields import authors_of, doi_or_none, object_or_refusal, paper_results
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.types.paper import Paper, PaperIds, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="openaire",
    title="OpenAIRE",
    bases={"": "https://api.openaire.eu"},
    pace=Pace(1, 2.0),
    timeout=20,
    preference=69,
    automatic=False,
    good_at=("paper", "dataset"),
    about="Papers, datasets and software of European repositories; sixty questions an hour.",
    attribution="OpenAIRE Graph, CC BY 4.0 (graph.openaire.eu).",
)

MOST_RESULTS = 100
TYPES = {"publication": None, "dataset": "dataset", "software": "software"}
OPEN = {"OPEN": True, "OPEN SOURCE": True, "CLOSED": False, "RESTRICTED": False}


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    params: dict[str, Param] = {
        "search": without_unwanted(query.text)[0],
        "fromPublicationDate": f"{query.year_from}-01-01" if query.year_from else None,
        "toPublicationDate": f"{query.year_to}-12-31" if query.year_to else None,
        "bestOpenAccessRightLabel": "OPEN" if query.open_access or query.full_text else None,
        "page": 1,
        "pageSize": max(1, min(query.count, MOST_RESULTS)),
        "sortBy": "publicationDate DESC" if query.sort_by == "date" else "relevance DESC",
    }
    body = object_or_refusal((yield Request.get("/graph/v2/researchProducts", params)), PROVIDER.title)
    rows, total = _legacy(body["response"]) if "response" in body else _rows(body)
    return paper_results(rows, _parse_paper, query, total, sent=("open_access",), title=PROVIDER.title)


def _rows(body: Mapping[str, Any]) -> tuple[list[Any], Any]:
    total = as_object(body["header"])["numFound"]
    return (list_under(body, "results", PROVIDER.title) if total else []), total


def _legacy(response: Any) -> tuple[list[Any], Any]:
    """An answer of the interface before the Graph, XML written as JSON: text is `$`, attributes begin with `@`, and a
    list of one is no list. Its works in the form of the Graph."""
    total = _text(as_object(as_object(response)["header"])["total"])
    found = _listed(as_object(as_object(response).get("results")).get("result"))
    return [_legacy_row(row) for row in found], total


def _legacy_row(row: Mapping[str, Any]) -> dict[str, Any]:
    work = as_object(as_object(as_object(row.get("metadata")).get("oaf:entity")).get("oaf:result"))
    journal = as_object(work.get("journal"))
    instances = _listed(as_object(work.get("children")).get("instance"))
    links = [link for each in instances for link in _listed(each.get("webresource"))]
    titles = sorted(_listed(work.get("title")), key=lambda each: each.get("@classid") != "main title")
    return {
        "id": _text(as_object(row.get("header")).get("dri:objIdentifier")),
        "mainTitle": next(map(_text, titles), ""),
        "authors": [{"fullName": _text(person)} for person in _listed(work.get("creator"))],
        "publicationDate": _text(work.get("dateofacceptance")),
        "publisher": _text(work.get("publisher")),
        "descriptions": [_text(each) for each in _listed(work.get("description"))],
        "type": as_object(work.get("resulttype")).get("@classid"),
        "pids": [{"scheme": each.get("@classid"), "value": _text(each)} for each in _listed(work.get("pid"))],
        "instances": [{"urls": [_text(link.get("url")) for link in links]}],
        "bestAccessRight": {"label": as_object(work.get("bestaccessright")).get("@classid")},
        "container": {"name": _text(journal), **{part: journal.get(f"@{part}") for part in ("vol", "iss", "sp", "ep")}},
    }


def _listed(value: Any) -> list[Mapping[str, Any]]:
    return list(objects_in(value if isinstance(value, list) else [value]))


def _text(value: Any) -> str:
    return number_or_text(as_object(value).get("$")) or ""


def _parse_paper(row: Any) -> Paper:
    title, identifier = as_text(row["mainTitle"]), as_text(row["id"])
    if not title or not identifier:
        raise UpstreamChanged("OpenAIRE's answer has a work without title or id.")
    numbers = _numbers(row)
    doi = doi_or_none(numbers.get("doi"))
    place = as_object(row.get("container"))
    date = iso_from_text(row.get("publicationDate"))
    impact = as_object(as_object(row.get("indicators")).get("citationImpact")).get("citationCount")
    return Paper(
        title=title,
        url=doi_url(doi) if doi else _page(row) or f"https://explore.openaire.eu/search/result?id={identifier}",
        source=PROVIDER.name,
        doi=doi,
        **authors_of(as_text(person.get("fullName")) for person in objects_in(row.get("authors"))),
        journal=as_text(place.get("name")) or None,
        year=as_year(date),
        date=date,
        type=TYPES.get(as_text(row.get("type"))) or _instance_type(row),
        abstract=first_text(row.get("descriptions")) or None,
        citation_count=int(impact) if isinstance(impact, int | float) and 0 <= impact < 10**9 else None,
        open_access=OPEN.get(as_text(as_object(row.get("bestAccessRight")).get("label")).upper()),
        ids=PaperIds(pmid=numbers.get("pmid"), pmcid=numbers.get("pmc")),
        volume=number_or_text(place.get("vol")),
        issue=number_or_text(place.get("iss")),
        pages=_pages(place),
        publisher=as_text(row.get("publisher")) or None,
    )


def _numbers(row: Mapping[str, Any]) -> dict[str, str]:
    """The first identifier of each scheme."""
    named: dict[str, str] = {}
    for entry in objects_in(row.get("pids")):
        if value := as_text(entry.get("value")):
            named.setdefault(as_text(entry.get("scheme")).lower(), value)
    return named


def _page(row: Mapping[str, Any]) -> str | None:
    addresses = (url for entry in objects_in(row.get("instances")) for url in entry.get("urls") or ())
    return next((link for url in addresses if (link := as_web_address(url))), None)


def _instance_type(row: Mapping[str, Any]) -> str | None:
    kinds = {"article": "journal-article", "preprint": "preprint", "conference object": "conference-paper"}
    kinds |= {"doctoral thesis": "thesis", "book": "book", "part of book or chapter of book": "book-chapter"}
    names = (as_text(entry.get("type")).lower() for entry in objects_in(row.get("instances")))
    return next((kinds[name] for name in names if name in kinds), None)


def _pages(place: Mapping[str, Any]) -> str | None:
    first, last = number_or_text(place.get("sp")), number_or_text(place.get("ep"))
    return f"{first}-{last}" if first and last and first != last else first
