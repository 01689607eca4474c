"""What most upstreams share in reading a reply: the object, its list of results, the error message, the refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from wellsourced.errors import KeyRejected, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply
from wellsourced.upstreams.helpers.json_fields import as_object


def parse_object(reply: Reply, title: str) -> dict[str, Any]:
    """The JSON object of a successful reply; `title` names the upstream in errors."""
    body = reply.expect_ok().json()
    if not isinstance(body, dict):
        raise UpstreamChanged(f"{title}'s answer is not an object.", detail=reply.summary)
    return body


def list_under(body: Mapping[str, Any], key: str, title: str) -> list[Any]:
    """The list in one field. A missing field raises KeyError: an absent list is not the same as nothing found."""
    rows = body[key]
    if not isinstance(rows, list):
        raise UpstreamChanged(f"{title}'s answer has no list of {key}.")
    return rows


def error_object(reply: Reply) -> Mapping[str, Any]:
    """The JSON object of an unsuccessful reply; empty for a page of a proxy in between."""
    try:
        return as_object(reply.json())
    except UpstreamChanged:
        return {}


def raise_refusal(reply: Reply, title: str, message: str) -> NoReturn:
    """Raise what an unsuccessful reply means, once the upstream's own peculiarities are ruled out.

    A status without a message of the upstream may come from a proxy in between, so it is judged by itself.
    """
    if message and reply.status in {401, 403}:
        raise KeyRejected(f"{title} does not accept the key: {message}")
    if reply.status == 429:
        raise RateLimited(f"{title}: {message or 'too many requests'}", retry_after=reply.retry_after)
    if message and reply.status < 500:
        raise UpstreamUnavailable(f"{title} refused the request: {message}", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamUnavailable(f"{title} answered HTTP {reply.status}.")


def web_link(value: Any) -> str | None:
    """The address as it was sent, None for anything that a browser could not open."""
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else None


def required_link(value: Any, title: str) -> str:
    """The address of a result, without which it is none."""
    link = web_link(value)
    if link is None:
        raise UpstreamChanged(f"{title}'s answer has a result without an address.")
    return link
