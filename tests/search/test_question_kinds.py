"""What a question asks for, and who is asked where the usual engines cannot look."""

from __future__ import annotations

from datetime import date

import pytest

from tests.app import call, content, error, sentence
from tests.loopback.run import Internet
from wellsourced.search.question_kinds import kinds_of
from wellsourced.upstreams.types.search import NewsQuery, WebQuery

TODAY = date(2026, 11, 15)
ENGINES = ("/searxng", "/duckduckgo")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("what is a spring tide", {"definition"}),
        ("Was bedeutet Nipptide", {"definition"}),
        ("Ada Lovelace", {"entity"}),
        ("TypeError: cannot unpack", {"code"}),
        ("async function in rust", {"code"}),
        ('who said "the night is long and dark"', {"quotation"}),
        ("tide gauge datasets of Norway", {"dataset"}),
        ("book on tides 978-0-12-375106-5", {"book"}),
        ("tides in the north sea", set()),
        ("NATO", set()),
        ("preprints on owls", {"preprint"}),
    ],
)
def test_kinds(text: str, kinds: set[str]) -> None:
    assert kinds_of(WebQuery(text=text), TODAY) == kinds


def test_days_long_past_are_a_kind_of_their_own() -> None:
    assert kinds_of(NewsQuery(text="strike", date_from=date(2022, 3, 7)), TODAY) == {"past days"}
    assert not kinds_of(NewsQuery(text="strike", date_from=date(2026, 11, 1)), TODAY)


def shut(internet: Internet, *prefixes: str) -> None:
    for prefix in prefixes:
        internet.control(prefix, status=403)


def test_open_sources_stand_in_where_no_engine_could_look(environment: dict[str, str], internet: Internet) -> None:
    """Without any key and with DuckDuckGo blocked: several are merged, and the answer says who was asked and why."""
    shut(internet, *ENGINES)
    answer = call(environment, "web_search", query="what is a spring tide")
    found = content(answer)
    assert found["resultCount"] == 5
    assert any("wikipedia" in (result.get("engines") or ()) for result in found["results"])
    notes = " ".join(found["notes"])
    assert "Asked instead: Wikipedia, Marginalia Search" in notes and "DuckDuckGo" in notes
    assert answer.meta["routing"]["fallback"] is True
    assert any("CC BY-SA" in line for line in found["attribution"])


def test_the_kind_of_question_decides_who_stands_in(environment: dict[str, str], internet: Internet) -> None:
    shut(internet, *ENGINES)
    attempted = {
        query: call(environment, "web_search", query=query, **more).meta["routing"]["providers_attempted"]
        for query, more in (("rust async function", {}), ("Ada Lovelace", {}), ("tides", {"site": "harbour.example"}))
    }
    assert {"stackexchange", "github_search"} <= set(attempted["rust async function"])
    assert "wikidata" in attempted["Ada Lovelace"] and "stackexchange" not in attempted["Ada Lovelace"]
    assert {"commoncrawl", "sitemap"} <= set(attempted["tides"])


def test_nobody_could_look_is_an_error_and_an_operators_choice_is_kept_to(
    environment: dict[str, str], internet: Internet
) -> None:
    shut(internet, *ENGINES)
    chosen = call({**environment, "SEARCH_PROVIDER": "duckduckgo"}, "web_search", query="what is a tide")
    assert error(chosen)["kind"] == "blocked" and internet.stats()["requests"].get("/open/web", 0) == 0
    shut(internet, "/open")
    nobody = call(environment, "web_search", query="what is a spring tide")
    assert nobody.is_error
    assert "No provider could search the web" in sentence(nobody) and "Wikipedia" in sentence(nobody)


def test_pages_of_a_site_by_name(environment: dict[str, str]) -> None:
    crawled = content(call(environment, "web_search", query="tides", site="harbour.example", provider="commoncrawl"))
    assert [result["url"] for result in crawled["results"]] == ["https://harbour.example/tides/tables"]
    everything = content(call(environment, "web_search", query="all pages", site="harbour.example", provider="sitemap"))
    assert everything["resultCount"] == 3
    unseen = content(call(environment, "web_search", query="all pages", site="unseen.example", provider="commoncrawl"))
    assert unseen["results"] == []


def test_books_and_datasets_are_looked_for_where_they_are_kept(environment: dict[str, str]) -> None:
    books = content(call(environment, "academic_search", query="textbook on tides"))
    assert books["source"].startswith("open_library+") and any(paper.get("type") == "book" for paper in books["papers"])
    data = content(call(environment, "academic_search", query="tide gauge dataset"))
    assert {"datacite", "zenodo"} < set(data["source"].split("+"))


def test_news_of_a_week_in_march_2022_without_a_key(environment: dict[str, str], internet: Internet) -> None:
    """No engine reaches that far: Wikipedia's own list of each day does, and the answer says what it is."""
    shut(internet, *ENGINES)
    week = {"date_from": "2022-03-07", "date_to": "2022-03-13"}
    answer = call(environment, "news_search", query="harbour strike wages", num_results=10, sort_by="date", **week)
    found = content(answer)
    days = [article["publishedAt"][:10] for article in found["articles"]]
    assert days == [f"2022-03-{day:02}" for day in range(13, 6, -1)]
    assert {article["source"] for article in found["articles"]} == {"Reuters"}
    assert "filtersNotApplied" not in found and any("a selection" in note for note in found["notes"])
    assert len(answer.body) / 4 <= 4000
    assert answer.meta["routing"]["providers_attempted"] == ["searxng", "gdelt", "wikipedia"]


def test_any_time_switches_the_default_week_off(environment: dict[str, str], internet: Internet) -> None:
    call(environment, "news_search", query="storms", time_range="any")
    assert "time_range=" not in internet.stats()["seen"][0]["query"]
