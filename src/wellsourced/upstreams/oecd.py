"""OECD: statistics of its member countries and partners, as SDMX.

API: sdmx.oecd.org/public/rest · Key: none, about 60 requests an hour. There is no search: the dataflows are listed
once a day and searched here. A key has one slot for each dimension, in an order only the structure tells; that is
fetched, and kept, when a country is asked for. Errors are plain text. Time is not sorted. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from wellsourced.errors import (
    BadInput,
    Blocked,
    NetworkFailed,
    NotFound,
    RateLimited,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.countries import three_letters
from wellsourced.upstreams.helpers.data_cube import AREA_DIMENSIONS, CubeCell, observation
from wellsourced.upstreams.helpers.exact_json import parse_exact_json
from wellsourced.upstreams.helpers.name_search import search_names
from wellsourced.upstreams.helpers.oecd_sdmx import (
    Dataflow,
    read_data,
    read_dataflows,
    read_dataflows_xml,
    read_dimensions,
    read_dimensions_xml,
)
from wellsourced.upstreams.helpers.periods import parse_bounds, select_window
from wellsourced.upstreams.types.records import Observation, Origin, SeriesHit, SeriesQuery, SeriesResults
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="oecd",
    title="OECD",
    bases={"": "https://sdmx.oecd.org/public/rest"},
    pace=Pace(2, 1.0),
    timeout=30.0,
    preference=30,
    about="National accounts, prices, labour and trade of OECD countries.",
)

DAY = 86400.0
AN_HOUR = 3600.0  # the window of the rate limit, where no other wait is named
EVERYTHING = "all"
STRUCTURE = {"Accept": "application/vnd.sdmx.structure+json;version=1.0"}
DATA = {"Accept": "application/vnd.sdmx.data+json;version=2.0.0"}
PAGE = "https://sdmx.oecd.org/public/rest/data/"
REFERENCE = re.compile(
    r"([\w.]{2,60})[,:]([\w@.-]{2,120})(?:,([0-9.]{0,12}|latest)|\(([0-9.]{1,12})\))?(?:/([\w.+-]{0,300}))?"
)
COUNTRY = re.compile(r"[A-Za-z0-9_]{2,12}(?:\+[A-Za-z0-9_]{2,12}){0,40}")
UNPLACED = "The place of the country in this dataset is not known; all were asked for and the others left out here."
NOTHING = "OECD has no observations for this selection."


def series(query: SeriesQuery, access: Access) -> Steps[SeriesResults]:
    if query.series_id.strip():
        return (yield from _fetch_observations(query))
    if not query.text.strip():
        raise BadInput("Give words to look for in query, or a dataflow in series_id (agency,dataflow,version).")
    return (yield from _search_dataflows(query))


def _search_dataflows(query: SeriesQuery) -> Steps[ResultSet[SeriesHit]]:
    reply = yield Request.get("/dataflow/all/all/latest", {"detail": "allstubs"}, headers=STRUCTURE, keep=DAY)
    flows = read_dataflows_xml(reply.body) if _is_xml(_check_reply(reply)) else read_dataflows(parse_exact_json(reply))
    order = search_names(query.text, [flow.name for flow in flows])
    count = max(1, query.count)
    ignored = {name for name in ("country", "date_from", "date_to", "frequency", "units") if getattr(query, name)}
    hits = tuple(_parse_hit(flows[position]) for position in order[:count])
    return ResultSet(hits, frozenset(ignored), more_available=len(order) > count)


def _parse_hit(flow: Dataflow) -> SeriesHit:
    return SeriesHit(
        series_id=flow.reference,
        title=flow.name,
        origin=Origin(url=PAGE + _escape_reference(flow.reference), record=flow.reference),
    )


def _fetch_observations(query: SeriesQuery) -> Steps[ResultSet[Observation]]:
    flow, key = _parse_reference(query.series_id)
    country = "" if key else _country_code(query.country)
    limits = parse_bounds(query.date_from, query.date_to)
    placed = (yield from _country_key(flow, country)) if country else None
    path = f"/data/{_escape_reference(flow.reference)}/{key or placed or EVERYTHING}"
    start, end = limits
    count = max(1, query.count)
    asked: dict[str, Param] = {
        "startPeriod": start.isoformat()[:7] if start else None,
        "endPeriod": end.isoformat()[:7] if end else None,
        "firstNObservations" if start else "lastNObservations": count,
        "dimensionAtObservation": "TIME_PERIOD",
    }
    reply = yield Request.get(path, asked, headers=DATA)
    if _holds_nothing(reply):
        return ResultSet((), _not_applied(query), notes=(NOTHING,))
    message = read_data(parse_exact_json(_check_reply(reply)))
    cells = [cell for cell in message.cells if placed or not country or _is_of(cell, country)]
    kept, cut = select_window(cells, lambda cell: cell.period, limits, count)
    named = message.name or flow.reference
    url = f"{PAGE}{path.removeprefix('/data/')}"
    items = [
        observation(cell, series_id=flow.reference, title=named, url=url, vintage=message.prepared) for cell in kept
    ]
    notes = (*((UNPLACED,) if country and not placed else ()), *(() if items else (NOTHING,)))
    return ResultSet(tuple(items), _not_applied(query), more_available=cut, notes=notes)


def _country_key(flow: Dataflow, country: str) -> Steps[str | None]:
    """The key that selects the country; None when the structure does not tell its place."""
    path = f"/dataflow/{flow.agency}/{quote(flow.id, safe='@')}/{flow.version or 'latest'}"
    try:
        reply = yield Request.get(path, {"references": "datastructure"}, headers=STRUCTURE, keep=DAY)
        if reply.status in {403, 429}:  # refused: asking for all countries instead would only make it worse
            _check_reply(reply)
        if reply.status >= 300:
            return None
        names = read_dimensions_xml(reply.body) if _is_xml(reply) else read_dimensions(parse_exact_json(reply))
    except (Blocked, RateLimited):
        raise
    except (NetworkFailed, WellsourcedError, KeyError, TypeError):
        return None
    slots = [country if name in AREA_DIMENSIONS else "" for name in names]
    return ".".join(slots) if country in slots else None


def _is_of(cell: CubeCell, country: str) -> bool:
    area = cell.at(AREA_DIMENSIONS)
    return area is None or area.code in country.split("+")


def _parse_reference(series_id: str) -> tuple[Dataflow, str]:
    """`OECD.SDD.STES,DSD_KEI@DF_KEI,4.0`, also as the OECD's tables write it, and with a key behind a slash."""
    match = REFERENCE.fullmatch(series_id.strip())
    if not match or not series_id.isascii():
        raise BadInput(
            f"series_id is {series_id[:80]!r}; an OECD dataflow is agency,dataflow,version, "
            "such as OECD.SDD.STES,DSD_KEI@DF_KEI,4.0. A search by words returns such ids."
        )
    agency, name, version, bracketed, key = match.groups()
    return Dataflow(agency, name, version or bracketed or "", name), key or ""


