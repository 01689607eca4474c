"""Quality scores: the contract's weights and bands, for any script."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.evidence.authority import score_authority
from wellsourced.evidence.source_quality import score_content, score_freshness, score_quality, score_relevance

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
GOOD = "\n\n".join(
    "Tea is grown on hills. It is picked by hand. See https://a.example/ for more of it." for _ in range(40)
)
GOOD_JAPANESE = "\n\n".join(
    "茶は山で育つ。人の手で摘まれる。今年も多く採れた。詳しくは https://a.example/ を見る。" for _ in range(40)
)


def test_overall_is_the_weighted_sum() -> None:
    found = score_quality("tea hills", "Tea", GOOD, "https://www.gov.uk/tea", NOW - timedelta(days=3), NOW)
    assert found.relevance == pytest.approx(0.4 * 3 / 8 + 0.6)
    assert (found.freshness, found.authority, found.content_quality) == (0.9, 0.9, 1.0)
    exact = 0.35 * 0.75 + 0.20 * 0.9 + 0.25 * 0.9 + 0.20 * 1.0
    assert found.overall == round(exact, 2)


@pytest.mark.parametrize(
    ("age", "worth"),
    [
        (timedelta(hours=23), 1.0),
        (timedelta(days=6), 0.9),
        (timedelta(days=29), 0.7),
        (timedelta(days=364), 0.5),
        (timedelta(days=366), 0.3),
        (timedelta(hours=-2), 1.0),
        (timedelta(days=-9), 0.5),
        (None, 0.5),
    ],
)
def test_freshness(age: timedelta | None, worth: float) -> None:
    published = None if age is None else NOW - age
    assert score_freshness(published, NOW) == worth
    assert score_freshness(published and published.replace(tzinfo=None), NOW) == worth


@pytest.mark.parametrize(
    ("query", "text", "worth"),
    [
        ("art", "The party started.", 0.0),
        ("", "Anything.", 0.5),
        ("the of", "Anything.", 0.5),
        ("東京の人口", "東京の人口は多い。", 0.6),
        ("население Москвы", "Население города Москвы растёт.", 0.6),
        ("organised crimes", "Crime was organized there.", 0.6),
        ("1.4 million", "1,400,000 people", 0.6),
    ],
)
def test_relevance(query: str, text: str, worth: float) -> None:
    assert score_relevance(query, "", text) == pytest.approx(worth)
    assert score_relevance(query, text, text) == pytest.approx(worth / 0.6 if worth != 0.5 else 0.5)


@pytest.mark.parametrize(
    ("url", "worth"),
    [
        ("https://www.nih.gov/", 0.9),
        ("https://evil.com/?x=.gov", 0.5),
        ("https://arxiv.org.evil.com/", 0.5),
        ("https://docs.evil.com/", 0.5),
        ("https://www.theonion.com/x", 0.2),
        ("https://www.tiktok.com/@a", 0.4),
    ],
)
def test_authority(url: str, worth: float) -> None:
    assert score_authority(url) == worth


def test_content_quality_does_not_depend_on_the_script() -> None:
    assert score_content(GOOD) == score_content(GOOD_JAPANESE) == pytest.approx(1.0)
    assert score_content("") == 0.0
    assert score_content("x" * 5000) == 0.0


def test_more_than_three_paragraphs_and_more_than_five_sentences_count() -> None:
    assert [score_content("\n\n".join(["harbour tides"] * n)) for n in (3, 4)] == pytest.approx([0.2, 0.4])
    assert [score_content("Harbour tides. " * n) for n in (5, 6)] == pytest.approx([0.2, 0.4])


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=400), st.text(max_size=40))
def test_every_figure_is_between_nothing_and_one(query: str, title: str, text: str, url: str) -> None:
    found = score_quality(query, title, text, url, None, NOW)
    figures = (found.overall, found.relevance, found.freshness, found.authority, found.content_quality)
    assert all(0 <= figure <= 1 and round(figure, 2) == figure for figure in figures)
