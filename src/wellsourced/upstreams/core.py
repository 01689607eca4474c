"""CORE: open access works out of the repositories of universities.

API: api.core.ac.uk/docs/v3 · Key: CORE_API_KEY, optional; without one a hundred requests a day. HTTP 500 under load is
common. `fullText` can be megabytes and is left out. Dates that are not known are "". Recorded
2026-03, and in 2020 version 2, which is switched off.
"""

from __future__ import annotations

from typing import Any

from wellsourced.errors import UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.identifiers import doi_url, find_arxiv_id, without_arxiv_version
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import (
    as_object,
    as_text,
    as_web_address,
    as_year,
    iso_from_text,
    number_or_text,
    objects_in,
    texts_in,
)
from wellsourced.upstreams.helpers.paper_fields import (
    authors_of,
    doi_or_none,
    lucene_query,
    paper_results,
)
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object, raise_refusal
from wellsourced.upstreams.types.paper import Paper, PaperIds, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="core",
    title="CORE",
    bases={"": "https://api.core.ac.uk"},
    uses=(Setting("CORE_API_KEY", "Key of CORE, free at core.ac.uk; raises the daily limit.", secret=True),),
    pace=Pace(1, 6.0),
    timeout=20,
    preference=68,
    automatic=False,
    good_at=("paper",),
    about="Open access works out of repositories; a hundred questions a day without a key.",
)

MOST_RESULTS = 100
TYPES = {"thesis": "thesis", "slides": "presentation", "book": "book"}


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    words = lucene_query(query.text)
    words += f" AND yearPublished>={query.year_from}" if query.year_from else ""
    words += f" AND yearPublished<={query.year_to}" if query.year_to else ""
    params: dict[str, Param] = {
        "q": words,
        "limit": max(1, min(query.count, MOST_RESULTS)),
        "exclude": "fullText",
        "sort": "recency" if query.sort_by == "date" else None,
    }
    key = access["CORE_API_KEY"]
    reply = yield Request.get("/v3/search/works/", params, headers={"Authorization": f"Bearer {key}"} if key else {})
    if reply.status >= 300:
        # Without a key there is none to be refused: a message about it means that we are blocked.
        raise_refusal(reply, PROVIDER.title, as_text(error_object(reply).get("message"))[:300] if key else "")
    rows, total = _rows(reply)
    return paper_results(rows, _parse_paper, query, total, title=PROVIDER.title)


def _rows(reply: Reply) -> tuple[list[Any], Any]:
    """The works of an answer, of version 3 or of 2, which wrapped each of them and had a list around nothing."""
    body = reply.json()
    if isinstance(body, list) and len(body) == 1 and as_object(body[0]).get("totalHits") == 0:
        return [], 0
    body = parse_object(reply, PROVIDER.title)
    if "data" in body and "results" not in body:
        return [as_object(row).get("_source") for row in list_under(body, "data", PROVIDER.title)], body["totalHits"]
    return list_under(body, "results", PROVIDER.title), body["totalHits"]


def _parse_paper(row: Any) -> Paper:
    title, number = as_text(row["title"]), number_or_text(row.get("id"))
    doi = doi_or_none(row.get("doi"))
    arxiv = find_arxiv_id(as_text(row.get("arxivId")))
    if not title or not (number or doi):
        raise UpstreamChanged("CORE's answer has a work without title or id.")
    date = iso_from_text(row.get("publishedDate") or row.get("datePublished"))
    year = as_year(row.get("yearPublished")) or as_year(row.get("year")) or as_year(date)
    journals = (as_text(entry.get("title")) for entry in objects_in(row.get("journals")))
    people = [as_text(person.get("name")) for person in objects_in(row.get("authors"))] or texts_in(row.get("authors"))
    kind = as_text(row.get("documentType"))
    return Paper(
        title=title,
        url=doi_url(doi) if doi else f"https://core.ac.uk/works/{number}",
        source=PROVIDER.name,
        doi=doi,
        **authors_of(people),
        journal=next(filter(None, journals), None),
        year=year,
        date=date if date and year in {None, as_year(date)} else str(year) if year else None,
        type=TYPES.get(kind),
        abstract=as_text(row.get("abstract")) or as_text(row.get("description")) or None,
        open_access=True if as_web_address(row.get("downloadUrl")) else None,
        pdf_url=_pdf_link(row),
        ids=PaperIds(arxiv=without_arxiv_version(arxiv) if arxiv else None, pmid=number_or_text(row.get("pubmedId"))),
        publisher=as_text(row.get("publisher")).strip("'\" ") or None,
    )


def _pdf_link(row: Any) -> str | None:
    """`downloadUrl` is often a landing page, so it counts only when it looks like a document."""
    link = as_web_address(as_object(row).get("downloadUrl")) or ""
    return link if link.lower().split("?")[0].endswith(".pdf") or "core.ac.uk/download" in link else None
