"""A list of recommendations, held against what can be seen of it: stakes, self-praise, standing, links, press.

Evidence, never a verdict. Everything is looked at side by side. A search that fails leaves its part out; it is no
sign against anybody.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from wellsourced.citations.link_checker import CheckedLink, LinkChecker
from wellsourced.errors import WellsourcedError
from wellsourced.evidence.claims import find_evidence
from wellsourced.evidence.reputation import DomainReputation, ReputationTable
from wellsourced.net.concurrency import gather_with_limit
from wellsourced.recommendations.conflicts_of_interest import ConflictOfInterest, find_conflict
from wellsourced.recommendations.self_promotion import SelfPromotion, find_self_promotion, without_place
from wellsourced.search.searcher import Searcher
from wellsourced.text.urls import host_of, registrable_domain
from wellsourced.tool.call import Trace
from wellsourced.upstreams.types.search import Hit, WebQuery

# Where reviews independent of the makers are published.
LENSES = ("journalism", "tech")
AT_ONCE = 8
SEARCH_SECONDS = 20.0
LONGEST_QUERY = 200
# Enough to read on; the counts cover all results.
SHOWN = 3
RANKING = "The best"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendedItem:
    title: str
    url: str | None = None
    author: str | None = None
    author_bio: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorroborationSearch:
    """What one lens brought: how many results deal with the recommendation, say no to it, or are silent."""

    lens: str
    query: str
    agreeing: int
    disagreeing: int
    silent: int
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRecommendation:
    item: RecommendedItem
    conflict: ConflictOfInterest | None = None
    promotion: SelfPromotion | None = None
    standing: DomainReputation | None = None
    link: CheckedLink | None = None
    searches: tuple[CorroborationSearch, ...] = ()
    flags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedList:
    items: tuple[CheckedRecommendation, ...]
    flags: tuple[str, ...] = field(default=())


class RecommendationChecker:
    def __init__(self, links: LinkChecker, search: Searcher, reputation: ReputationTable) -> None:
        self._links = links
        self._search = search
        self._reputation = reputation

    async def audit(
        self, items: Sequence[RecommendedItem], *, claim: str | None, count: int, deadline: float
    ) -> CheckedList:
        urls = [item.url for item in items if item.url]
        links, searches = await asyncio.gather(
            self._links.check_links(urls, deadline), self._search_all(items, claim, count, deadline)
        )
        promotions = find_self_promotions(items)
        checked = tuple(
            self._check_item(item, promotions.get(place), links.get(item.url or ""), searches[place])
            for place, item in enumerate(items)
        )
        return CheckedList(items=checked, flags=aggregate_flags(checked) if claim else ())

    def _check_item(
        self,
        item: RecommendedItem,
        promotion: SelfPromotion | None,
        link: CheckedLink | None,
        searches: tuple[CorroborationSearch, ...],
    ) -> CheckedRecommendation:
        known = self._reputation.lookup(item.url) if item.url else None
        about = " ".join(part for part in (item.author, item.author_bio) if part)
        stake = find_conflict(item.title, item.url, about)
        pairs = flags_of(item, stake, promotion, known, link)
        return CheckedRecommendation(
            item=item,
            conflict=stake,
            promotion=promotion,
            standing=known,
            link=link,
            searches=searches,
            flags=tuple(flag for flag, _ in pairs),
            reasons=tuple(reason for _, reason in pairs),
        )

    async def _search_all(
        self, items: Sequence[RecommendedItem], claim: str | None, count: int, deadline: float
    ) -> list[tuple[CorroborationSearch, ...]]:
        """Every lens for every item; what failed or was not finished is missing."""
        if not claim:
            return [()] * len(items)
        pairs = [(place, lens) for place in range(len(items)) for lens in LENSES]
        limit = min(deadline, time.monotonic() + SEARCH_SECONDS + len(pairs))
        found = await gather_with_limit(
            pairs,
            lambda pair: self._search_lens(items[pair[0]], pair[1], claim, count, limit),
            at_once=AT_ONCE,
            deadline=limit,
        )
        searches: list[list[CorroborationSearch]] = [[] for _ in items]
        for (place, _), one in zip(pairs, found, strict=True):
            if one:
                searches[place].append(one)
        return [tuple(found_by_lens) for found_by_lens in searches]

    async def _search_lens(
        self, item: RecommendedItem, lens: str, claim: str, count: int, deadline: float
    ) -> CorroborationSearch | None:
        query = f"{item.title} {claim}"[:LONGEST_QUERY]
        try:
            outcome = await self._search.web(
                WebQuery(text=query, count=count), provider=None, lens=lens, trace=Trace(), deadline=deadline
            )
        except WellsourcedError:
            return None
        hits = [hit for hit in outcome.items if not is_own_site(hit, item)]
        # Foreign words are compared beside the event loop, snippets too.
        sides = await asyncio.to_thread(stances_of_hits, hits, f"{item.title} {claim}")
        return CorroborationSearch(
            lens=lens,
            query=query,
            agreeing=sides.count("agree"),
            disagreeing=sides.count("disagree"),
            silent=sides.count("silent"),
            hits=tuple(hits[:SHOWN]),
        )


def is_own_site(hit: Hit, item: RecommendedItem) -> bool:
    """A result on the recommended site itself is no independent voice."""
    own = registrable_domain(host_of(item.url or ""))
    return bool(own) and registrable_domain(host_of(hit.url)) == own


def stances_of_hits(hits: Sequence[Hit], claim: str) -> list[str]:
    return [stance_of_hit(hit, claim) for hit in hits]


def stance_of_hit(hit: Hit, claim: str) -> str:
    """Agreement is that the snippet deals with the claim without saying no; a snippet is too short to say more."""
    evidence = find_evidence(claim, " ".join((hit.title, hit.snippet, *hit.extra_snippets)))
    if evidence.contrast:
        return "disagree"
    return "agree" if evidence.coverage == "addressed" else "silent"


def find_self_promotions(items: Sequence[RecommendedItem]) -> dict[int, SelfPromotion]:
    """The list as its page would show it: numbered, with the publisher looked for in first place.

    The publisher is a site that several of the items stand on; a product's own page beside its name is no self-praise.
    """
    sites = Counter(registrable_domain(host_of(item.url)) for item in items if item.url)
    listing = "\n".join(f"{place}. {without_place(item.title)}" for place, item in enumerate(items, start=1))
    found: dict[int, SelfPromotion] = {}
    for place, item in enumerate(items):
        url = item.url or ""
        is_publisher = place == 0 and sites[registrable_domain(host_of(url))] > 1
        signal = find_self_promotion(url, item.title, item.title) or (
            find_self_promotion(url, RANKING, listing) if is_publisher else None
        )
        if signal:
            found[place] = signal
    return found


def flags_of(
    item: RecommendedItem,
    stake: ConflictOfInterest | None,
    promotion: SelfPromotion | None,
    known: DomainReputation | None,
    link: CheckedLink | None,
) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    if stake:
        pairs.append(
            ("conflict_of_interest", f"The author is tied to {stake.entity} ({stake.stake}): “{stake.words}”.")
        )
    if promotion:
        sentence = (
            f"{promotion.brand_domain} puts its own brand, {promotion.brand_token}, in place {promotion.rank_position}."
        )
        pairs.append(("self_promotion", sentence))
    if link and link.is_dead:
        pairs.append(("dead_link", link.reason or "The link is dead."))
    if known and known.tier == "low":
        pairs.append(("low_reputation", f"{known.domain}: {known.note}" if known.note else known.domain))
    if item.url and known is None:
        host = registrable_domain(host_of(item.url)) or item.url
        pairs.append(("unknown_reputation", f"Nothing is known of {host}, which says nothing against it."))
    return pairs


def aggregate_flags(checked: Sequence[CheckedRecommendation]) -> tuple[str, ...]:
    """Nobody independent agreed with anything; said only where somebody could be asked."""
    found_by_lens = [search for item in checked for search in item.searches]
    if not found_by_lens or any(search.agreeing for search in found_by_lens):
        return ()
    return ("no_independent_corroboration",)
