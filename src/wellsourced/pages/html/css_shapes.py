"""Moves of `transform` and shapes of `clip-path` that leave nothing to see."""

from __future__ import annotations

import re

from wellsourced.pages.html.css_properties import FONT_UNITS, TINY, is_far_across, is_far_down
from wellsourced.pages.html.css_values import MEASURE, TURN_DEGREES, read_length, read_number, split_outside

CALL = re.compile(r"([a-z0-9-]{1,20})\(((?:[^()]|\([^()]*\))*)\)")
FAR_BACK = -500.0
NEARLY_FLAT = 0.02


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


def split_arguments(inner: str) -> list[str]:
    return [part.strip() for part in split_outside(inner, ",")]


def moves_away(call: str, arguments: list[str]) -> bool:
    """Whether one function of a transform leaves nothing to see."""
    if call.startswith("scale"):
        numbers = [number for part in arguments if (number := read_number(part)) is not None]
        return any(abs(number) < NEARLY_FLAT for number in numbers[:2])
    if call.startswith("translate"):
        axes = {"translatex": "x", "translatey": "y", "translatez": "z"}.get(call)
        places = zip((axes,) if axes else "xyz", arguments, strict=False)
        return any(
            (is_far_across if axis == "x" else is_far_down)(_own_share(part)) for axis, part in places if axis != "z"
        )
    if call in {"rotatex", "rotatey", "skew", "skewx", "skewy"}:
        return any(abs(abs(angle) % 180 - 90) < 1 for part in arguments if (angle := _degrees(part)) is not None)
    if call in {"matrix", "matrix3d"}:
        numbers = [read_number(part) or 0.0 for part in arguments]
        if len(numbers) == 16:
            numbers = [numbers[place] for place in (0, 1, 4, 5, 12, 13)]
        if len(numbers) == 6:
            flat = abs(numbers[0] * numbers[3] - numbers[1] * numbers[2]) < NEARLY_FLAT**2
            return flat or numbers[4] <= FAR_BACK or numbers[5] <= FAR_BACK or numbers[4] >= 3000
    return False


def _own_share(part: str) -> str:
    """Percentages of a translation are of the element's own size: moved by all of it, a drawer is out of the window."""
    match = MEASURE.fullmatch(part)
    return f"{float(match[1]) * 5:.3f}px" if match and match[2] == "%" else part


def _degrees(part: str) -> float | None:
    match = MEASURE.fullmatch(part)
    return float(match[1]) * TURN_DEGREES[match[2]] if match and match[2] in TURN_DEGREES else None
