"""OECD: statistics of its member countries and partners, as SDMX.

API: sdmx.oecd.org/public/rest · Key: none, about 60 requests an hour. There is no search: the dataflows are listed
once a day and searched here. A key has one slot for each dimension, in an order only the structure tells; that is
fetched, and kept, when a country is asked for. Errors are plain text. Time is not sorted. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from wellsourced.errors import BadInput, NotFound, RateLimited, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Param, Reply, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.sdmx_json import Dataflow
from wellsourced.upstreams.helpers.sdmx_source import SdmxService, Window, ask_sdmx
from wellsourced.upstreams.types.records import SeriesQuery, SeriesResults

PROVIDER = Provider(
    name="oecd",
    title="OECD",
    bases={"": "https://sdmx.oecd.org/public/rest"},
    pace=Pace(2, 1.0),
    timeout=30.0,
    preference=30,
    about="National accounts, prices, labour and trade of OECD countries.",
)

AN_HOUR = 3600.0  # the window of the rate limit, where no other wait is named
REFERENCE = re.compile(
    r"([\w.]{2,60})[,:]([\w@.-]{2,120})(?:,([0-9.]{0,12}|latest)|\(([0-9.]{1,12})\))?(?:/([\w.+-]{0,300}))?"
)


def series(query: SeriesQuery, access: Access) -> Steps[SeriesResults]:
    return (yield from ask_sdmx(SERVICE, query))


def parse_reference(series_id: str) -> tuple[Dataflow, str]:
    """`OECD.SDD.STES,DSD_KEI@DF_KEI,4.0`, also as the OECD's tables write it, and with a key behind a slash."""
    match = REFERENCE.fullmatch(series_id.strip())
    if not match or not series_id.isascii():
        raise BadInput(
            f"series_id is {series_id[:80]!r}; an OECD dataflow is agency,dataflow,version, "
            "such as OECD.SDD.STES,DSD_KEI@DF_KEI,4.0. A search by words returns such ids."
        )
    agency, name, version, bracketed, key = match.groups()
    return Dataflow(agency, name, version or bracketed or "", name), key or ""


def _window(limits: Window, count: int) -> Mapping[str, Param]:
    start, end = limits
    return {
        "startPeriod": start.isoformat()[:7] if start else None,
        "endPeriod": end.isoformat()[:7] if end else None,
        "firstNObservations" if start else "lastNObservations": count,
        "dimensionAtObservation": "TIME_PERIOD",
    }


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


SERVICE = SdmxService(
    title="OECD",
    page="https://sdmx.oecd.org/public/rest",
    listing="/dataflow/all/all/latest",
    listing_params={"detail": "allstubs"},
    structure=lambda flow: f"/dataflow/{flow.agency}/{quote(flow.id, safe='@')}/{flow.version or 'latest'}",
    structure_params={"references": "datastructure"},
    data=lambda flow, key: f"/data/{quote(flow.reference, safe='@,.')}/{key}",
    reference=parse_reference,
    show=lambda flow: flow.reference,
    window=_window,
    check=_check_reply,
    holds_nothing=_holds_nothing,
    keyed=False,
)
