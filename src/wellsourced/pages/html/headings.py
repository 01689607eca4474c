"""Where a page's heading stands among its texts, and which texts are near it: its date and its author are."""

from __future__ import annotations

import re

from wellsourced.pages.html.blocks import HEADING_TAGS, Block, Outline
from wellsourced.pages.html.dom import Document
from wellsourced.pages.html.structured_data import DeclaredData

FIRST_BLOCKS = 400
LEAST, LONGEST, MOST_MORE = 12, 500, 100
HALF, THIRD = 0.5, 0.3
WORD = re.compile(r"\w+")
# The text below a heading is more often about the page than the one above it.
STEPS = (1, 2, 3, 4, -1, 5, -2, 6, -3, 7, -4, 8, -5, 9, 10, 11, 12)
MARKS = "»›>•| "


def page_title(document: Document) -> str:
    title = document.find("title")
    return title.text if title is not None else ""


def places_near_heading(document: Document, declared: DeclaredData, outline: Outline | None) -> list[int]:
    """The numbers of the blocks around the page's heading, the nearest first."""
    if outline is None:
        return []
    if outline.near_heading is None:
        title = _plain(declared.first("og:title") or page_title(document))
        places, last = _heading_places(outline.blocks, title), len(outline.blocks)
        outline.near_heading = [place + step for place in places for step in STEPS if 0 <= place + step < last]
    return outline.near_heading


def _heading_places(blocks: list[Block], title: str) -> list[int]:
    """A heading that says what the title says, else the one of the first rank most like it and the first text that
    does."""
    headings = [number for number, block in enumerate(blocks) if block.container.tag in HEADING_TAGS]
    same = next((number for number in headings if _is_title(blocks[number], title)), None)
    if same is not None:
        return [same]
    first, likest, title_words = None, 0.0, set(WORD.findall(title))
    for number in [number for number in headings if blocks[number].container.tag == "h1"]:
        likeness = _likeness(blocks[number].text, title_words)
        if first is None or likeness > max(likest, THIRD):
            first, likest = number, likeness
    longest = len(title) + MOST_MORE
    near = [number for number, block in enumerate(blocks[: FIRST_BLOCKS + 1]) if LEAST < len(block.text) < longest]
    same = next((number for number in near if _is_title(blocks[number], title)), None)
    return [place for place in (first, same) if place is not None]


def _is_title(block: Block, title: str) -> bool:
    """Whether a text is the title or much of it."""
    text = block.text
    if not LEAST < len(text) < len(title) + MOST_MORE or len(block.texts) >= 10 or _first_word(text) not in title:
        return False
    plain = _plain(text)
    return len(plain) > max(LEAST, 0.4 * len(title)) and plain in title


def _likeness(text: str, title: set[str]) -> float:
    """The share of the title's words, site and all, that a heading has, where most of its own are among them."""
    words = set(WORD.findall(text[:LONGEST].lower()))
    common = len(words & title)
    return common / len(title) if words and common > HALF * len(words) else 0.0


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).lstrip(MARKS)


def _first_word(text: str) -> str:
    return text.split(None, 1)[0].lower().lstrip(MARKS)
