"""Addresses that may not be reached, and why.

The ranges are those of the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates). IPv6 is
read the other way round as well: only 2000::/3 is given out as global unicast, so whatever lies outside is refused
even when no row names it. Addresses that carry an IPv4 address inside are judged by what they carry.

Metadata services hand out a machine's credentials to anyone who can reach them. They have a table of their own,
which holds even where private addresses are allowed. The entries come from the clouds' own documentation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address

SPECIAL_IPV4: tuple[tuple[IPv4Network, str], ...] = (
    (IPv4Network("0.0.0.0/8"), "an address of this very machine"),  # Linux connects 0.0.0.0 to loopback
    (IPv4Network("10.0.0.0/8"), "a private address"),
    (IPv4Network("100.64.0.0/10"), "a carrier's internal address"),  # also Tailscale and cloud-internal services
    (IPv4Network("127.0.0.0/8"), "a loopback address"),
    (IPv4Network("169.254.0.0/16"), "a link-local address"),
    (IPv4Network("172.16.0.0/12"), "a private address"),
    (IPv4Network("192.0.0.0/24"), "an address reserved for protocols"),  # DS-Lite, NAT64 discovery, Oracle metadata
    (IPv4Network("192.0.2.0/24"), "an address for documentation only"),
    (IPv4Network("192.88.99.0/24"), "a retired 6to4 relay address"),
    (IPv4Network("192.168.0.0/16"), "a private address"),
    (IPv4Network("198.18.0.0/15"), "an address for benchmarks only"),
    (IPv4Network("198.51.100.0/24"), "an address for documentation only"),
    (IPv4Network("203.0.113.0/24"), "an address for documentation only"),
    (IPv4Network("224.0.0.0/4"), "a multicast address"),
    (IPv4Network("255.255.255.255/32"), "the broadcast address"),
    (IPv4Network("240.0.0.0/4"), "a reserved address"),
)

SPECIAL_IPV6: tuple[tuple[IPv6Network, str], ...] = (
    (IPv6Network("::/128"), "an address of this very machine"),
    (IPv6Network("::1/128"), "a loopback address"),
    (IPv6Network("::/96"), "a retired IPv4-compatible address"),
    (IPv6Network("64:ff9b:1::/48"), "a local translation address"),  # RFC 8215: where it leads is a site's own affair
    (IPv6Network("100::/64"), "a discard address"),
    (IPv6Network("2001::/23"), "an address reserved for protocols"),  # Teredo, ORCHID, benchmarks; no pages live here
    (IPv6Network("2001:db8::/32"), "an address for documentation only"),
    (IPv6Network("3fff::/20"), "an address for documentation only"),
    (IPv6Network("5f00::/16"), "a segment-routing identifier"),
    (IPv6Network("fc00::/7"), "a private address"),
    (IPv6Network("fe80::/10"), "a link-local address"),
    (IPv6Network("fec0::/10"), "a site-local address"),
    (IPv6Network("ff00::/8"), "a multicast address"),
)

GLOBAL_UNICAST = IPv6Network("2000::/3")

MAPPED = IPv6Network("::ffff:0:0/96")
COMPATIBLE = IPv6Network("::/96")
TRANSLATED = IPv6Network("::ffff:0:0:0/96")
NAT64 = IPv6Network("64:ff9b::/96")
LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")
SIX_TO_FOUR = IPv6Network("2002::/16")
TEREDO = IPv6Network("2001::/32")
ISATAP_MARKS = frozenset({0x0000_5EFE, 0x0200_5EFE})
FORMS_THAT_ARE_IPV4 = (MAPPED, NAT64)

METADATA_ADDRESSES: frozenset[Address] = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",  # AWS, Azure, Google, DigitalOcean, Hetzner, OpenStack and most others
        "169.254.170.2",  # AWS container credentials
        "169.254.170.23",  # AWS pod identity
        "169.254.169.250",  # Rancher
        "169.254.42.42",  # Scaleway
        "169.254.0.23",  # Tencent
        "100.100.100.200",  # Alibaba
        "192.0.0.192",  # Oracle classic
        "168.63.129.16",  # Azure's wire server, a public address
        "fd00:ec2::254",  # AWS
        "fd00:ec2::23",  # AWS pod identity
        "fd00:c1::a9fe:a9fe",  # Oracle
        "fd00:42::42",  # Scaleway
        "fd20:ce::254",  # Google
        "fe80::a9fe:a9fe",  # OpenStack
    )
)

METADATA_NAMES = frozenset(
    {
        "metadata",
        "metadata.google.internal",
        "metadata.goog",
        "metadata.azure.com",
        "metadata.azure.internal",
        "metadata.tencentyun.com",
        "metadata.packet.net",
        "metadata.platformequinix.com",
        "api.metadata.cloud.ibm.com",
        "instance-data",
        "instance-data.ec2.internal",
        "rancher-metadata",
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "svc.cluster.local",
    }
)

LOCAL_NAMES = frozenset(
    {"localhost", "localdomain", "local", "internal", "home.arpa", "ip6-localhost", "ip6-loopback", "broadcasthost"}
)


@lru_cache(maxsize=2048)
def blocked_reason(address: Address) -> str | None:
    """Why an address may not be reached from outside, as "a loopback address"; None when it is public."""
    if (why := metadata_reason(address)) is not None:
        return why
    if isinstance(address, IPv4Address):
        return next((why for network, why in SPECIAL_IPV4 if address in network), None)
    for inner in embedded(address):
        if why := blocked_reason(inner):
            return f"a way to write {inner}, {why}"
    return _own_reason(address)


@lru_cache(maxsize=2048)
def metadata_reason(address: Address) -> str | None:
    """Why an address is refused whatever is allowed: it, or one it carries, hands out a machine's secrets."""
    if isinstance(address, IPv6Address):
        address = IPv6Address(int(address))  # without the zone, which would make it unequal to the table's entry
        carried = next((inner for inner in embedded(address) if inner in METADATA_ADDRESSES), None)
        if carried:
            return f"a way to write {carried}, a cloud metadata address"
    return "a cloud metadata address" if address in METADATA_ADDRESSES else None


def embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    """Every IPv4 address that an IPv6 address may stand for, by any of the transition mechanisms."""
    number = int(address)
    low = IPv4Address(number & 0xFFFF_FFFF)
    if any(address in form for form in (MAPPED, COMPATIBLE, TRANSLATED, NAT64, LOCAL_NAT64)) and number > 1:
        yield low
    if address in LOCAL_NAT64:
        # RFC 6052 with a 48-bit prefix: bits 64 to 71 are skipped.
        yield IPv4Address(((number >> 64) & 0xFFFF) << 16 | ((number >> 40) & 0xFFFF))
    if address in SIX_TO_FOUR:
        yield IPv4Address((number >> 80) & 0xFFFF_FFFF)
    if address in TEREDO:
        yield IPv4Address((number >> 64) & 0xFFFF_FFFF)
        yield IPv4Address(~number & 0xFFFF_FFFF)
    if (number >> 32) & 0xFFFF_FFFF in ISATAP_MARKS and (number >> 64):
        yield low


def metadata_name(host: str) -> str | None:
    """The entry of the table that covers a host name, if one does."""
    return _covered(host, METADATA_NAMES)


def local_name(host: str) -> str | None:
    """The name of a private network that a host name belongs to, if it does."""
    return _covered(host, LOCAL_NAMES)


def is_in_domain(host: str, domain: str) -> bool:
    """Whether a host is a domain or one of its subdomains."""
    return host == domain or host.endswith("." + domain)


def _covered(host: str, names: frozenset[str]) -> str | None:
    folded = host.rstrip(".").casefold()
    return next((name for name in names if is_in_domain(folded, name)), None)


def _own_reason(address: IPv6Address) -> str | None:
    if any(address in form for form in FORMS_THAT_ARE_IPV4):
        return None
    special = next((why for network, why in SPECIAL_IPV6 if address in network), None)
    if special is None and address not in GLOBAL_UNICAST:
        return "an address that is not given out for public use"
    return special
