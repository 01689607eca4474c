"""A paper as tools show it."""

from __future__ import annotations

from collections.abc import Iterable

from wellsourced.scholarly.retraction_output import RetractionStatus, retraction_status
from wellsourced.tool.base import OutputPart
from wellsourced.tool.sources import FoundSource, WorkDetails
from wellsourced.upstreams.helpers.search_operators import cut_at_word
from wellsourced.upstreams.types.paper import Paper

ABSTRACT_LENGTH = 500
MOST_AUTHORS = 30
ELLIPSIS = "…"


# What providers call the kinds of works, as CSL names them; anything else is taken for an article.
CSL_TYPES = {
    "journal-article": "article-journal",
    "review": "article-journal",
    "preprint": "article",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "book-chapter": "chapter",
    "proceedings-article": "paper-conference",
    "conference-paper": "paper-conference",
    "thesis": "thesis",
    "dissertation": "thesis",
    "report": "report",
    "dataset": "dataset",
}


class PaperPart(OutputPart):
    title: str
    url: str
    source: str
    doi: str | None = None
    authors: list[str] | None = None
    journal: str | None = None
    year: int | None = None
    date: str | None = None
    type: str | None = None
    abstract: str | None = None
    citation_count: int | None = None
    open_access: bool | None = None
    pdf_url: str | None = None
    tldr: str | None = None
    is_influential: bool | None = None
    citation_intents: list[str] | None = None
    retraction_status: RetractionStatus | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    isbn: str | None = None


def paper_part(paper: Paper) -> PaperPart:
    return PaperPart.from_record(
        paper,
        authors=list(paper.authors[:MOST_AUTHORS]) or None,
        abstract=shorten_abstract(paper.abstract),
        citation_intents=list(paper.intents) or None,
        retraction_status=retraction_status(paper.retraction),
        arxiv_id=paper.ids.arxiv,
        pmid=paper.ids.pmid,
        pmcid=paper.ids.pmcid,
    )


def shorten_abstract(abstract: str | None) -> str | None:
    if abstract is None or len(abstract) <= ABSTRACT_LENGTH:
        return abstract
    return cut_at_word(abstract, ABSTRACT_LENGTH - len(ELLIPSIS)) + ELLIPSIS


def papers_as_sources(papers: Iterable[PaperPart]) -> list[FoundSource]:
    return [
        FoundSource(
            url=paper.url,
            title=paper.title,
            type="academic",
            author="; ".join(paper.authors) if paper.authors else None,
            date=paper.date or (str(paper.year) if paper.year else None),
            doi=paper.doi,
            work=WorkDetails(
                kind=CSL_TYPES.get(paper.type or ""),
                container=paper.journal,
                publisher=paper.publisher,
                volume=paper.volume,
                issue=paper.issue,
                pages=paper.pages,
                isbn=paper.isbn,
            ),
            retraction=paper.retraction_status.kind if paper.retraction_status else None,
        )
        for paper in papers
    ]
