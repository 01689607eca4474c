"""Random pages, judged by what Chromium paints: no hidden word comes through, next to no visible one is lost.

Few pages by default; RANDOM_PAGES=500 for all, RANDOM_START for others.
"""

from __future__ import annotations

import asyncio
import os
import re

from tests.net.browser.browsing import chromium
from tests.pages.html.painted import PageMaker, painter
from wellsourced.pages.html import blocks, dom, hidden

__all__ = ["chromium"]
START, PAGES = int(os.environ.get("RANDOM_START", "0")), int(os.environ.get("RANDOM_PAGES", "12"))
MOST_LOST = 0.01


def words_read(html: str) -> tuple[set[str], bool]:
    """The words that are read, and whether the answer says that hidden text could not be ruled out."""
    document = dom.parse(html)
    removed = hidden.remove_hidden(document)
    outline = blocks.outline(document)
    assert outline is not None
    return set(re.findall(r"word\d+x", " ".join(block.text for block in outline.blocks))), removed.unsure


def test_random_pages(chromium: str) -> None:
    asyncio.run(compare_pages(chromium))


async def compare_pages(chromium: str) -> None:
    leaked, lost, seen = [], [], 0
    async with painter(chromium) as browser:
        for seed in range(START, START + PAGES):
            html = PageMaker(seed).page()
            painted = await browser.painted_words(html)
            read, unsure = words_read(html)
            seen += sum(painted.values())
            leaked += [(seed, word) for word, shown in painted.items() if not shown and word in read]
            lost += [(seed, word) for word, shown in painted.items() if shown and word not in read and not unsure]
    assert not leaked
    assert len(lost) <= MOST_LOST * seen, lost
