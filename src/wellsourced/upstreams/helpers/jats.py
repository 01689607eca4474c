"""Titles and abstracts in JATS, the publishers' XML, as plain text.

Crossref hands them over as fragments, with or without the `jats:` prefix and not always well-formed, so tags are taken
out one by one instead of parsed. Formulas come twice, as TeX and as MathML; the TeX goes.
"""

from __future__ import annotations

import re
from typing import Any

from wellsourced.text.plain_text import strip_markup

LONGEST_ABSTRACT = 100_000
TAG = re.compile(r"<(/?)(?:[a-z]{1,10}:)?([a-zA-Z][a-zA-Z0-9-]{0,40})(?:[\s/][^<>]{0,500})?>")
SPACED = frozenset(
    {"p", "sec", "title", "abstract", "list", "list-item", "break", "disp-formula", "label", "div", "br"}
)
HEADINGS = frozenset({"abstract", "summary", "résumé", "zusammenfassung", "resumen", "要約", "摘要"})
DROPPED = frozenset({"tex-math", "annotation"})
LONGEST_TITLE = 5000
TITLE_NAMES = (
    "alternatives|annotation|bold|inf|inline-formula|italic|math|mfenced|mfrac|mi|mmultiscripts|mn|mo|monospace|mover"
    "|mpadded|mroot|mrow|mspace|msqrt|mstyle|msub|msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|named-content|roman"
    "|sc|scp|semantics|styled-content|tex-math|underline"
)
TITLE_TAG = re.compile(
    rf"</?(?:(?:jats|mml|m):[a-z][a-z0-9-]{{0,40}}|{TITLE_NAMES})(?:[\s/][^<>]{{0,500}})?>", re.IGNORECASE
)
TOLD_TWICE = re.compile(r"<(?:jats:|mml:)?(tex-math|annotation)(?:\s[^<>]{0,500})?>[^<>]{0,2000}</[^<>]{0,60}>")
STILL_ESCAPED = re.compile(r"</[a-z]|&(?:[a-z]{2,8}|#[0-9]{2,6});", re.IGNORECASE)


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
    text = strip_markup("".join([*kept, fragment[position:LONGEST_ABSTRACT]]))
    return strip_markup(TITLE_TAG.sub("", text)) if STILL_ESCAPED.search(text) else text


def title_text(title: Any) -> str:
    """One line without markup that only typesetters use, be it escaped once more than it should be. Of a list the
    first. Words in angle brackets that are no such tag stay: `vector<int>`."""
    values = title if isinstance(title, list) else [title]
    return next((text for item in values if isinstance(item, str) and (text := _plain_title(item))), "")


def _plain_title(title: str) -> str:
    text = _without_tags(title[:LONGEST_TITLE])
    return _without_tags(text) if STILL_ESCAPED.search(text) else text


def _without_tags(title: str) -> str:
    once = TOLD_TWICE.sub("", title) if "mml:math" in title or "<math" in title else title
    return strip_markup(TITLE_TAG.sub("", once))


def _finish_heading(kept: list[str], start: int) -> None:
    words = " ".join("".join(kept[start:]).split())
    del kept[start:]
    if words and words.rstrip(":.").casefold() not in HEADINGS:
        kept.append(f" {words}" if words.endswith((":", ".", "?", "!")) else f" {words}:")
