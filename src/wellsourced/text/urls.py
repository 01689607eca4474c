"""URLs: parsing as browsers do, one stable form, comparison, what a redirect hides, and what is refused outright.

Every URL is read by the WHATWG standard (can_ada), so what is compared or checked here is what a browser would open.
Registrable domains come from the public suffix list, private suffixes (github.io) included. Only `require_web_url`
raises; elsewhere a URL that cannot be parsed is returned as it came, or answered with None, "" or False.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, parse_qsl, unquote

from wellsourced.errors import Refused
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

if TYPE_CHECKING:
    from can_ada import URL
    from publicsuffixlist import PublicSuffixList

WEB_SCHEMES = frozenset({"http:", "https:"})
CACHED_URLS = 1024

# Refusals quote the URL, which may be hostile: it is bounded, and whatever stands before an @ may be a password.
LONGEST_URL = 16_384
DISPLAYED_LENGTH = 200
PUBLIC_URL_ADVICE = "Provide a valid public http(s) URL."
COMPLETE_URL_ADVICE = "Give an address such as https://example.org/page."
CREDENTIALS = late_pattern(r"//[^/?#\\]*@")

LONGEST_QUERY = 4000
MOST_PARAMETERS = 50

TRACKING_PREFIXES = ("utm_", "hsa_", "mtm_", "matomo_", "piwik_", "pk_", "oly_")
TRACKING_WORDS = (
    "gclid gclsrc gbraid wbraid gad_source gad_campaignid dclid fbclid fb_action_ids fb_action_types fb_source"
    " msclkid mc_cid mc_eid igshid igsh yclid ysclid ymclid twclid ttclid li_fat_id scclid epik rdt_cid sc_cid srsltid"
    " ref_src ref_url _hsenc _hsmi __hstc __hssc __hsfp hsctatracking _openstat _ga _gl mkt_tok vero_id vero_conv"
    " wickedid s_cid ml_subscriber ml_subscriber_hash cmpid at_medium at_campaign dgcid"
)
TRACKING_NAMES = frozenset(TRACKING_WORDS.split())
AMP_PARAMETERS = frozenset({"amp", "amp=1", "amp=true", "outputtype=amp"})
# Host labels that lead to another rendering of the same page.
VARIANT_LABELS = frozenset({"www", "m", "mobile", "amp"})
ESCAPED_BYTE = late_pattern(r"%([0-9A-Fa-f]{2})")

MOST_REDIRECT_LAYERS = 3
GOOGLE_HOST = late_pattern(r"(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?")
YAHOO_TARGET = late_pattern(r"/RU=([^/]+)/")
# Host → the path of its redirect page and the parameter that holds the target.
REDIRECT_PAGES: dict[str, tuple[str, str]] = {
    "duckduckgo.com": ("/l/", "uddg"),
    "html.duckduckgo.com": ("/l/", "uddg"),
    "lite.duckduckgo.com": ("/l/", "uddg"),
    "youtube.com": ("/redirect", "q"),
    "l.facebook.com": ("/l.php", "u"),
    "lm.facebook.com": ("/l.php", "u"),
    "l.instagram.com": ("/", "u"),
    "out.reddit.com": ("/", "url"),
}


@dataclass(frozen=True, slots=True)
class WebUrl:
    """A web page's URL in the parts sites lay theirs out in.

    `host` is lower-case and without `www.`; `segments` are the decoded parts of the path, empty ones left out.
    """

    host: str
    segments: tuple[str, ...]
    query: Mapping[str, str]

    @property
    def path(self) -> str:
        return "/" + "/".join(self.segments)

    def is_under(self, *domains: str) -> bool:
        return any(self.host == domain or self.host.endswith(f".{domain}") for domain in domains)


def parse_url(url: str) -> URL | None:
    """The parsed URL, or None; `//host/path` is read as https."""
    text = url.strip()
    return _parse_strictly(f"https:{text}" if text.startswith("//") else text)


@lru_cache(maxsize=CACHED_URLS)
def _parse_to_read(url: str) -> URL | None:
    """The same, shared by those who only read it."""
    return parse_url(url)


def _parse_strictly(url: str) -> URL | None:
    import can_ada

    try:
        return can_ada.parse(url)
    except (ValueError, TypeError):  # lone surrogates make can_ada raise TypeError
        return None


def parse_web_url(url: str) -> WebUrl | None:
    """The parts of an http(s) URL; None for anything else."""
    parsed = parse_url(url)
    if parsed is None or parsed.protocol not in WEB_SCHEMES or not parsed.hostname:
        return None
    segments = tuple(unquote(part) for part in parsed.pathname.split("/") if part)
    pairs = parse_qsl(parsed.search.removeprefix("?")[:LONGEST_QUERY], keep_blank_values=True)[:MOST_PARAMETERS]
    # Reversed, so that the first of a repeated parameter wins.
    return WebUrl(parsed.hostname.lower().rstrip(".").removeprefix("www."), segments, dict(reversed(pairs)))


def is_web_url(url: str) -> bool:
    parsed = parse_url(url)
    return parsed is not None and parsed.protocol in WEB_SCHEMES and bool(parsed.hostname)


def require_web_url(url: str) -> URL:
    """The parsed URL; Refused unless it is http(s) and carries no user name or password."""
    if len(url) > LONGEST_URL:
        raise url_refusal(url, f"it is longer than {LONGEST_URL} characters")
    parsed = _parse_strictly(url)
    if parsed is None:
        raise url_refusal(url, "it is not a complete, well-formed URL", COMPLETE_URL_ADVICE)
    if parsed.protocol not in WEB_SCHEMES:
        raise url_refusal(url, f"{parsed.protocol} addresses are not fetched", PUBLIC_URL_ADVICE)
    if parsed.has_credentials():
        parsed.username = parsed.password = ""
        raise url_refusal(parsed.href, "it carries a user name or password", "Leave out what stands before the @.")
    return parsed


def url_refusal(url: str, why: str, advice: str = "") -> Refused:
    return Refused(f"URL rejected for {display_url(url)}: {why}. {advice}".rstrip())


def display_url(url: str) -> str:
    """A URL fit for a sentence: bounded, on one line, and without what may be a password."""
    public = CREDENTIALS.sub("//", url[:LONGEST_URL])
    start = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in public[:DISPLAYED_LENGTH]
    )
    return start if len(public) <= DISPLAYED_LENGTH else start + "…"


def escape_url(url: str) -> str:
    """The URL as browsers write it: invisible characters escaped, user name and password left out."""
    parsed = parse_url(url)
    if parsed is None:
        return url.strip()
    if parsed.has_credentials():
        parsed.username = parsed.password = ""
    return str(parsed.href)


@lru_cache(maxsize=CACHED_URLS)
def canonical_url(url: str) -> str:
    """One spelling for one page: no tracking parameters, credentials, default port or fragment (`#!` stays)."""
    parsed = _parse_to_read(url)
    if parsed is None or parsed.protocol not in WEB_SCHEMES:
        return url.strip() if parsed is None else str(parsed.href)
    search, fragment = parsed.search, parsed.hash
    if search:
        query = "&".join([pair for pair in _query_pairs(search) if not _is_tracking(pair)])
        search = f"?{query}" if query else ""
    return f"{parsed.protocol}//{parsed.host}{parsed.pathname}{search}{fragment if fragment.startswith('#!') else ''}"


@lru_cache(maxsize=CACHED_URLS)
def url_comparison_key(url: str) -> str:
    """For de-duplication only: scheme, `www.`, mobile and AMP spellings and a last slash make no difference."""
    parsed = _parse_to_read(canonical_url(url))
    if parsed is None or parsed.protocol not in WEB_SCHEMES:
        return url.strip()
    port, search = parsed.port, parsed.search
    path = _normalize_escapes(parsed.pathname).rstrip("/").removesuffix("/amp").rstrip("/")
    if search:
        query = "&".join([pair for pair in _query_pairs(search) if pair.lower() not in AMP_PARAMETERS])
        search = f"?{_normalize_escapes(query)}" if query else ""
    return f"{_without_variant_labels(parsed.hostname)}{f':{port}' if port else ''}{path}{search}{parsed.hash}"


def _query_pairs(search: str) -> list[str]:
    return [pair for pair in search.removeprefix("?").split("&") if pair]


def _is_tracking(pair: str) -> bool:
    name = unquote(pair.partition("=")[0]).lower()
    return name in TRACKING_NAMES or name.startswith(TRACKING_PREFIXES)


def _without_variant_labels(host: str) -> str:
    labels = host.rstrip(".").split(".")
    while len(labels) > 2 and labels[0] in VARIANT_LABELS:
        labels = labels[1:]
    if len(labels) > 3 and labels[1] == "m":  # en.m.wikipedia.org
        del labels[1]
    return ".".join(labels)


def _normalize_escapes(text: str) -> str:
    """Escapes of plain letters and digits are undone and the others written in capitals."""
    return ESCAPED_BYTE.sub(_normalize_escape, text) if "%" in text else text


def _normalize_escape(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    is_plain = character.isascii() and (character.isalnum() or character in "-._~")
    return character if is_plain else match[0].upper()


@lru_cache(maxsize=CACHED_URLS)
def host_of(url: str) -> str:
    """The host in lower case, international names in their ASCII form; "" when there is none."""
    parsed = _parse_to_read(url)
    return parsed.hostname.rstrip(".") if parsed is not None else ""


def display_host(url: str) -> str:
    """The host as shown beside a result: without `www.`; "" when there is none."""
    host = host_of(url)
    return host.removeprefix("www.") if host.count(".") > 1 else host


@lru_cache(maxsize=CACHED_URLS)
def registrable_domain(host: str) -> str:
    """The part of a host that somebody registered; an IP address, or a suffix itself, is returned as it is."""
    name = host.strip().rstrip(".").lower()
    if not name or ":" in name or name.rpartition(".")[2].isdigit():
        return name
    try:
        return _suffix_list().privatesuffix(name) or name
    except (ValueError, UnicodeError):
        return name


def is_within_site(url: str, site: str) -> bool:
    """Whether a URL belongs to a site: its host or a subdomain, below its path if it has one."""
    parsed, (host, path) = parse_url(url), site_parts(site)
    if parsed is None or not host:
        return False
    own_host = parsed.hostname.rstrip(".")
    if own_host != host and not own_host.endswith(f".{host}"):
        return False
    own_path, site_path = (_normalize_escapes(text).casefold() for text in (parsed.pathname, path))
    return not site_path or own_path == site_path or own_path.startswith(f"{site_path}/")


def site_parts(site: str) -> tuple[str, str]:
    """Host and path of a site as people write it (`https://www.Example.com:443/docs/`); ("", "") if unreadable."""
    text = site.strip().removeprefix("*.").lstrip(".")
    parsed = parse_url(text if "://" in text or text.startswith("//") else f"https://{text}") if text else None
    if parsed is None:
        return "", ""
    return _without_www(parsed.hostname.rstrip(".")), parsed.pathname.rstrip("/")


def _without_www(host: str) -> str:
    """`www.gov.uk` keeps its www: what is left would be a public suffix, far wider than what was meant."""
    rest = host.removeprefix("www.")
    return host if rest != host and _is_public_suffix(rest) else rest


def _is_public_suffix(host: str) -> bool:
    try:
        return bool(_suffix_list().is_public(host))
    except (ValueError, UnicodeError):
        return False


@lru_cache(maxsize=1)
def _suffix_list() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def ascii_domain(domain: str) -> str:
    """A domain from the settings in the form hosts have: *.Bücher.example → xn--bcher-kva.example."""
    bare = domain.strip().removeprefix("*").strip(".")
    parsed = _parse_strictly(bare if "//" in bare else f"http://{bare}/")
    return parsed.hostname if parsed is not None else bare.casefold()


def normalize_base_url(url: str) -> str:
    """A URL from the settings as browsers and clients write it: https://Bücher.example:443/ is
    https://xn--bcher-kva.example. What is not http(s), such as an extension's origin, is only put in lower case."""
    parsed = _parse_strictly(url)
    if parsed is None or parsed.protocol not in WEB_SCHEMES:
        return url.strip().rstrip("/").lower()
    return (parsed.origin + parsed.pathname).rstrip("/")


