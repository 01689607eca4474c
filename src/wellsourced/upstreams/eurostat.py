"""Eurostat: the official statistics of the European Union.

API: ec.europa.eu/eurostat/web/user-guides · Key: none. Data are JSON-stat 2.0; flags such as "provisional" are kept.
There is no search: the table of contents (about 2 MB of tab-separated text) is fetched once a day and searched here.
Too large a selection is HTTP 413, or HTTP 200 with a warning in place of data. Greece is EL, the United Kingdom UK.
Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from wellsourced.errors import BadInput, NotFound, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.countries import two_letters
from wellsourced.upstreams.helpers.data_cube import choose_series, observation
from wellsourced.upstreams.helpers.eurostat_jsonstat import cells_of
from wellsourced.upstreams.helpers.exact_json import ExactNumber, parse_exact_json
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in
from wellsourced.upstreams.helpers.name_search import find_names
from wellsourced.upstreams.helpers.periods import parse_bounds, select_window
from wellsourced.upstreams.types.records import Observation, Origin, SeriesHit, SeriesQuery, SeriesResults
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="eurostat",
    title="Eurostat",
    bases={"": "https://ec.europa.eu/eurostat/api/dissemination"},
    pace=Pace(4, 1.0),
    timeout=30.0,
    preference=40,
    about="Official European statistics, country by country.",
)

DAY = 86400.0
PAGE = "https://ec.europa.eu/eurostat/databrowser/view/{}/default/table"
CODE = re.compile(r"[A-Za-z][A-Za-z0-9_$]{1,60}")
GEO = re.compile(r"[A-Za-z0-9_]{2,20}")
LISTED = frozenset({"dataset", "table"})
OWN_COUNTRIES = {"GR": "EL", "GB": "UK"}
FLAGS = {
    ":": "not available",
    "b": "break in time series",
    "c": "confidential",
    "d": "definition differs",
    "e": "estimated",
    "f": "forecast",
    "n": "not significant",
    "p": "provisional",
    "r": "revised",
    "s": "Eurostat estimate",
    "u": "low reliability",
    "z": "not applicable",
}
TOO_LARGE = "Eurostat would deliver so large a selection only later; name a country or a narrower window of dates."


def series(query: SeriesQuery, access: Access) -> Steps[SeriesResults]:
    if query.series_id.strip():
        return (yield from _fetch_observations(query))
    if not query.text.strip():
        raise BadInput("Give words to look for in query, or the code of a dataset in series_id, such as une_rt_m.")
    return (yield from _search_datasets(query))


def _search_datasets(query: SeriesQuery) -> Steps[ResultSet[SeriesHit]]:
    reply = yield Request.get("/catalogue/toc/txt", {"lang": "en"}, keep=DAY)
    if reply.status >= 400:
        _raise_refusal(reply)
    leaves = list({leaf[1]: leaf for leaf in _parse_contents(reply.expect_ok().text)}.values())
    matches = find_names(query.text, [title for title, *_ in leaves])
    order, count = matches.order, max(1, query.count)
    ignored = {name for name in ("country", "date_from", "date_to", "frequency", "units") if getattr(query, name)}
    hits = tuple(_parse_hit(*leaves[i]) for i in order[:count])
    return ResultSet(hits, frozenset(ignored), len(order) > count, matches.notes, len(order))


def _parse_contents(text: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Title, code, update and first and last period of each leaf. A title is indented inside its quotes."""
    lines = text.removeprefix("\ufeff").splitlines()
    header = [_unquote(name) for name in lines[0].split("\t")] if lines else []
    if header[:3] != ["title", "code", "type"]:
        raise UpstreamChanged("Eurostat's table of contents does not begin as it used to.")
    for line in lines[1:]:
        cells = [_unquote(cell) for cell in line.split("\t")]
        if len(cells) >= 7 and cells[2] in LISTED:
            yield cells[0], cells[1], cells[3], cells[5], cells[6]


def _unquote(cell: str) -> str:
    bare = cell.strip()
    if len(bare) > 1 and bare[0] == bare[-1] == '"':
        bare = bare[1:-1].replace('""', '"')
    return bare.strip()


