"""Title, author and the rest of what a page says about itself."""

from __future__ import annotations

import json

import pytest

from wellsourced.pages.html import blocks, dom, forum, metadata, structured_data

URL = "https://www.news.example/2020/05/a-story"


def read(head: str, body: str = "<p>Text</p>") -> metadata.HtmlMetadata:
    document = dom.parse(f"<html lang=en-GB><head>{head}</head><body>{body}</body></html>")
    declared = structured_data.read_structured_data(document)
    return metadata.read_metadata(document, declared, URL, blocks.outline(document))


def ld(**fields: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps(fields)}</script>"


AUTHORS = {
    "JSON-LD person": (
        ld(**{"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ada Byron"}}), "", "Ada Byron",
    ),
    "JSON-LD list": (ld(**{"@type": "Article", "author": [{"name": "A B"}, {"name": "C D"}]}), "", "A B, C D"),
    "JSON-LD reference": (
        ld(**{"@graph": [{"@type": "Article", "author": {"@id": "#p"}}, {"@id": "#p", "name": "Eva Núñez"}]}),
        "", "Eva Núñez",
    ),
    "meta": ("<meta name=author content='By Jane Doe'>", "", "Jane Doe"),
    "an address is no name": ("<meta property=article:author content='https://facebook.example/jane'>", "", ""),
    "citation tags": (
        "<meta name=citation_author content='Li, Wei'><meta name=citation_author content='Roe, J.'>",
        "", "Li, Wei; Roe, J",
    ),
    "names of one word": (ld(**{"@type": "Article", "author": ["Reuters", "C D"]}), "", "Reuters; C D"),
    "names that begin like a byline": ("<meta name=author content='Von Neumann'>", "", "Von Neumann"),
    "a byline of another language": ("", "<p class=byline>Von Anna Müller</p>", "Anna Müller"),
    "names with small words": ("<meta name=author content='Kim In Sook'>", "", "Kim In Sook"),
    "wrapped JSON-LD": (
        '<script type="application/ld+json">//<![CDATA[\n{"@type":"Article","author":"Tom &amp; Ada"}\n//]]></script>',
        "", "Tom & Ada",
    ),
    "byline": ("", "<div class=byline>By <a href=/x>Grace Hopper</a> | 3 May 2020</div>", "Grace Hopper"),
    "rel": ("", "<a rel=author href=/x>王小明</a>", "王小明"),
    "bylines of many others": ("", "".join(f"<i class=author>Name {n}</i>" for n in "abcdef"), ""),
    "two names": ("", "<h1>T</h1><p>By <a href=/x>Ada Byron</a> and <a href=/y>Eva Roe</a></p>", "Ada Byron, Eva Roe"),
    "a label of its own": ("", "<h1>T</h1><div>Written by</div><div>Ada Byron, Senior Editor</div>", "Ada Byron"),
    "beside the date": ("", "<h1>T</h1><p><b>Ada Byron</b> <i>May 3, 2020</i></p>", "Ada Byron"),
    "a thread": ("", "<h1>T</h1><ul class=p-description><li>Thread starter <a class=username>ada_b</a></ul>", "ada_b"),
    "no sentence": ("", "<h1>T</h1><p>By clicking on it you agree</p>", ""),
    "a person before the site": (
        ld(**{"@type": "Article", "author": "Tea News"}) + "<meta property=og:site_name content='Tea News'>",
        "<h1>T</h1><p>by Ada Byron</p>", "Ada Byron",
    ),
    "the site where no person is named": (
        ld(**{"@type": "Article", "author": "Tea News"}) + "<meta property=og:site_name content='Tea News'>", "",
        "Tea News",
    ),
    "noise": ("<meta name=author content=undefined><meta name=byl content='By Staff'>", "", ""),
    "nothing": ("", "<p>by the river</p>", ""),
}  # fmt: skip


@pytest.mark.parametrize(("head", "body", "expected"), AUTHORS.values(), ids=AUTHORS)
def test_author(head: str, body: str, expected: str) -> None:
    assert read(head, body).author == expected


