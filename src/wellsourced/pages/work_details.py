"""What a page tells about the work it holds, for whoever cites it: Highwire tags, and the name of the site."""

from __future__ import annotations

from collections.abc import Mapping

from wellsourced.pages.page import Page
from wellsourced.text.identifiers import doi_from_url, normalise_doi
from wellsourced.tool.sources import WorkDetails

TAGS = {
    "container": ("citation_journal_title", "citation_conference_title", "citation_inbook_title"),
    "publisher": ("citation_publisher",),
    "volume": ("citation_volume",),
    "issue": ("citation_issue",),
    "isbn": ("citation_isbn",),
    "number": ("citation_technical_report_number",),
}
KINDS = {
    "citation_journal_title": "article-journal",
    "citation_conference_title": "paper-conference",
    "citation_inbook_title": "chapter",
    "citation_technical_report_number": "report",
}


def work_of(page: Page) -> WorkDetails:
    return work_from_tags(page.structured.citation, page.site)


def work_from_tags(tags: Mapping[str, str], site: str) -> WorkDetails:
    first, last = tags.get("citation_firstpage", ""), tags.get("citation_lastpage", "")
    found = {name: next((tags[tag] for tag in names if tags.get(tag)), None) for name, names in TAGS.items()}
    return WorkDetails(
        kind=next((kind for tag, kind in KINDS.items() if tags.get(tag)), None),
        site=site or None,
        pages=f"{first}–{last}" if first and last and first != last else first or None,
        **found,
    )


def own_doi(page: Page) -> str | None:
    """The DOI that a page gives as its own; one in its text may be that of a work it cites."""
    return normalise_doi(page.structured.citation.get("citation_doi", "")) or doi_from_url(page.url)
