"""The ratios as a picture: horizontal bars on a logarithmic axis, light or dark as the reader has it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from bench.rows import Row

WIDTH, LEFT, RIGHT, TOP, LINE = 860, 400, 60, 64, 20
FACTORS = (1 / 100, 1 / 30, 1 / 10, 1 / 3, 1, 3, 10, 30, 100)
STYLE = """
svg { --paper: #ffffff; --ink: #24292f; --faint: #d0d7de; --ahead: #1a7f64; --behind: #b35900; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #0d1117; --ink: #e6edf3; --faint: #30363d; --ahead: #3fb393; --behind: #e09b4f; }
}
text { fill: var(--ink); font: 12px system-ui, sans-serif; }
.paper { fill: var(--paper); } .title { font-size: 15px; font-weight: 600; } .group { font-weight: 600; }
.grid { stroke: var(--faint); } .even { stroke: var(--ink); }
.ahead { fill: var(--ahead); } .behind { fill: var(--behind); }
"""


def plot(rows: Sequence[Row], title: str) -> str:
    """An SVG; rows without a ratio are left out."""
    drawn = [(row, row.ratio) for row in rows if row.in_plot and row.ratio]
    furthest = max((abs(math.log(ratio)) for _, ratio in drawn), default=1.0) * 1.1
    groups = list(dict.fromkeys(row.table for row, _ in drawn))
    height = TOP + LINE * (len(drawn) + len(groups)) + LINE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="16" y="24">{escape(title)}</text>',
        *grid(furthest, height),
        *bars(drawn, furthest),
        "</svg>\n",
    ]
    return "\n".join(parts)


def x_position(ratio: float, furthest: float) -> float:
    """Where a ratio stands on the axis."""
    half = (WIDTH - LEFT - RIGHT) / 2
    return LEFT + half + half * math.log(ratio) / furthest


def grid(furthest: float, height: int) -> Iterator[str]:
    for factor in FACTORS:
        if abs(math.log(factor)) <= furthest:
            x = x_position(factor, furthest)
            name = f"×{factor:.0f}" if factor >= 1 else f"×1/{1 / factor:.0f}"
            yield f'<text x="{x:.1f}" y="{TOP - 12}" text-anchor="middle">{name}</text>'
            kind = "even" if factor == 1 else "grid"
            yield f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{height - LINE / 2}"/>'


def bars(drawn: Sequence[tuple[Row, float]], furthest: float) -> Iterator[str]:
    y, group, even = TOP, "", x_position(1, furthest)
    for row, ratio in drawn:
        if row.table != group:
            group = row.table
            yield f'<text class="group" x="16" y="{y + 14}">{escape(group)}</text>'
            y += LINE
        end = x_position(ratio, furthest)
        kind, anchor, gap = ("ahead", "start", 4) if ratio >= 1 else ("behind", "end", -4)
        yield f'<text x="28" y="{y + 14}">{escape(row.name)}</text>'
        yield f'<rect class="{kind}" x="{min(even, end):.1f}" y="{y + 4}" width="{abs(end - even):.1f}" height="12"/>'
        yield f'<text x="{end + gap:.1f}" y="{y + 14}" text-anchor="{anchor}">{ratio:.2g}</text>'
        y += LINE
