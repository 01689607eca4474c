"""A page comes out of the cache as it went in, and takes little more room than its markdown."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from wellsourced.pages.attempts import Reading
from wellsourced.pages.page import Page, StructuredData
from wellsourced.pages.page_cache import PIECE, PageCache
from wellsourced.storage.cache import sqlite_table
from wellsourced.storage.cache.cache import Cache

ADDRESS = "https://example.org/tides"


@pytest.mark.parametrize("length", [0, 10, PIECE - 1, PIECE, 5 * PIECE + 3])
def test_a_page_comes_back_as_it_was(length: int) -> None:
    text = "".join(chr(ord("a") + place * place % 26) if place % 7 else " é" for place in range(length))
    page = Page(url=ADDRESS, markdown=f"# {text}", plain=text, structured=StructuredData(open_graph={"a": text}))
    found = asyncio.run(stored(page))[0]
    assert found is not None
    assert found.is_kept
    assert found.found is not None
    assert replace(found, found=None, is_kept=False) == Reading(page=page, notes=("one",))


def test_what_a_page_says_twice_is_kept_once() -> None:
    text = " ".join(f"{place * 7919 % 99991:05d}" for place in range(20_000))
    one, both = (asyncio.run(stored(Page(url=ADDRESS, markdown=text, plain=plain)))[1] for plain in ("", text))
    assert both < 1.3 * one


async def stored(page: Page) -> tuple[Reading | None, int]:
    """What is found of a page, and the bytes that it takes on disk."""
    cache = Cache(None, 2**24, 0)
    pages = PageCache(cache)
    await pages.store_reading(ADDRESS, Reading(page=page, notes=("one",)))
    entry = await cache.get(pages.key(ADDRESS))
    assert entry is not None
    return await pages.find_reading(ADDRESS), len(sqlite_table._packed(entry.value)[1])
