"""The work that a reference without an identifier means: looked for in catalogues, and judged field by field.

A search always brings something, so nothing counts for being first. The work is the one cited when the title is the
same and nothing speaks against it; where title and other particulars agree and one differs, it is the same work, cited
wrongly; everything else is at best possible.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.citations.match.fields import FieldMatches
from wellsourced.citations.match.record_comparison import RecordComparison, compare_with_record, is_long_title
from wellsourced.citations.reference import Reference
from wellsourced.errors import WellsourcedError
from wellsourced.text.identifiers import find_all_isbns
from wellsourced.text.titles import Outcome, is_whole_title, simplify_words
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstreams.helpers.database_query import without_operators
from wellsourced.upstreams.types.paper import Paper, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

Confidence: TypeAlias = Literal["high", "medium", "low", "none"]

# The two with the widest coverage; the others fill gaps (medicine, computer science).
FIRST_ASKED = ("openalex", "crossref")
ASKED_THEN = ("semanticscholar", "pubmed")
MOST = 8
# The second round only supplements the first, so it may not take long.
FURTHER_SECONDS = 8.0
LONGEST_QUERY = 300
# Title similarity from which a record is shown as a possible match.
ALIKE = 0.62
RANK = {"high": 0, "medium": 1, "low": 2, "none": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRecord:
    """`is_meant` says that the citation means this work, though some of what it says may be wrong."""

    paper: Paper
    comparison: RecordComparison
    confidence: Confidence
    is_meant: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSearchResult:
    """`asked` answered, `failed` did not; only where nobody failed is finding nothing worth telling."""

    best: CandidateRecord | None
    asked: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


class CandidateSearch:
    def __init__(self, upstreams: UpstreamClient) -> None:
        self._upstreams = upstreams

    async def find_best(
        self, cited: Reference, *, free_text: bool, deadline: float, thorough: bool = True
    ) -> CandidateSearchResult:
        """The best candidate of the two great catalogues; of the others only where those know nothing like it."""
        if not (cited.title or (free_text and cited.raw)):
            return CandidateSearchResult(best=None)
        first = await self._search(FIRST_ASKED, cited, free_text, deadline)
        if not thorough or (first.best and first.best.is_meant):
            return first
        more = await self._search(ASKED_THEN, cited, free_text, min(deadline, time.monotonic() + FURTHER_SECONDS))
        best = _better(first.best, more.best)
        return CandidateSearchResult(best=best, asked=first.asked + more.asked, failed=first.failed)

    async def _search(
        self, names: Sequence[str], cited: Reference, free_text: bool, deadline: float
    ) -> CandidateSearchResult:
        # A provider that rests counts as failed: what it would have answered is not known.
        able = [name for name in names if self._upstreams.is_configured(name) and self._upstreams.is_healthy(name)]
        resting = [name for name in names if name not in able]
        answers = await asyncio.gather(*(self._papers(name, cited, deadline) for name in able))
        best: CandidateRecord | None = None
        for papers in answers:
            for paper in papers or ():
                best = _better(best, rate_candidate(cited, paper, free_text=free_text))
        asked = tuple(name for name, papers in zip(able, answers, strict=True) if papers is not None)
        return CandidateSearchResult(
            best=best, asked=asked, failed=tuple(name for name in (*able, *resting) if name not in asked)
        )

    async def _papers(self, name: str, cited: Reference, deadline: float) -> Sequence[Paper] | None:
        query = PaperQuery(text=search_words(cited, with_names=name == "crossref"), count=MOST)
        try:
            results: ResultSet[Paper] = await self._upstreams.ask(name, Kind.PAPERS, query, deadline=deadline)
        except WellsourcedError:
            return None
        return results.items


def search_words(cited: Reference, *, with_names: bool) -> str:
    """The words to search for; Crossref's search takes names and years among them."""
    if not cited.title:
        return without_operators(" ".join((cited.raw or "").split())[:LONGEST_QUERY])
    title = " ".join(simplify_words(cited.title).split())[:LONGEST_QUERY]
    if not with_names:
        return title
    first = cited.authors[0].surname if cited.authors else ""
    return " ".join(part for part in (title, first, str(cited.year or "")) if part)


def rate_candidate(cited: Reference, paper: Paper, *, free_text: bool) -> CandidateRecord:
    comparison = compare_with_record(cited, paper, free_text=free_text)
    confidence, is_meant = _judge(cited, paper, comparison)
    return CandidateRecord(paper=paper, comparison=comparison, confidence=confidence, is_meant=is_meant)


def _judge(cited: Reference, paper: Paper, comparison: RecordComparison) -> tuple[Confidence, bool]:
    """How likely the record is the work that is meant, and whether it is."""
    fields = comparison.fields
    agreeing = _particulars(fields).count("match")
    # A chapter shares the ISBN of its book, but is not the book.
    is_other_part = fields.title == "mismatch" and paper.type == "book-chapter"
    if find_all_isbns(cited.isbn or "") & find_all_isbns(paper.isbn or "") and not is_other_part:
        return "high", True
    if fields.title == "match":
        return _judge_same_title(cited, paper, comparison)
    if (not cited.title or fields.title == "not_comparable") and agreeing >= 4:
        return ("medium" if cited.title else "high"), True
    is_alike = fields.title == "partial" or fields.title_similarity >= ALIKE
    near_miss = fields.title == "partial" and agreeing >= 3 and is_long_title(cited.title)
    return ("low" if is_alike else "none"), near_miss


def _judge_same_title(cited: Reference, paper: Paper, comparison: RecordComparison) -> tuple[Confidence, bool]:
    """A long title that is the same on both sides needs no more than that nothing speaks against it. A short one, or
    one that only begins alike or was only met in the text, is shared by many works: author and one thing more must
    agree. Where author and year are others, it is a work that resembles the cited one."""
    fields = comparison.fields
    agreeing = _particulars(fields).count("match")
    if fields.authors == "mismatch" and fields.year == "mismatch":
        return "low", False
    is_telling = is_long_title(paper.title) and is_long_title(cited.title) and is_whole_title(cited.title, paper.title)
    others = (fields.year, fields.venue, fields.volume, fields.pages)
    has_author = fields.authors in {"match", "partial"}
    is_backed = has_author and any(outcome in {"match", "partial"} for outcome in others)
    if comparison.disagrees:
        return "medium", agreeing >= 2 and (is_telling or is_backed)
    contradicted = [fields.authors, *others].count("mismatch")
    if is_backed or (is_telling and not contradicted) or (agreeing >= 3 and not contradicted):
        return "high", True
    return "medium", is_telling and agreeing >= 2


def _particulars(fields: FieldMatches) -> tuple[Outcome, ...]:
    return fields.year, fields.venue, fields.volume, fields.pages, fields.authors


def _better(one: CandidateRecord | None, other: CandidateRecord | None) -> CandidateRecord | None:
    candidates = [candidate for candidate in (one, other) if candidate]
    return min(candidates, key=_order, default=None)


def _order(candidate: CandidateRecord) -> tuple[int, bool, int, float]:
    fields = candidate.comparison.fields
    agreeing = _particulars(fields).count("match")
    has_doi = candidate.paper.doi is not None
    return RANK[candidate.confidence], not candidate.is_meant, -agreeing - has_doi, -fields.title_similarity
