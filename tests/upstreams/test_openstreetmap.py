"""OpenStreetMap: by tags around a place, by words, and what each of its three services says when it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, form, reply
from tests.upstreams.recorded import recorded
from tests.upstreams.test_broken_domain_answers import EXPECTED, INTRUDERS, paths, replaced
from wellsourced.errors import RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams.helpers.osm_tags import tags_for
from wellsourced.upstreams.openstreetmap import ATTRIBUTION, places
from wellsourced.upstreams.types.records import Place, PlaceQuery

HERE = {"latitude": 50.9413, "longitude": 6.9583}
ACCESS = Access({"OPENSTREETMAP_CONTACT_EMAIL": "desk@example.org"})


def test_kinds_of_places() -> None:
    assert tags_for("coffee shops") == (("amenity", "cafe"),)
    assert tags_for("Italian restaurants") == (("amenity", "restaurant"), ("cuisine", "italian"))
    assert tags_for("pharmacies") == (("amenity", "pharmacy"),)
    assert tags_for('Zum "Löwen"') == ()


def test_by_tags_around_a_named_place(shared: Path) -> None:
    town = recorded(shared, "more/nominatim/search-cologne-cathedral.json")
    row = {"type": "way", "id": 7, "center": {"lat": 50.942, "lon": 6.959}, "tags": {
        "name": "Haus", "amenity": "restaurant", "opening_hours": "Mo 10:00-12:00; Tu off"}}  # fmt: skip
    nameless = {"type": "node", "id": 8, "lat": 1, "lon": 1, "tags": {"amenity": "restaurant"}}
    query = PlaceQuery(text="restaurants", near="Cologne Cathedral")
    requests, found = converse(places(query, ACCESS), town, reply({"elements": [row, nameless]}))
    assert {request.headers["User-Agent"] for request in requests} == {"Wellsourced (desk@example.org)"}
    assert '["amenity"="restaurant"](around:2000,50.941344,6.958121)' in form(requests[1])["data"]
    (place,) = found.items
    assert (place.name, place.hours, place.website) == (
        "Haus", ("Mo 10:00-12:00", "Tu off"), "https://www.openstreetmap.org/way/7"
    )  # fmt: skip
    assert place.distance == pytest.approx(95.5, abs=2) and ATTRIBUTION in found.notes


def test_recorded_answers_of_nominatim(shared: Path) -> None:
    for file, count in (("search-cologne-cathedral", 1), ("search-json", 1), ("search-empty", 0)):
        _, found = converse(places(PlaceQuery(text="dom"), ACCESS), recorded(shared, f"more/nominatim/{file}.json"))
        assert len(found.items) >= count and bool(found.items) == bool(count) and ATTRIBUTION in found.notes
    _, found = converse(
        places(PlaceQuery(text="dom"), ACCESS), recorded(shared, "more/nominatim/search-cologne-cathedral.json")
    )
    place = found.items[0]
    assert (place.name, place.latitude, place.id) == ("Cologne Cathedral", 50.94134445, "way/4532022")


def test_photon_answers_where_nominatim_refuses(shared: Path) -> None:
    refused = recorded(shared, "more/nominatim/error-over-limit.html", 429)
    garden = recorded(shared, "more/photon/api-madison-square-garden.json")
    requests, found = converse(places(PlaceQuery(text="Madison Square Garden"), ACCESS), refused, garden)
    assert requests[1].host == "photon"
    place = found.items[0]
    assert (place.latitude, place.longitude) == (40.7505247, -73.99355027800776)
    assert place.address == "Pennsylvania Plaza 4, 10001 New York, United States of America"
    nothing = recorded(shared, "more/photon/api-no-results.json")
    assert converse(places(PlaceQuery(text="x"), ACCESS), refused, nothing)[1].items == ()
    with pytest.raises(RateLimited):
        converse(
            places(PlaceQuery(text="x"), ACCESS),
            refused,
            recorded(shared, "more/photon/error-invalid-request.json", 400),
        )


@pytest.mark.parametrize(
    ("file", "status"),
    [("remark-runtime-error-200.json", 200), ("error-400-bad-request.html", 400), ("error-400-bad-request.html", 504)],
)
def test_what_overpass_refuses_is_looked_for_by_words(file: str, status: int, shared: Path) -> None:
    refused = recorded(shared, f"more/overpass/{file}", status)
    query = PlaceQuery(text="cafe", **HERE)  # type: ignore[arg-type]
    _, found = converse(places(query, ACCESS), refused, reply([]))
    assert found.items == () and "Overpass did not answer" in found.notes[0]


def test_recorded_elements(shared: Path) -> None:
    query = PlaceQuery(text="cafe", **HERE)  # type: ignore[arg-type]
    _, found = converse(places(query, ACCESS), recorded(shared, "more/overpass/json-relation-center.json"))
    assert found.items[0].latitude == pytest.approx(50.8176646)
    _, area = converse(places(query, ACCESS), recorded(shared, "more/overpass/json-area.json"))
    assert [place.id for place in area.items][:2] == ["way/48756446", "relation/55060"]
    assert all(place.latitude is None for place in area.items)


def after_one_reply(query: PlaceQuery, answer: Reply) -> tuple[Place, ...]:
    """What is found after one answer; nothing where an error says so, or where more is asked."""
    steps = places(query, ACCESS)
    next(steps)
    try:
        steps.send(answer)
    except StopIteration as done:
        found: tuple[Place, ...] = done.value.items
        return found
    except EXPECTED:
        pass
    return ()


def test_damaged_answers_never_become_other_places(shared: Path) -> None:
    element = {"type": "node", "id": 1, "lat": 50.94, "lon": 6.95, "tags": {"name": "A", "amenity": "cafe"}}
    by_tags = PlaceQuery(text="cafe", **HERE)  # type: ignore[arg-type]
    bodies = {
        by_tags: {"elements": [element]},
        PlaceQuery(text="dom"): recorded(shared, "more/nominatim/search-cologne-cathedral.json").json(),
    }
    for query, body in bodies.items():
        for path in paths(body):
            for value in INTRUDERS:
                found = after_one_reply(query, reply(replaced(body, path, value)))
                assert {place.id for place in found} <= {"node/1", "way/4532022", "node/7", "way/7"}


def test_what_is_not_understood() -> None:
    for body in ("<html>hello</html>", {"a": 1}, [{"x": 1}]):
        with pytest.raises((UpstreamChanged, KeyError)):
            converse(places(PlaceQuery(text="x y"), ACCESS), reply(body))
    with pytest.raises(UpstreamUnavailable):
        converse(places(PlaceQuery(text="x y"), ACCESS), reply({"error": {"code": 400}}, 400))
