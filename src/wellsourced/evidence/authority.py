"""How much weight a host carries, as a figure between 0 and 1 and as a tier.

A page can say of itself what it likes, so only the host counts: first what is known of its standing, then what kind
of place it is. The bands are the contract's: from 0.8 high, from 0.5 medium, below that low.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from wellsourced.evidence.host_types import established_type_of
from wellsourced.evidence.reputation import ReputationTable
from wellsourced.text.urls import is_web_url

Tier = Literal["high", "medium", "low"]

# The contract's bands.
HIGH, MEDIUM = 0.8, 0.5
OF_STANDING = {"high": 0.9, "mixed": 0.7, "low": 0.2}
OF_TYPE = {
    "government": 0.9,
    "peer_reviewed": 0.9,
    "official_docs": 0.8,
    "news_publication": 0.7,
    "wiki": 0.6,
    "forum": 0.5,
    "blog": 0.5,
    "social_media": 0.4,
}
# Nothing known is no reason for distrust.
UNKNOWN = 0.5


def score_authority(url: str, reputation: ReputationTable | None = None) -> float:
    if not is_web_url(url):
        return UNKNOWN
    standing = (reputation or _shipped()).lookup(url)
    kind = established_type_of(url)
    if standing is None:
        return OF_TYPE.get(kind, UNKNOWN)
    if standing.tier == "mixed":
        return min(OF_STANDING["mixed"], OF_TYPE.get(kind, OF_STANDING["mixed"]))
    return OF_STANDING[standing.tier]


def authority_tier(score: float) -> Tier:
    if score >= HIGH:
        return "high"
    return "medium" if score >= MEDIUM else "low"


@cache
def _shipped() -> ReputationTable:
    return ReputationTable.load()
