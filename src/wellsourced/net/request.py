"""A request on its way out, and where a redirect sends it next (the Fetch standard's rules, somewhat stricter)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wellsourced.errors import NetworkFailed
from wellsourced.http_exchange import Reply
from wellsourced.late_dataclass import dataclass
from wellsourced.net.guard import CheckedTarget
from wellsourced.text.urls import display_url

MEBIBYTE = 1024 * 1024
REDIRECTS = frozenset({301, 302, 303, 307, 308})

# Between origins only headers known to be harmless travel on. Listing credentials instead would miss the next
# provider's own name for its key.
HARMLESS = frozenset(
    {"accept", "accept-encoding", "accept-language", "cache-control", "content-type", "dnt", "pragma", "priority"}
    | {"range", "upgrade-insecure-requests", "user-agent"}
)
HARMLESS_PREFIXES = ("sec-ch-ua", "sec-fetch-")


@dataclass(frozen=True, slots=True)
class OutgoingRequest:
    """A request as it is sent.

    `max_bytes` counts the body as it is after decompression; one that is longer is an error, unless `keep_partial`
    asks for its beginning. `trusted` marks an address of the operator's own choosing. `as_chrome` sends the headers
    and the TLS handshake of Chrome, without which many sites turn a client away.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    timeout: float = 30.0
    max_bytes: int = 8 * MEBIBYTE
    redirects: int = 0
    as_chrome: bool = False
    trusted: bool = False
    keep_partial: bool = False


def is_redirect(reply: Reply) -> bool:
    return reply.status in REDIRECTS and bool(reply.headers.get("location", "").strip())


def redirected_request(request: OutgoingRequest, target: CheckedTarget, reply: Reply) -> OutgoingRequest:
    """The request that a redirect asks for. Trust and credentials end with the origin they were given to."""
    url = _destination(target, reply.headers["location"])
    moved = replace(_with_method(request, reply.status), url=url)
    if _origin(url) == _origin(target.url):
        return moved
    if moved.body is not None:
        raise NetworkFailed(
            f"{target.host} wants what it was sent to be sent on to {display_url(url)}; another site does not get it.",
            detail=f"HTTP {reply.status}",
        )
    return replace(moved, trusted=False, headers={k: v for k, v in moved.headers.items() if _is_harmless(k)})


def _destination(target: CheckedTarget, location: str) -> str:
    import can_ada

    try:
        return (can_ada.parse(target.url) + location).href
    except (ValueError, TypeError):
        raise NetworkFailed(
            f"{target.host} redirects to something that is not an address.", detail=f"location: {display_url(location)}"
        ) from None


def _with_method(request: OutgoingRequest, status: int) -> OutgoingRequest:
    """303 turns everything but HEAD into GET, 301 and 302 only POST, as browsers do; 307 and 308 nothing."""
    becomes_get = (status == 303 and request.method != "HEAD") or (status in {301, 302} and request.method == "POST")
    if not becomes_get:
        return request
    headers = {name: value for name, value in request.headers.items() if not name.lower().startswith("content-")}
    return replace(request, method="GET", body=None, headers=headers)


def _origin(url: str) -> str:
    import can_ada

    return can_ada.parse(url).origin


def _is_harmless(header: str) -> bool:
    name = header.lower()
    return name in HARMLESS or name.startswith(HARMLESS_PREFIXES)
