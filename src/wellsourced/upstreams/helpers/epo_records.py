"""Claims, description, family, legal events and citations of one patent, out of the EPO's XML.

Claims come as one text with all of them, or as one text each; numbers stand in the text only. Legal events are those of
INPADOC and are put in order of their days here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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


def parse_description(root: Element) -> tuple[str, ...]:
    """The paragraphs of the description, in English where there is a choice."""
    languages = sorted(root.iter("description"), key=lambda each: each.get("lang", "").upper() != "EN")
    texts = (" ".join("".join(each.itertext()).split()) for each in (languages[0].iter("p") if languages else ()))
    return tuple(text for text in texts if text)


def parse_standard_number(root: Element) -> str:
    """What the number service makes of a number: `JP2006147056A`; "" where it makes nothing of it."""
    output = root.find("standardization/output")
    found = (_number(reference) for reference in (output if output is not None else ()))
    return next((number.split(" ")[0] for number in found if number), "")


def application_number(data: Element | None) -> str:
    number = _number(data.find("application-reference") if data is not None else None)
    return number.split(" ")[0]


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


RECORDS: dict[str, tuple[str, Callable[[Element], tuple[str, ...]]]] = {
    "claims": ("published-data/publication/docdb/{}/claims", parse_claims),
    "family": ("family/publication/docdb/{}", parse_family),
    "legal_events": ("legal/publication/docdb/{}", parse_events),
    "description": ("published-data/publication/docdb/{}/description", parse_description),
}
"""Of which answer each field of a patent is read, and how."""
