"""A part of a page that fits a limit: from a place on, one section, or the passages that answer a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wellsourced.errors import BadInput
from wellsourced.late_dataclass import dataclass
from wellsourced.pages.document_pages import address_at, find_pages, page_at
from wellsourced.pages.page import Page
from wellsourced.pages.sections import Section, find_section
from wellsourced.text.budget import Passage, best_passages, split_at_limit, truncate_text
from wellsourced.text.text_fragments import passage_link

BETWEEN_PASSAGES = "\n\n[…]\n\n"
NO_OFFSET = "The query was put to all of it: offset is not applied with a query."


@dataclass(frozen=True, slots=True)
class LinkedPassage:
    """A passage and the address that leads a browser to its place in the page."""

    text: str
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    text: str
    truncated: bool
    passages: Sequence[LinkedPassage] = ()
    next_offset: int | None = None
    notes: Sequence[str] = ()


def take_excerpt(
    page: Page, limit: int, offset: int = 0, section: str | None = None, query: str | None = None
) -> Excerpt:
    """`limit` is in bytes; offsets are characters of the page's markdown. A section is given whole and alone."""
    part = _find_part(page, section) if section else Section("", 0, len(page.markdown))
    if query:
        answer = find_passages(page, query, limit, part if section else None)
        return replace(answer, notes=(*part.notes, *answer.notes, *((NO_OFFSET,) if offset else ())))
    start = max(offset, part.start)
    if start >= part.end > 0:
        where = f"section {part.title!r}, which ends at {part.end}" if section else "the page"
        raise BadInput(f"offset {start} is beyond the end of {where}; the page has {len(page.markdown)} characters.")
    # Of a long rest no more than can fit, and a little, so that it is seen to go on.
    rest = page.markdown[start : part.end].rstrip() if section else page.markdown[start : start + limit + 1]
    shown, behind = split_at_limit(rest, limit)
    reached = None if shown is rest else start + len(shown)
    return Excerpt(
        text=shown + behind,
        truncated=reached is not None,
        next_offset=reached,
        notes=(*part.notes, *_where_it_begins(page, start), *_how_to_go_on(part, reached)),
    )


def _find_part(page: Page, wanted: str) -> Section:
    return find_pages(page, wanted) or find_section(page.markdown, wanted)


def _where_it_begins(page: Page, start: int) -> tuple[str, ...]:
    number = page_at(page, start) if start else None
    return (f"This part begins on page {number} of {page.pages}.",) if number else ()


def _how_to_go_on(part: Section, reached: int | None) -> tuple[str, ...]:
    if reached is None or not part.title:
        return ()
    left = part.end - reached
    return (f"The section goes on for {left} characters: ask again with the same section and offset={reached}.",)


def _link_to(page: Page, plain: str, passage: Passage, part: Section | None) -> str:
    address = address_at(page, passage.start + (part.start if part else 0))
    return passage_link(address, plain, passage.start, passage.end)


def find_passages(page: Page, query: str, limit: int, part: Section | None = None) -> Excerpt:
    """The passages with most of the question, best first, each with a link to its place."""
    plain = page.markdown[part.start : part.end] if part else page.plain or page.markdown
    best = best_passages(plain, query, limit)
    linked = [LinkedPassage(each.text, _link_to(page, plain, each, part)) for each in best]
    text, _ = truncate_text(BETWEEN_PASSAGES.join(each.text for each in best), max_bytes=limit)
    missed = not best or best[0].score == 0
    where = "in the section" if part else "on the page"
    notes = (f"Nothing {where} matches the query; this is its beginning.",) if missed else ()
    return Excerpt(text=text, truncated=len(text) < len(plain), passages=linked, notes=notes)
