"""The tables of addresses, held against the standard library and against every way to wrap an IPv4 address."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.net import address_ranges

PUBLIC = ("8.8.8.8", "1.1.1.1", "216.58.214.206", "172.32.0.1", "100.128.0.1", "2606:4700::6810:84e5", "2a00:1450::1")

REFUSED = {
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "0.0.0.0": "this very machine",
    "0.1.2.3": "this very machine",
    "10.0.0.1": "private",
    "172.31.255.255": "private",
    "192.168.1.1": "private",
    "100.64.0.1": "carrier",
    "169.254.1.1": "link-local",
    "192.0.0.8": "protocols",
    "192.0.2.1": "documentation",
    "198.51.100.7": "documentation",
    "203.0.113.9": "documentation",
    "198.19.255.255": "benchmarks",
    "224.0.0.1": "multicast",
    "239.255.255.255": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "broadcast",
    "192.88.99.1": "6to4",
    "::": "this very machine",
    "::1": "loopback",
    "fc00::1": "private",
    "fdff::1": "private",
    "fe80::1": "link-local",
    "fe80::1%2": "link-local",
    "fec0::1": "site-local",
    "ff02::1": "multicast",
    "2001:db8::1": "documentation",
    "3fff:fff::1": "documentation",
    "100::1": "discard",
    "5f00::1": "segment-routing",
    "4000::1": "not given out",
    "::8.8.8.8": "IPv4-compatible",
    "::ffff:127.0.0.1": "127.0.0.1, a loopback",
    "::ffff:0:10.0.0.1": "10.0.0.1, a private",
    "64:ff9b::a00:1": "10.0.0.1, a private",
    "64:ff9b:1::7f00:1": "127.0.0.1, a loopback",
    "64:ff9b:1:a9fe:a9:fe00::": "169.254.169.254, a cloud metadata",
    "64:ff9b:1:808:8:800:808:808": "local translation",
    "2002:7f00:1::": "127.0.0.1, a loopback",
    "2001:0:7f00:1::": "127.0.0.1, a loopback",
    "2001:0:808:808:0:0:80ff:fffe": "127.0.0.1, a loopback",
    "2a00::5efe:10.0.0.1": "10.0.0.1, a private",
    "2a00::200:5efe:10.0.0.1": "10.0.0.1, a private",
    "169.254.169.254": "cloud metadata",
    "168.63.129.16": "cloud metadata",
    "fd00:ec2::254": "cloud metadata",
    "64:ff9b::a9fe:a9fe": "169.254.169.254, a cloud metadata",
}


@pytest.mark.parametrize(("address", "word"), REFUSED.items())
def test_special_addresses_are_refused_with_their_reason(address: str, word: str) -> None:
    assert word in (address_ranges.blocked_reason(ip_address(address)) or "nothing")


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_not_refused(address: str) -> None:
    assert address_ranges.blocked_reason(ip_address(address)) is None


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_every_wrapping_is_judged_by_what_it_carries(inner: IPv4Address) -> None:
    number = int(inner)
    is_refused = address_ranges.blocked_reason(inner) is not None
    for wrapped in (0xFFFF << 32 | number, 0x64_FF9B << 96 | number, 0x2002 << 112 | number << 80 | 1):
        assert (address_ranges.blocked_reason(IPv6Address(wrapped)) is not None) == is_refused
    hidden = (number | 0x2A00 << 112 | 0x5EFE << 32, 0x2A00 << 112 | 0x0200_5EFE << 32 | number)
    if is_refused:
        assert all(address_ranges.blocked_reason(IPv6Address(wrapped)) for wrapped in hidden)


@given(st.one_of(st.integers(0, 2**32 - 1).map(IPv4Address), st.integers(0, 2**128 - 1).map(IPv6Address)))
def test_nothing_the_standard_library_calls_special_gets_through(address: IPv4Address | IPv6Address) -> None:
    if address in IPv6Network("::ffff:0:0/96"):
        return
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert address_ranges.blocked_reason(address) is not None


@pytest.mark.parametrize("metadata", sorted(str(a) for a in address_ranges.METADATA_ADDRESSES if a.version == 4))
def test_metadata_is_found_in_every_disguise(metadata: str) -> None:
    number = int(IPv4Address(metadata))
    disguises = (
        IPv6Address(0xFFFF << 32 | number),
        IPv6Address(number),
        IPv6Address(0x64_FF9B << 96 | number),
        IPv6Address(0x64_FF9B_0001 << 80 | number),
        IPv6Address(0x2002 << 112 | number << 80),
        IPv6Address(0x2001 << 112 | (~number & 0xFFFF_FFFF)),
        IPv6Address(0xFE80 << 112 | 0x5EFE << 32 | number),
    )
    assert address_ranges.metadata_reason(IPv4Address(metadata))
    assert all(address_ranges.metadata_reason(disguise) for disguise in disguises)


def test_names_are_covered_by_whole_labels_only() -> None:
    assert address_ranges.metadata_name("METADATA.Google.internal.") == "metadata.google.internal"
    assert address_ranges.metadata_name("api.default.svc.cluster.local") == "svc.cluster.local"
    assert address_ranges.metadata_name("mymetadata.google.internal.example.org") is None
    assert address_ranges.metadata_name("notmetadata.azure.com") is None
    assert address_ranges.local_name("printer.local") == "local"
    assert address_ranges.local_name("notlocal") is None
