"""Open sources on the web without a key: requests, recorded answers, and each kind of failure."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import (
    commoncrawl,
    commons,
    gdelt,
    github_search,
    marginalia,
    mojeek,
    sitemap,
    stackexchange,
    wikidata,
    wikipedia,
)
from wellsourced.upstreams.types.entity import EntityQuery
from wellsourced.upstreams.types.records import PlaceQuery
from wellsourced.upstreams.types.search import ImageQuery, NewsQuery, ResultSet, WebQuery

ACCESS = Access({"OPENALEX_EMAIL": "me@a.example"}, datetime(2026, 11, 15, 12, tzinfo=UTC))
OWLS = WebQuery(text="owls", count=10)
MARCH = NewsQuery(text="harbour strike wages", date_from=date(2022, 3, 7), date_to=date(2022, 3, 13))
NEWEST = reply([{"id": "CC-MAIN-2026-42"}, {"id": "CC-MAIN-2026-38"}])
MODULES: dict[str, Any] = {
    "wikipedia": wikipedia, "wikidata": wikidata, "marginalia": marginalia, "mojeek": mojeek,
    "stackexchange": stackexchange, "github_search": github_search,
}  # fmt: skip
EMPTY: dict[str, Any] = {
    "wikipedia": {"query": {"searchinfo": {"totalhits": 0}, "search": []}},
    "wikidata": {"search": [], "success": 1},
    "marginalia": {"results": []},
    "mojeek": "<p>No pages found matching</p>",
    "stackexchange": {"items": [], "has_more": False},
    "github_search": {"total_count": 0, "incomplete_results": False, "items": []},
}
PORTAL = """{{Current events|year=2022|month=03|day=7|content=
<!-- All news items below this line -->
;Business and economy
*[[2022 harbour strike|Harbour strike]]
**Dock workers '''end''' their strike after talks on [[wage]]s. [https://www.reuters.com/a (Reuters)]
*A bridge is opened. [https://apnews.com/bridge (AP)]
}}"""


def found(module: Any, shared: Path, file: str, query: WebQuery = OWLS, **more: Any) -> ResultSet[Any]:
    results: ResultSet[Any] = converse(module.web(query, ACCESS), recorded(shared, f"more/{file}", **more))[1]
    return results


def test_recorded_articles(shared: Path) -> None:
    hits = found(wikipedia, shared, "mediawiki/search-default.json")
    first = hits.items[0]
    assert (len(hits.items), hits.more_available) == (10, True)
    assert first.url == "https://en.wikipedia.org/wiki/Python_(programming_language)"
    assert first.snippet.startswith("Python is a high-level") and first.published_at is None
    assert len(found(wikipedia, shared, "mediawiki/search-limit3-continue.json").items) == 3
    assert found(wikipedia, shared, "mediawiki/search-near-match.json").items[0].title == "Python programming"
    assert len(found(wikipedia, shared, "mediawiki/search-srinfo-suggestion.json").items) == 10
    assert len(found(wikipedia, shared, "mediawiki/commons-search.json").items) == 10
    assert found(wikipedia, shared, "mediawiki/search-empty.json").items == ()
    with pytest.raises(errors.UpstreamUnavailable, match="disabled"):
        found(wikipedia, shared, "mediawiki/error-200-search-title-disabled.json")
    for file in ("geosearch-coord", "geosearch-empty", "page-extracts", "page-missing"):
        with pytest.raises((errors.UpstreamChanged, KeyError)):
            found(wikipedia, shared, f"mediawiki/{file}.json")


def test_a_quotation_is_looked_for_on_wikiquote_too() -> None:
    query = WebQuery(text='who said "the night is long and dark"', language="de")
    page = {"query": {"searchinfo": {"totalhits": 1}, "search": [{"title": "Ada Strix", "snippet": "x"}]}}
    requests, hits = converse(wikipedia.web(query, ACCESS), reply(EMPTY["wikipedia"]), reply(page))
    assert [request.host for request in requests] == ["", "quotes"]
    assert requests[0].path == "https://de.wikipedia.org/w/api.php"
    assert hits.items[0].url == "https://en.wikiquote.org/wiki/Ada_Strix"
    _, hits = converse(wikipedia.web(query, ACCESS), reply(EMPTY["wikipedia"]), reply("", 429))
    assert "Wikiquote was not searched" in hits.notes[0]


def test_the_events_of_a_week() -> None:
    page = {"title": "Portal:Current events/2022 March 7", "revisions": [{"slots": {"main": {"content": PORTAL}}}]}
    missing = {"title": "Portal:Current events/2022 March 8", "missing": True}
    (request,), news = converse(wikipedia.news(MARCH, ACCESS), reply({"query": {"pages": [page, missing]}}))
    assert dict(request.params)["titles"].split("|")[6] == "Portal:Current events/2022 March 13"
    (article,) = news.items
    assert (article.title, article.url, article.source) == (
        "Dock workers end their strike after talks on wages.", "https://www.reuters.com/a", "Reuters",
    )  # fmt: skip
    assert article.published_at == datetime(2022, 3, 7, tzinfo=UTC)
    assert news.not_applied == frozenset() and "6 of the 7 days" in news.notes[1]
    with pytest.raises(errors.BadInput, match="date_from"):
        converse(wikipedia.news(NewsQuery(text="owls"), ACCESS))


def test_recorded_entities(shared: Path) -> None:
    (beatles,) = wikidata.parse_entities(recorded(shared, "more/wikidata/entity-Q1299.json"))
    assert (beatles.label, beatles.description, beatles.website) == (
        "The Beatles", "English rock band", "http://www.thebeatles.com",
    )  # fmt: skip
    assert beatles.identifiers["VIAF"] == "141205608"
    assert beatles.identifiers["MusicBrainz"] == "b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d"
    (guitarist,) = wikidata.parse_entities(recorded(shared, "more/wikidata/entity-Q494290.json"), "ko")
    assert (guitarist.label, guitarist.identifiers["IMDb"]) == ("신중현", "nm1142700")
    (bare,) = wikidata.parse_entities(recorded(shared, "more/wikidata/wbgetentities.json"))
    assert (bare.label, bare.identifiers) == ("Q3235026", {})
    for file in ("entity-P434", "list-search-cirrus", "sparql-results-multi-vars", "sparql-results-optional-values"):
        with pytest.raises((errors.UpstreamChanged, KeyError)):
            wikidata.parse_entities(recorded(shared, f"more/wikidata/{file}.json"))
    search = recorded(shared, "more/wikidata/wbsearchentities.documented.json")
    requests, _ = converse(wikidata.web(OWLS, ACCESS), search, recorded(shared, "more/wikidata/entity-Q1299.json"))
    assert dict(requests[1].params)["ids"] == "Q7747"  # the list of people of that name is no entity


def statement(value: object, rank: str = "normal", kind: str = "value") -> dict[str, Any]:
    return {"rank": rank, "mainsnak": {"snaktype": kind, "datavalue": {"value": value}}}


def test_identifiers_are_taken_by_rank_and_only_from_what_is_stated() -> None:
    claims = {
        "P5531": [statement("1", "deprecated"), statement("2"), statement("3", "preferred")],
        "P1278": [statement("x", kind="somevalue"), statement({"id": "Q1"})],
    }
    ids = {"search": [{"id": "Q1"}, {"id": "Q2"}]}
    entities = {
        "Q1": {"id": "Q1", "claims": claims},
        "Q2": {"id": "Q2", "claims": []},
        "Q9": {"id": "Q9", "missing": ""},
    }
    query = EntityQuery(name="Umbrella", holding=("CIK",))
    _, (entity,) = converse(wikidata.entities(query, ACCESS), reply(ids), reply({"entities": entities}))
    assert entity.identifiers == {"CIK": "3"}


def test_small_engines(shared: Path) -> None:
    hits = found(marginalia, shared, "marginalia/search.documented.json")
    assert [hit.url for hit in hits.items] == [
        "https://tinkerer.example.org/sail-notes.html",
        "https://oldweb.example.net/~sails/",
    ]
    assert first_request(marginalia.web(WebQuery(text="a/b ?c"), ACCESS)).path == "/public/search/a%2Fb%20%3Fc"
    pages = found(mojeek, shared, "mojeek/results-page.documented.html")
    assert [hit.title for hit in pages.items][:2] == ["Solar sails explained", "Sail missions timeline"]
    assert len(pages.items) == 3
    keyed = Access({"MOJEEK_API_KEY": "k"}, ACCESS.now)
    row = {"url": "https://a.example/", "title": "A", "desc": "B", "pdate": "2026-01-02"}
    answer = {"response": {"status": "OK", "head": {"results": 9}, "results": [row]}}
    (request,), one = converse(mojeek.web(OWLS, keyed), reply(answer))
    assert (request.host, one.items[0].snippet, one.more_available) == ("api", "B", True)
    with pytest.raises(errors.KeyRejected):
        converse(mojeek.web(OWLS, keyed), reply({"response": {"status": "Invalid API key", "results": []}}))


def test_questions_and_code(shared: Path) -> None:
    hits = found(stackexchange, shared, "stackexchange/search-advanced.documented.json")
    assert hits.items[0].title == "How does the 'borrow checker' work in Rust?"
    assert hits.items[0].engagement == {"points": 152, "answerCount": 3}
    request = first_request(stackexchange.web(WebQuery(text="x", sites=("physics.stackexchange.com",)), ACCESS))
    assert dict(request.params)["site"] == "physics"
    _, paused = converse(stackexchange.web(OWLS, ACCESS), reply({"items": [], "has_more": False, "backoff": 30}))
    assert paused.pause == 30
    throttled = {
        "error_id": 502,
        "error_name": "throttle_violation",
        "error_message": "more requests available in 77 seconds",
    }
    with pytest.raises(errors.RateLimited) as caught:
        converse(stackexchange.web(OWLS, ACCESS), reply(throttled, 400))
    assert caught.value.retry_after == 77
    repositories = found(github_search, shared, "github-search/search-repositories.json")
    assert (repositories.items[0].title, repositories.items[0].engagement) == ("cjauvin/tetris-c64", {"stars": 7})
    issues = found(github_search, shared, "github-search/search-issues.json", WebQuery(text="http error", count=10))
    assert len(issues.items) == 10 and issues.items[0].published_at == datetime(2013, 6, 11, 14, 15, 21, tzinfo=UTC)
    for file in ("search-repositories-empty", "search-topics"):
        assert found(github_search, shared, f"github-search/{file}.json").items == ()
    with pytest.raises(errors.RateLimited):
        found(github_search, shared, "github-search/error-403-rate-limit.json", status=403)


def test_pages_of_a_site(shared: Path) -> None:
    query = WebQuery(text="all pages", sites=("commoncrawl.org",))
    rows = recorded(shared, "more/commoncrawl/cdx-prefix-10-rows.ndjson")
    requests, hits = converse(commoncrawl.web(query, ACCESS), recorded(shared, "more/commoncrawl/collinfo.json"), rows)
    assert (requests[0].keep, requests[1].path) == (86400.0, "/CC-MAIN-2025-33-index")
    assert dict(requests[1].params)["url"] == "commoncrawl.org/*"
    assert hits.items and all("commoncrawl.org" in hit.url and hit.published_at is None for hit in hits.items)
    (row,) = commoncrawl.parse_captures(recorded(shared, "more/commoncrawl/cdx-exact-example.com.ndjson"))
    assert row["url"] == "http://www.example.com/"
    none = recorded(shared, "more/commoncrawl/error-404-no-captures.json", 404)
    requests, hits = converse(commoncrawl.web(query, ACCESS), NEWEST, none, none)
    assert hits.items == () and requests[2].path == "/CC-MAIN-2026-38-index"
    invalid = recorded(shared, "more/commoncrawl/error-400-page-invalid.json", 400)
    with pytest.raises(errors.UpstreamUnavailable, match="Page 1 invalid"):
        converse(commoncrawl.web(query, ACCESS), NEWEST, invalid)
    with pytest.raises(errors.RateLimited):
        converse(commoncrawl.web(query, ACCESS), NEWEST, reply("SlowDown", 503))
    with pytest.raises(errors.BadInput, match="site"):
        converse(commoncrawl.web(OWLS, ACCESS))


def test_sitemaps(shared: Path) -> None:
    query = WebQuery(text="faq german", sites=("sitemaps.org",))
    robots = reply("User-agent: *\nSitemap: https://www.sitemaps.org/index.xml\n")
    index = reply("<sitemapindex><sitemap><loc>https://www.sitemaps.org/faq.xml.gz</loc></sitemap></sitemapindex>")
    packed = recorded(shared, "more/sitemaps/urlset.xml.gz")
    requests, hits = converse(sitemap.web(query, ACCESS), robots, index, packed)
    assert [request.path for request in requests][1:] == [
        "https://www.sitemaps.org/index.xml",
        "https://www.sitemaps.org/faq.xml.gz",
    ]
    assert hits.items[0].url == "https://www.sitemaps.org/faq.html"
    plain = recorded(shared, "more/sitemaps/urlset.xml")
    assert converse(sitemap.web(query, ACCESS), reply("", 404), plain)[1].items == hits.items
    further, pages = sitemap.parse_sitemap(recorded(shared, "more/sitemaps/sitemapindex.xml"))
    assert (further[0], len(further), pages) == ("http://www.example.com/sitemap1.xml.gz", 2, [])
    assert sitemap.parse_sitemap(reply("https://a.example/x\r\n"))[1][0].url == "https://a.example/x"
    for failure, kind in [
        (reply("", 404), errors.NotFound), (reply("<html></html>"), errors.UpstreamChanged),
        (reply(b"\x1f\x8bbroken"), errors.UpstreamChanged), (reply("nothing"), errors.UpstreamChanged),
        (reply("", 403), errors.Blocked),
    ]:  # fmt: skip
        with pytest.raises(kind):
            sitemap.parse_sitemap(failure)
    with pytest.raises(errors.RateLimited):
        converse(sitemap.web(query, ACCESS), reply("", 503))


def test_news_of_gdelt(shared: Path) -> None:
    query = NewsQuery(text="the (climate) summit in UK", language="fr", country="FR", sort_by="date",
                      date_from=date(2026, 9, 1), date_to=date(2026, 9, 7))  # fmt: skip

    def news(file: str, status: int = 200, query: NewsQuery = query) -> ResultSet[Any]:
        results: ResultSet[Any] = converse(gdelt.news(query, ACCESS), recorded(shared, f"more/gdelt/{file}", status))[1]
        return results

    params = dict(first_request(gdelt.news(query, ACCESS)).params)
    assert params["query"] == "the climate summit sourcelang:french sourcecountry:france"
    assert (params["startdatetime"], params["enddatetime"]) == ("20260831235959", "20260908000000")
    listed = news("artlist.documented.json")
    assert [(a.source, a.published_at and a.published_at.hour) for a in listed.items] == [
        ("bbc.co.uk", 12), ("lemonde.fr", 9), ("example.org", None),
    ]  # fmt: skip
    assert listed.not_applied == frozenset()
    assert news("artlist-one-article.excerpt.json").items[0].title.startswith("Besplatan ulaz")
    assert news("artlist-empty.documented.json").items == ()
    assert "three months" in news("artlist-empty.documented.json", query=MARCH).notes[0]
    with pytest.raises(errors.UpstreamUnavailable, match="250 records"):
        news("error-200-maxrecords-over-250.txt")
    for status in (200, 429):
        with pytest.raises(errors.RateLimited) as caught:
            news("error-429-throttle.txt", status)
        assert caught.value.retry_after == 900
    broken = b'{"articles": [{"url": "https://a.example/", "title": "Trump \' s plan , a \\d test", "seendate": ""}]}'
    _, repaired = converse(gdelt.news(query, ACCESS), reply(broken))
    assert repaired.items[0].title == "Trump's plan, a \\d test"
    for failure, kind in [
        (reply(""), errors.UpstreamChanged), (reply("<html>"), errors.UpstreamChanged),
        (reply({"a": 1}), errors.UpstreamChanged),
        (reply("Your query was too short or too long."), errors.BadInput), (reply("", 403), errors.Blocked),
    ]:  # fmt: skip
        with pytest.raises(kind):
            converse(gdelt.news(query, ACCESS), failure)
    with pytest.raises(errors.BadInput):
        first_request(gdelt.news(NewsQuery(text="UK"), ACCESS))


@pytest.mark.parametrize("name", MODULES)
def test_nothing_found_and_filters_without_control(name: str) -> None:
    query = WebQuery(text="owls", country="DE", safe="high", date_to=date(2026, 1, 1))
    by_words = [reply({"query": {"search": []}})] if name == "wikidata" else []
    _, hits = converse(MODULES[name].web(query, ACCESS), reply(EMPTY[name]), *by_words)
    assert hits.items == () and {"country", "safe"} <= hits.not_applied


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply("", 403), errors.Blocked),
        (reply("", 429, retry_after="3"), errors.RateLimited),
        (reply("", 500), errors.UpstreamUnavailable),
        (reply("<html>", 200), errors.UpstreamChanged),
        (reply("[]", 200), errors.UpstreamChanged),
    ],
)
def test_each_failure_has_its_kind(name: str, failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(MODULES[name].web(OWLS, ACCESS), failure)
    assert type(caught.value) is kind


def test_what_stands_near_a_point(shared: Path) -> None:
    query = PlaceQuery(text="statue", latitude=51.5074, longitude=-0.1278)
    requests, answer = converse(
        wikipedia.places(query, Access()), recorded(shared, "more/mediawiki/geosearch-coord.json")
    )
    assert dict(requests[0].params)["gscoord"] == "51.507400|-0.127800"
    assert [(place.name, place.distance) for place in answer.items] == [
        ("Equestrian statue of Charles I, Charing Cross", 10.7)
    ]
    sights = replace(query, text="sights", latitude=None, longitude=None, near="Charing Cross")
    requests, answer = converse(
        wikipedia.places(sights, Access()), recorded(shared, "more/mediawiki/geosearch-coord.json")
    )
    assert dict(requests[0].params)["gspage"] == "Charing Cross" and len(answer.items) == 5
    assert answer.notes == (wikipedia.ALL_NEAR,) and not answer.more_available
    with pytest.raises(errors.BadInput):
        next(wikipedia.places(PlaceQuery(text="sights"), Access()))


def test_pictures_come_with_licence_and_author() -> None:
    info = {
        "url": "https://upload.example/owl.jpg", "thumburl": "https://upload.example/t.jpg", "width": 800,
        "height": 600, "size": 12345, "descriptionurl": "https://commons.wikimedia.org/wiki/File:Owl.jpg",
        "extmetadata": {"LicenseShortName": {"value": "CC BY-SA 4.0"}, "Artist": {"value": "<a href='x'>A. Reef</a>"}},
    }  # fmt: skip
    pages = [{"index": 2, "title": "File:B.png", "imageinfo": [{"url": "https://upload.example/b.png"}]}]
    pages += [{"index": 1, "title": "File:Owl.jpg", "imageinfo": [info]}, {"index": 3, "title": "File:None.jpg"}]
    query = ImageQuery(text="owls", count=5, file_type="jpg", size="large")
    requests, answer = converse(commons.images(query, ACCESS), reply({"query": {"pages": pages}}))
    assert dict(requests[0].params)["gsrsearch"] == "filemime:image/jpeg owls" and answer.not_applied == {"size"}
    first, second = answer.items
    assert (first.title, first.licence, first.credit, first.width) == ("Owl", "CC BY-SA 4.0", "A. Reef", 800)
    assert (second.licence, second.context_link) == (None, "https://commons.wikimedia.org/wiki/File:B.png")
    assert converse(commons.images(query, ACCESS), reply({"batchcomplete": True}))[1].items == ()
    for answered, failure in (({}, KeyError), ({"query": {"pages": []}}, errors.UpstreamChanged),
                              ({"error": {"code": "ratelimited"}}, errors.RateLimited)):  # fmt: skip
        with pytest.raises(failure):
            converse(commons.images(query, ACCESS), reply(answered))
