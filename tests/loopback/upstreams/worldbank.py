"""The World Bank: a small catalogue of indicators and one of them by country. Errors come with HTTP 200."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.upstream import Upstream

NAME = "Fish landed (tonnes per boat)"
CATALOGUE = {"AG.FSH.BOAT": NAME, "AG.FSH.TOTL": "Fish landed, total (tonnes)", "SP.POP.TOTL": "Population, total"}
COUNTRIES = {"WLD": ("1W", "World"), "ISL": ("IS", "Iceland"), "NOR": ("NO", "Norway")}
# As written on the wire: the zero at the end counts.
VALUES = {"2024": "null", "2023": "7.90", "2022": "7.123456789012345678"}
PEOPLE = {"2024": "400000", "2023": "395000", "2022": "390000"}


def indicator(code: str, name: str) -> dict[str, object]:
    source = {"id": "2", "value": "World Development Indicators"}
    return {"id": code, "name": name, "unit": "", "source": source, "sourceNote": f"{name}.", "topics": []}


async def catalogue(request: Request) -> Response:
    rows = [indicator(code, name) for code, name in CATALOGUE.items()]
    return JSONResponse([{"page": 1, "pages": 1, "per_page": "20000", "total": len(rows)}, rows])


def row(code: str, wanted: str, year: str, value: str) -> str:
    two, name = COUNTRIES[code]
    return (
        f'{{"indicator":{{"id":"{wanted}","value":"{CATALOGUE[wanted]}"}},"country":{{"id":"{two}","value":"{name}"}},'
        f'"countryiso3code":"{code}","date":"{year}","value":{value},"unit":"","obs_status":"","decimal":1}}'
    )


async def observations(request: Request) -> Response:
    countries, wanted = request.path_params["country"].upper().split(";"), request.path_params["indicator"]
    if wanted not in {"AG.FSH.BOAT", "SP.POP.TOTL"} or not COUNTRIES.keys() >= set(countries):
        wrong = {"id": "120", "key": "Invalid value", "value": "The provided parameter value is not valid"}
        return JSONResponse([{"message": [wrong]}])
    first, _, last = request.query_params.get("date", "1900:2100").partition(":")
    values = VALUES if wanted == "AG.FSH.BOAT" else PEOPLE
    rows = [
        row(code, wanted, year, value) for code in countries for year, value in values.items() if first <= year <= last
    ]
    paging = f'{{"page":1,"pages":1,"per_page":5000,"total":{len(rows)},"sourceid":"2","lastupdated":"2026-07-13"}}'
    return Response(f"[{paging},{'[' + ','.join(rows) + ']' if rows else 'null'}]", media_type="application/json")


UPSTREAM = Upstream(
    prefix="/worldbank",
    environment={"WORLDBANK_BASE_URL": "{base}/worldbank"},
    routes=[Route("/v2/indicator", catalogue), Route("/v2/country/{country}/indicator/{indicator}", observations)],
)
