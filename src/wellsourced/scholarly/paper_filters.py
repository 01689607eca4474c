"""Papers from several places as one list: one record for each work, and only works that keep to the filters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

from wellsourced.upstreams.helpers.database_query import without_unwanted
from wellsourced.upstreams.helpers.search_operators import contains_excluded
from wellsourced.upstreams.types.paper import Integrity, IntegrityKind, Paper, PaperIds, PaperQuery

# Crossref's prefix for deposits that are trials.
TEST_PREFIX = "10.5555/"

# Where sources disagree the graver notice is shown: missing a retraction is the worse mistake.
GRAVEST_FIRST: tuple[IntegrityKind, ...] = ("retraction", "expression_of_concern", "correction")
OWN_FIELDS = frozenset({"title", "url", "source", "retraction", "ids", "is_influential", "intents"})
# DOI prefixes that belong to one source alone.
PREFIXES = {"arxiv": "10.48550/", "ieee": "10.1109/", "nature": "10.1038/", "springer": "10.1007/"}
PUBLISHERS = {"ieee": "ieee", "nature": "nature", "springer": "springer"}


def merge_papers(papers: Iterable[Paper]) -> list[Paper]:
    """Each work once, in order of first sight, with what the later records add. Trial deposits are left out."""
    kept: dict[str, Paper] = {}
    place: dict[str, str] = {}
    for paper in papers:
        if (paper.doi or "").startswith(TEST_PREFIX):
            continue
        keys = identity_keys(paper)
        known = next((place[key] for key in keys if key in place and is_same_work(kept[place[key]], paper)), keys[0])
        kept[known] = merge_two(kept[known], paper) if known in kept else paper
        place |= {key: known for key in keys if key not in place}
    return list(kept.values())


def identity_keys(paper: Paper) -> list[str]:
    """What a work is known by: its DOI, then its title with its year."""
    title = "".join(c for c in unicodedata.normalize("NFKD", paper.title).casefold() if c.isalnum())
    keys = [f"doi:{paper.doi}"] if paper.doi else []
    return [*keys, f"title:{title}:{paper.year}"] if title else keys or [paper.url]


def is_same_work(one: Paper, other: Paper) -> bool:
    """Two published versions with DOIs of their own are two works, unless one is the preprint of the other."""
    if not one.doi or not other.doi or one.doi == other.doi:
        return True
    return "preprint" in {one.type, other.type} and one.authors[:1] == other.authors[:1]


def merge_two(first: Paper, second: Paper) -> Paper:
    """The first record, with what it lacks filled in from the second."""
    missing = {
        field.name: value
        for field in fields(Paper)
        if field.name not in OWN_FIELDS
        and not getattr(first, field.name)
        and (value := getattr(second, field.name)) is not None
    }
    ids = {field.name: getattr(first.ids, field.name) or getattr(second.ids, field.name) for field in fields(PaperIds)}
    missing |= {"ids": PaperIds(**ids), "retraction": graver_notice(first.retraction, second.retraction)}
    if first.open_access is False and second.open_access:
        missing["open_access"] = True
    return replace(first, **missing)


def graver_notice(one: Integrity | None, other: Integrity | None) -> Integrity | None:
    """The graver of two; of equally grave ones the one that names its date or notice."""
    notices = [item for item in (one, other) if item]
    return min(notices, key=notice_order, default=None)


def notice_order(item: Integrity) -> tuple[int, bool, bool]:
    return GRAVEST_FIRST.index(item.kind), item.notice_doi is None, item.date is None


def filter_papers(
    papers: Sequence[Paper], query: PaperQuery, not_applied: frozenset[str], *, dated: bool
) -> list[Paper]:
    """Papers that keep to the filters. Where records are `dated`, one without a year does not pass for any."""
    _, unwanted = without_unwanted(query.text)
    return [
        paper
        for paper in papers
        if in_years(paper, query, dated=dated)
        and (query.source == "all" or "source" not in not_applied or is_from_source(paper, query.source))
        and (not query.full_text or "full_text" not in not_applied or has_free_full_text(paper))
        and (not query.open_access or paper.open_access is True)
        and (not query.pdf_only or paper.pdf_url is not None)
        and not contains_excluded(unwanted, paper.title, paper.abstract or "")
    ]


def in_years(paper: Paper, query: PaperQuery, *, dated: bool) -> bool:
    if not query.year_from and not query.year_to:
        return True
    if paper.year is None:
        return not dated
    return (query.year_from or paper.year) <= paper.year <= (query.year_to or paper.year)


def is_from_source(paper: Paper, source: str) -> bool:
    """Whether a paper is to be had from a source, as far as its record tells."""
    if source == "arxiv" and (paper.ids.arxiv or "arxiv.org/" in paper.url):
        return True
    if source == "pubmed":
        return bool(paper.ids.pmid) or paper.source == "pubmed" or "pubmed" in paper.url
    if (paper.doi or "").startswith(PREFIXES[source]):
        return True
    made_by = f"{paper.publisher or ''} {paper.journal or ''}".casefold().split()
    return PUBLISHERS.get(source) in made_by


def has_free_full_text(paper: Paper) -> bool:
    return bool(paper.ids.pmcid) or (paper.open_access is True and paper.pdf_url is not None)


def newest_first(papers: Sequence[Paper]) -> list[Paper]:
    return sorted(papers, key=lambda paper: paper.date or str(paper.year or ""), reverse=True)


def interleave(answers: Sequence[Sequence[Any]]) -> list[Any]:
    """Several ranked lists as one, rank by rank."""
    longest = max(map(len, answers), default=0)
    return [answer[rank] for rank in range(longest) for answer in answers if rank < len(answer)]
