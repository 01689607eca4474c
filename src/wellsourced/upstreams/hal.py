"""HAL: the open archive of French research.

API: api.archives-ouvertes.fr/docs/search, a Solr index · Key: none. Titles, abstracts and names are lists, titles in
several languages. A question that Solr does not understand is an `error` object, with HTTP 200 too. Recorded 2026-03.
"""

from __future__ import annotations

from typing import Any

from wellsourced.errors import UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import (
    as_boolean,
    as_object,
    as_text,
    as_web_address,
    as_year,
    first_text,
    iso_from_text,
    texts_in,
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
from wellsourced.upstreams.types.paper import Paper, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="hal",
    title="HAL",
    bases={"": "https://api.archives-ouvertes.fr"},
    pace=Pace(2),
    timeout=15,
    preference=64,
    automatic=False,
    good_at=("paper",),
    about="The open archive of French research, theses among it.",
)

MOST_RESULTS = 100
FIELDS = (
    "title_s,authFullName_s,uri_s,halId_s,doiId_s,abstract_s,publicationDate_s,publicationDateY_i,journalTitle_s,"
    "fileMain_s,docType_s,openAccess_bool"
)
TYPES = {"ART": "journal-article", "COMM": "conference-paper", "THESE": "thesis", "OUV": "book", "COUV": "book-chapter"}
TYPES |= {"UNDEFINED": "preprint", "REPORT": "report", "HDR": "thesis"}


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    years = years_asked(query)
    filters = [f"publicationDateY_i:[{years[0]} TO {years[1]}]"] if years else []
    filters += ["openAccess_bool:true"] if query.open_access or query.pdf_only or query.full_text else []
    params: dict[str, Param] = {
        "q": lucene_query(query.text),
        "fq": filters,
        "fl": FIELDS,
        "rows": max(1, min(query.count, MOST_RESULTS)),
        "sort": "publicationDate_tdate desc" if query.sort_by == "date" else None,
        "wt": "json",
    }
    body = object_or_refusal((yield Request.get("/search/", params)), PROVIDER.title)
    if problem := as_object(body.get("error")):
        raise UpstreamUnavailable(f"HAL refused the request: {as_text(problem.get('msg'))[:200]}")
    answer = as_object(body["response"])
    rows = list_under(answer, "docs", PROVIDER.title)
    return paper_results(
        rows, _parse_paper, query, answer["numFound"], sent=("open_access", "full_text"), title=PROVIDER.title
    )


def _parse_paper(row: Any) -> Paper:
    titles = texts_in(row["title_s"])
    address = as_web_address(row.get("uri_s"))
    if not titles or not address:
        raise UpstreamChanged("HAL's answer has a work without title or address.")
    doi, pdf = doi_or_none(first_text(row.get("doiId_s"))), as_web_address(first_text(row.get("fileMain_s")))
    date = iso_from_text(first_text(row.get("publicationDate_s"))) or None
    return Paper(
        title=titles[0],
        url=address,
        source=PROVIDER.name,
        doi=doi,
        **authors_of(texts_in(row.get("authFullName_s"))),
        journal=first_text(row.get("journalTitle_s")) or None,
        year=as_year(row.get("publicationDateY_i")) or as_year(date),
        date=date,
        type=TYPES.get(first_text(row.get("docType_s"))),
        abstract=first_text(row.get("abstract_s")) or None,
        open_access=True if pdf else as_boolean(row.get("openAccess_bool")),
        pdf_url=pdf,
        other_titles=tuple(titles[1:]),
    )
