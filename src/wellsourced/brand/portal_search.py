"""Guidelines that are kept search_portals: three web searches for portals, design systems and kits of a brand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wellsourced.brand.company_site import BrandSite
from wellsourced.brand.guideline_probes import STRONG, is_portal
from wellsourced.errors import WellsourcedError
from wellsourced.net.concurrency import gather_with_limit
from wellsourced.search.searcher import Searcher
from wellsourced.text.urls import host_of, parse_web_url, registrable_domain
from wellsourced.tool.call import Trace
from wellsourced.upstreams.types.search import Hit, WebQuery

HITS = 5
AT_ONCE = 3
MOST_FOUND = 4


@dataclass(frozen=True, slots=True)
class PortalSearchResult:
    """Addresses worth reading, and why searching failed where it did."""

    urls: tuple[str, ...]
    failures: tuple[str, ...] = ()


async def search_portals(
    name: str, site: BrandSite, search: Searcher, trace: Trace, deadline: float
) -> PortalSearchResult:
    async def ask(query: WebQuery) -> Sequence[Hit] | str:
        try:
            return (await search.web(query, provider=None, lens=None, trace=trace, deadline=deadline)).items
        except WellsourcedError as error:
            return error.sentence

    answers = await gather_with_limit(queries(name), ask, at_once=AT_ONCE, deadline=deadline)
    hits = [hit for answer in answers if answer and not isinstance(answer, str) for hit in answer]
    failures = [
        answer if isinstance(answer, str) else "A search took too long." for answer in answers if _failed(answer)
    ]
    found = dict.fromkeys(hit.url for hit in hits if is_own_page(hit, site))
    return PortalSearchResult(tuple(found)[:MOST_FOUND], tuple(dict.fromkeys(failures)))


def queries(name: str) -> list[WebQuery]:
    quoted = '"' + name.replace('"', " ").strip() + '"'
    return [
        WebQuery(text=f'{quoted} "brand guidelines" OR "brand kit" OR "brand book" -filetype:pdf', count=HITS),
        WebQuery(text=f"{quoted} design system", count=HITS, sites=("github.com",)),
        WebQuery(text=f"{quoted} figma brand kit", count=HITS),
    ]


def is_own_page(hit: Hit, site: BrandSite) -> bool:
    """Whether a hit is the brand's own: a page of its site on guidelines, its portal, or its organisation's code."""
    if is_portal(hit.url, site.label):
        return True
    if registrable_domain(host_of(hit.url)) == site.domain:
        return any(STRONG.search(text) for text in _searched_texts(hit))
    address = parse_web_url(hit.url)
    owner = address.segments[0].lower() if address and address.segments else ""
    return host_of(hit.url).removeprefix("www.") == "github.com" and owner == site.label.lower()


def _searched_texts(hit: Hit) -> Iterator[str]:
    yield hit.title
    yield hit.url.replace("-", " ").replace("/", " ")


def _failed(answer: Sequence[Hit] | str | None) -> bool:
    return answer is None or isinstance(answer, str)
