"""A record as a reference, so that a citation can be laid beside it."""

from __future__ import annotations

import re

from wellsourced.citations.match.fields import RecordedForms
from wellsourced.citations.person_names import parse_person_name
from wellsourced.citations.reference import Name, Reference
from wellsourced.scholarly.paper_output import CSL_TYPES
from wellsourced.upstreams.types.paper import Author, Integrity, Paper

MARK = re.compile(
    r"\A\s*+(?:[\[(]\s*+)?(?:retracted(?:\s+article)?|withdrawn(?:\s+article)?|expression of concern|removed"
    r"|temporary removal)\s*+(?:[\])]\s*+)?[:：.–—-]\s*"
    r"|(?:(?<!\s)\s+)?[\[(]\s*+(?:retracted(?:\s+article)?|withdrawn)\s*[\])]\s*\Z",
    re.IGNORECASE,
)
# In capitals this is what publishers put before a retracted article; `Retracted: …` is also how notices are called.
OWN_MARK = re.compile(r"\A\s*[\[(]?(?:RETRACTED(?: ARTICLE)?|WITHDRAWN)\b")

NO_TITLE = ("https://", "http://", "PMID ")
TITLE_SOURCE = "publisher's title"


def reference_from_paper(paper: Paper) -> Reference:
    names = tuple(_name(author) for author in paper.author_names) or tuple(
        parse_person_name(name) for name in paper.authors
    )
    return Reference(
        type=CSL_TYPES.get(paper.type or "", "article-journal"),
        title=paper_title(paper),
        authors=names,
        editors=tuple(_name(editor) for editor in paper.editor_names),
        year=paper.year,
        container=paper.journal,
        publisher=paper.publisher,
        volume=paper.volume,
        issue=paper.issue,
        pages=paper.pages,
        doi=paper.doi,
        isbn=paper.isbn,
        arxiv=paper.ids.arxiv,
        pmid=paper.ids.pmid,
    )


def recorded_forms(paper: Paper) -> RecordedForms:
    return RecordedForms(
        titles=tuple(strip_retraction_mark(title) for title in paper.other_titles),
        containers=paper.journal_names,
        years=paper.years,
        pages=(paper.article_number,) if paper.article_number else (),
    )


def paper_title(paper: Paper) -> str | None:
    """Without marks of retraction; None where the provider had to put something else in its place."""
    return None if paper.title.startswith(NO_TITLE) else strip_retraction_mark(paper.title)


def strip_retraction_mark(title: str) -> str:
    return MARK.sub("", title).strip() or title


def retraction_in_title(paper: Paper) -> Integrity | None:
    """What a publisher says in the title alone."""
    if not OWN_MARK.match(paper.title):
        return None
    return Integrity(kind="retraction", retracted=True, source=TITLE_SOURCE)


def _name(author: Author) -> Name:
    if author.literal:
        return Name(literal=author.literal)
    return Name(family=author.family, given=author.given)
