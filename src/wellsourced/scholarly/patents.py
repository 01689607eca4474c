"""Patents: by number straight from the patent's page, by words from the offices' databases, else by way of the web.

A search goes four ways, each only when the one before brought nothing: the provider that was named; the operator's list
for "patents"; every configured database that covers the office; pages of Google Patents that a web engine finds, each
read for its dates and owners.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlencode

from wellsourced.errors import BadInput, UpstreamUnavailable, WellsourcedError
from wellsourced.net.concurrency import gather_with_limit
from wellsourced.scholarly.patent_filters import OwnerCluster, cluster_by_owner, filter_patents
from wellsourced.search.searcher import Searcher
from wellsourced.tool.call import Trace
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.failure_messages import joint_failure
from wellsourced.upstream_client.fallback import ask_in_turn
from wellsourced.upstream_client.provider_choice import ProviderChoice
from wellsourced.upstreams.helpers.assignees import bare_company
from wellsourced.upstreams.helpers.patent_numbers import is_same_document, patent_number, patent_page_url
from wellsourced.upstreams.types.patent import Patent, PatentQuery
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

PAGES = "google_patents"
DIRECT, DISCOVERY = "google_patents_direct", "web_discovery"
SITE = "patents.google.com"
SEARCH = "search patents"
# Databases of a single office.
OWN_OFFICE = {"uspto": "US"}

# Their search has no query for a class alone.
NEEDS_WORDS = frozenset({"uspto"})

BY_NUMBER = "A patent asked for by its number is shown also where it does not keep to the other filters."
SPARE = 5
POOL_FACTOR, LARGEST_POOL = 4, 50
# All pages come from one site.
PAGES_AT_ONCE = 3
PAGE_SECONDS, ALL_PAGES_SECONDS = 15.0, 25.0

SearchType = Literal["prior_art", "specific", "landscape"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatentsFound:
    patents: Sequence[Patent]
    source: str
    clusters: tuple[OwnerCluster, ...] = ()
    notes: tuple[str, ...] = ()
    more_available: bool | None = None


class Patents:
    def __init__(self, upstreams: UpstreamClient, providers: ProviderChoice, search: Searcher) -> None:
        self._upstreams = upstreams
        self._providers = providers
        self._search = search

    async def find(
        self, query: PatentQuery, search_type: SearchType, *, provider: str | None, trace: Trace, deadline: float
    ) -> PatentsFound:
        if not (query.text.strip() or query.assignee or query.inventor or query.cpc):
            raise BadInput("Give a query (words or a patent number), an assignee or an inventor.")
        number = patent_number(query.text)
        if search_type == "specific" and number:
            query = replace(query, number=number)
        wide = replace(query, count=pool_size(query, search_type))
        if provider:
            found = await self._from_named(wide, provider, trace, deadline)
        elif query.number:
            found = await self._by_number(wide, trace, deadline)
        else:
            found = await self._by_turns(wide, trace, deadline)
        if query.number and len(filter_patents(found.patents, query)) < len(found.patents):
            found = replace(found, notes=(*found.notes, BY_NUMBER))
        groups = tuple(cluster_by_owner(found.patents)) if search_type == "landscape" else ()
        more = len(found.patents) > query.count or found.more_available
        return replace(found, patents=found.patents[: query.count], clusters=groups, more_available=more)

    async def _from_named(self, query: PatentQuery, provider: str, trace: Trace, deadline: float) -> PatentsFound:
        """The provider that was named and no other, also when it finds nothing."""
        kind, name = self._providers.named(provider, Kind.PATENTS, Kind.WEB)
        if kind is Kind.WEB:
            return await self._discovered(query, name, trace, deadline)
        trace.attempted.append(name)
        with self._providers.offering_others(Kind.PATENTS, name):
            found: ResultSet[Patent] = (
                await self._ask(name, query, deadline) if covers_office(name, query) else ResultSet(())
            )
        trace.used = name
        return PatentsFound(patents=found.items, source=name, notes=found.notes, more_available=found.more_available)

    async def _by_number(self, query: PatentQuery, trace: Trace, deadline: float) -> PatentsFound:
        """Straight to the patent's page; the databases where the page cannot be had."""
        trace.attempted.append(PAGES)
        try:
            found = await self._ask(PAGES, query, deadline)
        except WellsourcedError as error:
            rest = await self._by_turns(query, trace, deadline, first=error)
            return replace(rest, notes=(error.sentence, *rest.notes))
        if found.items:
            trace.used = PAGES
            return PatentsFound(patents=found.items, source=DIRECT, notes=found.notes)
        return await self._by_turns(query, trace, deadline)

    async def _by_turns(
        self, query: PatentQuery, trace: Trace, deadline: float, first: WellsourcedError | None = None
    ) -> PatentsFound:
        names = self._names(query)
        outcome = await ask_in_turn(
            names, lambda name: self._ask(name, query, deadline), lambda found: bool(found.items)
        )
        trace.attempted += outcome.attempted
        notes = tuple(error.sentence for error in outcome.failures)
        if outcome.name and outcome.useful:
            trace.used = outcome.name
            trace.fallback_reason = None if outcome.name == names[0] else "primary_unavailable"
            useful = outcome.useful
            return PatentsFound(
                patents=useful.items,
                source=outcome.name,
                notes=useful.notes + notes,
                more_available=useful.more_available,
            )
        notes = (*(note for found in outcome.empty.values() for note in found.notes), *notes)
        try:
            found = await self._discovered(query, None, trace, deadline)
        except WellsourcedError as error:
            if not outcome.empty:
                raise joint_failure(SEARCH, [*([first] if first else []), *outcome.failures, error]) from error
            trace.used = next(iter(outcome.empty))
            return PatentsFound(patents=(), source=trace.used, notes=(*notes, error.sentence))
        if not found.patents and not outcome.empty and outcome.failures:
            raise joint_failure(SEARCH, [*outcome.failures, nothing_on_the_web(trace.used or DISCOVERY)])
        return replace(found, notes=notes + found.notes)

    def _names(self, query: PatentQuery) -> list[str]:
        """The operator's list, then every other database; only those that cover the office."""
        names = dict.fromkeys([*self._providers.order(Kind.PATENTS), *self._upstreams.configured(Kind.PATENTS)])
        return [
            name for name in names if covers_office(name, query) and name != PAGES and has_enough_words(name, query)
        ]

    async def _ask(self, name: str, query: PatentQuery, deadline: float) -> ResultSet[Patent]:
        found: ResultSet[Patent] = await self._upstreams.ask(name, Kind.PATENTS, query, deadline=deadline)
        if query.number:
            kept = [
                patent
                for patent in found.items
                if any(is_same_document(number, query.number) for number in (patent.number, patent.application or ""))
            ]
        else:
            kept = filter_patents(found.items, query)
        return replace(found, items=tuple(kept))

    async def _discovered(
        self, query: PatentQuery, provider: str | None, trace: Trace, deadline: float
    ) -> PatentsFound:
        """Pages that a web engine finds, each read for what it says of its patent."""
        question = WebQuery(text=web_query_text(query), count=query.count + SPARE, sites=(SITE,))
        own = Trace()
        outcome = await self._search.web(question, provider=provider, lens=None, trace=own, deadline=deadline)
        trace.attempted += [name for name in own.attempted if name not in trace.attempted]
        trace.used = own.used or trace.used
        hinted = [patent for hit in outcome.items if (patent := patent_from_hit(hit, own.used or DISCOVERY))]
        if query.number:
            hinted = [patent for patent in hinted if is_same_document(patent.number, query.number)]
        if query.office:
            hinted = [patent for patent in hinted if patent.office == query.office]
        read, unread = await self._read(hinted[: query.count + SPARE], deadline)
        notes = (f"{unread} patent pages could not be read; of those only what the engine showed is known.",)
        kept = filter_patents(read, query)
        return PatentsFound(patents=tuple(kept), source=DISCOVERY, notes=outcome.notes + (notes if unread else ()))

    async def _read(self, hinted: Sequence[Patent], deadline: float) -> tuple[list[Patent], int]:
        """The patents' pages, three at once and all within their time; a page that fails leaves what is known."""
        limit = min(deadline, time.monotonic() + ALL_PAGES_SECONDS)
        pages = await gather_with_limit(
            hinted, lambda patent: self._page(patent.number, limit), at_once=PAGES_AT_ONCE, deadline=limit
        )
        read = [page or patent for page, patent in zip(pages, hinted, strict=True)]
        return read, sum(page is None for page in pages)

    async def _page(self, number: str, deadline: float) -> Patent | None:
        until = min(deadline, time.monotonic() + PAGE_SECONDS)
        try:
            found: ResultSet[Patent] = await self._upstreams.ask(
                PAGES, Kind.PATENTS, PatentQuery(number=number, count=1), deadline=until
            )
        except WellsourcedError:
            return None
        return found.items[0] if found.items else None