TITLES = {
    "heading that the title confirms": (
        "<title>A long story of tea - News</title>", "<h1>A long story<br>of tea</h1>", "A long story of tea",
    ),
    "heading of the site": ("<title>A long story of tea</title>", "<h1>Daily News</h1>", "A long story of tea"),
    "site name cut": ("<title>Tea | The News</title><meta property=og:site_name content='The News'>", "", "Tea"),
    "no title": ("", "<h1>Über Tee</h1>", "Über Tee"),
    "no title but data": (ld(**{"@type": "Article", "headline": "Tea &amp; milk"}), "<h1>News</h1>", "Tea & milk"),
    "heading that is the site": (
        "<title>Tea - News</title><meta property=og:site_name content=News>", "<h1>News</h1>", "Tea",
    ),
    "heading that ends the title tag": (
        "<title>The road over the pass - Tea Forum</title>", "<h1>Tea Forum</h1><h2>The road over the pass</h2>",
        "The road over the pass",
    ),
    "headline of the page's data": (
        "<title>Tea tips for every year | Tea</title>" + ld(**{"@type": "Article", "headline": "Tea 101: how to brew"}),
        "<h1>Tea 101: how to brew</h1>", "Tea 101: how to brew",
    ),
    "slashes": ("<title>How tea came to Ladakh / Roads / Forum</title>", "", "How tea came to Ladakh"),
    "wide bar": ("<title>お茶の話｜新聞</title><meta property=og:site_name content=新聞>", "", "お茶の話"),
    "offered": ("<meta property=og:title content='Über Tee'><title>x</title>", "", "Über Tee"),
}  # fmt: skip


@pytest.mark.parametrize(("head", "body", "expected"), TITLES.values(), ids=TITLES)
def test_title(head: str, body: str, expected: str) -> None:
    assert read(head, body).title == expected


def test_a_site_that_only_the_title_tag_names() -> None:
    assert read("<title>Roads | The News</title>").site == "news.example"
    assert read("<title>Roads over the pass | NEWS</title>").site == "NEWS"


def test_the_rest() -> None:
    found = read("<link rel=canonical href=/story><meta name=description content='On \u200btea'>")
    assert found.canonical_url == "https://www.news.example/story"
    assert (found.language, found.site, found.description) == ("en-GB", "news.example", "On tea")
    assert read("<link rel=canonical href=https://shop.example/tea>").canonical_url == ""


def test_an_address_that_cannot_be_read_costs_nothing_else() -> None:
    found = read("<title>Tea</title><link rel=canonical href='http://[bad'><base href='http://[worse'>")
    assert (found.title, found.canonical_url) == ("Tea", "")


def test_structured_data_is_bounded() -> None:
    blocks = "".join(ld(number=n) for n in range(20)) + "<script type='application/ld+json'>{broken</script>"
    huge = ld(text="x" * 40_000)
    many = "".join(f"<meta property='og:p{n}' content='{'é' * 3000}'>" for n in range(80))
    data = structured_data.read_structured_data(dom.parse(huge + blocks + many)).data
    assert [block["number"] for block in data.json_ld] == list(range(16))
    assert len(data.open_graph) == 64
    assert all(len(value.encode()) <= 2048 for value in data.open_graph.values())


def test_letters_nobody_can_see_are_left_out_of_declared_data() -> None:
    tags = "\U000e006f\U000e0062"
    for written in (tags, "\\uDB40\\udc6f\\udb40\\uDC62"):
        block = f'<script type="application/ld+json">{{"name": "Te{written}a\u200f"}}</script>'
        assert structured_data.read_structured_data(dom.parse(block)).data.json_ld == ({"name": "Tea\u200f"},)


def test_deep_json_is_survived() -> None:
    data = structured_data.read_structured_data(
        dom.parse(f"<script type='application/ld+json'>{'[' * 100_000}</script>")
    ).data
    assert not data


POST = {
    "@type": "DiscussionForumPosting", "author": {"name": "someone"}, "datePublished": "2026-01-02", "commentCount": 4,
    "interactionStatistic": [{"interactionType": {"@type": "LikeAction"}, "userInteractionCount": 7}],
}  # fmt: skip


def test_forum_signals() -> None:
    declared = structured_data.read_structured_data(dom.parse(ld(**POST)))
    found = forum.read_forum_signals(declared, "https://www.reddit.com/r/tea/comments/1")
    assert found is not None
    assert (found.upvotes, found.comments, found.author_name) == (7, 4, "someone")
    assert "7 upvotes" in found.credibility_note
    assert forum.read_forum_signals(declared, "https://notreddit.com/r/tea") is None


def test_unknown_votes_are_minus_one_and_not_few() -> None:
    declared = structured_data.read_structured_data(dom.parse(ld(**{"@type": "DiscussionForumPosting"})))
    found = forum.read_forum_signals(declared, "https://reddit.com/r/tea")
    assert found is not None
    assert (found.upvotes, found.comments, found.credibility_note) == (-1, -1, "")
