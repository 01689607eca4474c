"""When a page was published: the page's own date, and none where it does not say."""

from __future__ import annotations

import pytest

from wellsourced.pages.html import blocks, dates, dom, structured_data

TEXTS = {
    "2020-05-03T23:00:00+02:00": "2020-05-03",
    "May 3rd, 2020": "2020-05-03",
    "3. Mai 2020": "2020-05-03",
    "3 de mayo de 2020": "2020-05-03",
    "le 3 août 2020": "2020-08-03",
    "3 мая 2020": "2020-05-03",
    "2020年5月3日": "2020-05-03",
    "2020년 5월 3일": "2020-05-03",
    "20200503": "2020-05-03",
    "3 maja 2020": "2020-05-03",
    "3. května 2020": "2020-05-03",
    "3 травня 2020": "2020-05-03",
    "2020. május 3.": "2020-05-03",
    "3 مايو 2020": "2020-05-03",
    "۳ مه ۲۰۲۰": "2020-05-03",
    "3 במאי 2020": "2020-05-03",
    "3 मई 2020": "2020-05-03",
    "3 พฤษภาคม 2563": "2020-05-03",
    "3. svibnja 2020.": "2020-05-03",
    "3. listopada 2020.": "2020-10-03",
    "3 listopada 2020": "2020-11-03",
    "3. maj 2020": "2020-05-03",
    "3. септембар 2020.": "2020-09-03",
    "3. novembra 2020.": "2020-11-03",
    "3. avgust 2020": "2020-08-03",
    "3. detsember 2020": "2020-12-03",
    "2020. gada 3. jūnijā": "2020-06-03",
    "2020 m. gegužės 3 d.": "2020-05-03",
    "3 ta’ Mejju 2020": "2020-05-03",
    "3 Bealtaine 2020": "2020-05-03",
    "3. júlí 2020": "2020-07-03",
    "2020. márc. 3.": "2020-03-03",
    "3 Μαΐου 2020": "2020-05-03",
    "1588500000": "2020-05-03",
    "1588500000123": "2020-05-03",
    "03.05.2020": "2020-05-03",
    "05/03/2020": "2020-05-03",
    "25/03/2020": "2020-03-25",
    "Published: Sept. 9, 2021 by us": "2021-09-09",
    "2020-13-45": "",
    "31 February 2020": "",
    "May 3, 2999": "",
    "call 2020-0503-12": "",
    "no date": "",
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.items())
def test_parse(text: str, expected: str) -> None:
    assert dates.parse_date(text) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [("", "2020-05-03"), ("en-US", "2020-05-03"), ("fr", "2020-03-05"), ("en-GB", "2020-03-05")],
)
def test_the_order_of_figures_is_the_language_s(language: str, expected: str) -> None:
    document = dom.parse(f"<html lang='{language}'><body><h1>T</h1><p>05/03/2020</p></body></html>")
    declared = structured_data.read(document)
    assert dates.published(document, declared, "https://e.example/", blocks.outline(document)) == expected


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
    declared = structured_data.read(document)
    assert dates.published(document, declared, url or "https://e.example/", blocks.outline(document)) == expected
