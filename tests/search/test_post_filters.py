"""What is checked and mended on the hits themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from wellsourced.search.post_filters import apply_missing_filters, matches_query, normalize_urls
from wellsourced.upstreams.types.search import Hit, Image, NewsQuery, WebQuery


def hit(name: str, published_at: datetime | None = None, **more: str) -> Hit:
    return Hit(title=more.get("title", name), url=f"https://{name}.example/", published_at=published_at)


FRESH = datetime.now(UTC) - timedelta(minutes=20)
STALE = datetime.now(UTC) - timedelta(hours=5)
TODAY = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


@pytest.mark.parametrize(
    ("dates", "kept", "still_not_applied"),
    [
        ([FRESH, STALE], [FRESH], False),
        ([FRESH, None], [FRESH, None], True),
        ([FRESH, TODAY], [FRESH, TODAY], True),
        ([FRESH, TODAY - timedelta(days=3)], [FRESH], False),
        ([], [], True),
    ],
)
def test_an_hour_the_engine_could_not_apply_is_cut_out_where_dates_allow(
    dates: list[datetime | None], kept: list[datetime | None], still_not_applied: bool
) -> None:
    hits = [hit(str(number), moment) for number, moment in enumerate(dates)]
    mended, not_applied = apply_missing_filters(hits, WebQuery(text="x", time_range="hour"), frozenset({"time_range"}))
    assert [one.published_at for one in mended] == kept
    assert ("time_range" in not_applied) is still_not_applied


def test_dates_are_sorted_here_when_the_engine_does_not_and_undated_ones_come_last() -> None:
    hits = [hit("undated"), hit("old", STALE), hit("new", FRESH)]
    mended, not_applied = apply_missing_filters(hits, NewsQuery(text="x", sort_by="date"), frozenset({"sort_by"}))
    assert [one.title for one in mended] == ["new", "old", "undated"]
    assert not_applied == {"sort_by"}
    sorted_by_engine, _ = apply_missing_filters(hits, NewsQuery(text="x", sort_by="date"), frozenset())
    assert [one.title for one in sorted_by_engine] == ["new", "old", "undated"]
    _, not_applied = apply_missing_filters(hits[1:], NewsQuery(text="x", sort_by="date"), frozenset({"sort_by"}))
    assert not_applied == frozenset()


def test_the_exact_phrase_is_checked_only_where_the_engine_did_not() -> None:
    query = WebQuery(text="x", exact_terms="snowy owl")
    assert matches_query(hit("a", title="barn owl"), query, (), by_phrase=False)
    assert not matches_query(hit("a", title="barn owl"), query, (), by_phrase=True)
    assert matches_query(hit("a", title="The Snowy  OWL"), query, (), by_phrase=True)


def test_nothing_is_hidden_in_the_address_of_a_picture() -> None:
    image = Image(
        title="x", link="https://a.example/\U000e0041b c.png?w=1&utm_source=y#z", context_link="https://u:p@b.example/"
    )
    assert normalize_urls(image) == Image(
        title="x",
        link="https://a.example/%F3%A0%81%81b%20c.png?w=1&utm_source=y#z",
        context_link="https://b.example/",
    )
