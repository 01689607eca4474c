"""Decisions of courts as lawyers cite them: `Roe v. Wade, 410 U.S. 113 (1973)`, `R v Smith [1990] 1 AC 82`."""

from __future__ import annotations

import re
from functools import cache

from wellsourced.citations.reference import Reference
from wellsourced.text.partial_dates import PartialDate

LONGEST = 1_000
NAME = (
    r"(?P<name>(?:(?i:In re|Ex parte|In the Matter of|Matter of)\s.{2,200}?|Re\s.{2,200}?|"
    r".{1,200}?\s(?:v\.?|vs\.?|c\.|gegen|contre)\s.{1,200}?))"
)
SIGNAL = r"(?:(?:see(?:,?\s(?:also|e\.g\.,?|generally))?|cf\.|accord|but see)\s)?"
REPORTER = (
    r"(?P<volume>[0-9]{1,4})\s(?P<reporter>[A-Z][A-Za-z0-9.'’ ]{0,40}?)(?:\s\([^()]{2,30}\))?"
    r"\s(?:(?P<page>[0-9]{1,6})|_{1,6}|[-–—]{1,6})"
)
PARALLEL = r"(?:,\s[0-9]{1,4}\s[A-Z][A-Za-z0-9.'’ ]{0,40}?\s[0-9]{1,6}(?:,\s[0-9–-]{1,12})?){0,4}"
AMERICAN = re.compile(
    rf"\A(?i:{SIGNAL}){NAME},?\s{REPORTER}(?:,\s(?P<pin>[0-9][0-9, n.–-]{{0,30}}))?{PARALLEL}\s?"
    rf"\((?P<court>[^()]{{0,60}}?)(?P<year>1[6-9][0-9]{{2}}|20[0-9]{{2}})\)"
)
NEUTRAL = re.compile(
    rf"\A{NAME},?\s[\[(](?P<year>1[6-9][0-9]{{2}}|"
    rf"20[0-9]{{2}})[\])]\s(?P<volume>[0-9]{{1,3}}\s)?(?P<reporter>[A-Z][A-Za-z.() ]{{0,30}}?)\s(?P<page>[0-9]{{1,6}})"
)
REPORTER_PLACE = re.compile(
    r"([0-9]{1,4}) ((?:[A-Z][A-Za-z]{0,9}\. ?){1,4}(?:[0-9](?:d|th|st|nd|rd))?) ?([0-9]{1,5})\.?"
)
# The number that a court gives its own decision: `[2017] UKSC 5`, `[2021] EWHC 1234 (Ch)`, `2019 ONCA 123`.
COURT_NUMBER = re.compile(
    r"\s*(?:\[(?P<year>(?:19|20)[0-9]{2})\]\s(?P<reporter>[A-Z][A-Za-z]{1,7}(?:\s[A-Z][A-Za-z]{1,5})?)"
    r"|(?P<bare>(?:19|20)[0-9]{2})\s(?P<court>SCC|CSC|FCA|TCC|(?:ON|BC|AB|QC|SK|MB|NB|NS)(?:CA|SC|KB|QB)|CarswellOnt))"
    r"\s(?P<page>[0-9]{1,5})(?:\s\([A-Z][A-Za-z]{1,9}\))?\.?\s*"
)
EUROPEAN = re.compile(
    r"\s*(?:Joined )?Cases? (?P<number>[CTF][-‑–][0-9]{1,4}/[0-9]{2})(?:\sP)?,?\s(?P<name>[^\[\]]{2,200}?),?\s"
    r"(?:\[(?P<year>[12][0-9]{3})\]\s)?(?:EU:|ECLI:|ECR\b)"
)

