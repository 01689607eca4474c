"""DBnomics: the series of some hundred statistical offices and central banks in one place, copied from each.

API: api.db.nomics.world/v22 · Key: none. It is a mirror and can lag: every answer names the office and when its data
were copied. The search finds datasets; the series of one are chosen by words. A missing value is null or "NA". There is
no control for dates: all of a series comes, and the window is cut here. Checked 2026-11-17.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from wellsourced.errors import BadInput, NotFound, UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.exact_json import as_whole_number, parse_exact_json
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in, parse_rows, texts_in
from wellsourced.upstreams.helpers.periods import parse_bounds, select_window
from wellsourced.upstreams.helpers.sdmx_json import numeric_text
from wellsourced.upstreams.types.records import Observation, Origin, SeriesHit, SeriesQuery, SeriesResults
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="dbnomics",
    title="DBnomics",
    bases={"": "https://api.db.nomics.world/v22"},
    pace=Pace(4, 1.0),
    timeout=30.0,
    preference=50,
    about="Series of a hundred statistical offices and central banks, mirrored.",
)

PAGE = "https://db.nomics.world/"
SERIES_ID = re.compile(r"[\w.-]{1,40}/[^\s/,]{1,80}(?:/[^\s/,]{1,200})?")
MOST_IDS, SERIES_SHOWN = 10, 3
UNITS, AREAS = ("unit", "units", "unit_measure"), ("geo", "ref_area", "country", "weo-country", "location")
NOTES_LENGTH = 500


def series(query: SeriesQuery, access: Access) -> Steps[SeriesResults]:
    if query.series_id.strip():
        return (yield from _fetch_observations(query))
    if not query.text.strip():
        raise BadInput("Give words to look for in query, or a series in series_id, such as BLS/cu/CUSR0000SA0.")
    return (yield from _search_datasets(query))


def _search_datasets(query: SeriesQuery) -> Steps[ResultSet[SeriesHit]]:
    count = max(1, min(query.count, 100))
    reply = yield Request.get("/search", {"q": query.text.strip(), "limit": count, "offset": 0})
    found = as_object(_parse_reply(reply)["results"])
    rows = [row for row in found["docs"] if as_object(row).get("type", "dataset") == "dataset"]
    hits = parse_rows(rows, _parse_dataset)
    total = as_whole_number(found.get("num_found"))
    ignored = {name for name in ("country", "date_from", "date_to", "frequency", "units") if getattr(query, name)}
    return ResultSet(tuple(hits[:count]), frozenset(ignored), (total or 0) > count, total=total)


def _parse_dataset(row: Mapping[str, Any]) -> SeriesHit:
    dataset_id = f"{row['provider_code']}/{row['code']}"
    series_count = as_whole_number(row.get("nb_series"))
    described = [f"{series_count} series; words in query choose among them." if series_count else ""]
    described.append(as_text(row.get("description")))
    updated = as_text(row.get("updated_at")) or as_text(row.get("indexed_at")) or None
    return SeriesHit(
        series_id=dataset_id,
        title=as_text(row["name"]),
        origin=Origin(url=PAGE + quote(dataset_id, safe="/:"), record=dataset_id, vintage=updated),
        last_updated=updated,
        notes=" ".join(part for part in described if part)[:NOTES_LENGTH] or None,
        source=as_text(row.get("provider_name")) or str(row["provider_code"]),
    )


def _fetch_observations(query: SeriesQuery) -> Steps[ResultSet[Observation]]:
    limits = parse_bounds(query.date_from, query.date_to)
    reply = yield _build_request(query)
    body = _parse_reply(reply)
    listed = as_object(body["series"])
    labels = as_object(as_object(body.get("dataset")).get("dimensions_values_labels"))
    docs = list(objects_in(listed["docs"]))
    read = [item for doc in docs for item in _parse_series(doc, labels)]
    items, cut = select_window(read, lambda item: item.date, limits, max(1, query.count) * max(1, len(docs)))
    ignored = frozenset(name for name in ("country", "frequency", "units") if getattr(query, name))
    matching = as_whole_number(listed.get("num_found")) or len(docs)
    notes = _describe_choice(matching, len(docs))
    return ResultSet(tuple(items), ignored, cut or matching > len(docs), notes)


def _build_request(query: SeriesQuery) -> Request:
    ids = [part.strip() for part in query.series_id.split(",") if part.strip()][:MOST_IDS]
    if not ids or not all(SERIES_ID.fullmatch(each) for each in ids):
        raise BadInput(
            f"series_id is {query.series_id[:80]!r}; DBnomics has provider/dataset/series, such as "
            "BLS/cu/CUSR0000SA0, or provider/dataset with words in query that choose among its series."
        )
    asked: dict[str, Param] = {"observations": 1}
    if all(each.count("/") == 2 for each in ids):
        return Request.get("/series", {**asked, "series_ids": ",".join(ids), "limit": MOST_IDS})
    asked |= {"q": query.text.strip() or None, "limit": SERIES_SHOWN, "offset": 0}
    return Request.get(f"/series/{quote(ids[0], safe='/:')}", asked)


def _describe_choice(matching: int, shown: int) -> tuple[str, ...]:
    mirror = "DBnomics is a mirror: `source` names the office, `lastUpdated` when its data were copied."
    if matching <= shown:
        return (mirror,) if shown else ("DBnomics has no series for these words; use fewer.",)
    return (mirror, f"{matching} series match, {shown} are shown; more words of a title in query choose among them.")


def _parse_series(doc: Mapping[str, Any], labels: Mapping[str, Any]) -> list[Observation]:
    about = _describe(doc, labels)
    periods, values = doc["period"], doc["value"]
    if not isinstance(periods, list) or not isinstance(values, list) or len(periods) != len(values):
        raise UpstreamChanged("DBnomics' answer has periods that do not fit their values.")
    country = _dimension(doc, AREAS)
    return [
        Observation(
            series_id=about.series_id,
            date=str(period),
            value=numeric_text(value),
            origin=Origin(
                url=about.origin.url,
                record=f"{about.series_id} {period}",
                unit=about.units,
                vintage=about.last_updated,
            ),
            title=about.title,
            units=about.units,
            country=country,
            about=about,
        )
        for period, value in zip(periods, values, strict=True)
    ]


def _describe(doc: Mapping[str, Any], labels: Mapping[str, Any]) -> SeriesHit:
    series_id = f"{doc['provider_code']}/{doc['dataset_code']}/{doc['series_code']}"
    named, updated = as_text(doc.get("series_name")), as_text(doc.get("indexed_at")) or None
    code = _dimension(doc, UNITS)
    names = next((as_object(labels[name]) for name in labels if name.lower() in UNITS), {})
    dataset = as_text(doc.get("dataset_name"))
    return SeriesHit(
        series_id=series_id,
        title=f"{dataset} — {named}" if dataset and named else named or dataset or series_id,
        origin=Origin(url=PAGE + quote(series_id, safe="/:"), record=series_id, unit=code, vintage=updated),
        units=as_text(names.get(code or "")) or code,
        frequency=(as_text(doc.get("@frequency")) or "").capitalize() or None,
        last_updated=updated,
        notes=" ".join(texts_in(doc.get("notes")))[:NOTES_LENGTH] or None,
        source=str(doc["provider_code"]),
    )


def _dimension(doc: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    dimensions = as_object(doc.get("dimensions"))
    return next((as_text(value) or None for name, value in dimensions.items() if name.lower() in names), None)


def _parse_reply(reply: Reply) -> Mapping[str, Any]:
    if reply.status in {400, 404}:
        error = BadInput if reply.status == 400 else NotFound
        raise error(f"DBnomics knows no such series or dataset: {_error_message(reply) or 'it did not say which'}")
    body = parse_exact_json(reply.expect_ok())
    if not isinstance(body, dict):
        raise UpstreamChanged("DBnomics' answer is not an object.")
    return body


def _error_message(reply: Reply) -> str:
    try:
        body = as_object(parse_exact_json(reply))
    except UpstreamChanged:
        return ""
    problems = [as_text(error.get("message")) for error in objects_in(body.get("errors"))]
    return (as_text(body.get("message")) or "; ".join(filter(None, problems)))[:200]
