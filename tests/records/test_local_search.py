"""local_search through all layers: nearest first, a place whose details are gone, and where the search is anchored."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app import call, content, error
from tests.loopback.run import Internet

HERE = {"latitude": 47.37, "longitude": 8.54}


def search(environment: dict[str, str], **asked: Any) -> dict[str, Any]:
    return content(call(environment, "local_search", **asked))


def test_places_are_complete_and_nearest_first(keyed_environment: dict[str, str]) -> None:
    found = search(keyed_environment, query="mill", **HERE)
    near, far, gone = found["places"]
    assert near == {
        "id": "spot-near",
        "name": "Near Mill",
        "address": "1 Lake Road, Near Mill",
        "lat": 47.3701,
        "lon": 8.5401,
        "distance": pytest.approx(13.4, abs=0.2),
        "phone": "+41 44 000 00 00",
        "website": "https://spot-near.example/",
        "categories": ["Mill"],
        "rating": 4.5,
        "ratingCount": 234,
        "priceRange": "$$",
        "hours": ["Monday: 07:00-21:00"],
        "timezone": "Europe/Zurich",
        "description": "### Near Mill\nGrinds **flour**.",
        "source": "brave",
    }
    assert far["distance"] > 10_000
    assert gone["name"] == "Gone Mill" and not {"lat", "address", "distance"} & set(gone)
    assert found["notes"] == ["Of some places Brave gave the name only."]
    assert (found["provider"], found["resultCount"]) == ("brave", 3)


def test_a_radius_keeps_out_what_is_farther_or_unknown(keyed_environment: dict[str, str]) -> None:
    found = search(keyed_environment, query="mill", **HERE, radius=500, near="Basel")
    assert [place["name"] for place in found["places"]] == ["Near Mill"]
    assert found["filtersNotApplied"] == ["near"]


def test_a_radius_without_coordinates_is_admitted_to_be_without_effect(
    keyed_environment: dict[str, str], internet: Internet
) -> None:
    found = search(keyed_environment, query="mill", near="Zürich", country="ch", radius=500)
    assert found["filtersNotApplied"] == ["radius"] and len(found["places"]) == 3
    headers = internet.stats()["seen"][0]["headers"]
    assert (headers["x-loc-city"], headers["x-loc-country"]) == ("Zurich", "CH")


def test_a_name_in_another_script_goes_into_the_query(keyed_environment: dict[str, str]) -> None:
    assert search(keyed_environment, query="mill", near="東京")["notes"][0] == "Looked for 東京 as part of the query."


def test_places_are_not_lost_with_their_descriptions(keyed_environment: dict[str, str], internet: Internet) -> None:
    internet.control("/brave/res/v1/local/descriptions", status=403, body="no")
    found = search(keyed_environment, query="mill", num_results=2)
    assert len(found["places"]) == 2 and not any("description" in place for place in found["places"])
    assert found["notes"] == ["Brave gave no descriptions this time."]


def test_nothing_found_asks_where(keyed_environment: dict[str, str]) -> None:
    hints = search(keyed_environment, query="nothing", country="CH")["hints"]
    assert (hints["reason"], hints["providersAttempted"]) == ("missing_location_anchor", ["brave"])
    assert [(a["action"], a["parameter"]) for a in hints["suggestedActions"]] == [
        ("add_parameter", "near"),
        ("remove_filter", "country"),
    ]
    anchored = search(keyed_environment, query="nothing", **HERE, radius=90)["hints"]
    assert (anchored["reason"], anchored["filtersApplied"]) == ("filters_too_restrictive", {"radius": "90"})


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "query is required."),
        ({"query": " "}, "Give what to look for in query, such as coffee shops."),
        ({"query": "x", "latitude": 91, "longitude": 0}, "latitude must be at most 90.0; got 91."),
        ({"query": "x", "latitude": 0, "longitude": -180.5}, "longitude must be at least -180.0; got -180.5."),
        ({"query": "x", "latitude": float("nan"), "longitude": 0}, "latitude must be at most 90.0; got nan."),
        ({"query": "x", "latitude": 1}, "latitude and longitude must be given together."),
        ({"query": "x", "longitude": 0}, "latitude and longitude must be given together."),
        ({"query": "x", "radius": -1}, "radius must be at least 0.0; got -1."),
        ({"query": "x", "country": "Switzerland"}, "it must be two letters such as US or GB."),
        ({"query": "x", "units": "miles"}, "units must be 'metric' or 'imperial'; got 'miles'."),
    ],
)
def test_bad_input_gets_a_sentence_and_asks_nobody(
    keyed_environment: dict[str, str], internet: Internet, asked: dict[str, Any], says: str
) -> None:
    answer = call(keyed_environment, "local_search", **asked)
    assert answer.is_error and says in answer.text and error(answer)["kind"] == "validation"
    assert internet.requests() == 0


def test_a_refused_key_is_told_under_the_name_that_callers_know(environment: dict[str, str]) -> None:
    answer = call({**environment, "BRAVE_API_KEY": "bad-key"}, "local_search", query="mill")
    assert (error(answer)["kind"], error(answer)["provider"]) == ("auth_required", "brave")
    assert "BRAVE_API_KEY" in answer.text and "brave-local" not in answer.text
