"""What `filter` and `mix-blend-mode` make of a colour, each as browsers reckon it in sRGB."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from wellsourced.pages.html.css_shapes import CALL
from wellsourced.pages.html.css_values import MEASURE, TURN_DEGREES, Colour, read_number

Row: TypeAlias = tuple[float, float, float]
Rows: TypeAlias = tuple[Row, Row, Row]
Step: TypeAlias = tuple[Row, Row, Row, float]
"""Three rows of a matrix, and what is added to each channel."""

SAME = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
GREY = ((0.2126, 0.7152, 0.0722), (0.2126, 0.7152, 0.0722), (0.2126, 0.7152, 0.0722))
BROWN = ((0.393, 0.769, 0.189), (0.349, 0.686, 0.168), (0.272, 0.534, 0.131))
ROUND = ((-0.213, -0.715, 0.928), (0.143, 0.14, -0.283), (-0.787, 0.715, 0.072))
# How much of another matrix is taken, for an amount; what is more than all counts as all.
TOWARDS = {"grayscale": GREY, "sepia": BROWN}
SHADES = frozenset(("brightness", "contrast", "invert", "saturate", "hue-rotate", *TOWARDS))


class Filter(NamedTuple):
    """The steps of a filter that change colours, the share that shines through, and whether all could be reckoned."""

    steps: tuple[Step, ...] = ()
    share: float = 1.0
    is_known: bool = True

    def turn(self, colour: Colour) -> Colour:
        for *rows, more in self.steps:
            red, green, blue = (_fitted(sum(map(float.__mul__, row, colour[:3])) + more) for row in rows)
            colour = red, green, blue, colour[3]
        return colour


def _fitted(channel: float) -> float:
    return min(1.0, max(0.0, channel))


@lru_cache(512)
def read_filter(value: str) -> Filter:
    steps, share, is_known = [], 1.0, True
    for name, inner in CALL.findall(value):
        amount = _amount(name, inner.strip())
        if name == "opacity":
            share *= min(1.0, 0.0 if amount is None else amount)
        elif name in SHADES and amount is not None:
            steps.append(_step(name, amount))
        is_known &= amount is not None or name not in SHADES
    return Filter(tuple(steps), share, is_known)


def _amount(name: str, inner: str) -> float | None:
    if name != "hue-rotate":
        return read_number(inner or "1")
    match = MEASURE.fullmatch(inner or "0deg")
    return float(match[1]) * TURN_DEGREES.get(match[2] or "deg", 1.0) if match else None


def _step(name: str, amount: float) -> Step:
    if name == "invert":
        return *_mixed(SAME, SAME, 1 - 2 * min(1.0, amount), 0.0), min(1.0, amount)
    if name == "brightness":
        return *_mixed(SAME, SAME, amount, 0.0), 0.0
    if name == "contrast":
        return *_mixed(SAME, SAME, amount, 0.0), 0.5 - amount / 2
    if name == "hue-rotate":
        cosine, sine = math.cos(math.radians(amount)), math.sin(math.radians(amount))
        return *_mixed(_mixed(SAME, GREY, cosine, 1 - cosine), ROUND, 1.0, sine), 0.0
    amount = amount if name == "saturate" else 1 - min(1.0, amount)
    return *_mixed(SAME, TOWARDS.get(name, GREY), amount, 1 - amount), 0.0


def _mixed(one: Rows, two: Rows, first: float, second: float) -> Rows:
    rows = [(a * first + x * second, b * first + y * second, c * first + z * second)
            for (a, b, c), (x, y, z) in zip(one, two, strict=True)]  # fmt: skip
    return rows[0], rows[1], rows[2]


def _hard_light(behind: float, own: float) -> float:
    return behind * 2 * own if own <= 0.5 else 1 - (1 - behind) * (2 - 2 * own)


def _soft_light(behind: float, own: float) -> float:
    if own <= 0.5:
        return behind - (1 - 2 * own) * behind * (1 - behind)
    full = ((16 * behind - 12) * behind + 4) * behind if behind <= 0.25 else math.sqrt(behind)
    return behind + (2 * own - 1) * (full - behind)


def _dodge(behind: float, own: float) -> float:
    return 0.0 if behind == 0 else 1.0 if own >= 1 else min(1.0, behind / (1 - own))


def _burn(behind: float, own: float) -> float:
    return 1.0 if behind >= 1 else 0.0 if own <= 0 else 1 - min(1.0, (1 - behind) / own)


# Of what is behind and what lies on it. Those that keep the lightness of what is behind leave nothing to read.
BLENDS: dict[str, Callable[[float, float], float]] = {
    "multiply": lambda behind, own: behind * own,
    "screen": lambda behind, own: behind + own - behind * own,
    "overlay": lambda behind, own: _hard_light(own, behind),
    "darken": min, "lighten": max, "color-dodge": _dodge, "color-burn": _burn,
    "hard-light": _hard_light, "soft-light": _soft_light,
    "difference": lambda behind, own: abs(behind - own),
    "exclusion": lambda behind, own: behind + own - 2 * behind * own,
    "plus-lighter": lambda behind, own: min(1.0, behind + own),
    "plus-darker": lambda behind, own: max(0.0, behind + own - 1),
    **dict.fromkeys(("hue", "saturation", "color"), lambda behind, own: behind),
}  # fmt: skip


def blended(mode: str, behind: Colour, colour: Colour) -> Colour:
    """A colour on what is behind it, as far as there is something behind."""
    blend, share = BLENDS[mode], behind[3]
    red, green, blue = (
        own * (1 - share) + blend(back, own) * share for back, own in zip(behind[:3], colour[:3], strict=True)
    )
    return red, green, blue, colour[3]
