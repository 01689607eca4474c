"""Pages that show the beginning of their article while their own data holds the whole of it, and do not say so.

What is for subscribers is not read from there: it is said that there is more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from wellsourced.late_dataclass import dataclass
from wellsourced.pages.html import dom, metadata, script_data
from wellsourced.pages.html.blocks import Outline
from wellsourced.pages.html.structured_data import DeclaredData

# Whoever shows more shows more than a teaser.
MOST_SHOWN = 400
LONG_ARTICLE = 200
MOST_PROBES = 6
# Without what is written in other ways in data: quotes, markup, ends of lines.
PROBE = re.compile(r"[^\\<>&\"'/\n\t\u00a0\u2028]{30,60}|[\u3040-\u9fff\uac00-\ud7a3，、]{12,60}")


@dataclass(frozen=True, slots=True)
class FullerText:
    """The article as the page's data has it, as markup, and its words."""

    markup: str
    words: int


def find_fuller_text(markup: str, declared: DeclaredData, shown: str, words: int) -> FullerText | None:
    """Where the data has the text that is shown, and at least as much again."""
    if words >= MOST_SHOWN:
        return None
    probes = [found[0].strip() for line in shown.splitlines() if (found := PROBE.search(line))][:MOST_PROBES]
    if not any(_is_in_data(markup, probe) for probe in probes):
        return None
    told = metadata.article_body(declared, only_free=False)
    text = script_data.plain_words(told)
    if 2 * sum(probe in text for probe in probes) < len(probes):
        told = ""
    fullest = max(told, script_data.fuller_text(dom.parse(markup), probes), key=len)
    there = len(script_data.plain_words(fullest.replace("</p>", " </p>")).split())
    return FullerText(fullest, there) if there >= max(LONG_ARTICLE, 2 * words) else None


def _is_in_data(markup: str, probe: str) -> bool:
    """Whether it stands in a script or an attribute, where it is first or last in the page."""
    return any(
        _is_in_tag(markup, place)
        for written in {probe, json.dumps(probe)[1:-1]}
        for place in (markup.find(written), markup.rfind(written))
        if place >= 0
    )


def _is_in_tag(markup: str, place: int) -> bool:
    return any(
        markup.rfind(start, 0, place) > markup.rfind(end, 0, place)
        for start, end in (("<script", "</script"), ("<", ">"))
    )


def is_for_all(declared: DeclaredData, outline: Outline | None) -> bool:
    """Whether the page neither declares nor says that the rest is for subscribers."""
    from wellsourced.pages.walls import signs

    said = signs.normalise_speech(" ".join(_short_texts(outline)))
    return metadata.is_free(declared) and not any(sentence in said for sentence in signs.PAYWALL_SENTENCES)


def _short_texts(outline: Outline | None) -> Iterator[str]:
    return (block.text[:1000] for block in (outline.blocks if outline else ()))
