"""What is cut of boxes: to the edges of a box around them, or to a shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_values import split_outside
from wellsourced.pages.html.layout.style import Style
from wellsourced.pages.html.layout.transforms import CALL, IDENTITY, WORDS, Matrix

Rect: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom."""
Shape: TypeAlias = Callable[[float, float], bool]
"""Whether a place is within."""

FAR = 1e9
EVERYWHERE: Rect = (-FAR, -FAR, FAR, FAR)
NOWHERE: Rect = (0.0, 0.0, 0.0, 0.0)
NUMBER = late_pattern(r"-?(?:\d+(?:\.\d+)?|\.\d+)")
STEP = late_pattern(r"([mlhvz])([^a-z]*)", 2)


class Clip(NamedTuple):
    """A box or a shape that all within is cut to, in the plane of a matrix; and the one around it."""

    rect: Rect
    matrix: Matrix
    around: Clip | None = None
    shape: Shape | None = None

    def holds(self, x: float, y: float, matrix: Matrix, place: tuple[float, float]) -> bool:
        """Whether a place on the screen is within; `x` and `y` are the same place in the plane of `matrix`."""
        if self.matrix is not matrix and self.matrix != matrix:
            back = self.matrix.inverse()
            if back is None:
                return False
            x, y = back.apply(*place)
        left, top, right, bottom = self.rect
        return left <= x < right and top <= y < bottom and (self.shape is None or self.shape(x, y))

    def holds_all(self, x: float, y: float, right: float, bottom: float, matrix: Matrix) -> bool:
        """Whether it surely leaves all of a box in the plane of `matrix`."""
        if self.shape is not None or (self.matrix is not matrix and self.matrix != matrix):
            return False
        return self.rect[0] <= x and self.rect[1] <= y and right <= self.rect[2] and bottom <= self.rect[3]


def path_clip(style: Style, value: str, box: Rect) -> tuple[Rect, Shape | None] | None:
    """What a `clip-path` leaves of a box; None where it is everything, or not followed."""
    match = CALL.match(value)
    if match is None:
        return (box, None) if value.endswith("-box") else None
    name, inner = match[1], " ".join(match[2].split())
    reader = READERS.get(name)
    return reader(style, inner.partition(" round")[0], box) if reader is not None else None


def _inset(style: Style, inner: str, box: Rect) -> tuple[Rect, Shape | None]:
    parts = split_outside(inner, " ")
    top, right, bottom, left = (parts * 4)[:4] if len(parts) != 3 else (*parts, parts[1])
    width, height = box[2] - box[0], box[3] - box[1]
    one, two = style.length(left, width) or 0.0, style.length(right, width) or 0.0
    three, four = style.length(top, height) or 0.0, style.length(bottom, height) or 0.0
    return (box[0] + one, box[1] + three, box[2] - two, box[3] - four), None


def _rect(style: Style, inner: str, box: Rect) -> tuple[Rect, Shape | None] | None:
    parts = split_outside(inner.replace(",", " "), " ")
    if len(parts) != 4:
        return None
    width, height = box[2] - box[0], box[3] - box[1]
    sizes = [style.length(part, base) for part, base in zip(parts, (height, width, height, width), strict=True)]
    top, right, bottom, left = sizes
    return (
        box[0] + (left or 0.0), box[1] + (top or 0.0),
        box[2] if right is None else box[0] + right, box[3] if bottom is None else box[1] + bottom,
    ), None  # fmt: skip


def _xywh(style: Style, inner: str, box: Rect) -> tuple[Rect, Shape | None] | None:
    parts = split_outside(inner, " ")
    if len(parts) != 4:
        return None
    width, height = box[2] - box[0], box[3] - box[1]
    bases = (width, height, width, height)
    x, y, w, h = (style.length(part, base) or 0.0 for part, base in zip(parts, bases, strict=True))
    return (box[0] + x, box[1] + y, box[0] + x + w, box[1] + y + h), None


