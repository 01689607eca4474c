"""What a source is: by whole names and by what a page declares, every value of the contract reachable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.evidence.reputation import ReputationTable
from wellsourced.evidence.source_type import classify_source
from wellsourced.pages.page import StructuredData


@pytest.mark.parametrize(
    ("url", "kind", "tier", "category"),
    [
        ("https://www.nature.com/articles/x", "peer_reviewed", "high", "academic"),
        ("https://www.nejm.org/doi/full/10.1056/x", "peer_reviewed", "high", "medical"),
        ("https://cs.stanford.edu/", "peer_reviewed", "high", "academic"),
        ("https://www.u-tokyo.ac.jp/", "peer_reviewed", "high", "academic"),
        ("https://docs.python.org/3/", "official_docs", "high", "technical"),
        ("https://docs.startup.example/", "official_docs", "medium", "technical"),
        ("https://www.gov.uk/tax", "government", "high", "general"),
        ("https://data.gouv.fr/", "government", "high", "general"),
        ("https://www.mhlw.go.jp/", "government", "high", "general"),
        ("https://www.inegi.gob.mx/", "government", "high", "general"),
        ("https://www.bag.admin.ch/", "government", "high", "general"),
        ("https://www.bsi.bund.de/", "government", "high", "general"),
        ("https://www.sec.gov/edgar", "government", "high", "financial"),
        ("https://eur-lex.europa.eu/x", "government", "high", "legal"),
        ("https://www.reuters.com/x", "news_publication", "high", "general"),
        ("https://www.theonion.com/x", "news_publication", "low", "general"),
        ("https://someone.substack.com/p/x", "blog", "medium", "general"),
        ("https://blog.acme.example/", "blog", "medium", "general"),
        ("https://stackoverflow.com/q/1", "forum", "medium", "technical"),
        ("https://de.wikipedia.org/wiki/Tee", "wiki", "medium", "general"),
        ("https://x.com/a/status/1", "social_media", "low", "general"),
        ("https://acme.example/", "unknown", "medium", "general"),
    ],
)
def test_by_host(url: str, kind: str, tier: str, category: str) -> None:
    found = classify_source(url)
    assert (found.source_type, found.authority_tier, found.domain_category) == (kind, tier, category)


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.com/?x=.gov",
        "https://evil.com/www.nature.com/",
        "https://nature.com.evil.com/",
        "https://notnature.com/",
        "https://gov.evil.com/",
        "https://evilgov.uk/",
        "https://go.it/",
        "https://nature.com@evil.com/",
        "https://evil.com\\.nature.com/",
        "javascript:nature.com",
        "ftp://nature.com/",
        "nature.com",
        "",
        "https://1.2.3.4/nature.com",
        "https://" + "a." * 200 + "gov/",
    ],
)
def test_look_alikes_are_not_taken_in(url: str) -> None:
    found = classify_source(url)
    assert (found.source_type, found.authority_tier) == ("unknown", "medium")


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        ("ScholarlyArticle", "peer_reviewed"),
        (["Article", "https://schema.org/NewsArticle"], "news_publication"),
        ("schema:BlogPosting", "blog"),
        ("APIReference", "official_docs"),
        ("QAPage", "forum"),
        ("SocialMediaPosting", "social_media"),
        ("GovernmentService", "government"),
        ("Product", "unknown"),
        (None, "unknown"),
        (7, "unknown"),
    ],
)
def test_by_declared_type(types: object, kind: str) -> None:
    blocks: list[Any] = [{"@graph": [{"@type": "WebSite"}, {"@type": types, "author": {"@type": "Blog"}}]}]
    assert classify_source("https://acme.example/", StructuredData(json_ld=tuple(blocks))).source_type == kind


def test_what_a_page_declares_gives_it_no_authority() -> None:
    found = classify_source("https://acme.example/", StructuredData(citation={"citation_title": "T"}))
    assert (found.source_type, found.authority_tier, found.domain_category) == ("peer_reviewed", "medium", "academic")
    only_cites = StructuredData(citation={"citation_reference": "T"})
    assert classify_source("https://acme.example/", only_cites).source_type == "unknown"


def test_an_operator_can_say_what_a_host_is_worth(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text('{"domains": {"acme.example": {"tier": "high"}, "nature.com": {"tier": "low"}}}')
    reputation = ReputationTable.load(own)
    assert classify_source("https://www.acme.example/", reputation=reputation).authority_tier == "high"
    assert classify_source("https://www.nature.com/", reputation=reputation).authority_tier == "low"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["@type", "@graph", "mainEntity", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.text(max_size=60), st.lists(JSON, max_size=4))
def test_nothing_makes_it_fall(url: str, json_ld: list[object]) -> None:
    found = classify_source(url, StructuredData(json_ld=tuple(json_ld)))
    assert found.authority_tier in {"high", "medium", "low"}
