"""Hostile zip packages and XML, and damage of any kind."""

from __future__ import annotations

import struct
import time
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents import samples
from wellsourced.documents.document import Unreadable
from wellsourced.documents.zip_package import MOST_MEMBERS, ZipPackage
from wellsourced.errors import WellsourcedError
from wellsourced.sandbox import reading

LAUGHS = "<!DOCTYPE l [<!ENTITY a '" + "ha" * 50 + "'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(9)
) + "]>"  # fmt: skip


def test_zip_bomb_is_refused_early_and_in_little_memory() -> None:
    bomb = samples.archive({"word/document.xml": b"<a>" + b" " * (130 * 2**20)})
    assert len(bomb) < 2**19
    tracemalloc.start()
    with pytest.raises(Unreadable, match="zip bomb"):
        ZipPackage(bomb, "Word document").read("word/document.xml")
    assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    tracemalloc.stop()


def test_directory_that_lies_about_sizes() -> None:
    bomb = bytearray(samples.archive({"word/document.xml": b"<a>" + b" " * (100 * 2**20)}))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = bomb.rindex(mark)
        bomb[place + offset : place + offset + 4] = struct.pack("<I", 10)
    with pytest.raises(Unreadable, match=r"damaged|zip bomb"):
        reading.parse_document("docx", bytes(bomb), max_chars=100)


def test_bomb_spread_over_many_members() -> None:
    slides = {f"slide{n}": f"<a>{' ' * (7 * 2**20)}</a>" for n in range(30)}
    started = time.process_time()
    with pytest.raises(Unreadable):
        reading.parse_document("pptx", samples.pptx(slides, slides), max_chars=10**6)
    assert time.process_time() - started < 10


def test_too_many_members() -> None:
    body = samples.archive({f"{n}": b"" for n in range(MOST_MEMBERS + 1)}, zipfile.ZIP_STORED)
    with pytest.raises(Unreadable, match="more than"):
        ZipPackage(body, "Word document")


def test_zips_in_zips_are_not_opened() -> None:
    inner = samples.docx("<w:p/>")
    for _ in range(30):
        inner = samples.archive({"word/embeddings/next.docx": inner, "word/document.xml": "<a/>"}, zipfile.ZIP_STORED)
    with pytest.raises(Unreadable, match="main text is missing"):
        reading.parse_document("docx", inner, max_chars=100)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_billion_laughs(encoding: str) -> None:
    xml = (
        f"{LAUGHS}<w:document xmlns:w='{samples.W}'><w:body><w:p><w:r><w:t>&j;</w:t></w:r></w:p></w:body></w:document>"
    )
    with pytest.raises(Unreadable, match="entities"):
        reading.parse_document("docx", samples.archive({"word/document.xml": xml.encode(encoding)}), max_chars=100)


def test_outside_entities_are_not_read() -> None:
    xml = '<!DOCTYPE x SYSTEM "file:///etc/passwd"><w:document xmlns:w="u"><w:body><w:p><w:r><w:t>ok</w:t></w:r></w:p>'
    xml += "</w:body></w:document>"
    assert reading.parse_document("docx", samples.archive({"word/document.xml": xml}), max_chars=100).text == "ok"


SAMPLES = {
    "docx": samples.docx("<w:p><w:r><w:t>words</w:t></w:r></w:p>"),
    "pptx": samples.pptx({"slide1": samples.shape("title", "T")}, ["slide1"]),
    "xlsx": samples.xlsx({"A": '<row><c r="A1"><v>1</v></c></row>'}),
    "rtf": rb"{\rtf1\ansi some {\b bold} text\par}",
    "feed": b"<rss><channel><title>x</title><item><title>y</title></item></channel></rss>",
}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_damage_gives_a_document_or_a_sentence(kind: str, data: st.DataObject) -> None:
    body = bytearray(SAMPLES[kind])
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
        if not body:
            return
    try:
        assert reading.parse_document(kind, bytes(body), max_chars=500).text
    except WellsourcedError as refusal:
        sentence = refusal.sentence
    else:
        return
    assert sentence.endswith(".")
