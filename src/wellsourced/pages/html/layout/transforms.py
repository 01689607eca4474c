"""How boxes are moved, scaled and turned from the places that they were laid out in."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.clips import START
from wellsourced.pages.html.css_values import MEASURE, TURN_DEGREES, read_number, split_outside
from wellsourced.pages.html.layout.tree import Box

Rows = tuple[tuple[float, ...], ...]
"""A matrix of four by four."""

CALL = late_pattern(r"([a-z0-9-]{1,20})\(((?:[^()]|\([^()]*\))*)\)")
MOVING = ("translate", "rotate", "scale", "offset-path", "transform")
SAME: Rows = tuple(tuple(float(row == column) for column in range(4)) for row in range(4))
FLAT, LEAST_DEPTH = 1e-3, 0.01
WORDS = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}


class Matrix(NamedTuple):
    """Of a plane: `x' = a x + c y + e`, `y' = b x + d y + f`."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def apply(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, inner: Matrix) -> Matrix:
        """What it makes of that which the inner one has made."""
        e, f = self.apply(inner.e, inner.f)
        return Matrix(
            self.a * inner.a + self.c * inner.b, self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d, self.b * inner.c + self.d * inner.d, e, f,
        )  # fmt: skip

    def inverse(self) -> Matrix | None:
        area = self.a * self.d - self.b * self.c
        if abs(area) < 1e-12:
            return None
        a, b, c, d = self.d / area, -self.b / area, -self.c / area, self.a / area
        return Matrix(a, b, c, d, -(a * self.e + c * self.f), -(b * self.e + d * self.f))

    @property
    def scale(self) -> float:
        """How much smaller or larger it makes what is the smaller side of things."""
        return min(math.hypot(self.a, self.b), math.hypot(self.c, self.d))

    def is_flat(self) -> bool:
        """Whether it leaves nothing of a plane to see."""
        area = abs(self.a * self.d - self.b * self.c)
        longest = max(math.hypot(self.a, self.b), math.hypot(self.c, self.d))
        return not math.isfinite(area) or area < FLAT or longest > 1000

    def bounds(self, x: float, y: float, w: float, h: float) -> tuple[float, float, float, float]:
        """The smallest upright box around a box, as left, top, right and bottom."""
        corners = [self.apply(*corner) for corner in ((x, y), (x + w, y), (x, y + h), (x + w, y + h))]
        across, down = [corner[0] for corner in corners], [corner[1] for corner in corners]
        return min(across), min(down), max(across), max(down)


IDENTITY = Matrix()


class Move(NamedTuple):
    """`is_behind` says that it comes to lie behind the eye, from where another such move brings it back."""

    matrix: Matrix
    is_turned_away: bool = False
    is_gone: bool = False
    is_behind: bool = False


def move_of(box: Box, perspective: float) -> Move | None:
    """What the styles of a box do with it, from its own upper left corner; None where they do nothing."""
    own = box.style.own
    if box.kind in {"inline", "text"} or not any(own.get(name, "none") not in {"none", ""} for name in MOVING):
        return None
    rows = _product(box)
    if rows is None:
        return None
    x, y = _origin(box)
    if perspective > 0:
        rows = _times(_perspective(perspective), rows)
    rows = _times(_times(_shift(x, y), rows), _shift(-x, -y))
    away = rows[2][2] < 0
    w = abs(rows[3][3])
    if w < LEAST_DEPTH:
        return Move(IDENTITY, away, is_gone=True)
    matrix = Matrix(*(value / w for value in (rows[0][0], rows[1][0], rows[0][1], rows[1][1], rows[0][3], rows[1][3])))
    return Move(matrix, away, is_gone=not all(map(math.isfinite, matrix)), is_behind=rows[3][3] < 0)


def _times(one: Rows, two: Rows) -> Rows:
    columns = tuple(zip(*two, strict=True))
    return tuple(tuple(sum(x * y for x, y in zip(row, column, strict=True)) for column in columns) for row in one)


def _shift(x: float, y: float, z: float = 0.0) -> Rows:
    return (1.0, 0.0, 0.0, x), (0.0, 1.0, 0.0, y), (0.0, 0.0, 1.0, z), (0.0, 0.0, 0.0, 1.0)


def _scale(x: float, y: float, z: float = 1.0) -> Rows:
    return (x, 0.0, 0.0, 0.0), (0.0, y, 0.0, 0.0), (0.0, 0.0, z, 0.0), (0.0, 0.0, 0.0, 1.0)


def _perspective(depth: float) -> Rows:
    return (*SAME[:3], (0.0, 0.0, -1.0 / depth, 1.0)) if depth > 0 else SAME


def _turn(x: float, y: float, z: float, degrees: float) -> Rows:
    length = math.sqrt(x * x + y * y + z * z)
    if length == 0:
        return SAME
    x, y, z = x / length, y / length, z / length
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    t = 1 - c
    return (
        (t * x * x + c, t * x * y - s * z, t * x * z + s * y, 0.0),
        (t * x * y + s * z, t * y * y + c, t * y * z - s * x, 0.0),
        (t * x * z - s * y, t * y * z + s * x, t * z * z + c, 0.0),
        (0.0, 0.0, 0.0, 1.0),
    )