def host_with_port(name: str) -> str:
    """The host, and the port if it is an unusual one, of a URL or a bare name from the settings."""
    return normalize_base_url(name if "//" in name else f"http://{name}").partition("//")[2].partition("/")[0]


def unwrap_redirect(url: str) -> str:
    """The URL that a search engine or platform put its redirect page in front of, through at most three of them.

    Only redirects that carry their target in the URL itself are undone; nothing is fetched, and any other URL is
    returned as it came.
    """
    for _ in range(MOST_REDIRECT_LAYERS):
        parsed = parse_url(url)
        target = _redirect_target(parsed) if parsed is not None else None
        if target is None or not is_web_url(target):
            return url
        url = target
    return url


def _redirect_target(parsed: URL) -> str | None:
    host = parsed.hostname.removeprefix("www.")
    if GOOGLE_HOST.fullmatch(host):
        return _google_target(parsed)
    if host in {"bing.com", "cn.bing.com"} and parsed.pathname == "/ck/a":
        return _bing_target(_query_parameter(parsed, "u"))
    if host == "r.search.yahoo.com":
        match = YAHOO_TARGET.search(parsed.pathname)
        return unquote(match[1]) if match else None
    path, name = REDIRECT_PAGES.get(host, ("", ""))
    return _query_parameter(parsed, name) if path and parsed.pathname.rstrip("/") == path.rstrip("/") else None


def _google_target(parsed: URL) -> str | None:
    if parsed.pathname == "/url":
        return _query_parameter(parsed, "q") or _query_parameter(parsed, "url")
    if parsed.pathname.startswith("/amp/s/"):
        return f"https://{parsed.pathname.removeprefix('/amp/s/')}{parsed.search}"
    return None


def _bing_target(wrapped: str | None) -> str | None:
    """Bing writes `a1` and then the URL in URL-safe base64 without padding."""
    if not wrapped or not wrapped.startswith("a1"):
        return None
    code = wrapped[2:]
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode()
    except ValueError:
        return None


def _query_parameter(parsed: URL, name: str) -> str | None:
    return next(iter(parse_qs(parsed.search.removeprefix("?")).get(name, [])), None)
