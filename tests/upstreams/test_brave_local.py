"""Brave's places: three calls, documented answers, distances, and descriptions that may fail."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from wellsourced.errors import (
    BadInput,
    Blocked,
    KeyRejected,
    NetworkFailed,
    OutOfCredit,
    RateLimited,
    UpstreamChanged,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import brave_local
from wellsourced.upstreams.helpers.distance import metres_between
from wellsourced.upstreams.types.records import Origin, Place, PlaceQuery

ACCESS = Access({"BRAVE_API_KEY": "k3y"}, datetime(2026, 11, 15, tzinfo=UTC))
NEWER_ENDPOINT = {"place_search.documented.json"}
LIVE = "loc4CQWMJWLD4VBEBZ62XQLJTGK6YCJEEJDNAAAAAAA="


def recorded(shared: Path, name: str, folder: str = "brave-local") -> Reply:
    return Reply(200, {}, (shared / "wire" / folder / name).read_bytes())


def located(*rows: dict[str, Any]) -> Reply:
    return reply({"type": "search", "query": {}, "locations": {"type": "locations", "results": list(rows)}})


def spot(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "location_result", "id": name, "title": name.title(), **more}


def ask(*replies: Reply, **asked: Any) -> Any:
    return converse(brave_local.places(PlaceQuery(**{"text": "greek food", **asked}), ACCESS), *replies)


def test_every_recorded_file_is_accounted_for(shared: Path) -> None:
    files = {file.name for file in (shared / "wire" / "brave-local").iterdir()} - {"PROVENANCE.md"}
    assert files == NEWER_ENDPOINT | {"descriptions.documented.json", "pois-null-entry.json", "pois.documented.json"}


def test_documented_answers(shared: Path) -> None:
    pois, texts = recorded(shared, "pois.documented.json"), recorded(shared, "descriptions.documented.json")
    requests, found = ask(located(spot(LIVE)), pois, texts, latitude=37.7749, longitude=-122.4194, units="imperial")
    assert [(request.path, list(request.params)) for request in requests] == [
        ("/res/v1/web/search", [("q", "greek food"), ("result_filter", "locations"), ("units", "imperial")]),
        ("/res/v1/local/pois", [("ids", LIVE), ("units", "imperial")]),
        ("/res/v1/local/descriptions", [("ids", LIVE)]),
    ]
    assert {request.headers["X-Subscription-Token"] for request in requests} == {"k3y"}
    assert ["X-Loc-Lat" in request.headers for request in requests] == [True, False, False]
    assert found.items == (
        Place(
            id=LIVE,
            name="Park Mediterranean Grill",
            origin=Origin(url="https://yelp.com/biz/park-mediterranean-grill-sf", record=LIVE),
            address="123 Main St, San Francisco, CA 94102",
            latitude=37.7749,
            longitude=-122.4194,
            distance=0.0,
            phone="+1 415-555-0123",
            website="https://yelp.com/biz/park-mediterranean-grill-sf",
            categories=("Mediterranean", "Greek"),
            rating=4.5,
            rating_count=234,
            price_range="$$",
            hours=("Monday: 07:00-21:00",),
            timezone="America/Los_Angeles",
            description="### Overview\nA cozy neighborhood cafe known for its **artisanal coffee**...",
        ),
    )
    assert found.notes == ()


def test_documented_answers_of_the_web_search(shared: Path) -> None:
    names = ("web_locations.documented.json", "local_pois.documented.json", "local_descriptions.documented.json")
    requests, found = ask(*(recorded(shared, name, "brave") for name in names), near="San Francisco", country="us")
    assert requests[0].headers["X-Loc-City"] == "San Francisco"
    assert requests[0].headers["X-Loc-Country"] == "US"
    assert [place.name for place in found.items] == ["Example Restaurant", "Park Mediterranean Grill"]
    assert found.items[0].hours == ("Monday: 11:00-21:00", "Tuesday: 11:00-21:00")
    assert [place.description for place in found.items] == ["Short generated text about the place.", None]
    assert found.notes == (brave_local.NAMES_ONLY,)


def test_dead_ids_leave_the_names(shared: Path) -> None:
    dead = recorded(shared, "pois-null-entry.json")
    found = ask(located(spot("one")), dead, recorded(shared, "descriptions.documented.json"))[1]
    assert [(place.name, place.address) for place in found.items] == [("One", None)]
    assert found.notes == (brave_local.NAMES_ONLY,)


def test_one_bad_row_costs_that_row() -> None:
    rows: list[Any] = [None, {"title": "no id"}, {"id": "untitled"}, spot("one")]
    details = reply({"type": "local_pois", "results": [None, {"title": "no id"}]})
    found = ask(located(*rows), details, reply({"type": "local_descriptions", "results": []}))[1]
    assert [place.name for place in found.items] == ["One"]
    with pytest.raises(UpstreamChanged):
        ask(located(*rows[:2]))


SPOTS = (
    spot("far", coordinates=[48.9, 2.3]),
    spot("nowhere"),
    spot("near", coordinates=[48.8584, 2.2945]),
    spot("middle", coordinates=[48.8606, 2.3376]),
)
NO_TEXTS = reply({"type": "local_descriptions", "results": []})
DETAILS = reply({"type": "local_pois", "results": list(SPOTS)})
PARIS = {"latitude": 48.8584, "longitude": 2.2945}


@pytest.mark.parametrize(
    ("asked", "names", "missing"),
    [
        (PARIS, ["near", "middle", "far", "nowhere"], set()),
        ({**PARIS, "radius": 4000.0}, ["near", "middle"], set()),
        ({**PARIS, "count": 1, "near": "Rome"}, ["near"], {"near"}),
        ({"count": 2}, ["far", "nowhere"], set()),
        ({"radius": 10.0}, ["far", "nowhere", "near", "middle"], {"radius"}),
    ],
)
def test_ranking(asked: dict[str, Any], names: list[str], missing: set[str]) -> None:
    requests, found = ask(located(*SPOTS), DETAILS, NO_TEXTS, **asked)
    assert [place.id for place in found.items] == names
    assert found.not_applied == missing
    distances = {place.id: place.distance for place in found.items}
    assert distances.get("middle", 3160) == pytest.approx(3160, abs=15) or "latitude" not in asked
    assert [value for name, value in requests[2].params] == names


@pytest.mark.parametrize("trouble", [NetworkFailed("gone"), reply("slow", 429), reply("<html>"), reply({"type": "x"})])
def test_failing_descriptions_lose_nothing(trouble: Any) -> None:
    steps = brave_local.places(PlaceQuery(text="x"), ACCESS)
    next(steps)
    steps.send(located(SPOTS[0]))
    steps.send(DETAILS)
    with pytest.raises(StopIteration) as done:
        steps.throw(trouble) if isinstance(trouble, NetworkFailed) else steps.send(trouble)
    assert [place.id for place in done.value.value.items] == ["far"]
    assert brave_local.UNDESCRIBED in done.value.value.notes


@pytest.mark.parametrize(
    ("near", "query", "city"),
    [("Zürich", "cafe", "Zurich"), ("東京", "cafe 東京", None), ("a\r\nX: y", "cafe", "a X: y"), (None, "cafe", None)],
)
def test_where_is_said_in_a_header_or_in_the_query(near: str | None, query: str, city: str | None) -> None:
    request = first_request(brave_local.places(PlaceQuery(text="cafe", near=near), ACCESS))
    assert (dict(request.params)["q"], request.headers.get("X-Loc-City")) == (query, city)


@pytest.mark.parametrize(
    "asked",
    [
        {"text": " "},
        {"latitude": 1.0},
        {"latitude": 91.0, "longitude": 0.0},
        {"radius": -1.0},
        {"country": "Germany"},
        {"latitude": float("nan"), "longitude": 0.0},
    ],
)
def test_bad_input(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        first_request(brave_local.places(PlaceQuery(**{"text": "x", **asked}), ACCESS))


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (422, {"error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "no"}}, KeyRejected),
        (400, {"error": {"code": "OPTION_NOT_IN_PLAN", "detail": "no"}}, KeyRejected),
        (402, {}, OutOfCredit),
        (429, {}, RateLimited),
        (403, "<html>", Blocked),
        (200, [], UpstreamChanged),
        (200, {"type": "other"}, UpstreamChanged),
        (200, {"type": "search", "locations": {"results": {}}}, UpstreamChanged),
    ],
)
def test_errors(status: int, body: object, kind: type[WellsourcedError]) -> None:
    with pytest.raises(kind) as raised:
        ask(reply(body, status))
    assert type(raised.value) is kind


def test_no_locations_is_nothing_found() -> None:
    assert ask(reply({"type": "search", "query": {}}))[1].items == ()


def test_distances_across_the_date_line_and_through_the_poles() -> None:
    assert metres_between((52.5200, 13.4050), (48.8566, 2.3522)) == pytest.approx(877_460, rel=0.001)
    assert metres_between((0, 179.5), (0, -179.5)) == pytest.approx(111_195, rel=0.001)
    assert metres_between((90, 0), (-90, 0)) == pytest.approx(20_015_087, rel=0.001)
