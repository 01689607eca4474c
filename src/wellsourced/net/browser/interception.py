"""Decides on every request of a page before it is made: unwanted kinds fail at once, the guard checks the rest.

For a browser of our own this is the first of two checks; the egress proxy makes the second, on the connection
itself. A browser elsewhere has only this one. WebSockets are not shown here; only the proxy sees them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from wellsourced.errors import Refused, WellsourcedError
from wellsourced.net.browser.page_allowance import PageAllowance
from wellsourced.net.guard import AddressGuard

if TYPE_CHECKING:
    from wellsourced.net.browser.devtools import Params

Send: TypeAlias = Callable[[str, "Params", str], Awaitable[Any]]

# Nothing that is read of a page is in these.
UNWANTED = frozenset({"Image", "Media", "Font", "TextTrack", "Ping", "CSPViolationReport", "Prefetch", "Manifest"})
WITHIN_THE_PAGE = ("data:", "blob:", "about:")
REQUESTS_ALLOWED = 3000
HOSTS_NOTED = 64


class Interception:
    def __init__(self, guard: AddressGuard, allowance: PageAllowance, send: Send) -> None:
        self._guard = guard
        self._allowance = allowance
        self._send = send
        self._requests = 0
        self._noted: set[str] = set()
        self._answered_challenges: set[str] = set()
        self.main_frame = ""
        self.main_problem: WellsourcedError | None = None
        """Why the last navigation of the page itself was not let through."""

    async def on_request(self, session: str, params: Params) -> None:
        url, kind = str(params["request"]["url"]), params.get("resourceType", "")
        self._requests += 1
        if kind in UNWANTED or self._requests > REQUESTS_ALLOWED:
            await self._fail(session, params, "BlockedByClient")
            await self._check_unfetched(url)
        elif url.startswith(WITHIN_THE_PAGE) or await self._is_allowed(url, params):
            await self._send("Fetch.continueRequest", {"requestId": params["requestId"]}, session)
        else:
            # An aborted navigation leaves the page that is there in its place; any other failure would put
            # the browser's own error page over it.
            await self._fail(session, params, "Aborted" if self._is_main(params) else "AccessDenied")

    async def on_challenge(self, session: str, params: Params) -> None:
        """Our own proxy gets the page's credentials, once; sites that ask for a password get none."""
        number, challenge = params["requestId"], params.get("authChallenge", {})
        is_ours = challenge.get("source") == "Proxy" and number not in self._answered_challenges
        self._answered_challenges.add(number)
        response = {"response": "CancelAuth"}
        if is_ours:
            response = {
                "response": "ProvideCredentials",
                "username": self._allowance.name,
                "password": self._allowance.password,
            }
        await self._send("Fetch.continueWithAuth", {"requestId": number, "authChallengeResponse": response}, session)

    async def _is_allowed(self, url: str, params: Params) -> bool:
        try:
            await self._guard.check(url)
        except WellsourcedError as problem:
            self._record(url, problem)
            if self._is_main(params):
                self.main_problem = problem
            return False
        return True

    async def _check_unfetched(self, url: str) -> None:
        """Check and record a host that was not fetched anyway: where a page wanted to go is worth reporting."""
        place = host_and_port_of(url)
        if place and place not in self._noted and len(self._noted) < HOSTS_NOTED:
            self._noted.add(place)
            try:
                await self._guard.check(url)
            except WellsourcedError as problem:
                self._record(url, problem)

    def _record(self, url: str, problem: WellsourcedError) -> None:
        note = self._allowance.refuse if isinstance(problem, Refused) else self._allowance.fail
        note(host_and_port_of(url) or url[:100], problem)

    def _is_main(self, params: Params) -> bool:
        return params.get("resourceType") == "Document" and params.get("frameId") == self.main_frame

    async def _fail(self, session: str, params: Params, reason: str) -> None:
        await self._send("Fetch.failRequest", {"requestId": params["requestId"], "errorReason": reason}, session)


def host_and_port_of(url: str) -> str:
    """Host and, where it is not the usual one, port; nothing for what is not on the web."""
    import can_ada

    try:
        parsed = can_ada.parse(url)
    except (ValueError, TypeError):
        return ""
    return str(parsed.host) if parsed.protocol in {"http:", "https:"} else ""
