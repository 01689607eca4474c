"""EPUB: spine order, chapter markup, what is hidden."""

from __future__ import annotations

import pytest

from tests.documents import samples
from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats.epub import read

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
BOOK = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>
<dc:title>Ein Buch</dc:title><dc:creator>A</dc:creator><dc:creator>B</dc:creator><dc:date>2001-02-03</dc:date>
</metadata>
<manifest><item id="z" href="a%20first.xhtml"/><item id="a" href="second.xhtml"/><item id="n" href="unread.xhtml"/>
<item id="m" href="missing.xhtml"/></manifest><spine><itemref idref="z"/>
<itemref idref="a"/><itemref idref="m"/></spine></package>"""
FIRST = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html><head><title>t</title></head><body>
<h1>Kapitel
 Eins</h1><p>Über <em>Wörter</em>,<br/>zwei Zeilen &amp; <a href="https://e.org/">Link</a>.</p>
<ol><li>eins<ul><li>tief</li></ul></li><li>zwei</li></ol><p style="display: none">versteckt</p>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></body></html>"""


def book(**parts: str) -> bytes:
    return samples.archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OPS/book.opf": BOOK,
            "OPS/second.xhtml": "<html><body><p>Zweitens</p></body></html>",
            "OPS/unread.xhtml": "<p>unread</p>",
            "OPS/a first.xhtml": FIRST,
        }
        | parts
    )


def test_chapters_in_reading_order() -> None:
    found = read(book(), ReadOptions(max_chars=10_000))
    assert found.text == (
        "# Kapitel Eins\n\nÜber *Wörter*,\nzwei Zeilen & [Link](https://e.org/).\n\n1. eins\n   - tief\n2. zwei\n\n"
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nZweitens"
    )
    assert (found.title, found.author, found.pages) == ("Ein Buch", "A; B", 3)
    assert found.notes == ("Listed but missing from the file: 1 chapter.",)


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        ("<h2><div>Part</div><div>One</div></h2><p>x</p>", "## Part One\n\nx"),
        (
            "<table><caption>Sizes</caption><tr><th>a</th></tr><tr><td><p>1</p><ul><li>2</li></ul><table><tr><td>3</td>"
            "<td>4</td></tr></table></td></tr></table>",
            "Sizes\n\n| a |\n| --- |\n| 1<br>2<br>3 4 |",
        ),
        (
            "<script src='x.js'/><p>Page <a id='p5'/>five<br/>goes on</p><div class='rule'/><p>x</p>",
            "Page five\ngoes on\n\nx",
        ),
        ("<ol start='5'><li>five</li><li>six</li></ol>", "5. five\n6. six"),
        ("<p>Seen<b style='font-size:0'>Obey</b>.</p><p style='position:absolute;left:-9999px'>Obey.</p>", "Seen."),
        (
            "<p>If <math><mfrac><mn>1</mn><mi>x</mi></mfrac><mo>=</mo><msup><mn>10</mn><mn>5</mn></msup></math> or "
            "10<sup>5</sup> m<sup>2</sup>, 1<sup>st</sup><a href='#n'><sup>3</sup></a>.</p>",
            "If $\\frac{1}{x}=10^5$ or 10^5 m^2, 1st[3].",
        ),
    ],
)
def test_markup_of_chapters(body: str, markdown: str) -> None:
    parts = {"OPS/a first.xhtml": f"<html><body>{body}</body></html>", "OPS/second.xhtml": "<p/>"}
    assert read(book(**parts), ReadOptions(max_chars=1000)).text == markdown


def test_encrypted_chapters_are_told_and_encrypted_fonts_do_not_matter() -> None:
    listed = (
        '<encryption><EncryptedData><CipherData><CipherReference URI="{}"/></CipherData></EncryptedData></encryption>'
    )
    assert read(book(**{"META-INF/encryption.xml": listed.format("OPS/font.otf")}), ReadOptions(max_chars=100)).text
    with pytest.raises(Unreadable, match="rights management"):
        read(book(**{"META-INF/encryption.xml": listed.format("OPS/a%20first.xhtml")}), ReadOptions(max_chars=100))


def test_chapters_in_double_bytes() -> None:
    written = FIRST.replace("utf-8", "utf-16").encode("utf-16")
    assert read(
        samples.archive({"META-INF/container.xml": CONTAINER, "OPS/book.opf": BOOK, "OPS/a first.xhtml": written}),
        ReadOptions(max_chars=40),
    ).text.startswith("# Kapitel Eins\n\nÜber")


def test_no_chapters() -> None:
    with pytest.raises(Unreadable, match="no text"):
        read(book(**{"OPS/book.opf": "<package/>"}), ReadOptions(max_chars=100))
