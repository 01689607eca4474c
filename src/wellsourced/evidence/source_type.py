"""What a source is: its kind, the weight of its host and its subject, in the contract's words.

The kind comes from what the page declares (Highwire `citation_*` tags, schema.org types), else from its host; the
weight from the host alone; the subject from the host or the declared type. Hints, not guarantees: what a
page declares is its own word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellsourced.evidence.authority import Tier, authority_tier, score_authority
from wellsourced.evidence.host_types import category_of, source_type_of
from wellsourced.evidence.reputation import ReputationTable
from wellsourced.late_dataclass import dataclass
from wellsourced.pages.page import StructuredData

# Hostile pages nest their JSON-LD without end.
MOST_THINGS = 200
NOTHING_DECLARED = StructuredData()

TYPE_OF_SCHEMA = {
    "scholarlyarticle": "peer_reviewed",
    "medicalscholarlyarticle": "peer_reviewed",
    "newsarticle": "news_publication",
    "reportagenewsarticle": "news_publication",
    "analysisnewsarticle": "news_publication",
    "opinionnewsarticle": "news_publication",
    "backgroundnewsarticle": "news_publication",
    "reviewnewsarticle": "news_publication",
    "governmentservice": "government",
    "governmentorganization": "government",
    "blogposting": "blog",
    "blog": "blog",
    "liveblogposting": "news_publication",
    "techarticle": "official_docs",
    "apireference": "official_docs",
    "discussionforumposting": "forum",
    "qapage": "forum",
    "socialmediaposting": "social_media",
}
CATEGORY_OF_SCHEMA = {
    "medicalscholarlyarticle": "medical",
    "medicalwebpage": "medical",
    "medicalcondition": "medical",
    "drug": "medical",
    "medicaltrial": "medical",
    "scholarlyarticle": "academic",
    "legislation": "legal",
    "legalservice": "legal",
    "courthouse": "legal",
    "financialproduct": "financial",
    "bankorcreditunion": "financial",
    "financialservice": "financial",
    "techarticle": "technical",
    "apireference": "technical",
    "softwaresourcecode": "technical",
}
WORK_TAGS = ("citation_title", "citation_doi", "citation_journal_title", "citation_arxiv_id", "citation_pmid")


@dataclass(frozen=True, slots=True)
class SourceClassification:
    source_type: str
    authority_tier: Tier
    domain_category: str


def classify_source(
    url: str, structured: StructuredData = NOTHING_DECLARED, reputation: ReputationTable | None = None
) -> SourceClassification:
    names = list(_type_names(structured.json_ld))
    is_work = any(structured.citation.get(tag) for tag in WORK_TAGS)
    declared = "peer_reviewed" if is_work else _first(names, TYPE_OF_SCHEMA)
    return SourceClassification(
        source_type=declared or source_type_of(url),
        authority_tier=authority_tier(score_authority(url, reputation)),
        domain_category=_category(url, names, is_work),
    )


def _category(url: str, names: list[str], is_work: bool) -> str:
    """A host that has a subject keeps it: a paper in a medical journal is medical."""
    known = category_of(url)
    declared = _first(names, CATEGORY_OF_SCHEMA) or ("academic" if is_work else "")
    return declared if declared and known in {"general", "academic"} else known


def _first(names: list[str], table: Mapping[str, str]) -> str:
    return next((table[name] for name in names if name in table), "")


def _type_names(json_ld: tuple[Any, ...]) -> Iterator[str]:
    """The schema.org types of the page's own things, in lower case; not those of what they mention."""
    queue = list(json_ld)
    for _ in range(MOST_THINGS):
        if not queue:
            return
        thing = queue.pop(0)
        if isinstance(thing, (list, tuple)):
            queue.extend(thing[:MOST_THINGS])
        elif isinstance(thing, Mapping):
            yield from _names(thing.get("@type"))
            queue.extend(thing[key] for key in ("@graph", "mainEntity") if key in thing)


def _names(value: Any) -> Iterator[str]:
    for name in value if isinstance(value, list) else [value]:
        if isinstance(name, str):
            yield name.rpartition("/")[2].rpartition(":")[2].lower()
