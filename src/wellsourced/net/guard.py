"""Decides whether an address may be fetched; the only place that does.

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
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, TypeAlias

from wellsourced.errors import NameNotResolved
from wellsourced.late_dataclass import dataclass
from wellsourced.net import address_ranges
from wellsourced.net.address_ranges import Address
from wellsourced.text.urls import PUBLIC_URL_ADVICE, ascii_domain, require_web_url, url_refusal

if TYPE_CHECKING:
    import can_ada

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]

RESOLVE_SECONDS = 5.0
CACHE_SECONDS = 30.0
CACHE_SIZE = 512
LONGEST_NAME = 253
LONGEST_LABEL = 63
DEFAULT_PORTS = {"http": 80, "https": 443}
# The "bad ports" of the Fetch standard: mail, remote shells, chat and the like, whose servers may take lines of an
# HTTP request for commands of their own.
BLOCKED_PORTS = frozenset(
    {
        *(0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95),
        *(101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179),
        *(389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587),
        *(601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061),
        *(6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
    }
)
DEMO_DOMAIN = "example"
LOOPBACK = IPv4Address("127.0.0.1")


@dataclass(frozen=True, slots=True)
class CheckedTarget:
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
        records = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in records]


class AddressGuard:
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
        self._resolved: OrderedDict[str, tuple[float, tuple[Address, ...]]] = OrderedDict()

    async def check(self, url: str) -> CheckedTarget:
        """Where a URL of unknown origin leads, or Refused with the reason why nobody may go there."""
        parsed = require_web_url(url)
        host, port = _host_and_port(parsed)
        self._check_domain(parsed, host)
        if port in BLOCKED_PORTS:
            raise url_refusal(parsed.href, f"port {port} belongs to another service than the web", PUBLIC_URL_ADVICE)
        return await self._target(parsed, allow_private=self._allow_private)

    async def check_trusted(self, url: str) -> CheckedTarget:
        """Where an address of the operator's own choosing leads; it may be private, but never a metadata service."""
        return await self._target(require_web_url(url), allow_private=True)

    async def check_shareable(self, url: str) -> None:
        """Refuse an address that third parties must not learn of: a private one, whatever may be read here.

        What cannot be looked up raises NameNotResolved; it is not known to be private.
        """
        await self._target(require_web_url(url), allow_private=False)

    def _check_domain(self, parsed: can_ada.URL, host: str) -> None:
        allowed = self._allowed_domains
        if allowed and not any(address_ranges.is_in_domain(host.rstrip("."), domain) for domain in allowed):
            raise url_refusal(parsed.href, f"{host} is not one of the allowed domains ({', '.join(allowed)})")

    async def _target(self, parsed: can_ada.URL, *, allow_private: bool) -> CheckedTarget:
        host, port = _host_and_port(parsed)
        literal = _literal(host)
        if literal is None:
            _check_name(parsed, host, allow_private=allow_private)
        addresses = (literal,) if literal is not None else await self._addresses(host, port)
        for address in addresses:
            why = address_ranges.metadata_reason(address) if allow_private else address_ranges.blocked_reason(address)
            if why is not None:
                subject = str(address) if address is literal else f"{host} leads to {address}, which"
                raise url_refusal(parsed.href, f"{subject} is {why}", PUBLIC_URL_ADVICE)
        return CheckedTarget(parsed.href, parsed.protocol[:-1], host, port, addresses)

    async def _addresses(self, host: str, port: int) -> tuple[Address, ...]:
        cached = self._resolved.get(host)
        if cached is not None and cached[0] > self._clock():
            return cached[1]
        addresses = await self._look_up(host, port)
        self._resolved[host] = (self._clock() + CACHE_SECONDS, addresses)
        self._resolved.move_to_end(host)
        if len(self._resolved) > CACHE_SIZE:
            self._resolved.popitem(last=False)
        return addresses

    async def _look_up(self, host: str, port: int) -> tuple[Address, ...]:
        try:
            answers = await self._resolve(host, port)
        except TimeoutError as problem:
            raise NameNotResolved(f"The name {host} could not be looked up in time.", detail=str(problem)) from None
        except (OSError, UnicodeError) as problem:
            raise NameNotResolved(f"No server is known by the name {host}.", detail=str(problem)) from None
        addresses = tuple(dict.fromkeys(ip_address(answer) for answer in answers))
        if not addresses:
            raise NameNotResolved(f"No server is known by the name {host}.")
        return addresses


class DemoGuard(AddressGuard):
    """The guard of a process that reads the demo's sample web.

    Names under `.example` belong to nobody (RFC 2606). On one port they are the sample web on this machine's loopback;
    everything else, other loopback addresses and other ports of these names included, is decided as always.
    """

    def __init__(self, port: int, allowed_domains: Sequence[str] = ()) -> None:
        super().__init__(allowed_domains=allowed_domains)
        self._port = port

    async def check(self, url: str) -> CheckedTarget:
        parsed = require_web_url(url)
        is_sample = parsed.port == str(self._port) and address_ranges.is_in_domain(parsed.hostname, DEMO_DOMAIN)
        if is_sample and parsed.protocol == "http:":
            return CheckedTarget(parsed.href, "http", parsed.hostname, self._port, (LOOPBACK,))
        return await super().check(url)


def _host_and_port(parsed: can_ada.URL) -> tuple[str, int]:
    host = parsed.hostname
    if not host.strip("."):
        raise url_refusal(parsed.href, "it names no host", PUBLIC_URL_ADVICE)
    return host, int(parsed.port) if parsed.port else DEFAULT_PORTS[parsed.protocol[:-1]]


@lru_cache(maxsize=CACHE_SIZE)
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
