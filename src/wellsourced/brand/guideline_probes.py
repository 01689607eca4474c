"""Where brands keep their guidelines: five subdomains, twenty-one paths, and what the homepage itself links to.

Every likely address is asked with HEAD, side by side. One that answers (or does not know HEAD) is worth reading,
unless it led home or to another site; whether it is about the brand is decided by what it says.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from wellsourced.brand.page_fetcher import BrandPage, path_of
from wellsourced.brand.page_readers.markup import PageLink
from wellsourced.errors import WellsourcedError
from wellsourced.net.client import HttpClient, OutgoingRequest
from wellsourced.net.concurrency import gather_with_limit
from wellsourced.text.urls import host_of, registrable_domain

SUBDOMAINS = ("brand", "press", "newsroom", "media", "design")
PATHS = (
    "brand", "brand-guidelines", "brandbook", "brand-center", "brand-assets", "press", "presskit", "press-kit",
    "press-room", "newsroom", "media", "media-kit", "mediakit", "design", "design-system", "styleguide", "style-guide",
    "guidelines", "identity", "visual-identity", "about/brand",
)  # fmt: skip
PORTAL_HOSTS = (
    "brandfetch.io", "brandfetch.com", "brand.ai", "frontify.com", "bynder.com", "corebook.io", "marq.com",
    "lucidpress.com", "canto.com", "canva.com", "figma.com",
)  # fmt: skip
AT_ONCE = 8
PROBE_SECONDS = 5.0
PROBING_SECONDS = 10.0
REDIRECTS = 5
NO_HEAD = frozenset({400, 403, 405, 406, 501, 503})
HEADERS = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "accept-language": "en-US,en;q=0.9"}
HOME_PATH = re.compile(r"/(?:[a-z]{2}(?:[-_][a-z]{2,4})?/?)?(?:(?:index|home|default)(?:\.\w{2,5})?)?", re.IGNORECASE)
STRONG = re.compile(
    r"\b(?:media[ -]?kit|brand[ -]?kit|brand ?book|brand guid\w+|brand portal|brand hub|brand cent(?:er|re)"
    r"|design system|style ?guide|brand assets?|brand colou?rs?|brand fonts?|press[ -]?kit|logo usage"
    r"|download (?:our |the )?logos?|visual identity|brand identity|(?:logo|brand|design|identity) guidelines"
    r"|markenrichtlinien|corporate design|charte graphique|manual de (?:marca|identidad)|guía de marca|linee guida"
    r"|брендбук|гайдлайн)|品牌(?:指南|手册|规范|資源)|ブランドガイドライン|브랜드 ?가이드",
    re.IGNORECASE,
)
WEAK = re.compile(r"\b(brand|logo|colou?r|typeface|typography|font|press|palette|wordmark)s?\b", re.IGNORECASE)
LINK_WORDS = re.compile(
    r"^(?:(?:our )?brand|press(?: kit)?|media kit|brand (?:guidelines|assets|center|centre|kit|book|resources|portal)"
    r"|logos?(?: (?:and|&) \w+)?|presse|marke|styleguide|style guide|design system)$",
    re.IGNORECASE,
)
READ_LENGTH = 20_000
MOST_LINKS = 6
WEAK_ENOUGH = 3
MOST_HEADINGS = 60


@dataclass(frozen=True, slots=True)
class GuidelineCandidate:
    """`is_meant` marks what is for the brand by its name: the subdomain `brand`, or a link that says so."""

    url: str
    is_dedicated: bool = False
    is_meant: bool = False


def candidates(home: str, domain: str, links: Sequence[PageLink]) -> list[GuidelineCandidate]:
    """Subdomains first, then what the homepage names, then the usual paths; each address once."""
    parts = urlsplit(home)
    port = f":{parts.port}" if parts.port else ""
    named = "." in domain and not domain.rpartition(".")[2].isdigit() and ":" not in domain
    found = [
        GuidelineCandidate(f"{parts.scheme}://{name}.{domain}{port}/", name == "brand", name == "brand")
        for name in SUBDOMAINS
        if named
    ]
    linked = [link.url.split("#")[0] for link in links if _names_guidelines(link, domain)]
    found += [GuidelineCandidate(url, is_meant=True) for url in dict.fromkeys(linked)][:MOST_LINKS]
    root = urljoin(home, "./")
    found += [GuidelineCandidate(urljoin(root, path)) for path in PATHS]
    return list({each.url.rstrip("/"): each for each in reversed(found)}.values())[::-1]


def _names_guidelines(link: PageLink, domain: str) -> bool:
    says = LINK_WORDS.match(link.text.strip()) or STRONG.search(link.text) or STRONG.search(_spoken_path(link.url))
    return bool(says) and (_is_site(link.url, domain) or is_portal(link.url, domain.split(".")[0]))


def _spoken_path(url: str) -> str:
    return re.sub(r"[-_/.]+", " ", path_of(url))


class GuidelineProbes:
    def __init__(self, client: HttpClient, home: BrandPage | None, home_url: str, domain: str, deadline: float) -> None:
        self._client = client
        self._home = home
        self._home_url = home_url
        self._domain = domain
        self._deadline = deadline

    async def promising(self, asked: Sequence[GuidelineCandidate]) -> list[GuidelineCandidate]:
        """The candidates that exist as far as their servers say, in the order given."""
        limit = min(self._deadline, time.monotonic() + PROBING_SECONDS)
        answers = await gather_with_limit(asked, self._ask, at_once=AT_ONCE, deadline=limit)
        return [candidate for candidate, answer in zip(asked, answers, strict=True) if answer]

    async def _ask(self, candidate: GuidelineCandidate) -> bool:
        request = OutgoingRequest(
            "HEAD", candidate.url, HEADERS, timeout=PROBE_SECONDS, redirects=REDIRECTS, as_chrome=True
        )
        try:
            reply = await self._client.send(request)
        except WellsourcedError:
            return False
        if reply.status in NO_HEAD:
            return True
        return reply.status == 200 and self.is_at_home(candidate, reply.url)

    def is_at_home(self, candidate: GuidelineCandidate, final: str) -> bool:
        """Whether a followed address ended where guidelines may be: on the site, and not at its start page."""
        if not _is_site(final, self._domain):
            return is_portal(final, self._domain.split(".")[0])
        if final.rstrip("/") == candidate.url.rstrip("/"):
            return True
        is_front = path_of(final) == path_of(self._home_url) or bool(HOME_PATH.fullmatch(path_of(final)))
        is_main = host_of(final).removeprefix("www.") == host_of(self._home_url).removeprefix("www.")
        return not (is_front and is_main)

    def is_about_brand(self, candidate: GuidelineCandidate, page: BrandPage) -> bool:
        """Whether what was read is a page on the brand rather than the homepage again or something else."""
        if not self.is_at_home(candidate, page.url) or self._repeats_home(page):
            return False
        return candidate.is_dedicated or speaks_of_brand(page)

    def _repeats_home(self, page: BrandPage) -> bool:
        return self._home is not None and page.fingerprint == self._home.fingerprint


def speaks_of_brand(page: BrandPage) -> bool:
    """By its title and headings; by its text only where these are about something of a brand too."""
    markup = page.markup
    headings = [line.text for line in markup.lines if line.level][:MOST_HEADINGS]
    headed = "\n".join((markup.title, markup.declared.first("description", "og:title"), *headings))
    topics = {found[1].lower() for found in WEAK.finditer(headed)}
    if STRONG.search(headed) or len(topics) >= WEAK_ENOUGH:
        return True
    return bool(topics) and bool(STRONG.search(markup.text[:READ_LENGTH]))


def is_portal(url: str, label: str) -> bool:
    """Whether an address is a brand's own place at one of the services that host guidelines."""
    host = host_of(url)
    hosted = any(host == name or host.endswith(f".{name}") for name in PORTAL_HOSTS)
    return hosted and has_label(url, label)


def has_label(url: str, label: str) -> bool:
    return bool(label) and label.lower() in re.split(r"[^\w]+|_", url.lower()[:500])


def _is_site(url: str, domain: str) -> bool:
    return registrable_domain(host_of(url)) == domain
