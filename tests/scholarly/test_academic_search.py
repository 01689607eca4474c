"""academic_search through all layers, against the loopback internet."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app import call, content, error
from tests.loopback.run import Internet

ARXIV_HIT = {"url": "https://arxiv.org/abs/2301.00001v2", "title": "[2301.00001] On tides", "content": "Tides rise."}
NATURE_HIT = {"url": "https://www.nature.com/articles/s41586-020-2012-7", "title": "Tides | Nature", "content": "x"}
OTHER_HIT = {"url": "https://blog.example/tides", "title": "Tides and me", "content": "x"}


@pytest.fixture
def polite(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "OPENALEX_EMAIL": "reader@example.org"}


def without_papers(internet: Internet) -> None:
    for prefix in ("/openalex", "/semanticscholar", "/crossref", "/pubmed", "/arxiv", "/open"):
        internet.control(prefix, status=429)


def web_finds(internet: Internet, *hits: dict[str, str]) -> None:
    body = json.dumps({"query": "x", "results": hits, "unresponsive_engines": []})
    internet.control("/searxng", body=body, headers={"content-type": "application/json"})


def test_papers_are_complete(polite: dict[str, str]) -> None:
    answer = call(polite, "academic_search", query="solar panels", num_results=4)
    found = content(answer)
    assert found["source"] == "openalex" and found["resultCount"] == 4 <= found["totalResults"]
    first = found["papers"][0]
    assert first["title"] == "A study of solar panels, part 1" and first["doi"] == "10.1000/solar-panels.1"
    assert first["authors"] == ["Ada Lovelace", "Émilie du Châtelet"] and first["year"] == 2016
    assert first["abstract"].startswith("We looked at") and first["pdfUrl"] and first["openAccess"] is True
    assert "retractionStatus" not in first and "notes" not in found and "hints" not in found
    assert answer.meta["routing"]["provider_used"] == "openalex"


def test_the_word_on_retractions_comes_in_one_request(polite: dict[str, str], internet: Internet) -> None:
    found = content(call(polite, "academic_search", query="retracted panels", provider="openalex", num_results=6))
    assert found["resultCount"] == 6 and found["papers"][0]["retractionStatus"]["retracted"] is True
    assert internet.requests("/crossref") == 1


def test_one_down_one_limited_one_good_still_give_papers(polite: dict[str, str], internet: Internet) -> None:
    internet.control("/openalex", fault="reset")
    internet.control("/semanticscholar", status=429, headers={"retry-after": "30"})
    found = content(call(polite, "academic_search", query="solar panels"))
    assert found["source"] == "crossref" and found["resultCount"] == 5
    down, limited = found["notes"]
    assert "openalex" in down and "Rate limited (semanticscholar)" in limited


def test_a_slow_provider_is_passed(polite: dict[str, str], internet: Internet) -> None:
    internet.control("/openalex", latency_ms=60_000)
    answer = call(polite, "academic_search", query="solar panels")
    assert content(answer)["source"] == "semanticscholar"
    assert answer.meta["routing"]["latency_ms"] < 50_000


def test_a_retracted_paper_says_so_with_its_notice(polite: dict[str, str]) -> None:
    for provider in ("openalex", "semanticscholar", "crossref", "pubmed"):
        first, second = content(
            call(polite, "academic_search", query="retracted panels", provider=provider, num_results=2)
        )["papers"]
        status = first["retractionStatus"]
        assert status["retracted"] is True and status["kind"] == "retraction", provider
        assert status["source"] == "retraction-watch" and status["noticeDoi"] == "10.1000/notice.1", provider
        assert "retractionStatus" not in second


def test_a_flag_stands_where_crossref_lists_nothing(polite: dict[str, str]) -> None:
    first, second = content(call(polite, "academic_search", query="flagged panels", num_results=2))["papers"]
    assert first["retractionStatus"] == {"retracted": True, "kind": "retraction", "source": "openalex"}
    assert "retractionStatus" not in second


def test_a_flag_is_evidence_and_an_unchecked_paper_is_told(polite: dict[str, str], internet: Internet) -> None:
    internet.control("/crossref", status=500)
    found = content(call(polite, "academic_search", query="retracted panels", num_results=2))
    assert found["papers"][0]["retractionStatus"]["source"] == "openalex"
    assert "could not be checked" in found["notes"][0]


FILTERED: list[tuple[dict[str, Any], Any]] = [
    ({"year_from": 2018, "year_to": 2020}, lambda paper: 2018 <= paper["year"] <= 2020),
    ({"open_access": True}, lambda paper: paper["openAccess"] is True),
    ({"pdf_only": True}, lambda paper: paper["pdfUrl"].startswith("http")),
]


@pytest.mark.parametrize("provider", ["openalex", "crossref", "semanticscholar"])
@pytest.mark.parametrize(("wish", "holds"), FILTERED)
def test_every_filter_holds_with_every_provider(
    polite: dict[str, str], provider: str, wish: dict[str, Any], holds: Any
) -> None:
    found = content(call(polite, "academic_search", query="solar panels", provider=provider, **wish))
    assert found["papers"] and all(holds(paper) for paper in found["papers"])
    assert "filtersNotApplied" not in found


@pytest.mark.parametrize("provider", ["openalex", "crossref", "pubmed", "all"])
def test_by_date_the_newest_of_the_relevant_come_first(polite: dict[str, str], provider: str) -> None:
    papers = content(call(polite, "academic_search", query="tides", provider=provider, sort_by="date"))["papers"]
    years = [paper["year"] for paper in papers]
    assert years == sorted(years, reverse=True) and len(set(years)) > 1


def test_unpaywall_fills_gaps_and_overwrites_nothing(polite: dict[str, str]) -> None:
    filled = content(call(polite, "academic_search", query="tides", provider="crossref", num_results=2))["papers"]
    assert "/unpaywall/copies/" in filled[0]["pdfUrl"] and "pdfUrl" not in filled[1]
    kept = content(call(polite, "academic_search", query="tides", provider="openalex", num_results=1))["papers"]
    assert kept[0]["pdfUrl"].startswith("https://repository.example/")


def test_checks_run_side_by_side_and_a_few_at_a_time(polite: dict[str, str], internet: Internet) -> None:
    internet.control("/unpaywall", latency_ms=150)
    call(polite, "academic_search", query="tides", provider="crossref", num_results=10)
    assert 2 <= internet.stats()["most_in_flight"]["/unpaywall"] <= 8


def test_all_providers_merge_into_one_record_for_each_work(polite: dict[str, str]) -> None:
    found = content(call(polite, "academic_search", query="tides", provider="all", num_results=10))
    dois = [paper["doi"] for paper in found["papers"]]
    assert found["source"] == "all" and len(set(dois)) == len(dois)
    first = next(paper for paper in found["papers"] if paper["doi"] == "10.1000/tides.1")
    assert first["source"] == "openalex" and first["tldr"] == "tides matter." and first["pmid"]


def test_trial_deposits_are_dropped(polite: dict[str, str]) -> None:
    papers = content(call(polite, "academic_search", query="trial tides", num_results=10))["papers"]
    assert papers and not any(paper["doi"].startswith("10.5555/") for paper in papers)


def test_only_the_acronym_is_quoted(polite: dict[str, str], internet: Internet) -> None:
    call(polite, "academic_search", query="effect of CRISPR on wheat")
    sent = next(seen for seen in internet.stats()["seen"] if seen["path"] == "/openalex/works")
    assert "search=effect+of+%22CRISPR%22+on+wheat&" in sent["query"]


def test_a_named_provider_is_asked_alone(polite: dict[str, str], internet: Internet) -> None:
    internet.control("/pubmed", status=503)
    fields = error(call(polite, "academic_search", query="tides", provider="pubmed"))
    assert fields["provider"] == "pubmed" and internet.requests("/openalex") == 0


def test_an_unknown_provider_is_told_the_choices(polite: dict[str, str]) -> None:
    answer = call(polite, "academic_search", query="tides", provider="opnalex")
    assert "Did you mean openalex?" in answer.text and "pubmed" in answer.text and "duckduckgo" in answer.text


def test_the_operators_list_goes_first(polite: dict[str, str]) -> None:
    routed = {**polite, "SEARCH_ROUTING": '{"academic": "pubmed,openalex"}'}
    assert content(call(routed, "academic_search", query="tides"))["source"] == "pubmed"


def test_the_web_is_the_last_resort(polite: dict[str, str], internet: Internet) -> None:
    without_papers(internet)
    web_finds(internet, ARXIV_HIT, OTHER_HIT, NATURE_HIT)
    found = content(call(polite, "academic_search", query="tides", year_from=2020, year_to=2023))
    assert found["source"] == "web_search" and len(found["notes"]) >= 5
    by_url = {paper["url"]: paper for paper in found["papers"]}
    assert OTHER_HIT["url"] not in by_url
    preprint = by_url[ARXIV_HIT["url"]]
    assert preprint["title"] == "On tides" and preprint["doi"] == "10.48550/arxiv.2301.00001"
    assert preprint["year"] == 2023 and preprint["pdfUrl"] == "https://arxiv.org/pdf/2301.00001v2"
    assert by_url[NATURE_HIT["url"]]["doi"] == "10.1038/s41586-020-2012-7"
    assert found["filtersNotApplied"] == ["year_from", "year_to"]
    sent = [seen["query"] for seen in internet.stats()["seen"] if seen["path"].startswith("/searxng")]
    assert all("after%3A2020-01-01+before%3A2024-01-01" in query for query in sent) and len(sent) >= 2


def test_a_web_engine_by_name_searches_scholarly_sites(polite: dict[str, str], internet: Internet) -> None:
    web_finds(internet, ARXIV_HIT, OTHER_HIT)
    found = content(call(polite, "academic_search", query="tides", provider="searxng", source="arxiv"))
    assert [paper["source"] for paper in found["papers"]] == ["searxng"] and internet.requests("/openalex") == 0


def test_a_lens_narrows_the_search(polite: dict[str, str], internet: Internet) -> None:
    web_finds(internet, ARXIV_HIT, OTHER_HIT)
    found = content(call(polite, "academic_search", query="tides", lens="academic"))
    assert [paper["url"] for paper in found["papers"]] == [ARXIV_HIT["url"]] and "filtersNotApplied" not in found
    both = content(call(polite, "academic_search", query="tides", lens="academic", source="nature"))
    assert both["filtersNotApplied"] == ["source"]
    assert "no lens named" in call(polite, "academic_search", query="tides", lens="nonsense").text


def test_nothing_found_has_hints_in_a_fixed_order(polite: dict[str, str]) -> None:
    found = content(call(polite, "academic_search", query="nothing", year_from=2000, open_access=True, source="arxiv"))
    assert found["papers"] == [] and found["totalResults"] == 0
    hints = found["hints"]
    assert [action["parameter"] for action in hints["suggestedActions"]] == ["open_access", "year_from", "source"]
    assert hints["filtersApplied"] == {"open_access": "true", "year_from": "2000", "source": "arxiv"}
    assert {"openalex", "crossref", "pubmed", "semanticscholar", "arxiv"} <= set(hints["providersAttempted"])


def test_nobody_could_answer_is_an_error_that_names_them(polite: dict[str, str], internet: Internet) -> None:
    without_papers(internet)
    internet.control("/searxng", status=503)
    internet.control("/duckduckgo", block="duckduckgo")
    answer = call(polite, "academic_search", query="tides")
    assert answer.is_error and error(answer)["kind"] == "rate_limited"
    assert all(name in answer.text for name in ("openalex", "crossref", "pubmed", "duckduckgo"))


def test_years_the_wrong_way_round_are_told(polite: dict[str, str]) -> None:
    assert "swap them" in call(polite, "academic_search", query="x", year_from=2020, year_to=2010).text


def test_a_year_0_is_one_that_was_left_out(polite: dict[str, str]) -> None:
    found = content(call(polite, "academic_search", query="tides", year_from=0, year_to=2020))
    assert found["papers"] and all(paper["year"] <= 2020 for paper in found["papers"])


def test_after_the_operators_list_everyone_else_is_asked(polite: dict[str, str], internet: Internet) -> None:
    internet.control("/pubmed", status=503)
    found = content(call({**polite, "SEARCH_ROUTING": '{"academic": "pubmed"}'}, "academic_search", query="tides"))
    assert found["source"] == "openalex" and "pubmed" in found["notes"][0]