def _round(style: Style, inner: str, box: Rect) -> tuple[Rect, Shape | None]:
    """A circle or an ellipse."""
    size, _, place = f" {inner} ".partition(" at ")
    width, height = box[2] - box[0], box[3] - box[1]
    words = [WORDS.get(word, word) for word in split_outside(place.strip(), " ")] or ["50%", "50%"]
    words = words if len(words) > 1 else [*words, "50%"]
    x, y = box[0] + (style.length(words[0], width) or 0.0), box[1] + (style.length(words[1], height) or 0.0)
    radii = split_outside(size.strip(), " ")
    one = _radius(style, radii[0] if radii else "closest-side", width, height, is_across=True)
    two = _radius(style, radii[1], width, height, is_across=False) if len(radii) > 1 else one

    def is_within(across: float, down: float) -> bool:
        return one > 0 and two > 0 and ((across - x) / one) ** 2 + ((down - y) / two) ** 2 <= 1

    return (x - one, y - two, x + one, y + two), is_within


def _radius(style: Style, word: str, width: float, height: float, *, is_across: bool) -> float:
    if word == "closest-side":
        return min(width, height) / 2
    if word == "farthest-side":
        return max(width, height) / 2
    base = math.hypot(width, height) / math.sqrt(2)
    return style.length(word, base) or 0.0


def _polygon(style: Style, inner: str, box: Rect) -> tuple[Rect, Shape | None] | None:
    width, height = box[2] - box[0], box[3] - box[1]
    corners = list[tuple[float, float]]()
    for part in split_outside(inner, ","):
        words = [word for word in split_outside(part.strip(), " ") if word not in {"nonzero", "evenodd"}]
        if len(words) == 2:
            corners.append(
                (box[0] + (style.length(words[0], width) or 0.0), box[1] + (style.length(words[1], height) or 0.0))
            )
    return _of_corners(corners)


def _path(style: Style, inner: str, box: Rect) -> tuple[Rect, Shape | None] | None:
    x = y = 0.0
    corners = list[tuple[float, float]]()
    if set("cqsta") & set(inner.lower()):
        return None
    for letter, rest in STEP.findall(inner):
        numbers = [float(number) * style.zoom for number in NUMBER.findall(rest)]
        is_relative = letter.islower()
        kind = letter.lower()
        for one, two in _steps(kind, numbers):
            x = (x if is_relative and kind != "m" else 0.0) + one if one is not None else x
            y = (y if is_relative and kind != "m" else 0.0) + two if two is not None else y
            corners.append((box[0] + x, box[1] + y))
    return _of_corners(corners)


def _steps(kind: str, numbers: list[float]) -> list[tuple[float | None, float | None]]:
    if kind == "h":
        return [(number, None) for number in numbers]
    if kind == "v":
        return [(None, number) for number in numbers]
    return list(zip(numbers[::2], numbers[1::2], strict=False))


def _of_corners(corners: list[tuple[float, float]]) -> tuple[Rect, Shape | None]:
    if len(corners) < 3 or len(corners) > 200:
        return NOWHERE, None
    across, down = [corner[0] for corner in corners], [corner[1] for corner in corners]

    def is_within(x: float, y: float) -> bool:
        inside = False
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                inside = not inside
        return inside

    return (min(across), min(down), max(across), max(down)), is_within


READERS: dict[str, Callable[[Style, str, Rect], tuple[Rect, Shape | None] | None]] = {
    "inset": _inset, "rect": _rect, "xywh": _xywh, "circle": _round, "ellipse": _round, "polygon": _polygon,
    "path": _path,
}  # fmt: skip


def old_clip(style: Style, value: str, box: Rect) -> Rect | None:
    """What `clip` leaves of a box that is placed."""
    match = CALL.fullmatch(value)
    read = _rect(style, match[2], box) if match is not None and match[1] == "rect" else None
    return read[0] if read is not None else None


__all__ = ["EVERYWHERE", "FAR", "IDENTITY", "NOWHERE", "Clip", "Rect", "old_clip", "path_clip"]
