"""SDMX structures as XML, the format in which its servers answer when they ignore what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.errors import UpstreamChanged
from wellsourced.upstreams.helpers.sdmx import Dataflow
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_dataflows_xml(body: bytes) -> list[Dataflow]:
    holder = parse_xml(body).find("Structures/Dataflows")
    if holder is None:
        raise UpstreamChanged("The SDMX message has no list of dataflows.")
    return [
        Dataflow(flow.attrib["agencyID"], flow.attrib["id"], flow.attrib["version"], _name(flow))
        for flow in holder.findall("Dataflow")
    ]


def read_dimensions_xml(body: bytes) -> list[str]:
    """The ids of the dimensions in the order of a key, time left out."""
    found = parse_xml(body).findall("Structures/DataStructures/DataStructure/DataStructureComponents/DimensionList")
    dimensions = found[0].findall("Dimension") if found else []
    if not dimensions:
        raise UpstreamChanged("The SDMX message describes no dimensions.")
    return [dimension.attrib["id"] for dimension in sorted(dimensions, key=_position)]


def _position(dimension: Element) -> int:
    text = dimension.get("position", "")
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def _name(flow: Element) -> str:
    names = flow.findall("Name")
    english = [name for name in names if name.get("lang") == "en"]
    return text_of(next(iter(english or names), None)) or flow.attrib["id"]
