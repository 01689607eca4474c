"""Machine-readable data a page carries in its head: JSON-LD, OpenGraph and Highwire citation tags.

Bounds are the contract's: 16 JSON-LD blocks of 32 KB, 64 KB together, 64 meta properties of 2 KB. It is
foreign data: kept as it was found but for letters nobody can see (Unicode tags), never acted upon.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.dom import Document, attribute, select
from wellsourced.pages.html.hidden import strip_invisible
from wellsourced.pages.page import StructuredData
from wellsourced.text.plain_text import single_spaced

CONTENT_TYPES = (
    "newsarticle", "article", "blogposting", "techarticle", "scholarlyarticle", "report", "reportagenewsarticle",
    "analysisnewsarticle", "opinionnewsarticle", "reviewnewsarticle", "socialmediaposting", "discussionforumposting",
    "medicalwebpage", "recipe", "howto", "review", "learningresource", "question", "qapage", "creativework",
    "videoobject", "backgroundnewsarticle", "askpublicnewsarticle", "liveblogposting", "medicalscholarlyarticle",
    "satiricalarticle", "advertisercontentarticle",
)  # fmt: skip
OPENING = late_pattern(r"<!--|(?://|/\*)?\s*<!\[CDATA\[(?:\*/)?")
CLOSING = late_pattern(r"(?:-->|(?://|/\*)?(?<!\s)\s*+\]\]>(?:\*/)?)\Z")
TAGS = late_pattern("[\U000e0000-\U000e0fff]")
TAG_ESCAPE = "\\udb40"
LONGEST_CLOSING = 40
MAX_BLOCKS = 16
MAX_BLOCK_BYTES = 32 * 1024
MAX_TOTAL_BYTES = 64 * 1024
MAX_PROPERTIES = 64
MAX_VALUE_BYTES = 2 * 1024
MAX_THINGS = 500
MAX_READ_BYTES = 512 * 1024


def clean_text(text: str) -> str:
    """One line without invisible characters."""
    return single_spaced(strip_invisible(text[:5000]))


@dataclass(frozen=True, slots=True)
class DeclaredData:
    """Everything a page declares about itself. `meta` has lower-case names; of several equal names the first."""

    data: StructuredData
    meta: Mapping[str, tuple[str, ...]]
    things: tuple[Mapping[str, Any], ...]

    def first(self, *names: str) -> str:
        return next((value for name in names for value in self.meta.get(name, ()) if value), "")

    def of_type(self, *types: str) -> Iterator[Mapping[str, Any]]:
        wanted = set(types)
        return (thing for thing in self.things if wanted & type_names(thing))


def read_structured_data(document: Document) -> DeclaredData:
    blocks, given = _json_ld(document)
    meta = _meta(document)
    graph = {n: v[0] for n, v in meta.items() if n.startswith(("og:", "article:"))}
    cited = {n: "; ".join(v) for n, v in meta.items() if n.startswith("citation_")}
    data = StructuredData(json_ld=tuple(given), open_graph=_bounded(graph), citation=_bounded(cited))
    return DeclaredData(data, meta, tuple(_things(blocks)))


def type_names(thing: Mapping[str, Any]) -> set[str]:
    """The thing's schema.org types, without prefix and in lower case."""
    value = thing.get("@type")
    names = value if isinstance(value, list) else [value]
    return {name.rpartition("/")[2].rpartition(":")[2].lower() for name in names if isinstance(name, str)}


def _json_ld(document: Document) -> tuple[list[Any], list[Any]]:
    """Every block that can be read, and those of them that are small enough to hand on."""
    results: list[Any] = []
    given: list[Any] = []
    unread, space_left = MAX_READ_BYTES, MAX_TOTAL_BYTES
    for script in select(document, 'script[type="application/ld+json" i]')[: 4 * MAX_BLOCKS]:
        text = _unwrapped(script.text)
        size = len(text.encode("utf-8", "replace"))
        if size > unread:
            continue
        unread -= size
        try:
            results.append(_without_tags(json.loads(text, strict=False), text))
        except (ValueError, RecursionError):
            continue
        if len(given) < MAX_BLOCKS and size <= min(space_left, MAX_BLOCK_BYTES):
            space_left -= size
            given.append(results[-1])
    return results, given


def _without_tags(block: Any, text: str) -> Any:
    """Tags spell whole sentences to a machine and none to a reader, in the page's text as in its JSON escapes."""
    if TAG_ESCAPE not in text.lower() and not TAGS.search(text):
        return block
    return json.loads(TAGS.sub("", json.dumps(block, ensure_ascii=False)))


def _unwrapped(script: str) -> str:
    """Without what old pages put around a script so that older browsers pass over it."""
    text = script.strip()
    opening = OPENING.match(text)
    closing = CLOSING.search(text, max(0, len(text) - LONGEST_CLOSING))
    return text[opening.end() if opening else 0 : closing.start() if closing else len(text)].strip()


def _meta(document: Document) -> dict[str, tuple[str, ...]]:
    results: dict[str, list[str]] = {}
    for tag in select(document, "meta[content]"):
        name = attribute(tag, "property") or attribute(tag, "name") or attribute(tag, "itemprop")
        value = strip_invisible(attribute(tag, "content"))
        if name and value and (name.lower() in results or len(results) < 4 * MAX_PROPERTIES):
            values = results.setdefault(name.lower(), [])
            if len(values) < MAX_PROPERTIES:
                values.append(value)
    return {name: tuple(values) for name, values in results.items()}


def _bounded(properties: Mapping[str, str]) -> dict[str, str]:
    """At most 64 properties; a value that is too long is cut at a character's end."""
    kept = list(properties.items())[:MAX_PROPERTIES]
    return {name: value.encode()[:MAX_VALUE_BYTES].decode("utf-8", "ignore") for name, value in kept}


def _things(blocks: list[Any]) -> Iterator[Mapping[str, Any]]:
    """The objects of the JSON-LD blocks, outermost first, lists and graphs opened; a bounded number."""
    queue = list(blocks)
    given = 0
    while queue and given < MAX_THINGS:
        item = queue.pop(0)
        if isinstance(item, list):
            queue.extend(item[:MAX_THINGS])
        elif isinstance(item, dict):
            given += 1
            yield item
            queue.extend(value for key, value in item.items() if key in {"@graph", "mainEntity", "mainEntityOfPage"})
