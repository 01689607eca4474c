"""Colours that a page's head and its web manifest declare: theme, tile and mask colours; the manifest's icons.

Web manifest: w3.org/TR/appmanifest. A theme colour that is white, black or grey is the colour of a surface, and is
reported without calling it the brand's.
"""

from __future__ import annotations

import json
from typing import Any

from wellsourced.brand import colour_values
from wellsourced.brand.page_readers.logos import format_of, largest, size_of
from wellsourced.brand.page_readers.markup import BrandMarkup
from wellsourced.brand.page_readers.text_lines import clean
from wellsourced.brand.types import Colour, Findings, Logo, Value
from wellsourced.pages.html.dom import attribute, select

MOST_ICONS = 50


def head_colours(page: BrandMarkup) -> Findings:
    declared = [(attribute(link, "color"), "mask") for _, link in page.linked("mask-icon")]
    declared = [*_theme(page), *declared, (page.declared.first("msapplication-tilecolor"), "tile")]
    return Findings(tier="homepage_meta", url=page.url, palette=_palette(declared))


def manifest(text: str, url: str) -> Findings:
    """What a web manifest holds; nothing where it is not one."""
    try:
        manifest_json: Any = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        manifest_json = None
    if not isinstance(manifest_json, dict):
        return Findings(tier="homepage_meta", url=url)
    values: dict[str, Value] = {}
    name = manifest_json.get("name") or manifest_json.get("short_name")
    if isinstance(name, str) and clean(name):
        values["identity.name"] = clean(name)[:120]
    if isinstance(manifest_json.get("description"), str) and clean(manifest_json["description"]):
        values["identity.description"] = clean(manifest_json["description"])[:1000]
    if icon := _icon(manifest_json.get("icons"), url):
        values["logos.icon"] = icon
    declared = [(manifest_json.get("theme_color"), "theme"), (manifest_json.get("background_color"), "background")]
    return Findings(tier="homepage_meta", url=url, values=values, palette=_palette(declared))


def _theme(page: BrandMarkup) -> list[tuple[Any, str]]:
    """Theme colours; the one for dark mode only where there is no other."""
    tags = select(page.document, "meta[name='theme-color' i][content]")[:4]
    tags.sort(key=lambda tag: "dark" in attribute(tag, "media"))
    return [(attribute(tag, "content"), "theme") for tag in tags[:1]]


def _palette(declared: list[tuple[Any, str]]) -> tuple[Colour, ...]:
    """The colours that can be read. The first that is one rather than a grey stands for the brand."""
    read = [(colour_values.to_hex(value), role) for value, role in declared if isinstance(value, str)]
    chosen = next((colour for colour, role in read if colour and _may_lead(colour, role)), "")
    found: dict[str, Colour] = {}
    for colour, role in read:
        if colour:
            found.setdefault(colour, Colour(hex=colour, role="primary" if colour == chosen else role))
    return tuple(found.values())


def _may_lead(colour: str, role: str) -> bool:
    return role in {"theme", "mask", "tile"} and not colour_values.is_neutral(colour)


def _icon(icons: Any, url: str) -> Logo | None:
    from wellsourced.text.urls import is_web_url

    found = []
    for icon in icons[:MOST_ICONS] if isinstance(icons, list) else ():
        address = _joined(url, icon.get("src")) if isinstance(icon, dict) and _is_coloured(icon) else ""
        if address and is_web_url(address):
            width, height = size_of(str(icon.get("sizes", "")))
            kind = icon.get("type") if isinstance(icon.get("type"), str) else ""
            found.append(Logo(url=address, format=format_of(address, kind), width=width, height=height))
    return largest(found)


def _is_coloured(icon: dict[str, Any]) -> bool:
    """A monochrome icon is a mask that systems fill with a colour of theirs."""
    return str(icon.get("purpose", "")).strip().lower() != "monochrome"


def _joined(url: str, reference: Any) -> str:
    from urllib.parse import urljoin

    try:
        return urljoin(url, reference) if isinstance(reference, str) and reference else ""
    except ValueError:
        return ""
