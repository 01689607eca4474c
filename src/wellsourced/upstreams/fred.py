"""FRED: 800,000 economic series of the Federal Reserve Bank of St. Louis.

API: fred.stlouisfed.org/docs/api/fred · Key: FRED_API_KEY, as a parameter of the address, so no sentence here ever
shows an address. The list of series is called `seriess`, every value is text, "." is a missing one, errors are HTTP
400 whatever they are about. 120 requests a minute. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from wellsourced.errors import (
    BadInput,
    KeyRejected,
    NotFound,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_count, as_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.name_search import words_in
from wellsourced.upstreams.helpers.periods import parse_bounds
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object
from wellsourced.upstreams.types.records import Observation, Origin, SeriesHit, SeriesQuery, SeriesResults
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="fred",
    title="FRED",
    bases={"": "https://api.stlouisfed.org"},
    needs=(Setting("FRED_API_KEY", "Key of the FRED API, free at fred.stlouisfed.org.", secret=True),),
    pace=Pace(2, 1.0),
    timeout=15.0,
    preference=10,
    about="US economic series: output, prices, labour, rates.",
)

PAGE = "https://fred.stlouisfed.org/series/"
MISSING = "."
DAY = 86400.0
POOL, MOST_SERIES, MOST_OBSERVATIONS = 50, 1000, 100_000
NOTES_LENGTH = 500
LEVELS = "lin"
UNDESCRIBED = "FRED did not say what the values count; see the page of the series."
RESAMPLED = {"d": "Daily", "w": "Weekly", "m": "Monthly", "q": "Quarterly", "a": "Annual"}
TRANSFORMS = {
    LEVELS: "{}",
    "chg": "Change, {}",
    "ch1": "Change from Year Ago, {}",
    "pch": "Percent Change",
    "pc1": "Percent Change from Year Ago",
    "pca": "Compounded Annual Rate of Change",
    "cch": "Continuously Compounded Rate of Change",
    "cca": "Continuously Compounded Annual Rate of Change",
    "log": "Natural Log of {}",
}


def series(query: SeriesQuery, access: Access) -> Steps[SeriesResults]:
    if query.series_id.strip():
        return (yield from _fetch_observations(query, access))
    if not query.text.strip():
        raise BadInput("Give words to look for in query, or the id of a series in series_id, such as GDP.")
    return (yield from _search_series(query, access))


def _search_series(query: SeriesQuery, access: Access) -> Steps[ResultSet[SeriesHit]]:
    count = max(1, min(query.count, MOST_SERIES))
    asked: dict[str, Param] = {
        "search_text": query.text.strip(),
        "limit": max(POOL, count),
        "order_by": "popularity",
        "sort_order": "desc",
    }
    reply = yield _build_request("/fred/series/search", asked, access)
    body = _parse_reply(reply)
    hits = parse_rows(list_under(body, "seriess", "FRED"), _parse_hit)
    wanted = set(words_in(query.text))
    hits.sort(key=lambda hit: -len(wanted.intersection(words_in(hit.title))))
    ignored = {name for name in ("country", "date_from", "date_to", "frequency", "units") if getattr(query, name)}
    total = max(_total_count(body), len(hits))
    return ResultSet(tuple(hits[:count]), frozenset(ignored), total > min(count, len(hits)), total=total)


def _fetch_observations(query: SeriesQuery, access: Access) -> Steps[ResultSet[Observation]]:
    series_id = query.series_id.strip()
    start, end = parse_bounds(query.date_from, query.date_to)
    units = _unit_transform(query.units)
    asked: dict[str, Param] = {
        "series_id": series_id,
        "observation_start": start.isoformat() if start else None,
        "observation_end": end.isoformat() if end else None,
        "units": units if units != LEVELS else None,
        "frequency": query.frequency,
        "sort_order": "asc" if start else "desc",
        "limit": max(1, min(query.count, MOST_OBSERVATIONS)),
    }
    reply = yield _build_request("/fred/series/observations", asked, access)
    body = _parse_reply(reply)
    rows = list_under(body, "observations", "FRED")
    about = (yield from _fetch_description(series_id, access)) if rows else {}
    unit = TRANSFORMS[units].format(as_text(about.get("units"))) if about else None
    header = _describe_series(series_id, unit, about, query.frequency) if about else None
    read = [_parse_observation(row, series_id, unit, header) for row in rows]
    read.sort(key=lambda item: item.date, reverse=start is None)
    items = tuple(read[: max(1, query.count)])
    ignored = frozenset({"country"} if query.country else ())
    notes = (UNDESCRIBED,) if rows and not about else ()
    total = max(_total_count(body), len(read))
    return ResultSet(items, ignored, total > len(items), notes, total)


def _fetch_description(series_id: str, access: Access) -> Steps[Mapping[str, Any]]:
    """Title and unit of the series; without them the numbers are still right, so trouble here loses nothing."""
    try:
        reply = yield _build_request("/fred/series", {"series_id": series_id}, access, keep=DAY)
        return next(objects_in(_parse_reply(reply)["seriess"]), {})
    except (WellsourcedError, KeyError):
        return {}


def _build_request(path: str, asked: Mapping[str, Param], access: Access, keep: float | None = None) -> Request:
    return Request.get(path, {**asked, "api_key": access["FRED_API_KEY"], "file_type": "json"}, keep=keep)


def _unit_transform(units: str | None) -> str:
    known = (units or LEVELS).strip().lower()
    if known not in TRANSFORMS:
        raise BadInput(f"units is {known[:20]!r}; FRED knows {', '.join(TRANSFORMS)}. Leave it out for plain levels.")
    return known


def _parse_hit(row: Mapping[str, Any]) -> SeriesHit:
    series_id, updated = str(row["id"]), as_text(row.get("last_updated")) or None
    unit = as_text(row.get("units")) or None
    adjusted = as_text(row.get("seasonal_adjustment"))
    notes = " ".join(part for part in (f"{adjusted}." if adjusted else "", as_text(row.get("notes"))) if part)
    return SeriesHit(
        series_id=series_id,
        title=as_text(row["title"]),
        origin=Origin(url=PAGE + series_id, record=series_id, unit=unit, vintage=updated),
        units=unit,
        frequency=as_text(row.get("frequency")) or None,
        last_updated=updated,
        notes=notes[:NOTES_LENGTH] or None,
        seasonal_adjustment=adjusted or None,
        source="FRED, Federal Reserve Bank of St. Louis",
    )


def _describe_series(series_id: str, unit: str | None, about: Mapping[str, Any], resampled: str | None) -> SeriesHit:
    hit = _parse_hit({**about, "id": series_id})
    often = RESAMPLED[resampled] if resampled else hit.frequency
    notes = as_text(about.get("notes"))[:NOTES_LENGTH] or None
    return replace(hit, units=unit, frequency=often, notes=notes)


def _parse_observation(
    row: Mapping[str, Any], series_id: str, unit: str | None, about: SeriesHit | None
) -> Observation:
    date, value = row["date"], row["value"]
    if not isinstance(date, str) or not isinstance(value, str):
        raise UpstreamChanged("FRED's answer has an observation without date or value.")
    vintage = as_text(row.get("realtime_start")) or None
    return Observation(
        series_id=series_id,
        date=date,
        value=None if value in {MISSING, ""} else value,
        origin=Origin(url=PAGE + series_id, record=f"{series_id} {date}", unit=unit, vintage=vintage),
        title=about.title if about else None,
        units=unit,
        about=about,
    )


def _total_count(body: Mapping[str, Any]) -> int:
    return as_count(body.get("count")) or 0


def _parse_reply(reply: Reply) -> Mapping[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply)
    body = parse_object(reply, "FRED")
    if "error_code" in body:
        _raise_refusal(reply)
    return body


def _raise_refusal(reply: Reply) -> NoReturn:
    message = _error_message(reply)
    words_said = message.lower()
    if "api_key" in words_said:
        raise KeyRejected(f"FRED does not accept the key: {message}")
    if reply.status == 429 or "rate limit" in words_said:
        raise RateLimited(f"FRED: {message or 'too many requests'}", retry_after=reply.retry_after)
    if "does not exist" in words_said:
        raise NotFound(f"FRED: {message}")
    if message and reply.status in {200, 400}:
        raise BadInput(f"FRED does not understand the request: {message}")
    reply.expect_ok()
    raise UpstreamUnavailable(f"FRED answered HTTP {reply.status}.")


def _error_message(reply: Reply) -> str:
    return as_text(error_object(reply).get("error_message")).removeprefix("Bad Request. ")[:200]
