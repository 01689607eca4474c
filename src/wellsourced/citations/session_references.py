"""Sources of a research session as references."""

from __future__ import annotations

from dataclasses import replace

from wellsourced.citations.reference import Reference
from wellsourced.citations.webpage_citation import page_reference
from wellsourced.tool.sources import FoundSource

ARTICLES = frozenset({"academic"})


def reference_from_source(source: FoundSource) -> Reference:
    """What was recorded of a source; a page keeps the address at which it was found."""
    found = page_reference(source.url, source.title, source.author or "", "", source.date or "", source.doi or "")
    return replace(found, type="article-journal") if source.type in ARTICLES else found
