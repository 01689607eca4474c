"""Citing files, pages and stdin in one list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.citations.styles.test_csl_agreement import OWN_STYLE
from tests.cli.running import run
from tests.loopback.run import Internet

BOOK = "@book{doe, title={On Tides}, author={Doe, Jane}, year={2001}, publisher={Shore Press}}"
ARTICLE = "TY  - JOUR\nTI  - Moons\nAU  - Roe, Ján\nPY  - 1999\nJO  - Sky\nVL  - 3\nSP  - 10\nEP  - 12\nER  - \n"


def test_files_stdin_and_pages_become_one_list(environment: dict[str, str], internet: Internet, tmp_path: Path) -> None:
    (tmp_path / "moons.ris").write_text(ARTICLE, "utf-8")
    environment |= {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    page = f"{internet.base}/site/alpha/ebb"
    ran = run(environment, "cite", "-", str(tmp_path / "moons.ris"), page, "--json", stdin=BOOK)
    answer = json.loads(ran.out)
    lines = answer["bibliography"].split("\n\n")
    assert (ran.status, answer["style"], answer["entryCount"]) == (0, "apa", 3)
    assert [line.partition(",")[0] for line in lines] == ["Doe", "Example", "Roe"]
    assert "Shore Press" in lines[0] and page in lines[1] and "3, 10–12" in lines[2]


def test_a_page_that_cannot_be_read_does_not_lose_the_others(environment: dict[str, str], internet: Internet) -> None:
    environment |= {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    ran = run(environment, "cite", f"{internet.base}/site/alpha/missing", "-", "--style", "mla", stdin=BOOK)
    assert (ran.status, ran.out) == (3, "Doe, Jane. On Tides. Shore Press, 2001.\n")
    assert "does not exist" in ran.err


def test_a_list_without_entries_is_told(environment: dict[str, str]) -> None:
    ran = run(environment, "cite", "-", stdin="[]")
    assert (ran.status, ran.out) == (3, "")
    assert "no entry" in ran.err


def test_a_file_that_is_no_bibliography(environment: dict[str, str]) -> None:
    ran = run(environment, "cite", "-", stdin="Dear diary")
    assert ran.status == 2
    assert "neither CSL-JSON nor RIS nor BibTeX" in ran.err


def test_a_style_of_ones_own(environment: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("citeproc")
    (tmp_path / "own.csl").write_text(OWN_STYLE, "utf-8")
    ran = run(environment, "cite", "-", "--csl", str(tmp_path / "own.csl"), stdin=BOOK)
    assert (ran.status, ran.out) == (0, "J. Doe * On Tides.\n")
