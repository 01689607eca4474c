"""OpenStreetMap: places all over the world without a key, through Nominatim, Overpass and Photon.

Nominatim (nominatim.org) finds where to look, Overpass (overpass-api.de) what is there by its tags, with hours,
telephone and website; a place asked for by name goes to Nominatim alone, and to Photon (photon.komoot.io) where
Nominatim refuses. One request a second for all users together, under our own name. Coordinates are texts at Nominatim
and [lon, lat] at Photon. Overpass reports failures inside HTTP 200 (`remark`). ODbL: every answer names the
contributors. Checked 2026-11-17.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from wellsourced.errors import (
    BadInput,
    Blocked,
    NetworkFailed,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.distance import Point, metres_between
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, as_web_address, objects_in, parse_rows
from wellsourced.upstreams.helpers.osm_tags import tags_for
from wellsourced.upstreams.types.records import Origin, Place, PlaceQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="openstreetmap",
    title="OpenStreetMap",
    bases={
        "": "https://nominatim.openstreetmap.org",
        "overpass": "https://overpass-api.de",
        "photon": "https://photon.komoot.io",
    },
    uses=(
        Setting(
            "OPENSTREETMAP_CONTACT_EMAIL",
            "Contact address that OpenStreetMap's services ask for; OPENALEX_EMAIL is used when it is unset.",
        ),
        Setting("OPENALEX_EMAIL", "Contact address for the polite pool of OpenAlex."),
    ),
    needs_one_of=("OPENSTREETMAP_CONTACT_EMAIL", "OPENALEX_EMAIL"),
    pace=Pace(1, 1.0),
    timeout=40.0,
    preference=60,
    about="Places with address, hours, telephone and website; no ratings.",
)

ATTRIBUTION = "© OpenStreetMap contributors, Open Database Licence (openstreetmap.org/copyright)."
UNRATED = "OpenStreetMap has no ratings and no prices; hours and telephone are there where somebody entered them."
USUAL_RADIUS, LARGEST_RADIUS = 2_000.0, 20_000.0
MOST_PLACES = 40
DEGREE = 111_000.0  # metres a degree of latitude
KINDS = ("amenity", "shop", "tourism", "leisure", "office", "craft", "railway", "aeroway")
WAY_AREAS, RELATION_AREAS = 2_400_000_000, 3_600_000_000
OSM_TYPES = {"N": "node", "W": "way", "R": "relation"}
OVERUSE = re.compile(r"overusing|bandwidth limit|too many requests|usage policy", re.I)
BUSY = re.compile(r"too busy|rate_limited|timed out|out of memory|timeout", re.I)


def places(query: PlaceQuery, access: Access) -> Steps[ResultSet[Place]]:
    text = " ".join(query.text.split())
    if not text:
        raise BadInput("Give what to look for in query, such as pharmacies.")
    contact = access["OPENSTREETMAP_CONTACT_EMAIL"] or access["OPENALEX_EMAIL"]
    return (yield from _identified(_find(text, query), f"Wellsourced ({contact})"))


def _identified(steps: Steps[ResultSet[Place]], agent: str) -> Steps[ResultSet[Place]]:
    """The same conversation, with every request under our own name and with a contact, as the usage policies ask."""
    request = next(steps)
    while True:
        named = replace(request, headers={**request.headers, "User-Agent": agent})
        try:
            reply = yield named
        except NetworkFailed as error:
            request = steps.throw(error)
            continue
        try:
            request = steps.send(reply)
        except StopIteration as finished:
            result: ResultSet[Place] = finished.value
            return result


def _find(text: str, query: PlaceQuery) -> Steps[ResultSet[Place]]:
    centre, notes = yield from _centre(query)
    if query.near and centre is None:
        return ResultSet((), notes=(f"OpenStreetMap knows no place {query.near[:80]!r} to look around.", ATTRIBUTION))
    tags = tags_for(text)
    found: list[Place] | None = None
    if tags and centre:
        try:
            found = yield from _by_tags(tags, centre, query)
        except (RateLimited, UpstreamUnavailable) as error:
            notes = (*notes, f"Overpass did not answer ({error.sentence}); these are found by words.")
    if found is None:
        found = yield from _by_words(text, centre, query)
    return _answer(found, centre, query, notes)


def _answer(found: list[Place], centre: Point | None, query: PlaceQuery, notes: tuple[str, ...]) -> ResultSet[Place]:
    """Nearest first where there is a centre, and nothing beyond the radius."""
    measured = [_with_distance(place, centre) for place in found] if centre else found
    if centre:
        measured.sort(key=lambda place: place.distance if place.distance is not None else LARGEST_RADIUS * 10)
    if query.radius and centre:
        measured = [place for place in measured if place.distance is not None and place.distance <= query.radius]
    count = max(1, query.count)
    not_applied = {"units"} & {"units" if query.units else ""} | ({"radius"} if query.radius and not centre else set())
    shown = tuple(measured[:count])
    said = (*notes, UNRATED, ATTRIBUTION) if shown else (*notes, ATTRIBUTION)
    return ResultSet(shown, frozenset(not_applied), more_available=len(measured) > count, notes=said)


def _with_distance(place: Place, centre: Point) -> Place:
    if place.latitude is None or place.longitude is None:
        return place
    return replace(place, distance=round(metres_between(centre, (place.latitude, place.longitude)), 1))


def _centre(query: PlaceQuery) -> Steps[tuple[Point | None, tuple[str, ...]]]:
    """Where to look around: the coordinates, or those of the place that is named."""
    if query.latitude is not None and query.longitude is not None:
        return (query.latitude, query.longitude), (
            "near was not used: coordinates go before it.",
        ) if query.near else ()
    if not (query.near or "").strip():
        return None, ()
    rows = yield from _search({"q": query.near, "limit": 1, **_country(query)}, {"q": query.near, "limit": 1})
    named = next(iter(rows), None)
    if named is None or named.latitude is None or named.longitude is None:
        return None, ()
    return (named.latitude, named.longitude), (f"Distances are from the middle of {named.address or named.name}.",)


def _country(query: PlaceQuery) -> dict[str, Param]:
    code = (query.country or "").strip().lower()
    if code and not re.fullmatch(r"[a-z]{2}", code):
        raise BadInput(f"country is {code[:20]!r}; give two letters such as de or us.")
    return {"countrycodes": code} if code else {}


def _by_tags(tags: Sequence[tuple[str, str]], centre: Point, query: PlaceQuery) -> Steps[list[Place]]:
    radius = min(query.radius or USUAL_RADIUS, LARGEST_RADIUS)
    where = f"(around:{radius:.0f},{centre[0]:.6f},{centre[1]:.6f})"
    # Tags come from our own table, so that nothing a caller writes becomes part of the query.
    wanted = "".join(
        f'["{key}"~"(^|;){value}($|;)"]' if key == "cuisine" else f'["{key}"="{value}"]' for key, value in tags
    )
    script = f"[out:json][timeout:25];nwr{wanted}{where};out center tags {MOST_PLACES};"
    posted = Request.post_form("/api/interpreter", {"data": script})
    reply = yield replace(posted, host="overpass", timeout=30.0)
    return parse_rows(_elements(reply), _parse_element)


def _elements(reply: Reply) -> list[Mapping[str, Any]]:
    if reply.status == 429 or (reply.status in {403, 504} and BUSY.search(reply.text[:4000])):
        raise RateLimited("Overpass has no free slot.", retry_after=reply.retry_after or 30.0)
    if reply.status == 400:
        raise UpstreamUnavailable("Overpass did not accept the query.", detail=reply.summary)
    body = as_object(reply.expect_ok().json())
    remark, rows = as_text(body.get("remark")), body.get("elements")
    if not isinstance(rows, list):
        raise UpstreamChanged("Overpass's answer has no list of elements.", detail=reply.summary)
    if remark and "error" in remark.lower():
        raise UpstreamUnavailable(f"Overpass: {remark[:200]}")
    return [row for row in objects_in(rows) if as_text(as_object(row.get("tags")).get("name"))]


def _parse_element(row: Mapping[str, Any]) -> Place:
    tags = as_object(row.get("tags"))
    at = as_object(row.get("center")) or row
    kind, number = _as_drawn(as_text(row.get("type")), row.get("id"))
    if kind not in OSM_TYPES.values() or type(number) is not int:
        raise UpstreamChanged("Overpass's answer has an element without type or number.")
    return _place(
        kind, str(number), as_text(tags.get("name")), tags, (at.get("lat"), at.get("lon")), _street_address(tags)
    )


def _as_drawn(kind: str, number: Any) -> tuple[str, Any]:
    """Overpass derives areas from ways and relations, whose numbers it raises by a fixed amount."""
    if kind == "area" and type(number) is int and number >= WAY_AREAS:
        is_relation = number >= RELATION_AREAS
        return ("relation", number - RELATION_AREAS) if is_relation else ("way", number - WAY_AREAS)
    return kind, number


def _place(kind: str, number: str, name: str, tags: Mapping[str, Any], at: tuple[Any, Any], address: str) -> Place:
    url = f"https://www.openstreetmap.org/{kind}/{number}"
    latitude, longitude = _coordinate(at[0], 90), _coordinate(at[1], 180)
    hours = as_text(tags.get("opening_hours"))
    return Place(
        id=f"{kind}/{number}",
        name=name,
        origin=Origin(url=url, record=f"OpenStreetMap {kind} {number}"),
        address=address or None,
        latitude=latitude if longitude is not None else None,
        longitude=longitude if latitude is not None else None,
        phone=as_text(tags.get("phone")) or as_text(tags.get("contact:phone")) or None,
        website=as_web_address(tags.get("website")) or as_web_address(tags.get("contact:website")) or url,
        categories=tuple(_categories(tags)),
        hours=tuple(part.strip() for part in hours.split(";") if part.strip()),
        source=PROVIDER.name,
    )


def _coordinate(value: Any, most: int) -> float | None:
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
    except ValueError:
        return None
    return number if number is not None and -most <= number <= most else None


def _categories(tags: Mapping[str, Any]) -> Iterator[str]:
    for key in (*KINDS, "cuisine"):
        for value in as_text(tags.get(key)).split(";"):
            if value.strip():
                yield value.strip().replace("_", " ")


def _street_address(tags: Mapping[str, Any]) -> str:
    part = {key: as_text(tags.get(f"addr:{key}")) for key in ("street", "housenumber", "postcode", "city", "country")}
    street = " ".join(filter(None, (part["street"], part["housenumber"])))
    town = " ".join(filter(None, (part["postcode"], part["city"])))
    return ", ".join(filter(None, (street, town, part["country"])))


def _by_words(text: str, centre: Point | None, query: PlaceQuery) -> Steps[list[Place]]:
    count = max(1, min(query.count * 2, MOST_PLACES))
    asked: dict[str, Param] = {"q": text, "limit": count, **_country(query)}
    other: dict[str, Param] = {"q": text, "limit": count}
    if centre:
        reach = (query.radius or USUAL_RADIUS * 5) / DEGREE
        box = (centre[1] - reach * 2, centre[0] + reach, centre[1] + reach * 2, centre[0] - reach)
        asked |= {"viewbox": ",".join(f"{edge:.5f}" for edge in box), "bounded": 1}
        other |= {"lat": f"{centre[0]:.5f}", "lon": f"{centre[1]:.5f}"}
    return (yield from _search(asked, other))


def _search(asked: Mapping[str, Param], other: Mapping[str, Param]) -> Steps[list[Place]]:
    """Nominatim's answer; Photon's where Nominatim turns us away."""
    form: dict[str, Param] = {"format": "jsonv2", "addressdetails": 1, "extratags": 1, "accept-language": "en"}
    try:
        reply = yield Request.get("/search", {**form, **asked})
        return parse_rows(_nominatim_rows(reply), _parse_nominatim)
    except (RateLimited, Blocked) as refusal:
        try:
            reply = yield Request.get("/api", dict(other), host="photon")
            return parse_rows(_photon_rows(reply), _parse_photon)
        except WellsourcedError:
            raise refusal from None


def _nominatim_rows(reply: Reply) -> list[Any]:
    if reply.status >= 400 or reply.body.lstrip()[:1] == b"<":
        _raise_refusal(reply)
    rows = reply.json()
    if isinstance(rows, dict) and as_text(rows.get("error")) == "Unable to geocode":
        return []
    if not isinstance(rows, list):
        raise UpstreamChanged("Nominatim's answer is not a list.", detail=reply.summary)
    return rows


def _raise_refusal(reply: Reply) -> NoReturn:
    page = reply.text[:4000]
    if reply.status == 429 or OVERUSE.search(page):
        raise RateLimited("Nominatim asks for fewer requests.", retry_after=reply.retry_after)
    if reply.status == 400:
        raise UpstreamUnavailable("Nominatim did not accept the query.", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamChanged("Nominatim answered with a page.", detail=reply.summary)


def _parse_nominatim(row: Mapping[str, Any]) -> Place:
    kind, shown = as_text(row["osm_type"]), as_text(row["display_name"])
    number = str(row["osm_id"])
    if kind not in OSM_TYPES.values() or not number.isdecimal():
        raise UpstreamChanged("Nominatim's answer has a place without type or number.")
    name = as_text(row.get("name")) or shown.split(",")[0]
    label = as_text(row.get("category")) or as_text(row.get("class"))
    tags = {**as_object(row.get("extratags")), label: as_text(row.get("type"))}
    return _place(kind, number, name, tags, (row.get("lat"), row.get("lon")), shown)


def _photon_rows(reply: Reply) -> list[Any]:
    if reply.status in {403, 429}:
        raise RateLimited("Photon asks for fewer requests.", retry_after=reply.retry_after)
    if reply.status == 400:
        raise UpstreamUnavailable("Photon did not accept the query.", detail=reply.summary)
    rows = as_object(reply.expect_ok().json()).get("features")
    if not isinstance(rows, list):
        raise UpstreamChanged("Photon's answer has no list of features.", detail=reply.summary)
    return rows


def _parse_photon(row: Mapping[str, Any]) -> Place:
    about, at = as_object(row["properties"]), as_object(row["geometry"]).get("coordinates")
    kind, number = OSM_TYPES[about["osm_type"]], about["osm_id"]
    if type(number) is not int or not isinstance(at, list) or len(at) < 2:
        raise UpstreamChanged("Photon's answer has a feature without number or coordinates.")
    part = {key: as_text(about.get(key)) for key in ("name", "street", "housenumber", "postcode", "city", "country")}
    street = " ".join(filter(None, (part["street"], part["housenumber"])))
    town = " ".join(filter(None, (part["postcode"], part["city"])))
    address = ", ".join(filter(None, (street, town, part["country"])))
    tags = {as_text(about.get("osm_key")): as_text(about.get("osm_value"))}
    return _place(kind, str(number), part["name"] or street, tags, (at[1], at[0]), address)
