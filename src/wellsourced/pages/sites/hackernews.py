"""Hacker News through its Firebase interface: items with their best comments, lists of stories, users.

API: github.com/HackerNews/API · Key: none · Recorded 2019. A missing item is 200 with `null`; a deleted one has
neither author nor text; texts are HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from wellsourced.errors import NotFound, UpstreamChanged, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import ForumSignals, Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request, send_requests
from wellsourced.pages.sites.comment_markdown import comment_markdown
from wellsourced.text.plain_text import one_line, strip_markup
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Provider

DOMAINS = ("news.ycombinator.com",)
SITE = Provider(
    name="hackernews-firebase",
    title="Hacker News",
    bases={"": "https://hacker-news.firebaseio.com/v0"},
    about="Stories, comments and users of Hacker News.",
)
PAGE = "https://news.ycombinator.com"
WAY = "hackernews:api"
LISTS = {
    "": ("topstories", "Top stories"),
    "news": ("topstories", "Top stories"),
    "newest": ("newstories", "New stories"),
    "best": ("beststories", "Best stories"),
    "ask": ("askstories", "Ask HN"),
    "show": ("showstories", "Show HN"),
    "jobs": ("jobstories", "Jobs"),
}
LATER_PAGES = frozenset({"p", "next", "n"})
LIST_LENGTH = 20
COMMENTS = 10
REPLIES = 2
POLL_OPTIONS = 20

Item = Mapping[str, Any]


def matches(address: WebUrl) -> bool:
    if address.host not in DOMAINS or len(address.segments) > 2:
        return False
    return _item_number(address) is not None or bool(_user_name(address)) or _list_name(address) is not None


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    if address is None:
        return None
    if (number := _item_number(address)) is not None:
        return (yield from _read_item(number))
    if name := _user_name(address):
        return (yield from _read_user(name))
    if (listed := _list_name(address)) is not None:
        return (yield from _read_list(url, listed))
    return None


def _item_number(address: WebUrl) -> int | None:
    if address.segments[:1] != ("item",):
        return None
    text = address.segments[1] if len(address.segments) > 1 else address.query.get("id", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 13 else None


def _user_name(address: WebUrl) -> str:
    if address.segments[:1] != ("user",):
        return ""
    return address.segments[1] if len(address.segments) > 1 else address.query.get("id", "")


def _list_name(address: WebUrl) -> str | None:
    name = "/".join(address.segments)
    return name if name in LISTS and not address.query.keys() & LATER_PAGES else None


def _read_item(number: int) -> SiteSteps[SitePage]:
    item = _item((yield from send_request(_item_request(number))))
    if item is None:
        raise NotFound(f"Hacker News has no item {number}.")
    if item.get("deleted"):
        raise NotFound(f"Item {number} on Hacker News was deleted.")
    options = yield from _items(_numbers(item, "parts")[:POLL_OPTIONS])
    kids = _numbers(item, "kids")
    comments = [kid for kid in (yield from _items(kids[: COMMENTS + 4])) if _is_shown(kid)][:COMMENTS]
    answers = yield from _items(reply for comment in comments for reply in _numbers(comment, "kids")[:REPLIES])
    parent = yield from _items([item["parent"]] if isinstance(item.get("parent"), int) else [])
    markdown = "\n\n".join(part for part in _item_parts(item, parent, options, comments, answers) if part)
    return SitePage(page=_item_page(item, markdown), extracted_by=WAY, truncated=len(kids) > len(comments))


def _read_list(url: str, name: str) -> SiteSteps[SitePage]:
    path, title = LISTS[name]
    numbers = (yield from send_request(Request.get(f"/{path}.json"))).expect_ok().json()
    if not isinstance(numbers, list) or not all(isinstance(number, int) for number in numbers):
        raise UpstreamChanged(f"Hacker News's list {path} is not a list of numbers.")
    stories = [story for story in (yield from _items(numbers[:LIST_LENGTH])) if _is_shown(story)]
    if numbers and not stories:
        raise UpstreamUnavailable("None of the listed stories could be fetched from Hacker News.")
    lines = [f"{place}. {_story_line(story)}" for place, story in enumerate(stories, start=1)]
    heading = f"Hacker News: {title}"
    page = Page(
        url=url, markdown="\n".join([f"# {heading}", "", *lines]), title=heading, site="Hacker News", content_type="hn"
    )
    return SitePage(page=page, extracted_by=WAY, truncated=len(numbers) > len(stories))


def _read_user(name: str) -> SiteSteps[SitePage]:
    reply = yield from send_request(Request.get(f"/user/{quote(name, safe='')}.json"))
    user = _item(reply, str)
    if user is None:
        raise NotFound(f"Hacker News has no user {name!r}.")
    known = one_line(str(user.get("id") or name))
    facts = [
        f"- Karma: {user.get('karma', 0)}",
        f"- Member since: {_date(user.get('created'))}",
        f"- Submissions: {len(_numbers(user, 'submitted'))}",
    ]
    about = comment_markdown(str(user.get("about") or ""))
    markdown = "\n\n".join(part for part in (f"# {known}", "\n".join(facts), about) if part)
    url = f"{PAGE}/user?id={quote(known, safe='')}"
    page = Page(
        url=url, markdown=markdown, title=f"{known} on Hacker News", author=known, site="Hacker News", content_type="hn"
    )
    return SitePage(page=page, extracted_by=WAY)


def _item_request(number: int) -> Request:
    return Request.get(f"/item/{number}.json")


def _items(numbers: Iterable[int]) -> SiteSteps[list[Item]]:
    """Those that could be had; a comment that is missing does not spoil the page."""
    replies = yield from send_requests([_item_request(number) for number in numbers])
    results = []
    for reply in replies:
        with suppress(WellsourcedError):
            results.append(_item(reply) if reply is not None else None)
    return [item for item in results if item is not None]


def _item(reply: Reply, id_type: type = int) -> Item | None:
    """An item, whose id is a number, or a user, whose id is a name."""
    item = reply.expect_ok().json()
    if item is not None and not (isinstance(item, dict) and type(item.get("id")) is id_type):
        raise UpstreamChanged("Hacker News's answer is not an item.", detail=reply.summary)
    return item


def _is_shown(item: Item) -> bool:
    return not item.get("deleted") and not item.get("dead") and bool(item.get("text") or item.get("title"))


def _item_parts(
    item: Item, parent: Sequence[Item], options: Sequence[Item], comments: Sequence[Item], answers: Sequence[Item]
) -> Iterable[str]:
    yield f"# {_title(item)}"
    yield _byline(item)
    if _link(item):
        yield f"Link: {_link(item)}"
    for above in parent:
        said = comment_markdown(str(above.get("text") or "")) or _title(above)
        yield f"In reply to {_name(above)}:\n\n{_quoted(said)}"
    yield comment_markdown(str(item.get("text") or ""))
    if options:
        yield "\n".join(
            f"- {strip_markup(str(option.get('text') or ''))} ({option.get('score', 0)})" for option in options
        )
    if comments:
        yield "## Comments"
    for comment in comments:
        yield _comment(comment)
        yield from (_quoted(_comment(answer)) for answer in answers if answer.get("parent") == comment.get("id"))


def _comment(item: Item) -> str:
    if not _is_shown(item):
        return ""
    return f"**{_name(item)}** ({_date(item.get('time'))}):\n\n{comment_markdown(str(item.get('text') or ''))}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n")) if text else ""


def _item_page(item: Item, markdown: str) -> Page:
    count, score = item.get("descendants"), item.get("score")
    signals = ForumSignals(
        platform="hackernews",
        upvotes=score if isinstance(score, int) else -1,
        comments=count if isinstance(count, int) else -1,
        date_published=_date(item.get("time")),
        author_name=_name(item),
    )
    return Page(
        url=f"{PAGE}/item?id={item['id']}",
        markdown=markdown,
        title=_title(item),
        author=_name(item),
        date=_date(item.get("time")),
        site="Hacker News",
        content_type="hn",
        forum=signals,
        notes=("This item was flagged dead by moderators.",) if item.get("dead") else (),
    )


def _title(item: Item) -> str:
    title = one_line(str(item.get("title") or ""))
    return title or f"Comment by {_name(item)} on Hacker News"


def _byline(item: Item) -> str:
    parts = [f"by {_name(item)}", _date(item.get("time"))]
    if isinstance(item.get("score"), int):
        parts.insert(0, _counted(item["score"], "point"))
    if isinstance(item.get("descendants"), int):
        parts.append(_counted(item["descendants"], "comment"))
    return " · ".join(part for part in parts if part)


def _story_line(story: Item) -> str:
    target = _link(story) or f"{PAGE}/item?id={story['id']}"
    return f"[{_title(story)}]({target}) — {_byline(story)} ([discussion]({PAGE}/item?id={story['id']}))"


def _link(item: Item) -> str:
    url = str(item.get("url") or "").strip()
    return url if url.startswith(("http://", "https://")) else ""


def _name(item: Item) -> str:
    return one_line(str(item.get("by") or "")) or "[deleted]"


def _numbers(item: Item, name: str) -> list[int]:
    listed = item.get(name)
    return [number for number in listed if isinstance(number, int)] if isinstance(listed, list) else []


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _date(seconds: object) -> str:
    if not isinstance(seconds, int) or not 0 < seconds < 2**33:
        return ""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
