"""X (Twitter) posts and profiles through FxTwitter, which needs no key.

API: github.com/FxEmbed/FxEmbed · Recorded 2026-06, version 1. Version 2 names the post `status` instead of `tweet`
and counts `reposts` instead of `retweets`; both are read. `code` repeats the HTTP status: 404, 401 for a protected
account, 500 for its own failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from wellsourced.errors import AuthRequired, NotFound, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.plain_text import one_line, strip_invisible
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Provider

SITE = Provider(
    name="fxtwitter",
    title="X (Twitter) through FxTwitter",
    bases={"": "https://api.fxtwitter.com"},
    timeout=5.0,
    about="Posts and profiles of X.",
)
WAY = "twitter:fxtwitter"
DOMAINS = ("x.com", "twitter.com", "fxtwitter.com", "vxtwitter.com", "fixupx.com")
HOSTS = frozenset({*DOMAINS, "mobile.twitter.com", "mobile.x.com"})
NAME = re.compile(r"[A-Za-z0-9_]{1,20}")
CREATED_AT = "%a %b %d %H:%M:%S %z %Y"
NOT_PROFILES = {
    "home", "explore", "search", "i", "hashtag", "settings", "login", "logout", "signup", "intent", "share",
    "compose", "messages", "notifications", "tos", "privacy", "about", "jobs", "download", "account", "who_to_follow",
    "lists", "bookmarks", "communities", "premium",
}  # fmt: skip
COUNTS = (
    ("replies", ("replies",)),
    ("reposts", ("reposts", "retweets")),
    ("quotes", ("quotes",)),
    ("likes", ("likes",)),
    ("bookmarks", ("bookmarks",)),
    ("views", ("views",)),
)
DEEPEST_QUOTE = 3

Fields = Mapping[str, Any]


def matches(address: WebUrl) -> bool:
    return address.host in HOSTS and bool(_path(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    path = _path(address) if address else ""
    if not path:
        return None
    reply = yield from send_request(Request.get(path, timeout=SITE.timeout))
    answer = _answer(reply)
    post, user = answer.get("tweet") or answer.get("status"), answer.get("user") or answer.get("profile")
    if isinstance(post, dict) and isinstance(post.get("text"), str):
        return SitePage(page=_post_page(url, post), extracted_by=WAY)
    if isinstance(user, dict) and user.get("screen_name"):
        return SitePage(page=_user_page(url, user), extracted_by=WAY)
    raise UpstreamChanged("FxTwitter's answer holds neither a post nor a profile.", detail=reply.summary)


def _path(address: WebUrl) -> str:
    """The address at FxTwitter, or "" for pages that are neither a post nor a profile."""
    parts = [part for part in address.segments if part != "web"]
    if len(parts) > 2 and parts[1] in {"status", "statuses"} and NAME.fullmatch(parts[0]):
        number = parts[2]
        return f"/{parts[0]}/status/{number}" if number.isascii() and number.isdecimal() else ""
    is_profile = len(parts) == 1 and NAME.fullmatch(parts[0]) and parts[0].lower() not in NOT_PROFILES
    return f"/{parts[0]}" if is_profile else ""


def _answer(reply: Reply) -> Fields:
    answer: Any = {}
    if reply.body.lstrip()[:1] == b"{":
        answer = reply.json()
    code = answer.get("code") if isinstance(answer.get("code"), int) else reply.status
    said = one_line(str(answer.get("message") or ""))
    if code == 404:
        raise NotFound("X has no such post or profile, or it was deleted.", detail=said)
    if code == 401:
        raise AuthRequired("This account on X is protected; only its followers can read it.", detail=said)
    if code >= 500:
        raise UpstreamUnavailable(
            f"FxTwitter could not fetch this from X ({said or code}).", retry_after=reply.retry_after
        )
    reply.expect_ok()
    if not answer:
        raise UpstreamChanged("FxTwitter's answer is not understood.", detail=reply.summary)
    checked: Fields = answer
    return checked


def _post_page(url: str, post: Fields) -> Page:
    author = _author(post)
    text = one_line(post["text"])
    shown = text if len(text) <= 80 else text[:79].rstrip() + "…"
    return Page(
        url=_text(post, "url") or url,
        markdown="\n\n".join(part for part in _post_parts(post, 0) if part),
        title=f"{author}: {shown}" if shown else f"Post by {author}",
        author=author,
        date=_date(post),
        site="X (formerly Twitter)",
        language=_text(post, "lang"),
        content_type="twitter",
    )


def _post_parts(post: Fields, depth: int) -> Iterator[str]:
    yield f"**{_author(post)}** · {_date(post)}".rstrip(" ·")
    above = post.get("replying_to")
    if name := one_line(_text(above, "screen_name") if isinstance(above, dict) else _text(post, "replying_to")):
        yield f"In reply to @{name}"
    yield strip_invisible(_text(post, "text")).strip()
    yield from _article(post)
    yield "\n".join(_media(post))
    yield "\n".join(_poll(post))
    quote = post.get("quote")
    if isinstance(quote, dict) and depth < DEEPEST_QUOTE:
        quoted = "\n\n".join(part for part in _post_parts(quote, depth + 1) if part)
        yield "\n".join(f"> {line}".rstrip() for line in quoted.split("\n"))
    note = post.get("community_note")
    if isinstance(note, dict) and _text(note, "text"):
        yield f"Community note: {one_line(_text(note, 'text'))}"
    if depth == 0:
        yield _counts(post)


def _media(post: Fields) -> Iterator[str]:
    media = post.get("media")
    listed = media.get("all") if isinstance(media, dict) else None
    for item in listed if isinstance(listed, list) else ():
        if not isinstance(item, dict) or not _text(item, "url").startswith("http"):
            continue
        alt = one_line(_text(item, "altText") or _text(item, "alt_text") or _text(item, "alt"))
        kind = _text(item, "type") or "media"
        label = f"{kind}: {alt}" if alt else kind
        yield f"![{label}]({_text(item, 'url')})" if kind == "photo" else f"[{label}]({_text(item, 'url')})"


def _article(post: Fields) -> Iterator[str]:
    """A long article hangs on a post whose text is only the link to it."""
    article = post.get("article")
    if not isinstance(article, dict):
        return
    if title := one_line(_text(article, "title")):
        yield f"## {title}"
    content = article.get("content")
    blocks = content.get("blocks") if isinstance(content, dict) else None
    listed = blocks if isinstance(blocks, list) else []
    said = [strip_invisible(_text(block, "text")).strip() for block in listed if isinstance(block, dict)]
    yield "\n\n".join(line for line in said if line) or strip_invisible(_text(article, "preview_text")).strip()


def _poll(post: Fields) -> Iterator[str]:
    poll = post.get("poll")
    choices = poll.get("choices") if isinstance(poll, dict) else None
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict):
            yield f"- {one_line(str(choice.get('label', '')))}: {choice.get('percentage', '?')} %"


def _counts(post: Fields) -> str:
    counts = [
        (label, next((post[name] for name in names if type(post.get(name)) is int), None)) for label, names in COUNTS
    ]
    return " · ".join(f"{number:,} {label}" for label, number in counts if number is not None)


def _user_page(url: str, user: Fields) -> Page:
    author = _author({"author": user})
    website = user.get("website")
    facts = [
        _text(user, "location"),
        _text(website, "url") if isinstance(website, dict) else "",
        f"joined {joined[-4:]}" if (joined := _text(user, "joined")) else "",
        *(f"{user[name]:,} {name}" for name in ("followers", "following") if type(user.get(name)) is int),
    ]
    about = strip_invisible(_text(user, "description")).strip()
    markdown = "\n\n".join(
        part for part in (f"# {author}", about, " · ".join(one_line(fact) for fact in facts if fact)) if part
    )
    return Page(
        url=_text(user, "url") or url,
        markdown=markdown,
        title=f"{author} on X",
        author=author,
        site="X (formerly Twitter)",
        content_type="twitter",
    )


def _author(post: Fields) -> str:
    author = post.get("author")
    if not isinstance(author, dict):
        return "unknown"
    name, handle = one_line(_text(author, "name")), one_line(_text(author, "screen_name"))
    return f"{name} (@{handle})" if name and handle else name or f"@{handle}"


def _date(post: Fields) -> str:
    seconds = post.get("created_timestamp")
    if isinstance(seconds, int) and 0 < seconds < 2**33:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    try:
        return datetime.strptime(_text(post, "created_at"), CREATED_AT).astimezone(UTC).date().isoformat()
    except ValueError:
        return ""


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
