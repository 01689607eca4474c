"""Addresses taken apart."""

from __future__ import annotations

from wellsourced.text.web_address import web_address


def test_parts_are_decoded_and_hosts_are_plain() -> None:
    address = web_address("HTTPS://WWW.Example.COM.:443//wiki/Caf%C3%A9/a%2Fb/?v=1&v=2&x=%E6%B8%AF#top")
    assert address is not None
    assert (address.host, address.segments) == ("example.com", ("wiki", "Café", "a/b"))
    assert address.query == {"v": "1", "x": "港"}
    assert address.under("example.com")
    assert not address.under("ample.com")


def test_what_is_no_web_address_is_none() -> None:
    assert [web_address(url) for url in ("", "mailto:a@b.example", "ftp://x.example", "https://", "x", "\ud800")] == [
        None
    ] * 6
