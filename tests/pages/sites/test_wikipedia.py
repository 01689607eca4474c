"""Wikipedia: any language, redirects, disambiguation, and what the interface refuses."""

from __future__ import annotations

import pytest

from tests.pages.sites.conversation import Answers, hold, page_of
from tests.upstreams.conversation import reply
from wellsourced.errors import NotFound, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply, Request

ARTICLE = "https://ja.wikipedia.org/wiki/%E6%B8%AF"
PARSED = {
    "title": "港", "pageid": 1, "revid": 2, "displaytitle": '<span class="mw-page-title-main">港</span>',
    "text": '<div class="mw-parser-output"><p>港は…</p><h2 id="x">歴史</h2></div>', "properties": {},
}  # fmt: skip
HISTORY = {"query": {"pages": [{"title": "港", "revisions": [{"timestamp": "2026-03-04T05:06:07Z"}]}]}}


def site(parsed: object, history: Reply | None = None, extract: object = "oops") -> Answers:
    def answer(request: Request) -> Reply | None:
        if dict(request.params).get("prop") == "extracts":
            return reply(extract)
        return reply(parsed) if dict(request.params)["action"] == "parse" else history

    return answer


def test_an_article_in_any_language() -> None:
    asked, found = hold(ARTICLE, site({"parse": PARSED}, reply(HISTORY)))
    assert found is not None
    page = found.page
    assert {request.path for request in asked} == {"https://ja.wikipedia.org/w/api.php"}
    assert dict(asked[0].params)["page"] == "港"
    assert (page.title, page.date, page.site, page.language) == ("港", "2026-03-04", "Wikipedia", "ja")
    assert page.url == ARTICLE
    assert "<h2" in found.html
    assert found.extracted_by == "wikipedia:api"


def test_a_set_address_is_asked_for_every_language() -> None:
    asked, _ = hold(ARTICLE, site({"parse": PARSED}), {"WIKIPEDIA_BASE_URL": "http://127.0.0.1:9"})
    assert {request.path for request in asked} == {"/w/api.php"}


def test_redirects_and_disambiguation_are_noted_and_a_missing_date_does_no_harm() -> None:
    parsed = {
        **PARSED,
        "title": "Port",
        "displaytitle": None,
        "redirects": [{"from": "Haven", "to": "Port"}],
        "properties": {"disambiguation": ""},
    }
    page = page_of("https://en.wikipedia.org/wiki/Haven", site({"parse": parsed}, reply("oops"))).page
    assert (page.title, page.date, page.url) == ("Port", "", "https://en.wikipedia.org/wiki/Port")
    assert page.notes[0] == "'Haven' leads to the article 'Port'."
    assert "disambiguation" in page.notes[1]


def test_what_cannot_be_shown_whole_is_given_as_plain_text() -> None:
    broken = {"error": {"code": "internal_api_error"}}
    text = {"query": {"pages": {"1": {"title": "Port", "extract": "A port is a place.\n\n== History ==\nOld."}}}}
    found = page_of(ARTICLE, site(broken, reply(HISTORY), text))
    assert found.page.markdown == "# Port\n\nA port is a place.\n\n\n## History\n\nOld."
    assert (found.page.date, found.extracted_by) == ("2026-03-04", "wikipedia:extract")
    assert "plain text" in found.page.notes[0]
    with pytest.raises(NotFound):
        hold(ARTICLE, site(broken, None, {"query": {"pages": [{"title": "X", "missing": True}]}}))


def test_refusals() -> None:
    with pytest.raises(NotFound):
        hold(ARTICLE, site({"error": {"code": "missingtitle", "info": "The page you specified doesn't exist."}}))
    with pytest.raises(RateLimited):
        hold(ARTICLE, site({"error": {"code": "ratelimited"}}))
    with pytest.raises(UpstreamChanged):
        hold(ARTICLE, site({"error": {"code": "internal_api_error"}}))
    assert hold(ARTICLE, site({"error": {"code": "pagecannotexist"}}))[1] is None
    with pytest.raises(UpstreamUnavailable):
        hold(ARTICLE, lambda _: None)
