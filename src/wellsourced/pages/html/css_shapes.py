"""Shapes of `clip-path` that leave nothing to see."""

from __future__ import annotations

from wellsourced.pages.html.css_properties import FONT_UNITS, TINY
from wellsourced.pages.html.css_values import read_length


def is_inset_empty(parts: list[str]) -> bool:
    if not 1 <= len(parts) <= 4:
        return False
    top, right, bottom, left = (parts * 4)[:4] if len(parts) != 3 else (*parts, parts[1])
    return _covers(top, bottom) or _covers(left, right)


def is_rectangle_empty(shape: str, parts: list[str]) -> bool:
    """Of `rect(top right bottom left)` and `xywh(left top width height)`."""
    sizes = [read_length(part) for part in parts]
    if len(sizes) != 4:
        return False
    top, right, bottom, left = sizes if shape == "rect" else (0.0, sizes[2], sizes[3], 0.0)
    pairs = ((top, bottom), (left, right))
    return any(one is not None and two is not None and two - one <= TINY for one, two in pairs)


def _covers(one: str, two: str) -> bool:
    """Whether two insets leave nothing between them: of a percentage that is certain, of pixels where they are many."""
    whole = {"%": 0.01} | {unit: pixels / 2000 for unit, pixels in FONT_UNITS.items() if unit != "%"}
    shares = [read_length(part, whole) or 0.0 for part in (one, two)]
    return sum(shares) >= 0.999


def is_polygon_empty(inner: str) -> bool:
    corners = []
    for part in inner.split(","):
        pair = [read_length(word) for word in part.split() if word not in {"nonzero", "evenodd"}]
        if len(pair) != 2 or pair[0] is None or pair[1] is None:
            return False
        corners.append((pair[0], pair[1]))
    area = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True))
    return abs(area) / 2 <= 4
