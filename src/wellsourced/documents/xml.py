"""Untrusted XML: no entities of their own, no network, no DTD, libxml2's own size and depth limits kept on."""

from __future__ import annotations

from typing import Any, TypeAlias

from wellsourced.documents.document import Unreadable

Element: TypeAlias = Any
"""An lxml element; lxml brings no types."""

# Office formats define no entities: a definition is only ever an attack ("billion laughs").
ENTITY_MARKS = (b"<!ENTITY", "<!ENTITY".encode("utf-16-le"), "<!ENTITY".encode("utf-16-be"))


def parse_xml(data: bytes, part: str) -> Element:
    """The root element. Slightly broken XML is repaired; what holds no element at all is refused."""
    from lxml import etree  # type: ignore[import-untyped, unused-ignore]

    if any(mark in data for mark in ENTITY_MARKS):
        raise Unreadable(f"The document was refused: {part} defines XML entities, as decompression bombs do.")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        # Many programs write XML with small errors, which the programs that open it forgive.
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        raise Unreadable(f"The document is damaged: {part} is not XML.")
    return root


def local_name(element: Element) -> str:
    """The tag without its namespace; comments and the like have none."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """An attribute by local name: strict and transitional OOXML differ only in namespaces."""
    value = element.get(name)
    if value is not None:
        return str(value)
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return None


def find_child(element: Element | None, *names: str) -> Element | None:
    """Walk down by local names."""
    for name in names:
        if element is None:
            return None
        element = next((item for item in element if local_name(item) == name), None)
    return element


def text_of(element: Element | None) -> str:
    """All text inside, on one line."""
    if element is None:
        return ""
    return " ".join("".join(str(part) for part in element.itertext()).split())
