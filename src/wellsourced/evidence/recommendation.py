"""A list of recommendations, held against what can be seen of it: stakes, self-praise, standing, links, other voices.

Evidence, never a verdict. Everything is looked at side by side. A search that fails leaves its part out; it is no
sign against anybody.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from wellsourced.citations.links import Link, Links
from wellsourced.errors import WellsourcedError
from wellsourced.evidence.claims import evidence
from wellsourced.evidence.conflicts_of_interest import Conflict, conflict
from wellsourced.evidence.reputation import Reputation, Standing
from wellsourced.evidence.self_promotion import SelfPromotion, self_promotion
from wellsourced.net.concurrency import side_by_side
from wellsourced.search.searcher import Search
from wellsourced.text.urls import host_of, registrable_domain
from wellsourced.tool.trace import Trace
from wellsourced.upstreams.types.search import Hit, WebQuery

LENSES = ("journalism", "tech")
AT_ONCE = 8
LINK_AGE = 3600.0
SEARCH_SECONDS = 20.0
LONGEST_QUERY = 200
SHOWN = 3
RANKING = "The best"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommended:
    title: str
    url: str | None = None
    author: str | None = None
    author_bio: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What one lens brought: how many results deal with the recommendation, say no to it, or are silent."""

    lens: str
    query: str
    agreeing: int
    disagreeing: int
    silent: int
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    item: Recommended
    conflict: Conflict | None = None
    promotion: SelfPromotion | None = None
    standing: Standing | None = None
    link: Link | None = None
    heard: tuple[Heard, ...] = ()
    flags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    items: tuple[Judged, ...]
    flags: tuple[str, ...] = field(default=())


class Recommendations:
    def __init__(self, links: Links, search: Search, reputation: Reputation) -> None:
        self._links = links
        self._search = search
        self._reputation = reputation

    async def audit(self, items: Sequence[Recommended], *, claim: str | None, count: int, deadline: float) -> Listed:
        urls = [item.url for item in items if item.url]
        links, heard = await asyncio.gather(
            self._links.look_at_all(urls, deadline, max_age=LINK_AGE), self._listen(items, claim, count, deadline)
        )
        promotions = praised(items)
        judged = tuple(
            self._judged(item, promotions.get(place), links.get(item.url or ""), heard[place])
            for place, item in enumerate(items)
        )
        return Listed(items=judged, flags=aggregate(judged) if claim else ())

    def _judged(
        self, item: Recommended, promotion: SelfPromotion | None, link: Link | None, heard: tuple[Heard, ...]
    ) -> Judged:
        known = self._reputation.of(item.url) if item.url else None
        about = " ".join(part for part in (item.author, item.author_bio) if part)
        stake = conflict(item.title, item.url, about)
        pairs = flags_of(item, stake, promotion, known, link)
        return Judged(
            item=item,
            conflict=stake,
            promotion=promotion,
            standing=known,
            link=link,
            heard=heard,
            flags=tuple(flag for flag, _ in pairs),
            reasons=tuple(reason for _, reason in pairs),
        )

    async def _listen(
        self, items: Sequence[Recommended], claim: str | None, count: int, deadline: float
    ) -> list[tuple[Heard, ...]]:
        """Every lens for every item; what failed or was not finished is missing."""
        if not claim:
            return [()] * len(items)
        pairs = [(place, lens) for place in range(len(items)) for lens in LENSES]
        limit = min(deadline, time.monotonic() + SEARCH_SECONDS + len(pairs))
        found = await side_by_side(
            pairs,
            lambda pair: self._hear(items[pair[0]], pair[1], claim, count, limit),
            at_once=AT_ONCE,
            deadline=limit,
        )
        heard: list[list[Heard]] = [[] for _ in items]
        for (place, _), one in zip(pairs, found, strict=True):
            if one:
                heard[place].append(one)
        return [tuple(voices) for voices in heard]

    async def _hear(self, item: Recommended, lens: str, claim: str, count: int, deadline: float) -> Heard | None:
        query = f"{item.title} {claim}"[:LONGEST_QUERY]
        try:
            outcome = await self._search.web(
                WebQuery(text=query, count=count), provider=None, lens=lens, trace=Trace(), deadline=deadline
            )
        except WellsourcedError:
            return None
        hits = [hit for hit in outcome.items if not is_own(hit, item)]
        sides = [side(hit, f"{item.title} {claim}") for hit in hits]
        return Heard(
            lens=lens,
            query=query,
            agreeing=sides.count("agree"),
            disagreeing=sides.count("disagree"),
            silent=sides.count("silent"),
            hits=tuple(hits[:SHOWN]),
        )


def is_own(hit: Hit, item: Recommended) -> bool:
    """A result on the recommended site itself is no independent voice."""
    own = registrable_domain(host_of(item.url or ""))
    return bool(own) and registrable_domain(host_of(hit.url)) == own


def side(hit: Hit, claim: str) -> str:
    """Agreement is that the snippet deals with the claim without saying no; a snippet is too short to say more."""
    found = evidence(claim, " ".join((hit.title, hit.snippet, *hit.extra_snippets)))
    if found.contrast:
        return "disagree"
    return "agree" if found.coverage == "addressed" else "silent"


def praised(items: Sequence[Recommended]) -> dict[int, SelfPromotion]:
    """The list as its page would show it: numbered, with the publisher looked for in first place.

    The publisher is a site that several of the items stand on; a product's own page beside its name is no self-praise.
    """
    sites = Counter(registrable_domain(host_of(item.url)) for item in items if item.url)
    listing = "\n".join(f"{place}. {item.title}" for place, item in enumerate(items, start=1))
    found: dict[int, SelfPromotion] = {}
    for place, item in enumerate(items):
        url = item.url or ""
        is_publisher = place == 0 and sites[registrable_domain(host_of(url))] > 1
        signal = self_promotion(url, item.title, item.title) or (
            self_promotion(url, RANKING, listing) if is_publisher else None
        )
        if signal:
            found[place] = signal
    return found


def flags_of(
    item: Recommended,
    stake: Conflict | None,
    promotion: SelfPromotion | None,
    known: Standing | None,
    link: Link | None,
) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    if stake:
        pairs.append(
            ("conflict_of_interest", f"The author is tied to {stake.entity} ({stake.stake}): “{stake.words}”.")
        )
    if promotion:
        said = (
            f"{promotion.brand_domain} puts its own brand, {promotion.brand_token}, in place {promotion.rank_position}."
        )
        pairs.append(("self_promotion", said))
    if link and link.is_dead:
        pairs.append(("dead_link", link.reason or "The link is dead."))
    if known and known.tier == "low":
        pairs.append(("low_reputation", f"{known.domain}: {known.note}" if known.note else known.domain))
    if item.url and known is None:
        host = registrable_domain(host_of(item.url)) or item.url
        pairs.append(("unknown_reputation", f"Nothing is known of {host}, which says nothing against it."))
    return pairs


def aggregate(judged: Sequence[Judged]) -> tuple[str, ...]:
    """Nobody independent agreed with anything; said only where somebody could be asked."""
    voices = [voice for item in judged for voice in item.heard]
    if not voices or any(voice.agreeing for voice in voices):
        return ()
    return ("no_independent_corroboration",)
