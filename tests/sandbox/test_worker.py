"""What is the same for documents of every kind: nothing that nobody can see comes out of them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.documents import samples
from wellsourced.documents.document import Unreadable
from wellsourced.sandbox import reading

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
HIDDEN = f"{TAGS}\u200b\u202e\u2066\u3164\ufe01\ufe02"
FEED = (
    f"<rss version='2.0'><channel><title>News{HIDDEN}</title><item><title>One{HIDDEN}</title>"
    f"<link>https://a.example/1</link><author>Ann{HIDDEN}</author><description>Words.{HIDDEN}</description></item>"
    "</channel></rss>"
)
DOCUMENTS: dict[str, str | bytes] = {
    "text": f"A line.{HIDDEN}\n\nAnother.",
    "csv": f"name{HIDDEN},value\nAnn{HIDDEN},1\n",
    "json": json.dumps({"name": f"Ann{HIDDEN}"}, ensure_ascii=False),
    "feed": FEED,
    "rtf": r"{\rtf1\ansi {\info{\title T\u8203?\u8238?}} Words\u8203?\u8238?\u8294?.}",
    "docx": samples.docx(f"<w:p><w:r><w:t>Words.{HIDDEN}</w:t></w:r></w:p>"),
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_characters_without_a_shape_are_left_out_of_every_document(kind: str) -> None:
    body = DOCUMENTS[kind]
    document = reading.parse_document(kind, body if isinstance(body, bytes) else body.encode(), max_chars=1000)
    text = f"{document.text}{document.title}{document.author}"
    assert not set(text) & {*HIDDEN[:-2], "\ufe02"}
    assert {"A", "n", "W"} & set(text)


def test_a_document_of_nothing_else_is_not_an_empty_success() -> None:
    with pytest.raises(Unreadable, match="nobody can see"):
        reading.parse_document("text", TAGS.encode(), max_chars=1000)


def test_a_reader_that_is_ready_compiles_hardly_anything_for_its_first_page() -> None:
    script = (
        "import re._compiler as compiler\n"
        "from wellsourced.sandbox import reading\n"
        "reading.get_ready_for_pages()\n"
        "compiled, compile_pattern = [], compiler.compile\n"
        "compiler.compile = lambda *call: compiled.append(call) or compile_pattern(*call)\n"
        "PARTS = ['<h1>Winds of the coast</h1>', '<p>The <b>föhn</b> blows from the Alps, warm and dry.</p>' * 20]\n"
        "body = f'<title>Winds</title><main>{PARTS[0]}{PARTS[1]}<ul><li>One<li>Two</ul></main>'.encode()\n"
        "print('Alps' in reading.extract_page(body, 'http://one.example/', 'text/html').markdown, len(compiled))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    read, compiled = done.stdout.split()
    assert read == "True"
    assert int(compiled) <= 3
