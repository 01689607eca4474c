"""Kinds by bytes, whatever the header and the name claim."""

from __future__ import annotations

import contextlib
import time

import pytest

from tests.documents import samples
from wellsourced.documents.content_kind import kind_of
from wellsourced.documents.document import Unreadable

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 500
XLSX_INSIDE = samples.archive({"xl/workbook.xml": "x", "xl/worksheets/sheet1.xml": "x", "xl/styles.xml": "x"}, 0)


@pytest.mark.parametrize(
    ("body", "declared", "url", "kind"),
    [
        (b"%PDF-1.7\n", "text/html", "https://a.example/x", "pdf"),
        (b"junk\n\n" + b"%PDF-1.4\n", "", "x", "pdf"),
        (b"%\xe2\xe3\n1 0 obj\n<<>>\nendobj\ntrailer\nstartxref\n9\n%%EOF", "", "x", "pdf"),
        (samples.docx("<w:p/>"), "application/octet-stream", "a.bin", "docx"),
        (samples.docx("", {"word/embeddings/a.xlsx": XLSX_INSIDE, "word/styles.xml": "x"}), "", "", "docx"),
        (samples.pptx({"slide1": ""}, ["slide1"]), "application/pdf", "a.pdf", "pptx"),
        (samples.xlsx({"A": ""}), "", "", "xlsx"),
        (samples.archive({"mimetype": "application/epub+zip"}, 0), "", "", "epub"),
        (samples.archive({"mimetype": "application/vnd.oasis.opendocument.text"}, 0), "", "", "odt"),
        (samples.archive({"content.xml": "<a/>", "META-INF/manifest.xml": "<a/>"}), "", "a.ods", "odt"),
        (b"{\\rtf1 hi}", "application/msword", "a.doc", "rtf"),
        (b"\n<p>No header says what this is.</p>", "", "", None),
        (b'\xef\xbb\xbf {"a": 1}', "text/html", "", "json"),
        (b"[1, 2]", "", "", "json"),
        (b"{ not json, just prose }", "text/plain", "", "text"),
        (b'<?xml version="1.0"?>\n<rss version="2.0"><channel/></rss>', "text/html", "", "feed"),
        ('<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"/>'.encode("utf-16"), "", "", "feed"),
        (b"<!-- x --><!DOCTYPE HTML><html><body>rss feed <rss ></body>", "text/plain", "", None),
        (b"<p>fragment</p>", "text/html; charset=utf-8", "", None),
        (b"a,b\n1,2\n", "text/csv", "", "csv"),
        (b"a;b\n1;2\n", "application/octet-stream", "https://a.example/t.csv?x=1", "csv"),
        ("Größe und Länge".encode("cp1252"), "", "notes", "text"),
        ("日本語のテキスト".encode("utf-16-le"), "", "", "text"),
        (b"BM is short for business model", "text/plain", "", "text"),
    ],
)
def test_kind(body: bytes, declared: str, url: str, kind: str | None) -> None:
    assert kind_of(body, declared, url) == kind


@pytest.mark.parametrize(
    ("body", "url", "words"),
    [
        (b"", "", "empty"),
        (OLE + "WordDocument".encode("utf-16-le"), "a.doc", "old binary format (.doc)"),
        (OLE + "EncryptedPackage".encode("utf-16-le") + "WordDocument".encode("utf-16-le"), "a.docx", "password"),
        (OLE + "Root EntryWorkbook_MBDWordDocument".encode("utf-16-le"), "a.xls", "spreadsheet in the old binary"),
        (OLE + "__nameid_version1.0".encode("utf-16-le"), "a.msg", "Outlook message (.msg)"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, "a.pdf", "image (PNG)"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>', "", "SVG"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 " + b"\x00" * 40, "", "WebP"),
        (samples.archive({"a.txt": "x"}), "a.zip", "zip archive"),
        (samples.archive({"Index/Document.iwa": b"x"}), "a.pages", "Apple Pages"),
        (samples.archive({"xl/workbook.bin": b"x"}), "a.xlsx", "binary format (.xlsb)"),
        (bytes(range(256)) * 8, "a.bin", "unknown format"),
        (b"Just words", "a.docx", "not of that format"),
    ],
)
def test_refusals_say_what_it_is(body: bytes, url: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words.replace("(", r"\(").replace(")", r"\)")):
        kind_of(body, "", url)


def test_costs_linear_time_on_hostile_bytes() -> None:
    started = time.process_time()
    for body in (b"<!--" * 2_000_000, b"PK\x03\x04" * 2_000_000, b" 0 obj" * 1_000_000, b"[" * 8_000_000):
        with contextlib.suppress(Unreadable):
            kind_of(body, "text/html", "x")
    assert time.process_time() - started < 3
