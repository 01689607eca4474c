"""Asking a statistical office that speaks SDMX: its dataflows searched by words, a dataflow's observations.

A key has one slot for each dimension, in an order that only the structure tells; that is fetched, and kept, where a
country or a frequency has to be put into it. What differs between offices is in `SdmxService`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from wellsourced.errors import BadInput, Blocked, NetworkFailed, RateLimited, WellsourcedError
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.upstreams.helpers.countries import three_letters
from wellsourced.upstreams.helpers.data_cube import (
    AREA_DIMENSIONS,
    FREQUENCY_DIMENSIONS,
    CubeCell,
    choose_series,
    observation,
)
from wellsourced.upstreams.helpers.exact_json import parse_exact_json
from wellsourced.upstreams.helpers.name_search import find_names
from wellsourced.upstreams.helpers.periods import parse_bounds, select_window
from wellsourced.upstreams.helpers.sdmx_json import (
    Dataflow,
    SdmxMessage,
    read_data,
    read_dataflows,
    read_dataflows_xml,
    read_dimensions,
    read_dimensions_xml,
)
from wellsourced.upstreams.helpers.sdmx_xml import read_data_csv, read_data_xml
from wellsourced.upstreams.types.records import Observation, Origin, SeriesHit, SeriesQuery, SeriesResults
from wellsourced.upstreams.types.search import ResultSet

DAY = 86400.0
EVERYTHING = "all"
COUNTRY = re.compile(r"[A-Za-z0-9_]{2,12}(?:\+[A-Za-z0-9_]{2,12}){0,40}")
CSV_START = (b"DATAFLOW,", b"STRUCTURE,", b"KEY,")
UNPLACED = "The place of the country in this dataset is not known; all were asked for and the others left out here."
STRUCTURE = {"Accept": "application/vnd.sdmx.structure+json;version=1.0"}
DATA = {"Accept": "application/vnd.sdmx.data+json;version=2.0.0"}

Window = tuple[date | None, date | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SdmxService:
    """One office. Paths take a dataflow and a key; `check` turns a refusal into its error, and returns the rest.

    `keyed` says whether an id names a single series; those of the OECD are its dataflows.
    """

    title: str
    page: str
    listing: str
    structure: Callable[[Dataflow], str]
    data: Callable[[Dataflow, str], str]
    reference: Callable[[str], tuple[Dataflow, str]]
    show: Callable[[Dataflow], str]
    window: Callable[[Window, int], Mapping[str, Param]]
    check: Callable[[Reply], Reply]
    holds_nothing: Callable[[Reply], bool]
    country: Callable[[str], str] = three_letters
    listing_params: Mapping[str, Param] = field(default_factory=dict)
    structure_params: Mapping[str, Param] = field(default_factory=dict)
    everything: str = EVERYTHING
    keyed: bool = True
    structure_headers: Mapping[str, str] = field(default_factory=lambda: STRUCTURE)
    data_headers: Mapping[str, str] = field(default_factory=lambda: DATA)

    @property
    def nothing(self) -> str:
        return f"{self.title} has no observations for this selection."


def ask_sdmx(service: SdmxService, query: SeriesQuery) -> Steps[SeriesResults]:
    if query.series_id.strip():
        return (yield from _fetch_observations(service, query))
    if not query.text.strip():
        raise BadInput("Give words to look for in query, or a dataflow in series_id (agency,dataflow,version).")
    return (yield from _search_dataflows(service, query))


def _search_dataflows(service: SdmxService, query: SeriesQuery) -> Steps[ResultSet[SeriesHit]]:
    reply = yield Request.get(service.listing, service.listing_params, headers=service.structure_headers, keep=DAY)
    service.check(reply)
    flows = read_dataflows_xml(reply.body) if is_xml(reply) else read_dataflows(parse_exact_json(reply))
    matches = find_names(query.text, [flow.name for flow in flows])
    order, count = matches.order, max(1, query.count)
    hits = tuple(_parse_hit(service, flows[position]) for position in order[:count])
    ignored = {name for name in ("country", "date_from", "date_to", "frequency", "units") if getattr(query, name)}
    return ResultSet(hits, frozenset(ignored), len(order) > count, matches.notes, len(order))


def _parse_hit(service: SdmxService, flow: Dataflow) -> SeriesHit:
    reference = service.show(flow)
    return SeriesHit(
        series_id=reference,
        title=flow.name,
        origin=Origin(url=service.page + service.data(flow, service.everything), record=reference),
        source=service.title,
    )


def _fetch_observations(service: SdmxService, query: SeriesQuery) -> Steps[ResultSet[Observation]]:
    flow, key = service.reference(query.series_id)
    country = "" if key else _country_code(service, query.country)
    often = "" if key else (query.frequency or "").upper()
    limits = parse_bounds(query.date_from, query.date_to)
    names = (yield from _dimensions(service, flow, required=False)) if country or often else None
    placed = _place(names or [], {AREA_DIMENSIONS: country, FREQUENCY_DIMENSIONS: often})
    path = service.data(flow, key or placed or service.everything)
    reply = yield Request.get(path, service.window(limits, max(1, query.count)), headers=service.data_headers)
    ignored = _not_applied(query, key, names)
    if service.holds_nothing(reply):
        return ResultSet((), ignored, notes=(service.nothing,), total=0)
    message = _read_message(service.check(reply))
    cells = [cell for cell in message.cells if placed or not country or _is_of(cell, country)]
    areas = country.count("+") + 1
    chosen, notes = choose_series(cells, query.text, areas)
    kept, cut = select_window(chosen, lambda cell: cell.period, limits, max(1, query.count) * areas)
    items = tuple(
        observation(
            cell,
            dataset=service.show(flow),
            title=message.name or ("" if cell.title and service.keyed else service.show(flow)),
            url=service.page + path,
            vintage=message.prepared,
            source=service.title,
            has_key=service.keyed and bool(key),
        )
        for cell in kept
    )
    said = (*((UNPLACED,) if country and not placed else ()), *(notes if items else (service.nothing,)))
    return ResultSet(items, ignored, cut or None, said)


def _dimensions(service: SdmxService, flow: Dataflow, *, required: bool) -> Steps[list[str] | None]:
    """The names of the key's slots; None when the structure does not tell, unless they are required."""
    try:
        request = Request.get(
            service.structure(flow), service.structure_params, headers=service.structure_headers, keep=DAY
        )
        reply = yield request
        if reply.status in {403, 429} or required:  # refused: asking for everything instead would only make it worse
            service.check(reply)
        if reply.status >= 300:
            return None
        return read_dimensions_xml(reply.body) if is_xml(reply) else read_dimensions(parse_exact_json(reply))
    except (Blocked, RateLimited):
        raise
    except (NetworkFailed, WellsourcedError, KeyError, TypeError):
        if required:
            raise
        return None


