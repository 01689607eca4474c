"""A brand's own profiles elsewhere: what it declares as the same as itself, and links where sites put their profiles.

A page also links to other people's profiles, to its own posts and to share buttons; none of these is its profile.
"""

from __future__ import annotations

import re

from wellsourced.brand.page_readers.identity import letters, same_as
from wellsourced.brand.page_readers.markup import BrandMarkup, PageLink
from wellsourced.brand.types import Findings, Value
from wellsourced.text.urls import WebUrl, parse_web_url

NETWORKS = {
    "twitter.com": "twitter",
    "x.com": "twitter",
    "linkedin.com": "linkedin",
    "github.com": "github",
    "youtube.com": "youtube",
    "facebook.com": "facebook",
    "instagram.com": "instagram",
}
OTHER_PAGES = (
    "intent share sharer sharer.php share.php home search hashtag i login signup explore p reel reels stories watch"
    " embed playlist results dialog plugins tr events groups hashtags sharearticle feed marketplace features"
    " pricing about topics sponsors orgs apps settings notifications privacy policies terms legal help shorts live v"
    " profile.php subscription_center"
)
NO_PROFILES = frozenset(OTHER_PAGES.split())
PREFIXED = {
    "linkedin": frozenset({"company", "school", "showcase", "in"}),
    "youtube": frozenset({"c", "channel", "user"}),
    "facebook": frozenset({"pages", "pg", "people"}),
}
EDITION = re.compile(r"www|web|mobile|m|[a-z]{2}(?:-[a-z]{2})?")
PLACES = frozenset({"footer", "header", "nav", "aside"})
PLACE_NAMES = re.compile(r"social|follow|footer|\bsns\b", re.IGNORECASE)
CONTENT = frozenset({"article", "main"})
OTHERS = re.compile(r"author|byline|comment|\bteam\b|speaker|testimonial", re.IGNORECASE)


def profiles(page: BrandMarkup, name: str, domain: str) -> Findings:
    own = tuple(filter(None, (letters(name), letters(domain.split(".")[0]))))
    found = same_as(page) + [link.url for link in page.links if _is_own(link, own)]
    values: dict[str, Value] = {}
    for address in sorted(found, key=_is_a_persons):
        _keep(values, address)
    return Findings(tier="homepage_meta", url=page.url, values=values)


def network_of(url: str) -> str:
    """The network whose profile this address is, or ""."""
    address = parse_web_url(url)
    network = _network(address) if address else ""
    return network if address and network and _is_profile(network, address) else ""


def _keep(values: dict[str, Value], url: str) -> None:
    network = network_of(url)
    if network:
        values.setdefault(f"social.{network}", url)


def _is_a_persons(url: str) -> bool:
    """LinkedIn tells people from companies."""
    address = parse_web_url(url)
    return bool(address and address.segments[:1] == ("in",) and _network(address) == "linkedin")


def _network(address: WebUrl) -> str:
    """By the host alone, or with a language, a country or a device before it; the networks have other sites too."""
    start, _, rest = address.host.partition(".")
    is_edition = EDITION.fullmatch(start) is not None
    return NETWORKS.get(address.host) or (NETWORKS.get(rest, "") if is_edition else "")


def _is_profile(network: str, address: WebUrl) -> bool:
    segments = [segment.lower() for segment in address.segments]
    if not segments or segments[0] in NO_PROFILES or segments[0].startswith("%40"):
        return False
    prefixes = PREFIXED.get(network, frozenset())
    if segments[0] in prefixes:
        return len(segments) >= 2
    return network != "linkedin" and len(segments) == 1


def _is_own(link: PageLink, own: tuple[str, ...]) -> bool:
    """Whether the profile bears the brand's name or stands where a site puts its own profiles."""
    if not network_of(link.url):
        return False
    handle = letters(link.url.rstrip("/").rpartition("/")[2].split("?")[0])
    if any(_bears(handle, word) for word in own) or "me" in link.relations:
        return True
    is_content = any(tag in CONTENT or OTHERS.search(names) for tag, names in link.around)
    return not is_content and any(map(_is_place, link.around))


def _bears(handle: str, word: str) -> bool:
    return (len(word) > 2 and word in handle) or (len(handle) > 3 and word.startswith(handle))


def _is_place(names: tuple[str, str]) -> bool:
    tag, attributes = names
    return tag in PLACES or (tag not in {"body", "html"} and bool(PLACE_NAMES.search(attributes)))
