"""The one place that decides whether an address may be fetched.

A URL is parsed once, as browsers parse it (WHATWG), and that parse is what is checked and what is connected to.
Every address a name resolves to is checked, and the connection is made to those very addresses: a name that
answers differently the second time gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, TypeAlias

from wellsourced.errors import NetworkFailed
from wellsourced.net import address_ranges
from wellsourced.net.address_ranges import Address
from wellsourced.net.ports import NOT_FOR_PAGES
from wellsourced.text.urls import PUBLIC_URL_ADVICE, ascii_domain, require_web_url, url_refusal

if TYPE_CHECKING:
    import can_ada

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]

RESOLVE_SECONDS = 5.0
CACHE_SECONDS = 30.0
CACHE_SIZE = 512
LONGEST_NAME = 253
LONGEST_LABEL = 63
USUAL_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Target:
    """A checked URL and the addresses that a connection for it may be made to, and no others."""

    url: str
    scheme: str
    host: str
    port: int
    addresses: tuple[Address, ...]

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port


async def system_resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a name by the system's resolver; OSError when it has none or does not answer in time."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(RESOLVE_SECONDS):
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class Guard:
    def __init__(
        self,
        allow_private: bool = False,
        allowed_domains: Sequence[str] = (),
        resolve: Resolve = system_resolve,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._allow_private = allow_private
        self._allowed_domains = tuple(ascii_domain(domain) for domain in allowed_domains)
        self._resolve = resolve
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, tuple[Address, ...]]] = OrderedDict()

    async def check(self, url: str) -> Target:
        """Where a URL of unknown origin leads, or Refused with the reason why nobody may go there."""
        parsed = require_web_url(url)
        host, port = _place(parsed)
        self._check_domain(parsed, host)
        if port in NOT_FOR_PAGES:
            raise url_refusal(parsed.href, f"port {port} belongs to another service than the web", PUBLIC_URL_ADVICE)
        return await self._target(parsed, allow_private=self._allow_private)

    async def check_trusted(self, url: str) -> Target:
        """Where an address of the operator's own choosing leads; it may be private, but never a metadata service."""
        return await self._target(require_web_url(url), allow_private=True)

    def _check_domain(self, parsed: can_ada.URL, host: str) -> None:
        allowed = self._allowed_domains
        if allowed and not any(address_ranges.lies_under(host.rstrip("."), domain) for domain in allowed):
            raise url_refusal(parsed.href, f"{host} is not one of the allowed domains ({', '.join(allowed)})")

    async def _target(self, parsed: can_ada.URL, *, allow_private: bool) -> Target:
        host, port = _place(parsed)
        literal = _literal(host)
        if literal is None:
            _check_name(parsed, host, allow_private=allow_private)
        addresses = (literal,) if literal is not None else await self._addresses(host, port)
        for address in addresses:
            why = address_ranges.metadata_reason(address) if allow_private else address_ranges.reason(address)
            if why is not None:
                shown = str(address) if address is literal else f"{host} leads to {address}, which"
                raise url_refusal(parsed.href, f"{shown} is {why}", PUBLIC_URL_ADVICE)
        return Target(parsed.href, parsed.protocol[:-1], host, port, addresses)

    async def _addresses(self, host: str, port: int) -> tuple[Address, ...]:
        known = self._known.get(host)
        if known is not None and known[0] > self._clock():
            return known[1]
        addresses = await self._ask(host, port)
        self._known[host] = (self._clock() + CACHE_SECONDS, addresses)
        self._known.move_to_end(host)
        if len(self._known) > CACHE_SIZE:
            self._known.popitem(last=False)
        return addresses

    async def _ask(self, host: str, port: int) -> tuple[Address, ...]:
        try:
            answers = await self._resolve(host, port)
        except TimeoutError as problem:
            raise NetworkFailed(f"The name {host} could not be looked up in time.", detail=str(problem)) from None
        except (OSError, UnicodeError) as problem:
            raise NetworkFailed(f"No server is known by the name {host}.", detail=str(problem)) from None
        addresses = tuple(dict.fromkeys(ip_address(answer) for answer in answers))
        if not addresses:
            raise NetworkFailed(f"No server is known by the name {host}.")
        return addresses


def _place(parsed: can_ada.URL) -> tuple[str, int]:
    host = parsed.hostname
    if not host.strip("."):
        raise url_refusal(parsed.href, "it names no host", PUBLIC_URL_ADVICE)
    return host, int(parsed.port) if parsed.port else USUAL_PORTS[parsed.protocol[:-1]]


def _literal(host: str) -> Address | None:
    """The address a host is written as, if it is one; the parser has already undone every odd notation."""
    if host.startswith("["):
        return IPv6Address(host[1:-1])
    try:
        return IPv4Address(host)
    except ValueError:
        return None


def _check_name(parsed: can_ada.URL, host: str, *, allow_private: bool) -> None:
    labels = host.removesuffix(".").split(".")
    if len(host) > LONGEST_NAME or any(not 0 < len(label) <= LONGEST_LABEL for label in labels):
        raise url_refusal(parsed.href, "its host is not a name that can exist", PUBLIC_URL_ADVICE)
    if address_ranges.metadata_name(host):
        raise url_refusal(parsed.href, f"{host} is the name of a cloud metadata or cluster service", PUBLIC_URL_ADVICE)
    if not allow_private and address_ranges.local_name(host):
        raise url_refusal(parsed.href, f"{host} is a name on a private network", PUBLIC_URL_ADVICE)
