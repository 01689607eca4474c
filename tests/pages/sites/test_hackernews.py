"""Hacker News: recorded items, and a small discussion with everything that can be missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.pages.sites.conversation import Answers, hold, page_of
from tests.upstreams.conversation import reply
from wellsourced.errors import NotFound, UpstreamChanged
from wellsourced.http_exchange import Reply, Request

ITEM = "https://news.ycombinator.com/item?id="


def site(items: Mapping[str, Reply | None]) -> Answers:
    def answer(request: Request) -> Reply | None:
        return items.get(request.path.removesuffix(".json").rsplit("/", 1)[-1], reply("null"))

    return answer


def recorded(shared: Path, name: str) -> Reply:
    return reply((shared / "wire/hackernews" / f"firebase_{name}.json").read_bytes())


def test_a_recorded_story_with_its_comment(shared: Path) -> None:
    items = {"21500569": recorded(shared, "item_story"), "21500829": recorded(shared, "item_comment")}
    asked, found = hold(f"{ITEM}21500569", site(items))
    assert found is not None
    page = found.page
    assert page.title == "‘It’s Mutilation’: The Police in Chile Are Blinding Protesters"
    assert (page.author, page.date, page.content_type, found.extracted_by) == (
        "xaro",
        "2019-11-10",
        "hn",
        "hackernews:api",
    )
    assert page.forum is not None
    assert (page.forum.platform, page.forum.upvotes, page.forum.comments) == ("hackernews", 21, 3)
    assert "**vanniv** (2019-11-10):\n\nI find it fascinating" in page.markdown
    assert [request.path for request in asked] == ["/item/21500569.json", "/item/21500829.json", "/item/21500985.json"]


def test_missing_and_deleted_items_are_not_found(shared: Path) -> None:
    for name in ("item_missing", "item_deleted"):
        with pytest.raises(NotFound):
            hold(f"{ITEM}3000", site({"3000": recorded(shared, name)}))


def test_a_recorded_list_and_a_recorded_user(shared: Path) -> None:
    story = {
        "id": 5,
        "type": "story",
        "title": "Häfen 港",
        "by": "a",
        "time": 1573424582,
        "score": 1,
        "url": "https://h.example/",
    }
    items: dict[str, Reply | None] = {
        "topstories": recorded(shared, "topstories"),
        "21299546": reply(story),
        "21278790": None,
    }
    asked, found = hold("https://news.ycombinator.com/", site(items))
    assert found is not None
    assert len(asked) == 21
    assert found.truncated
    assert "1. [Häfen 港](https://h.example/) — 1 point · by a · 2019-11-10" in found.page.markdown
    user = page_of("https://news.ycombinator.com/user?id=tomek", site({"tomek": recorded(shared, "user")})).page
    assert (user.author, user.title) == ("tomek", "tomek on Hacker News")
    assert "- Karma: 6\n- Member since: 2007-07-31\n- Submissions: 20" in user.markdown


def test_dead_and_deleted_comments_are_left_out_and_answers_are_quoted() -> None:
    story = {"id": 1, "type": "story", "title": "T", "by": "a", "descendants": 9, "text": "<p>Why <i>so</i>?"}
    link = '<a href="https:&#x2F;&#x2F;e.example&#x2F;1" rel="nofollow">https:&#x2F;&#x2F;e.ex...</a>'
    code = "<pre><code>  if x &lt; 1:\n    pass</code></pre>"
    items: dict[str, Reply | None] = {
        "1": reply({**story, "kids": [2, 3, 4, 5, 7, 8]}),
        "2": reply({"id": 2, "by": "b", "text": f"One<p>Two {link}", "kids": [6]}),
        "3": reply({"id": 3, "deleted": True}),
        "4": reply({"id": 4, "by": "d", "text": "dead", "dead": True}),
        "5": None,
        "7": reply("<html>busy"),
        "8": reply({"error": "x"}),
        "6": reply({"id": 6, "by": "e", "parent": 2, "text": code}),
    }
    found = page_of(f"{ITEM}1", site(items))
    assert "Why *so*?" in found.page.markdown
    assert (
        "One\n\nTwo https://e.example/1\n\n> **e** ():\n>\n> ```\n>   if x < 1:\n>     pass\n> ```"
        in found.page.markdown
    )
    assert "dead" not in found.page.markdown
    assert found.truncated


def test_a_comment_page_quotes_what_it_answers(shared: Path) -> None:
    items = {"21500569": recorded(shared, "item_story"), "21500829": recorded(shared, "item_comment")}
    page = page_of(f"{ITEM}21500829", site(items)).page
    assert page.title == "Comment by vanniv on Hacker News"
    assert "In reply to xaro:\n\n> ‘It’s Mutilation’" in page.markdown


def test_an_answer_of_another_shape_is_a_change() -> None:
    with pytest.raises(UpstreamChanged):
        hold("https://news.ycombinator.com/best", lambda _: reply({"error": "x"}))
