"""patent_search through all layers, against the loopback internet."""

from __future__ import annotations

import json

import pytest

from tests.app import call, content, error
from tests.loopback.run import Internet


@pytest.fixture
def offices(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "EPO_OPS_CONSUMER_KEY": "k", "EPO_OPS_CONSUMER_SECRET": "s", "USPTO_API_KEY": "u"}


def web_finds(internet: Internet, *numbers: str) -> None:
    hits = [
        {
            "url": f"https://patents.google.com/patent/{number}/en",
            "title": f"{number} - Thing - Google Patents",
            "content": "x",
        }
        for number in numbers
    ]
    hits.append({"url": "https://patents.google.com/?q=thing", "title": "Google Patents", "content": ""})
    body = json.dumps({"query": "x", "results": hits, "unresponsive_engines": []})
    internet.control("/searxng", body=body, headers={"content-type": "application/json"})


def test_a_number_leads_straight_to_its_page(environment: dict[str, str], internet: Internet) -> None:
    found = content(call(environment, "patent_search", query="US 10,165,245", search_type="specific"))
    (patent,) = found["patents"]
    assert found["source"] == "google_patents_direct" and patent["number"] == "US10165245B2"
    assert patent["filed"] < patent["granted"] == patent["published"] and patent["inventor"] == "Ada Lovelace"
    assert found["searchUrl"] == "https://patents.google.com/patent/US10165245/en"
    assert internet.requests("/searxng") == 0 and "notes" not in found
    other = content(
        call(environment, "patent_search", query="US10165245B2", search_type="specific", patent_office="EP")
    )
    assert other["resultCount"] == 1 and "does not keep to the other filters" in other["notes"][0]


def test_databases_are_asked_best_first_and_filters_hold(offices: dict[str, str]) -> None:
    found = content(
        call(
            offices,
            "patent_search",
            query="wind turbine",
            patent_office="EP",
            assignee="Siemens AG",
            inventor="Andrew Crosby",
            year_from=2016,
            year_to=2018,
        )
    )
    assert found["source"] == "epo" and found["patents"]
    for patent in found["patents"]:
        assert patent["number"].startswith("EP") and patent["granted"] == "2019-05-06" and patent["filed"] < "2019"
        assert patent["title"].startswith("wind turbine") and "siemens" in patent["assignee"].lower()


def test_an_application_is_not_called_granted(offices: dict[str, str]) -> None:
    found = content(call(offices, "patent_search", query="turbine", patent_office="WO"))
    assert found["patents"] and all("granted" not in patent and patent["published"] for patent in found["patents"])


def test_the_next_database_stands_in(offices: dict[str, str], internet: Internet) -> None:
    internet.control("/epo", status=403, headers={"x-rejection-reason": "IndividualQuotaPerHour"})
    found = content(call(offices, "patent_search", query="turbine", num_results=2))
    assert found["source"] == "uspto" and found["resultCount"] == 2
    assert "Rate limited (epo)" in found["notes"][0]
    assert found["patents"][0]["number"] == "US10000001B2" and found["patents"][0]["status"] == "Patented Case"


def test_without_a_database_pages_are_found_and_read(environment: dict[str, str], internet: Internet) -> None:
    web_finds(internet, "US10165245B2", "EP3000001B1", "US9900000B2")
    internet.control("/google-patents", latency_ms=50)
    found = content(call(environment, "patent_search", query="thing", num_results=5))
    assert found["source"] == "web_discovery" and found["resultCount"] == 3
    read, _, unread = found["patents"]
    assert read["filed"] and read["granted"] and read["title"].startswith("Device")
    assert unread["number"] == "US9900000B2" and unread["title"] == "Thing" and "filed" not in unread
    assert "1 patent pages could not be read" in found["notes"][0]
    web_finds(internet, *(f"EP30000{number}B1" for number in range(10, 18)), "US10165245B2", "EP3000001B1")
    call(environment, "patent_search", query="things", num_results=8)
    assert internet.stats()["most_in_flight"]["/google-patents"] == 3
    web_finds(internet, "US10165245B2", "EP3000001B1")
    only = content(call(environment, "patent_search", query="thing", patent_office="EP"))
    assert [patent["number"] for patent in only["patents"]] == ["EP3000001B1"]


def test_a_landscape_is_grouped_by_owner(offices: dict[str, str]) -> None:
    found = content(call(offices, "patent_search", query="turbine", search_type="landscape", num_results=3))
    first, second = found["assigneeClusters"]
    assert found["resultCount"] == 3 < first["count"] + second["count"]
    assert {first["assignee"], second["assignee"]} == {"Siemens", "SIEMENS ENERGY GLOBAL"}


def test_a_database_without_that_office_is_a_coverage_miss(offices: dict[str, str], internet: Internet) -> None:
    found = content(call(offices, "patent_search", query="turbine", provider="uspto", patent_office="EP"))
    assert found["patents"] == [] and found["source"] == "uspto" and internet.requests("/uspto") == 0
    hints = found["hints"]
    assert hints["reason"] == "coverage_miss" and hints["suggestedActions"][0]["value"] == "epo"
    assert hints["suggestedActions"][0]["action"] == "switch_provider"


def test_a_named_provider_is_asked_alone(offices: dict[str, str], internet: Internet) -> None:
    found = content(call(offices, "patent_search", query="nothing", provider="epo", year_from=2000))
    assert found["patents"] == [] and found["hints"]["reason"] == "filters_too_restrictive"
    assert internet.requests("/uspto") == internet.requests("/searxng") == 0
    wordy = "turbine " + " ".join(f"word{number}" for number in range(10))
    answer = content(call(offices, "patent_search", query=wordy, provider="epo", patent_office="EP", year_from=2000))
    assert answer["notes"] == [
        "The European Patent Office takes only so many words at once, so it was asked without: word7, word8, word9.",
        'Claims, family and citations of one: its number with search_type "specific".',
    ]
    fields = error(call(offices, "patent_search", query="x", provider="lens"))
    assert fields["kind"] == "config"
    text = call(offices, "patent_search", query="x", provider="eppo").text
    assert "Did you mean epo?" in text and text.count("searchapi") == 1


def test_finding_nothing_is_not_kept_and_finding_is(offices: dict[str, str], internet: Internet) -> None:
    for query, times in (("nothing", 2), ("turbine", 1)):
        internet.reset()
        for _ in range(2):
            call(offices, "patent_search", query=query, provider="uspto")
        assert internet.requests("/uspto") == times


def test_every_filter_is_part_of_the_question(offices: dict[str, str]) -> None:
    answers = {
        call(offices, "patent_search", query="turbine", provider="epo", num_results=10, **wish).body
        for wish in (
            {},
            {"year_from": 2018},
            {"year_to": 2017},
            {"patent_office": "US"},
            {"assignee": "Siemens Energy"},
        )
    }
    assert len(answers) == 5


def test_a_search_for_nothing_in_particular_is_refused(environment: dict[str, str]) -> None:
    assert "Give a query" in call(environment, "patent_search").text
    assert "swap them" in call(environment, "patent_search", query="x", year_from=2020, year_to=2010).text
    assert "a year from 1700" in call(environment, "patent_search", query="x", year_from=-1).text
