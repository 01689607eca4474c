"""Addresses: one stable form, comparison, and what is behind a search engine's redirect.

Parsing follows the WHATWG standard (can_ada), so what is compared here is what a browser would open. Registrable
domains come from the public suffix list, private suffixes (github.io) included. Nothing here raises: an address
that cannot be parsed is returned as it came, or answered with "" or False where a part of it was asked for.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from wellsourced.text.address import WEB_SCHEMES, parse_address
from wellsourced.text.redirects import unwrap_redirect

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

__all__ = [
    "canonical",
    "comparison_key",
    "display_link",
    "host_of",
    "registrable_domain",
    "site_parts",
    "unwrap_redirect",
    "within",
]

TRACKING_PREFIXES = ("utm_", "hsa_", "mtm_", "matomo_", "piwik_", "pk_", "oly_")
TRACKING_WORDS = (
    "gclid gclsrc gbraid wbraid gad_source gad_campaignid dclid fbclid fb_action_ids fb_action_types fb_source"
    " msclkid mc_cid mc_eid igshid igsh yclid ysclid ymclid twclid ttclid li_fat_id scclid epik rdt_cid sc_cid srsltid"
    " ref_src ref_url _hsenc _hsmi __hstc __hssc __hsfp hsctatracking _openstat _ga _gl mkt_tok vero_id vero_conv"
    " wickedid s_cid ml_subscriber ml_subscriber_hash cmpid at_medium at_campaign dgcid"
)
TRACKING_NAMES = frozenset(TRACKING_WORDS.split())
AMP_PARAMETERS = frozenset({"amp", "amp=1", "amp=true", "outputtype=amp"})
FOLDED_LABELS = frozenset({"www", "m", "mobile", "amp"})
REMEMBERED = 4096
UNRESERVED_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")


@lru_cache(maxsize=REMEMBERED)
def canonical(url: str) -> str:
    """One spelling for one address: no tracking parameters, credentials, default port or fragment (`#!` stays)."""
    parsed = parse_address(url)
    if parsed is None or parsed.protocol not in WEB_SCHEMES:
        return url.strip() if parsed is None else str(parsed.href)
    fragment = parsed.hash if parsed.hash.startswith("#!") else ""
    return f"{parsed.protocol}//{parsed.host}{parsed.pathname}{_without_tracking(parsed.search)}{fragment}"


@lru_cache(maxsize=REMEMBERED)
def comparison_key(url: str) -> str:
    """For de-duplication only: scheme, `www.`, mobile and AMP spellings and a last slash make no difference."""
    parsed = parse_address(canonical(url))
    if parsed is None or parsed.protocol not in WEB_SCHEMES:
        return url.strip()
    port = f":{parsed.port}" if parsed.port else ""
    query = "&".join(pair for pair in _pairs(parsed.search) if pair.lower() not in AMP_PARAMETERS)
    path = _normal_escapes(parsed.pathname).rstrip("/").removesuffix("/amp").rstrip("/")
    asked = f"?{_normal_escapes(query)}" if query else ""
    return f"{_folded_host(parsed.hostname)}{port}{path}{asked}{parsed.hash}"


@lru_cache(maxsize=REMEMBERED)
def host_of(url: str) -> str:
    """The host in lower case, international names in their ASCII form; "" when there is none."""
    parsed = parse_address(url)
    return parsed.hostname.rstrip(".") if parsed is not None else ""


def display_link(url: str) -> str:
    """The host as shown beside a result: without `www.`; "" when there is none."""
    host = host_of(url)
    return host.removeprefix("www.") if host.count(".") > 1 else host


def registrable_domain(host: str) -> str:
    """The part of a host that somebody registered; an address, or a suffix itself, is returned as it is."""
    name = host.strip().rstrip(".").lower()
    if not name or ":" in name or name.rpartition(".")[2].isdigit():
        return name
    try:
        return _suffixes().privatesuffix(name) or name
    except (ValueError, UnicodeError):
        return name


def within(url: str, site: str) -> bool:
    """Whether an address belongs to a site: its host or a subdomain, below its path if it has one."""
    parsed, (host, path) = parse_address(url), site_parts(site)
    if parsed is None or not host:
        return False
    own = parsed.hostname.rstrip(".")
    if own != host and not own.endswith(f".{host}"):
        return False
    below = _normal_escapes(parsed.pathname).casefold()
    wanted = _normal_escapes(path).casefold()
    return not wanted or below == wanted or below.startswith(f"{wanted}/")


def site_parts(site: str) -> tuple[str, str]:
    """Host and path of a site as people write it (`https://www.Example.com:443/docs/`); ("", "") if unreadable."""
    text = site.strip().removeprefix("*.").lstrip(".")
    parsed = parse_address(text if "://" in text or text.startswith("//") else f"https://{text}") if text else None
    if parsed is None:
        return "", ""
    return _without_www(parsed.hostname.rstrip(".")), parsed.pathname.rstrip("/")


def _without_www(host: str) -> str:
    """`www.gov.uk` keeps its www: what is left would be a public suffix, far wider than what was meant."""
    rest = host.removeprefix("www.")
    return host if rest != host and _is_public_suffix(rest) else rest


def _is_public_suffix(host: str) -> bool:
    try:
        return bool(_suffixes().is_public(host))
    except (ValueError, UnicodeError):
        return False


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def _pairs(search: str) -> list[str]:
    return [pair for pair in search.removeprefix("?").split("&") if pair]


def _without_tracking(search: str) -> str:
    kept = "&".join(pair for pair in _pairs(search) if not _is_tracking(pair))
    return f"?{kept}" if kept else ""


def _is_tracking(pair: str) -> bool:
    name = unquote(pair.partition("=")[0]).lower()
    return name in TRACKING_NAMES or name.startswith(TRACKING_PREFIXES)


def _folded_host(host: str) -> str:
    labels = host.rstrip(".").split(".")
    while len(labels) > 2 and labels[0] in FOLDED_LABELS:
        labels = labels[1:]
    if len(labels) > 3 and labels[1] == "m":
        del labels[1]
    return ".".join(labels)


def _normal_escapes(text: str) -> str:
    """Escapes of plain letters and digits are undone and the others written in capitals."""
    return UNRESERVED_ESCAPE.sub(_normal_escape, text)


def _normal_escape(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    is_plain = character.isascii() and (character.isalnum() or character in "-._~")
    return character if is_plain else found[0].upper()
