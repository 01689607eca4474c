"""What a tagged reference gets wrong in known ways, set right: names, the title, and where it ends."""

from __future__ import annotations

import re
from dataclasses import replace

from wellsourced.citations.parse.authors import parse_authors
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.partial_dates import PartialDate

EASTERN_QUOTED = re.compile(r"「([^「」]{2,400})」\s?(?:『([^『』]{2,200})』)?")
SENTENCE_END = re.compile(r"[^\W\d_A-Z]{4}\.\s")
SENTENCE_MARK = re.compile(r"[.?!](?=\s[^\W\d_a-z])")
EDGES = " .,;:。、/"
ENCYCLOPEDIA = re.compile(
    r"\A[\"“]?(?P<title>[^\"”()]{2,200}?)[.,]?[\"”]?[.,]?\s(?:\([^()]{4,40}\)[.,]?\s)?(?:In:?\s)?"
    r"(?P<site>Wikipedia|(?:The )?Encyclop(?:ae|æ|e)dia Britannica|Britannica)\b(?! contributors)"
)
VOLUME_AT_END = re.compile(r"[:,(]\s(?:Vol|Bd|Pt|Part)\.?\Z")
# `… of Huaynaputina, southern Peru. Bulletin`: behind a year in brackets, a title ends with a point.
PLACE_IN_TITLE = re.compile(r"(,\s[^.,;:?!()]{2,60})[.?!]\s(?:In\s)?")
YEAR_BEFORE = re.compile(r"\([^()]{0,4}[12][0-9]{3}[a-z]?\)\.?\s[“\"]?\Z")
# No mark between a title and what it is in, but perhaps a word of the title.
GOES_ON = re.compile(r"[”\"’»:]{0,2}\s(?:in\s)?|’\s|\s?[’']\s")
IMPRINT = re.compile(
    r"[.,;)–]\s(?P<place>[^\W\d_a-z][^.:;,()\d“”\"]{1,40}):\s(?P<publisher>[^\W\d_a-z][^:;.()\d“”\"]{1,80}),\s"
    r"(?:1[4-9]|20)[0-9]{2}(?=[.,;\s]|\Z)"
)
EASTERN_NUMBER = re.compile(r"([0-9]{1,4})\s?([年巻号])")
# Names behind the title: `“Title” by Jane Doe, published in …`, `“Title” — Doe et al., …`.
BYLINE = re.compile(
    r"[”\"»’]\s(?:by|von|par|por)\s(?P<names>[^()\"“”]{2,300}?)[.,]?\s(?:\(|(?:\w{9,12}\s)?(?:in|dans|en)\s)"
    r"|[”\"»’]\s{1,3}[—–-]\s(?P<others>[^()\"“”,;]{2,60}\set\sal\b)"
)
# What stands before the year is who wrote: `IAAF. (2019). Honours.`
GROUP_AND_YEAR = re.compile(
    r"\A(?P<name>[^\W\d_a-z][^.,;:()\[\]“”\"‘’]{1,80}?)[.,]?\s\((?:1[5-9]|20)[0-9]{2}[a-z]?[,)]"
)
# `Doe, J. (2019). Honours.`
BEHIND_YEAR = re.compile(
    r"\A[^()]{2,400}\((?:1[5-9]|20)[0-9]{2}[a-z]?(?:, [^()]{3,20})?\)\.?\s(?P<title>[^\W_][^.?!]{3,300}[.?!]?)(?=\s|\Z)"
)
# `Vitamin D deficiency. Holick MF. N Engl J Med.`
TURNED = re.compile(r"\A(?P<title>[^.]{4,300}[a-z]{4})\.\s(?P<names>[^.]{3,300}\s[A-Z]{1,3})\.\s")