def nothing_on_the_web(engine: str) -> WellsourcedError:
    """A web engine that finds nothing says little of patents: nobody who keeps them could look."""
    return UpstreamUnavailable(f"A web search ({engine}) for pages of patents found nothing.")


def covers_office(name: str, query: PatentQuery) -> bool:
    """Whether a database can know patents of the office that is asked for."""
    office = query.office or (query.number[:2] if query.number else None)
    return OWN_OFFICE.get(name, office) == office or office is None


def has_enough_words(name: str, query: PatentQuery) -> bool:
    """Whether a database can be asked this; one of them cannot go by a class alone."""
    return name not in NEEDS_WORDS or bool(query.number or query.text.strip() or query.assignee or query.inventor)


def pool_size(query: PatentQuery, search_type: str) -> int:
    """More than is wanted, where some will be filtered away or all are to be grouped."""
    is_filtered = query.office or query.year_from or query.year_to or query.cpc or query.assignee or query.inventor
    wide = search_type == "landscape" or is_filtered
    return min(LARGEST_POOL, query.count * POOL_FACTOR) if wide else query.count + SPARE


def web_query_text(query: PatentQuery) -> str:
    owner = f'"{bare_company(query.assignee)}"' if query.assignee else ""
    inventor = f'"{query.inventor}"' if query.inventor else ""
    parts = (query.number or query.text.strip(), owner, inventor, "".join((query.cpc or "").split()))
    return " ".join(part.replace('""', '"') for part in parts if part)


