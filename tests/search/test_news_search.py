"""news_search through all layers, against the loopback internet."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.app import call, content, error, sentence, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application

JSON = {"content-type": "application/json"}
EMPTY: dict[str, Any] = {
    name: [] for name in ("answers", "corrections", "infoboxes", "suggestions", "unresponsive_engines")
}


def articles(internet: Internet, *ages: timedelta | None) -> None:
    """Makes SearXNG find one article for each age; None is an article without a date."""
    now = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
    results = [
        {
            "url": f"https://paper{number}.example/story",
            "title": f"Story {number}",
            "content": "What happened.",
            "engine": "bing news",
            "publishedDate": (now - age).isoformat() if age is not None else None,
        }
        for number, age in enumerate(ages)
    ]
    internet.control("/searxng", status=200, headers=JSON, body=json.dumps({"query": "q", "results": results, **EMPTY}))


def test_articles_come_with_their_time_in_utc(environment: dict[str, str], internet: Internet) -> None:
    articles(internet, timedelta(hours=2), None)
    answer = call(environment, "news_search", query="storms")
    first, second = content(answer)["articles"]
    assert first["publishedAt"].endswith("Z")
    assert "publishedAt" not in second
    assert first["source"] == "paper0.example"
    assert answer.meta["routing"]["provider_used"] == "searxng"
    (asked,) = internet.stats()["seen"]
    assert "categories=news" in asked["query"]
    assert "time_range=week" in asked["query"]


def test_by_date_the_newest_comes_first_and_undated_ones_are_told_of(
    environment: dict[str, str], internet: Internet
) -> None:
    articles(internet, timedelta(days=3), None, timedelta(hours=1))
    found = content(call(environment, "news_search", query="storms", sort_by="date"))
    assert [article["title"] for article in found["articles"]] == ["Story 2", "Story 0", "Story 1"]
    assert found["filtersNotApplied"] == ["sort_by"]


def test_the_last_hour_holds_only_what_is_known_to_be_of_it(environment: dict[str, str], internet: Internet) -> None:
    articles(internet, timedelta(minutes=10), timedelta(hours=9))
    found = content(call(environment, "news_search", query="storms", freshness="hour"))
    both = call(environment, "news_search", query="storms", freshness="hour", time_range="day")
    assert sentence(both) == "freshness is another name for time_range; give only one of them."
    assert [article["title"] for article in found["articles"]] == ["Story 0"]
    assert "filtersNotApplied" not in found
    articles(internet, timedelta(minutes=10), None)
    undated = content(call(environment, "news_search", query="storms again", time_range="hour"))
    assert undated["filtersNotApplied"] == ["time_range"]


def test_one_outlet_only(environment: dict[str, str], internet: Internet) -> None:
    articles(internet, timedelta(hours=1), timedelta(hours=2))
    found = content(call(environment, "news_search", query="storms", news_source="paper1.example"))
    assert [article["url"] for article in found["articles"]] == ["https://paper1.example/story"]


def test_an_engine_without_news_is_not_asked(environment: dict[str, str], internet: Internet) -> None:
    routed = {**environment, "SEARCH_ROUTING": "duckduckgo,searxng"}
    answer = call(routed, "news_search", query="storms")
    assert answer.meta["routing"]["providers_attempted"] == ["searxng"]
    refused = call(environment, "news_search", query="storms", provider="duckduckgo")
    assert error(refused)["kind"] == "config"
    assert "searxng" in refused.text


def test_nothing_found_names_the_window_first(environment: dict[str, str]) -> None:
    hints = content(call(environment, "news_search", query="nothing", country="CH"))["hints"]
    assert hints["filtersApplied"] == {"freshness": "week", "country": "CH"}
    assert [action["parameter"] for action in hints["suggestedActions"]][:2] == ["freshness", "country"]


def test_what_is_found_is_recorded_in_the_session(environment: dict[str, str], internet: Internet) -> None:
    articles(internet, timedelta(hours=1))

    async def script(app: Application) -> list[Any]:
        step = {"searchStep": "look", "stepNumber": 1, "nextStepNeeded": True}
        session = content(await app.call("sequential_search", step))["sessionId"]
        await app.call("news_search", {"query": "storms", "sessionId": f" {session}\n"})
        told = content(await app.call("get_research_session", {"sessionId": session}))
        sources: list[Any] = told["sources"]
        return sources

    (source,) = with_app(environment, script)
    assert source["url"] == "https://paper0.example/story"


def test_days_are_kept_to_and_switch_the_week_off(environment: dict[str, str], internet: Internet) -> None:
    articles(internet, timedelta(days=40), timedelta(days=100), timedelta(days=400), None)
    today = datetime.now(UTC).date()
    first, last = (str(today - timedelta(days=days)) for days in (120, 30))
    found = content(call(environment, "news_search", query="storms", date_from=first, date_to=last))
    assert [article["title"] for article in found["articles"]] == ["Story 0", "Story 1", "Story 3"]
    assert found["filtersNotApplied"] == ["date_from", "date_to"]
    assert "time_range=year" in internet.stats()["seen"][0]["query"]
    turned = call(environment, "news_search", query="storms", date_from=last, date_to=first)
    assert "swap them" in sentence(turned)
    assert "a day as YYYY-MM-DD" in sentence(call(environment, "news_search", query="storms", date_from="May"))
