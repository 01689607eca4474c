"""The pages on a brand: probe, read what answers, keep what speaks of the brand, follow its menu."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from wellsourced.brand.guideline_probes import GuidelineCandidate, GuidelineProbes, candidates
from wellsourced.brand.page_fetcher import BrandPage, BrandPageFetcher
from wellsourced.brand.page_findings import has_palette
from wellsourced.brand.page_readers.colours import swatches
from wellsourced.brand.types import Findings
from wellsourced.errors import Blocked, WellsourcedError
from wellsourced.net.concurrency import gather_with_limit
from wellsourced.text.urls import host_of

MOST_READ = 8
MOST_KEPT = 4
MOST_RENDERED = 2
MOST_PARTS = 4
AT_ONCE = 4
PART = re.compile(
    r"colou?r|palette|visual[-_ ]identity|tokens|typograph|\bfonts?\b|typeface|\bvoice\b|\btone\b|farben?\b|couleurs?"
    r"|colores|цвет|颜色|色彩|カラー|色",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Guidelines:
    """Pages that were read, the best first, and addresses of portals that exist but could not be."""

    pages: list[BrandPage] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.pages[0].url if self.pages else next(iter(self.unread), "")


async def find_guidelines(
    home: BrandPage | None, home_url: str, domain: str, probes: GuidelineProbes, fetching: BrandPageFetcher
) -> Guidelines:
    links = home.markup.links if home else ()
    promising = (await probes.promising(candidates(home_url, domain, links)))[:MOST_READ]
    found = Guidelines()
    served = await gather_with_limit(
        promising, lambda each: _served(each, fetching), at_once=AT_ONCE, deadline=fetching.deadline
    )
    renderings = MOST_RENDERED
    for candidate, outcome in zip(promising, served, strict=True):
        if _needs_browser(outcome, home) and renderings:
            renderings -= 1
            outcome = await _rendered(candidate, outcome, fetching)
        _sort_in(candidate, outcome, probes, found)
    found.pages = _distinct(found.pages)[:MOST_KEPT]
    found.pages += await _parts(found.pages, fetching)
    return found


async def _served(candidate: GuidelineCandidate, fetching: BrandPageFetcher) -> BrandPage | WellsourcedError:
    try:
        return await fetching.page(candidate.url)
    except WellsourcedError as failure:
        return failure


def _needs_browser(outcome: BrandPage | WellsourcedError | None, home: BrandPage | None) -> bool:
    """An empty frame, unless it is the very frame that the site serves for every address."""
    if isinstance(outcome, BrandPage):
        return outcome.is_frame and (home is None or outcome.fingerprint != home.fingerprint)
    return isinstance(outcome, Blocked)


async def _rendered(
    candidate: GuidelineCandidate, outcome: BrandPage | WellsourcedError | None, fetching: BrandPageFetcher
) -> BrandPage | WellsourcedError:
    blocked = outcome if isinstance(outcome, WellsourcedError) else None
    try:
        return await fetching.rendered(candidate.url, blocked)
    except WellsourcedError as failure:
        return failure


def _sort_in(
    candidate: GuidelineCandidate,
    outcome: BrandPage | WellsourcedError | None,
    probes: GuidelineProbes,
    found: Guidelines,
) -> None:
    if isinstance(outcome, BrandPage) and not outcome.is_frame:
        if probes.is_about_brand(candidate, outcome):
            found.pages.append(outcome)
    elif candidate.is_meant:
        found.unread.append(candidate.url)


def _distinct(pages: Sequence[BrandPage]) -> list[BrandPage]:
    """Pages with different texts; several addresses often lead to one."""
    return list({page.fingerprint: page for page in reversed(pages)}.values())[::-1]


async def _parts(pages: Sequence[BrandPage], fetching: BrandPageFetcher) -> list[BrandPage]:
    """Pages on colours, type and voice that a portal's menu leads to, where its first page shows hardly a colour."""
    shown: list[Findings] = [swatches(page.markup, "brand_page") for page in pages]
    if not pages or has_palette(shown):
        return []
    known = {page.url.split("#")[0].rstrip("/") for page in pages}
    wanted = [
        url
        for page in pages[:2]
        for link in page.markup.links
        if host_of(url := link.url.split("#")[0]) == host_of(page.url)
        and url.rstrip("/") not in known
        and PART.search(f"{link.text[:100]} {url.rpartition('/')[2] or url}")
    ]

    async def read(url: str) -> BrandPage | None:
        try:
            return await fetching.finished_page(url)
        except WellsourcedError:
            return None

    read_pages = await gather_with_limit(
        list(dict.fromkeys(wanted))[:MOST_PARTS], read, at_once=2, deadline=fetching.deadline
    )
    return [page for page in _distinct([page for page in read_pages if page]) if not page.is_frame]
