"""When a page was published, from ordered sources: what it declares, its markup, its address, its byline.

A date is given only where something says that it is the page's own: dates of change and dates in the running
text are not, so a page that does not say when it was published has none.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from wellsourced.pages.html.blocks import Block, Outline
from wellsourced.pages.html.dom import Document, Element, attribute, layout_text, select
from wellsourced.pages.html.metadata import CONTENT_TYPES, language
from wellsourced.pages.html.structured_data import Declared
from wellsourced.text.months import MONTHS, common_year, settled

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
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
COMPACT = re.compile(r"(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)")
MONTH_FIRST = re.compile(rf"\b(?=[^\s\d]+\s+\d)({MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.I)
DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:de\s+|d['’]|of\s+|ta['’]\s*|t['’]|ב)?({MONTH})\.?,?\s+(?:de\s+|del\s+)?(\d{{4}})\b",
    re.I,
)
YEAR_FIRST = re.compile(rf"\b(\d{{4}})\.?\s+(?:m\.\s+)?({MONTH})\.?\s+(\d{{1,2}})\b", re.I)
LATVIAN = re.compile(rf"\b(\d{{4}})\.\s+gada\s+(\d{{1,2}})\.\s+({MONTH})\b", re.I)
SECONDS_SINCE_1970 = re.compile(r"(1\d{9})(?:\d{3})?")
AMERICAN = re.compile(r"(?:en(?:-us|-ph)?)?", re.I)
EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
NUMERIC = re.compile(r"(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?:/|-|$)")
CHANGED = re.compile(r"updat|modif|edited|revis|review|aktualisiert|mis à jour|actualizado|aggiornat", re.I)
DIGITS = re.compile(r"\d{4}")
EARLIEST = 1990
FIRST_BLOCKS = 400


def published(document: Document, declared: Declared, url: str, outline: Outline | None) -> str:
    """The ISO date of publication, "" when nothing says."""
    day_first = AMERICAN.fullmatch(language(document, declared)) is None
    for source in _sources(document, declared, url, outline, day_first=day_first):
        found = parse_date(source, day_first=day_first)
        if found:
            return found
    return ""


def _sources(
    document: Document, declared: Declared, url: str, outline: Outline | None, *, day_first: bool
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
    place = next((number for number, block in enumerate(blocks) if block.home.tag == "h1"), None)
    if place is None:
        return
    for block in blocks[place + 1 : place + 13] + blocks[max(0, place - 4) : place][::-1]:
        text = _short_text(block)
        if text and bool(CHANGED.search(text)) == changed:
            yield text


def _only_date(outline: Outline | None, *, day_first: bool) -> Iterator[str]:
    """The one date that the page's short texts mention, if it is the only one."""
    found: set[str] = set()
    for block in outline.blocks[:FIRST_BLOCKS] if outline else []:
        date = parse_date(_short_text(block), day_first=day_first)
        if date:
            found.add(date)
        if len(found) > 1:
            return
    yield from found


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
        found = select(document, selector)
        if 0 < len(found) <= 4:
            yield from (layout_text(element) for element in found[:2] if len(element.text) < 300)
    yield from (_stamp(element) for element in select(document, "time")[:1])


def parse_date(text: str, *, day_first: bool = False) -> str:
    """The first plausible date in a short text, as ISO; "" when there is none."""
    text = settled(text.strip()[:400])
    if since := SECONDS_SINCE_1970.fullmatch(text):
        return datetime.datetime.fromtimestamp(int(since[1]), datetime.UTC).date().isoformat()
    for pattern, order in (
        (ISO, "ymd"), (EAST_ASIAN, "ymd"), (MONTH_FIRST, "mdy"), (DAY_FIRST, "dmy"),
        (YEAR_FIRST, "ymd"), (LATVIAN, "ydm"), (COMPACT, "ymd"),
    ):  # fmt: skip
        match = pattern.search(text)
        if match and (found := _date(dict(zip(order, match.groups(), strict=True)))):
            return found
    return _numeric(text, day_first=day_first)


def _numeric(text: str, *, day_first: bool) -> str:
    """Day and month in figures: told apart by size, else by habit; in America only dots put the day first."""
    match = NUMERIC.search(text)
    if not match:
        return ""
    first, separator, second, year = match.groups()
    day_first = int(first) > 12 or ((separator == "." or day_first) and int(second) <= 12)
    day, month = (first, second) if day_first else (second, first)
    return _date({"y": year, "m": month, "d": day})


def _date(parts: dict[str, str]) -> str:
    month = MONTHS.get(parts["m"].lower()) or (int(parts["m"]) if parts["m"].isdecimal() else 0)
    try:
        found = datetime.date(common_year(int(parts["y"])), month, int(parts["d"]))
    except ValueError:
        return ""
    tomorrow = datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=1)
    return found.isoformat() if found.year >= EARLIEST and found <= tomorrow else ""