def repair_names(read: Reference, body: str) -> Reference:
    """Where a journal or a title stands first, it is easily taken for names."""
    is_signed = any(name.given for name in read.authors) and body[0] not in '"“'
    if not is_signed and (entry := ENCYCLOPEDIA.match(body)):
        return replace(read, title=entry["title"], authors=(), container=entry["site"], publisher=None, place=None)
    if (eastern := EASTERN_QUOTED.search(body)) and not read.authors:
        read = _eastern(read, body, eastern.start())
    if read.authors and read.volume and not read.title and not read.container:  # `J. Hydrol. 581, 124`
        return replace(read, container=body[: body.find(read.volume)].strip(" ,"), authors=())
    if not read.title and (turned := TURNED.match(body)):
        names, et_al = parse_authors(turned["names"])
        return replace(read, title=turned["title"], authors=names, et_al=et_al)
    if not read.authors and not read.editors and (group := GROUP_AND_YEAR.match(body)):
        title = None if read.title and read.title in group["name"] else read.title
        read = replace(read, title=title, authors=(Name(literal=group["name"]),))
    if not read.title and (dated := BEHIND_YEAR.search(body)):
        return _titled(read, dated, body)
    if not read.authors and (byline := BYLINE.search(body)):
        names, et_al = parse_authors(byline["names"] or byline["others"])
        return replace(read, authors=names, et_al=et_al)
    return read


def _eastern(read: Reference, body: str, end: int) -> Reference:
    """`山田太郎「題名」『雑誌』第12巻第3号、1998年`: who stands before the title, and numbers with their own marks."""
    numbers = {mark: number for number, mark in EASTERN_NUMBER.findall(body)}
    names = [name.strip() for name in re.split(r"[、・,]", body[:end].strip(EDGES)) if 1 < len(name.strip()) < 20]
    year = int(numbers["年"]) if "年" in numbers else read.year
    return replace(
        read, authors=tuple(Name(literal=name) for name in names), year=year, volume=numbers.get("巻") or read.volume,
        date=PartialDate(year) if year else read.date, issue=numbers.get("号") or read.issue,
    )  # fmt: skip


def _titled(read: Reference, dated: re.Match[str], body: str) -> Reference:
    """What stands behind the year is the title, and the journal behind that."""
    title = dated["title"].strip(EDGES)
    if not read.container:
        publisher = None if title == read.publisher else read.publisher
        return replace(
            read, title=title, publisher=publisher, pages=None if (read.pages or "") in title else read.pages
        )
    end = body.find(read.container) + len(read.container)
    rest = body[dated.end() : end].strip(EDGES)
    return replace(read, title=title, container=rest.removeprefix("In ")) if rest else read


def repair_imprint(read: Reference, body: str) -> Reference:
    """`New York: Farrar, Straus and Giroux, 2011`: a publisher may have commas, and is no journal."""
    found = IMPRINT.search(body)
    if found is None or read.volume or read.issue:
        return read
    place, publisher = found["place"], found["publisher"]
    is_known = (read.publisher or publisher) in f"{place}: {publisher}"
    if not is_known or read.container not in {None, publisher}:
        return read
    return replace(read, place=place, publisher=publisher, container=None)


def move_border(title: str, container: str, body: str) -> tuple[str, str | None]:
    """Where the title goes over into the journal without any mark, its end is further on, or there is no journal."""
    start = body.find(title)
    between = body[start + len(title) : body.find(container, start + len(title))]
    if (more := PLACE_IN_TITLE.fullmatch(between)) and YEAR_BEFORE.search(body[max(0, start - 12) : start]):
        return f"{title}{more[1]}", container
    goes_on = GOES_ON.fullmatch(between) and title[-1] not in ".?!"
    if start < 0 or not (goes_on or VOLUME_AT_END.search(title)):
        return title, container
    if VOLUME_AT_END.search(title):  # `Programming: Vol. 1. Sorting`
        return body[start : body.find(container, start) + len(container)], None
    ends = [end for end in SENTENCE_MARK.finditer(container) if SENTENCE_END.match(container[end.start() - 4 :])]
    if not ends:
        is_title = between.strip() == "in" and YEAR_BEFORE.search(body[max(0, start - 12) : start])
        return (f"{title}{between}{container}", None) if is_title else (title, container)
    front, behind = container[: ends[-1].end()], container[ends[-1].end() :]
    return f"{title}{between}{front}".strip(EDGES), behind.strip()
