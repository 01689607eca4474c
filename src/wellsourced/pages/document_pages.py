"""The pages of a document, which its text marks by their numbers: which one a place is on, and those asked for."""

from __future__ import annotations

import re

from wellsourced.errors import BadInput
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.page import Page
from wellsourced.pages.sections import Section
from wellsourced.text.amounts import format_count

# A line of its own, or a row of a table that goes on.
MARK = late_pattern(r"^(?:\| )?\[Page (\d{1,5})\](?=$| \|)", re.M)
LONGEST_MARK = len("| [Page 12345]")
ASKED = late_pattern(r"(?:pages?|pp?\.?)\s{0,3}(\d{1,5})(?:\s{0,3}(?:-|–|to)\s{0,3}(\d{1,5}))?", re.I)


def page_at(page: Page, offset: int) -> int | None:
    """The number of the page on which the text at this offset stands; None where none is marked."""
    if page.pages < 2:
        return None
    text = page.markdown
    begins = next((at for at in range(offset, len(text)) if not text[at].isspace()), offset)
    end = begins + LONGEST_MARK
    while (end := text.rfind("[Page ", 0, end)) >= 0:
        line = end - 2 if text[end - 2 : end] == "| " else end
        is_line = line == 0 or text[line - 1] == "\n"
        if is_line and line <= begins and (mark := MARK.match(text, line)):
            return int(mark[1])
    return None


def address_at(page: Page, offset: int) -> str:
    """The document's address, with the number of the page, which browsers open it at."""
    number = None if "#" in page.url else page_at(page, offset)
    return f"{page.url}#page={number}" if number else page.url


def find_pages(page: Page, wanted: str) -> Section | None:
    """`page 3`, `pp. 12-14`; None where no pages are asked for, BadInput where the document has none of them."""
    asked = ASKED.fullmatch(wanted.strip().strip("[]")) if page.pages else None
    if asked is None:
        return None
    first, last = int(asked[1]), int(asked[2] or asked[1])
    title = f"page {first}" if first == last else f"pages {first}-{last}"
    if page.pages == 1 and first == 1:
        return Section(title, 0, len(page.markdown))
    marks = [(int(mark[1]), mark.start()) for mark in MARK.finditer(page.markdown)]
    if not marks:
        return None
    start = next((place for number, place in marks if first <= number <= last), None)
    if start is None:
        raise BadInput(f"The document has no text on {title}; it has {format_count(page.pages, 'page')}.")
    return Section(title, start, next((place for number, place in marks if number > last), len(page.markdown)))
