"""DuckDuckGo's page: requests, recorded pages, advertisements, further pages and walls."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, first_request, form, reply
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import duckduckgo
from wellsourced.upstreams.types.search import WebQuery

NOW = datetime(2026, 5, 10, 12, 0, tzinfo=UTC)
ACCESS = Access({}, NOW)
CATS = WebQuery(text="cats")


def block(href: str, title: str = "T", extra: str = "", kind: str = "web-result") -> str:
    return (
        f'<div class="result results_links {kind}"><h2><a class="result__a" href="{href}">{title}</a></h2>'
        f'<div class="result__extras__url"><a class="result__url">x</a>{extra}</div>'
        f'<a class="result__snippet" href="{href}">some <b>words</b> &amp; more</a></div>'
    )


def page(*blocks: str, following: int = 0) -> Reply:
    fields = f'<input name="q" value="cats"><input name="s" value="{following}"><input name="vqd" value="4-1">'
    button = f'<div class="nav-link"><form><input type="submit" value="Next">{fields}</form></div>' if following else ""
    return reply(f'<html><body><div id="links">{"".join(blocks)}{button}</div></body></html>')


CHALLENGE = '<form id="challenge-form" action="//duckduckgo.com/anomaly.js?x=1"></form>'


def test_every_recorded_page(shared: Path) -> None:
    bodies = {path.name: path.read_bytes() for path in (shared / "wire/duckduckgo").glob("*.html")}
    results, none, wall = (
        "html_results_rust.html",
        "html_no_results_fragment.documented.html",
        "html_challenge_anomaly.html",
    )
    assert set(bodies) == {results, none, wall}
    _, found = converse(duckduckgo.web(WebQuery(text="rust", count=10), ACCESS), reply(bodies[results]))
    assert len(found.items) == 10
    assert found.more_available is True
    assert (found.items[0].title, found.items[0].url) == ("Rust Programming Language", "https://rust-lang.org/")
    assert found.items[0].snippet.startswith("Rust is a fast, reliable, and productive programming language that")
    assert found.items[0].published_at is None
    assert found.items[2].published_at == datetime(2026, 2, 28, 12, 30, tzinfo=UTC)
    assert "I didn't know" in found.items[2].snippet
    _, found = converse(duckduckgo.web(CATS, ACCESS), reply(bodies[none]))
    assert (found.items, found.more_available) == ((), False)
    for status in (200, 202, 303):
        with pytest.raises(errors.Blocked, match=r"hours.*BRAVE_API_KEY"):
            converse(duckduckgo.web(CATS, ACCESS), reply(bodies[wall], status))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (CATS, {}),
        (WebQuery(text="cats", time_range="hour"), {"df": "d"}),
        (WebQuery(text="cats", time_range="year"), {"df": "y"}),
        (WebQuery(text="cats", safe="off"), {"kp": "-2"}),
        (WebQuery(text="cats", safe="high"), {"kp": "1"}),
        (WebQuery(text="cats", country="GB"), {"kl": "uk-en"}),
        (WebQuery(text="cats", exact_terms="a b", exclude_terms='x "y z"'), {"q": 'cats "a b" -x -"y z"'}),
        (WebQuery(text="cats", sites=("a.test", "b.test/c")), {"q": "cats (site:a.test OR site:b.test/c)"}),
        (WebQuery(text="cat " * 200, sites=("a.test",)), {"q": "cat " * 122 + "site:a.test"}),
    ],
)
def test_each_filter_in_the_request(query: WebQuery, expected: dict[str, str]) -> None:
    request = first_request(duckduckgo.web(query, ACCESS))
    assert (request.method, request.path, request.params) == ("POST", "/html/", ())
    assert form(request) == {"q": "cats", "b": "", "kl": "wt-wt"} | expected
    assert request.headers["Referer"] == "https://html.duckduckgo.com/"
    assert request.headers["Sec-Fetch-Mode"] == "navigate"
    assert request.headers["User-Agent"].startswith("Mozilla/5.0 ")
    assert request.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert request.headers.get("Cookie") == (f"kp={expected['kp']}" if "kp" in expected else None)


@pytest.mark.parametrize(
    ("country", "language", "region", "unsent"),
    [
        (None, None, "wt-wt", set()),
        ("US", None, "us-en", set()),
        ("us", "es", "us-es", set()),
        ("ch", "fr", "ch-fr", set()),
        ("DE", "en", "de-de", {"language"}),
        ("uk", "en-GB", "uk-en", set()),
        ("SI", "sl", "sl-sl", set()),
        (None, "pt-BR", "br-pt", set()),
        (None, "ja", "jp-jp", set()),
        (None, "zh-Hant-TW", "tw-tzh", set()),
        (None, "nb", "no-no", set()),
        (None, "en", "us-en", set()),
        ("EG", "ar", "xa-ar", set()),
        (None, "ar", "xa-ar", set()),
        ("GL", "da", "dk-da", {"country"}),
        ("GL", None, "wt-wt", {"country"}),
        (None, "sw", "wt-wt", {"language"}),
    ],
)
def test_regions(country: str | None, language: str | None, region: str, unsent: set[str]) -> None:
    query = WebQuery(text="x", country=country, language=language)
    requests, found = converse(duckduckgo.web(query, ACCESS), page(block("https://a.test/")))
    assert (form(requests[0])["kl"], found.not_applied) == (region, frozenset(unsent))


def test_redirects_are_unwrapped_and_advertisements_left_out() -> None:
    wrapped = "//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.test%2F%3Fx%3D1%26y%3D2&amp;rut=abc"
    advert = "https://duckduckgo.com/y.js?ad_domain=shop.test&u3=x"
    blocks = [
        block(wrapped, "One &amp; <b>only</b>"),
        block(advert, "Buy", kind="result--ad"),
        block(advert, "Buy"),
        block("http://www.a.test/?x=1&amp;y=2", "Again"),
        block("javascript:x"),
    ]
    _, found = converse(duckduckgo.web(CATS, ACCESS), page(*blocks))
    assert [(hit.title, hit.url) for hit in found.items] == [("One & only", "https://a.test/?x=1&y=2")]
    assert found.items[0].snippet == "some words & more"


def test_only_advertisements_are_nothing_found() -> None:
    _, found = converse(duckduckgo.web(CATS, ACCESS), page(block("https://x.test/", kind="result--ad")))
    assert found.items == ()


def test_further_pages_are_asked_with_the_fields_of_the_page_before() -> None:
    first = page(block("https://a.test/1"), block("https://a.test/2"), following=10)
    second = page(block("https://a.test/2"), block("https://a.test/3"), following=10)
    query = WebQuery(text="cats", count=9, time_range="week")
    requests, found = converse(duckduckgo.web(query, ACCESS), first, second)
    assert form(requests[1]) == {"q": "cats", "s": "10", "vqd": "4-1", "df": "w"}
    assert [hit.url[-1] for hit in found.items] == ["1", "2", "3"]
    assert found.more_available is False


def test_a_wall_on_a_later_page_does_not_cost_the_first() -> None:
    first = page(block("https://a.test/1"), following=10)
    _, found = converse(duckduckgo.web(CATS, ACCESS), first, reply(CHALLENGE, 202))
    assert len(found.items) == 1
    assert "no further page" in found.notes[0]


def test_an_hour_is_asked_for_as_a_day_and_reported() -> None:
    _, found = converse(duckduckgo.web(WebQuery(text="x", time_range="hour"), ACCESS), page(block("https://a.test/1")))
    assert found.not_applied == {"time_range"}


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply("", 429, retry_after="9"), errors.RateLimited),
        (reply(CHALLENGE, 200), errors.Blocked),
        (reply("", 202), errors.Blocked),
        (reply("", 303, location="https://duckduckgo.com/"), errors.Blocked),
        (reply("no", 403), errors.Blocked),
        (reply("gone", 404), errors.UpstreamChanged),
        (reply("oops", 503), errors.UpstreamUnavailable),
        (reply("<html><body>Welcome</body></html>"), errors.UpstreamChanged),
        (reply(""), errors.UpstreamChanged),
        (reply(b"\xff\x00\xfe" * 100), errors.UpstreamChanged),
        (reply('<a class="result__a" href="https://a.test/">new layout</a>'), errors.UpstreamChanged),
    ],
)
def test_failures_are_told_apart(failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(duckduckgo.web(CATS, ACCESS), failure)
    assert type(caught.value) is kind


def test_a_result_about_the_challenge_is_not_the_challenge() -> None:
    _, found = converse(duckduckgo.web(CATS, ACCESS), page(block("https://a.test/", "form#challenge-form anomaly.js")))
    assert len(found.items) == 1


def test_a_page_cut_on_the_way_is_told_and_never_taken_for_nothing() -> None:
    whole = page(block("https://a.example/"), block("https://b.example/"))
    middle = whole.text.rindex("<div", 0, whole.text.index("b.example"))
    _, found = converse(duckduckgo.web(WebQuery(text="owls"), ACCESS), reply(whole.text[:middle]))
    assert [hit.url for hit in found.items] == ["https://a.example/"] and "cut short" in found.notes[0]
    no_results = '<html><body><div class="result result--no-result">No</div><div id="li'
    with pytest.raises(errors.UpstreamChanged):
        converse(duckduckgo.web(WebQuery(text="owls"), ACCESS), reply(no_results))
