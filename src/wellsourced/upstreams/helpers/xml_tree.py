"""XML answers of services, read with the standard library's expat without anything a hostile document could misuse.

A document type may be named (PubMed names one), but nothing outside is ever loaded, and a document that declares
entities of its own is refused. Namespaces are dropped: the services read here do not reuse names.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from wellsourced.errors import UpstreamChanged
from wellsourced.text.plain_text import one_line

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

DEEPEST = 100  # levels; deeper nesting is an attack on the parser


def parse_xml(body: bytes) -> Element:
    """The root element, or UpstreamChanged for whatever is not sound XML."""
    from xml.etree.ElementTree import TreeBuilder
    from xml.parsers import expat

    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise UpstreamChanged("The answer is XML of unreasonable depth.")
        builder.start(_local(name), {_local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_local(name))

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = _refuse_entity
    parser.SkippedEntityHandler = lambda name, is_parameter: None if is_parameter else builder.data(_named(name))
    try:
        parser.Parse(body, True)
        return builder.close()
    except (expat.ExpatError, ValueError, LookupError, AssertionError) as problem:
        raise UpstreamChanged("The answer is not XML.", detail=str(problem)) from None


def text_of(element: Element | None) -> str:
    """All text below an element on one line: titles hold italics, subscripts and formulas."""
    return one_line("".join(element.itertext())) if element is not None else ""


def text_at(element: Element | None, path: str) -> str:
    return text_of(element.find(path)) if element is not None else ""


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


def _named(name: str) -> str:
    character = html.unescape(f"&{name};")
    return " " if character.startswith("&") else character


def _refuse_entity(*_: Any) -> None:
    raise UpstreamChanged("The answer is XML that declares entities, as decompression bombs do.")
