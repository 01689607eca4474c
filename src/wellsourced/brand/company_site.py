"""Whose brand is meant: an address or a company's name, as the site to look at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urljoin

from wellsourced.brand.page_readers.identity import letters
from wellsourced.errors import BadInput, NotFound
from wellsourced.search.searcher import Searcher
from wellsourced.text.urls import host_of, is_web_url, parse_url, registrable_domain
from wellsourced.tool.call import Trace
from wellsourced.upstreams.types.search import Hit, WebQuery

SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,20}://", re.IGNORECASE)
HITS = 8
ABOUT_OTHERS = frozenset(
    {
        "wikipedia.org", "wikidata.org", "linkedin.com", "facebook.com", "twitter.com", "x.com", "instagram.com",
        "youtube.com", "tiktok.com", "reddit.com", "crunchbase.com", "bloomberg.com", "glassdoor.com", "indeed.com",
        "yelp.com", "trustpilot.com", "g2.com", "capterra.com", "pitchbook.com", "zoominfo.com", "owler.com",
        "amazon.com", "apple.com", "google.com", "github.com", "medium.com", "forbes.com", "reuters.com",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BrandSite:
    """`homes` are the addresses under which the homepage may be, the likeliest first."""

    domain: str
    homes: tuple[str, ...]

    @property
    def label(self) -> str:
        """The first part of the domain, which is what a brand calls itself elsewhere."""
        return self.domain.split(".")[0]


def site_of(address: str) -> BrandSite:
    """The site that a domain or any address on it belongs to."""
    text = address.strip()
    has_scheme = bool(SCHEME.match(text)) or text.startswith("//")
    url = text if has_scheme else f"https://{text}"
    parsed = parse_url(url)
    if parsed is None or not is_web_url(url) or parsed.username or " " in text:
        raise BadInput(f"url must be a domain or a web address such as example.com; {address[:100]!r} is neither.")
    root = urljoin(parsed.href, "/")
    homes = [root] if has_scheme else [root, root.replace("https://", "http://", 1)]
    if parsed.pathname not in {"", "/"}:
        homes.append(parsed.href.split("#")[0])
    domain = registrable_domain(host_of(url))
    if host_of(url) == domain and "." in domain and not domain.rpartition(".")[2].isdigit():
        homes.append(root.replace(f"//{domain}", f"//www.{domain}", 1))
    return BrandSite(domain, tuple(homes))


async def site_of_company(name: str, search: Searcher, trace: Trace, deadline: float) -> BrandSite:
    """The site that a web search finds for a company; a site that only writes about it is passed over."""
    query = WebQuery(text=f"{name} official website", count=HITS)
    outcome = await search.web(query, provider=None, lens=None, trace=trace, deadline=deadline)
    hit = _official(name, outcome.items)
    if hit is None:
        raise NotFound(f"No website of {name[:100]!r} was found by searching. Give its address in url instead.")
    return site_of(hit.url)


def _official(name: str, hits: tuple[Hit, ...]) -> Hit | None:
    """The first hit whose domain is the name, then the first that bears the name in its title."""
    wanted = letters(name)
    own = [hit for hit in hits if registrable_domain(host_of(hit.url)) not in ABOUT_OTHERS - _own_domain(wanted)]
    for hit in own:
        label = letters(registrable_domain(host_of(hit.url)).split(".")[0])
        if label and (label in wanted or wanted in label):
            return hit
    return next((hit for hit in own if wanted and wanted in letters(hit.title)), None)


def _own_domain(wanted: str) -> frozenset[str]:
    """Whoever asks for GitHub means github.com."""
    return frozenset(domain for domain in ABOUT_OTHERS if letters(domain.split(".")[0]) == wanted)