# An article about a case stands in a journal: `Jane Doe, Roe v. Wade in Retrospect, 96 Harv. L. Rev. 1 (1982)`.
LAW_REVIEW = re.compile(r"\bRev\b|\bL\. ?J\b|\bJ\. [A-Z]")
# Numbers of the two great commercial databases, and of the docket of a court.
DATABASE = re.compile(
    r"\b(?P<volume>[12][0-9]{3})\s(?P<reporter>WL|(?:[A-Z][A-Za-z0-9.]{0,8}\s){0,4}LEXIS)\s(?P<page>[0-9]{1,9})\b"
)
SHORT_WORD_AT_END = re.compile(r"\b[A-Z][a-z']{1,4}\.\Z")  # `Inc.`, `Corp.`
DOCKET = re.compile(r"\b(?:Case |Docket )?Nos?\.\s?(?P<docket>[0-9][0-9A-Za-z:.]{0,6}-[0-9A-Za-z:.-]{2,30})")
MONTH = re.compile(r"\s(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\.?(?:\s[0-9]{1,2},?)?\s*\Z")
LAST_YEAR = re.compile(r"\((?P<court>[^()]{0,60}?)(?P<year>1[6-9][0-9]{2}|20[0-9]{2})\)\.?\s*\Z")
PARTY = r"[A-Z][\w.'’&-]{0,30}(?:,?\s(?:[A-Z][\w.'’&-]{0,30}|of|the|and|for|ex rel\.|de|&|et al\.)){0,7}"
# `vs.` stands in the titles of papers; alone it makes no case.
NAME_ALONE = re.compile(
    rf"\s*(?P<name>{PARTY}\sv\.?\s{PARTY}|(?i:in re|ex parte|in the matter of)\s{PARTY})"
    rf"(?:,?\s\((?P<court>[^()]{{0,40}}?)(?P<year>1[6-9][0-9]{{2}}|20[0-9]{{2}})\))?\.?\s*"
)
ABROAD = {"jurisdiction": "elsewhere"}
LIKELY = re.compile(r"\sv\.?\s|\bin re\b|\bat [0-9]|\A[0-9]{1,4} [A-Z]", re.IGNORECASE)
PLACE = re.compile(
    r"(?<![\w.])(?P<volume>[0-9]{1,4})[ -](?P<reporter>[A-Z][A-Za-z0-9.,'’&() ]{0,40}?),?[ -](?P<at>at )?"
    r"(?P<page>[0-9]{1,7})(?![\w])"
)
COURTS_OWN = re.compile(r"[A-Z]{2}(?: App)?")
YEAR_DIGITS = 4
BETWEEN_LETTERS = re.compile(r"[\s.]")
NAMED_BEFORE = re.compile(
    rf"(?P<name>{PARTY}\sv\.?\s{PARTY}|(?i:(?:in re|ex parte|in the matter of|matter of))\s{PARTY}),?\s\Z"
)
SHORT_NAME_BEFORE = re.compile(r"(?P<name>(?:[A-Z][\w.'’&-]{0,30}\s){0,4}[A-Z][\w.'’&-]{0,30}),\s\Z")
SIGNAL_BEFORE = re.compile(r"\A(?:See|Cf\.|Accord|But see|See also)\s")
YEAR_BEHIND = re.compile(r"(?:,\s[0-9][0-9, n.–-]{0,30})?\s?\([^()]{0,60}?(?P<year>1[6-9][0-9]{2}|20[0-9]{2})\)")


def parse_case(text: str) -> Reference | None:
    """The decision, or None when the text does not cite one."""
    text = text[:LONGEST]
    if abroad := parse_foreign_number(text):
        return abroad
    match = AMERICAN.match(text) or NEUTRAL.match(text)
    if match is None:
        return _by_place(text) or _by_number(text) or _by_name(text) or _by_known_reporter(text)
    if LAW_REVIEW.search(match["reporter"]):
        return None
    part = match.groupdict()
    year = int(part["year"])
    court = MONTH.sub("", part.get("court") or "").strip(" ,")
    # American reporters are abbreviated with points, those of other countries without.
    is_abroad = match.re is NEUTRAL and "." not in part["reporter"]
    extra = {"authority": court} if court else {}
    return Reference(
        type="legal_case", title=part["name"].strip(" ,"), container=part["reporter"].strip(), year=year,
        date=PartialDate(year),
        volume=(part["volume"] or "").strip() or None, pages=part["page"], raw=text,
        extra=extra | ABROAD if is_abroad else extra,
    )  # fmt: skip


def parse_foreign_number(text: str) -> Reference | None:
    """A number of a court outside the United States, without a name or, of the Union's courts, before it."""
    if (match := COURT_NUMBER.fullmatch(text)) is not None:
        year, court = int(match["year"] or match["bare"]), match["reporter"] or match["court"]
        return Reference(type="legal_case", container=court, year=year, date=PartialDate(year), pages=match["page"],
                         raw=text, extra=ABROAD)  # fmt: skip
    if (match := EUROPEAN.match(text)) is None:
        return None
    said = int(match["year"]) if match["year"] else None
    return Reference(type="legal_case", title=match["name"].strip(" ,"), year=said,
                     date=PartialDate(said) if said else None, raw=text,
                     extra={"number": match["number"], **ABROAD})  # fmt: skip


