"""Bureau of Labor Statistics: US prices, wages, employment and productivity, by the id of a series.

API: bls.gov/developers, v2, timeseries/data · Key: none for 25 questions a day and ten years at a time; BLS_API_KEY for
500, twenty years and the names of series. HTTP 200 always: `status` says how it went. There is no search by words.
`M13`, `Q05` and `S03` are averages of the year. After the published schema; no recorded answer was to be had.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from wellsourced.errors import BadInput, KeyRejected, NotFound, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in, texts_in
from wellsourced.upstreams.helpers.periods import parse_bounds, select_window
from wellsourced.upstreams.helpers.replies import list_under, parse_object
from wellsourced.upstreams.helpers.sdmx_json import numeric_text
from wellsourced.upstreams.types.records import Observation, Origin, SeriesHit, SeriesQuery, SeriesResults
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="bls",
    title="Bureau of Labor Statistics",
    bases={"": "https://api.bls.gov"},
    uses=(
        Setting(
            "BLS_API_KEY", "Key of the Bureau of Labor Statistics, free; for names and more questions.", secret=True
        ),
    ),
    pace=Pace(1, 1.0),
    timeout=20.0,
    preference=60,
    automatic=False,
    about="US prices, wages, employment and productivity by series id; 25 questions a day without a key.",
)
PATH = "/publicAPI/v2/timeseries/data/"
PAGE = "https://data.bls.gov/timeseries/"
SERIES_ID = re.compile(r"[A-Z]{2}[A-Z0-9_#-]{4,28}")
PERIOD = re.compile(r"([MQSA])([0-9]{2})")
YEARS, YEARS_WITH_KEY, MOST_REQUESTS = 10, 20, 4
AVERAGES = frozenset({"M13", "Q05", "S03"})
WITHOUT_NAMES = "Without BLS_API_KEY the BLS does not say what a series counts; its page does."
SHORTENED = "The BLS was asked for {} years only; name a later date_from or date_to for the others."


def series(query: SeriesQuery, access: Access) -> Steps[SeriesResults]:
    wanted = query.series_id.strip().upper()
    if not SERIES_ID.fullmatch(wanted):
        raise BadInput(
            "The BLS finds series by id only, such as CUSR0000SA0 or LNS14000000; provider dbnomics finds them by "
            "words (dataset BLS/cu and others)."
        )
    limits = parse_bounds(query.date_from, query.date_to)
    last = limits[1].year if limits[1] else access.now.year
    first = limits[0].year if limits[0] else last - YEARS + 1
    windows = list(_windows(first, min(last, access.now.year), YEARS_WITH_KEY if access["BLS_API_KEY"] else YEARS))
    found: list[Observation] = []
    notes: dict[str, None] = {}
    for window in windows[:MOST_REQUESTS]:
        row, said = _parse_reply((yield _request(wanted, window, access)), wanted)
        found += _observations(wanted, row, of_years=query.frequency == "a")
        notes.update(dict.fromkeys(said))
    items, cut = select_window(found, lambda item: item.date, limits, max(1, query.count))
    if found and not access["BLS_API_KEY"]:
        notes[WITHOUT_NAMES] = None
    if len(windows) > MOST_REQUESTS:
        notes[SHORTENED.format(sum(end - start + 1 for start, end in windows[:MOST_REQUESTS]))] = None
    ignored = frozenset(name for name in ("country", "units") if getattr(query, name))
    return ResultSet(tuple(items), ignored, cut or not limits[0] or len(windows) > MOST_REQUESTS, tuple(notes))


def _windows(first: int, last: int, length: int) -> Iterator[tuple[int, int]]:
    for start in range(first, last + 1, length):
        yield start, min(start + length - 1, last)


def _request(series_id: str, window: tuple[int, int], access: Access) -> Request:
    key = access["BLS_API_KEY"]
    asked = {"seriesid": [series_id], "startyear": str(window[0]), "endyear": str(window[1])}
    return Request.post_json(PATH, asked | ({"registrationkey": key, "catalog": True} if key else {}))


def _parse_reply(reply: Reply, series_id: str) -> tuple[Mapping[str, Any], list[str]]:
    body = parse_object(reply, PROVIDER.title)
    status, said = as_text(body["status"]), texts_in(body.get("message"))
    if status != "REQUEST_SUCCEEDED":
        _raise_refusal(status, "; ".join(said)[:200])
    rows = list_under(as_object(body["Results"]), "series", PROVIDER.title)
    row = next((row for row in objects_in(rows) if as_text(row.get("seriesID")) == series_id), None)
    if row is None or not isinstance(row.get("data"), list):
        raise UpstreamChanged("The BLS's answer holds no such series.", detail=reply.summary)
    if not row["data"] and any("not exist" in each.lower() for each in said):
        raise NotFound(f"The BLS has no series {series_id}.")
    return row, said


def _raise_refusal(status: str, said: str) -> NoReturn:
    words = said.lower()
    if "threshold" in words:
        raise RateLimited(f"BLS: {said}")
    if "key" in words:
        raise KeyRejected(f"The BLS does not accept the key: {said}")
    if status in {"REQUEST_NOT_PROCESSED", "REQUEST_FAILED"}:
        raise UpstreamUnavailable(f"The BLS refused the request: {said or 'it did not say why'}")
    raise UpstreamChanged(f"The BLS's answer has the status {status[:40]!r}.")


def _observations(series_id: str, row: Mapping[str, Any], *, of_years: bool) -> Iterator[Observation]:
    """The values of the periods; averages of the year stand apart from them, and are given only where asked for."""
    about = _describe(series_id, as_object(row.get("catalog")))
    for each in objects_in(row["data"]):
        date = _period(as_text(each.get("year")), as_text(each.get("period")), of_years=of_years)
        if not date:
            continue
        written = as_text(each.get("value")).replace(",", "")
        notes = tuple(text for note in objects_in(each.get("footnotes")) if (text := as_text(note.get("text"))))
        origin = replace(about.origin, record=f"{series_id} {date}")
        yield Observation(
            series_id=series_id,
            date=date,
            value=numeric_text(written),
            origin=origin,
            title=about.title,
            units=about.units,
            notes=notes,
            about=about,
        )


def _period(year: str, period: str, *, of_years: bool) -> str:
    named = PERIOD.fullmatch(period)
    if not named or not re.fullmatch(r"[0-9]{4}", year):
        return ""
    letter, number = named[1], int(named[2])
    if letter == "A" or period in AVERAGES:
        return year if letter == "A" or of_years else ""
    if of_years:
        return ""
    return f"{year}-{number:02}" if letter == "M" else f"{year}-{letter}{number}"


def _describe(series_id: str, catalog: Mapping[str, Any]) -> SeriesHit:
    unit = as_text(catalog.get("measure_data_type")) or None
    return SeriesHit(
        series_id=series_id,
        title=as_text(catalog.get("series_title")) or series_id,
        origin=Origin(url=PAGE + series_id, record=series_id, unit=unit),
        units=unit,
        seasonal_adjustment=as_text(catalog.get("seasonality")) or None,
        source="U.S. Bureau of Labor Statistics",
    )
