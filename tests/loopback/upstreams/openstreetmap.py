"""OpenStreetMap: one town, and two restaurants in it; a query with `nothing` finds none."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream, asked

TOWN = {
    "osm_type": "relation", "osm_id": 406091, "lat": "59.9133", "lon": "10.7389", "name": "Oslo",
    "display_name": "Oslo, Norway", "category": "boundary", "type": "administrative", "address": {"city": "Oslo"},
}  # fmt: skip
TAGS = {
    "name": "Fjord Kitchen", "amenity": "restaurant", "cuisine": "seafood", "addr:street": "Quay Street",
    "addr:housenumber": "3", "addr:city": "Oslo", "phone": "+47 00 00 00 00", "website": "https://fjord.example/",
    "opening_hours": "Mo-Fr 11:00-22:00; Sa 12:00-23:00",
}  # fmt: skip


async def search(request: Request) -> Response:
    words = request.query_params.get("q", "").lower()
    return JSONResponse([] if "nothing" in words or "nowhere" in words else [TOWN])


async def interpreter(request: Request) -> Response:
    script = (await asked(request)).get("data", "")
    near = {"type": "node", "id": 1, "lat": 59.9134, "lon": 10.739, "tags": TAGS}
    far = {
        "type": "way",
        "id": 2,
        "center": {"lat": 59.92, "lon": 10.75},
        "tags": {"name": "Hill Grill", "amenity": "restaurant"},
    }
    return JSONResponse({"elements": [far, near] if '"restaurant"' in script else []})


UPSTREAM = Upstream(
    prefix="/openstreetmap",
    environment={
        "OPENSTREETMAP_BASE_URL": "{base}/openstreetmap",
        "OPENSTREETMAP_OVERPASS_BASE_URL": "{base}/openstreetmap/overpass",
        "OPENSTREETMAP_PHOTON_BASE_URL": "{base}/openstreetmap/photon",
    },
    routes=[Route("/search", search), Route("/overpass/api/interpreter", interpreter, methods=["POST"])],
)
