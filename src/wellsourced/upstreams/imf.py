"""International Monetary Fund: world economic outlook, prices, exchange rates, balance of payments, as SDMX 3.0.

API: api.imf.org/external/sdmx/3.0 · Key: none. Values are texts. A code that nobody has is HTTP 200 without series.
The World Economic Outlook goes on into the future: its coming years are marked as projections. Checked 2026-11-17.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from wellsourced.errors import BadInput, NotFound, UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, objects_in
from wellsourced.upstreams.helpers.sdmx_json import Dataflow
from wellsourced.upstreams.helpers.sdmx_source import SdmxService, Window, ask_sdmx
from wellsourced.upstreams.types.records import Observation, SeriesQuery, SeriesResults
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="imf",
    title="International Monetary Fund",
    bases={"": "https://api.imf.org/external/sdmx/3.0"},
    pace=Pace(2, 1.0),
    timeout=30.0,
    preference=70,
    about="World economic outlook, prices, exchange rates and balances of payments of all countries.",
)

REFERENCE = re.compile(
    r"(IMF(?:\.[A-Z0-9_]{1,20}){0,3})[,:]([A-Z][\w.-]{1,60})(?:,([0-9.]{1,12}|latest))?(?:/([\w.+*-]{0,300}))?"
)
PROJECTED = "WEO"
LATEST = "+"  # SDMX 3.0: the latest version there is
PROJECTION = "projection"


def series(query: SeriesQuery, access: Access) -> Steps[SeriesResults]:
    found = yield from ask_sdmx(SERVICE, query)
    if not query.series_id.strip() or _parse_reference(query.series_id)[0].id != PROJECTED:
        return found
    items = tuple(_mark(item, access.now.year) for item in found.items if isinstance(item, Observation))
    return ResultSet(items, found.not_applied, found.more_available, found.notes, found.total)


def _mark(item: Observation, this_year: int) -> Observation:
    """Years that are not over cannot be anything but projections."""
    is_coming = item.date[:4].isdecimal() and int(item.date[:4]) >= this_year
    return replace(item, notes=(*item.notes, PROJECTION)) if is_coming else item


def _parse_reference(series_id: str) -> tuple[Dataflow, str]:
    match = REFERENCE.fullmatch(series_id.strip())
    if not match:
        raise BadInput(
            f"series_id is {series_id[:80]!r}; a dataflow of the IMF is agency,dataflow,version, with a key behind a "
            "slash where one series is meant, such as IMF.RES,WEO,9.0.0/USA.NGDP_RPCH.A. A search returns such ids."
        )
    agency, name, version, key = match.groups()
    return Dataflow(agency, name, "" if version == "latest" else version or "", name), key or ""


def _window(limits: Window, count: int) -> Mapping[str, Param]:
    start, end = limits
    bounds = [f"ge:{start.isoformat()[:7]}"] if start else []
    bounds += [f"le:{end.isoformat()[:7]}"] if end else []
    return {
        "c[TIME_PERIOD]": "+".join(bounds) or None,
        "firstNObservations" if start else "lastNObservations": count,
        "dimensionAtObservation": "TIME_PERIOD",
    }


def _holds_nothing(reply: Reply) -> bool:
    """No series at all in a message that is one."""
    if reply.status != 200:
        return reply.status == 204
    try:
        body = as_object(reply.json())
    except UpstreamChanged:
        return False
    content = as_object(body.get("data", body))
    datasets = content.get("dataSets")
    return isinstance(datasets, list) and not any(
        dataset.get("series") or dataset.get("observations") for dataset in objects_in(datasets)
    )


def _check_reply(reply: Reply) -> Reply:
    if reply.status == 404:
        raise NotFound(f"The IMF knows no such dataflow: {reply.summary or 'it did not say why'}")
    if reply.status in {400, 422}:
        raise BadInput(f"The IMF does not understand the selection: {reply.summary}")
    return reply.expect_ok()


SERVICE = SdmxService(
    title="The IMF",
    page="https://api.imf.org/external/sdmx/3.0",
    listing="/structure/dataflow",
    structure=lambda flow: f"/structure/dataflow/{flow.agency}/{flow.id}/{flow.version or LATEST}",
    structure_params={"references": "datastructure"},
    data=lambda flow, key: f"/data/dataflow/{flow.agency}/{flow.id}/{flow.version or LATEST}/{key}",
    reference=_parse_reference,
    show=lambda flow: flow.reference.rstrip(","),
    window=_window,
    check=_check_reply,
    holds_nothing=_holds_nothing,
    everything="*",
    structure_headers={"Accept": "application/vnd.sdmx.structure+json;version=2.0.0"},
)
