"""SDMX data as XML, generic and structure-specific, and as CSV: what servers send when they ignore what was asked.

Codes come without names, and every value as text, digit for digit.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from wellsourced.errors import UpstreamChanged
from wellsourced.upstreams.helpers.data_cube import MOST_CELLS, CubeCategory, CubeCell
from wellsourced.upstreams.helpers.sdmx_json import OLDER_NAMES, TIME, Axis, SdmxMessage, make_cell, numeric_text
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_at

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

VALUE = "OBS_VALUE"
# What describes a value in a row of CSV or among the attributes of a series, and is no part of its key.
ATTRIBUTE_NAMES = (
    "OBS_STATUS OBS_CONF CONF_STATUS UNIT UNIT_MULT DECIMALS BASE_PER TIME_FORMAT COLLECTION TITLE TITLE_COMPL"
    " SOURCE_AGENCY PRE_BREAK OBS_COMMENT REFERENCEPERIOD POWERCODE SERIES_NAME SCALE COMMENT_OBS COMMENT_TS"
)
ATTRIBUTES = frozenset(ATTRIBUTE_NAMES.split())
NOT_OF_THE_KEY = frozenset({"DATAFLOW", "STRUCTURE", "STRUCTURE_ID", "STRUCTURE_NAME", "ACTION", "KEY", TIME, VALUE})


def read_data_xml(body: bytes) -> SdmxMessage:
    """All cells of a message in XML; a message of another kind has changed."""
    root = parse_xml(body)
    datasets = root.findall("DataSet")
    if not datasets:
        raise UpstreamChanged("The SDMX message has no data set.")
    cells = [cell for dataset in datasets for cell in _cells(dataset)]
    return _message(cells, text_at(root, "Header/Prepared") or None)


def read_data_csv(text: str) -> SdmxMessage:
    """All cells of SDMX-CSV: a header, and a row a value."""
    rows = csv.DictReader(text.removeprefix("\ufeff").splitlines())
    if not {TIME, VALUE} <= set(rows.fieldnames or ()):
        raise UpstreamChanged("The table has no columns of time and value.")
    return _message([_csv_cell(row) for row in rows], None)


def _message(cells: list[CubeCell], prepared: str | None) -> SdmxMessage:
    if len(cells) > MOST_CELLS:
        raise UpstreamChanged("The SDMX message has more cells than can be read.")
    return SdmxMessage(tuple(cells), "", prepared)


def _cells(dataset: Element) -> Iterator[CubeCell]:
    for series in dataset.iter("Series"):
        if series.attrib:
            place = _without(series.attrib, ATTRIBUTES)
            about = {name: value for name, value in series.attrib.items() if name in ATTRIBUTES}
            for each in series.findall("Obs"):
                yield _cell(each.get(VALUE), {**place, TIME: each.get(TIME, "")}, {**about, **each.attrib})
        else:
            yield from _generic_cells(series)


def _generic_cells(series: Element) -> Iterator[CubeCell]:
    place, about = _values(series, "SeriesKey"), _values(series, "Attributes")
    for each in series.findall("Obs"):
        time, value = each.find("ObsDimension"), each.find("ObsValue")
        if time is None:
            raise UpstreamChanged("An observation of the SDMX message has no period.")
        said = value.get("value") if value is not None else None
        yield _cell(said, {**place, TIME: time.get("value", "")}, {**about, **_values(each, "Attributes")})


def _values(element: Element, path: str) -> dict[str, str]:
    return {value.get("id", ""): value.get("value", "") for value in element.findall(f"{path}/Value")}


def _csv_cell(row: Mapping[str, str | None]) -> CubeCell:
    named = {name: value or "" for name, value in row.items() if name}
    place = _without(named, ATTRIBUTES | (NOT_OF_THE_KEY - {TIME}))
    return _cell(named.get(VALUE), place, {name: value for name, value in named.items() if name in ATTRIBUTES})


def _without(values: Mapping[str, str], names: frozenset[str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if name not in names}


def _cell(value: str | None, place: Mapping[str, str], about: Mapping[str, str]) -> CubeCell:
    coordinates = {name: CubeCategory(code, code) for name, code in place.items()}
    attributes = {OLDER_NAMES.get(name, name): CubeCategory(code, code) for name, code in about.items() if code}
    order = [Axis(name, (), number, name == TIME) for number, name in enumerate(coordinates)]
    return make_cell(numeric_text(value), coordinates, attributes, order)
