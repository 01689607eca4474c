"""Whether a citation and a record are about the same work: field by field, and what positively differs.

A difference is named only where no usual way of citing explains it. Free text that could not be taken apart for
certain is never held against anybody: what the record says and the text contains counts as agreeing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from wellsourced.citations.match.authors import is_same_person
from wellsourced.citations.match.fields import FieldMatches, compare_fields
from wellsourced.citations.match.venues import is_part_of_venue
from wellsourced.citations.paper_reference import reference_from_paper, strip_retraction_mark
from wellsourced.citations.parse.references import ACCESSED
from wellsourced.citations.person_names import PARTICLES
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.titles import (
    are_in_two_languages,
    compare_titles,
    content_words,
    find_exchanged_words,
    have_same_main_title,
    have_subtitles,
    is_main_title,
    is_title_in_text,
    main_script,
    may_be_translation,
    simplify_words,
)
from wellsourced.upstreams.types.paper import Paper

TitleMatch: TypeAlias = Literal["match", "mismatch", "not_checked"]

# Words beyond names and fillers from which on a text read as a title is taken for one.
TELLING_TITLE = 3
LONG_TITLE = 5
LONGEST_NAME = 4
# When publishers began to put old volumes online, with the year of doing so in the record.
FIRST_ONLINE = 1996
IDENTIFIER = re.compile(r"(?:https?://\S{1,500}|\b10\.[0-9]{4,9}/\S{1,300}|\barxiv:\S{1,30})", re.IGNORECASE)
NUMBER = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
# Their years and subtitles differ from edition to edition.
MANY_EDITIONS = frozenset(
    {"book", "chapter", "book-chapter", "entry-encyclopedia", "entry-dictionary", "reference-entry"}
)
# Where a title of one word was taken for longer than it is: `PaperQA, arXiv`.
BEHIND_A_MARK = re.compile(r"[,.]\s")

QUOTES = "\"“„«「『‘'"
FILLER_WORDS = (
    "al see cf ref reference cited source paper article study work claim says said also here there doi url et"
)
FILLERS = frozenset(FILLER_WORDS.split())
# What stands where a page or a program knew no author.
NOBODY = re.compile(
    r"\A\W*(?:anon\w*|unknown|various|n\W{0,2}[ad]|no|admin\w*|webmaster|guest|staff|editorial|editors?|authors?)\b|"
    r"\b(?:editorial|editors?|authors?|staff|team)\W*\Z",
    re.IGNORECASE,
)

# Kinds whose title and year change with each version under one DOI.
VERSIONED = frozenset({"software", "dataset", "report", "standard", "webpage"})
PREPRINTS = frozenset({"preprint", "posted-content"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordComparison:
    """`differences` are sentences, one for each field that positively differs; none of them means no objection."""

    fields: FieldMatches
    title_match: TitleMatch
    differences: tuple[str, ...] = ()

    @property
    def disagrees(self) -> bool:
        return bool(self.differences)


def compare_with_record(cited: Reference, paper: Paper, *, free_text: bool) -> RecordComparison:
    """`free_text` says that `cited` was read out of running text, and may have been read wrongly."""
    cited = replace(cited, title=strip_retraction_mark(cited.title)) if cited.title else cited
    record = reference_from_paper(paper)
    claimed = _credible(cited, record) if free_text else cited
    fields = compare_fields(claimed, record)
    if free_text:
        fields = _softened(fields, claimed, record)
    fields = replace(fields, title=_title(fields, claimed, record, paper))
    differences = tuple(_differences(fields, claimed, record, paper))
    return RecordComparison(fields=fields, title_match=_title_match(fields, differences), differences=differences)


def is_long_title(title: str | None) -> bool:
    return len(content_words(title or "")) >= LONG_TITLE or len(simplify_words(title or "")) > 40


def _credible(cited: Reference, record: Reference) -> Reference:
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


def _softened(fields: FieldMatches, cited: Reference, record: Reference) -> FieldMatches:
    """What stands in the text as the record has it agrees, however the text was taken apart."""
    text = IDENTIFIER.sub(" ", cited.raw or "")
    is_near_miss = fields.title == "partial" and find_exchanged_words(cited.title or "", record.title or "") is not None
    is_near_miss = is_near_miss or (fields.title == "mismatch" and _has_other_subtitle(cited, record))
    if record.title and not is_near_miss and is_title_in_text(record.title, text):
        fields = replace(fields, title="match")
    if record.year is not None and _says_year(text, record):
        fields = replace(fields, year="match")
    first = next((simplify_words(name.surname) for name in record.authors), "")
    if fields.authors == "mismatch" and first and first in simplify_words(text):
        fields = replace(fields, authors="partial")
    return fields


def _has_other_subtitle(cited: Reference, record: Reference) -> bool:
    """Behind a colon; what stands behind a point may be the journal."""
    ours, theirs = cited.title or "", record.title or ""
    return ":" in ours and have_subtitles(ours, theirs) and have_same_main_title(ours, theirs)


def _says_year(text: str, record: Reference) -> bool:
    """The year stands in the text, and not only because the title tells of it, or as when somebody looked."""
    year, years = str(record.year), NUMBER.findall(ACCESSED.sub(" ", text))
    return years.count(year) > NUMBER.findall(record.title or "").count(year)


def _title(
    fields: FieldMatches, cited: Reference, record: Reference, paper: Paper
) -> Literal["match", "partial", "mismatch", "not_given", "not_comparable"]:
    """A title in another language, or that of a part or the whole, cannot be held against the record's; and a book may
    have another subtitle in another country."""
    if fields.title not in {"mismatch", "partial"} or not cited.title or not record.title:
        return fields.title
    is_book = not MANY_EDITIONS.isdisjoint({cited.type, paper.type or ""})
    if is_book and fields.authors != "mismatch" and have_same_main_title(cited.title, record.title):
        return "match"
    if fields.title == "partial":
        return "partial"
    same_people = fields.authors in {"match", "partial"} and fields.year in {"match", "partial"}
    begun = BEHIND_A_MARK.split(cited.title, maxsplit=1)[0] if same_people else cited.title
    is_cut = is_main_title(begun, record.title) or is_main_title(record.title, cited.title)
    if is_cut and fields.authors != "mismatch":
        return "match"
    if are_in_two_languages(cited.title, record.title) or (
        same_people and may_be_translation(cited.title, record.title)
    ):
        return "not_comparable"
    related = ((cited.container, record.title), (cited.title, record.container))
    if any(compare_titles(one, other) == "match" for one, other in related):
        return "not_comparable"
    return fields.title


def _differences(fields: FieldMatches, cited: Reference, record: Reference, paper: Paper) -> Iterator[str]:
    if fields.title == "mismatch":
        yield f"The record's title is “{_cut(record.title)}”, the citation's “{_cut(cited.title)}”."
    elif fields.title == "partial" and (pair := _exchanged(cited, record, paper)):
        yield f"The titles differ: the citation has “{pair[0]}”, the record “{pair[1]}” (“{_cut(record.title)}”)."
    if _has_strange_first_author(fields, cited, record):
        people = ", ".join(name.display for name in record.authors[:3])
        yield f"The citation's first author, {cited.authors[0].display}, is none of the record's ({people})."
    if fields.year == "mismatch" and not _is_explained(fields, cited, record, paper):
        yield f"The record is of {record.year}, the citation says {cited.year}."


def _exchanged(cited: Reference, record: Reference, paper: Paper) -> tuple[str, str] | None:
    """Software and data carry their version in the title, and one identifier may stand for all versions."""
    pair = find_exchanged_words(cited.title or "", record.title or "")
    is_version = pair is not None and is_versioned(paper) and not any(word.isalpha() for word in pair)
    return None if is_version else pair


def is_versioned(paper: Paper) -> bool:
    """Not every repository says what it holds; what the DOI system describes without a journal is not an article."""
    return (paper.type or "") in VERSIONED or (paper.source == "doi_org" and not paper.journal)


def _has_strange_first_author(fields: FieldMatches, cited: Reference, record: Reference) -> bool:
    if fields.authors not in {"mismatch", "partial"} or not cited.authors:
        return False
    # Only the first author counts: lists are shortened and reordered too often for the others.
    first = cited.authors[0]
    if first.literal or any(name.literal for name in record.authors) or not first.family:
        return False
    if NOBODY.search(first.display) or (first.family.isupper() and len(first.family) > 2 and not first.given):
        return False
    if main_script(first.surname) != main_script("".join(name.surname for name in record.authors)):
        return False
    words = {word for name in record.authors for word in simplify_words(name.display).split() if len(word) > 2}
    is_named = any(is_same_person(first, name) for name in (*record.authors, *record.editors))
    if fields.authors == "partial" and _has_new_family_name(first, record.authors[0]):
        return False
    return not is_named and words.isdisjoint(simplify_words(first.surname).split())


def _has_new_family_name(cited: Name, recorded: Name) -> bool:
    """People take other family names; among co-authors who agree, the same given name is the same person."""
    ours, theirs = simplify_words(cited.given).split()[:1], simplify_words(recorded.given).split()[:1]
    return bool(ours) and ours == theirs and len(ours[0]) > 2


def _is_explained(fields: FieldMatches, cited: Reference, record: Reference, paper: Paper) -> bool:
    """Books have editions, preprints are published later, print may follow two years after appearing online, and old
    volumes are at times recorded with the year in which they were put online."""
    if cited.type in MANY_EDITIONS or (paper.type or "") in MANY_EDITIONS | PREPRINTS or is_versioned(paper):
        return True
    if cited.arxiv or record.arxiv:
        return True
    ours, theirs = cited.year or 0, record.year or 0
    if ours < FIRST_ONLINE < theirs and fields.title == "match":
        return True
    return abs(ours - theirs) == 2 and "match" in {fields.volume, fields.pages}


def _title_match(fields: FieldMatches, differences: tuple[str, ...]) -> TitleMatch:
    if fields.title == "mismatch" or any(
        sentence.startswith(("The record's title", "The titles")) for sentence in differences
    ):
        return "mismatch"
    return "match" if fields.title in {"match", "partial"} else "not_checked"


def _cut(title: str | None) -> str:
    text = title or ""
    return text if len(text) <= 160 else text[:159] + "…"
