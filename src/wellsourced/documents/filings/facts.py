"""The figures that a filing states for machines in inline XBRL, as exact numbers with units and periods.

Shape: `ix:nonFraction` holds the digits as printed, with `scale` (powers of ten) and `sign`; contexts and units are in
`ix:resources`. A context with members of a dimension is about a part of the company and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from wellsourced.pages.html.dom import Document, attribute, select

if TYPE_CHECKING:
    from wellsourced.pages.html.dom import Element

MOST_FACTS = 3000
LARGEST_SCALE = 15
DIGITS = re.compile(r"[0-9][0-9,. \u00a0]{0,40}")
ZERO_FORMATS = ("zerodash", "fixed-zero", "numdash")
WORDS_ASKED = ("dei:EntityRegistrantName", "dei:DocumentType", "dei:DocumentPeriodEndDate")


def read_facts(document: Document) -> list[str]:
    """One line a figure: `us-gaap:Assets: 364980000000 USD, 2024-09-28`."""
    periods = dict(_periods(document))
    units = dict(_units(document))
    lines: dict[str, None] = {}
    for element in select(document, "ix\\:nonfraction"):
        value, context = exact_value(element), attribute(element, "contextref")
        if value is not None and (period := periods.get(context)):
            unit = units.get(attribute(element, "unitref"), "")
            lines.setdefault(f"- {attribute(element, 'name')}: {value}{' ' if unit else ''}{unit}, {period}")
        if len(lines) >= MOST_FACTS:
            break
    return list(lines)


def exact_value(element: Element) -> str | None:
    """The number that is meant, written out; None for what is not one."""
    form = attribute(element, "format").lower()
    text = element.text.strip()
    match = DIGITS.fullmatch(text)
    if match is None:
        return "0" if any(form.endswith(each) for each in ZERO_FORMATS) else None
    digits = re.sub(r"[ \u00a0]", "", text)
    digits = digits.replace(".", "").replace(",", ".") if "comma" in form else digits.replace(",", "")
    scale = attribute(element, "scale") or "0"
    if not re.fullmatch(r"-?[0-9]{1,2}", scale) or abs(int(scale)) > LARGEST_SCALE:
        return None
    try:
        value = Decimal(digits).scaleb(int(scale))
    except InvalidOperation:
        return None
    return f"{-value if attribute(element, 'sign') == '-' else value:f}"


def read_words(document: Document) -> Mapping[str, str]:
    """Who files what, in the filing's own words."""
    found: dict[str, str] = {}
    for element in select(document, "ix\\:nonnumeric"):
        name = attribute(element, "name")
        if name in WORDS_ASKED and name not in found:
            found[name] = " ".join(element.text.split())
    return found


def _periods(document: Document) -> Iterator[tuple[str, str]]:
    for context in select(document, "xbrli\\:context, context"):
        if select(context, "xbrldi\\:explicitmember, xbrldi\\:typedmember"):
            continue
        days = [_text(context, name) for name in ("instant", "startdate", "enddate")]
        period = days[0] or "/".join(filter(None, days[1:]))
        if period:
            yield attribute(context, "id"), period


def _units(document: Document) -> Iterator[tuple[str, str]]:
    for unit in select(document, "xbrli\\:unit, unit"):
        measures = [each.text.strip().rpartition(":")[2] for each in select(unit, "xbrli\\:measure, measure")]
        yield attribute(unit, "id"), " per ".join(measures)


def _text(context: Element, name: str) -> str:
    found = select(context, f"xbrli\\:{name}, {name}")
    return found[0].text.strip() if found else ""
