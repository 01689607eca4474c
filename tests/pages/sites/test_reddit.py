"""Reddit: the documented forms together make a post; the recorded head alone is left to the usual way."""

from __future__ import annotations

from pathlib import Path

from tests.pages.sites.conversation import Answers, hold, page_of
from tests.upstreams.conversation import reply
from wellsourced.http_exchange import Reply, Request

POST = "https://www.reddit.com/r/example/comments/abc123/title/"
ELEMENT = """<shreddit-post post-title="Cats &gt; dogs?" author="mia" score="12" comment-count="3"
 created-timestamp="2026-01-15T10:00:00.000000+0000"><div slot="text-body"><div id="t3_abc123-post-rtjson-content">
 <p>First <b>line</b>.</p><p>Zweite Zeile, 三行目.</p></div></div></shreddit-post>"""
COMMENTS = """<shreddit-comment author="a" score="5" created="2026-01-15T11:00:00+0000" depth="0">
 <div id="t1_x-post-rtjson-content"><p>Top.</p></div>
 <shreddit-comment author="b" score="-2" depth="1">
 <div id="t1_y-post-rtjson-content"><p>Answer.</p></div></shreddit-comment>
</shreddit-comment><shreddit-comment author="c" depth=""></shreddit-comment>"""


def site(page: str | bytes, comments: str | bytes | None) -> Answers:
    def answer(request: Request) -> Reply | None:
        if request.path.startswith("/svc/shreddit/comments/"):
            assert request.path == "/svc/shreddit/comments/r/example/t3_abc123"
            return None if comments is None else reply(comments)
        return reply(page)

    return answer


def test_structured_data_and_comments(shared: Path) -> None:
    data = (shared / "wire/reddit/post_jsonld.documented.json").read_text()
    comments = (shared / "wire/reddit/shreddit_comments.documented.html").read_bytes()
    found = page_of(POST, site(f'<script type="application/ld+json">{data}</script>', comments))
    page = found.page
    assert (page.title, page.author, page.date, page.site) == ("Title of the post", "username", "2024-03-15", "Reddit")
    assert page.forum is not None
    assert (page.forum.platform, page.forum.upvotes, page.forum.comments) == ("reddit", 12847, 342)
    assert page.forum.credibility_note == ""
    assert "Body of the post" in page.markdown
    assert "**u/alice** · 2024-01-15 · 12 votes\n\nText of the comment." in page.markdown
    assert found.truncated


def test_the_posts_own_element_and_answers_in_quotes() -> None:
    page = page_of(
        POST, site(ELEMENT.replace("score=", 'content-href="https://h.example/?a=1&amp;b" score='), COMMENTS)
    ).page
    assert page.title == "Cats > dogs?"
    assert "Link: https://h.example/?a=1&b\n\nFirst" in page.markdown
    own = ELEMENT.replace("score=", f'content-href="{POST}" score=')
    assert "Link:" not in page_of(POST, site(own, COMMENTS)).page.markdown
    assert "First **line**.\n\nZweite Zeile, 三行目." in page.markdown
    assert "**u/a** · 2026-01-15 · 5 votes\n\nTop.\n\n> **u/b** · -2 votes\n>\n> Answer." in page.markdown
    assert page.forum is not None
    assert page.forum.credibility_note


def test_paragraphs_counts_in_objects_and_talk_of_slots_are_kept() -> None:
    data = """{"@type": "DiscussionForumPosting", "headline": "T", "text": "One < 1.\\n\\nTwo.", "interactionStatistic":
     [{"interactionType": {"@type": "LikeAction"}, "userInteractionCount": 31}, null]}"""
    said = COMMENTS.replace("<p>Top.</p>", "<p>Use &lt;b slot=x&gt; here.</p>")
    page = page_of(POST, site(f'<script type="application/ld+json">{data}</script>', said)).page
    assert "One < 1.\n\nTwo." in page.markdown
    assert "slot=x> here." in page.markdown
    assert page.forum is not None
    assert page.forum.upvotes == 31


def test_a_head_without_text_is_left_to_the_usual_way(shared: Path) -> None:
    body = (shared / "wire/reddit/post_head_opengraph.html").read_bytes()
    assert hold(POST, site(body, None))[1] is None
    assert hold(POST, lambda _: reply("blocked", 403))[1] is None


def test_the_recorded_head_gives_the_title_when_there_are_comments(shared: Path) -> None:
    body = (shared / "wire/reddit/post_head_opengraph.html").read_bytes()
    assert page_of(POST, site(body, COMMENTS)).page.title == "My Lotus Elise 72D with 17” Rays Volk GT-P"
