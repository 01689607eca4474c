"""Only the acronym is quoted."""

from __future__ import annotations

import pytest

from wellsourced.scholarly.papers import quote_acronyms

QUERIES = [
    ("effect of CRISPR on wheat yield", 'effect of "CRISPR" on wheat yield'),
    ("COVID-19 vaccines (mRNA)", '"COVID-19" vaccines (mRNA)'),
    ("does GPT-4, unlike BERT, reason?", 'does "GPT-4", unlike "BERT", reason?'),
    ("DEEP LEARNING", "DEEP LEARNING"),
    ("CRISPR", "CRISPR"),
    ("CRISPR AND wheat", "CRISPR AND wheat"),
    ('"CRISPR" wheat DNA', '"CRISPR" wheat DNA'),
    ("I am in 2024", "I am in 2024"),
    ("深度学习 NLP 应用", '深度学习 "NLP" 应用'),
    ("влияние ДНК на рост", 'влияние "ДНК" на рост'),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_the_acronym_alone_is_quoted(query: str, expected: str) -> None:
    assert quote_acronyms(query) == expected
