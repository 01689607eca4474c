"""The outermost middleware: creates the request context from the caller's address, its request id and its scheme."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from wellsourced.http.request_context import RequestContext, attach_context
from wellsourced.settings import Settings
from wellsourced.tool.call import new_request_id

REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
TRACE_PARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")
NO_TRACE = "0" * 32
PROXY_HEADERS = frozenset(
    {b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip", b"via"}
)
LOCAL_HOST = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?", re.IGNORECASE)


class RequestContextMiddleware:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._trusts_proxy = settings.flag("TRUST_PROXY")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            address = client_address(scope, headers, self._trusts_proxy)
            attach_context(scope, RequestContext(choose_request_id(headers), address))
            scope["scheme"] = "https" if is_https(scope, headers, self._trusts_proxy) else "http"
        await self._app(scope, receive, send)


def choose_request_id(headers: Headers) -> str:
    """The caller's own id where it is harmless in a header and a log line, else its trace (W3C), else a new one."""
    given = headers.get("x-request-id", "")
    if REQUEST_ID.fullmatch(given):
        return given
    trace = TRACE_PARENT.fullmatch(headers.get("traceparent", ""))
    return trace[1] if trace and trace[1] != NO_TRACE else new_request_id()


def client_address(scope: Scope, headers: Headers, trust_proxy: bool) -> str:
    """The peer, or the address a trusted proxy wrote: the last one, because the caller may have sent all before it."""
    peer = scope["client"][0] if scope.get("client") else ""
    if not trust_proxy:
        return peer
    return parse_address(last_member(headers, "x-forwarded-for")) or peer


def parse_address(text: str) -> str:
    """`203.0.113.7`, `203.0.113.7:4711`, `[2001:db8::1]:4711` and `2001:db8::1` as an address alone; else nothing."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""


def is_on_this_machine(scope: Scope, headers: Headers) -> bool:
    """Whether the peer is on loopback, came without a proxy, and names this machine as host.

    The last is against DNS rebinding: a page elsewhere may have its own name resolve to loopback.
    """
    if not is_loopback(client_address(scope, headers, trust_proxy=False)):
        return False
    is_direct = PROXY_HEADERS.isdisjoint(name for name, _ in headers.raw)
    return is_direct and LOCAL_HOST.fullmatch(headers.get("host", "")) is not None


@lru_cache(maxsize=1024)
def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def is_https(scope: Scope, headers: Headers, trust_proxy: bool) -> bool:
    forwarded = last_member(headers, "x-forwarded-proto").lower() if trust_proxy else ""
    return (forwarded or scope.get("scheme")) == "https"


def last_member(headers: Headers, name: str) -> str:
    """The last member of a list header, which may be spread over several lines."""
    lines = headers.getlist(name)
    return lines[-1].rpartition(",")[2].strip() if lines else ""
