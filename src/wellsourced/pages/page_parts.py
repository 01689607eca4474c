"""The parts of an answer that describe a page: metadata, citation, what it carries for machines, its headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from wellsourced.citations.webpage_citation import cite_page
from wellsourced.pages.page import Page, StructuredData
from wellsourced.pages.sections import Heading
from wellsourced.text.urls import host_of
from wellsourced.tool.answer import encode_json
from wellsourced.tool.base import OutputPart

T = TypeVar("T")

STRUCTURED_BYTES = 5_000
"""What a page carries for machines is given up to this size, in whole blocks."""


class PageMetadata(OutputPart):
    title: str
    author: str
    site: str | None = None
    date: str | None = None
    language: str | None = None
    description: str | None = None


class CitationMetadata(OutputPart):
    title: str
    author: str
    site: str
    date: str


class CitationFormats(OutputPart):
    apa: str
    mla: str
    bibtex: str


class PageCitation(OutputPart):
    url: str
    accessed_date: str
    metadata: CitationMetadata
    formatted: CitationFormats


class StructuredDataPart(OutputPart):
    json_ld: list[Any] | None = None
    open_graph: dict[str, str] | None = None
    citation: dict[str, str] | None = None


class ForumSignalsPart(OutputPart):
    platform: str
    upvotes: int
    comments: int
    date_published: str | None = None
    author_name: str | None = None
    credibility_note: str | None = None


class HeadingPart(OutputPart):
    level: int
    title: str
    offset: int


def structured_fields(page: Page) -> dict[str, Any]:
    """What the page carries for machines, as far as it carries any."""
    fields: dict[str, Any] = {}
    if page.structured:
        kept = structured_part(page.structured)
        fields["structured_data"] = kept
    if page.forum:
        fields["forum_signals"] = ForumSignalsPart(
            platform=page.forum.platform,
            upvotes=page.forum.upvotes,
            comments=page.forum.comments,
            date_published=page.forum.date_published or None,
            author_name=page.forum.author_name or None,
            credibility_note=page.forum.credibility_note or None,
        )
    return fields


def structured_part(data: StructuredData) -> StructuredDataPart:
    """The blocks that fit, in order: some pages carry their whole shop in them."""
    bytes_left = STRUCTURED_BYTES
    citation = dict(fitting_items(data.citation.items(), bytes_left))
    bytes_left -= len(encode_json(citation))
    open_graph = dict(fitting_items(data.open_graph.items(), bytes_left))
    bytes_left -= len(encode_json(open_graph))
    blocks = list(fitting_items(data.json_ld, bytes_left))
    return StructuredDataPart(json_ld=blocks or None, open_graph=open_graph or None, citation=citation or None)


def fitting_items(items: Iterable[T], bytes_left: int) -> Iterator[T]:
    for item in items:
        size = len(encode_json(item))
        if size <= bytes_left:
            bytes_left -= size
            yield item


def left_out_note(page: Page) -> list[str]:
    """That not all of what a page carries for machines is given."""
    if not page.structured:
        return []
    given, there = structured_part(page.structured), page.structured
    left = len(there.json_ld) - len(given.json_ld or ()) + len(there.open_graph) - len(given.open_graph or ())
    left += len(there.citation) - len(given.citation or ())
    return [f"{left} parts of structuredData are left out for their size; mode=raw has them."] if left else []


def metadata_part(page: Page) -> PageMetadata:
    return PageMetadata(
        title=page.title,
        author=page.author,
        site=page.site or None,
        date=page.date or None,
        language=page.language or None,
        description=page.description or None,
    )


def citation_part(page: Page) -> PageCitation:
    today = datetime.now(UTC).date()
    site = page.site or host_of(page.url)
    return PageCitation(
        url=page.url,
        accessed_date=today.isoformat(),
        metadata=CitationMetadata(title=page.title, author=page.author, site=site, date=page.date),
        formatted=CitationFormats(**cite_page(page.url, page.title, page.author, site, page.date, today)),
    )


def outline_part(headings: Sequence[Heading]) -> list[HeadingPart]:
    return [HeadingPart(level=each.level, title=each.title, offset=each.offset) for each in headings]