def _skew(across: float, down: float) -> Rows:
    one, two = math.tan(math.radians(across)), math.tan(math.radians(down))
    return (1.0, one, 0.0, 0.0), (two, 1.0, 0.0, 0.0), SAME[2], SAME[3]


def _origin(box: Box) -> tuple[float, float]:
    words = split_outside(box.style.own.get("transform-origin", "50% 50%"), " ")[:2]
    if len(words) == 1:
        words = [words[0], "center"] if words[0] not in {"top", "bottom"} else ["center", words[0]]
    if words[0] in {"top", "bottom"} or words[1] in {"left", "right"}:
        words = words[::-1]
    across, down = (WORDS.get(word, word) for word in words)
    return box.style.length(across, box.w) or 0.0, box.style.length(down, box.h) or 0.0


def _product(box: Box) -> Rows | None:
    own = box.style.own
    rows = SAME
    if (said := own.get("translate", "none")) != "none":
        rows = _times(rows, _translated(box, split_outside(said, " ")))
    if (said := own.get("rotate", "none")) != "none":
        rows = _times(rows, _rotated(said))
    if (said := own.get("scale", "none")) != "none":
        factors = [read_number(word) for word in said.split()]
        if all(factor is not None for factor in factors):
            numbers = [factor or 0.0 for factor in factors]
            rows = _times(rows, _scale(numbers[0], numbers[1] if len(numbers) > 1 else numbers[0]))
    if (start := START.search(own.get("offset-path", ""))) is not None:
        x, y = _origin(box)
        rows = _times(rows, _shift(float(start[1]) * box.style.zoom - x, float(start[2]) * box.style.zoom - y))
    for call, inner in CALL.findall(own.get("transform", "none")):
        made = _call(box, call, [part.strip() for part in split_outside(inner, ",")])
        if made is None:
            return rows
        rows = _times(rows, made)
    return rows


def _translated(box: Box, parts: list[str]) -> Rows:
    x = box.style.length(parts[0], box.w) or 0.0
    y = (box.style.length(parts[1], box.h) or 0.0) if len(parts) > 1 else 0.0
    z = (box.style.length(parts[2]) or 0.0) if len(parts) > 2 else 0.0
    return _shift(x, y, z)


def _rotated(said: str) -> Rows:
    words = said.split()
    axes = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
    angle = next((degrees for word in words if (degrees := _degrees(word)) is not None and not word[-1].isdigit()), 0.0)
    named = next((axes[word] for word in words if word in axes), None)
    numbers = [read_number(word) or 0.0 for word in words if word[-1].isdigit()]
    axis = named or (tuple(numbers[:3]) if len(numbers) == 3 else axes["z"])
    return _turn(axis[0], axis[1], axis[2], angle)


@lru_cache(512)
def _degrees(part: str) -> float | None:
    match = MEASURE.fullmatch(part)
    if match is None:
        return None
    return float(match[1]) * TURN_DEGREES.get(match[2] or "", 1.0)


def _call(box: Box, name: str, parts: list[str]) -> Rows | None:
    if name.startswith("translate"):
        return _translate_call(box, name, parts)
    if name.startswith("scale"):
        numbers = [read_number(part) or 0.0 for part in parts]
        one = {"scalex": (numbers[0], 1.0), "scaley": (1.0, numbers[0]), "scalez": (1.0, 1.0)}.get(name)
        return _scale(*(one or (numbers[0], numbers[1] if len(numbers) > 1 else numbers[0])))
    if name.startswith("rotate"):
        axes = {"rotatex": (1.0, 0.0, 0.0), "rotatey": (0.0, 1.0, 0.0)}
        if name == "rotate3d" and len(parts) == 4:
            x, y, z = (read_number(part) or 0.0 for part in parts[:3])
            return _turn(x, y, z, _degrees(parts[3]) or 0.0)
        return _turn(*axes.get(name, (0.0, 0.0, 1.0)), _degrees(parts[0]) or 0.0)
    if name.startswith("skew"):
        angles = [_degrees(part) or 0.0 for part in parts]
        return _skew(0.0, angles[0]) if name == "skewy" else _skew(angles[0], angles[1] if len(angles) > 1 else 0.0)
    if name == "perspective":
        return _perspective(box.style.length(parts[0]) or 0.0)
    return _matrix_call([read_number(part) or 0.0 for part in parts])


def _translate_call(box: Box, name: str, parts: list[str]) -> Rows:
    zeros = {"translatey": 1, "translatez": 2}.get(name, 0)
    return _translated(box, ["0px"] * zeros + parts)


def _matrix_call(numbers: list[float]) -> Rows | None:
    if len(numbers) == 6:
        a, b, c, d, e, f = numbers
        return (a, c, 0.0, e), (b, d, 0.0, f), SAME[2], SAME[3]
    if len(numbers) == 16:
        return tuple(tuple(numbers[column * 4 + row] for column in range(4)) for row in range(4))
    return None
