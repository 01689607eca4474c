"""Moves of `transform` and shapes of `clip-path` that leave nothing to see."""

from __future__ import annotations

import math

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_properties import FONT_UNITS, SLIVER, is_far_across, is_far_down
from wellsourced.pages.html.css_values import MEASURE, TURN_DEGREES, read_length, read_number, split_outside

CALL = late_pattern(r"([a-z0-9-]{1,20})\(((?:[^()]|\([^()]*\))*)\)")
DRAWN = {"path": late_pattern(r"[lhvcsqta]"), "shape": late_pattern(r"\b(?:line|hline|vline|curve|smooth|arc)\b")}
PATH_NUMBER = late_pattern(r"-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})")
LONGEST_PATH = 300
FAR_BACK = -500.0
NEARLY_FLAT = 0.06


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
    is_thin = any(one is not None and two is not None and two - one <= SLIVER for one, two in pairs)
    ends = ((sizes[0], sizes[2]), (sizes[1], sizes[3])) if shape == "xywh" else ((right, 0.0), (bottom, 0.0))
    return is_thin or any(one is not None and two is not None and one + two <= 0 for one, two in ends)


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
    if any(all(corner[axis] <= 0 for corner in corners) for axis in (0, 1)):
        return True
    area = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True))
    return abs(area) / 2 <= SLIVER**2


def is_circle_empty(inner: str) -> bool:
    """Whether it is too small, or lies beyond the upper or the left edge."""
    size, _, place = f" {inner}".partition(" at ")
    sizes = [read_length(word) for word in size.split()]
    places = [read_length(word) for word in place.split()]
    radii = [radius for radius in sizes if radius is not None]
    is_beyond = bool(radii) and any(each is not None and each + max(radii) <= 0 for each in places)
    return is_beyond or any(radius <= SLIVER / 2 for radius in radii)


def is_path_empty(shape: str, inner: str) -> bool:
    """Whether nothing is drawn, or next to nothing, or all of it beyond the upper or the left edge."""
    if not DRAWN[shape].search(inner):
        return True
    if len(inner) > LONGEST_PATH:
        return False
    numbers = [float(number) for number in PATH_NUMBER.findall(inner)]
    steps, start = sum(map(abs, numbers[2:])), min(numbers[:2], default=0.0)
    is_close = max(map(abs, numbers[:2]), default=0.0) <= SLIVER
    return (is_close and steps <= 4 * SLIVER and "%" not in inner) or start + steps <= 0


def faces_away(transform: str, rotate: str) -> bool:
    """Whether its back is turned to the reader."""
    turns = [(call, split_arguments(inner)[-1]) for call, inner in CALL.findall(transform)]
    axis, _, angle = rotate.rpartition(" ")
    turns += [("rotatex", angle)] if axis and axis not in {"z", "0 0 1"} else []
    angles = [_degrees(turn) or 0.0 for call, turn in turns if call in {"rotatex", "rotatey", "rotate3d"}]
    return math.prod(math.cos(math.radians(each)) for each in angles) < 0


def nearness(transform: str, perspective: float) -> float:
    """How large it is seen for its distance: of what comes nearer than the eye less than nothing."""
    calls = [(call, split_arguments(inner)) for call, inner in CALL.findall(transform)]
    depths = [read_length(parts[-1]) or 0.0 for call, parts in calls if call in {"translatez", "translate3d"}]
    eye = next((read_length(parts[0]) for call, parts in calls if call == "perspective"), None) or perspective
    return eye / (eye - sum(depths)) if eye > 0 and sum(depths) != eye else 0.0 if eye > 0 and depths else 1.0


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
    if call == "rotate3d" and len(arguments) == 4:
        across, down, deep = (read_number(part) or 0.0 for part in arguments[:3])
        return abs(deep) < NEARLY_FLAT * max(abs(across), abs(down)) and moves_away("rotatex", arguments[3:])
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
