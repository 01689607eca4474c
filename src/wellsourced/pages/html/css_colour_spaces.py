"""The channels of an sRGB colour in other notations, by which colours are made from it."""

from __future__ import annotations

import math
from collections.abc import Callable

Channels = tuple[float, float, float]

CHANNEL_NAMES = {
    "rgb": "rgb", "hsl": "hsl", "hwb": "hwb", "oklab": "lab", "oklch": "lch", "lab": "lab", "lch": "lch",
    "color": "rgb",
}  # fmt: skip


def channels_of(notation: str, red: float, green: float, blue: float) -> dict[str, float]:
    """By the names they have in a notation, in the units of numbers there."""
    channels = NOTATIONS[notation](red, green, blue)
    return dict(zip(CHANNEL_NAMES[notation], channels, strict=True))


def _hsl(red: float, green: float, blue: float) -> Channels:
    import colorsys

    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    return hue * 360, saturation * 100, lightness * 100


def _hwb(red: float, green: float, blue: float) -> Channels:
    return _hsl(red, green, blue)[0], min(red, green, blue) * 100, (1 - max(red, green, blue)) * 100


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _mixed(rows: tuple[Channels, Channels, Channels], parts: Channels) -> Channels:
    one, two, three = (sum(map(float.__mul__, row, parts)) for row in rows)
    return one, two, three


def _oklab(red: float, green: float, blue: float) -> Channels:
    """CSS Color 4, section 9, the other way round."""
    cones = _mixed(TO_CONES, (_linear(red), _linear(green), _linear(blue)))
    return _mixed(FROM_CONES, (math.cbrt(cones[0]), math.cbrt(cones[1]), math.cbrt(cones[2])))


def _lab(red: float, green: float, blue: float) -> Channels:
    """By way of XYZ under D50 light."""
    parts = _mixed(TO_XYZ, (_linear(red), _linear(green), _linear(blue)))
    x, y, z = (math.cbrt(part) if part > 0.008856 else (903.3 * part + 16) / 116 for part in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _round(lab: Channels) -> Channels:
    light, a, b = lab
    return light, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


NOTATIONS: dict[str, Callable[[float, float, float], Channels]] = {
    "rgb": lambda red, green, blue: (red * 255, green * 255, blue * 255),
    "color": lambda red, green, blue: (red, green, blue),
    "hsl": _hsl, "hwb": _hwb, "oklab": _oklab, "lab": _lab,
    "oklch": lambda *parts: _round(_oklab(*parts)), "lch": lambda *parts: _round(_lab(*parts)),
}  # fmt: skip
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)  # fmt: skip
FROM_CONES = (
    (0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)  # fmt: skip
# Each row for a white of its own.
TO_XYZ = (
    (0.4522556, 0.3993541, 0.1483903), (0.2225045, 0.7168786, 0.0606169), (0.0168832, 0.1176727, 0.8654441),
)  # fmt: skip
