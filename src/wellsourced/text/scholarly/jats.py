"""Abstracts in JATS, the publishers' XML, as plain text.

Crossref hands them over as fragments, with or without the `jats:` prefix and not always well-formed, so tags are taken
out one by one instead of parsed. Formulas come twice, as TeX and as MathML; the TeX goes.
"""

from __future__ import annotations

import re

from wellsourced.text.markup import plain

LONGEST_ABSTRACT = 100_000
TAG = re.compile(r"<(/?)(?:[a-z]{1,10}:)?([a-zA-Z][a-zA-Z0-9-]{0,40})(?:[\s/][^<>]{0,500})?>")
SPACED = frozenset(
    {"p", "sec", "title", "abstract", "list", "list-item", "break", "disp-formula", "label", "div", "br"}
)
HEADINGS = frozenset({"abstract", "summary", "résumé", "zusammenfassung", "resumen", "要約", "摘要"})
DROPPED = frozenset({"tex-math", "annotation"})


def abstract_text(fragment: str) -> str:
    """One line. Headings of parts stay, followed by a colon; a heading that only says "Abstract" goes."""
    kept: list[str] = []
    position, hidden = 0, 0
    heading_from: int | None = None
    for tag in TAG.finditer(fragment[:LONGEST_ABSTRACT]):
        name, closes = tag[2].lower(), bool(tag[1])
        if not hidden:
            kept.append(fragment[position : tag.start()])
        hidden = max(0, hidden + (-1 if closes else 1)) if name in DROPPED and not tag[0].endswith("/>") else hidden
        position = tag.end()
        if name == "title":
            if closes and heading_from is not None:
                _finish_heading(kept, heading_from)
            heading_from = None if closes else len(kept)
        if name in SPACED:
            kept.append(" ")
    return plain("".join([*kept, fragment[position:LONGEST_ABSTRACT]]))


def _finish_heading(kept: list[str], start: int) -> None:
    words = " ".join("".join(kept[start:]).split())
    del kept[start:]
    if words and words.rstrip(":.").casefold() not in HEADINGS:
        kept.append(f" {words}" if words.endswith((":", ".", "?", "!")) else f" {words}:")
