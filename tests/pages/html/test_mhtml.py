"""Saved pages: the page comes out of its parts with its own encoding, and everything else is left alone."""

from __future__ import annotations

import base64
import quopri
import time

import pytest

from wellsourced.documents import content_kind
from wellsourced.pages.html import extract
from wellsourced.pages.html.mhtml import unwrap_saved_page

TEXT = "Хлеб и молоко продаются в Милл-Лейн каждый день с девяти до пяти, кроме воскресенья. "
PAGE = (
    f"<html><head><title>Лавка</title></head><body><article><p>{TEXT * 4}</p><p>{TEXT * 3}</p></article></body></html>"
)
IMAGE = "--b=1\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--b=1--\n"
QUOTED = quopri.encodestring(PAGE.encode()).decode()
CODED = base64.encodebytes(PAGE.encode("cp1251")).decode()
HEAD = 'MIME-Version: 1.0\nContent-Type: multipart/related;\n\ttype="text/html";\n\tboundary="b=1"\n\n'
SAVED = {
    "browser": f"From: <Saved by Blink>\nSnapshot-Content-Location: https://a.example/\n{HEAD}\n--b=1\n"
    f"Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n{QUOTED}\n{IMAGE}",
    "old browser": f"{HEAD}This is a multi-part message.\n\n--b=1\nContent-Type: text/html;\n\tcharset=windows-1251\n"
    f"Content-Transfer-Encoding: base64\n\n{CODED}\n{IMAGE}",
    "page after its picture, in a part of its own": f"{HEAD}{IMAGE[:-7]}\n--b=1\n"
    "Content-Type: multipart/alternative; boundary=c\n\n--c\nContent-Type: text/plain\n\nno\n--c\n"
    "Content-Type: text/html; charset=\"utf-8\"\nContent-Transfer-Encoding: quoted-printable\n\n"
    f"{QUOTED}\n--c--\n{IMAGE}",
    "cut off": f"{HEAD}\n--b=1\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{PAGE}",
}  # fmt: skip


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("saved", SAVED.values(), ids=SAVED)
def test_saved_page(saved: str, ends: str) -> None:
    body = saved.replace("\n", ends).encode()
    assert content_kind.kind_of(body, "application/octet-stream", "a.mhtml") is None
    page = extract.extract(body, "https://a.example/a.mhtml")
    assert page.title == "Лавка"
    assert page.plain.startswith(TEXT.strip())
    assert "�" not in page.markdown
    assert "Content-" not in page.markdown


def test_parts_announced_in_the_header() -> None:
    declared = 'multipart/related; boundary="b=1"'
    body = f"--b=1\nContent-Type: text/html; charset=utf-8\n\n{PAGE}\n{IMAGE}".encode()
    assert content_kind.kind_of(body, declared, "https://a.example/") is None
    assert extract.extract(body, "https://a.example/", declared).title == "Лавка"


def test_what_is_no_saved_page_is_left_alone() -> None:
    for body in (b"", PAGE.encode(), b"Content-Type: multipart/related is a header.", f"{HEAD}--b=1\n\nx".encode()):
        assert unwrap_saved_page(body, "text/plain") == (body, "text/plain")
    assert content_kind.kind_of(b"Note: mail says\n\ncontent-type: multipart/related\n", "text/plain", "") == "text"


def test_nesting_and_many_parts_cost_little() -> None:
    nested = "".join("Content-Type: multipart/related; boundary=x\n\n--x\n" for _ in range(50_000))
    many = HEAD + "--b=1\n\nx\n" * 300_000
    started = time.process_time()
    for body in (nested, many, HEAD + "--b=1\n" + "a: b\n" * 1_000_000):
        unwrap_saved_page(body.encode(), "")
    assert time.process_time() - started < 2
