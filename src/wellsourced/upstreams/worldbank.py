"""World Bank Open Data: development indicators of more than 200 economies.

API: datahelpdesk.worldbank.org, Indicators API v2 · Key: none. Answers are lists of two, paging and rows. Errors
come with HTTP 200 as a list of one with `message`, others as an XHTML page. There is no search: the indicators of the
World Development Indicators (source 2) are listed once a day and searched here. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from wellsourced.errors import BadInput, NotFound, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.countries import OTHER_SPELLINGS
from wellsourced.upstreams.helpers.exact_json import as_whole_number, as_written, parse_exact_json
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.name_search import find_names
from wellsourced.upstreams.helpers.periods import parse_bounds, select_window
from wellsourced.upstreams.types.records import Observation, Origin, SeriesHit, SeriesQuery, SeriesResults
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="worldbank",
    title="World Bank",
    bases={"": "https://api.worldbank.org"},
    pace=Pace(5, 1.0),
    timeout=20.0,
    preference=20,
    about="Development indicators by country and year.",
    attribution="World Bank, CC BY 4.0 (data.worldbank.org).",
)

PAGE = "https://data.worldbank.org/indicator/"
WORLD, EVERY = "WLD", "all"
DAY = 86400.0
WHOLE_CATALOGUE, MOST_ROWS = 20_000, 5000  # more indicators than there are, so that one page holds all
EARLIEST_YEAR = 1900
NOTES_LENGTH = 500
INDICATOR_ID = re.compile(r"[A-Za-z0-9._]{2,80}")
COUNTRIES = re.compile(r"[A-Za-z0-9]{2,3}(?:;[A-Za-z0-9]{2,3}){0,59}|all", re.IGNORECASE)
UNKNOWN = frozenset({"120", "175"})


def series(query: SeriesQuery, access: Access) -> Steps[SeriesResults]:
    if query.series_id.strip():
        return (yield from _fetch_observations(query, access))
    if not query.text.strip():
        raise BadInput("Give words to look for in query, or an indicator in series_id, such as NY.GDP.MKTP.CD.")
    return (yield from _search_indicators(query))


def _search_indicators(query: SeriesQuery) -> Steps[ResultSet[SeriesHit]]:
    asked: dict[str, Param] = {"source": 2, "format": "json", "per_page": WHOLE_CATALOGUE}
    reply = yield Request.get("/v2/indicator", asked, keep=DAY)
    _, rows = parse_reply(reply)
    hits = parse_rows(rows, _parse_hit)
    matches = find_names(query.text, [hit.title for hit in hits])
    order, count = matches.order, max(1, query.count)
    ignored = {name for name in ("country", "date_from", "date_to", "frequency", "units") if getattr(query, name)}
    shown = tuple(hits[i] for i in order[:count])
    return ResultSet(shown, frozenset(ignored), len(order) > count, matches.notes, len(order))


def _fetch_observations(query: SeriesQuery, access: Access) -> Steps[ResultSet[Observation]]:
    indicator, country = _indicator_code(query.series_id), _country_code(query.country)
    limits = parse_bounds(query.date_from, query.date_to)
    asked: dict[str, Param] = {
        "format": "json",
        "date": _year_range(limits, access.now.year),
        "mrv": max(1, min(query.count, MOST_ROWS)) if country.lower() == EVERY and not any(limits) else None,
        "per_page": MOST_ROWS,
    }
    reply = yield Request.get(f"/v2/country/{country}/indicator/{indicator}", asked)
    if reply.status == 400:
        raise BadInput("The World Bank does not understand the request; check the indicator and the country.")
    paging, rows = parse_reply(reply)
    vintage = as_text(paging.get("lastupdated")) or None
    read = parse_rows(rows, lambda row: _parse_observation(row, vintage))
    most_values = max(1, query.count) * (country.count(";") + 1)
    items, cut = select_window(read, lambda item: item.date, limits, most_values)
    partial = (as_whole_number(paging.get("pages")) or 1) > 1
    notes = (f"Only the first {MOST_ROWS} rows were read; name fewer countries or years.",) if partial else ()
    ignored = frozenset(name for name in ("frequency", "units") if getattr(query, name))
    total = as_whole_number(paging.get("total")) if "mrv" not in asked or not asked["mrv"] else None
    return ResultSet(tuple(items), ignored, cut or partial, notes, total)


def _indicator_code(series_id: str) -> str:
    known = series_id.strip()
    if not INDICATOR_ID.fullmatch(known):
        raise BadInput(f"series_id is {known[:60]!r}; a World Bank indicator looks like NY.GDP.MKTP.CD.")
    return known


def _country_code(country: str | None) -> str:
    known = (country or WORLD).strip().replace(",", ";").replace(" ", "")
    if not COUNTRIES.fullmatch(known):
        raise BadInput(f"country is {known[:40]!r}; give an ISO code such as DE or DEU, several with ';', or all.")
    return ";".join(OTHER_SPELLINGS.get(code.upper(), code) for code in known.split(";"))


def _year_range(limits: tuple[date | None, date | None], this_year: int) -> str | None:
    start, end = limits
    if start is None and end is None:
        return None
    return f"{start.year if start else EARLIEST_YEAR}:{end.year if end else max(this_year, start.year if start else 0)}"


def _parse_hit(row: Mapping[str, Any]) -> SeriesHit:
    series_id, unit = str(row["id"]), as_text(row.get("unit")) or None
    notes = as_text(row.get("sourceNote"))[:NOTES_LENGTH]
    return SeriesHit(
        series_id=series_id,
        title=as_text(row["name"]),
        origin=Origin(url=PAGE + series_id, record=series_id, unit=unit),
        units=unit,
        notes=notes or None,
        source=as_text(as_object(row.get("source")).get("value")) or "World Bank",
    )


def _parse_observation(row: Mapping[str, Any], vintage: str | None) -> Observation:
    """The unit stands in the indicator's name; `unit` is nearly always empty."""
    indicator, country, date = row["indicator"], row["country"], row["date"]
    series_id, name = str(indicator["id"]), as_text(indicator.get("value"))
    if not isinstance(date, str) or "value" not in row:
        raise UpstreamChanged("The World Bank's answer has an observation without date or value.")
    code = as_text(row.get("countryiso3code")) or as_text(country.get("id"))
    unit = as_text(row.get("unit")) or name or None
    status = as_text(row.get("obs_status"))
    url = f"{PAGE}{series_id}?locations={as_text(country.get('id'))}"
    title = f"{name} — {as_text(country.get('value'))}" if name else None
    return Observation(
        series_id=series_id,
        date=date,
        value=as_written(row["value"]),
        origin=Origin(url=url, record=f"{series_id} {code} {date}", unit=unit, vintage=vintage),
        title=title,
        units=as_text(row.get("unit")) or None,
        country=code or None,
        notes=(status,) if status else (),
        about=SeriesHit(
            series_id=series_id,
            title=title or series_id,
            origin=Origin(url=url, record=f"{series_id} {code}", unit=unit, vintage=vintage),
            units=unit,
            last_updated=vintage,
            source="World Bank",
        ),
    )


def parse_reply(reply: Reply) -> tuple[Mapping[str, Any], list[Any]]:
    """Paging and rows. `null` in place of the rows is how nothing found has been seen."""
    body = parse_exact_json(reply.expect_ok())
    if not isinstance(body, list) or not body or not isinstance(body[0], dict):
        raise UpstreamChanged("The World Bank's answer is not a list.")
    if "message" in body[0]:
        _raise_refusal(body[0]["message"])
    rows = body[1] if len(body) > 1 else False
    if rows is None and as_whole_number(body[0].get("total")) == 0:
        rows = []
    if not isinstance(rows, list):
        raise UpstreamChanged("The World Bank's answer has no list of rows.")
    return body[0], rows


def _raise_refusal(messages: Any) -> None:
    listed = list(objects_in(messages))
    reason = "; ".join(dict.fromkeys(as_text(message.get("value")) for message in listed))[:200]
    if any(as_text(message.get("id")) in UNKNOWN for message in listed):
        raise NotFound(f"The World Bank knows no such indicator or country: {reason.rstrip('.')}.")
    raise UpstreamUnavailable(f"The World Bank refused the request: {reason.rstrip('.') or 'it did not say why'}.")
