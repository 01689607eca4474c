"""When a page was published, from ordered sources: what it declares, its markup, its address, its byline.

A date is given only where something says that it is the page's own: dates of change and dates in the running
text are not, so a page that does not say when it was published has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wellsourced.pages.html.blocks import Block, Outline
from wellsourced.pages.html.dom import Document, Element, attribute, layout_text, select
from wellsourced.pages.html.metadata import CONTENT_TYPES, find_language
from wellsourced.pages.html.structured_data import DeclaredData
from wellsourced.text.dates import find_date

PUBLISHED_META = (
    "article:published_time", "citation_publication_date", "citation_date", "citation_online_date", "og:published_time",
    "datepublished", "date.published", "publish-date", "publish_date", "published_time", "publication_date", "pubdate",
    "publishdate", "parsely-pub-date", "sailthru.date", "dc.date.issued", "dcterms.issued", "dcterms.created",
    "dc.date.created", "dc.date", "dcterms.date", "date", "article.published", "cxenseparse:recs:publishtime",
    "og:pubdate", "rnews:datepublished", "bt:pubdate", "published-date", "article:post_date", "timestamp",
)  # fmt: skip
MARKED = (
    "[itemprop=datePublished]", "[itemprop=dateCreated]", "time[pubdate]", "time.published", "time.entry-date",
    "article header time", "[class*='publish' i] time", "[class*='byline' i] time", "abbr.published",
)  # fmt: skip
DATED_PLACES = (
    "[class*='publish' i]", "[class*='byline' i]", "[class*='post-meta' i]", "[class*='entry-date' i]",
    "[class*='meta-date' i]", "[class*='post-date' i]", "[class*='posted' i]", "[class*='entry-meta' i]",
    "[class*='timestamp' i]", "[class*='article-meta' i]",
)  # fmt: skip
AMERICAN = re.compile(r"(?:en(?:-us|-ph)?)?", re.I)
IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?:/|-|$)")
CHANGED = re.compile(r"updat|modif|edited|revis|review|aktualisiert|mis à jour|actualizado|aggiornat", re.I)
DIGITS = re.compile(r"\d{4}")
FIRST_BLOCKS = 400


def find_published_date(document: Document, declared: DeclaredData, url: str, outline: Outline | None) -> str:
    """The ISO date of publication, "" when nothing says."""
    day_first = AMERICAN.fullmatch(find_language(document, declared)) is None
    for source in _sources(document, declared, url, outline, day_first=day_first):
        date = find_date(source, day_first=day_first)
        if date:
            return date
    return ""


def _sources(
    document: Document, declared: DeclaredData, url: str, outline: Outline | None, *, day_first: bool
) -> Iterator[str]:
    things = list(declared.of_type(*CONTENT_TYPES))
    yield from (_text(thing.get("datePublished") or thing.get("dateCreated")) for thing in things)
    yield from (value for name in PUBLISHED_META for value in declared.meta.get(name, ())[:1])
    yield from (_text(thing.get("datePublished")) for thing in declared.of_type("webpage"))
    for selector in MARKED[:2]:
        yield from (_stamp(element) for element in select(document, selector)[:1])
    match = IN_ADDRESS.search(url)
    if match:
        yield "-".join(match.groups())
    yield from _near_heading(outline)
    for selector in MARKED[2:]:
        yield from (_stamp(element) for element in select(document, selector)[:1])
    yield from _bylines(document)
    yield from (_text(thing.get("uploadDate")) for thing in declared.of_type("videoobject"))
    yield from _only_date(outline, day_first=day_first)
    yield from _near_heading(outline, changed=True)


def _near_heading(outline: Outline | None, *, changed: bool = False) -> Iterator[str]:
    """Short texts just below the page's heading, then just above it; those about changes only when asked for."""
    blocks = outline.blocks if outline else []
    place = next((number for number, block in enumerate(blocks) if block.container.tag == "h1"), None)
    if place is None:
        return
    for block in blocks[place + 1 : place + 13] + blocks[max(0, place - 4) : place][::-1]:
        text = _short_text(block)
        if text and bool(CHANGED.search(text)) == changed:
            yield text


def _only_date(outline: Outline | None, *, day_first: bool) -> Iterator[str]:
    """The one date that the page's short texts mention, if it is the only one."""
    results: set[str] = set()
    for block in outline.blocks[:FIRST_BLOCKS] if outline else []:
        date = find_date(_short_text(block), day_first=day_first)
        if date:
            results.add(date)
        if len(results) > 1:
            return
    yield from results


def _short_text(block: Block) -> str:
    if len(block.texts) > 30:
        return ""
    text = block.text
    return text if len(text) < 200 and len(text.split()) <= 14 and DIGITS.search(text) else ""


def _text(value: object) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    return value if isinstance(value, str) else ""


def _stamp(element: Element) -> str:
    return (
        attribute(element, "datetime") or attribute(element, "content") or attribute(element, "title") or element.text
    )


def _bylines(document: Document) -> Iterator[str]:
    """Short texts in places named after dates, many of which belong to other pages; the first `time` element."""
    for selector in DATED_PLACES:
        elements = select(document, selector)
        if 0 < len(elements) <= 4:
            yield from (layout_text(element) for element in elements[:2] if len(element.text) < 300)
    yield from (_stamp(element) for element in select(document, "time")[:1])
