"""format_bibliography through all layers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest

from tests.app import call, content, with_app
from tests.loopback.run import Internet
from tests.trust.judge import environment as registries
from wellsourced.app import Application
from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.styles.bibliography import Style

SOURCES = [
    {"url": "https://doi.org/10.1038/nature14539", "title": "Deep learning", "author": "LeCun, Yann; Bengio, Yoshua",
     "site": "Nature", "date": "2015", "doi": "https://doi.org/10.1038/NATURE14539"},
    {"url": "https://example.org/tides", "title": "On tides & {boats}", "author": "World Health Organization",
     "date": "2024-03-05", "site": "Example"},
    {"url": "https://example.org/tides", "title": "The same again"},
    {"doi": "10.2307/1914185", "title": "Prospect Theory"},
]  # fmt: skip


def formatted(environment: dict[str, str], **given: Any) -> dict[str, Any]:
    return content(call(environment, "format_bibliography", **given))


@pytest.mark.parametrize("style", get_args(Style))
def test_every_style_gives_the_same_bytes_each_time(environment: dict[str, str], style: str) -> None:
    first, second = (formatted(environment, style=style, sources=SOURCES) for _ in range(2))
    assert first == second
    assert (first["style"], first["entryCount"]) == (style, 3)
    assert "The same again" not in first["bibliography"]
    for part in ("Deep learning", "10.1038/nature14539", "10.2307/1914185"):
        assert part.casefold() in first["bibliography"].casefold()


@pytest.mark.parametrize("style", ["bibtex", "ris", "csl-json"])
def test_what_is_written_for_programs_can_be_read_again(environment: dict[str, str], style: str) -> None:
    document = formatted(environment, style=style, sources=SOURCES)["bibliography"]
    read = read_bibliography(document)
    assert (read.format, len(read.entries), read.problems) == (style, 3, ())
    assert {entry.doi for entry in read.entries} == {"10.1038/nature14539", "10.2307/1914185", None}
    assert "On tides & {boats}" in {entry.title for entry in read.entries}


def test_styles_for_people(environment: dict[str, str]) -> None:
    apa = formatted(environment, sources=SOURCES)["bibliography"].split("\n\n")
    assert apa[0].startswith("LeCun, Y., & Bengio, Y. (2015). Deep learning.")
    assert apa == sorted(apa)
    assert any(line.startswith("World Health Organization. (2024") for line in apa)
    csl = json.loads(formatted(environment, style="csl-json", sources=SOURCES)["bibliography"])
    assert {item["type"] for item in csl} == {"article-journal", "webpage"}


def test_the_sources_of_a_session(environment: dict[str, str]) -> None:
    async def run(app: Application) -> tuple[str, dict[str, Any]]:
        step = {"searchStep": "look", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "tides"}
        session = content(await app.call("sequential_search", step))["sessionId"]
        empty = await app.call("format_bibliography", {"sessionId": session})
        content(await app.call("web_search", {"query": "tides", "num_results": 3, "sessionId": session}))
        return empty.text, content(await app.call("format_bibliography", {"sessionId": session, "style": "mla"}))

    empty, found = with_app(environment, run)
    assert "no sources yet" in empty
    assert (found["entryCount"], bool(found["sessionId"])) == (3, True)


@pytest.mark.parametrize("given", [{}, {"sources": [{"date": "1999"}]}, {"style": "oxford", "sources": SOURCES}])
def test_what_cannot_be_formatted_is_refused_in_words(environment: dict[str, str], given: dict[str, Any]) -> None:
    answer = call(environment, "format_bibliography", **given)
    assert answer.is_error and len(answer.text) > 30


def test_a_bare_doi_is_looked_up(internet: Internet, quiet_environment: Mapping[str, str]) -> None:
    world = registries(internet, quiet_environment)
    found = formatted(world, sources=[{"doi": "10.1038/nature14539"}, {"doi": "10.1371/notarealdoi"}], style="apa")
    assert "(2015). Deep learning. Nature" in found["bibliography"]
    assert any("10.1371/notarealdoi" in note for note in found["notes"])
