"""From fetched pages to findings: what the homepage tells, and what a page on the brand shows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from wellsourced.brand.page_fetcher import BrandPage, BrandPageFetcher
from wellsourced.brand.page_readers import colours, fonts, logos, voice
from wellsourced.brand.page_readers.css import Sheet
from wellsourced.brand.page_readers.head import head_colours, manifest
from wellsourced.brand.page_readers.identity import identity
from wellsourced.brand.page_readers.markup import BrandMarkup
from wellsourced.brand.page_readers.social import profiles
from wellsourced.brand.types import Findings, Tier

MANIFEST_BYTES = 100_000
ENOUGH_COLOURS = 3


async def homepage_findings(page: BrandPage, domain: str, fetching: BrandPageFetcher) -> list[Findings]:
    markup = page.markup
    found = await asyncio.to_thread(head_findings, markup, domain)
    for url, _ in list(markup.linked("manifest"))[:1]:
        found.append(manifest(await fetching.text(url, MANIFEST_BYTES), url))
    return [each for each in found if each]


def head_findings(markup: BrandMarkup, domain: str) -> list[Findings]:
    who = identity(markup, domain)
    name = str(who.values.get("identity.name", ""))
    return [who, logos.on_homepage(markup, name), profiles(markup, name, domain), head_colours(markup)]


def style_findings(markup: BrandMarkup, sheets: Sequence[Sheet], tier: Tier) -> list[Findings]:
    known = fonts.served(markup, sheets)
    found = [*colours.styled(sheets, tier), *fonts.styled(sheets, known, tier)]
    address = fonts.google_stylesheet(markup, sheets)
    if address and any("typography.body" in each.values or "typography.heading" in each.values for each in found):
        found.append(Findings(tier=tier, url=markup.url, values={"typography.google_fonts_url": address}))
    return found


def guideline_findings(page: BrandPage, sheets: Sequence[Sheet], tier: Tier) -> list[Findings]:
    """What the page says comes before what its styles do."""
    markup = page.markup
    known = fonts.served(markup, sheets)
    said = [
        colours.swatches(markup, tier),
        fonts.named(markup, sheets, known, tier),
        voice.voice(markup, tier),
        logos.on_guidelines(markup, tier),
    ]
    return [each for each in (*said, *style_findings(markup, sheets, tier)) if each]


def has_palette(findings: Sequence[Findings]) -> bool:
    return len({colour.hex for each in findings for colour in each.palette}) >= ENOUGH_COLOURS


def has_fonts(findings: Sequence[Findings]) -> bool:
    return {"typography.heading", "typography.body"} <= {name for each in findings for name in each.values}
