"""paper_fulltext through all layers, against the loopback internet."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app import call, content, error
from tests.loopback.run import Internet


@pytest.fixture
def open_world(environment: dict[str, str]) -> dict[str, str]:
    """Pages are read from the loopback and from nowhere else."""
    reading = {"ALLOW_PRIVATE_IPS": "true", "ALLOWED_DOMAINS": "127.0.0.1", "CHROME_PATH": "disabled"}
    return {**environment, **reading, "UNPAYWALL_EMAIL": "reader@example.org"}


def test_the_free_copy_is_read_and_checked(open_world: dict[str, str]) -> None:
    found = content(call(open_world, "paper_fulltext", identifier="https://doi.org/10.1000/tides.3"))
    assert (found["identifier"], found["resolvedUrl"]) == ("https://doi.org/10.1000/tides.3", found["url"])
    assert {name: found[name] for name in ("doi", "authors", "year", "source")}.items() <= found["paper"].items()
    assert found["title"] == "A study of tides, part 3" and found["titleChecked"] is True
    assert "/unpaywall/copies/10.1000/tides.3" in found["url"] and found["wordCount"] > 600
    assert "Finding 42 concerns tides." in found["content"] and found["paper"]["doi"] == "10.1000/tides.3"


def test_a_long_text_is_read_in_parts(open_world: dict[str, str]) -> None:
    first = content(call(open_world, "paper_fulltext", paper="10.1000/tides.3", max_length=1000))
    assert first["truncated"] is True and first["nextOffset"]
    rest = content(call(open_world, "paper_fulltext", paper="10.1000/tides.3", offset=first["nextOffset"]))
    assert rest["truncated"] is False and "Finding 0 " not in rest["content"]


def test_another_paper_or_a_mere_abstract_is_never_handed_on(open_world: dict[str, str]) -> None:
    for words, why in (("mislaid", "does not have the title"), ("abstract", "words only")):
        answer = call(open_world, "paper_fulltext", paper=f"10.1000/{words}-tides.3")
        assert error(answer)["kind"] == "not_found" and why in answer.text


def test_an_address_is_read_as_the_paper_it_names_or_as_it_is(open_world: dict[str, str], internet: Internet) -> None:
    words = "<p>" + "Tides rise and tides fall, as the harbour master wrote. " * 100 + "</p>"
    tag = "<meta name=citation_doi content=10.1000/tides.3>"
    for head, title, is_checked in ((tag, "A study of tides, part 3", True), ("", "Some notes", False)):
        page = f"<html><head><title>Some notes</title>{head}</head><body><main><h1>Some notes</h1>{words}</main></body>"
        internet.control("/site/bravo/notes", status=200, body=page, headers={"Content-Type": "text/html"})
        found = content(call(open_world, "paper_fulltext", identifier=f"{internet.base}/site/bravo/notes"))
        assert (found["title"], found["titleChecked"]) == (title, is_checked)
        open_world = {**open_world, "CACHE_DIR": open_world["CACHE_DIR"] + "-other"}


@pytest.mark.parametrize(
    ("identifier", "trouble", "kind"),
    [
        ("2101.00001", {}, "not_found"),
        ("PMC1234567", {}, "validation"),
        ("10.1000/tides.3", {"/unpaywall/copies": {"status": 429, "headers": {"Retry-After": "90"}}}, "rate_limited"),
        ("10.1000/tides.3", {"/unpaywall/copies": {"block": "cloudflare"}}, "blocked"),
        ("10.1000/tides.3", {"/unpaywall/copies": {"status": 404}}, "not_found"),
        ("10.9999/never", {"/crossref": {"status": 200, "body": "Back soon"}}, "upstream_unavailable"),
    ],
)
def test_what_kept_the_copy_from_being_read_is_told(
    open_world: dict[str, str], internet: Internet, identifier: str, trouble: dict[str, dict[str, Any]], kind: str
) -> None:
    for path, behaviour in trouble.items():
        internet.control(path, **behaviour)
    assert error(call(open_world, "paper_fulltext", identifier=identifier))["kind"] == kind


def test_a_closed_paper_is_told_so(open_world: dict[str, str]) -> None:
    answer = call(open_world, "paper_fulltext", paper="10.1000/closed-tides.2")
    assert error(answer)["kind"] == "not_found" and "No free copy" in answer.text


def test_what_names_no_paper_is_told_what_would(open_world: dict[str, str], internet: Internet) -> None:
    answer = call(open_world, "paper_fulltext", paper="that famous paper")
    assert "names no paper" in answer.text and "DOI" in answer.text
    assert internet.requests() == 0


def test_a_work_nobody_knows_is_told_so(open_world: dict[str, str]) -> None:
    answer = call(open_world, "paper_fulltext", paper="10.9999/never")
    assert (
        error(answer)["kind"] == "not_found" and "No such work is known to crossref, doi_org, openalex." in answer.text
    )