def _by_place(text: str) -> Reference | None:
    """A place in a reporter without the name of the case: `410 U.S. 113`."""
    match = REPORTER_PLACE.fullmatch(text.strip())
    if match is None:
        return None
    return Reference(type="legal_case", volume=match[1], container=match[2].strip(), pages=match[3], raw=text)


def _by_number(text: str) -> Reference | None:
    """A docket or a database number, with the name before it where there is one."""
    database, docket = DATABASE.search(text), DOCKET.search(text)
    first = min((found.start() for found in (database, docket) if found), default=None)
    name = text[:first].strip(" ,") if first is not None else ""
    name = name if SHORT_WORD_AT_END.search(name) else name.rstrip(".")
    if first is None or (name and not NAME_ALONE.fullmatch(name)) or (docket and not database and not name):
        return None
    when = LAST_YEAR.search(text)
    year = int(when["year"]) if when else int(database["volume"]) if database else None
    extra = {"number": docket["docket"]} if docket else {}
    if when and when["court"].strip(" ,"):
        extra["authority"] = MONTH.sub("", when["court"]).strip(" ,")
    return Reference(
        type="legal_case", title=name or None, year=year, date=PartialDate(year) if year else None, raw=text,
        container=database["reporter"] if database else None, volume=database["volume"] if database else None,
        pages=database["page"] if database else None, extra=extra,
    )  # fmt: skip


def _by_name(text: str) -> Reference | None:
    """Nothing but the names of parties, perhaps with a year."""
    match = NAME_ALONE.fullmatch(text)
    if match is None:
        return None
    year = int(match["year"]) if match["year"] else None
    court = (match["court"] or "").strip(" ,")
    return Reference(
        type="legal_case", title=match["name"].strip(" ,"), year=year, date=PartialDate(year) if year else None,
        raw=text, extra={"authority": court} if court else {},
    )  # fmt: skip


def _by_known_reporter(text: str) -> Reference | None:
    """With the table of all American reporters: short forms, odd spellings, numbers that courts give themselves."""
    if not LIKELY.search(text):
        return None
    found = next((match for match in PLACE.finditer(text) if own_name(match)), None)
    if found is None:
        return None
    is_short, name = bool(found["at"]), _name_before(text[: found.start()], is_short=bool(found["at"]))
    if not name and len(found[0]) < len(text.strip(" .")) - 8:
        return None
    when = YEAR_BEHIND.match(text, found.end())
    year = int(when["year"]) if when else None
    return Reference(
        type="legal_case", title=name, year=year, date=PartialDate(year) if year else None, raw=text,
        container=own_name(found), volume=found["volume"], pages=found["page"],
        extra={"locator": found["page"]} if is_short else {},
    )  # fmt: skip


def own_name(place: re.Match[str]) -> str | None:
    """What the reporter calls itself, None for one that nobody knows; those of one court count by years."""
    name = known_reporters().get(BETWEEN_LETTERS.sub("", place["reporter"]))
    is_of_court = bool(name and COURTS_OWN.fullmatch(name))
    return name if not is_of_court or len(place["volume"]) == YEAR_DIGITS else None


@cache
def known_reporters() -> dict[str, str]:
    """Every spelling, without blanks and full stops, and the reporter's own name."""
    from reporters_db import EDITIONS, VARIATIONS_ONLY  # type: ignore[import-untyped]

    # A spelling that several share stays as it is.
    pairs = [(spelling, names[0] if len(names) == 1 else spelling) for spelling, names in VARIATIONS_ONLY.items()]
    pairs += [(name, name) for name in EDITIONS]
    return {BETWEEN_LETTERS.sub("", spelling): name for spelling, name in pairs}


def _name_before(text: str, *, is_short: bool) -> str | None:
    """The parties; of a short form the one that it names."""
    found = (NAMED_BEFORE if not is_short else SHORT_NAME_BEFORE).search(text)
    return SIGNAL_BEFORE.sub("", found["name"]).strip(" ,") if found else None
