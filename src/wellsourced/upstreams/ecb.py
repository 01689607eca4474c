"""European Central Bank: exchange rates, interest rates, money, banks and prices of the euro area, as SDMX.

API: data-api.ecb.europa.eu · Key: none. Nothing found is HTTP 404 with the text "No results found.". A dataflow is too
large to be asked for without a key. JSON is asked for; the XML that comes otherwise is read too. Checked 2026-11-17.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wellsourced.errors import BadInput, NotFound
from wellsourced.http_exchange import Param, Reply, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.countries import two_letters
from wellsourced.upstreams.helpers.sdmx_json import Dataflow
from wellsourced.upstreams.helpers.sdmx_source import SdmxService, Window, ask_sdmx, describe_key
from wellsourced.upstreams.types.records import SeriesQuery, SeriesResults

PROVIDER = Provider(
    name="ecb",
    title="European Central Bank",
    bases={"": "https://data-api.ecb.europa.eu/service"},
    pace=Pace(4, 1.0),
    timeout=30.0,
    preference=60,
    about="Exchange rates, interest rates, money and prices of the euro area.",
)

EXAMPLE = "EXR/M.USD.EUR.SP00.A"
REFERENCE = re.compile(r"(?:ECB,)?([A-Z][A-Z0-9_]{1,19})(?:,[0-9.]{1,8})?(?:[/.]([A-Za-z0-9_.+-]{1,300}))?")


def series(query: SeriesQuery, access: Access) -> Steps[SeriesResults]:
    if query.series_id.strip():
        flow, key = _parse_reference(query.series_id)
        if not key:
            raise (yield from describe_key(SERVICE, flow, EXAMPLE))
    return (yield from ask_sdmx(SERVICE, query))


def _parse_reference(series_id: str) -> tuple[Dataflow, str]:
    """`EXR/M.USD.EUR.SP00.A`, also with a full stop behind the dataflow, as the ECB's own pages write it."""
    match = REFERENCE.fullmatch(series_id.strip())
    if not match:
        raise BadInput(f"series_id is {series_id[:80]!r}; a series of the ECB is dataflow/key, such as {EXAMPLE}.")
    return Dataflow("ECB", match[1], "latest", match[1]), match[2] or ""


def _window(limits: Window, count: int) -> Mapping[str, Param]:
    start, end = limits
    return {
        "startPeriod": start.isoformat() if start else None,
        "endPeriod": end.isoformat() if end else None,
        "firstNObservations" if start else "lastNObservations": count,
        "format": "jsondata",
    }


def _holds_nothing(reply: Reply) -> bool:
    return reply.status == 404 and "no results found" in reply.summary.lower()


def _check_reply(reply: Reply) -> Reply:
    if reply.status == 404:
        raise NotFound(f"The ECB knows no such series: {reply.summary or 'it did not say why'}")
    if reply.status == 400:
        raise BadInput(f"The ECB does not understand the key: {reply.summary}")
    return reply.expect_ok()


SERVICE = SdmxService(
    title="The ECB",
    page="https://data-api.ecb.europa.eu/service",
    listing="/dataflow/ECB/all/latest",
    listing_params={"detail": "allstubs"},
    structure=lambda flow: f"/dataflow/ECB/{flow.id}/latest",
    structure_params={"references": "datastructure"},
    data=lambda flow, key: f"/data/{flow.id}/{key}",
    reference=_parse_reference,
    show=lambda flow: flow.id,
    window=_window,
    check=_check_reply,
    holds_nothing=_holds_nothing,
    country=two_letters,
    structure_headers={"Accept": "application/vnd.sdmx.structure+json, application/xml;q=0.5"},
    data_headers={"Accept": "application/json"},
)
