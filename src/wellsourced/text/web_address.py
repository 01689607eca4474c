"""An address taken apart the way sites lay out theirs: host, path segments, query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

from wellsourced.text.address import WEB_SCHEMES, parse_address

MOST_FIELDS = 50


@dataclass(frozen=True, slots=True)
class WebAddress:
    """`host` is lower-case and without `www.`; `segments` are the decoded parts of the path, empty ones left out."""

    host: str
    segments: tuple[str, ...]
    query: Mapping[str, str]

    @property
    def path(self) -> str:
        return "/" + "/".join(self.segments)

    def under(self, *domains: str) -> bool:
        return any(self.host == domain or self.host.endswith(f".{domain}") for domain in domains)


def web_address(url: str) -> WebAddress | None:
    """None for anything that is not a web address."""
    parsed = parse_address(url)
    if parsed is None or parsed.protocol not in WEB_SCHEMES or not parsed.hostname:
        return None
    segments = tuple(unquote(part) for part in parsed.pathname.split("/") if part)
    pairs = parse_qsl(parsed.search.removeprefix("?")[:4000], keep_blank_values=True)[:MOST_FIELDS]
    return WebAddress(parsed.hostname.lower().rstrip(".").removeprefix("www."), segments, dict(reversed(pairs)))
