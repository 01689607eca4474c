"""Zenodo: datasets, software and papers that their authors deposited themselves.

API: developers.zenodo.org · Key: none, 60 requests a minute, 25 results at most. Anyone may upload; nothing is
reviewed. `conceptdoi` stands for all versions, `doi` for one. Recorded 2021, 2023 and 2026-07.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput, NotFound, UpstreamChanged
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.text.identifiers import doi_path, doi_url, normalise_doi
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import (
    as_object,
    as_text,
    as_web_address,
    as_year,
    iso_from_text,
    objects_in,
)
from wellsourced.upstreams.helpers.paper_fields import (
    authors_of,
    doi_or_none,
    lucene_query,
    object_or_refusal,
    paper_results,
    years_asked,
)
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.types.paper import Paper, PaperId, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="zenodo",
    title="Zenodo",
    bases={"": "https://zenodo.org"},
    pace=Pace(1),
    timeout=20,
    preference=66,
    automatic=False,
    good_at=("dataset",),
    about="Datasets, software and papers as their authors uploaded them; not reviewed.",
)

MOST_RESULTS = 25
OWN_DOI = re.compile(r"10\.5281/zenodo\.([0-9]{1,12})")
UNREVIEWED = "Zenodo takes what anyone uploads; its records are not reviewed."


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    words = lucene_query(query.text)
    if years := years_asked(query):
        words += f" AND publication_date:[{years[0]}-01-01 TO {years[1]}-12-31]"
    params: dict[str, Param] = {
        "q": words,
        "size": max(1, min(query.count, MOST_RESULTS)),
        "sort": "mostrecent" if query.sort_by == "date" else "bestmatch",
    }
    hits = _parse_hits((yield Request.get("/api/records", params)))
    rows = list_under(hits, "hits", PROVIDER.title)
    notes = (UNREVIEWED,) if rows else ()
    return paper_results(rows, parse_deposit, query, hits["total"], title=PROVIDER.title, notes=notes)


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The deposit of exactly this DOI, of a version or of all versions."""
    if work.scheme != "doi":
        raise BadInput(f"Zenodo knows works by DOI only; {str(work)[:60]} is none.")
    doi_path(work.value)
    wanted = normalise_doi(work.value)
    if number := OWN_DOI.fullmatch(wanted):  # a search knows the newest version of a record only
        reply = yield Request.get(f"/api/records/{number[1]}")
        row = {} if reply.status in {404, 410} else object_or_refusal(reply, PROVIDER.title)
        if row and "hits" not in row:
            return _exactly(wanted, [row])
    question = f'doi:"{wanted}" OR conceptdoi:"{wanted}"'
    hits = _parse_hits((yield Request.get("/api/records", {"q": question, "size": 5})))
    return _exactly(wanted, list_under(hits, "hits", PROVIDER.title))


def _exactly(wanted: str, rows: list[Any]) -> Paper:
    for row in rows:
        if wanted in {doi_or_none(row.get("doi")), doi_or_none(row.get("conceptdoi"))}:
            return parse_deposit(row)
    raise NotFound(f"Zenodo has no record of the DOI {wanted}.")


def _parse_hits(reply: Any) -> Mapping[str, Any]:
    hits = object_or_refusal(reply, PROVIDER.title)["hits"]
    if not isinstance(hits, dict):
        raise UpstreamChanged("Zenodo's answer has no hits.", detail=reply.summary)
    return hits


def parse_deposit(row: Any) -> Paper:
    facts = as_object(row["metadata"])
    title = as_text(facts.get("title")) or as_text(row.get("title"))
    doi = doi_or_none(row.get("doi")) or doi_or_none(facts.get("doi"))
    page = as_web_address(as_object(row.get("links")).get("self_html")) or as_web_address(
        as_object(row.get("links")).get("html")
    )
    if not title or not (doi or page):
        raise UpstreamChanged("Zenodo's answer has a record without title or address.")
    date = iso_from_text(facts.get("publication_date"))
    is_open = as_text(facts.get("access_right")) or as_text(as_object(row.get("access")).get("record"))
    return Paper(
        title=title,
        url=doi_url(doi) if doi else page or "",
        source=PROVIDER.name,
        doi=doi,
        **authors_of(as_text(person.get("name")) for person in objects_in(facts.get("creators"))),
        journal=as_text(as_object(facts.get("journal")).get("title")) or None,
        year=as_year(date),
        date=date,
        type=_type(as_object(facts.get("resource_type"))),
        abstract=as_text(facts.get("description")) or None,
        open_access={"open": True, "public": True, "closed": False, "restricted": False}.get(is_open),
        pdf_url=_pdf_link(row),
        publisher="Zenodo",
    )


def _type(kind: Mapping[str, Any]) -> str | None:
    name, subtype = as_text(kind.get("type")), as_text(kind.get("subtype"))
    subtypes = {"article": "journal-article", "conferencepaper": "conference-paper", "section": "book-chapter"}
    return (subtypes.get(subtype, subtype) if name == "publication" else name) or None


def _pdf_link(row: Mapping[str, Any]) -> str | None:
    files = (file for file in objects_in(row.get("files")) if as_text(file.get("key")).lower().endswith(".pdf"))
    links = (as_object(file.get("links")).get("self") for file in files)
    return next((url for link in links if (url := as_web_address(link))), None)
