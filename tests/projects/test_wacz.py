"""A project as a WACZ file: other tools accept it, an empty machine reads it, and a changed byte is found and named."""

from __future__ import annotations

import io
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from wacz.validate import Validation
from warcio.checker import Checker
from warcio.warcwriter import WARCWriter

from tests.app import with_app
from tests.loopback.run import Internet
from tests.projects.test_projects import ANNA, MASTERS, TIDES, reading, serve
from wellsourced.app import Application
from wellsourced.errors import BadInput
from wellsourced.projects.export import write_wacz
from wellsourced.projects.wacz_check import wacz_problems
from wellsourced.projects.wacz_read import WaczFile

__all__ = ["reading"]


async def fill(app: Application, internet: Internet) -> bytes:
    """A small project with two pages of the same body, a redirect, a file and three quotations; as a WACZ."""
    url, copy = serve(internet), serve(internet, "/site/bravo/tides")
    internet.control("/site/charlie/old", status=301, headers={"location": url})
    projects, until = app.services.projects, time.monotonic() + 60
    project = await projects.start(ANNA, "Tides", "Who used tables?")
    collector = projects.collector
    project = (await collector.add_quote(project, TIDES, until, url=url, claim="Twice a day")).project
    project = (await collector.add_source(project, copy, until)).project
    project = (
        await collector.add_quote(project, "have used such tables", until, url=internet.base + "/site/charlie/old")
    ).project
    file = await collector.add_file(project, "minutes.txt", b"Minutes of the harbour board. " * 20)
    project = (await collector.add_quote(file.project, "harbour board", until, item=file.items[0].item)).project
    out = io.BytesIO()
    await write_wacz(projects, project, out)
    return out.getvalue()


@pytest.fixture
def wacz(reading: Mapping[str, str], internet: Internet) -> bytes:
    return with_app(reading, lambda app: fill(app, internet))


def problems(content: bytes) -> list[str]:
    try:
        with WaczFile(io.BytesIO(content), "tides.wacz") as opened:
            return list(wacz_problems(opened))
    except BadInput as problem:
        return [problem.sentence]


def is_valid_elsewhere(path: Path, tmp_path: Path) -> None:
    """The validator of the format's own makers, and warcio's check of every digest."""
    validation = Validation(str(path))
    assert validation.version == "1.1.1" and validation.frictionless_validate()
    assert validation.check_required_contents() == 0
    checks = ("check_file_paths", "check_file_hashes", "check_compression", "check_indexes")
    assert all(getattr(validation, check)() for check in (*checks, "check_data_package_hash_and_sig"))
    with WaczFile.open(path) as opened:
        (tmp_path / "data.warc.gz").write_bytes(opened.content(opened.archives[0]))
    checker = Checker(type("Arguments", (), {"inputs": [str(tmp_path / "data.warc.gz")], "verbose": False}))
    checker.process_all()
    assert checker.exit_value == 0


def test_other_tools_accept_it(wacz: bytes, tmp_path: Path) -> None:
    path = tmp_path / "tides.wacz"
    path.write_bytes(wacz)
    is_valid_elsewhere(path, tmp_path)
    assert problems(wacz) == []
    with WaczFile(io.BytesIO(wacz), "tides.wacz") as opened:
        kinds = {capture.capture: capture.same_as for capture in opened.captures.values()}
        assert kinds == {1: None, 2: 1, 3: 1, 4: None} and len(opened.receipts) == 3
        assert MASTERS in str(opened.reading(opened.captures[3]))


def regions(wacz: bytes) -> list[tuple[int, int, tuple[str, ...]]]:
    """Every part of the file from its first byte to its last, with one of the words by which it must be named."""
    found, container = list[tuple[int, int, tuple[str, ...]]](), ("container", "list of contents")
    with WaczFile(io.BytesIO(wacz), "tides.wacz") as opened:
        for about in opened.container.infolist():
            content = opened.content(about.filename)
            start = wacz.index(content, about.header_offset)
            found += [(about.header_offset, start, container), (start, start + len(content), (about.filename,))]
        archive = wacz.index(opened.content(opened.archives[0]))
        for number, (offset, length, _) in opened.places.items():
            found.append((archive + offset, archive + offset + length, (f"Capture {number} (",)))
        return [*found, (opened.container.start_dir, len(wacz), container)]


STEP = 997
"""Every fourth byte, and each of every head, was tried once: 8,000 places, a minute. These are a sample of them."""


def test_a_changed_byte_anywhere_is_found_and_named(wacz: bytes) -> None:
    parts = regions(wacz)
    edges = {place for start, end, _ in parts for place in (start, (start + end) // 2, end - 1)}
    for place in sorted({*range(0, len(wacz), STEP), *edges}):
        said = problems(wacz[:place] + bytes([wacz[place] ^ 1 << place % 8]) + wacz[place + 1 :])
        named = [words for start, end, words in parts if start <= place < end]
        assert named and len(said) == len(set(said)), place
        assert all(any(word in each for each in said for word in words) for words in named), (place, named, said)


def test_another_tools_file_is_read_too(tmp_path: Path) -> None:
    from zipfile import ZipFile

    from warcio.statusandheaders import StatusAndHeaders

    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    body = f"<h1>Tides</h1><p>{TIDES}</p>".encode()
    writer.write_record(
        writer.create_warc_record("https://tides.example/", "response", payload=io.BytesIO(body), http_headers=headers)
    )
    path = tmp_path / "other.wacz"
    with ZipFile(path, "w") as container:
        container.writestr("archive/other.warc.gz", out.getvalue())
        container.writestr("datapackage.json", '{"resources": []}')
    with WaczFile.open(path) as opened:
        assert opened.reply(opened.find("https://tides.example/")).body == body
