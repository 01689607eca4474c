"""Boxes in the cells of a grid, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_values import read_number, split_outside
from wellsourced.pages.html.layout.sizes import clamp, contribution, edges, is_vertical, margins, names, ratio
from wellsourced.pages.html.layout.style import Style
from wellsourced.pages.html.layout.tree import Box

if TYPE_CHECKING:
    from wellsourced.pages.html.layout.flow import Layouter

REPEAT = late_pattern(r"repeat\(\s*([\w-]+)\s*,(.*)\)")
NAMED_LINES = late_pattern(r"\[[^\[\]]*+\]")
MOST_TRACKS = 60


def tracks_of(style: Style, name: str, room: float | None) -> list[str]:
    """What a grid says of its columns or rows, one by one."""
    value = NAMED_LINES.sub(" ", style.own.get(name, "none"))
    if value in {"none", ""} or "subgrid" in value or "masonry" in value:
        return []
    tracks = list[str]()
    for word in split_outside(value, " "):
        match = REPEAT.fullmatch(word)
        tracks += _repeated(style, match[1], split_outside(match[2], " "), room) if match else [word]
    return tracks[:MOST_TRACKS]


def _repeated(style: Style, times: str, tracks: list[str], room: float | None) -> list[str]:
    if times.isdecimal():
        return tracks * min(int(times), MOST_TRACKS)
    least = sum(_least(style, track, room) or 0.0 for track in tracks)
    return tracks * (max(1, int((room or 0.0) / least)) if least > 0 else 1)


def _least(style: Style, track: str, room: float | None) -> float | None:
    """How wide a track is at least, None where its content says it."""
    if track.startswith("minmax("):
        track = split_outside(track[7:-1], ",")[0].strip()
    return style.length(track, room)


def _share(track: str) -> float:
    """How much of what is left over a track takes."""
    last = split_outside(track[7:-1], ",")[-1].strip() if track.startswith("minmax(") else track
    return (read_number(last.removesuffix("fr")) or 0.0) if last.endswith("fr") else 0.0


def _items(box: Box) -> list[Box]:
    return [child for child in box.children if child.is_in_flow]


def grid_sizes(box: Box) -> tuple[float, float]:
    """How narrow and how wide a grid can be."""
    tracks = tracks_of(box.style, "grid-template-columns", None) or ["auto"]
    sizes = [[0.0, 0.0] for _ in tracks]
    for number, item in enumerate(_items(box)):
        narrow, wide = contribution(item, box.style.mode)
        size = sizes[number % len(tracks)]
        size[:] = [max(size[0], narrow), max(size[1], wide)]
    for size, track in zip(sizes, tracks, strict=True):
        said = _least(box.style, track, None)
        if said is not None and not track.startswith("minmax"):
            size[:] = [said, said]
    return sum(size[0] for size in sizes), sum(size[1] for size in sizes)


def _widths(box: Box, tracks: list[str], room: float) -> list[float]:
    items, mode = _items(box), box.style.mode
    widths = list[float]()
    wanted = list[float]()
    for number, track in enumerate(tracks):
        sizes = [contribution(item, mode) for item in items[number :: len(tracks)]]
        said = _least(box.style, track, room)
        least = said if said is not None else 0.0 if track == "0fr" else max((size[0] for size in sizes), default=0.0)
        is_fixed = said is not None and not track.startswith("minmax(")
        widths.append(least)
        wanted.append(least if is_fixed else max(least, max((size[1] for size in sizes), default=0.0)))
    shares = [_share(track) for track in tracks]
    if any(shares):
        used = sum(w for w, share in zip(wanted, shares, strict=True) if not share)
        spare = max(0.0, room - used)
        return [
            max(widths[n], spare * shares[n] / max(1.0, sum(shares))) if shares[n] else wanted[n]
            for n in range(len(tracks))
        ]
    return _grown(widths, wanted, tracks, room)


def _grown(widths: list[float], wanted: list[float], tracks: list[str], room: float) -> list[float]:
    """Up to what their content takes, then what is left over to those that have no size of their own."""
    spare, missing = room - sum(widths), sum(wanted) - sum(widths)
    if spare > 0 and missing > 0:
        share = min(1.0, spare / missing)
        widths = [width + (want - width) * share for width, want in zip(widths, wanted, strict=True)]
    loose = [number for number, track in enumerate(tracks) if track == "auto"]
    spare = room - sum(widths)
    return [w + (spare / len(loose) if spare > 0 and n in loose else 0.0) for n, w in enumerate(widths)]


def lay_grid(layouter: Layouter, box: Box, size: float, inner: float | None) -> float:
    """Lays out the items of a grid; gives its height."""
    mode = box.style.mode
    start, end, before, after = edges(box, size, mode)
    room = max(0.0, size - start - end)
    items = _items(box)
    for child in box.children:
        if child.level == "placed":
            child.static, child.holder = (start + room if box.style.is_rtl else start, before), box
            box.laid.append(child)
    tracks = tracks_of(box.style, "grid-template-columns", room) or ["auto"]
    widths = _widths(box, tracks, room)
    for number, item in enumerate(items):
        _lay_item(layouter, item, widths[number % len(tracks)], mode)
    rows = [items[n : n + len(tracks)] for n in range(0, len(items), len(tracks))]
    heights = _heights(box, rows, inner, widths, before + after)
    top = before
    for row, height in zip(rows, heights, strict=True):
        place = start
        for item, width in zip(row, widths, strict=False):
            left = 2 * start + room - place - width if box.style.is_rtl else place
            _put_item(layouter, item, box, (left, top, width, height))
            place += width
        top += height
    return top + after


def _outer(item: Box, mode: str, width: float) -> float:
    _, _, above, below = margins(item, width, mode)
    return (item.w if is_vertical(mode) else item.h) + (above or 0.0) + (below or 0.0)


def _heights(box: Box, rows: list[list[Box]], inner: float | None, widths: list[float], extra: float) -> list[float]:
    mode, said = box.style.mode, tracks_of(box.style, "grid-template-rows", inner)
    heights = list[float]()
    for number, row in enumerate(rows):
        height = max((_outer(item, mode, widths[0]) for item in row), default=0.0)
        track = said[number] if number < len(said) else "auto"
        fixed = 0.0 if track == "0fr" and inner is None else _least(box.style, track, inner)
        heights.append(height if fixed is None else max(fixed, height) if track.startswith("minmax(") else fixed)
    total = sum(heights)
    name = names(mode)[1]
    wanted = inner if inner is not None else clamp(box.style, name, total + extra, None, extra) - extra
    loose = len(heights) - len(said)
    if wanted > total and loose > 0 and not said:
        heights = [height + (wanted - total) / len(heights) for height in heights]
    return heights


def _lay_item(layouter: Layouter, item: Box, width: float, mode: str) -> None:
    start, end, _, _ = margins(item, width, mode)
    if is_vertical(item.style.mode) != is_vertical(mode):
        layouter.lay_turned(item)
        return
    said = layouter.said(item, width, mode)
    if said is None and (start is None or end is None or item.kind == "table"):
        said = layouter.fitted(item, width, mode)
    if said is None and item.style.own.get(names(mode)[0]) == "fit-content":
        said = layouter.fitted(item, width, mode)
    room = width - (start or 0.0) - (end or 0.0)
    layouter.lay(item, said if said is not None else layouter.within(item, room, width, mode))


def _put_item(layouter: Layouter, item: Box, box: Box, area: tuple[float, float, float, float]) -> None:
    left, top, width, height = area
    mode = box.style.mode
    start, end, above, below = margins(item, width, mode)
    name = names(mode)[1]
    free = height - (above or 0.0) - (below or 0.0)
    if item.style.own.get(name, "auto") == "auto" and above is not None and below is not None and not ratio(item):
        extra = sum(edges(item, width, item.style.mode)[2:])
        high = clamp(item.style, name, free, None, extra)
        if item.kind in {"flex", "grid"} and abs(high - (item.w if is_vertical(mode) else item.h)) > 0.01:
            layouter.lay(item, item.h if is_vertical(mode) else item.w, high)
        elif is_vertical(mode):
            item.w = high
        else:
            item.h = high
    wide = item.h if is_vertical(mode) else item.w
    spare = width - wide - (start or 0.0) - (end or 0.0)
    shift = (
        spare / 2
        if start is None and end is None
        else spare
        if start is None or (box.style.is_rtl and end is not None)
        else 0.0
    )
    drop = free - (item.w if is_vertical(mode) else item.h)
    drop = drop / 2 if above is None and below is None else drop if above is None else 0.0
    layouter.put(item, box, left + (start or 0.0) + shift, top + (above or 0.0) + drop)
    if box.baseline[0] is None and item.baseline[0] is not None:
        box.baseline = item.y + item.baseline[0], item.y + item.baseline[0]
