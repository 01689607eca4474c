"""citation_graph through all layers, against the loopback internet."""

from __future__ import annotations

from tests.app import call, content, error
from tests.loopback.run import Internet

SEED = "10.1000/retracted-tides.3"


def test_both_directions_with_influence_and_intent(environment: dict[str, str]) -> None:
    found = content(call(environment, "citation_graph", paper=SEED, num_results=3))
    assert found["provider"] == "semanticscholar" and found["seed"] == SEED
    assert found["citedByCount"] == 3 == len(found["citedBy"]) and found["referencesCount"] == 3
    assert found["referencesTotal"] == 8 and found["seedPaper"]["doi"] == SEED
    first = found["citedBy"][0]
    assert first["isInfluential"] is True and first["citationIntents"] == ["methodology"]
    assert first["retractionStatus"]["source"] == "retraction-watch"


def test_one_direction_alone(environment: dict[str, str]) -> None:
    found = content(call(environment, "citation_graph", paper=SEED, direction="references", provider="openalex"))
    assert found["referencesCount"] == 5 and "citedBy" not in found and "citedByCount" not in found


def test_only_influential_ones(environment: dict[str, str]) -> None:
    found = content(call(environment, "citation_graph", paper=SEED, influential_only=True))
    assert found["citedByCount"] == 2 and all(paper["isInfluential"] for paper in found["citedBy"])
    passed = content(call(environment, "citation_graph", paper=SEED, influential_only=True, provider="openalex"))
    assert passed["citedByCount"] > 2 and "does not tell which citations are influential" in passed["notes"][0]


def test_openalex_stands_in_unless_a_provider_was_named(environment: dict[str, str], internet: Internet) -> None:
    internet.control("/semanticscholar", status=429)
    found = content(call(environment, "citation_graph", paper=SEED, num_results=2))
    assert found["provider"] == "openalex" and "Rate limited (semanticscholar)" in found["notes"][0]
    assert found["citedBy"][0]["retractionStatus"]["retracted"] is True
    fields = error(call(environment, "citation_graph", paper=SEED, provider="semanticscholar"))
    assert fields["kind"] == "rate_limited" and fields["provider"] == "semanticscholar"


def test_a_title_will_do(environment: dict[str, str]) -> None:
    for provider in ("semanticscholar", "openalex"):
        found = content(
            call(environment, "citation_graph", paper="A study of tides, part 3", provider=provider, num_results=1)
        )
        assert found["seedPaper"]["doi"] == "10.1000/tides.3"


def test_one_direction_that_fails_does_not_take_the_other_along(
    environment: dict[str, str], internet: Internet
) -> None:
    """OpenAlex is asked for both side by side, and each direction has a seed of its own."""
    internet.control("/openalex/works/doi:", status=400, body="{}", times=1)
    found = content(call(environment, "citation_graph", paper=SEED, provider="openalex"))
    assert ("citedBy" in found) != ("references" in found) and found["notes"]


def test_a_paper_nobody_knows_is_not_found(environment: dict[str, str]) -> None:
    fields = error(call(environment, "citation_graph", paper="10.9999/never"))
    assert fields["kind"] == "not_found"
    text = call(environment, "citation_graph", paper=SEED, provider="crossref").text
    assert "No provider 'crossref' can follow citations. Choose from: openalex, semanticscholar, opencitations." in text
