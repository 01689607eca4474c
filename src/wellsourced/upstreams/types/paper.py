"""Scholarly works: what is asked for, what is found, and what is known against them."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from wellsourced.late_dataclass import dataclass

PaperSource: TypeAlias = Literal["all", "arxiv", "pubmed", "ieee", "nature", "springer"]
Direction: TypeAlias = Literal["cited_by", "references", "both"]
IntegrityKind: TypeAlias = Literal["retraction", "expression_of_concern", "correction"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperQuery:
    """`full_text` asks for works whose whole text can be read freely; `sort_by="date"` puts the newest first. With
    `orcid` or `issn` the works of that person or journal are meant, and `text` may be empty; OpenAlex knows both."""

    text: str
    count: int = 5
    year_from: int | None = None
    year_to: int | None = None
    source: PaperSource = "all"
    open_access: bool = False
    pdf_only: bool = False
    sort_by: Literal["relevance", "date"] = "relevance"
    full_text: bool = False
    orcid: str = ""
    issn: str = ""


@dataclass(frozen=True, slots=True)
class PaperId:
    """Names one work: a DOI in normal form, an arXiv id with or without its version, a PMID, a PMCID (`PMC123`), or a
    book's ISBN."""

    scheme: Literal["doi", "arxiv", "pmid", "pmcid", "isbn"]
    value: str

    def __str__(self) -> str:
        return self.value if self.scheme == "doi" else f"{self.scheme}:{self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeQuery:
    """`seed` is a DOI, an arXiv id, a PMID or an exact title; `count` is meant for each direction."""

    seed: str
    direction: Direction = "both"
    count: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """A name in its parts; `literal` is an organisation's, or one that nobody took apart."""

    family: str = ""
    given: str = ""
    literal: str = ""

    @property
    def name(self) -> str:
        return self.literal or f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperIds:
    """The same work elsewhere. arXiv ids come without a version."""

    arxiv: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    openalex: str | None = None
    s2: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrity:
    """What was published against a work. `retracted` is true for the kind `retraction` alone.

    `date` is ISO, possibly without day or month; `source` says who recorded it: `publisher`,
    `retraction-watch`, or the name of a provider.
    """

    kind: IntegrityKind
    retracted: bool
    source: str
    date: str | None = None
    notice_doi: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One work as one provider (`source`) describes it.

    `doi` is in normal form, `date` is ISO, possibly without day or month. `authors` are names to show;
    `author_names` are the same people in parts, and empty when the provider does not know the parts.
    None means unknown, in `open_access` and `retraction` too: the absence of a retraction proves nothing.
    `is_influential` and `intents` describe a citation and are set on the edges of a citation graph only.
    `other_titles` are the original, a translation or a short form; `journal_names` further names of the journal, mostly
    abbreviations; `years` all years in which the work appeared, online and in print. `notice_for` are the DOIs of the
    works that this one is a notice about.
    """

    title: str
    url: str
    source: str
    doi: str | None = None
    authors: tuple[str, ...] = ()
    author_names: tuple[Author, ...] = ()
    journal: str | None = None
    year: int | None = None
    date: str | None = None
    type: str | None = None
    abstract: str | None = None
    citation_count: int | None = None
    open_access: bool | None = None
    pdf_url: str | None = None
    tldr: str | None = None
    is_influential: bool | None = None
    intents: tuple[str, ...] = ()
    retraction: Integrity | None = None
    ids: PaperIds = field(default_factory=PaperIds)
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    isbn: str | None = None
    article_number: str | None = None
    other_titles: tuple[str, ...] = ()
    journal_names: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    editor_names: tuple[Author, ...] = ()
    notice_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeCounts:
    """How many edges the provider knows in all, not how many it was asked for."""

    cited_by: int | None = None
    references: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """The neighbours of a work. () means that there are none; None that a direction was not asked for, or is
    withheld, which a note then says."""

    seed: Paper
    cited_by: tuple[Paper, ...] | None = None
    references: tuple[Paper, ...] | None = None
    counts: EdgeCounts = field(default_factory=EdgeCounts)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCopy:
    """Where a work can be read freely, if anywhere. `pdf_url` may be absent though the work is open."""

    doi: str
    is_open: bool
    pdf_url: str | None = None
    landing_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """Whether a DOI is registered with any agency; None when nobody could tell."""

    doi: str
    registered: bool | None
    agency: str | None = None
    url: str | None = None
