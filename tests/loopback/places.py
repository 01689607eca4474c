"""Places as Brave Search answers in three calls: names, details, descriptions. A dead id comes back as null."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.content import has_word

# Name and coordinates, farthest first; the last one has no details any more.
PLACES = {
    "spot-far": ("Far Mill", [47.20, 8.50]),
    "spot-near": ("Near Mill", [47.3701, 8.5401]),
    "spot-dead": ("Gone Mill", None),
}


def named(query: str) -> Response:
    """What a web search for locations answers; the section is left out when there are none."""
    answer: dict[str, Any] = {"type": "search", "query": {"original": query, "is_geolocal": True}}
    if not has_word(query, "nothing"):
        rows = [{"type": "location_result", "id": id, "title": name} for id, (name, _) in PLACES.items()]
        answer["locations"] = {"type": "locations", "results": rows}
    return JSONResponse(answer)


def details(id: str) -> dict[str, Any] | None:
    name, point = PLACES.get(id, ("", None))
    if point is None:
        return None
    return {
        "type": "location_result",
        "id": id,
        "title": name,
        "url": f"https://{id}.example/",
        "provider_url": f"https://places.example/{id}",
        "postal_address": {"type": "PostalAddress", "displayAddress": f"1 Lake Road, {name}"},
        "contact": {"telephone": "+41 44 000 00 00"},
        "rating": {"ratingValue": 4.5, "bestRating": 5.0, "reviewCount": 234},
        "opening_hours": {"current_day": [{"full_name": "Monday", "opens": "07:00", "closes": "21:00"}]},
        "coordinates": point,
        "distance": {"value": 0.3, "units": "miles"},
        "categories": ["Mill"],
        "price_range": "$$",
        "timezone": "Europe/Zurich",
    }


async def pois(request: Request) -> Response:
    rows = [details(id) for id in request.query_params.getlist("ids")]
    return JSONResponse({"type": "local_pois", "results": rows})


async def descriptions(request: Request) -> Response:
    rows = [
        {"type": "local_description", "id": id, "description": f"### {PLACES[id][0]}\nGrinds **flour**."}
        for id in request.query_params.getlist("ids")
        if id in PLACES
    ]
    return JSONResponse({"type": "local_descriptions", "results": rows})


ROUTES = (Route("/res/v1/local/pois", pois), Route("/res/v1/local/descriptions", descriptions))
