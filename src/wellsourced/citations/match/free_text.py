"""References read out of running text: what of them can be believed, and what the text says however it was read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from wellsourced.citations.match.fields import FieldMatches, RecordedForms
from wellsourced.citations.match.venues import is_part_of_venue, is_venue_in_text
from wellsourced.citations.parse.references import ACCESSED
from wellsourced.citations.person_names import PARTICLES
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.titles import (
    content_words,
    find_exchanged_words,
    have_same_main_title,
    have_subtitles,
    is_title_in_text,
    simplify_words,
)

# Words beyond names and fillers from which on a text read as a title is taken for one.
TELLING_TITLE = 3
LONGEST_NAME = 4
IDENTIFIER = re.compile(r"(?:https?://\S{1,500}|\b10\.[0-9]{4,9}/\S{1,300}|\barxiv:\S{1,30})", re.IGNORECASE)
YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
NUMBER = re.compile(r"[0-9]{1,9}")

QUOTES = "\"“„«「『‘'"
FILLER_WORDS = (
    "al see cf ref reference cited source paper article study work claim says said also here there doi url et"
)
FILLERS = frozenset(FILLER_WORDS.split())


def credible_parts(cited: Reference, record: Reference) -> Reference:
    """What was read from free text, less what may well be no title and no names."""
    known = {word for name in record.authors for word in simplify_words(name.display).split()}
    words = (word for word in content_words(cited.title or "") if len(word) > 1 or not word.isascii())
    telling = [word for word in words if word not in known | FILLERS and not word.isdigit()]
    is_anchored = bool(cited.authors and cited.year) or _is_quoted(cited)
    is_place = not any(word.isalpha() for word in telling) or is_part_of_venue(cited.title or "", record.container)
    title = cited.title if len(telling) >= TELLING_TITLE or (is_anchored and not is_place) else None
    named = set(content_words(record.title or ""))
    are_names = (title or cited.volume) and all(_could_be_name(name, named) for name in cited.authors)
    is_guess = cited.type == "book" and not (cited.isbn or cited.place or cited.edition)
    kind = "document" if is_guess else cited.type
    return replace(cited, type=kind, title=title, authors=cited.authors if are_names else ())


def _is_quoted(cited: Reference) -> bool:
    place = (cited.raw or "").find(cited.title or "\0")
    return place > 0 and (cited.raw or "")[place - 1] in QUOTES


def _could_be_name(name: Name, title_words: set[str]) -> bool:
    """Short, without digits, and not words of the record's own title."""
    words = simplify_words(name.display).split()
    is_title = len(words) > 1 and title_words.issuperset(words)
    is_short = sum(len(word) > 1 and word not in PARTICLES for word in words) <= LONGEST_NAME
    return is_short and not is_title and not any(c.isdigit() for c in name.display)


def soften_fields(fields: FieldMatches, cited: Reference, record: Reference, also: RecordedForms) -> FieldMatches:
    """What stands in the text as the record has it agrees, however the text was taken apart."""
    text = IDENTIFIER.sub(" ", cited.raw or "")
    if record.title and not _is_near_miss(fields, cited, record) and is_title_in_text(record.title, text):
        fields = replace(fields, title="match")
    first = next((simplify_words(name.surname) for name in record.authors), "")
    if fields.authors == "mismatch" and first and first in simplify_words(text):
        fields = replace(fields, authors="partial")
    rest = without_title(text, record.title, cited.title)
    if any(_says_year(rest, cited, year) for year in {record.year, *also.years} - {None}):
        fields = replace(fields, year="match")
    names = [name for name in (record.container, *also.containers) if name]
    if fields.venue in {"mismatch", "not_given"} and any(is_venue_in_text(name, rest) for name in names):
        fields = replace(fields, venue="match")
    if fields.venue == "mismatch" and any(is_part_of_venue(cited.container or "", name) for name in names):
        fields = replace(fields, venue="partial")  # the rest was taken for something else
    return _soften_numbers(fields, cited, record, also, rest)


def _soften_numbers(
    fields: FieldMatches, cited: Reference, record: Reference, also: RecordedForms, rest: str
) -> FieldMatches:
    """A volume or first page that stands anywhere in the text agrees, unless it is there as the other one."""
    numbers = Counter(NUMBER.findall(rest))
    volumes, pages = _numbers(record.volume), _numbers(record.pages, *also.pages)
    others = _numbers(cited.pages, cited.issue) if fields.volume == "mismatch" else set()
    if fields.volume == "mismatch" and any(numbers[number] for number in volumes - others - {str(cited.year)}):
        fields = replace(fields, volume="match")
    if fields.pages == "mismatch" and any(numbers[number] for number in pages - _numbers(cited.volume)):
        fields = replace(fields, pages="match")
    return fields


def _numbers(*texts: str | None) -> set[str]:
    return {number for text in texts for number in NUMBER.findall(text or "")}


def without_title(text: str, *titles: str | None) -> str:
    """The text less the titles, whose words and numbers say nothing about anything else."""
    for title in filter(None, titles):
        place = text.casefold().find(title.casefold())
        if place >= 0:
            text = f"{text[:place]} {text[place + len(title) :]}"
    return text


def surnames_in(names: Iterable[Name], text: str) -> list[bool]:
    """For each name whether its family name stands in the text."""
    words = f" {simplify_words(text)} "
    return [bool(family := simplify_words(name.family or name.literal)) and f" {family} " in words for name in names]


def _is_near_miss(fields: FieldMatches, cited: Reference, record: Reference) -> bool:
    """One word of the title is another, or the subtitle is."""
    if fields.title == "partial":
        return find_exchanged_words(cited.title or "", record.title or "") is not None
    return fields.title == "mismatch" and _has_other_subtitle(cited, record)


def _has_other_subtitle(cited: Reference, record: Reference) -> bool:
    """Behind a colon; what stands behind a point may be the journal."""
    ours, theirs = cited.title or "", record.title or ""
    return ":" in ours and have_subtitles(ours, theirs) and have_same_main_title(ours, theirs)


def _says_year(text: str, cited: Reference, year: int | None) -> bool:
    """The year stands in the text, and not as a volume or a page, or as when somebody looked."""
    years = Counter(YEAR.findall(ACCESSED.sub(" ", text)))
    # A single page may be the year itself, exchanged by the parser: `p. 2071, 1969`.
    pages = NUMBER.findall(cited.pages or "")
    places = [cited.volume, cited.issue, *(pages if len(pages) > 1 else ())]
    return years[str(year)] > places.count(str(year))
