"""`wellsourced library` as a process: files, folders, pages and sitemaps in, and found again."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.loopback.run import Internet
from tests.warm import process as warm
from wellsourced.storage.library.store import document_id

ROOT = Path(__file__).resolve().parents[2]
LINE = [sys.executable, "-m", "wellsourced"]
XML = {"content-type": "application/xml"}


@pytest.fixture
def surroundings(environment: dict[str, str]) -> dict[str, str]:
    more = {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled", "PYTHONPATH": str(ROOT / "src")}
    return {**environment, **more}


def run(surroundings: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return warm.run([*LINE, "library", *arguments], surroundings, timeout=100)


def data(done: subprocess.CompletedProcess[str], status: int = 0) -> dict[str, Any]:
    assert done.returncode == status, done.stdout + done.stderr
    decoded: dict[str, Any] = json.loads(done.stdout)
    return decoded


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    (folder / "deep" / "deeper").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / "notes.md").write_text("# Notes on herons\n\nThe grey heron stands in shallow water.", "utf-8")
    (folder / "deep" / "鶴.txt").write_text("鶴は長い首を持つ大きな鳥です。北海道で冬を過ごします。", "utf-8")
    (folder / "deep" / "deeper" / "table.csv").write_text("bird,count\nheron,17\nstork,4\n", "utf-8")
    page = "<title>Storks</title><h1>Storks</h1>" + "<p>The white stork nests on roofs in villages.</p>" * 9
    (folder / "page.html").write_text(page, "utf-8")
    (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    (folder / ".hidden" / "secret.txt").write_text("a hidden heron", "utf-8")
    return folder


def test_an_empty_folder_is_told(surroundings: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run(surroundings, "add", str(tmp_path / "empty"))
    assert (done.returncode, "nothing to add" in done.stderr) == (3, True)


def test_a_folder_is_added_searched_listed_counted_and_removed(surroundings: dict[str, str], papers: Path) -> None:
    done = run(surroundings, "add", str(papers), "--tag", "Birds", "--json")
    report = data(done)
    assert len(report["added"]) == 4
    assert [Path(each["source"]).name for each in report["leftOut"]] == ["image.png"]
    assert "image (PNG)" in report["leftOut"][0]["error"] and "Left out" in done.stderr
    notes = (papers / "notes.md").resolve().as_uri()
    assert document_id(notes) in {each["id"] for each in report["added"]}

    (result,) = data(run(surroundings, "search", "grey heron standing", "-n", "1", "--json"))["results"]
    assert (result["url"], result["kind"], result["tags"]) == (notes, "file", ["birds"])
    assert "heron stands in shallow water" in result["snippet"]
    assert data(run(surroundings, "search", "北海道", "--json"))["results"][0]["title"] == "鶴.txt"
    plain = run(surroundings, "search", "white stork roofs", "--tag", "birds")
    assert plain.returncode == 0 and plain.stdout.startswith("1. Storks\n")
    assert run(surroundings, "search", "white stork", "--kind", "paper").returncode == 3
    assert run(surroundings, "search", "hidden").returncode == 3

    assert len(data(run(surroundings, "list", "--json"))["documents"]) == 4
    assert len(run(surroundings, "list").stdout.splitlines()) == 4
    assert data(run(surroundings, "stats", "--json"))["documents"] == 4
    again = data(run(surroundings, "add", str(papers / "notes.md"), "--json"))
    assert len(again["added"]) == 1 and data(run(surroundings, "stats", "--json"))["documents"] == 4

    assert data(run(surroundings, "remove", str(papers / "notes.md"), result["id"], "--json"), 3)["removed"] == 1
    assert run(surroundings, "search", "grey heron standing in shallow", "--kind", "page").returncode == 3
    assert data(run(surroundings, "stats", "--json"))["texts"] == 3


def test_a_page_is_read_and_added(surroundings: dict[str, str], internet: Internet) -> None:
    url = f"{internet.base}/site/alpha/tides-of-brest"
    (added,) = data(run(surroundings, "add", url, "--private", "--json"))["added"]
    assert added == {"id": document_id(url), "url": url, "title": added["title"]}
    (result,) = data(run(surroundings, "search", "report on tides", "--site", "127.0.0.1", "--json"))["results"]
    assert (result["url"], result["private"], result["date"]) == (url, True, "2026-11-01")
    assert run(surroundings, "remove", url).returncode == 0


def sitemap(places: list[str], tag: str = "urlset", item: str = "url") -> str:
    listed = "".join(f"<{item}><loc>{place}</loc></{item}>" for place in places)
    return f'<?xml version="1.0"?><{tag} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</{tag}>'


def test_a_sitemap_with_its_parts_is_read_within_bounds(surroundings: dict[str, str], internet: Internet) -> None:
    base = f"{internet.base}/site"
    parts = [
        f"{base}/maps/one.xml",
        f"{base}/maps/two.xml",
        f"{base}/maps/index.xml",
        "https://elsewhere.example/x.xml",
    ]
    internet.control("/site/maps/index.xml", status=200, headers=XML, body=sitemap(parts, "sitemapindex", "sitemap"))
    pages = [f"{base}/alpha/{n}-page" for n in range(3)]
    foreign = "http://169.254.169.254/latest"
    internet.control("/site/maps/one.xml", status=200, headers=XML, body=sitemap([*pages, foreign]))
    internet.control("/site/maps/two.xml", status=200, headers=XML, body=sitemap([pages[0], f"{base}/bravo/missing"]))
    report = data(run(surroundings, "add", f"{base}/maps/index.xml", "--json"))
    assert sorted(each["url"] for each in report["added"]) == pages
    assert [each["source"] for each in report["leftOut"]] == [f"{base}/bravo/missing"]
    few = data(run(surroundings, "add", f"{base}/maps/index.xml", "--most", "2", "--json"))
    assert len(few["added"]) == 2


BAD_SITEMAPS = [
    ("<urlset></urlset>", 3),
    ("<urlset><url><loc>nonsense</loc></url></urlset>", 3),
    ("<urlset", 1),
    ('<!DOCTYPE x [<!ENTITY a "b">]><urlset>&a;</urlset>', 1),
]


@pytest.mark.parametrize(("body", "status"), BAD_SITEMAPS)
def test_a_sitemap_that_lists_nothing_is_told(
    surroundings: dict[str, str], internet: Internet, body: str, status: int
) -> None:
    internet.control("/site/maps/x.xml", status=200, headers=XML, body=body)
    done = run(surroundings, "add", f"{internet.base}/site/maps/x.xml")
    assert done.returncode == status and done.stderr.strip() and "Traceback" not in done.stderr


def test_a_zipped_sitemap_is_unpacked_and_no_further_than_it_may() -> None:
    from wellsourced.errors import ContentEmpty
    from wellsourced.library.collector import SITEMAP_BYTES, decompress

    assert decompress(gzip.compress(b"<urlset/>")) == b"<urlset/>"
    assert decompress(b"<urlset/>") == b"<urlset/>"
    assert len(decompress(gzip.compress(bytes(SITEMAP_BYTES + 1000)))) == SITEMAP_BYTES
    with pytest.raises(ContentEmpty):
        decompress(b"\x1f\x8bnonsense")


def test_mistakes_are_sentences(surroundings: dict[str, str], tmp_path: Path) -> None:
    missing = run(surroundings, "add", str(tmp_path / "nowhere"))
    assert missing.returncode == 2 and "neither a file or folder" in missing.stderr
    assert "--watch" in run(surroundings, "add", "https://example.org/", "--watch").stderr
    assert run(surroundings, "search", "?!").returncode == 2
    dated = run(surroundings, "search", "heron", "--since", "31.01.2026")
    assert dated.returncode == 2 and "a day such as 2026-01-31" in dated.stderr
    off = run({**surroundings, "LIBRARY_ENABLED": "false"}, "search", "heron")
    assert off.returncode == 2 and "LIBRARY_ENABLED" in off.stderr


def test_watching_takes_in_what_changes(surroundings: dict[str, str], papers: Path, tmp_path: Path) -> None:
    said = tmp_path / "said"
    line = [*LINE, "library", "add", str(papers), "--watch", "--every", "0.2"]
    with said.open("wb") as file:
        process = warm.start(line, stderr=file, env=surroundings)
    try:
        wait_for("Watching", said, process)
        (papers / "new.txt").write_text("A bittern booms in the reeds.", "utf-8")
        wait_for("Added: new.txt", said, process)
        (papers / "notes.md").unlink()
        wait_for("Removed:", said, process)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
    assert "Traceback" not in said.read_text("utf-8")
    assert data(run(surroundings, "search", "bittern", "--json"))["results"][0]["title"] == "new.txt"
    assert run(surroundings, "search", '"grey heron"').returncode == 3


def wait_for(sign: str, said: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while sign not in said.read_text("utf-8"):
        assert time.monotonic() < deadline and process.poll() is None, said.read_text("utf-8")
        time.sleep(0.05)


def test_help_stays_light(surroundings: dict[str, str]) -> None:
    line = [sys.executable, "-X", "importtime", "-m", "wellsourced", "library", "add", "--help"]
    done = subprocess.run(line, capture_output=True, text=True, check=True, env=surroundings)
    assert "--watch" in done.stdout
    loaded = {row.rsplit("|", 1)[1].strip() for row in done.stderr.splitlines() if "|" in row}
    assert not loaded & {"pydantic", "wellsourced.app", "wellsourced.storage.library.store", "sqlcipher3", "turbohtml"}
