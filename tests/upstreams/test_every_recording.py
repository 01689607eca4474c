"""Every recording, read by whoever is meant to read it: found, nothing, blocked, rate-limited, refused, not understood.

`recordings.txt` says of each file what comes of it and, where something does, how it begins. Its lines are written by
`python -m tests.upstreams.test_every_recording ../shared`; a change in them is a change in what people are told.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from tests.upstreams.readers import read, reader_of, status_of
from wellsourced.documents.document import Document, Unreadable
from wellsourced.errors import (
    AuthRequired,
    Blocked,
    KeyRejected,
    Misconfigured,
    NotFound,
    OutOfCredit,
    RateLimited,
    UpstreamChanged,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.pages.site_page import SitePage
from wellsourced.sandbox.reading import parse_document
from wellsourced.upstream_client.client import MISREADINGS
from wellsourced.upstreams.types.paper import Edges
from wellsourced.upstreams.types.search import LateItems, ResultSet

EXPECTED = Path(__file__).with_name("recordings.txt")
# Formats of files, styles of citations and whole reports have tests of their own; nobody asks Jina.
REPORTS = tuple(f"more/sec-filings/10-{name}" for name in ("K-AAPL", "K-GME", "K-NVDA", "Q-AA", "Q-HD"))
ELSEWHERE = ("bibliography/", "csl-test-suite/", "jina/", *REPORTS)
NOTES = frozenset({"INDEX.md", "PROVENANCE.md"})
FAILURES: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    (NotFound, "nothing"), (Blocked, "blocked"), (RateLimited, "rate-limited"),
    ((KeyRejected, AuthRequired, Misconfigured, OutOfCredit), "key"),
    ((UpstreamChanged, Unreadable, *MISREADINGS), "not understood"), (WellsourcedError, "refused"),
)  # fmt: skip
NAMES = ("title", "name", "case_name", "company", "label", "url", "doi", "text", "state")


@cache
def recordings(shared: Path) -> list[str]:
    root = shared / "wire"
    files = (str(path.relative_to(root)) for path in sorted(root.rglob("*")) if path.is_file())
    return [file for file in files if not file.startswith(ELSEWHERE) and Path(file).name not in NOTES]


def outcome(shared: Path, file: str) -> str:
    reader = reader_of(file)
    body = reader.prepare((shared / "wire" / file).read_bytes())
    try:
        found = read(reader, Reply(status_of(file), {}, body, "https://site.example/"))
        return described(found)
    except Exception as error:
        return next((name for kinds, name in FAILURES if isinstance(error, kinds)), f"crash {type(error).__name__}")


def described(found: Any) -> str:
    if isinstance(found, SitePage) and found.reply is not None and found.kind:
        found = parse_document(found.kind, found.reply.body, 5_000_000)
    elif isinstance(found, SitePage):
        found = found.page
    items = found.items if isinstance(found, ResultSet) or hasattr(found, "items") else found
    if isinstance(found, Edges):
        items = [*(found.references or ()), *(found.cited_by or ())] or [found.seed]
    listed = list(items) if isinstance(items, tuple | list | LateItems) else [] if items is None else [items]
    return f"found {len(listed)}: {beginning(listed[0])}" if listed else "nothing"


def beginning(item: Any) -> str:
    if isinstance(item, Document | str):
        return " ".join(str(getattr(item, "text", item)).split())[:50].strip()
    named = next((value for name in NAMES if (value := getattr(item, name, None))), item)
    value = getattr(item, "value", None)
    shown = f"{item.date} {value}" if value and hasattr(item, "date") else str(named)
    return " ".join(shown.split())[:50].strip()


def test_every_recording_is_read_rightly(shared: Path) -> None:
    expected = dict(line.split(" | ", 1) for line in EXPECTED.read_text("utf-8").splitlines() if line)
    found = {file: outcome(shared, file) for file in recordings(shared)}
    assert found.keys() == expected.keys()
    assert {file: (found[file], told) for file, told in expected.items() if found[file] != told} == {}


def test_all_outcomes_occur() -> None:
    told = {line.split(" | ", 1)[1].split(" ")[0] for line in EXPECTED.read_text("utf-8").splitlines() if line}
    assert told == {"found", "nothing", "blocked", "rate-limited", "key", "refused", "not"}


if __name__ == "__main__":
    where = Path(sys.argv[1])
    EXPECTED.write_text("".join(f"{file} | {outcome(where, file)}\n" for file in recordings(where)), "utf-8")
