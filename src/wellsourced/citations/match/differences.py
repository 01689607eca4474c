"""What positively differs between a citation and a record, each with a sentence and a grade.

Grades: `other_work` where the difference says that another work is meant (title, first author), `slip` where the same
work is cited with a mistake. Usual ways of citing are no differences: abbreviated journals, online and print years,
editions, preprints and their published form, shortened lists of authors, new family names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.citations.match.authors import is_same_person
from wellsourced.citations.match.fields import FieldMatches
from wellsourced.citations.match.free_text import surnames_in
from wellsourced.citations.match.venues import is_site_name
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.titles import compare_titles, find_exchanged_words, main_script, simplify_words
from wellsourced.upstreams.types.paper import Paper

Grade: TypeAlias = Literal["other_work", "slip", "variant"]

# When publishers began to put old volumes online, with the year of doing so in the record.
FIRST_ONLINE = 1996
# Between a preprint and its appearance in a journal.
LONGEST_WAIT = 3
# Their years and subtitles differ from edition to edition.
MANY_EDITIONS = frozenset(
    {"book", "chapter", "book-chapter", "entry-encyclopedia", "entry-dictionary", "reference-entry"}
)
# Kinds whose title and year change with each version under one DOI.
VERSIONED = frozenset({"software", "dataset", "report", "standard", "webpage"})
PREPRINTS = frozenset({"preprint", "posted-content"})
# What stands where a page or a program knew no author.
NOBODY = re.compile(
    r"\A\W*(?:anon\w*|unknown|various|n\W{0,2}[ad]|no|admin\w*|webmaster|guest|staff|editorial|editors?|authors?|(?:et\s)?al)\b|"
    r"\b(?:editorial|editors?|authors?|staff|team)\W*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDifference:
    """One field in which the citation positively differs from the record."""

    field: str
    sentence: str
    grade: Grade = "slip"


def find_differences(
    fields: FieldMatches, cited: Reference, record: Reference, paper: Paper, *, free_text: bool
) -> Iterator[FieldDifference]:
    yield from _title_difference(fields, cited, record, paper)
    yield from _author_differences(fields, cited, record, free_text)
    if fields.year == "mismatch" and not _is_year_explained(fields, cited, record, paper, free_text):
        sentence = f"The record is of {record.year}, the citation says {cited.year}."
        yield FieldDifference(field="year", sentence=sentence)
    if fields.title not in {"mismatch", "not_comparable"}:
        yield from _place_differences(fields, cited, record, paper, free_text)


def _title_difference(
    fields: FieldMatches, cited: Reference, record: Reference, paper: Paper
) -> Iterator[FieldDifference]:
    if fields.title == "mismatch":
        sentence = f"The record's title is “{_cut(record.title)}”, the citation's “{_cut(cited.title)}”."
        yield FieldDifference(field="title", sentence=sentence, grade="other_work")
    elif fields.title == "partial" and (pair := _exchanged(cited, record, paper)):
        sentence = f"The titles differ: the citation has “{pair[0]}”, the record “{pair[1]}” (“{_cut(record.title)}”)."
        yield FieldDifference(field="title", sentence=sentence, grade="other_work")


def _author_differences(
    fields: FieldMatches, cited: Reference, record: Reference, free_text: bool
) -> Iterator[FieldDifference]:
    if _has_strange_first_author(fields, cited, record):
        people = ", ".join(name.display for name in record.authors[:3])
        sentence = f"The citation's first author, {cited.authors[0].display}, is none of the record's ({people})."
        yield FieldDifference(field="authors", sentence=sentence, grade="other_work")
    elif strange := exchanged_authors(fields, cited, record, free_text=free_text):
        people = ", ".join(name.display for name in record.authors[:6])
        named = ", ".join(name.display for name in strange[:6])
        who = "authors of the citation are" if len(strange) > 1 else "author of the citation is"
        sentence = f"{len(strange)} {who} not among the record's ({people}): {named}."
        yield FieldDifference(field="authors", sentence=sentence)


def _place_differences(
    fields: FieldMatches, cited: Reference, record: Reference, paper: Paper, free_text: bool
) -> Iterator[FieldDifference]:
    """Journal, volume, issue and pages: of what appeared once, and in one place."""
    if is_versioned(paper) or (paper.type or "") in PREPRINTS or cited.arxiv or record.arxiv:
        return
    if fields.venue == "mismatch" and not _is_venue_explained(cited, record, paper):
        yield FieldDifference(
            field="container", sentence=f"The record is in “{record.container}”, the citation says “{cited.container}”."
        )
    if fields.volume == "mismatch" and not _is_volume_explained(cited, record, paper):
        yield FieldDifference(
            field="volume", sentence=f"The record is in volume {record.volume}, the citation says {cited.volume}."
        )
    elif fields.issue == "mismatch" and fields.volume == "match" and not free_text and _are_plain(cited, record):
        yield FieldDifference(
            field="issue", sentence=f"The record is in issue {record.issue}, the citation says {cited.issue}."
        )
    is_year = (cited.pages or "").strip() == str(cited.year)
    if fields.pages == "mismatch" and not is_year and (paper.type or "") not in MANY_EDITIONS - {"book-chapter"}:
        yield FieldDifference(
            field="pages", sentence=f"The record is on pages {record.pages}, the citation says {cited.pages}."
        )


def _is_venue_explained(cited: Reference, record: Reference, paper: Paper) -> bool:
    """A book has no place to be in, a site or publisher may stand where the journal should, and conferences have more
    names than one can know."""
    name = cited.container or ""
    if (paper.type or "") in MANY_EDITIONS - {"book-chapter"} or cited.type == "webpage" or is_site_name(name):
        return True
    if compare_titles(name, record.publisher) in {"match", "partial"} or compare_titles(name, record.title) == "match":
        return True
    is_conference = (paper.type or "") == "conference-paper" or cited.type == "paper-conference"
    return is_conference and sum(word[:1].isalpha() for word in name.split()) == 1


def _is_volume_explained(cited: Reference, record: Reference, paper: Paper) -> bool:
    """Some count by years, some call the issue what others call the volume, and books have volumes of a series."""
    ours, theirs = (cited.volume or "").strip(), (record.volume or "").strip()
    is_year = str(cited.year) == ours or str(record.year) == theirs or str(cited.year) == theirs
    is_titled = ours in simplify_words(record.title or "").split()  # a year in the title, taken for the volume
    return is_year or is_titled or ours == record.issue or theirs == cited.issue or (paper.type or "") in MANY_EDITIONS


def _are_plain(cited: Reference, record: Reference) -> bool:
    return (cited.issue or "").isdigit() and (record.issue or "").isdigit()


def exchanged_authors(
    fields: FieldMatches, cited: Reference, record: Reference, *, free_text: bool
) -> tuple[Name, ...]:
    """Authors of the citation that are not the record's, where authors of the record are left out.

    Both are asked for, since registries often have a part of the authors, and citations too.
    """
    if fields.authors not in {"mismatch", "partial"} or len(record.authors) < 2:
        return ()
    known = (*record.authors, *record.editors)
    missing = [name for name in record.authors if not any(is_same_person(name, one) for one in cited.authors)]
    if free_text:
        is_named = surnames_in(missing, cited.raw or "")
        missing = [name for name, named in zip(missing, is_named, strict=True) if not named]
    missing = [name for name in missing if not name.literal]
    # Parsers take words of the title for names.
    titled = set(simplify_words(f"{record.title} {record.container}").split()) if free_text else set()
    strange = [
        name
        for name in cited.authors
        if _is_strange(name, known) and titled.isdisjoint(simplify_words(name.surname).split())
    ]
    strange = [name for name in strange if not any(_has_new_family_name(name, one) for one in missing)]
    return tuple(strange) if missing else ()


def _is_nobody(name: Name) -> bool:
    """A word in place of an author, or an organisation's acronym."""
    is_acronym = name.family.isupper() and len(name.family) > 2 and not name.given
    return is_acronym or NOBODY.search(name.display) is not None


