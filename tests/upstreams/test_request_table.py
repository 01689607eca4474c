"""Provider by parameter: the exact request that is sent, and the filters that are admitted to be without effect."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from tests.upstreams.conversation import converse, reply
from wellsourced.upstream import Access, Kind
from wellsourced.upstreams import brave, exa, google, searchapi, serper, tavily
from wellsourced.upstreams.types.search import ImageQuery, NewsQuery, ResultSet, WebQuery

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
KEYS = {
    "BRAVE_API_KEY": "brave-key",
    "GOOGLE_CUSTOM_SEARCH_API_KEY": "google-key",
    "GOOGLE_CUSTOM_SEARCH_ID": "engine",
    "SERPER_API_KEY": "serper-key",
    "SEARCHAPI_API_KEY": "searchapi-key",
    "TAVILY_API_KEY": "tavily-key",
    "EXA_API_KEY": "exa-key",
}
MODULES = {module.PROVIDER.name: module for module in (brave, google, serper, searchapi, tavily, exa)}
QUERIES = {"web": WebQuery, "news": NewsQuery, "images": ImageQuery}

BRAVE = {"q": "owls", "count": "5", "safesearch": "moderate", "text_decorations": "false"}
GOOGLE = {"key": "google-key", "cx": "engine", "q": "owls", "safe": "active", "num": "5"}
SERPER = {"q": "owls", "num": 10}
SEARCHAPI = {"q": "owls", "safe": "blur"}
TAVILY = {"query": "owls", "search_depth": "basic", "max_results": 5}
EXA = {"query": "owls", "type": "auto", "numResults": 5, "contents": {"highlights": True}, "moderation": True}

# What goes out for a bare query of five results: path, then parameters or JSON body.
PLAIN: dict[str, tuple[str, dict[str, Any]]] = {
    "brave.web": ("/res/v1/web/search", BRAVE | {"result_filter": "web"}),
    "brave.news": ("/res/v1/news/search", BRAVE),
    "brave.images": ("/res/v1/images/search", {"q": "owls", "count": "5", "safesearch": "strict"}),
    "google.web": ("/customsearch/v1", GOOGLE),
    "google.news": ("/customsearch/v1", GOOGLE),
    "google.images": ("/customsearch/v1", GOOGLE | {"searchType": "image"}),
    "serper.web": ("/search", SERPER),
    "serper.news": ("/news", SERPER),
    "serper.images": ("/images", SERPER),
    "searchapi.web": ("/api/v1/search", SEARCHAPI | {"engine": "google", "num": "10"}),
    "searchapi.news": ("/api/v1/search", SEARCHAPI | {"engine": "google_news"}),
    "searchapi.images": ("/api/v1/search", SEARCHAPI | {"engine": "google_images"}),
    "tavily.web": ("/search", TAVILY | {"topic": "general"}),
    "tavily.news": ("/search", TAVILY | {"topic": "news"}),
    "exa.web": ("/search", EXA),
    "exa.news": ("/search", EXA | {"category": "news"}),
}
HEADERS = {
    "brave": {"Accept": "application/json", "X-Subscription-Token": "brave-key"},
    "google": {},
    "serper": {"Content-Type": "application/json", "X-API-KEY": "serper-key"},
    "searchapi": {"Authorization": "Bearer searchapi-key"},
    "tavily": {"Content-Type": "application/json", "Authorization": "Bearer tavily-key"},
    "exa": {"Content-Type": "application/json", "x-api-key": "exa-key"},
}
NOTHING: dict[str, Any] = {
    "brave": {"type": "search", "query": {}, "results": []},
    "google": {"queries": {}, "searchInformation": {"totalResults": "0"}},
    "serper": {"organic": [], "news": [], "images": []},
    "searchapi": {"organic_results": [], "images": []},
    "tavily": {"results": []},
    "exa": {"results": []},
}

Row = tuple[str, dict[str, Any], dict[str, Any], set[str]]
PHRASE = {"exact_terms": "snowy owl"}
UNWANTED = {"exclude_terms": 'toys "night bird"'}
ONE_SITE = {"sites": ("birds.example",)}
TWO_SITES = {"sites": ("birds.example", "owls.example/news")}
OPERATORS: list[tuple[dict[str, Any], str]] = [
    (PHRASE, 'owls "snowy owl"'),
    (UNWANTED, 'owls -toys -"night bird"'),
    (ONE_SITE, "owls site:birds.example"),
    (TWO_SITES, "owls (site:birds.example OR site:owls.example/news)"),
]
BY_OPERATOR: list[Row] = [
    (name, asked, {"q": text}, set())
    for name in PLAIN
    if name.startswith(("brave", "serper", "searchapi"))
    for asked, text in OPERATORS
]
NO_HOUR = {("brave", "hour"), ("google", "hour"), ("tavily", "hour")}
AGES: list[Row] = [
    (name, {"time_range": age}, {parameter: value}, {"time_range"} if (name.split(".")[0], age) in NO_HOUR else set())
    for names, parameter, values in (
        (("brave.web", "brave.news"), "freshness", ("pd", "pd", "pw", "pm", "py")),
        (("google.web", "google.news"), "dateRestrict", ("d1", "d1", "w1", "m1", "y1")),
        (("serper.web", "serper.news", "serper.images"), "tbs", ("qdr:h", "qdr:d", "qdr:w", "qdr:m", "qdr:y")),
        (("searchapi.images",), "tbs", ("qdr:h", "qdr:d", "qdr:w", "qdr:m", "qdr:y")),
        (
            ("searchapi.web", "searchapi.news"),
            "time_period",
            ("last_hour", "last_day", "last_week", "last_month", "last_year"),
        ),
        (("tavily.web", "tavily.news"), "time_range", ("day", "day", "week", "month", "year")),
        (
            ("exa.web", "exa.news"),
            "startPublishedDate",
            (
                "2026-11-15T11:00:00Z",
                "2026-11-14T12:00:00Z",
                "2026-11-08T12:00:00Z",
                "2026-10-16T12:00:00Z",
                "2025-11-15T12:00:00Z",
            ),
        ),
    )
    for name in names
    for age, value in zip(("hour", "day", "week", "month", "year"), values, strict=True)
]
WEEK = {"date_from": date(2022, 3, 7), "date_to": date(2022, 3, 13), "time_range": "year"}
SINCE = {"date_from": date(2022, 3, 7)}
WINDOWS: list[Row] = [
    (name, asked, sent, set())
    for names, week, since in (
        (("brave.web", "brave.news"), {"freshness": "2022-03-07to2022-03-13"}, {"freshness": "2022-03-07to2026-11-15"}),
        (("google.web", "google.news"), {"sort": "date:r:20220307:20220313"}, {"sort": "date:r:20220307:20261115"}),
        (
            ("serper.web", "serper.news"),
            {"tbs": "cdr:1,cd_min:3/7/2022,cd_max:3/13/2022"},
            {"tbs": "cdr:1,cd_min:3/7/2022,cd_max:11/15/2026"},
        ),
        (
            ("searchapi.web", "searchapi.news"),
            {"time_period_min": "3/7/2022", "time_period_max": "3/13/2022"},
            {"time_period_min": "3/7/2022", "time_period_max": "11/15/2026"},
        ),
        (
            ("tavily.web", "tavily.news"),
            {"start_date": "2022-03-07", "end_date": "2022-03-13"},
            {"start_date": "2022-03-07", "end_date": "2026-11-15"},
        ),
        (
            ("exa.web", "exa.news"),
            {"startPublishedDate": "2022-03-07T00:00:00Z", "endPublishedDate": "2022-03-13T23:59:59Z"},
            {"startPublishedDate": "2022-03-07T00:00:00Z", "endPublishedDate": "2026-11-15T23:59:59Z"},
        ),
    )
    for name in names
    for asked, sent in ((WEEK, week), (SINCE, since))
]
BRAVE_ROWS: list[Row] = [
    ("brave.images", {"time_range": "week"}, {}, {"time_range"}),
    ("brave.web", {"safe": "off"}, {"safesearch": "off"}, set()),
    ("brave.web", {"safe": "high"}, {"safesearch": "strict"}, set()),
    ("brave.images", {"safe": "off"}, {"safesearch": "off"}, set()),
    ("brave.images", {"safe": "high"}, {}, set()),
    *(
        ("brave.web", {"language": asked}, {"search_lang": sent}, set())
        for asked, sent in {
            "de": "de",
            "de-AT": "de",
            "ja": "jp",
            "ja-JP": "jp",
            "zh": "zh-hans",
            "zh-TW": "zh-hant",
            "zh-Hant-HK": "zh-hant",
            "pt": "pt-pt",
            "pt-BR": "pt-br",
            "en-GB": "en-gb",
            "en-US": "en",
            "no": "nb",
        }.items()
    ),
    ("brave.web", {"language": "pt", "country": "br"}, {"search_lang": "pt-br", "country": "BR"}, set()),
    ("brave.news", {"language": "sw"}, {}, {"language"}),
    ("brave.images", {"country": "uk"}, {"country": "GB"}, set()),
    ("brave.web", {"country": "va"}, {}, {"country"}),
    ("brave.web", {"goggle": "https://goggles.example/g"}, {"goggles": "https://goggles.example/g"}, set()),
    ("brave.web", {"count": 30}, {"count": "20"}, set()),
    ("brave.news", {"count": 60}, {"count": "50"}, set()),
    ("brave.images", {"count": 300}, {"count": "200"}, set()),
    ("brave.news", {"sort_by": "date"}, {}, {"sort_by"}),
]
GOOGLE_ROWS: list[Row] = [
    ("google.images", {"time_range": "hour"}, {"dateRestrict": "d1"}, {"time_range"}),
    ("google.web", PHRASE, {"exactTerms": "snowy owl"}, set()),
    ("google.web", UNWANTED, {"excludeTerms": 'toys "night bird"'}, set()),
    ("google.web", ONE_SITE, {"siteSearch": "birds.example", "siteSearchFilter": "i"}, set()),
    ("google.web", TWO_SITES, {"q": "owls (site:birds.example OR site:owls.example/news)"}, set()),
    ("google.web", {"safe": "off"}, {"safe": "off"}, set()),
    ("google.web", {"safe": "high"}, {}, set()),
    ("google.web", {"language": "de"}, {"lr": "lang_de", "hl": "de"}, set()),
    ("google.web", {"language": "he"}, {"lr": "lang_iw", "hl": "he"}, set()),
    ("google.web", {"language": "zh-TW"}, {"lr": "lang_zh-TW", "hl": "zh-TW"}, set()),
    ("google.web", {"language": "sw"}, {"hl": "sw"}, {"language"}),
    ("google.images", {"country": "fr"}, {"cr": "countryFR", "gl": "fr"}, set()),
    ("google.news", {"country": "GB"}, {"cr": "countryUK", "gl": "uk"}, set()),
    ("google.web", {"engine_id": "lens"}, {"cx": "lens"}, set()),
    ("google.web", {"count": 10}, {"num": "10"}, set()),
    ("google.news", {"sort_by": "date"}, {"sort": "date"}, set()),
    ("google.images", {"size": "xxlarge"}, {"imgSize": "xxlarge"}, set()),
    ("google.images", {"type": "stock"}, {"imgType": "stock"}, set()),
    ("google.images", {"color_type": "trans"}, {"imgColorType": "trans"}, set()),
    ("google.images", {"dominant_color": "teal"}, {"imgDominantColor": "teal"}, set()),
    ("google.images", {"file_type": "svg"}, {"fileType": "svg"}, set()),
]
PICTURES: list[Row] = [
    *(
        (f"{provider}.images", asked, {"tbs": sent} if sent else {}, missing)
        for provider in ("serper", "searchapi")
        for asked, sent, missing in (
            ({"size": "icon"}, "isz:i", set()),
            ({"size": "huge"}, "isz:lt,islt:8mp", set()),
            ({"type": "lineart"}, "itp:lineart", set()),
            ({"type": "stock"}, "", {"type"}),
            ({"color_type": "mono"}, "ic:gray", set()),
            ({"dominant_color": "red"}, "ic:specific,isc:red", set()),
            ({"dominant_color": "red", "color_type": "color"}, "ic:specific,isc:red", set()),
            ({"dominant_color": "red", "color_type": "trans"}, "ic:specific,isc:red", {"color_type"}),
            ({"file_type": "png", "size": "large"}, "isz:l,ift:png", set()),
        )
    ),
    *(
        ("brave.images", {name: value}, {}, {name})
        for name, value in {
            "size": "large",
            "type": "photo",
            "color_type": "gray",
            "dominant_color": "red",
            "file_type": "png",
        }.items()
    ),
]
SERPER_ROWS: list[Row] = [
    ("serper.web", {"safe": "off"}, {}, {"safe"}),
    ("serper.web", {"language": "de", "country": "AT"}, {"hl": "de", "gl": "at"}, set()),
    ("serper.web", {"count": 11}, {"num": 20}, set()),
    ("serper.images", {"count": 200}, {"num": 100}, set()),
    ("serper.news", {"sort_by": "date", "time_range": "day"}, {"tbs": "qdr:d,sbd:1"}, set()),
]
SEARCHAPI_ROWS: list[Row] = [
    ("searchapi.web", {"safe": "off"}, {"safe": "off"}, set()),
    ("searchapi.web", {"safe": "high"}, {"safe": "active"}, set()),
    ("searchapi.web", {"language": "de", "country": "GB"}, {"hl": "de", "gl": "uk"}, set()),
    ("searchapi.web", {"count": 25}, {"num": "30"}, set()),
    ("searchapi.news", {"sort_by": "date"}, {"sort_by": "most_recent"}, set()),
]
TAVILY_ROWS: list[Row] = [
    ("tavily.web", PHRASE, {"query": 'owls "snowy owl"', "exact_match": True}, set()),
    ("tavily.web", UNWANTED, {}, {"exclude_terms"}),
    ("tavily.news", TWO_SITES, {"include_domains": ["birds.example", "owls.example/news"]}, set()),
    ("tavily.web", {"safe": "high", "language": "de"}, {}, {"safe", "language"}),
    ("tavily.web", {"country": "DE"}, {"country": "germany"}, set()),
    ("tavily.web", {"country": "va"}, {}, {"country"}),
    ("tavily.news", {"country": "de"}, {}, {"country"}),
    ("tavily.web", {"count": 50}, {"max_results": 20}, set()),
    ("tavily.news", {"sort_by": "date"}, {}, {"sort_by"}),
]
EXA_ROWS: list[Row] = [
    ("exa.web", PHRASE, {"includeText": ["snowy owl"]}, set()),
    ("exa.web", {"exact_terms": "one two three four five six"}, {"includeText": ["one two three four five"]}, set()),
    ("exa.web", {"exclude_terms": "toys"}, {"excludeText": ["toys"]}, set()),
    ("exa.web", UNWANTED, {"excludeText": ["toys"]}, {"exclude_terms"}),
    ("exa.web", {"exclude_terms": '"one two three four five six"'}, {}, {"exclude_terms"}),
    ("exa.news", TWO_SITES, {"includeDomains": ["birds.example", "owls.example/news"]}, set()),
    ("exa.web", {"safe": "off"}, {"moderation": None}, set()),
    ("exa.web", {"country": "de"}, {"userLocation": "DE"}, set()),
    ("exa.web", {"language": "de"}, {}, {"language"}),
    ("exa.web", {"count": 500}, {"numResults": 100}, set()),
    ("exa.news", {"sort_by": "date"}, {}, {"sort_by"}),
]
PLAIN_ROWS: list[Row] = [(name, {}, {}, set()) for name in PLAIN]
TABLE = [
    *(PLAIN_ROWS + BY_OPERATOR + AGES + WINDOWS + PICTURES),
    *(BRAVE_ROWS + GOOGLE_ROWS + SERPER_ROWS + SEARCHAPI_ROWS + TAVILY_ROWS + EXA_ROWS),
]


def ask(name: str, asked: dict[str, Any], answer: object) -> tuple[Any, ResultSet[Any]]:
    provider, kind = name.split(".")
    query = QUERIES[kind](text="owls", **asked)
    steps = getattr(MODULES[provider], kind)(query, Access(KEYS, NOW))
    (request, *_), found = converse(steps, reply(answer))
    return request, found


@pytest.mark.parametrize(
    ("name", "asked", "sent", "missing"),
    TABLE,
    ids=lambda cell: ",".join(sorted(cell)) if isinstance(cell, set) else str(cell)[:60],
)
def test_request(name: str, asked: dict[str, Any], sent: dict[str, Any], missing: set[str]) -> None:
    provider = name.split(".")[0]
    request, found = ask(name, asked, NOTHING[provider])
    path, plain = PLAIN[name]
    expected = {key: value for key, value in (plain | sent).items() if value is not None}
    carried = json.loads(request.body) if request.body else dict(request.params)
    assert (request.path, carried, dict(request.headers)) == (path, expected, HEADERS[provider])
    assert request.method == ("POST" if request.body else "GET")
    assert found.items == ()
    assert found.not_applied == missing


def test_the_table_covers_what_the_six_offer() -> None:
    offered = {
        f"{name}.{kind.value}" for name, module in MODULES.items() for kind in Kind if hasattr(module, kind.value)
    }
    assert {name for name in offered if name.split(".")[1] in QUERIES} == set(PLAIN)


def test_keys_stay_out_of_addresses_where_they_can() -> None:
    for name in PLAIN:
        request, _ = ask(name, {}, NOTHING[name.split(".")[0]])
        assert ("key" in dict(request.params)) == name.startswith("google")
        assert not any(value.endswith("-key") for key, value in request.params if key != "key")


def test_long_queries_keep_their_filters_within_the_limits() -> None:
    text = "wörter und 鳥 " * 60
    for name, key, most_words in (("brave.web", "q", 50), ("tavily.web", "query", 400)):
        provider, kind = name.split(".")
        query = WebQuery(text=text, exact_terms="snowy owl", sites=tuple(f"s{n}.example" for n in range(40)))
        request = next(getattr(MODULES[provider], kind)(query, Access(KEYS, NOW)))
        sent = json.loads(request.body)[key] if request.body else dict(request.params)[key]
        assert len(sent) <= 400
        assert len(sent.split()) <= most_words
        assert '"snowy owl"' in sent
        assert sent.startswith("wörter und")


def test_too_many_unwanted_terms_for_brave_are_admitted() -> None:
    _, found = ask("brave.web", {"exclude_terms": " ".join(f"t{n}" for n in range(60))}, NOTHING["brave"])
    assert found.not_applied == {"exclude_terms"}
