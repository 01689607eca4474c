"""How well the sources of a session cover its question, in plain figures: never an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from wellsourced.text.urls import display_host
from wellsourced.tool.sources import FoundSource

CONCENTRATED = 0.6
FEW = 3
UNTYPED = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    source_count: int
    unique_domains: int
    domain_spread: float
    source_types: dict[str, int]
    gaps: tuple[str, ...]
    dominant_domain: str | None = None

    @property
    def only_type(self) -> str | None:
        return next(iter(self.source_types)) if len(self.source_types) == 1 else None


def coverage(sources: Sequence[FoundSource]) -> Coverage:
    """Sources that were set aside do not count."""
    used = [source for source in sources if source.rejected is None]
    hosts = Counter(display_host(source.url) or source.url for source in used)
    types = Counter(source.type or UNTYPED for source in used)
    dominant = _dominant(hosts, len(used))
    return Coverage(
        source_count=len(used),
        unique_domains=len(hosts),
        domain_spread=round(len(hosts) / len(used), 2) if used else 0.0,
        source_types=dict(sorted(types.items())),
        gaps=tuple(sorted(_gaps(len(used), dominant, types))),
        dominant_domain=dominant,
    )


def _dominant(hosts: Counter[str], total: int) -> str | None:
    if total < 2:
        return None
    host, count = min(hosts.items(), key=lambda pair: (-pair[1], pair[0]))
    return host if count > CONCENTRATED * total else None


def _gaps(total: int, dominant: str | None, types: Counter[str]) -> list[str]:
    if not total:
        return ["No sources recorded yet: pass sessionId to the search and reading tools."]
    found = []
    if dominant:
        found.append(f"Most sources come from one site ({dominant}).")
    if len(types) == 1:
        found.append(f"All sources are of one type ({next(iter(types))}).")
    if total < FEW:
        found.append(f"Fewer than {FEW} sources ({total}).")
    return found
