"""URLs: parts, canonical form, comparison, membership of a site, redirect wrappers, and hostile input."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.text import urls

CANONICAL = [
    ("HTTP://Example.COM:80", "http://example.com/"),
    ("https://example.com:443/a/../b/", "https://example.com/b/"),
    ("https://example.com:8443/a", "https://example.com:8443/a"),
    ("https://user:secret@example.com/a", "https://example.com/a"),
    ("https://example.com/a?utm_source=x&b=2&a=1&fbclid=y&UTM_Medium=z", "https://example.com/a?b=2&a=1"),
    ("https://example.com/a?utm_source=x#part", "https://example.com/a"),
    ("https://example.com/#!/route?x", "https://example.com/#!/route?x"),
    ("https://example.com/a?ref=main&id=", "https://example.com/a?ref=main&id="),
    ("https://www.example.com/amp", "https://www.example.com/amp"),
    ("https://münchen.example/straße?q=é", "https://xn--mnchen-3ya.example/stra%C3%9Fe?q=%C3%A9"),
    ("//example.com/x", "https://example.com/x"),
    ("mailto:someone@example.com", "mailto:someone@example.com"),
    (" not an address ", "not an address"),
    ("http://[::1", "http://[::1"),
]


@pytest.mark.parametrize(("given_url", "expected"), CANONICAL)
def test_canonical(given_url: str, expected: str) -> None:
    assert urls.canonical_url(given_url) == expected
    assert urls.canonical_url(expected) == expected


@pytest.mark.parametrize(
    "same",
    [
        ("http://www.example.com/a/", "https://example.com/a", "https://m.example.com/a?utm_id=1#x"),
        ("https://en.m.wikipedia.org/wiki/Caf%c3%a9", "https://en.wikipedia.org/wiki/Café"),
        ("https://news.example/story/amp/", "https://amp.news.example/story", "https://news.example/story?amp=1"),
        ("https://example.com/%7Ejane", "https://example.com/~jane"),
    ],
)
def test_spellings_of_one_page_share_a_key(same: tuple[str, ...]) -> None:
    assert len({urls.url_comparison_key(url) for url in same}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a?p=1", "https://example.com/a?p=2"),
        ("https://example.com/A", "https://example.com/a"),
        ("https://m.com/", "https://com/"),
        ("https://example.com:8080/", "https://example.com/"),
        ("https://example.com/%2Fa", "https://example.com//a"),
        ("https://example.com/#!/a", "https://example.com/#!/b"),
    ],
)
def test_different_pages_keep_different_keys(one: str, other: str) -> None:
    assert urls.url_comparison_key(one) != urls.url_comparison_key(other)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("a.b.example.co.uk", "example.co.uk"),
        ("Someone.GitHub.io", "someone.github.io"),
        ("x.y.blogspot.com", "y.blogspot.com"),
        ("github.io", "github.io"),
        ("東京.例え.jp", "例え.jp"),
        ("192.0.2.7", "192.0.2.7"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_registrable_domain(host: str, expected: str) -> None:
    assert urls.registrable_domain(host) == expected


@pytest.mark.parametrize(
    ("url", "site", "expected"),
    [
        ("https://example.com/", "example.com", True),
        ("https://docs.Example.com/x", "https://www.EXAMPLE.com:443/", True),
        ("https://notexample.com/", "example.com", False),
        ("https://example.com.evil.test/", "example.com", False),
        ("https://evil.test/?u=example.com", "example.com", False),
        ("https://example.com@evil.test/", "example.com", False),
        ("https://example.com/docs/a", "example.com/docs", True),
        ("https://example.com/docs", "example.com/docs/", True),
        ("https://example.com/docsify", "example.com/docs", False),
        ("https://example.com/Docs/a", "example.com/docs", True),
        ("https://tax.service.gov.uk/", "www.gov.uk", False),
        ("https://www.nist.gov/", "gov", True),
        ("https://sub.münchen.example/", "xn--mnchen-3ya.example", True),
        ("https://ja.wikipedia.org/wiki/%E6%9D%B1%E4%BA%AC", "ja.wikipedia.org/wiki/東京", True),
        ("https://example.com./", "*.example.com", True),
        ("https://example.com/", "", False),
        ("not an address", "example.com", False),
    ],
)
def test_within(url: str, site: str, expected: bool) -> None:
    assert urls.is_within_site(url, site) is expected


def bing(target: str) -> str:
    return "a1" + base64.urlsafe_b64encode(target.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    ("wrapped", "target"),
    [
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b&rut=9", "https://example.com/?a=1&b"),
        ("https://www.google.co.uk/url?sa=t&q=https://example.com/é", "https://example.com/é"),
        ("https://www.google.com/url?url=https%3A%2F%2Fexample.com", "https://example.com"),
        ("https://www.google.com/amp/s/example.com/a?b=1", "https://example.com/a?b=1"),
        (f"https://www.bing.com/ck/a?!&&p=1&u={bing('https://example.com/ж?x')}&ntb=1", "https://example.com/ж?x"),
        ("https://r.search.yahoo.com/_ylt=A/RV=2/RU=https%3a%2f%2fexample.com%2f/RK=2/RS=x", "https://example.com/"),
        (
            "https://duckduckgo.com/l/?uddg=javascript%3Aalert(1)",
            "https://duckduckgo.com/l/?uddg=javascript%3Aalert(1)",
        ),
        ("https://www.bing.com/ck/a?u=a1!!!", "https://www.bing.com/ck/a?u=a1!!!"),
        ("https://google.com.evil.test/url?q=https://x.test", "https://google.com.evil.test/url?q=https://x.test"),
        ("https://example.com/l/?uddg=https://x.test", "https://example.com/l/?uddg=https://x.test"),
        ("", ""),
    ],
)
def test_unwrap_redirect(wrapped: str, target: str) -> None:
    assert urls.unwrap_redirect(wrapped) == target


def test_display_link_and_host() -> None:
    assert urls.display_host("https://www.Example.com:81/a") == "example.com"
    assert urls.display_host("https://www.com/a") == "www.com"
    assert urls.host_of("HTTPS://Example.com.:81/a") == "example.com"
    assert urls.host_of("nonsense") == ""


EVERY: list[Callable[[str], object]] = [
    urls.canonical_url,
    urls.url_comparison_key,
    urls.host_of,
    urls.registrable_domain,
    urls.unwrap_redirect,
    urls.display_host,
    lambda text: urls.is_within_site(text, text),
    lambda text: urls.is_within_site("https://example.com/", text),
]
PIECES = [
    "http://",
    "https://",
    "//",
    "[",
    "]",
    "%",
    "%ff",
    "@",
    ":",
    "?",
    "#",
    "\ud800",
    "\x00",
    "..",
    "xn--",
    "ﬃ",
    "a",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=12).map("".join))
def test_nothing_raises(text: str) -> None:
    for function in EVERY:
        function(text)
    assert urls.canonical_url(urls.canonical_url(text)) == urls.canonical_url(text)


def test_parts_are_decoded_and_hosts_are_plain() -> None:
    url = urls.parse_web_url("HTTPS://WWW.Example.COM.:443//wiki/Caf%C3%A9/a%2Fb/?v=1&v=2&x=%E6%B8%AF#top")
    assert url is not None
    assert (url.host, url.segments) == ("example.com", ("wiki", "Café", "a/b"))
    assert url.query == {"v": "1", "x": "港"}
    assert url.is_under("example.com")
    assert not url.is_under("ample.com")


@pytest.mark.parametrize("url", ["", "mailto:a@b.example", "ftp://x.example", "https://", "x", "\ud800"])
def test_what_is_no_web_url_is_none(url: str) -> None:
    assert urls.parse_web_url(url) is None
