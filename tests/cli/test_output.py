"""Pipes get plain text, terminals get colour, and only terminals see signs of progress."""

from __future__ import annotations

import os
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.running import COMMAND, on_terminal, run
from tests.loopback.run import Internet
from wellsourced.cli import news, papers, search

COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7][0-9;]*m")
STYLE = re.compile(r"\x1b\[[0-9;]*m")


def test_a_pipe_gets_plain_text(environment: dict[str, str], internet: Internet) -> None:
    ran = run({**environment, "FORCE_COLOR": "", "TERM": "xterm"}, "search", "tides", "-n", "2")
    assert ran.err == ""
    assert ran.out.startswith(f"1. tides 1\n   {internet.base}/site/alpha/tides-1\n")
    assert "\x1b" not in ran.out


def test_a_terminal_gets_colour_unless_it_is_not_wanted(environment: dict[str, str]) -> None:
    coloured = on_terminal(environment, "search", "tides", "-n", "2")
    assert coloured.status == 0
    assert COLOUR.search(coloured.out)
    assert "tides 1" in STYLE.sub("", coloured.out)
    plain = on_terminal({**environment, "NO_COLOR": "1"}, "search", "tides", "-n", "2")
    assert "tides 1" in STYLE.sub("", plain.out)
    assert not COLOUR.search(plain.out)


def test_progress_is_shown_on_terminals_alone_and_wiped(environment: dict[str, str]) -> None:
    assert "web_search" in on_terminal(environment, "search", "tides", "-n", "1").err
    assert run(environment, "search", "tides", "-n", "1").err == ""


def test_markup_of_foreign_text_is_not_obeyed(environment: dict[str, str], internet: Internet) -> None:
    body = '{"query":"x","results":[{"title":"[bold]a[/bold] :smile: [link=http://e.example]b[/link]","url":"https://e.example/","content":"c","engine":"bing"}]}'
    internet.control("/searxng", body=body, headers={"content-type": "application/json"})
    shown = on_terminal(environment, "search", "tides", "--engine", "searxng")
    assert "[bold]a[/bold] :smile: [link=http://e.example]b[/link]" in STYLE.sub("", shown.out)


def test_tables_are_read_by_cut(environment: dict[str, str]) -> None:
    rows = [line.split("\t") for line in run(environment, "lenses").out.splitlines()]
    assert {len(row) for row in rows} == {3}
    assert all(before[0] <= after[0] for before, after in pairwise(rows))
    assert rows[0][:2] == ["academic", "10"]


def test_a_narrow_terminal_loses_nothing(environment: dict[str, str]) -> None:
    shown = on_terminal({**environment, "COLUMNS": "40"}, "providers").out
    assert "name: google\n" in shown
    assert "state: set GOOGLE_CUSTOM_SEARCH_API_KEY and GOOGLE_CUSTOM_SEARCH_ID\n" in shown


@pytest.mark.parametrize("arguments", [["lenses"], ["--help"], ["cite", "-"]])
def test_a_reader_that_leaves_is_no_error(environment: dict[str, str], arguments: list[str]) -> None:
    """Whether the output fits into a buffer or not."""
    books = "".join(f"@book{{b{number}, title={{On the tides of the moon, part {number}}}}}" for number in range(400))
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [*COMMAND, *arguments], input=books.encode(), stdout=writing, stderr=subprocess.PIPE, env=environment
    )
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk at hand")
def test_a_full_disk_is_told(environment: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run([*COMMAND, "lenses"], stdout=full, stderr=subprocess.PIPE, env=environment)
    assert (ran.returncode, ran.stderr) == (1, b"The system refused: No space left on device.\n")


HIT = {"publishedAt": "2026-11-02T08:00:00Z", "sourceReputation": {"tier": "low"}, "engines": ["brave", "exa"]}
RETRACTED = {"title": "Tides", "retractionStatus": {"kind": "retraction"}}
PAPER = {"authors": ["A", "B", "C", "D", "E"], "year": 2020, "citationCount": 1, "pdfUrl": "https://e.org/x.pdf"}


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (search.describe_result({}), ""),
        (search.describe_result(HIT), "2026-11-02 · low · brave, exa"),
        (news.describe_article({"source": "e.org", "publishedAt": "2026-11-02T08:00:00Z"}), "e.org · 2026-11-02 08:00"),
        (papers.paper_title(RETRACTED), "[RETRACTION] Tides"),
        (papers.paper_title({"title": "Tides"}), "Tides"),
        (papers.describe_paper(PAPER), "A, B, C, D et al. · 2020 · cited 1 time · free: https://e.org/x.pdf"),
        (papers.describe_paper({"authors": ["A"], "citationCount": 0, "journal": "J"}), "A · J · cited 0 times"),
    ],
)
def test_what_is_known_of_a_result(shown: str, expected: str) -> None:
    assert shown == expected
