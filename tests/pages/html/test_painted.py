"""Random pages, judged by what Chromium paints: no hidden word comes through, next to no visible one is lost.

By default the few pages that have every kind of rule between them, and some more; RANDOM_PAGES=500 for so many others,
from RANDOM_START on.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterable

from tests.net.browser.browsing import chromium
from tests.pages.html.painted import KINDS, PageMaker, painter
from wellsourced.pages.html import blocks, dom, hidden
from wellsourced.pages.html.css_conditions import ANSWERED

__all__ = ["chromium"]
START, PAGES = int(os.environ.get("RANDOM_START", "0")), int(os.environ.get("RANDOM_PAGES", "0"))
AMONG, FURTHER = 400, 12
MOST_LOST = 0.01


def words_read(html: str) -> set[str]:
    document = dom.parse(html)
    hidden.remove_hidden(document)
    outline = blocks.outline(document)
    assert outline is not None
    return set(re.findall(r"word\d+x", " ".join(block.text for block in outline.blocks)))


def covering_seeds() -> tuple[list[int], frozenset[str]]:
    """Seeds of pages that together have every kind of rule, and the kinds that none of them has."""
    used = {seed: PageMaker(seed).made_of() for seed in range(START, START + AMONG)}
    chosen, missing = list[int](), KINDS
    while gains := {seed: len(kinds & missing) for seed, kinds in used.items() if kinds & missing}:
        best = max(gains, key=gains.__getitem__)
        chosen.append(best)
        missing -= used[best]
    return chosen, missing


def test_every_kind_of_rule_is_asked() -> None:
    seeds, missing = covering_seeds()
    assert not missing
    assert len(seeds) < AMONG / 4


def test_random_pages(chromium: str) -> None:
    others = range(START + AMONG, START + AMONG + FURTHER)
    asyncio.run(compare_pages(chromium, range(START, START + PAGES) if PAGES else [*covering_seeds()[0], *others]))


def test_what_is_asked_of_a_browser_is_answered_as_chromium_does(chromium: str) -> None:
    async def ask() -> dict[str, bool]:
        async with painter(chromium) as browser:
            return {each: await browser.supports(each) for each in ANSWERED}

    assert asyncio.run(ask()) == ANSWERED


async def compare_pages(chromium: str, seeds: Iterable[int]) -> None:
    leaked, lost, seen = [], [], 0
    async with painter(chromium) as browser:
        for seed in seeds:
            html = PageMaker(seed).page()
            painted, read = await browser.painted_words(html), words_read(html)
            if any(shown != (word in read) for word, shown in painted.items()):
                # On a busy machine a picture can be taken before all is drawn.
                painted = await browser.painted_words(html)
            seen += sum(painted.values())
            leaked += [(seed, word) for word, shown in painted.items() if not shown and word in read]
            lost += [(seed, word) for word, shown in painted.items() if shown and word not in read]
    assert not leaked
    assert len(lost) <= MOST_LOST * seen, lost
