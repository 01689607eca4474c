"""Chapters of books: what XHTML closes with a slash, and markup made to be slow."""

from __future__ import annotations

import time

import pytest

from wellsourced.documents.chapters import chapter_blocks


def test_an_element_closed_with_a_slash_holds_nothing() -> None:
    chapter = b"<html><head><title/></head><body><h1>One</h1><style/><p>Tides <span/>rise.</p><hr/></body></html>"
    assert chapter_blocks(chapter) == ["# One", "Tides rise.", "---"]


@pytest.mark.parametrize("piece", ["<a ", "<a b='", "<a/", '<a b="x" ', "<p/>", "<div>"])
def test_hostile_chapters_take_no_time(piece: str) -> None:
    started = time.process_time()
    chapter_blocks((piece * 50_000).encode())
    assert time.process_time() - started < 5
