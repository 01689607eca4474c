"""What a forum says of a post: votes and comments from its JSON-LD, for Reddit.

The contract gives these signals for Reddit alone; -1 stands for a number the page does not say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from wellsourced.pages.html.structured_data import DeclaredData
from wellsourced.pages.page import ForumSignals

REDDIT_HOSTS = ("reddit.com", "redd.it")
FEW_UPVOTES = 20
POST_TYPES = ("discussionforumposting", "socialmediaposting")
VOTES, COMMENTS = ("likeaction", "voteaction", "upvoteaction"), ("commentaction", "replyaction")


def read_forum_signals(declared: DeclaredData, url: str) -> ForumSignals | None:
    host = (urlsplit(url).hostname or "").lower()
    if not any(host == known or host.endswith("." + known) for known in REDDIT_HOSTS):
        return None
    post = next(declared.of_type(*POST_TYPES), None)
    if post is None:
        return None
    upvotes = _interactions(post, VOTES)
    comments = _interactions(post, COMMENTS)
    return ForumSignals(
        platform="reddit",
        upvotes=upvotes if upvotes >= 0 else _whole(post.get("upvoteCount")),
        comments=comments if comments >= 0 else _whole(post.get("commentCount")),
        date_published=str(post.get("datePublished") or "")[:40],
        author_name=_author(post.get("author")),
        credibility_note=_note(upvotes),
    )


def _interactions(post: Mapping[str, Any], wanted: tuple[str, ...]) -> int:
    """The count of the first interaction of a wanted type, -1 when there is none."""
    statistics = post.get("interactionStatistic")
    for item in statistics if isinstance(statistics, list) else [statistics]:
        if not isinstance(item, Mapping):
            continue
        kind = item.get("interactionType")
        name = kind.get("@type") if isinstance(kind, Mapping) else kind
        if isinstance(name, str) and name.rpartition("/")[2].lower() in wanted:
            return _whole(item.get("userInteractionCount"))
    return -1


def _whole(value: object) -> int:
    if isinstance(value, bool) or value is None:
        return -1
    try:
        return int(str(value))
    except ValueError:
        return -1


def _author(value: object) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    name = value.get("name") if isinstance(value, Mapping) else value
    return name[:200] if isinstance(name, str) else ""


def _note(upvotes: int) -> str:
    if not 0 <= upvotes < FEW_UPVOTES:
        return ""
    return f"Only {upvotes} upvotes: few enough that a handful of accounts could have made them."
