"""A measured thing with the figures of all servers: what the tables and the plot are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bench.servers import OURS, OURS_HTTP, PEER, PEER_HTTP

EVEN = 1.1
"""Ratios nearer to one than this say nothing on a shared machine."""


@dataclass(frozen=True)
class Row:
    table: str
    name: str
    figures: Mapping[str, float]
    more_is_better: bool = False
    in_plot: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times better ours is than the peer; under one it is worse. None where it cannot be said."""
        return self._compare(OURS, PEER)

    @property
    def http_ratio(self) -> float | None:
        return self._compare(OURS_HTTP, PEER_HTTP)

    @property
    def is_behind(self) -> bool:
        return self.worst < 1 / EVEN

    @property
    def worst(self) -> float:
        """The lower of both ratios, one where there is none."""
        return min((ratio for ratio in (self.ratio, self.http_ratio) if ratio), default=1.0)

    def _compare(self, our_name: str, peer_name: str) -> float | None:
        ours, peer = self.figures.get(our_name), self.figures.get(peer_name)
        if not ours or not peer:
            return None
        return ours / peer if self.more_is_better else peer / ours
