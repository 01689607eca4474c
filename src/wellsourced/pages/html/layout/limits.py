"""Pages that are too large for the layout, or have styles that it does not follow: of those it says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.dom import Document, count_page_words, select, words

_NAMES = (
    "flex-wrap", "flex-flow", "(?:grid-|column-|row-)?gap", "justify-[a-z]+", "align-[a-z]+", "place-[a-z]+", "order",
    "grid-area", "grid-row[a-z-]*", "grid-template(?:-areas)?", "grid-auto-[a-z]+", "line-clamp", "-webkit-line-clamp",
    "border-collapse", "border-spacing", "table-layout", "shape-outside", "column-span", "column-fill",
)  # fmt: skip
# To lay out so much takes about as long as to read the page; larger ones are judged by rules alone.
MOST_ELEMENTS, MOST_WORDS = 300, 1_000
UNFOLLOWED = late_pattern(rf"(?<![\w-])(?:{'|'.join(_NAMES)})\s*:")


def is_small(cascade: Cascade) -> bool:
    """Whether a page is no larger than what is laid out."""
    document = cascade.index.document
    return cascade.index.size <= MOST_ELEMENTS and count_page_words(document) - _unshown(document) <= MOST_WORDS


def _unshown(document: Document) -> int:
    """How many words of the page are those of its scripts and styles."""
    return sum(len(words(element)) for element in select(document, "body script, body style"))


def is_followed(cascade: Cascade) -> bool:
    """Whether the layout knows all that the styles of a page say of the places of boxes."""
    has_parts = any(cascade.parts[name].winners("content") for name in ("before", "after") if name in cascade.parts)
    return not has_parts and not any(map(UNFOLLOWED.search, _texts(cascade)))


def _texts(cascade: Cascade) -> Iterator[str]:
    yield from (cascade.sheets.bodies[number] for number in cascade.declarations.selectors)
    yield from (element.attr("style") or "" for element in select(cascade.index.document, "[style]"))
