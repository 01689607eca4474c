"""The only HTTP client of the application, over `wreq`.

Each client of that library is made for one host and pinned to the addresses the guard has checked, so no name is
looked up a second time. Making one costs a few tenths of a millisecond; the most recent are kept for their open
connections. Redirects are followed here, hop by hop through the guard, never by the library.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from wellsourced.errors import BadInput, NetworkFailed, Refused
from wellsourced.http_exchange import Redirect, Reply
from wellsourced.net.address_ranges import Address
from wellsourced.net.failure_messages import ResponseTooLarge, network_failure
from wellsourced.net.guard import AddressGuard, CheckedTarget
from wellsourced.net.request import OutgoingRequest, is_redirect, redirected_request
from wellsourced.net.response import read_reply
from wellsourced.text.amounts import format_seconds
from wellsourced.text.urls import display_url

if TYPE_CHECKING:
    import wreq

__all__ = ["HttpClient", "OutgoingRequest", "ResponseTooLarge"]

SessionKey: TypeAlias = tuple[str, frozenset[Address], bool]

SESSIONS_KEPT = 256
IDLE_PER_HOST = 20
IDLE_SECONDS = 60
CONNECT_SECONDS = 10


class HttpClient:
    def __init__(self, guard: AddressGuard, *, user_agent: str) -> None:
        self._guard = guard
        self._user_agent = user_agent
        self._sessions: OrderedDict[SessionKey, wreq.Client] = OrderedDict()

    async def send(self, request: OutgoingRequest) -> Reply:
        """The answer to a request, after at most `redirects` hops and within its time limit."""
        try:
            async with asyncio.timeout(request.timeout):
                return await self._follow_redirects(request)
        except TimeoutError:
            raise NetworkFailed(
                f"{display_url(request.url)} did not answer within {format_seconds(request.timeout)}."
            ) from None

    async def close(self) -> None:
        while self._sessions:
            self._sessions.popitem()[1].close()

    async def _follow_redirects(self, request: OutgoingRequest) -> Reply:
        if not request.redirects:
            return await self._exchange(request, await self._check(request, redirected=False, start=""), follow=False)
        current, visited, passed = request, set[tuple[str, str]](), list[Redirect]()
        for _ in range(request.redirects + 1):
            visited.add((current.method, current.url))
            target = await self._check(current, redirected=current is not request, start=request.url)
            reply = await self._exchange(current, target, follow=True)
            if not is_redirect(reply):
                return replace(reply, redirects=tuple(passed)) if passed else reply
            passed.append(Redirect(reply.url, reply.status, reply.headers))
            current = redirected_request(current, target, reply)
            if (current.method, current.url) in visited:
                raise NetworkFailed(
                    f"{display_url(request.url)} redirects in a circle.", detail=display_url(current.url)
                )
        raise NetworkFailed(f"{display_url(request.url)} redirects more than {request.redirects} times.")

    async def _check(self, request: OutgoingRequest, *, redirected: bool, start: str) -> CheckedTarget:
        try:
            if request.trusted:
                return await self._guard.check_trusted(request.url)
            return await self._guard.check(request.url)
        except Refused as refused:
            if redirected:
                refused.detail = f"redirected there from {display_url(start)}"
            raise

    async def _exchange(self, request: OutgoingRequest, target: CheckedTarget, *, follow: bool) -> Reply:
        import wreq

        method = getattr(wreq.Method, request.method.upper(), None)
        if method is None:
            raise BadInput(f"{request.method!r} is not an HTTP method; GET and POST are.")
        session = self._session(target, request.as_chrome)
        options: dict[str, Any] = {"headers": dict(request.headers)}
        if request.body is not None:
            options["body"] = request.body
        try:
            async with session.request(method, target.url, **options) as response:
                return await read_reply(response, request, target, follow=follow)
        except _library_errors() as problem:
            raise network_failure(target.host, problem) from None
        except (RuntimeError, UnicodeError) as problem:
            # The library raises these for a header that cannot be sent, such as one with a line break.
            raise BadInput(f"The request to {target.host} cannot be sent: {problem}.") from None

    def _session(self, target: CheckedTarget, as_chrome: bool) -> wreq.Client:
        key = (target.host, frozenset(target.addresses), as_chrome)
        session = self._sessions.get(key)
        if session is None:
            session = self._sessions[key] = self._make_session(target, as_chrome)
        self._sessions.move_to_end(key)
        if len(self._sessions) > SESSIONS_KEPT:
            # Dropped, not closed: closing would cancel what is still under way on it.
            self._sessions.popitem(last=False)
        return session

    def _make_session(self, target: CheckedTarget, as_chrome: bool) -> wreq.Client:
        import wreq

        dns = wreq.DnsOptions()
        dns.add_resolve(target.host, list(target.addresses))
        appearance: dict[str, Any] = (
            {"emulation": newest_chrome()}
            if as_chrome
            else {"headers": {"accept": "*/*", "user-agent": self._user_agent}}
        )
        return wreq.Client(
            dns_options=dns,
            redirect=wreq.redirect.Policy.none(),
            no_proxy=True,
            cookie_store=False,
            referer=False,
            connect_timeout=timedelta(seconds=CONNECT_SECONDS),
            pool_idle_timeout=timedelta(seconds=IDLE_SECONDS),
            pool_max_idle_per_host=IDLE_PER_HOST,
            **appearance,
        )


def newest_chrome() -> wreq.Emulation:
    """The latest Chrome the library can pass for, on the system most people use."""
    import wreq

    versions = [int(name.removeprefix("Chrome")) for name in dir(wreq.Profile) if name.startswith("Chrome")]
    return wreq.Emulation(profile=getattr(wreq.Profile, f"Chrome{max(versions)}"), platform=wreq.Platform.Windows)


def _library_errors() -> tuple[type[Exception], ...]:
    from wreq import exceptions

    return tuple(getattr(exceptions, name) for name in dir(exceptions) if name.endswith("Error"))
