"""A measured thing with the figures of all servers: what the tables and the plot are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bench.servers import OURS, PEER

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
        ours, peer = self.figures.get(OURS), self.figures.get(PEER)
        if not ours or not peer:
            return None
        return ours / peer if self.more_is_better else peer / ours

    @property
    def is_behind(self) -> bool:
        return self.ratio is not None and self.ratio < 1 / EVEN
