"""Brave Search, places: restaurants, shops, sights.

API: api-dashboard.search.brave.com/app/documentation · Key: BRAVE_API_KEY. Three calls: a web search for locations,
which gives names and ids, then the details of the ids, then descriptions written by a machine, which may fail without
harm. Ids die within hours; a dead one comes back as null. The number of locations cannot be asked for. Coordinates
are latitude before longitude. Checked 2026-11-15.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from wellsourced.errors import (
    BadInput,
    KeyRejected,
    OutOfCredit,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.plain_text import strip_invisible
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.distance import Point, metres_between
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    as_web_address,
    objects_in,
    parse_rows,
)
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object
from wellsourced.upstreams.helpers.search_operators import cut_at_word
from wellsourced.upstreams.types.records import Origin, Place, PlaceQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="brave-local",
    known_as="brave",
    title="Brave Search",
    bases={"": "https://api.search.brave.com"},
    base_setting="BRAVE_BASE_URL",
    needs=(Setting("BRAVE_API_KEY", "Key of the Brave Search API.", secret=True),),
    pace=Pace(1, 1.0),
    timeout=20.0,
    preference=10,
    about="Places with address, hours, rating and distance.",
)

MOST_IDS, MOST_CHARACTERS, MOST_WORDS = 20, 400, 50
LONGEST_HEADER = 100  # the place travels in a header
UNDESCRIBED = "Brave gave no descriptions this time."
NAMES_ONLY = "Of some places Brave gave the name only."


def places(query: PlaceQuery, access: Access) -> Steps[ResultSet[Place]]:
    anchor = _coordinates(query)
    text, headers, notes = _location_params(query, anchor)
    asked: dict[str, Param] = {
        "q": text,
        "result_filter": "locations",
        "country": _country_code(query),
        "units": query.units,
    }
    reply = yield Request.get("/res/v1/web/search", asked, headers={**_headers(access), **headers})
    listed = _list_places(_parse_reply(reply))
    named = listed[: MOST_IDS if anchor else max(1, min(query.count, MOST_IDS))]
    if not named:
        return ResultSet((), _not_applied(query, anchor), notes=notes)
    ids = [row["id"] for row in named]
    reply = yield Request.get("/res/v1/local/pois", {"ids": ids, "units": query.units}, headers=_headers(access))
    details = {as_text(row.get("id")): row for row in objects_in(list_under(_parse_reply(reply), "results", "Brave"))}
    places_found = parse_rows(named, lambda row: _parse_place({**row, **details.get(row["id"], {})}, anchor))
    kept = _sort_and_filter(places_found, query)[: max(1, query.count)]
    described, more_notes = yield from _add_descriptions(kept, access)
    notes += (() if len(details) == len(ids) else (NAMES_ONLY,)) + more_notes
    is_cut = len(places_found) > len(kept) or len(listed) > len(named)
    return ResultSet(tuple(described), _not_applied(query, anchor), more_available=is_cut, notes=notes)


def _add_descriptions(places_found: list[Place], access: Access) -> Steps[tuple[list[Place], tuple[str, ...]]]:
    """The places with descriptions; they are worth having and not worth losing the places for."""
    if not places_found:
        return places_found, ()
    try:
        ids = [place.id for place in places_found]
        reply = yield Request.get("/res/v1/local/descriptions", {"ids": ids}, headers=_headers(access))
        texts = {as_text(row.get("id")): row.get("description") for row in objects_in(_parse_reply(reply)["results"])}
    except (WellsourcedError, KeyError):
        return places_found, (UNDESCRIBED,)
    return [replace(place, description=_parse_description(texts.get(place.id))) for place in places_found], ()


def _parse_description(value: Any) -> str | None:
    return strip_invisible(value).strip() or None if isinstance(value, str) else None


def _coordinates(query: PlaceQuery) -> Point | None:
    if not query.text.strip():
        raise BadInput("Give what to look for in query, such as coffee shops.")
    if (query.latitude is None) != (query.longitude is None):
        raise BadInput("latitude and longitude come together; give both or neither.")
    if query.radius < 0:
        raise BadInput("radius is in metres and not negative; 0 means any distance.")
    if query.latitude is None or query.longitude is None:
        return None
    if not (-90 <= query.latitude <= 90 and -180 <= query.longitude <= 180):
        raise BadInput("latitude must be between -90 and 90, longitude between -180 and 180.")
    return query.latitude, query.longitude


def _location_params(query: PlaceQuery, anchor: Point | None) -> tuple[str, dict[str, str], tuple[str, ...]]:
    """The text to search for and the headers that say where; a header holds Latin letters only."""
    text = cut_at_word(" ".join(query.text.split()[:MOST_WORDS]), MOST_CHARACTERS)
    near = " ".join((query.near or "").split())
    if anchor:
        return text, {"X-Loc-Lat": repr(anchor[0]), "X-Loc-Long": repr(anchor[1])}, ()
    city = _to_ascii(near)[:LONGEST_HEADER]
    headers = {"X-Loc-City": city, "X-Loc-Country": _country_code(query) or ""}
    sent = {name: value for name, value in headers.items() if value}
    if near and not city:
        return cut_at_word(f"{text} {near}", MOST_CHARACTERS), sent, (f"Looked for {near} as part of the query.",)
    return text, sent, ()


def _to_ascii(text: str) -> str:
    """`München` as `Munchen`; "" when letters of other scripts would be lost."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return bare if bare.isascii() and bare.isprintable() else ""


