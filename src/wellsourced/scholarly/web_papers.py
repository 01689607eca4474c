"""Papers by way of the web: a search within scholarly sites, its pages taken for the papers they stand for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from wellsourced.errors import WellsourcedError
from wellsourced.scholarly.paper_filters import interleave
from wellsourced.search.searcher import Searcher, SearchResults
from wellsourced.text.identifiers import doi_from_url, find_arxiv_id, find_pmid, without_arxiv_version
from wellsourced.text.urls import is_within_site
from wellsourced.tool.call import Trace
from wellsourced.upstreams.types.paper import Paper, PaperIds, PaperQuery
from wellsourced.upstreams.types.search import Hit, WebQuery

SITES = (
    "arxiv.org",
    "pubmed.ncbi.nlm.nih.gov",
    "scholar.google.com",
    "ieeexplore.ieee.org",
    "dl.acm.org",
    "nature.com",
    "sciencedirect.com",
    "link.springer.com",
    "researchgate.net",
    "plos.org",
    "frontiersin.org",
    "mdpi.com",
    "wiley.com",
    "jstor.org",
    "semanticscholar.org",
    "biorxiv.org",
    "medrxiv.org",
)
SOURCE_SITES = {
    "arxiv": "arxiv.org",
    "pubmed": "pubmed.ncbi.nlm.nih.gov",
    "ieee": "ieeexplore.ieee.org",
    "nature": "nature.com",
    "springer": "link.springer.com",
}
OPEN_SITES = ("arxiv.org", "plos.org", "frontiersin.org", "mdpi.com", "biorxiv.org", "medrxiv.org")
# The whole pool of sites is too long for one query.
SITES_AT_ONCE = 10
SPARE = 5
# What Google Scholar and arXiv put before a title.
ADORNMENT = re.compile(r"^\s*(?:\[(?:PDF|HTML|BOOK|\d{4}\.\d{4,5}(?:v\d+)?)\]\s*)+", re.IGNORECASE)
TAIL = re.compile(
    r"(?<!\s)\s+[|–—-]\s+(?:arXiv(?:\.org)?|PubMed|Nature|SpringerLink|ScienceDirect|IEEE Xplore|PLOS\b(?s:.*))\s*$"
)


async def search_web_for_papers(
    search: Searcher, query: PaperQuery, *, provider: str | None, lens: str | None, trace: Trace, deadline: float
) -> SearchResults[Paper]:
    """The site pool is too long for one query, so it is asked in portions side by side."""
    question = WebQuery(text=query_text(query), count=query.count + SPARE)
    portions = [question] if lens else [replace(question, sites=sites) for sites in site_portions(query.source)]
    traces = [Trace() for _ in portions]
    asked = (
        search.web(portion, provider=provider, lens=lens, trace=own, deadline=deadline)
        for portion, own in zip(portions, traces, strict=True)
    )
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    answers = usable_outcomes(outcomes)
    trace.attempted += [name for own in traces for name in own.attempted if name not in trace.attempted]
    trace.used = next((own.used for own in traces if own.used), trace.used)
    engine = trace.used or "web_search"
    hits: list[Hit] = interleave([answer.items for answer in answers])
    notes = [note for answer in answers for note in answer.notes]
    notes += [f"Part of the scholarly sites was not searched: {failure}" for failure in outcomes if is_failure(failure)]
    return SearchResults(
        items=tuple(paper_from_hit(hit, engine) for hit in hits),
        filters_not_applied=tuple(sorted({name for answer in answers for name in answer.filters_not_applied})),
        notes=tuple(dict.fromkeys(notes)),
    )


def is_failure(outcome: object) -> bool:
    return isinstance(outcome, WellsourcedError)


def usable_outcomes(outcomes: Sequence[SearchResults[Hit] | BaseException]) -> list[SearchResults[Hit]]:
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for failure in failures:
        if not isinstance(failure, WellsourcedError) or len(failures) == len(outcomes):
            raise failure
    return [outcome for outcome in outcomes if isinstance(outcome, SearchResults)]


def query_text(query: PaperQuery) -> str:
    after = f"after:{query.year_from}-01-01" if query.year_from else ""
    before = f"before:{query.year_to + 1}-01-01" if query.year_to else ""
    kind = "filetype:pdf" if query.pdf_only else ""
    return " ".join(part for part in (query.text, after, before, kind) if part)


def site_portions(source: str) -> list[tuple[str, ...]]:
    if source != "all":
        return [(SOURCE_SITES[source],)]
    return [SITES[start : start + SITES_AT_ONCE] for start in range(0, len(SITES), SITES_AT_ONCE)]


def paper_from_hit(hit: Hit, engine: str) -> Paper:
    """As much of a paper as a search hit tells: identifiers from its address, a year where one is certain."""
    arxiv = find_arxiv_id(hit.url) if is_within_site(hit.url, "arxiv.org") else None
    bare = without_arxiv_version(arxiv) if arxiv else None
    is_open = any(is_within_site(hit.url, site) for site in OPEN_SITES)
    return Paper(
        title=TAIL.sub("", ADORNMENT.sub("", hit.title[:500])) or hit.url,
        url=hit.url,
        source=hit.engines[0] if hit.engines else engine,
        doi=doi_from_url(hit.url) or (f"10.48550/arxiv.{bare}".lower() if bare else None),
        year=year_in_text(bare) or (hit.published_at.year if hit.published_at else None),
        abstract=hit.snippet or None,
        open_access=True if is_open else None,
        pdf_url=pdf_address(hit.url, arxiv),
        ids=PaperIds(arxiv=bare, pmid=find_pmid(hit.url)),
    )


def year_in_text(arxiv: str | None) -> int | None:
    """arXiv ids begin with year and month since April 2007."""
    return 2000 + int(arxiv[:2]) if arxiv and arxiv[:4].isdigit() and "." in arxiv[:6] else None


def pdf_address(url: str, arxiv: str | None) -> str | None:
    if arxiv:
        return f"https://arxiv.org/pdf/{arxiv}"
    return url if url.lower().split("?", 1)[0].split("#", 1)[0].endswith(".pdf") else None
