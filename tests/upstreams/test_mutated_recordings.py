"""Recorded answers of all upstreams and sites, changed by chance: a typed error or a sound answer, nothing made up.

What raises one of MISREADINGS counts as typed: the upstream client reports it as an upstream that changed. MUTATIONS in
the environment asks for more changes of each file.
"""

from __future__ import annotations

import html
import json
import os
import random
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.readers import READERS, Reader, read, reader_of, status_of
from tests.upstreams.test_broken_answers import GONE, damaged, places
from tests.upstreams.test_every_recording import recordings
from wellsourced.documents.document import Unreadable
from wellsourced.errors import WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.pages.site_page import SitePage
from wellsourced.upstream_client.client import MISREADINGS
from wellsourced.upstreams import all_upstreams
from wellsourced.upstreams.types.paper import Edges

ODD: tuple[Any, ...] = (
    GONE, None, True, -1, 0, 10**40, 1e400, float("nan"), -0.5, "", "\ud800", "\0", "9" * 5000, [], [[]], {}, {"": ""},
    ["x"], "javascript:x", "2024-13-45", "<b>&amp;</b>",
)  # fmt: skip
ROUNDS = int(os.environ.get("MUTATIONS", "6"))
OTHER_BODIES = (b"", b"null", b"[]", b"{}", b"<html><body>Hello</body></html>", b'{"error": "x"}', b"\xff\xfe")
WORD = re.compile(r"[^\W\d_]{4,}|\d{4,}")
UNSEEN = re.compile("[\u00ad\u0080-\u009f]|<[^<>]{0,300}>")
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
SAID = ("title", "case_name", "name", "company", "authors", "journal", "doi", "abstract", "isbn", "value", "address",
        "judge", "sponsor", "generic_name", "claims", "number", "nct_id", "reactions")  # fmt: skip
LARGEST = 40_000
# Texts have a test of their own (documents/test_broken_official_texts.py), and robots.txt may say anything.
TEXTS = ("more/sec-filings/", "more/uk-", "more/ecfr/full", "more/robots/", "more/eurlex/blocked")
FOLDERS = sorted({"/".join(pattern.split("/")[:-1]) for pattern in READERS} - {"more/robots", "more/uk-legislation"})
# Words of our own: addresses that stand for titles, names of parts, and what a query asked for.
OURS = frozenset({
    "https", "http", "wiki", "wikipedia", "wikidata", "openlibrary", "works", "europepmc", "article", "books", "google",
    "explore", "openaire", "search", "result", "science", "core", "doaj", "zenodo", "records", "lccn", "biorxiv",
    "medrxiv", "48550", "arxiv", "approved", "cong", "false", "true", "none", "null", "comment", "hacker", "news",
    "youtube", "post", "unknown", "deleted", "nothing", "paper", "semanticscholar", "02576665", "5061", "8515", "dryad",
    "manr", "hicp", "oecd", "stes",
})  # fmt: skip


def mutations(body: bytes, chance: random.Random) -> Iterator[tuple[bytes, bool]]:
    """The body, others in its place, cut short, with a byte changed, with parts taken away or replaced; and whether
    words are still words in it, which a changed byte may join or part."""
    yield from ((each, True) for each in (body, *OTHER_BODIES))
    for _ in range(ROUNDS // 3):
        yield body[: chance.randrange(len(body) + 1)], True
        at = chance.randrange(len(body)) if body else 0
        yield body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :], False
    try:
        value = json.loads(body)
    except ValueError:
        return
    ways = [place for place in places(value) if place]
    for _ in range(ROUNDS if ways else 0):
        changed = value
        for way in chance.sample(ways, min(len(ways), chance.randint(1, 3))):
            try:
                changed = damaged(changed, way, chance.choice(ODD))
            except (KeyError, IndexError, TypeError):
                continue
        yield json.dumps(changed).encode(), True


def answer(reader: Reader, status: int, body: bytes) -> Any:
    """What comes of it; None for an error of a known kind."""
    try:
        return read(reader, Reply(status, {}, body, "https://site.example/"))
    except (WellsourcedError, Unreadable, *MISREADINGS):
        return None


def said(found: Any) -> Iterator[str]:
    """What an answer claims of the world: titles, names, numbers."""
    if isinstance(found, SitePage):
        yield found.page.title
        return
    listed = getattr(found, "items", found)
    if isinstance(found, Edges):
        listed = [found.seed, *(found.cited_by or ()), *(found.references or ())]
    for item in listed if isinstance(listed, tuple | list) else [listed]:
        for field in SAID:
            value = getattr(item, field, None) if not isinstance(item, str) else None
            yield from (str(part) for part in (value if isinstance(value, tuple) else (value,)) if part is not None)


def words_in(*bodies: bytes) -> frozenset[str]:
    return OURS.union(*map(_words, bodies))


@lru_cache(maxsize=8)  # a reader's other bodies come with every one that is changed
def _words(body: bytes) -> frozenset[str]:
    text = body.decode("utf-8", "replace")
    texts = [text, ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)]
    try:
        value = json.loads(body)
        texts += [str(part) for way in places(value) if not isinstance(part := at(value, way), dict | list)]
    except (ValueError, RecursionError):
        pass
    texts += [UNSEEN.sub("", html.unescape(each)) for each in texts]
    return frozenset(word for each in texts for word in WORD.findall(html.unescape(html.unescape(each)).lower()))


def at(value: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        value = value[step]
    return value


def trimmed(body: bytes) -> bytes:
    """The first rows of the longest lists: the rest is more of the same and only costs time."""
    try:
        value = json.loads(body)
    except ValueError:
        return body
    for way in sorted((way for way in places(value) if way), key=len, reverse=True):
        part = at(value, way)
        if isinstance(part, list) and len(part) > 3 and len(json.dumps(part)) > 5000:
            del part[3:]
    return json.dumps(value).encode()


@pytest.mark.parametrize("folder", FOLDERS)
def test_mutated_recordings(shared: Path, folder: str) -> None:
    files = [file for file in recordings(shared) if file.rpartition("/")[0] == folder and not file.startswith(TEXTS)]
    for file in files:
        reader, status = reader_of(file), status_of(file)
        body = trimmed(reader.prepare((shared / "wire" / file).read_bytes()))
        for changed, has_words in mutations(body[:LARGEST], random.Random(file)):
            found = answer(reader, status, changed)
            if found is None or not has_words or folder in {"more/sitemaps", "google-patents"}:
                continue
            claimed = {word for text in said(found) for word in WORD.findall(html.unescape(text).lower())}
            unknown = claimed - words_in(changed, *reader.before, *reader.after)
            assert not unknown, (file, unknown, changed[:500])


def test_no_upstream_is_left_out() -> None:
    """Each provider reads a recording, so that each is among those above; of the BLS there is none to read."""
    source = Path(__file__).with_name("readers.py").read_text("utf-8")
    named = {name for name in all_upstreams() if f'"{name}"' in source}
    assert all_upstreams().keys() - named == {"bls"}
