"""What is behind a redirect that a search engine or a platform puts in front of the address it means.

Only wrappers that carry their target in the address itself are undone; nothing is fetched.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote

from wellsourced.text.address import is_web_address, parse_address

if TYPE_CHECKING:
    from can_ada import URL

MOST_LAYERS = 3
GOOGLE_HOST = re.compile(r"(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?")
YAHOO_TARGET = re.compile(r"/RU=([^/]+)/")

WRAPPERS: dict[str, tuple[str, str]] = {
    "duckduckgo.com": ("/l/", "uddg"),
    "html.duckduckgo.com": ("/l/", "uddg"),
    "lite.duckduckgo.com": ("/l/", "uddg"),
    "youtube.com": ("/redirect", "q"),
    "l.facebook.com": ("/l.php", "u"),
    "lm.facebook.com": ("/l.php", "u"),
    "l.instagram.com": ("/", "u"),
    "out.reddit.com": ("/", "url"),
}


def unwrap_redirect(url: str) -> str:
    """The address meant, through at most three wrappers; an address that is not wrapped is returned as it came."""
    for _ in range(MOST_LAYERS):
        parsed = parse_address(url)
        target = _target(parsed) if parsed is not None else None
        if target is None or not is_web_address(target):
            return url
        url = target
    return url


def _target(parsed: URL) -> str | None:
    host = parsed.hostname.removeprefix("www.")
    if GOOGLE_HOST.fullmatch(host):
        return _behind_google(parsed)
    if host in {"bing.com", "cn.bing.com"} and parsed.pathname == "/ck/a":
        return _behind_bing(_parameter(parsed, "u"))
    if host == "r.search.yahoo.com":
        found = YAHOO_TARGET.search(parsed.pathname)
        return unquote(found[1]) if found else None
    path, name = WRAPPERS.get(host, ("", ""))
    return _parameter(parsed, name) if path and parsed.pathname.rstrip("/") == path.rstrip("/") else None


def _behind_google(parsed: URL) -> str | None:
    if parsed.pathname == "/url":
        return _parameter(parsed, "q") or _parameter(parsed, "url")
    if parsed.pathname.startswith("/amp/s/"):
        return f"https://{parsed.pathname.removeprefix('/amp/s/')}{parsed.search}"
    return None


def _behind_bing(wrapped: str | None) -> str | None:
    """Bing writes `a1` and then the address in URL-safe base64 without padding."""
    if not wrapped or not wrapped.startswith("a1"):
        return None
    code = wrapped[2:]
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode()
    except ValueError:
        return None


def _parameter(parsed: URL, name: str) -> str | None:
    return next(iter(parse_qs(parsed.search.removeprefix("?")).get(name, [])), None)
