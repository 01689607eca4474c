"""Recorded answers of the open sources, changed by chance: a typed error or a sound answer, and nothing made up.

What raises one of MISREADINGS counts as typed: the upstream client reports it as an upstream that changed.
"""

from __future__ import annotations

import copy
import html
import json
import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.test_broken_answers import GONE, damaged, places
from wellsourced.errors import WellsourcedError
from wellsourced.http_exchange import Reply, Steps
from wellsourced.upstream import Access
from wellsourced.upstream_client.client import MISREADINGS
from wellsourced.upstreams import (
    biorxiv,
    commoncrawl,
    core,
    datacite,
    doaj,
    europepmc,
    gdelt,
    github_search,
    google_books,
    hal,
    loc,
    marginalia,
    mojeek,
    open_library,
    openaire,
    opencitations,
    sitemap,
    stackexchange,
    wikidata,
    wikipedia,
    zenodo,
)
from wellsourced.upstreams.types.paper import EdgeQuery, Edges, Paper, PaperId, PaperQuery
from wellsourced.upstreams.types.search import Hit, NewsQuery, ResultSet, WebQuery

ACCESS = Access({}, datetime(2026, 11, 15, 12, tzinfo=UTC))
ODD: tuple[Any, ...] = (
    GONE, None, True, -1, 0, 10**40, 1e400, float("nan"), -0.5, "", "\ud800", "\0", "9" * 5000, [], [[]], {}, {"": ""},
    ["x"], "javascript:x", "2024-13-45", "<b>&amp;</b>",
)  # fmt: skip
ROUNDS = 30
WORD = re.compile(r"[^\W_]{4,}")
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
PAPERS = PaperQuery(text="x", count=50)
PAGES = WebQuery(text="all pages", count=50, sites=("commoncrawl.org", "sitemaps.org", "example.com"))
WEEK = NewsQuery(text="x ray", date_from=date(2026, 9, 1), date_to=date(2026, 9, 7))
CRAWLS = Reply(200, {}, b'[{"id": "CC-MAIN-2026-42"}]')

Begin = Callable[[], Steps[Any]]
# Folder: how the conversation begins, the replies that come before the recorded one, and its files.
CONVERSATIONS: dict[str, tuple[Begin, tuple[Reply, ...], str]] = {
    "biorxiv": (lambda: biorxiv.record(PaperId("doi", "10.1101/029900"), ACCESS), (), "*.json"),
    "commoncrawl": (lambda: commoncrawl.web(PAGES, ACCESS), (CRAWLS,), "cdx-*"),
    "core": (lambda: core.papers(PAPERS, ACCESS), (), "v3-*"),
    "datacite": (lambda: datacite.record(PaperId("doi", "10.5061/dryad.8515"), ACCESS), (), "doi-*"),
    "doaj": (lambda: doaj.papers(PAPERS, ACCESS), (), "v*-search-articles-*"),
    "europepmc": (lambda: europepmc.papers(PAPERS, ACCESS), (), "search-*.json"),
    "gdelt": (lambda: gdelt.news(WEEK, ACCESS), (), "artlist*.json"),
    "github-search": (lambda: github_search.web(PAGES, ACCESS), (), "search-*"),
    "googlebooks": (lambda: google_books.papers(PAPERS, ACCESS), (), "volumes.json"),
    "hal": (lambda: hal.papers(PAPERS, ACCESS), (), "*.json"),
    "loc": (
        lambda: loc.record(PaperId("isbn", "9780123751065"), ACCESS),
        (Reply(200, {}, b'{"results": [{"number_lccn": ["2010045158"]}], "pagination": {"of": 1}}'),),
        "*.xml",
    ),
    "marginalia": (lambda: marginalia.web(PAGES, ACCESS), (), "*.json"),
    "mediawiki": (lambda: wikipedia.web(PAGES, ACCESS), (), "*search*.json"),
    "mojeek": (lambda: mojeek.web(PAGES, ACCESS), (), "*.html"),
    "openaire": (lambda: openaire.papers(PAPERS, ACCESS), (), "graph-*"),
    "opencitations": (
        lambda: opencitations.citations(EdgeQuery(seed="10.1108/jd-12-2013-0166", direction="references"), ACCESS),
        (Reply(200, {}, b"[]"),),
        "coci-v1-metadata*",
    ),
    "openlibrary": (lambda: open_library.papers(PAPERS, ACCESS), (), "search-*"),
    "sitemaps": (lambda: sitemap.web(PAGES, ACCESS), (Reply(404, {}, b""),), "urlset.*"),
    "stackexchange": (lambda: stackexchange.web(PAGES, ACCESS), (), "*.json"),
    "wikidata": (lambda: wikidata.web(PAGES, ACCESS), (Reply(200, {}, b'{"search": [{"id": "Q1299"}]}'),), "entity-Q*"),
    "zenodo": (lambda: zenodo.papers(PAPERS, ACCESS), (), "records-*"),
}


