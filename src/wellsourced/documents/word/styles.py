"""What a paragraph's style says of it: a heading's level, a list it belongs to (ECMA-376 part 1, section 17.7)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wellsourced.documents.xml import Element, attribute, find_child, local_name

HEADING = re.compile(r"heading\s*([1-9])", re.I)
LONGEST_CHAIN = 20


@dataclass(frozen=True)
class ParagraphStyle:
    """Level 0 is the title; None is running text."""

    level: int | None = None
    list_number: str | None = None
    list_depth: int = 0


def read_styles(root: Element | None) -> dict[str, ParagraphStyle]:
    """Paragraph styles by id, with what they inherit from the styles they are based on."""
    elements = {
        attribute(item, "styleId") or "": item
        for item in (root if root is not None else ())
        if local_name(item) == "style" and attribute(item, "type") in {"paragraph", None}
    }
    return {key: _style(item, elements) for key, item in elements.items()}


def paragraph_style(paragraph: Element, known: dict[str, ParagraphStyle]) -> ParagraphStyle:
    """The paragraph's own settings over those of its style."""
    settings = find_child(paragraph, "pPr")
    name = find_child(settings, "pStyle")
    inherited = known.get(attribute(name, "val") or "", ParagraphStyle()) if name is not None else ParagraphStyle()
    level = _outline_level(settings)
    number, depth = _list_place(settings)
    return ParagraphStyle(
        level if level is not None else inherited.level,
        number if number is not None else inherited.list_number,
        depth if depth is not None else inherited.list_depth,
    )


def _style(item: Element, elements: dict[str, Element]) -> ParagraphStyle:
    level: int | None = None
    number: str | None = None
    depth: int | None = None
    current: Element | None = item
    for _ in range(LONGEST_CHAIN):
        if current is None:
            break
        settings = find_child(current, "pPr")
        found_number, found_depth = _list_place(settings)
        level = level if level is not None else _named_level(current)
        level = level if level is not None else _outline_level(settings)
        number = number if number is not None else found_number
        depth = depth if depth is not None else found_depth
        based_on = find_child(current, "basedOn")
        current = elements.get(attribute(based_on, "val") or "") if based_on is not None else None
    return ParagraphStyle(level, number, depth or 0)


def _named_level(style: Element) -> int | None:
    """Built-in names are English in the file whatever the language of the program."""
    name = find_child(style, "name")
    text = (attribute(name, "val") or "") if name is not None else ""
    if text.strip().lower() == "title":
        return 0
    match = HEADING.fullmatch(text.strip())
    return int(match.group(1)) if match else None


def _outline_level(settings: Element | None) -> int | None:
    value = find_child(settings, "outlineLvl")
    number = (attribute(value, "val") or "") if value is not None else ""
    return int(number) + 1 if number.isdigit() and int(number) < 9 else None


def _list_place(settings: Element | None) -> tuple[str | None, int | None]:
    place = find_child(settings, "numPr")
    number, depth = find_child(place, "numId"), find_child(place, "ilvl")
    deep = (attribute(depth, "val") or "") if depth is not None else ""
    return attribute(number, "val") if number is not None else None, int(deep) if deep.isdigit() else None