def describe_key(service: SdmxService, flow: Dataflow, example: str) -> Steps[BadInput]:
    """What to say where a dataflow is too large to be asked for without a key."""
    names = (yield from _dimensions(service, flow, required=True)) or []
    return BadInput(
        f"{flow.id} of {service.title} needs a key behind a slash, one slot for each of {'.'.join(names)}; an empty "
        f"slot means any value: {example}."
    )


def _place(names: list[str], wanted: Mapping[tuple[str, ...], str]) -> str | None:
    """The key with these values in the slots of their dimensions; None where one of them has no slot."""
    slots = [next((value for dimensions, value in wanted.items() if name in dimensions), "") for name in names]
    missing = [value for value in wanted.values() if value and value not in slots]
    return ".".join(slots) if any(slots) and not missing else None


def _is_of(cell: CubeCell, country: str) -> bool:
    area = cell.at(AREA_DIMENSIONS)
    return area is None or area.code in country.split("+")


def _country_code(service: SdmxService, country: str | None) -> str:
    asked = re.sub(r"[,;+\s]+", "+", (country or "").strip())
    if not asked or asked.lower() == EVERYTHING:
        return ""
    if not COUNTRY.fullmatch(asked):
        raise BadInput(f"country is {asked[:40]!r}; give an ISO code such as DEU or USA.")
    return "+".join(service.country(code) for code in asked.split("+"))


def _not_applied(query: SeriesQuery, key: str, names: list[str] | None) -> frozenset[str]:
    has_frequency = any(name in FREQUENCY_DIMENSIONS for name in names or ())
    lost = {"units": True, "country": bool(key), "frequency": bool(key) or not has_frequency}
    return frozenset(name for name, is_lost in lost.items() if is_lost and getattr(query, name))


def _read_message(reply: Reply) -> SdmxMessage:
    if is_xml(reply):
        return read_data_xml(reply.body)
    if reply.body.removeprefix(b"\xef\xbb\xbf").startswith(CSV_START):
        return read_data_csv(reply.text)
    return read_data(parse_exact_json(reply))


def is_xml(reply: Reply) -> bool:
    return reply.body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<")
