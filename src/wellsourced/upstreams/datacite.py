"""DataCite: datasets, software, theses and preprints with a DOI of a data archive.

API: support.datacite.org/docs/api · Key: none, 3,000 requests in five minutes. JSON:API. `publisher` is a text, or an
object where that was asked for. Metadata under CC0. Recorded 2026-07.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellsourced.errors import BadInput, NotFound, UpstreamChanged
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.text.identifiers import doi_path, doi_url, find_arxiv_id, normalise_doi
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    as_year,
    iso_from_text,
    number_or_text,
    objects_in,
)
from wellsourced.upstreams.helpers.paper_fields import (
    doi_or_none,
    lucene_query,
    object_or_refusal,
    paper_results,
    split_name,
    years_asked,
)
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.types.paper import Author, Paper, PaperId, PaperIds, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="datacite",
    title="DataCite",
    bases={"": "https://api.datacite.org"},
    pace=Pace(5),
    timeout=20,
    preference=60,
    automatic=False,
    good_at=("dataset",),
    about="Datasets, software and other works registered by data archives.",
)

MOST_RESULTS = 100
TYPES: dict[str, str | None] = {
    "journalarticle": "journal-article",
    "conferencepaper": "conference-paper",
    "bookchapter": "book-chapter",
    "dissertation": "thesis",
    "text": None,
    "other": None,
}


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    years = years_asked(query)
    params: dict[str, Param] = {
        "query": lucene_query(query.text) + (f" AND publicationYear:[{years[0]} TO {years[1]}]" if years else ""),
        "page[size]": max(1, min(query.count, MOST_RESULTS)),
        "sort": "-created" if query.sort_by == "date" else "relevance",
        "disable-facets": True,
    }
    body = object_or_refusal((yield Request.get("/dois", params)), PROVIDER.title)
    rows = list_under(body, "data", PROVIDER.title)
    return paper_results(rows, _parse_paper, query, as_object(body["meta"])["total"], title=PROVIDER.title)


def record(work: PaperId, access: Access) -> Steps[Paper]:
    if work.scheme != "doi":
        raise BadInput(f"DataCite knows works by DOI only; {str(work)[:60]} is none.")
    reply = yield Request.get(f"/dois/{doi_path(work.value)}")
    if reply.status == 404 and reply.body.lstrip().startswith(b"{"):
        raise NotFound(f"DataCite has no record of the DOI {normalise_doi(work.value)}.")
    paper = _parse_paper(object_or_refusal(reply, PROVIDER.title)["data"])
    if paper.doi != normalise_doi(work.value):
        raise NotFound(f"DataCite has no record of {work.value}; it answered with {paper.doi}.")
    return paper


def _parse_paper(row: Any) -> Paper:
    facts = as_object(row["attributes"])
    doi = doi_or_none(facts.get("doi")) or doi_or_none(row.get("id"))
    title = next((text for entry in objects_in(facts["titles"]) if (text := as_text(entry.get("title")))), "")
    if not doi or not title:
        raise UpstreamChanged("DataCite's answer has a work without DOI or title.")
    names = tuple(_parse_people(facts.get("creators")))
    kind = as_text(as_object(facts.get("types")).get("resourceTypeGeneral")).replace(" ", "").lower()
    arxiv = find_arxiv_id(doi)
    date = _date(facts)
    return Paper(
        title=title,
        url=doi_url(doi),
        source=PROVIDER.name,
        doi=doi,
        authors=tuple(author.name for author in names),
        author_names=names if all(author.family or author.literal for author in names) else (),
        journal=as_text(as_object(facts.get("container")).get("title")) or None,
        year=as_year(facts.get("publicationYear")) or as_year(date),
        date=date,
        type=TYPES.get(kind, kind) or None,
        abstract=_abstract(facts.get("descriptions")),
        citation_count=as_count(facts.get("citationCount")),
        open_access=True if _is_open(facts) else None,
        ids=PaperIds(arxiv=arxiv),
        publisher=_publisher(facts.get("publisher")),
        volume=number_or_text(as_object(facts.get("container")).get("volume")),
    )


def _parse_people(value: Any) -> Iterator[Author]:
    for person in objects_in(value):
        family, given = as_text(person.get("familyName")), as_text(person.get("givenName"))
        name = as_text(person.get("name"))
        if family:
            yield Author(family=family, given=given)
        elif name:
            yield Author(literal=name) if person.get("nameType") == "Organizational" else split_name(name)


def _date(facts: Mapping[str, Any]) -> str | None:
    """The day of issue where it falls into the year of publication, which is the one to cite."""
    year = as_year(facts.get("publicationYear"))
    days = (entry.get("date") for entry in objects_in(facts.get("dates")) if entry.get("dateType") == "Issued")
    issued = next((day for written in days if (day := iso_from_text(written))), None)
    return issued if issued and year in {None, as_year(issued)} else str(year) if year else None


def _abstract(value: Any) -> str | None:
    texts = (entry.get("description") for entry in objects_in(value) if entry.get("descriptionType") == "Abstract")
    return next((text for words in texts if (text := as_text(words))), None)


def _is_open(facts: Mapping[str, Any]) -> bool:
    licences = (as_text(entry.get("rightsUri")) for entry in objects_in(facts.get("rightsList")))
    return any("creativecommons.org" in licence for licence in licences)


def _publisher(value: Any) -> str | None:
    return as_text(as_object(value).get("name") if isinstance(value, dict) else value) or None