def mutations(body: bytes, chance: random.Random) -> Iterator[bytes]:
    """The body cut short, with a byte changed, and with its parts taken away or replaced by something odd."""
    yield body
    for _ in range(ROUNDS // 4):
        yield body[: chance.randrange(len(body))]
        at = chance.randrange(len(body))
        yield body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :]
    try:
        value = json.loads(body)
    except ValueError:
        return
    ways = [place for place in places(value) if place]
    for _ in range(ROUNDS if ways else 0):
        changed = copy.deepcopy(value)
        for way in chance.sample(ways, min(len(ways), chance.randint(1, 3))):
            try:
                changed = damaged(changed, way, chance.choice(ODD))
            except (KeyError, IndexError, TypeError):
                continue
        yield json.dumps(changed).encode()


def answer(begin: Begin, before: tuple[Reply, ...], body: bytes) -> Any:
    """What comes of it; None for an error of a known kind. A further request gets the same reply once more."""
    steps = begin()
    try:
        next(steps)
        for reply in (*before, *[Reply(200, {}, body)] * 8):
            steps.send(reply)
    except StopIteration as done:
        return done.value
    except (WellsourcedError, *MISREADINGS):
        return None
    finally:
        steps.close()
    return None


def said(result: Any) -> Iterator[str]:
    """What an answer claims of the world: titles, names, numbers."""
    papers = [result.seed] if isinstance(result, Edges) else [result] if isinstance(result, Paper) else result.items
    for item in papers:
        yield item.title
        if isinstance(item, Paper):
            yield from (*item.authors, item.journal or "", item.doi or "", item.abstract or "", item.isbn or "")
        elif isinstance(item, Hit):
            yield item.url


def words_in(body: bytes) -> set[str]:
    text = body.decode("utf-8", "replace")
    texts = [text, ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)]
    try:
        value = json.loads(body)
        texts += [str(part) for way in places(value) if not isinstance(part := at(value, way), dict | list)]
    except (ValueError, RecursionError):
        pass
    return {word for text in texts for word in WORD.findall(html.unescape(html.unescape(text)).lower())}


def at(value: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        value = value[step]
    return value


@pytest.mark.parametrize("folder", CONVERSATIONS)
def test_mutated_recordings(shared: Path, folder: str) -> None:
    begin, before, pattern = CONVERSATIONS[folder]
    files = sorted((shared / "wire" / "more" / folder).glob(pattern))
    assert files
    answered = 0
    for file in files:
        body = trimmed(file.read_bytes())
        for changed in mutations(body, random.Random(file.name)):
            result = answer(begin, before, changed)
            if result is None:
                continue
            answered += 1
            assert isinstance(result, ResultSet | Paper | Edges)
            known = words_in(changed) | OURS
            claimed = {word for text in said(result) for word in WORD.findall(html.unescape(text).lower())}
            assert known >= claimed or folder == "sitemaps", (file.name, claimed - known)
    assert answered > len(files)


# Words of our own addresses, which stand for results without a title or a DOI.
OURS = frozenset({"https", "http", "wiki", "wikipedia", "wikidata", "openlibrary", "works", "europepmc", "article",
                  "books", "google", "explore", "openaire", "search", "result", "science", "core", "doaj", "zenodo",
                  "records", "lccn", "biorxiv", "medrxiv"})  # fmt: skip


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
