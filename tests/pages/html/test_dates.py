"""When a page was published: the page's own date, and none where it does not say."""

from __future__ import annotations

import pytest

from wellsourced.pages.html import blocks, dates, dom, structured_data


@pytest.mark.parametrize(
    ("language", "expected"),
    [("", "2020-05-03"), ("en-US", "2020-05-03"), ("fr", "2020-03-05"), ("en-GB", "2020-03-05")],
)
def test_the_order_of_figures_is_the_language_s(language: str, expected: str) -> None:
    document = dom.parse(f"<html lang='{language}'><body><h1>T</h1><p>05/03/2020</p></body></html>")
    declared = structured_data.read_structured_data(document)
    assert dates.find_published_date(document, declared, "https://e.example/", blocks.outline(document)) == expected


PAGES = {
    "declared": (
        '<meta property="article:published_time" content="2020-05-03T10:00:00Z">',
        "<h1>T</h1><p>May 9, 2021</p>",
        "",
        "2020-05-03",
    ),
    "microdata": ("", "<time itemprop=datePublished datetime=2020-05-03>x</time>", "", "2020-05-03"),
    "address": ("", "<p>x</p>", "https://e.example/2020/05/03/story", "2020-05-03"),
    "below the heading": ("", "<h1>T</h1><p>Ada, May 3, 2020</p><p>text</p><p>May 9, 2021</p>", "", "2020-05-03"),
    "change is not publication": (
        "",
        "<h1>T</h1><p>Updated May 9, 2021</p><p>Posted May 3, 2020</p>",
        "",
        "2020-05-03",
    ),
    "modified is not published": ('<meta property="article:modified_time" content="2020-05-03">', "<p>x</p>", "", ""),
    "dates of other things": ("", "<p>On May 3, 2020</p><p>On May 4, 2020</p>", "", ""),
    "running text": ("", f"<p>{'many words of running text ' * 5} on May 3, 2020.</p>", "", ""),
}


@pytest.mark.parametrize(("head", "body", "url", "expected"), PAGES.values(), ids=PAGES)
def test_published(head: str, body: str, url: str, expected: str) -> None:
    document = dom.parse(f"<head>{head}</head><body>{body}</body>")
    declared = structured_data.read_structured_data(document)
    assert (
        dates.find_published_date(document, declared, url or "https://e.example/", blocks.outline(document)) == expected
    )
