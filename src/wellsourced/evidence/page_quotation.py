"""A quotation looked up in a page: what became of it, and where it stands."""

from __future__ import annotations

from wellsourced.evidence.difference import Difference, QuotationStatus
from wellsourced.evidence.difference_part import DifferencePart, difference_parts
from wellsourced.late_dataclass import dataclass
from wellsourced.pages.page import Page
from wellsourced.tool.base import OutputPart

EXACT = ("word_for_word", "marked_changes")
"""The states in which a page has the words of a quotation."""


@dataclass(frozen=True, slots=True)
class LocatedQuotation:
    """`text` are the page's own words, at `start:end` of its markdown; without them it was not found."""

    status: QuotationStatus
    text: str | None = None
    start: int | None = None
    end: int | None = None
    link: str | None = None
    differences: tuple[Difference, ...] = ()


class QuotationPart(OutputPart):
    """A located quotation as the tools give it."""

    status: str
    text: str | None = None
    start: int | None = None
    end: int | None = None
    link: str | None = None
    differences: list[DifferencePart] | None = None


def locate_quotation(quote: str, page: Page) -> LocatedQuotation:
    # Most pages are read without a quotation to look for, and the first one should not wait for this.
    from wellsourced.evidence.quotations import find_quotation
    from wellsourced.pages.document_pages import address_at
    from wellsourced.text.text_fragments import passage_link
    from wellsourced.text.word_index import WordIndex

    text = page.plain or page.markdown
    found = find_quotation(quote.strip(), text)
    if found.status == "not_found":
        return LocatedQuotation("not_found")
    words = text[found.start : found.end]
    start, end = WordIndex(page.markdown).locate(words) or (found.start, found.end)
    link = passage_link(address_at(page, start), text, found.start, found.end)
    return LocatedQuotation(found.status, words, start, end, link, found.differences)


def quotation_part(found: LocatedQuotation) -> QuotationPart:
    return QuotationPart.from_record(found, differences=difference_parts(found.differences))
