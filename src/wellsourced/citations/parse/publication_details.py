"""What stands behind the title of a reference: container, volume, issue, pages, publisher, place, edition and year."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wellsourced.citations.formats.extra_fields import page_range

# Not the end of a page range or of a volume number.
YEAR = re.compile(r"(?<![0-9/.–-])(1[4-9][0-9]{2}|20[0-9]{2})[a-z]?(?![0-9]|\s?[–-]\s?[0-9])")
PAGE = r"[A-Za-z]{0,3}[0-9]{1,7}[A-Za-z]?(?:\s?[-–—‐]{1,2}\s?[A-Za-z]{0,3}[0-9]{1,7}[A-Za-z]?)?"
# In this order: what names itself (vol., no., pp.) before what is known by its position alone.
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        # ACM, the year already taken out: `67, 13 (July ), 3547–3560`.
        "acm",
        re.compile(
            rf"(?<![0-9A-Za-z])(?P<volume>[0-9]{{1,5}}),(?:\s(?P<issue>[0-9A-Za-z–-]{{1,12}}))?"
            rf"\s\((?:[^\W\d_]{{3,10}}\.?)?\s{{0,3}}\),\s(?P<pages>{PAGE})"
        ),
    ),
    # MHRA: `50.2 (2015), pp. 154–75`.
    ("dotted", re.compile(r"(?<![0-9A-Za-z.])(?P<volume>[0-9]{1,4})\.(?P<issue>[0-9]{1,3})(?=\s\()")),
    (
        "semicolon",
        re.compile(
            rf";\s?(?P<volume>[0-9A-Za-z]{{1,8}})?\s?(?:\((?P<issue>[^()]{{1,30}})\))?(?:\s?:\s?(?P<pages>{PAGE}))?"
        ),
    ),
    (
        "volume",
        re.compile(r"\b(?:vol|volume|bd|band|t|tome|т)\b\.?\s?(?P<volume>[0-9IVXLC]{1,8}[A-Za-z]?)\b", re.IGNORECASE),
    ),
    (
        "issue",
        re.compile(
            r"\b(?:no|nr|issue|iss|number|n[.º°]|heft|h|№)\.?\s?(?P<issue>[0-9]{1,6}[A-Za-z]?(?:[-–/][0-9]{1,4})?)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "bracket",
        re.compile(
            r"(?<![0-9A-Za-z(])(?P<volume>[0-9]{1,5}[A-Za-z]?)\s?\((?P<issue>(?!(?:1[5-9]|20)[0-9]{2}\))[^()\s][^()]{0,29})\)"
        ),
    ),
    (
        "pages",
        re.compile(
            rf"\b(?:pp?|pages?|s|seiten?|с|стр)\b\.?\s?(?P<pages>{PAGE}(?:,\s?[0-9]{{1,6}}(?:[-–][0-9]{{1,6}})?)?)",
            re.IGNORECASE,
        ),
    ),
    ("colon", re.compile(rf"(?<=[0-9)])\s?:\s?(?P<pages>{PAGE})")),
    (
        "bare",
        re.compile(r"(?:(?<=[^\W\d_])|(?<=[^\W\d_]\.))[ ,]{1,6}(?P<volume>[0-9]{1,4})(?!\s?[-–])(?=\s?[,:(;]|\s?\Z)"),
    ),
    ("comma", re.compile(rf",\s(?P<pages>{PAGE})(?=[.,;\s]|\Z)")),
    ("article", re.compile(r"\b(?:article|art\.)\s(?:no\.?\s)?(?P<pages>[A-Za-z]?[0-9]{1,9})\b", re.IGNORECASE)),
)
EDITION = re.compile(
    r"\(?\b([0-9]{1,2})(?:st|nd|rd|th|\.|ª|e)?\s(?:ed\b|edition|edn|aufl(?:age)?|éd|edición|изд)\.?\)?", re.IGNORECASE
)
MONTHS = (
    r"(?:jan(?:uary?|vier)?|feb(?:ruary?)?|mar(?:ch|s|zo)?|apr(?:il)?|may|june?|juni|july?|juli|aug(?:ust)?"
    r"|sept?(?:emb(?:er|re))?|oct(?:ob(?:er|re))?|nov(?:emb(?:er|re))?|dec(?:ember)?)\b\.?"
)
STRAY_DATE = re.compile(rf"\(?\b(?:[0-9]{{1,2}}\s)?{MONTHS}(?:\s[0-9]{{1,2}}\b)?,?\)?", re.IGNORECASE)
IMPRINT = re.compile(r"([^\W\d_][^:;.]{1,60}(?:,\s[A-Z]{2,3})?):\s([^:;]{2,100})")


@dataclass(slots=True)
class PublicationDetails:
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    edition: str | None = None
    year: int | None = None
    rest: str = ""
    cuts: list[range] = field(default_factory=list)


def parse_details(text: str) -> PublicationDetails:
    """Each detail once; `rest` is what stood before the first of them."""
    details = PublicationDetails()
    match = EDITION.search(text)
    if match:
        details.edition = match[1]
        text = text[: match.start()] + " " + text[match.end() :]
    year = YEAR.search(text)
    if year:
        details.year = int(year[1])
        details.cuts.append(range(year.start(), year.start() + 1))
        text = f"{text[: year.start()]}{' ' * 1}{text[year.end() :]}" if not _belongs(text, year) else text
    for _, pattern in PATTERNS:
        free = (match for match in pattern.finditer(text) if not any(match.start() in cut for cut in details.cuts))
        _take(next(free, None), details)
    details.rest = _before(text, details.cuts)
    return details


def _belongs(text: str, year: re.Match[str]) -> bool:
    return text[year.end() : year.end() + 1] == "("


def _take(match: re.Match[str] | None, details: PublicationDetails) -> None:
    if match is None:
        return
    new = {name: value for name, value in match.groupdict().items() if value}
    if not new or any(getattr(details, name) is not None for name in new):
        return
    details.cuts.append(range(*match.span()))
    for name, value in new.items():
        setattr(details, name, page_range(value) if name == "pages" else value.strip())


def _before(text: str, cuts: list[range]) -> str:
    """Also without a date that only the year was taken of."""
    front = STRAY_DATE.sub(" ", text[: min(cut.start for cut in cuts)]) if cuts else text
    front = front.lstrip(" .,;:").rstrip(" ,;:([-–")
    is_abbreviated = front.endswith(".") and "." in front[:-1]
    return front if is_abbreviated else front.rstrip(" .")


def parse_imprint(text: str) -> tuple[str | None, str | None]:
    """Place and publisher out of `Berlin: Springer`; a text without a colon is the publisher."""
    match = IMPRINT.search(text)
    if match:
        return match[1].strip(" ,."), match[2].strip(" ,.;")
    return None, text.strip(" ,.;()") or None
