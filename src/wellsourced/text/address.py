"""Reading an address as browsers do (WHATWG, through can_ada), without ever raising."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from can_ada import URL

WEB_SCHEMES = frozenset({"http:", "https:"})


def parse_address(url: str) -> URL | None:
    """The parsed address, or None; `//host/path` is read as https. Lone surrogates make can_ada raise TypeError."""
    import can_ada

    text = url.strip()
    try:
        return can_ada.parse(f"https:{text}" if text.startswith("//") else text)
    except (ValueError, TypeError):
        return None


def as_browsers_write(url: str) -> str:
    """The address with everything escaped that nobody could see in it, and without user name and password."""
    parsed = parse_address(url)
    if parsed is None:
        return url.strip()
    if parsed.has_credentials():
        parsed.username = parsed.password = ""
    return str(parsed.href)


def is_web_address(url: str) -> bool:
    parsed = parse_address(url)
    return parsed is not None and parsed.protocol in WEB_SCHEMES and bool(parsed.hostname)
