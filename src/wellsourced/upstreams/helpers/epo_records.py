"""Claims, family, legal events and citations of one patent, out of the EPO's XML.

Claims come as one text with all of them, or as one text each; numbers stand in the text only. Legal events are those of
INPADOC and are put in order of their days here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wellsourced.upstreams.helpers.xml_tree import text_at, text_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

CLAIM_START = re.compile(r"(?m)^[ \t]{0,8}(?=[0-9]{1,3}[ \t]{0,2}\. ?\S)")
NUMBERED = re.compile(r"[0-9]{1,3} ?\.")
DAY = re.compile(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})")


def parse_claims(root: Element) -> tuple[str, ...]:
    """One text a claim, in English where there is a choice."""
    languages = sorted(root.iter("claims"), key=lambda each: each.get("lang", "").upper() != "EN")
    if not languages:
        return ()
    texts = ["".join(text.itertext()) for text in languages[0].iter("claim-text")]
    parts = [" ".join(part.split()) for text in texts for part in CLAIM_START.split(text)]
    numbered = [part for part in parts if NUMBERED.match(part)]
    return tuple(numbered or [part for part in parts if part])


def parse_family(root: Element) -> tuple[str, ...]:
    """The publications of the family with their days, each once."""
    found = (_number(member.find("publication-reference")) for member in root.iter("family-member"))
    return tuple(dict.fromkeys(number for number in found if number))


def parse_citations(root: Element) -> tuple[str, ...]:
    """What the patent cites: patents by number, other works as written."""
    found = (_number(cited.find("patcit")) or text_at(cited, "nplcit/text") for cited in root.iter("citation"))
    return tuple(dict.fromkeys(each for each in found if each))


def parse_events(root: Element) -> tuple[str, ...]:
    """Legal events, newest first: `2002-06-05 17Q FIRST EXAMINATION REPORT DESPATCHED`."""
    events = ((_day(text_at(event, "L007EP")), event) for event in root.iter("legal"))
    lines = (
        f"{day} {event.get('code', '').strip()} {event.get('desc', '').strip()}".strip() for day, event in events if day
    )
    return tuple(dict.fromkeys(sorted(lines, reverse=True)))


def _number(reference: Element | None) -> str:
    for document in reference.iterfind("document-id") if reference is not None else ():
        if document.get("document-id-type") == "docdb":
            number = "".join(text_at(document, part) for part in ("country", "doc-number", "kind"))
            return " ".join(filter(None, (number, _day(text_of(document.find("date"))))))
    return ""


def _day(text: str) -> str:
    match = DAY.fullmatch(text.strip())
    return "-".join(match.groups()) if match else ""


def all_records(claims: Element | None, family: Element | None, legal: Element | None) -> Iterator[tuple[str, object]]:
    """The fields of a patent that these answers give."""
    for name, root, parse in (
        ("claims", claims, parse_claims),
        ("family", family, parse_family),
        ("legal_events", legal, parse_events),
    ):
        if root is not None and (found := parse(root)):
            yield name, found
