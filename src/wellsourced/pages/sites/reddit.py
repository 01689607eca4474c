"""Reddit posts: the post page and the best comments, with what the page says of votes.

Facts: the post page may carry a DiscussionForumPosting and a `shreddit-post` element, or only OpenGraph tags (recorded
2026-01); comments come from `/svc/shreddit/comments/…` as `shreddit-comment` elements. The `.json` addresses answer
403 without a login and are not used. Whenever neither text nor comments are found, the page is left to the usual way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import Any

from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import ForumSignals, Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_requests
from wellsourced.pages.sites.comment_markdown import comment_markdown
from wellsourced.text.plain_text import one_line, strip_invisible, strip_markup
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Provider

DOMAINS = ("reddit.com",)
SITE = Provider(
    name="reddit",
    title="Reddit",
    bases={"": "https://www.reddit.com"},
    about="Posts with their best comments.",
)
WAY = "reddit:comments"
MOST_COMMENTS = 40
FEW_VOTES = 20
FEW_VOTES_NOTE = "Fewer than 20 votes: a score this low is easily made by a handful of accounts."
LONGEST_PAGE = 2_000_000

ELEMENT = re.compile(
    r"""<(shreddit-post|shreddit-comment)(?=[\s>])((?:[^<>"']++|"[^"]{0,4000}"|'[^']{0,4000}'){0,200}+)>"""
)
ATTRIBUTE = re.compile(r"""([\w:-]{1,60})\s*=\s*(?:"([^"]{0,4000})"|'([^']{0,4000})')""")
JSON_LD = re.compile(r"<script\b[^<>]{0,200}application/ld\+json[^<>]{0,200}>", re.I)
MOST_BLOCKS = 16
META = re.compile(r"<meta\b([^<>]{1,3000})>", re.I)
DEPTHS = frozenset("12345")
NEXT_PART = re.compile(r"</?shreddit-|<[a-z-]{1,40}\s[^<>]{0,500}?\bslot=")
CONTENT_MARK = "-post-rtjson-content"

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Post:
    """What could be learnt of a post. -1 stands for a count that is not given."""

    title: str = ""
    body: str = ""
    link: str = ""
    author: str = ""
    date: str = ""
    votes: int = -1
    comments: int = -1


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and _place(address) is not None


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    place = _place(address) if address else None
    if place is None:
        return None
    group, number = place
    post_page = Request.get(f"/r/{group}/comments/{number}/")
    comments = Request.get(f"/svc/shreddit/comments/r/{group}/t3_{number}", {"sort": "top"})
    shown, said = [_markup(reply) for reply in (yield from send_requests([post_page, comments]))]
    post, voices = _post(shown), list(_comments(said or shown))
    if not post.title or not (post.body or voices):
        return None
    canonical = f"https://www.reddit.com/r/{group}/comments/{number}/"
    return SitePage(page=_page(canonical, group, post, voices), extracted_by=WAY, truncated=post.comments > len(voices))


def _place(address: WebUrl) -> tuple[str, str] | None:
    parts = address.segments
    if len(parts) < 4 or parts[0] not in {"r", "user"} or parts[2] != "comments" or len(parts) > 5:
        return None
    is_known = re.fullmatch(r"\w{2,30}", parts[1], re.A) and re.fullmatch(r"[a-z0-9]{4,10}", parts[3])
    return (parts[1], parts[3]) if is_known and parts[0] == "r" else None


def _markup(reply: Reply | None) -> str:
    return reply.text[:LONGEST_PAGE] if reply is not None and reply.status == 200 else ""


def _page(url: str, group: str, post: Post, voices: list[str]) -> Page:
    facts = [f"r/{group}", f"u/{post.author}" if post.author else "", post.date[:10]]
    facts += [
        f"{post.votes:,} votes" if post.votes >= 0 else "",
        f"{post.comments:,} comments" if post.comments >= 0 else "",
    ]
    lead = [f"# {post.title}", " · ".join(fact for fact in facts if fact)]
    parts = [*lead, f"Link: {post.link}" if post.link else "", post.body]
    parts += ["## Comments", *voices] if voices else []
    signals = ForumSignals(
        platform="reddit",
        upvotes=post.votes,
        comments=post.comments,
        date_published=post.date,
        author_name=post.author,
        credibility_note=FEW_VOTES_NOTE if 0 <= post.votes < FEW_VOTES else "",
    )
    return Page(
        url=url,
        markdown="\n\n".join(part for part in parts if part),
        title=post.title,
        author=post.author,
        date=post.date[:10],
        site="Reddit",
        forum=signals,
    )


def _post(markup: str) -> Post:
    """The post's own element first, then the structured data, then the tags for previews."""
    element, body = _post_element(markup)
    data = _posting(markup)
    meta = _meta(markup)
    title = element.get("post-title") or _text(data, "headline") or _preview_title(meta)
    author = data.get("author")
    return Post(
        title=one_line(title),
        link=_link(element),
        body=body or strip_invisible(_text(data, "text") or _text(data, "articleBody")).strip(),
        author=one_line(element.get("author") or (_text(author, "name") if isinstance(author, dict) else "")),
        date=element.get("created-timestamp") or _text(data, "datePublished"),
        votes=_count(
            element.get("score"),
            data.get("upvoteCount"),
            _statistic(data, ("LikeAction", "VoteAction", "UpvoteAction")),
        ),
        comments=_count(
            element.get("comment-count"), data.get("commentCount"), _statistic(data, ("CommentAction", "ReplyAction"))
        ),
    )


def _link(element: Mapping[str, str]) -> str:
    """What a post points at that lies elsewhere; a post with a text of its own points at itself."""
    target = one_line(element.get("content-href", ""))
    address = parse_web_url(target)
    return target if address and not address.is_under(*DOMAINS) else ""


def _post_element(markup: str) -> tuple[dict[str, str], str]:
    for match in ELEMENT.finditer(markup):
        if match[1] == "shreddit-post":
            end = markup.find("</shreddit-post", match.end())
            return _attributes(match[2]), _content(markup[match.end() : end if end >= 0 else match.end() + 60_000])
    return {}, ""


def _comments(markup: str) -> Iterator[str]:
    """Each with its author and score; answers are quoted one level for each level of depth."""
    places = [match for match in ELEMENT.finditer(markup) if match[1] == "shreddit-comment"][:MOST_COMMENTS]
    ends = [match.start() for match in places[1:]] + [len(markup)]
    for match, end in zip(places, ends, strict=False):
        attributes = _attributes(match[2])
        text = _content(markup[match.end() : min(end, match.end() + 60_000)])
        if not text:
            continue
        score = attributes.get("score", "")
        byline = [f"**u/{one_line(attributes.get('author') or '[deleted]')}**", attributes.get("created", "")[:10]]
        byline += [f"{score} votes"] if score.lstrip("-").isdecimal() else []
        depth = attributes.get("depth", "0")
        yield _quoted(f"{' · '.join(part for part in byline if part)}\n\n{text}", int(depth) if depth in DEPTHS else 0)


def _content(markup: str) -> str:
    """The text inside the element whose id ends in the mark; it ends before the next part of the frame."""
    mark = markup.find(CONTENT_MARK)
    start = markup.find(">", mark) if mark >= 0 else -1
    if start < 0:
        return ""
    stop = NEXT_PART.search(markup, start)
    inside = markup[start + 1 : stop.start() if stop else len(markup)]
    return comment_markdown(inside[: inside.rfind(">") + 1] if "<" in inside else inside)


def _quoted(text: str, depth: int) -> str:
    mark = "> " * depth
    return "\n".join(f"{mark}{line}".rstrip() for line in text.split("\n"))


def _attributes(written: str) -> dict[str, str]:
    return {name.lower(): unescape(double or single) for name, double, single in ATTRIBUTE.findall(written)}


def _posting(markup: str) -> Fields:
    for match in islice(JSON_LD.finditer(markup), MOST_BLOCKS):
        try:
            value = json.loads(markup[match.end() : max(match.end(), markup.find("</script", match.end()))])
        except (ValueError, RecursionError):
            continue
        listed = value if isinstance(value, list) else [value]
        posting = next(
            (item for item in listed if isinstance(item, dict) and item.get("@type") == "DiscussionForumPosting"), None
        )
        if posting:
            return posting
    return {}


def _statistic(data: Fields, kinds: tuple[str, ...]) -> object:
    listed = data.get("interactionStatistic")
    for item in listed if isinstance(listed, list) else [listed]:
        if not isinstance(item, dict):
            continue
        kind = item.get("interactionType")
        name = kind.get("@type") if isinstance(kind, dict) else kind
        if isinstance(name, str) and name.rpartition("/")[2] in kinds:
            return item.get("userInteractionCount")
    return None


def _meta(markup: str) -> dict[str, str]:
    tags = [_attributes(match[1]) for match in META.finditer(markup[:200_000])]
    return {tag.get("property") or tag.get("name") or "": tag.get("content", "") for tag in tags}


def _preview_title(meta: Mapping[str, str]) -> str:
    title = strip_markup(meta.get("og:title", ""))
    return title.partition(" on Reddit: ")[2] or title


def _count(*values: object) -> int:
    for value in values:
        if type(value) is int:
            return value
        if isinstance(value, str) and value.isascii() and value.lstrip("-").isdecimal() and len(value) < 12:
            return max(-1, int(value))
    return -1


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
