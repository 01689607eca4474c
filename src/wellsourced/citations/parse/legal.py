"""Decisions of courts as lawyers cite them: `Roe v. Wade, 410 U.S. 113 (1973)`, `R v Smith [1990] 1 AC 82`."""

from __future__ import annotations

import re

from wellsourced.citations.reference import Reference
from wellsourced.text.partial_dates import PartialDate

LONGEST = 1_000
NAME = (
    r"(?P<name>(?:(?:In re|Ex parte|In the Matter of|Matter of)\s.{2,200}?|"
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

# An article about a case stands in a journal: `Jane Doe, Roe v. Wade in Retrospect, 96 Harv. L. Rev. 1 (1982)`.
LAW_REVIEW = re.compile(r"\bRev\b|\bL\. ?J\b|\bJ\. [A-Z]")


def parse_case(text: str) -> Reference | None:
    """The decision, or None when the text does not cite one."""
    match = AMERICAN.match(text[:LONGEST]) or NEUTRAL.match(text[:LONGEST])
    if match is None or LAW_REVIEW.search(match["reporter"]):
        return None
    part = match.groupdict()
    year = int(part["year"])
    court = (part.get("court") or "").strip(" ,")
    return Reference(
        type="legal_case", title=part["name"].strip(" ,"), container=part["reporter"].strip(), year=year,
        date=PartialDate(year),
        volume=(part["volume"] or "").strip() or None, pages=part["page"], raw=text,
        extra={"authority": court} if court else {},
    )  # fmt: skip
