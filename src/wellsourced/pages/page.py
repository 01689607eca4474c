"""A page or document that was read: its content as markdown, what it says about itself, how sure the reader is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.text.identifiers import doi_from_url, find_doi, normalise_doi
from wellsourced.text.plain_text import without_ascii

Quality = Literal["complete", "partial"]

# Chinese and Japanese characters, which are written without blanks between words.
UNSPACED_RANGES = (
    (0x2E80, 0x2FDF), (0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
UNSPACED = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED_RANGES)
UNSPACED_CHARACTER = late_pattern(f"[{UNSPACED}]")
# Holds all of them and of the alphabets without blanks. Compiling a class takes as long as it names characters, those
# of the basic plane one by one, so it names what it leaves out.
MAYBE_UNSPACED = re.compile(r"[^\x00-\u0dff\u2000-\u2e7f]")
WORD = late_pattern(r"\w+(?:['’.-]\w+)*")
ASCII = bytes(range(0x80))
LONG_TEXT = 5000
FRONT_MATTER = 4000


@dataclass(frozen=True, slots=True)
class StructuredData:
    """JSON-LD blocks as parsed, `og:*` and `article:*` properties, Highwire `citation_*` tags."""

    json_ld: tuple[Any, ...] = ()
    open_graph: Mapping[str, str] = field(default_factory=dict)
    citation: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.json_ld or self.open_graph or self.citation)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForumSignals:
    """What a forum says of a post. -1 means that it did not say."""

    platform: str
    upvotes: int = -1
    comments: int = -1
    date_published: str = ""
    author_name: str = ""
    credibility_note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """`plain` is the content without markup. `date` is an ISO date (`2026-11-15`) or "".

    `confidence` is how much of the content was likely caught, and nothing else, from 0 to 1.
    `plain_version` is the address of the page's own version without scripts (AMP, or for print).
    `hidden_removed` counts elements with text that a reader of the page could not have seen. `notes` are facts
    about the reading worth telling; `pages` is the number of pages of a document, 0 where there are none.
    """

    url: str
    markdown: str
    plain: str = ""
    title: str = ""
    author: str = ""
    date: str = ""
    site: str = ""
    language: str = ""
    description: str = ""
    canonical_url: str = ""
    plain_version: str = ""
    content_type: str = "html"
    confidence: float = 1.0
    quality: Quality = "complete"
    structured: StructuredData = field(default_factory=StructuredData)
    forum: ForumSignals | None = None
    hidden_removed: int = 0
    links: int = 0
    pages: int = 0
    notes: tuple[str, ...] = ()
    word_count: int = -1
    """Counted when the page is made, unless it is given."""

    def __post_init__(self) -> None:
        if self.word_count < 0:
            object.__setattr__(self, "word_count", count_words(self.plain or self.markdown))


def count_words(text: str) -> int:
    """Words of any language; a character of a script written without spaces counts as one.

    In a short text lone signs between blanks are not taken for words; in a long one that would cost more than it gains.
    """
    if text.isascii():
        return len(text.split())
    is_unspaced = MAYBE_UNSPACED.search(without_ascii(text, ASCII))
    spaced, unspaced = UNSPACED_CHARACTER.subn(" ", text) if is_unspaced else (text, 0)
    return unspaced + len(WORD.findall(spaced) if len(spaced) < LONG_TEXT else spaced.split())


def declared_doi(page: Page) -> str | None:
    """The DOI of a scholarly page: in its metadata, in its address, or in its front matter."""
    declared = normalise_doi(page.structured.citation.get("citation_doi", ""))
    return declared or doi_from_url(page.url) or find_doi((page.plain or page.markdown)[:FRONT_MATTER])