def _country_code(query: PlaceQuery) -> str | None:
    code = (query.country or "").strip().upper()
    if code and not (len(code) == 2 and code.isascii() and code.isalpha()):
        raise BadInput(f"country is {code[:20]!r}; it must be two letters such as US or GB.")
    return "GB" if code == "UK" else code or None


def _not_applied(query: PlaceQuery, anchor: Point | None) -> frozenset[str]:
    """A radius needs coordinates, and coordinates go before a name."""
    missing = {"radius": query.radius and not anchor, "near": query.near and anchor}
    return frozenset(name for name, is_missing in missing.items() if is_missing)


def _headers(access: Access) -> dict[str, str]:
    return {"Accept": "application/json", "X-Subscription-Token": access["BRAVE_API_KEY"]}


def _list_places(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Locations that have an id. The section is left out when there are none."""
    if "locations" not in body:
        if body["type"] != "search":
            raise UpstreamChanged("Brave's answer is not that of a search.")
        return []
    rows = list_under(body["locations"], "results", "Brave")
    unique = {name: row for row in objects_in(rows) if (name := as_text(row.get("id")))}
    if rows and not unique:
        raise UpstreamChanged("Brave's answer has locations without ids only.")
    return list(unique.values())


def _parse_place(row: Mapping[str, Any], anchor: Point | None) -> Place:
    point = _parse_point(row.get("coordinates"))
    rating = as_object(row.get("rating"))
    website = as_web_address(row.get("url"))
    name = as_text(row["title"])
    return Place(
        id=str(row["id"]),
        name=name,
        origin=Origin(url=as_web_address(row.get("provider_url")) or website or "", record=str(row["id"])),
        address=as_text(as_object(row.get("postal_address")).get("displayAddress")) or None,
        latitude=point[0] if point else None,
        longitude=point[1] if point else None,
        distance=round(metres_between(anchor, point), 1) if anchor and point else None,
        phone=as_text(as_object(row.get("contact")).get("telephone")) or None,
        website=website,
        categories=tuple(text for item in _as_list(row.get("categories")) if (text := as_text(item))),
        rating=_as_number(rating.get("ratingValue")),
        rating_count=as_count(rating.get("reviewCount")),
        price_range=as_text(row.get("price_range")) or None,
        hours=tuple(dict.fromkeys(_opening_hours(as_object(row.get("opening_hours"))))),
        timezone=as_text(row.get("timezone")) or None,
    )


def _parse_point(value: Any) -> Point | None:
    pair = [_as_number(part) for part in value] if isinstance(value, list) and len(value) == 2 else []
    if len(pair) != 2 or pair[0] is None or pair[1] is None or abs(pair[0]) > 90 or abs(pair[1]) > 180:
        return None
    return pair[0], pair[1]


def _as_number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _opening_hours(opening: Mapping[str, Any]) -> Iterator[str]:
    """Today, then the other days; a day may be open several times."""
    days = [_as_list(opening.get("current_day")), *(_as_list(day) for day in _as_list(opening.get("days")))]
    for slot in (slot for day in days for slot in objects_in(day)):
        name, opens, closes = (as_text(slot.get(key)) for key in ("full_name", "opens", "closes"))
        if name and opens and closes:
            yield f"{name}: {opens}-{closes}"


def _sort_and_filter(places_found: list[Place], query: PlaceQuery) -> list[Place]:
    """Nearest first where there is an anchor; what has no coordinates is last, or out when a radius is asked for."""
    if query.latitude is None:
        return places_found
    if query.radius > 0:
        places_found = [
            place for place in places_found if place.distance is not None and place.distance <= query.radius
        ]
    return sorted(places_found, key=lambda place: float("inf") if place.distance is None else place.distance)


def _parse_reply(reply: Reply) -> dict[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply)
    return parse_object(reply, "Brave")


def _raise_refusal(reply: Reply) -> NoReturn:
    error = _parse_error(reply)
    code, message = as_text(error.get("code")), as_text(error.get("detail"))[:200] or reply.summary
    if code.startswith("SUBSCRIPTION") or "x-subscription-token" in str(error.get("meta")).lower():
        raise KeyRejected(f"Brave does not accept the key: {message}")
    if code.startswith("OPTION_NOT_IN_PLAN"):
        raise KeyRejected(f"The plan of the Brave key has no places: {message}")
    if reply.status == 402:
        raise OutOfCredit(f"Brave: {message}")
    if reply.status == 429:
        raise RateLimited(f"Brave: {message}", retry_after=reply.retry_after or 1.0)
    if error:
        raise UpstreamUnavailable(f"Brave refused the request: {message}")
    reply.expect_ok()
    raise UpstreamUnavailable(f"Brave answered HTTP {reply.status}.")


def _parse_error(reply: Reply) -> Mapping[str, Any]:
    body = error_object(reply)
    errors = body.get("error") or body.get("errors")
    return next(objects_in(errors if isinstance(errors, list) else [errors]), {})
