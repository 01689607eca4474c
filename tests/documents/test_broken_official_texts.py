"""Official texts, cut and damaged: what is left of them is read, or refused in words; nothing else happens."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats import read_document
from wellsourced.pages.sections import list_headings

FILES = {
    "filing": "wire/more/sec-filings/8-K-1800flowers.html",
    "legal_xml": "wire/more/uk-caselaw/judgment-ewfc-2017-83.xml",
    "whole_html": "wire/more/sec-filings/8-K-oracle.html",
    "patent_page": "wire/google-patents/patent-page-US20230418876A1.html",
}
ROUNDS = 12
OPTIONS = ReadOptions(max_chars=1_000_000)


def damage(body: bytes, chance: random.Random) -> bytes:
    """Cut off, a stretch taken out, doubled or overwritten."""
    start, length = chance.randrange(len(body)), chance.randrange(1, 3000)
    stretch = body[start : start + length]
    return chance.choice((
        body[:start],
        body[:start] + body[start + length :],
        body[:start] + stretch * 3 + body[start + length :],
        body[:start] + bytes(chance.randrange(256) for _ in range(length)) + body[start + length :],
        body.replace(b">", b"", 1 + length // 100),
    ))  # fmt: skip


def plain_words(text: str) -> list[str]:
    """The words without marks: what is cut off tells a heading from a bold line."""
    return text.replace("*", "").replace("#", "").split()


@pytest.mark.parametrize("kind", FILES)
def test_damaged_texts(kind: str, shared: Path) -> None:
    body = (shared / FILES[kind]).read_bytes()
    whole = read_document(kind, body, OPTIONS)
    words = set(plain_words(whole.text))
    for seed in range(ROUNDS):
        try:
            found = read_document(kind, body[: random.Random(seed).randrange(len(body))], OPTIONS)
        except Unreadable:
            continue
        # A text that was cut says nothing that the whole does not say, but for its last words and its counts.
        new = [word for word in plain_words(found.text) if word not in words]
        assert len(new) < 12, new
    for seed in range(ROUNDS):
        try:
            list_headings(read_document(kind, damage(body, random.Random(seed)), OPTIONS).text)
        except Unreadable:
            continue
