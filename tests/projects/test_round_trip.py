"""A project of real pages and documents: captured, exported, the server gone, replayed where there is nothing else."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.app import with_app
from tests.cli.running import run
from tests.projects.test_projects import ANNA
from tests.projects.test_wacz import is_valid_elsewhere
from wellsourced.app import Application
from wellsourced.errors import WellsourcedError
from wellsourced.projects.export import write_wacz
from wellsourced.projects.replay import Replay
from wellsourced.projects.wacz_read import WaczFile
from wellsourced.sandbox.pool import WorkerPool
from wellsourced.text.sentences import split_sentences

PAGES, DOCUMENTS = 30, 10
LIKELY = ("pdf", "docx", "pptx", "xlsx", "epub", "odt")
LARGEST = 300_000


@pytest.fixture(scope="module")
def real_site(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """Recorded pages and documents on a port of their own, and their addresses."""
    folder = tmp_path_factory.mktemp("real")
    names = []
    for number, source in enumerate(sorted((shared / "extraction").rglob("*.html.gz"))[: 2 * PAGES]):
        (folder / f"{number}.html").write_bytes(gzip.decompress(source.read_bytes()))
        names.append(f"{number}.html")
    for source in sorted((shared / "documents").iterdir()):
        if source.suffix[1:] in LIKELY and "broken" not in source.name and source.stat().st_size < LARGEST:
            shutil.copy(source, folder / source.name)
            names.append(source.name)

    class Files(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments, directory=str(folder))  # type: ignore[arg-type]

        def log_message(self, format: str, *arguments: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", names
        server.shutdown()


async def collect(app: Application, base: str, names: list[str], path: Path) -> dict[str, int]:
    """Add pages and documents until there are enough, each with a quotation from its middle; then export."""
    projects, counts = app.services.projects, {"page": 0, "document": 0}
    project = await projects.start(ANNA, "Real")
    for name in names:
        kind = "page" if name.endswith(".html") else "document"
        if counts[kind] == (PAGES if kind == "page" else DOCUMENTS):
            continue
        try:
            page = await projects.captures.capture(project, f"{base}/{name}", time.monotonic() + 60)
        except WellsourcedError:  # a wall or a broken document among them
            continue
        text = page.reading.page.plain or page.reading.page.markdown
        long = [each.text for each in split_sentences(text) if 40 < len(each.text) < 300 and "\n" not in each.text]
        if long:
            project = (await projects.collector.quote_page(page, long[len(long) // 2])).project
            counts[kind] += 1
    with path.open("wb") as out:
        await write_wacz(projects, project, out)
    return counts


ALONE = """import socket, sys
def refuse(*_): raise AssertionError("a connection was opened")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
sys.argv = ["wellsourced", *sys.argv[1:]]
from wellsourced.main import main
sys.exit(main())"""


def alone(folder: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """A command in a process that knows nothing of this one: an empty folder, no settings, no connection."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "CACHE_DIR": str(folder / "data")}
    ran = subprocess.run(
        [sys.executable, "-c", ALONE, *arguments, "--json"],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


def test_every_quotation_verifies_elsewhere(
    real_site: tuple[str, list[str]], quiet_environment: Mapping[str, str], tmp_path: Path
) -> None:
    base, names = real_site
    path, elsewhere = tmp_path / "real.wacz", tmp_path / "elsewhere"
    environment = {**quiet_environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    counts = with_app(environment, lambda app: collect(app, base, names, path))
    assert counts == {"page": PAGES, "document": DOCUMENTS}
    shutil.rmtree(quiet_environment["CACHE_DIR"])
    is_valid_elsewhere(path, tmp_path)
    elsewhere.mkdir()
    status, whole = alone(elsewhere, "replay", str(path))
    assert (status, whole["problems"]) == (0, []) and whole["quotations"] == whole["receipts"] == PAGES + DOCUMENTS
    asyncio.run(replay_again(path))
    with WaczFile.open(path) as wacz:
        quoted, url = [item for item in wacz.items if item.quote][7], wacz.captures[8].final_url
    status, found = alone(elsewhere, "replay", str(path), quoted.url or url, "--quote", quoted.quote or "")
    assert found["quotation"]["status"] == "word_for_word" and found["quotation"]["start"] == quoted.start
    assert not any(elsewhere.iterdir())
    content, chosen = path.read_bytes(), random.Random(4)
    place = chosen.randrange(len(content))
    path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
    status, whole = alone(elsewhere, "replay", str(path))
    assert status == 1 and whole["problems"], place


async def replay_again(path: Path) -> None:
    """What this version reads of the bytes is what was read then, and a search finds what was quoted."""
    workers = WorkerPool()
    try:
        with WaczFile.open(path) as wacz:
            replayed, some = Replay(wacz, workers), list(wacz.captures.values())[::8]
            for each in some:
                assert (await replayed.read_anew(each)).page.markdown == (await replayed.read(each)).page.markdown
            words = next(item.quote for item in wacz.items if item.quote) or ""
            assert words in " ".join(each.text for each in await replayed.search(words))
    finally:
        await workers.close()


def test_the_commands_need_no_data_folder(wacz_path: Path, quiet_environment: Mapping[str, str]) -> None:
    """On a machine that has nothing: verified whole, read, and a forged receipt refused."""

    def ask(*arguments: str) -> tuple[int, str]:
        ran = run(quiet_environment, *arguments)
        return ran.status, ran.out + ran.err

    status, told = ask("replay", str(wacz_path))
    assert status == 0 and "is whole: 4 captures, 3 receipts, 3 quotations" in told, told
    with WaczFile.open(wacz_path) as wacz:
        receipt = wacz.receipts[0]
    file = wacz_path.with_name("receipt.json")
    file.write_text(json.dumps(receipt))
    status, told = ask("receipt", "verify", str(file), "--wacz", str(wacz_path))
    assert status == 0 and "Receipt 1 holds" in told, told
    file.write_text(json.dumps({**receipt, "quotation": {**receipt["quotation"], "text": "Something else."}}))
    status, told = ask("receipt", "verify", str(file))
    assert status == 1 and "signature does not fit" in told and "not those whose digest" in told
    assert not Path(quiet_environment["CACHE_DIR"]).exists()