def _is_strange(name: Name, known: tuple[Name, ...]) -> bool:
    """A person with a family name of which nobody on record has any part."""
    if name.literal or len(name.family.strip(".")) < 2 or _is_nobody(name):
        return False
    if any(one.literal for one in known) or main_script(name.surname) != main_script(known[0].surname):
        return False
    words = {word for one in known for word in simplify_words(one.display).split() if len(word) > 1}
    own = simplify_words(name.display if len(name.family) < 3 else name.surname).split()
    return words.isdisjoint(own) and not any(is_same_person(name, one) for one in known)


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
    first = cited.authors[0]
    if first.literal or any(name.literal for name in record.authors) or len(first.family.strip(".")) < 2:
        return False
    if _is_nobody(first):
        return False
    if main_script(first.surname) != main_script("".join(name.surname for name in record.authors)):
        return False
    words = {word for name in record.authors for word in simplify_words(name.display).split() if len(word) > 2}
    # A parser may have read the title into the name.
    if f" {simplify_words(record.authors[0].family)} " in f" {simplify_words(first.display)} ":
        return False
    is_named = any(is_same_person(first, name) for name in (*record.authors, *record.editors))
    if fields.authors == "partial" and _has_new_family_name(first, record.authors[0]):
        return False
    return not is_named and words.isdisjoint(simplify_words(first.surname).split())


def _has_new_family_name(cited: Name, recorded: Name) -> bool:
    """People take other family names; among co-authors who agree, the same given name is the same person."""
    ours, theirs = simplify_words(cited.given).split()[:1], simplify_words(recorded.given).split()[:1]
    return bool(ours) and ours == theirs and len(ours[0]) > 2


def _is_year_explained(
    fields: FieldMatches, cited: Reference, record: Reference, paper: Paper, free_text: bool
) -> bool:
    """Books have editions, preprints are published later, print may follow two years after appearing online, and old
    volumes are at times recorded with the year in which they were put online."""
    ours, theirs, kind = cited.year or 0, record.year or 0, paper.type or ""
    if ours < FIRST_ONLINE < theirs and fields.title == "match":
        return True
    if kind in PREPRINTS or cited.arxiv or record.arxiv:
        return theirs < ours <= theirs + LONGEST_WAIT or bool(cited.container and ours < theirs)
    if is_versioned(paper):
        return ours < theirs or ours - theirs <= LONGEST_WAIT - 1
    if kind in MANY_EDITIONS or (not free_text and cited.type in MANY_EDITIONS):
        is_printing = kind == "book" and ours > theirs
        return is_printing or bool(cited.edition) or abs(ours - theirs) <= 2 or not record.authors
    return abs(ours - theirs) == 2 and "match" in {fields.volume, fields.pages}


def _cut(title: str | None) -> str:
    text = title or ""
    return text if len(text) <= 160 else text[:159] + "…"
