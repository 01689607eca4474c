"""The outcome of each way to a page: the best reading in the end, or one error that names them all.

Kinds outrank each other as the contract says: a refused address over a missing page, over a login, a limit, a
block, a missing browser, an empty page. Where all ways failed on the network, it was the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from wellsourced.errors import (
    AuthRequired,
    Blocked,
    BrowserUnavailable,
    ContentEmpty,
    NetworkFailed,
    NotFound,
    RateLimited,
    Refused,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.late_dataclass import dataclass
from wellsourced.net.failure_messages import ResponseTooLarge
from wellsourced.pages.page import Page
from wellsourced.storage.cache.cache import CacheEntry
from wellsourced.text.amounts import format_seconds

Quality = Literal["complete", "partial"]

OUTCOME_LENGTH = 120
# Below this a page that was read only in part is worth the price of a browser.
THIN_WORDS = 80
SURER = 0.1
# From the least to the most telling: the highest kind that occurred gives the error.
RANK: tuple[type[WellsourcedError], ...] = (
    ContentEmpty,
    BrowserUnavailable,
    Blocked,
    RateLimited,
    AuthRequired,
    NotFound,
    Refused,
)


class NotModified(WellsourcedError):
    """The site says that nothing has changed since the moment that the validators name."""


DEFINITIVE = (Refused, NotFound, AuthRequired, RateLimited, NotModified)
"""Another way would get the same answer."""

SENTENCES: dict[str, str] = {
    "network": "Network error on {url}: {why} Check connectivity.",
    "blocked": "Blocked: {url} uses bot detection. Try an alternative source — its content can't be read directly.",
    "not_found": "Not found: {url} — the page does not exist. Check the URL.",
    "browser_unavailable": "Scrape failed: {why}",
    "content_empty": "No content extracted from {url}: {why}",
    "auth_required": "Auth required: {url} is behind a login or subscription wall.",
    "rate_limited": "Rate limited on {url}. Retry in {wait}.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A page that was read. `extracted_by` names the way; `refused` is what the page tried to reach in the browser."""

    page: Page
    extracted_by: str = ""
    quality: Quality = "complete"
    refused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    found: CacheEntry | None = None
    """Its entry in the cache, without the value, where it was found there."""
    is_kept: bool = False
    """Whether it is in the cache now."""


@dataclass(frozen=True, slots=True)
class FetchedReply:
    """An answer as it came, by the way (`tier`) and the headers with which it was asked for."""

    tier: str
    headers: Mapping[str, str]
    reply: Reply


@dataclass(frozen=True, slots=True)
class FetchedReading:
    """A page and the answers it was read from, the one that counts last; none where a site's own interface gave it."""

    reading: Reading
    fetched: tuple[FetchedReply, ...] = ()


@dataclass(slots=True)
class Attempts:
    """The ways that were tried for one address, and how each ended. `validators` ask only for what has changed."""

    url: str
    validators: Mapping[str, str] = field(default_factory=dict)
    outcomes: list[tuple[str, str]] = field(default_factory=list)
    failures: list[WellsourcedError] = field(default_factory=list)
    candidates: list[tuple[str, Reading]] = field(default_factory=list)
    fetched: dict[str, FetchedReply] = field(default_factory=dict)

    def failed(self, tier: str, error: WellsourcedError) -> None:
        self.failures.append(error)
        self.outcomes.append((tier, error.sentence.split("\n", 1)[0][:OUTCOME_LENGTH]))

    def fell_short(self, tier: str, reading: Reading) -> None:
        self.candidates.append((tier, reading))
        self.outcomes.append((tier, f"{reading.page.word_count} words"))

    def is_enough(self, reading: Reading) -> bool:
        """Whether it is all of the page: what another way gives must be more, or far surer, than what was read."""
        words, sure = reading.page.word_count, reading.page.confidence - SURER
        return reading.quality == "complete" and all(
            is_thin(each) or words > each.page.word_count or sure > each.page.confidence for _, each in self.candidates
        )

    def has_much(self) -> bool:
        """Whether so much was read that no dearer way is worth its price."""
        return not all(is_thin(each) for _, each in self.candidates)

    def best(self) -> tuple[str, Reading] | None:
        """The candidate with the most words, in any script, and the way to it."""
        return max(self.candidates, key=lambda candidate: candidate[1].page.word_count, default=None)

    def keep(self, tier: str, headers: Mapping[str, str], reply: Reply) -> Reply:
        """Remember what came by this way."""
        self.fetched[tier] = FetchedReply(tier, headers, reply)
        return reply

    def read_by(self, tier: str, reading: Reading) -> FetchedReading:
        """The reading with what it was read from; what a browser showed stands behind what it was served."""
        if tier not in self.fetched:
            return FetchedReading(reading)
        others = [kept for name, kept in self.fetched.items() if name != tier and tier == "browser"]
        return FetchedReading(reading, (*others, self.fetched[tier]))

    def error(self) -> WellsourcedError:
        """One error for all ways, of the most telling kind."""
        ranked = [error for error in self.failures if not isinstance(error, NetworkFailed)]
        chosen = max(ranked or self.failures, key=rank_error)
        ways = ", ".join(f"{tier}: {outcome}" for tier, outcome in self.outcomes)
        detail = f"no content extracted from {self.url} ({ways})"
        wait = format_seconds(round(chosen.retry_after or chosen.default_wait or 0))
        form = "{why}" if isinstance(chosen, ResponseTooLarge) else SENTENCES.get(chosen.kind, "{why}")
        sentence = form.format(url=self.url, why=chosen.sentence, wait=wait)
        combined = type(chosen)(sentence, retry_after=chosen.retry_after or None, detail=detail)
        combined.retryable, combined.action = chosen.retryable, chosen.action
        return combined


def is_thin(reading: Reading) -> bool:
    """Too little to be the page: worth the price of a browser."""
    return reading.page.word_count < THIN_WORDS


def rank_error(error: WellsourcedError) -> int:
    return max((place for place, kind in enumerate(RANK) if isinstance(error, kind)), default=-1)
