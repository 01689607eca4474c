"""DOAJ: articles of open access journals that were vetted.

API: doaj.org/api/docs · Key: none, two requests a second. The question is part of the path. Years and months are texts.
Everything here is free to read. Recorded 2020-11 (v2) and 2026-03 (v4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from wellsourced.errors import UpstreamChanged
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.text.identifiers import doi_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import (
    as_object,
    as_text,
    as_web_address,
    as_year,
    number_or_text,
    objects_in,
    partial_iso,
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
    name="doaj",
    title="DOAJ",
    bases={"": "https://doaj.org"},
    pace=Pace(2),
    timeout=15,
    preference=62,
    automatic=False,
    good_at=("paper",),
    about="Articles of vetted open access journals; all free to read.",
)

MOST_RESULTS = 100
ALL_OPEN = ("open_access", "full_text")


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    words = lucene_query(query.text)
    if years := years_asked(query):
        words += f" AND bibjson.year:[{years[0]} TO {years[1]}]"
    params: dict[str, Param] = {
        "page": 1,
        "pageSize": max(1, min(query.count, MOST_RESULTS)),
        "sort": "year:desc" if query.sort_by == "date" else None,
    }
    reply = yield Request.get(f"/api/search/articles/{quote(words, safe='')}", params)
    body = object_or_refusal(reply, PROVIDER.title)
    rows = list_under(body, "results", PROVIDER.title)
    return paper_results(rows, parse_article, query, body["total"], sent=ALL_OPEN, title=PROVIDER.title)


def parse_article(row: Any) -> Paper:
    facts = as_object(row["bibjson"])
    title, journal = as_text(facts.get("title")), facts["journal"]
    numbers = {as_text(entry.get("type")).lower(): entry.get("id") for entry in objects_in(facts.get("identifier"))}
    doi = doi_or_none(numbers.get("doi"))
    links = [url for link in objects_in(facts.get("link")) if (url := as_web_address(link.get("url")))]
    url = doi_url(doi) if doi else next(iter(links), None) or f"https://doaj.org/article/{as_text(row['id'])}"
    if not title or not isinstance(journal, dict):
        raise UpstreamChanged("DOAJ's answer has an article without title or journal.")
    return Paper(
        title=title,
        url=url,
        source=PROVIDER.name,
        doi=doi,
        **authors_of(as_text(person.get("name")) for person in objects_in(facts.get("author"))),
        journal=as_text(journal.get("title")) or None,
        year=as_year(facts.get("year")),
        date=partial_iso(facts.get("year"), facts.get("month")),
        type="journal-article",
        abstract=as_text(facts.get("abstract")) or None,
        open_access=True,
        pdf_url=_pdf_link(facts),
        volume=number_or_text(journal.get("volume")),
        issue=number_or_text(journal.get("number")),
        pages=_pages(facts),
        publisher=as_text(journal.get("publisher")) or None,
    )


def _pdf_link(facts: Mapping[str, Any]) -> str | None:
    links = (link for link in objects_in(facts.get("link")) if as_text(link.get("content_type")).upper() == "PDF")
    return next((url for link in links if (url := as_web_address(link.get("url")))), None)


def _pages(facts: Mapping[str, Any]) -> str | None:
    first, last = number_or_text(facts.get("start_page")), number_or_text(facts.get("end_page"))
    return f"{first}-{last}" if first and last and first != last else first
