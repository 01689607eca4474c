"""A part of a page that fits a limit: from a place on, from a heading on, or the passages that answer a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from wellsourced.errors import BadInput
from wellsourced.pages.page import Page
from wellsourced.text.budget import best_passages, truncate_text
from wellsourced.text.text_fragments import passage_link

HEADING_OR_FENCE = re.compile(
    r"^(?:(?P<fence>`{3,}+|~{3,}+)[^\n`]*\n.*?(?:^(?P=fence)[`~]*[ \t\r]*$|\Z)"
    r"|(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]+))",
    re.M | re.S,
)
LINK = re.compile(r"!?\[((?:[^\[\]\\]|\\.)*)\]\([^\s()]*\)")
EMPHASIS = re.compile(r"(?<!\\)(?:(?:\*{1,3}|~~)(?=\S)|(?<=\S)(?:\*{1,3}|~~)|`+)")
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
LONGEST_TITLE = 1000
# Far more than any book has.
MOST_HEADINGS = 20_000
BETWEEN_PASSAGES = "\n\n[…]\n\n"
# Enough for a model to choose another section without filling the answer.
HEADINGS_NAMED = 12
WHOLE_PAGE = "The query was put to the whole page: section and offset are not applied with it."


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    title: str
    offset: int


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
    """`limit` is in bytes; offsets are characters of the page's markdown."""
    if query:
        answer = find_passages(page, query, limit)
        return replace(answer, notes=(*answer.notes, WHOLE_PAGE)) if section or offset else answer
    start = max(offset, section_start(list_headings(page.markdown), section)) if section else offset
    if start >= len(page.markdown) > 0:
        raise BadInput(f"offset {start} is beyond the end of the page, which has {len(page.markdown)} characters.")
    rest = page.markdown[start:]
    text, cut = truncate_text(rest, max_bytes=limit)
    reached = start + len(truncate_text(rest, max_bytes=limit, marker="")[0]) if cut else None
    return Excerpt(text=text, truncated=cut, next_offset=reached)


def list_headings(markdown: str) -> list[Heading]:
    """The headings, leaving out what only looks like one inside a code block."""
    return [
        Heading(len(match["marks"]), title, match.start())
        for match in islice(HEADING_OR_FENCE.finditer(markdown), MOST_HEADINGS)
        if match["marks"] and (title := heading_title(match["title"]))
    ]


def heading_title(heading: str) -> str:
    """A heading's words without their markup; signs at its end only close it after a blank, so that `C#` stays."""
    text = heading[:LONGEST_TITLE].strip()
    opened = text.rstrip("#")
    if not opened or opened[-1].isspace():
        text = opened.rstrip()
    return ESCAPED.sub(r"\1", EMPHASIS.sub("", LINK.sub(r"\1", text))).strip()


def section_start(headings: Sequence[Heading], section: str) -> int:
    wanted = section.strip().lstrip("#").strip().casefold()
    # An exact title wins over a beginning, a beginning over a part.
    for matches in (str.__eq__, str.startswith, str.__contains__):
        for heading in headings:
            if matches(heading.title.casefold(), wanted):
                return heading.offset
    known = "; ".join(heading.title for heading in headings[:HEADINGS_NAMED]) or "none"
    raise BadInput(f"The page has no section {section!r}. Its headings: {known}.")


def find_passages(page: Page, query: str, limit: int) -> Excerpt:
    """The passages with most of the question, best first, each with a link to its place."""
    plain = page.plain or page.markdown
    best = best_passages(plain, query, limit)
    linked = [LinkedPassage(each.text, passage_link(page.url, plain, each.start, each.end)) for each in best]
    text, _ = truncate_text(BETWEEN_PASSAGES.join(each.text for each in best), max_bytes=limit)
    missed = not best or best[0].score == 0
    notes = ("Nothing on the page matches the query; this is its beginning.",) if missed else ()
    return Excerpt(text=text, truncated=len(text) < len(plain), passages=linked, notes=notes)