def _country_code(country: str | None) -> str:
    asked = (country or "").strip().replace(",", "+").replace(";", "+").replace(" ", "")
    if not asked or asked.lower() == EVERYTHING:
        return ""
    if not COUNTRY.fullmatch(asked):
        raise BadInput(f"country is {asked[:40]!r}; give an ISO code such as DEU or USA.")
    return "+".join(three_letters(code) for code in asked.split("+"))


def _not_applied(query: SeriesQuery) -> frozenset[str]:
    _, key = _parse_reference(query.series_id)
    names = ("frequency", "units", "country") if key else ("frequency", "units")
    return frozenset(name for name in names if getattr(query, name))


def _escape_reference(reference: str) -> str:
    return quote(reference, safe="@,.")


def _is_xml(reply: Reply) -> bool:
    return reply.body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<")


def _holds_nothing(reply: Reply) -> bool:
    reason = reply.summary.lower().replace(" ", "")
    return reply.status == 404 and ("norecordsfound" in reason or "noresultsfound" in reason)


def _check_reply(reply: Reply) -> Reply:
    refusals: Mapping[int, WellsourcedError] = {
        404: NotFound(f"OECD knows no such dataflow: {reply.summary}"),
        406: UpstreamUnavailable(f"OECD does not answer in the format asked for: {reply.summary}"),
        413: BadInput("OECD refuses so large a selection; name a country or a later date_from."),
        422: BadInput(f"OECD does not understand the selection: {reply.summary}"),
        429: RateLimited("OECD: too many requests in an hour.", retry_after=reply.retry_after or AN_HOUR),
    }
    if reply.status in refusals:
        raise refusals[reply.status]
    return reply.expect_ok()