def _parse_hit(title: str, code: str, day: str, first: str, last: str) -> SeriesHit:
    updated = _iso_day(day)
    return SeriesHit(
        series_id=code,
        title=as_text(title),
        origin=Origin(url=PAGE.format(code), record=code, vintage=updated),
        last_updated=updated,
        notes=f"Data from {first} to {last}." if first and last else None,
        source="Eurostat",
    )


def _iso_day(day: str) -> str | None:
    parts = day.split(".")
    return "-".join(reversed(parts)) if len(parts) == 3 and all(part.isdecimal() for part in parts) else None


def _fetch_observations(query: SeriesQuery) -> Steps[ResultSet[Observation]]:
    code = query.series_id.strip()
    if not CODE.fullmatch(code):
        raise BadInput(f"series_id is {code[:60]!r}; a Eurostat dataset has a code such as une_rt_m.")
    start, end = limits = parse_bounds(query.date_from, query.date_to)
    areas = _geo_code(query.country)
    asked: dict[str, Param] = {
        "format": "JSON",
        "lang": "EN",
        "geo": areas,
        "freq": query.frequency.upper() if query.frequency else None,
        "sinceTimePeriod": start.isoformat()[:7] if start else None,
        "untilTimePeriod": end.isoformat()[:7] if end else None,
        "lastTimePeriod": None if start or end else max(1, query.count),
    }
    reply = yield Request.get(f"/statistics/1.0/data/{code}", asked)
    dataset = _parse_dataset(reply)
    chosen, notes = choose_series(cells_of(dataset, FLAGS), query.text, len(areas or "1"))
    cells, cut = select_window(chosen, lambda cell: cell.period, limits, max(1, query.count) * len(areas or "1"))
    title, vintage = as_text(dataset.get("label")) or code, as_text(dataset.get("updated")) or None
    url = PAGE.format(code.lower())
    items = [
        observation(cell, dataset=code, title=title, url=url, vintage=vintage, source="Eurostat") for cell in cells
    ]
    notes = notes if items else ("Eurostat has no values for this selection; check the country and the dates.",)
    # Without a window only the newest periods were asked for, so nothing is known of how many there are.
    seen = len(chosen) if start or end else None
    return ResultSet(tuple(items), frozenset({"units"} if query.units else ()), cut or None, notes, seen)


def _geo_code(country: str | None) -> list[str] | None:
    codes = [code for code in re.split(r"[\s,;+]+", country or "") if code]
    for code in codes:
        if not GEO.fullmatch(code):
            raise BadInput(f"country is {code[:30]!r}; Eurostat takes codes such as DE, EL or EA20.")
    return [OWN_COUNTRIES.get(known, known) for known in map(two_letters, codes)] or None


def _parse_dataset(reply: Reply) -> Mapping[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply)
    body = parse_exact_json(reply.expect_ok())
    if not isinstance(body, dict):
        raise UpstreamChanged("Eurostat's answer is not an object.")
    if "warning" in body:
        raise BadInput(TOO_LARGE, detail=as_text(as_object(body["warning"]).get("label")))
    if "error" in body:
        _raise_refusal(reply)
    if "dimension" not in body or "value" not in body:
        raise UpstreamChanged("Eurostat's answer holds no dataset.")
    return body


def _raise_refusal(reply: Reply) -> NoReturn:
    status, message = _error_message(reply)
    if reply.status == 413 or status == 413:
        raise BadInput(TOO_LARGE, detail=message)
    if 404 in {reply.status, status} and message:
        raise NotFound(f"Eurostat knows no such dataset: {message}")
    if message and 400 in {reply.status, status}:
        raise BadInput(f"Eurostat does not understand the request: {message}")
    reply.expect_ok()
    raise UpstreamUnavailable(f"Eurostat refused the request: {message or 'it did not say why'}")


def _error_message(reply: Reply) -> tuple[int, str]:
    """The status named inside an error and its sentence; 0 and "" for a body of another kind."""
    try:
        error = as_object(parse_exact_json(reply)).get("error")
    except UpstreamChanged:
        return 0, ""
    first = next(objects_in(error if isinstance(error, list) else [error]), {})
    status = first.get("status")
    number = int(status) if isinstance(status, ExactNumber) and len(status) == 3 else 0
    return number, as_text(first.get("label"))[:200]
