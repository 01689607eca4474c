"""A page read through a site's own interface, and how such a reader sends several requests at once."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeAlias, TypeVar

from wellsourced.http_exchange import Reply, Request
from wellsourced.late_dataclass import dataclass
from wellsourced.pages.page import Page

T = TypeVar("T")

Batch: TypeAlias = tuple[Request, ...]
"""Requests that are sent side by side. Sent back is a tuple of the same length: a reply, or None where none came."""

SiteSteps: TypeAlias = Generator[Request | Batch, Any, T]
"""A conversation as providers hold it; a step may also be a `Batch`. In the end None means: read it as any page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePage:
    """A page read through a site's own interface.

    `extracted_by` names the way (`hackernews:api`). `truncated` says that more exists than was asked for. With
    `html` the content is markup that the HTML reader has yet to turn into markdown, all of it content; what `page`
    says of title, date and author holds. With `reply` the content is that answer, read as any other, or as the document
    format that `kind` names. With `continue_at` the content stands at that address; `page` then holds
    what is already known, and is the answer if that address cannot be read.
    """

    page: Page
    extracted_by: str
    truncated: bool = False
    html: str = ""
    reply: Reply | None = None
    kind: str = ""
    continue_at: str = ""


def send_request(request: Request) -> SiteSteps[Reply]:
    reply: Reply = yield request
    return reply


def send_requests(requests: Iterable[Request]) -> SiteSteps[tuple[Reply | None, ...]]:
    """The replies in the order of the requests; nothing is sent for no requests."""
    batch = tuple(requests)
    if not batch:
        return ()
    replies: tuple[Reply | None, ...] = yield batch
    return replies
