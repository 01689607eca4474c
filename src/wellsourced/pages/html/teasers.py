"""Pages that show the beginning of their article while their own data holds the whole of it, and do not say so.

What nobody sees is not read from there: it is said that there is more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html import dom, metadata, script_data
from wellsourced.pages.html.structured_data import DeclaredData

# Whoever shows more shows more than a teaser.
MOST_SHOWN = 400
LONG_ARTICLE = 200
MOST_PROBES, MOST_PLACES = 6, 4
# Without what is written in other ways in data: quotes, markup, ends of lines.
PROBE = late_pattern(r"[^\\<>&\"'/\n\t\u00a0\u2028]{30,60}|[\u3040-\u9fff\uac00-\ud7a3，、]{12,60}")


def count_words_in_data(markup: str, declared: DeclaredData, shown: str, words: int) -> int:
    """How long the article is in the data, where that has the text that is shown and at least as much again; else 0."""
    if words >= MOST_SHOWN:
        return 0
    probes = [found[0].strip() for line in shown.splitlines() if (found := PROBE.search(line))][:MOST_PROBES]
    if not any(_is_in_data(markup, probe) for probe in probes):
        return 0
    body = metadata.article_body(declared, only_free=False)
    text = script_data.plain_words(body)
    if 2 * sum(probe in text for probe in probes) < len(probes):
        body = ""
    fullest = max(body, script_data.fuller_text(dom.parse(markup), probes), key=len)
    there = len(script_data.plain_words(fullest.replace("</p>", " </p>")).split())
    return there if there >= max(LONG_ARTICLE, 2 * words) else 0


def _is_in_data(markup: str, probe: str) -> bool:
    """Whether it stands in a script or an attribute, in one of the first places or in the last one."""
    return any(
        _is_in_tag(markup, place) for written in {probe, json.dumps(probe)[1:-1]} for place in _places(markup, written)
    )


def _places(markup: str, text: str) -> Iterator[int]:
    place = markup.find(text)
    for _ in range(MOST_PLACES):
        if place < 0:
            return
        yield place
        place = markup.find(text, place + 1)
    yield markup.rfind(text)


def _is_in_tag(markup: str, place: int) -> bool:
    """Descriptions for search engines, which nearly all pages have, hold no more than is shown."""
    if markup.rfind("<script", 0, place) > markup.rfind("</script", 0, place):
        return True
    start = markup.rfind("<", 0, place)
    return start > markup.rfind(">", 0, place) and not markup.startswith("<meta", start)
