"""How much of the structure of pages comes through, by kind: `structures/*.txt` holds pages in the shapes that common
programs write, each with the markdown that must stand in the answer, in order, and what must not.

A case is `=== name`, its markup, `---`, what must be there (pieces parted by `...`), and lines of `!!! ` with what must
not. It stands between the paragraphs of an article; `{}` is where the article goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from wellsourced.pages.html import extract

FOLDER = Path(__file__).parent / "structures"
SENTENCE = "Tea was carried over the mountains by mules, and every village on the way kept a share of it."
TEXT = f"<p>{SENTENCE}</p>" * 3


def cases(kind: str) -> Iterator[tuple[str, str, list[str], list[str]]]:
    for case in (FOLDER / f"{kind}.txt").read_text("utf-8").split("=== ")[1:]:
        name, _, rest = case.partition("\n")
        markup, _, told = rest.partition("\n---\n")
        unwanted = [line[4:] for line in told.splitlines() if line.startswith("!!! ")]
        wanted = "\n".join(line for line in told.splitlines() if not line.startswith("!!! "))
        yield name, markup, [piece.strip("\n") for piece in wanted.split("\n...\n")], unwanted


def missing(markup: str, wanted: list[str], unwanted: list[str]) -> list[str]:
    """What is not there, or is and should not be."""
    inside = markup.replace("{}", TEXT) if "{}" in markup else markup + TEXT
    page = f"<!doctype html><title>The tea road</title><article><h1>The tea road</h1>{TEXT}{inside}</article>"
    found, lost, place = extract.extract(page, "https://tea.example/roads").markdown, [], 0
    for piece in wanted:
        at = found.find(piece, place)
        place = at + len(piece) if at >= 0 else place
        lost += [piece] if at < 0 else []
    lost += [f"not: {piece}" for piece in unwanted if piece in found]
    return [*lost, found] if lost else []


@pytest.mark.parametrize("kind", sorted(path.stem for path in FOLDER.glob("*.txt")))
def test_structure_comes_through(kind: str) -> None:
    found = ((name, missing(markup, wanted, unwanted)) for name, markup, wanted, unwanted in cases(kind))
    lost = {name: pieces for name, pieces in found if pieces}
    assert not lost, lost
