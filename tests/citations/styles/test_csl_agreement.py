"""What the styles share with CSL processors: capitals of titles, page ranges, a user's own style."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.bibliography import Style, format_bibliography
from wellsourced.citations.styles.common import shorten_pages_mla, shorten_pages_vancouver, whole_pages
from wellsourced.citations.styles.own_csl import format_with_style_file
from wellsourced.citations.styles.title_case import title_case
from wellsourced.errors import BadInput

OWN_STYLE = """<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
  <info><title>Own</title><id>own</id><updated>2020-01-01T00:00:00+00:00</updated></info>
  <citation><layout><text variable="title"/></layout></citation>
  <bibliography><layout suffix="."><group delimiter=" * ">
    <names variable="author"><name initialize-with="."/></names>
    <text variable="title"/><text variable="container-title"/><text variable="page"/>
  </group></layout></bibliography>
</style>"""
PAPER = Reference(
    type="article-journal",
    title="cocoa and health: a decade of mRNA research",
    authors=(Name(family="Doe", given="Jane"), Name(family="Gogh", given="Vincent", particle="van")),
    year=2011,
    container="Journal of Things",
    volume="9",
    issue="3-4",
    pages="1433–1441",
    extra={"container-title-short": "J. Things"},
)


@pytest.mark.parametrize(
    ("title", "language", "expected"),
    [
        ("cocoa and health: a decade of mRNA research", None, "Cocoa and Health: A Decade of mRNA Research"),
        ("What is it for?", None, "What Is It For?"),
        ("metal-poor variables: why?", None, "Metal-Poor Variables: Why?"),
        ("Physica status solidi (a)", None, "Physica Status Solidi (a)"),
        (
            "the within-individual state-of-the-art of d-amphetamine",
            None,
            "The Within-Individual State-of-the-Art of d-Amphetamine",
        ),
        ("Ethik des Lesens", None, "Ethik des Lesens"),
        ("le temps retrouvé", None, "le temps retrouvé"),
        ("a plain title", "de", "a plain title"),
        ("", None, ""),
        ("the 'in vivo' role of the child's play", None, "The 'in Vivo' Role of the Child's Play"),
        ("the problem with 'problems'", None, "The Problem with 'Problems'"),
        ("Schrödinger operators", None, "Schrödinger Operators"),
        ("Extraktion und asymmetrische Fusion", None, "Extraktion und asymmetrische Fusion"),
    ],
)
def test_titles_get_capitals_only_in_english(title: str, language: str | None, expected: str) -> None:
    assert title_case(title, language) == expected


@pytest.mark.parametrize(
    ("pages", "mla", "vancouver", "whole"),
    [
        ("1433–1441", "1433–41", "1433–41", "1433–1441"),
        ("6700–6706", "6700–06", "6700–6", "6700–6706"),
        ("1204–22", "1204–22", "1204–22", "1204–1222"),
        ("482–482", "482–482", "482–482", "482–482"),
        ("203–", "203", "203", "203"),
        ("99–101", "99–101", "99–101", "99–101"),
        ("e12", "e12", "e12", "e12"),
        ("S3–S9", "S3–9", "S3–9", "S3–S9"),
        ("E149–E159", "E149–59", "E149–59", "E149–E159"),
        ("28S–30S", "28S-30S", "28S-30S", "28S-30S"),
        ("734–744.e3", "734-744.e3", "734-744.e3", "734-744.e3"),
    ],
)
def test_page_ranges(pages: str, mla: str, vancouver: str, whole: str) -> None:
    assert (shorten_pages_mla(pages), shorten_pages_vancouver(pages), whole_pages(pages)) == (mla, vancouver, whole)


def test_short_journal_names_stand_where_the_style_wants_them() -> None:
    assert "J Things. 2011;9(3–4):1433–41." in format_bibliography([PAPER], "vancouver")
    assert "J. Things, vol. 9, no. 3–4, pp. 1433–1441, 2011." in format_bibliography([PAPER], "ieee")
    assert "Journal of Things 9 (3–4): 1433–41." in format_bibliography([PAPER], "chicago")
    assert "Journal of Things, vol. 9, nos. 3–4, 2011, pp. 1433–41." in format_bibliography([PAPER], "mla")


def test_a_style_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "own.csl"
    path.write_text(OWN_STYLE, "utf-8")
    pytest.importorskip("citeproc")
    text = format_with_style_file([PAPER], str(path))
    assert text == "J. Doe, V. van Gogh * cocoa and health: a decade of mRNA research * Journal of Things * 1433–1441."
    path.write_text("<style/>", "utf-8")
    with pytest.raises(BadInput, match="could not be used"):
        format_with_style_file([PAPER], str(path))


PLAIN = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "\u00a0": " ", "‐": "-"})
STYLES: tuple[Style, ...] = ("apa", "mla", "chicago", "chicago-notes", "vancouver", "ieee")
RENDERED = json.loads((Path(__file__).parent / "citeproc.json").read_text("utf-8"))


@pytest.mark.parametrize("style", STYLES)
def test_entries_are_those_of_citeproc(style: Style) -> None:
    """Articles, chapters, books and pages beside what citeproc-js writes with the official styles."""
    differing = []
    for row in RENDERED:
        written = format_bibliography(read_bibliography(json.dumps([row["item"]])).entries, style)
        ours = written.removeprefix("[1] ").removeprefix("1. ").translate(PLAIN)
        theirs = " ".join(row["expected"][style].translate(PLAIN).split())
        differing += [(ours, theirs)] if ours != theirs else []
    assert len(differing) <= 0.05 * len(RENDERED), differing
