"""Patent numbers: found in what people write, brought to one form, and read for what their kind code says.

A number is an office (two letters), digits and a kind code. WIPO ST.16 gives the codes: A is a publication of an
application, B and C one of a grant; the United States used A for grants until 2001 and have E, P and S for reissues,
plants and designs. DOCDB drops the zero after the year of US applications (US2023418876A1), everybody else keeps it.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

OFFICES = (
    "US EP WO JP CN KR DE GB FR CA AU IN RU SU TW ES IT NL CH AT BE SE DK FI NO PL PT BR MX ZA IL SG HK NZ AR TR CZ HU"
    " GR IE LU RO UA EA AP OA DD MY TH ID VN PH SA CL CO EG MA"
    " BG CS CU CR DO EC EE GC GE GT HR IS KE KZ LT LV MC MD MN MT NI PA PE RS SI SK TN UY UZ YU"
)
PLACE = "(?:" + "|".join(OFFICES.split()) + ")"
WRITTEN = re.compile(rf"{PLACE}(?:D|PP|RE|H|S|T|PI)?\d{{4,14}}(?:[A-Z]\d?)?")
PARTS = re.compile(r"([A-Z]{2})([A-Z]{0,2}\d+)([A-Z]\d?)?")
NOISE = re.compile(r"[\s,./\-‐‑–]+")
LONGEST = 40  # characters; anything longer is not a number
DOCDB_DIGITS = 10  # the EPO writes US applications with one zero less
LAST_GRANT_BY_A = 6_167_568  # until 2000 the kind code A meant a granted US patent
"""From 2001 on a US grant is a B; this was the last number before."""

GRANTING = {"B", "C"}
US_GRANTING = GRANTING | {"E", "P", "S"}
US_PLANT_APPLICATIONS = frozenset({"P1", "P4", "P9"})


def patent_number(text: str) -> str | None:
    """`US 10,165,245 B2`, `EP 1 000 000 A1`, `WO 2020/123456`, `10165245` or an address, as one word; None if none."""
    text = _from_address(text.strip())
    if len(text) > LONGEST:
        return None
    bare = NOISE.sub("", text.upper())
    if bare.isascii() and bare.isdigit() and 7 <= len(bare) <= 8:
        bare = f"US{bare}"
    return with_padding_zero(bare) if WRITTEN.fullmatch(bare) else None


def with_padding_zero(number: str) -> str:
    """A US application with the zero that DOCDB drops."""
    office, digits, kind = number_parts(number)
    is_short = office == "US" and len(digits) == DOCDB_DIGITS and digits[:2] in {"19", "20"}
    return f"US{digits[:4]}0{digits[4:]}{kind}" if is_short and kind[:1] != "B" else number


def number_parts(number: str) -> tuple[str, str, str]:
    """Office, digits (with a leading D, PP or RE) and kind code; each may be ""."""
    match = PARTS.fullmatch(number)
    return (match[1], match[2], match[3] or "") if match else ("", number, "")


def is_grant(number: str) -> bool | None:
    """Whether the document is a granted patent; None when the number does not tell."""
    office, digits, kind = number_parts(number)
    if not kind:
        return None
    if office == "US":
        is_old = kind == "A" and digits.isdigit() and int(digits) <= LAST_GRANT_BY_A
        return is_old or (kind[0] in US_GRANTING and kind not in US_PLANT_APPLICATIONS)
    if kind[0] in {"T", "U", "Y"}:
        return None
    return kind[0] in GRANTING


def is_same_document(one: str, other: str) -> bool:
    """The same office and digits; kind codes count only when both are given."""
    first, second = number_parts(with_padding_zero(one)), number_parts(with_padding_zero(other))
    return first[:2] == second[:2] and (first[2] == second[2] or not first[2] or not second[2])


def patent_page_url(number: str) -> str:
    return f"https://patents.google.com/patent/{number}/en"


def _from_address(text: str) -> str:
    """The number in an address such as https://patents.google.com/patent/US10165245B2/en."""
    if "patent/" not in text:
        return text
    path = unquote(urlsplit(text[:2000]).path) if "://" in text else text
    return path.partition("patent/")[2].partition("/")[0]