def patent_from_hit(hit: Hit, engine: str) -> Patent | None:
    """As much of a patent as an engine's hit tells; None for a page that is no patent's."""
    number = patent_number(hit.url)
    if number is None:
        return None
    title = hit.title.removesuffix(" - Google Patents").strip()
    title = title.partition(" - ")[2].strip() if title.upper().startswith(number[:6]) else title
    return Patent(
        title=title or number,
        number=number,
        url=patent_page_url(number),
        source=hit.engines[0] if hit.engines else engine,
        abstract=hit.snippet or None,
    )


def search_url(query: PatentQuery, search_type: SearchType) -> str:
    """The same search on Google Patents, for people."""
    number = patent_number(query.text)
    if number and search_type == "specific":
        return patent_page_url(number)
    cpc = "".join((query.cpc or "").split()).upper()
    wishes = {
        "q": " ".join(part for part in (query.text.strip(), f"CPC={cpc}" if cpc else "") if part),
        "assignee": bare_company(query.assignee) if query.assignee else "",
        "inventor": query.inventor or "",
        "country": query.office or "",
        "after": f"filing:{query.year_from}0101" if query.year_from else "",
        "before": f"filing:{query.year_to}1231" if query.year_to else "",
    }
    return f"https://patents.google.com/?{urlencode({name: text for name, text in wishes.items() if text})}"
