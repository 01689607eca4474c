"""Colours as CSS and brand guides write them, in one spelling: #RRGGBB in capitals.

Notations and conversions: CSS Color Module Level 4. A colour that lets something through is no brand colour and is
not read, and neither is one whose value depends on anything but itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
FUNCTION = re.compile(r"(rgba?|hsla?|hwb|oklch|oklab)\(([^()]{1,80})\)", re.IGNORECASE)
BARE_HSL = re.compile(r"-?[\d.]{1,8}(?:deg)?\s+[\d.]{1,6}%\s+[\d.]{1,6}%")
BARE_RGB = re.compile(r"\d{1,3}(?:\s*,\s*|\s+)\d{1,3}(?:\s*,\s*|\s+)\d{1,3}")
FOR_LIGHT = re.compile(r"light-dark\(\s*+([^,()]{1,40}|[a-z]{3,6}\([^()]{1,80}\))\s*+,.{1,200}", re.IGNORECASE)
PART = re.compile(r"[^\s,/]+")
NUMBER = re.compile(r"([-+]?(?:\d{1,6}(?:\.\d{0,8})?|\.\d{1,8}))(%|deg|turn|rad)?", re.IGNORECASE)
SHORT = r"000|fff|(?=[a-f]{0,2}[0-9])(?=[0-9]{0,2}[a-f])[0-9a-f]{3}"
"""Three digits that are no number and no word."""
WRITTEN = re.compile(
    rf"(?<![\w&#/])#([0-9a-f]{{6}}|{SHORT})(?![\w-])|\bhex(?:\s?code)?\s?[:=]?\s?([0-9a-f]{{6}})\b", re.IGNORECASE
)
WRITTEN_RGB = re.compile(
    r"\brgb\s?[:=(]?\s?(\d{1,3})\s?[,/ .]\s?(\d{1,3})\s?[,/ .]\s?(\d{1,3})(?![\d.])"
    r"|\bR\s?[:=]?\s?(\d{1,3})[\s,/|]{1,3}G\s?[:=]?\s?(\d{1,3})[\s,/|]{1,3}B\s?[:=]?\s?(\d{1,3})\b",
    re.IGNORECASE,
)
NAMED_COLOURS = (
    "black:000000 silver:C0C0C0 gray:808080 grey:808080 white:FFFFFF maroon:800000 red:FF0000 purple:800080"
    " fuchsia:FF00FF magenta:FF00FF green:008000 lime:00FF00 olive:808000 yellow:FFFF00 navy:000080 blue:0000FF"
    " teal:008080 aqua:00FFFF cyan:00FFFF orange:FFA500 gold:FFD700 crimson:DC143C tomato:FF6347 coral:FF7F50"
    " indigo:4B0082 turquoise:40E0D0 rebeccapurple:663399 whitesmoke:F5F5F5 ghostwhite:F8F8FF"
)
NAMED = dict(pair.split(":") for pair in NAMED_COLOURS.split())
OPAQUE = 0.999
FULL_CHROMA = 0.4
NEUTRAL_SPREAD = 24


def to_hex(value: str) -> str:
    """#RRGGBB of a CSS colour, or "" for anything else."""
    text = value.strip().partition("!")[0].strip().lower()
    if text in NAMED:
        return f"#{NAMED[text]}"
    if found := HEX.fullmatch(text):
        return _from_digits(found[1])
    if found := FUNCTION.fullmatch(text):
        return _from_function(found[1].removesuffix("a"), PART.findall(found[2]))
    if found := FOR_LIGHT.fullmatch(text):
        return to_hex(found[1])
    bare = "hsl" if BARE_HSL.fullmatch(text) else "rgb" if BARE_RGB.fullmatch(text) else ""
    return _from_function(bare, PART.findall(text)) if bare else ""


def written(text: str) -> Iterator[tuple[str, int, int]]:
    """Colours in running text with where they stand: `#16161D`, `Hex 16161D`; without any, also `RGB 22, 22, 29`."""
    hexes = [(_from_digits(found[1] or found[2]), *found.span()) for found in WRITTEN.finditer(text)]
    yield from hexes
    if not hexes:
        for found in WRITTEN_RGB.finditer(text):
            channels = [int(part) for part in found.groups() if part is not None]
            if max(channels) < 256:
                yield _hex(*(channel / 255 for channel in channels)), *found.span()


def brightness(colour: str) -> float:
    """From 0 to 255, as eyes weigh the channels (ITU-R BT.601)."""
    red, green, blue = _channels(colour)
    return round(0.299 * red + 0.587 * green + 0.114 * blue, 1)


def is_neutral(colour: str) -> bool:
    """Whether it is a white, a black or a grey."""
    channels = _channels(colour)
    return max(channels) - min(channels) < NEUTRAL_SPREAD


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _from_digits(digits: str) -> str:
    full = "".join(digit * 2 for digit in digits) if len(digits) < 5 else digits
    if len(full) == 8 and full[6:] != "ff":
        return ""
    return f"#{full[:6].upper()}"


def _from_function(name: str, parts: list[str]) -> str:
    numbers = [NUMBER.fullmatch(part) for part in parts]
    if len(numbers) not in {3, 4} or not all(numbers):
        return ""
    components = [(float(number[1]), (number[2] or "").lower()) for number in numbers if number]
    if len(components) == 4 and _share(*components[3]) < OPAQUE:
        return ""
    return CONVERSIONS[name](components[:3])


def _share(number: float, unit: str) -> float:
    return number / 100 if unit == "%" else number


def _turn(number: float, unit: str) -> float:
    """An angle in degrees."""
    return number * {"turn": 360, "rad": 180 / math.pi}.get(unit, 1)


def _hex(*channels: float) -> str:
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, channel))):02X}" for channel in channels)


def _rgb(components: list[tuple[float, str]]) -> str:
    return _hex(*(number / (100 if unit == "%" else 255) for number, unit in components))


def _hsl(components: list[tuple[float, str]]) -> str:
    hue, saturation, lightness = _turn(*components[0]), components[1][0] / 100, components[2][0] / 100
    spread = saturation * min(lightness, 1 - lightness)

    def channel(offset: float) -> float:
        place = (offset + hue / 30) % 12
        return lightness - spread * max(-1.0, min(place - 3, 9 - place, 1.0))

    return _hex(channel(0), channel(8), channel(4))


def _hwb(components: list[tuple[float, str]]) -> str:
    white, black = components[1][0] / 100, components[2][0] / 100
    if white + black >= 1:
        return _hex(*[white / (white + black)] * 3)
    pure = _channels(_hsl([components[0], (100, "%"), (50, "%")]))
    return _hex(*(channel / 255 * (1 - white - black) + white for channel in pure))


def _oklch(components: list[tuple[float, str]]) -> str:
    chroma = components[1][0] * FULL_CHROMA / 100 if components[1][1] == "%" else components[1][0]
    angle = math.radians(_turn(*components[2]))
    return _from_oklab(_share(*components[0]), chroma * math.cos(angle), chroma * math.sin(angle))


def _oklab(components: list[tuple[float, str]]) -> str:
    axes = [number * FULL_CHROMA / 100 if unit == "%" else number for number, unit in components[1:]]
    return _from_oklab(_share(*components[0]), *axes)


def _from_oklab(lightness: float, a: float, b: float) -> str:
    """Oklab to sRGB by the matrices of its author (Ottosson 2020), which CSS uses."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return _hex(*map(_companded, linear))


def _companded(channel: float) -> float:
    if channel <= 0.0031308:
        return 12.92 * max(0.0, channel)
    return float(1.055 * min(1.0, channel) ** (1 / 2.4) - 0.055)


CONVERSIONS: dict[str, Callable[[list[tuple[float, str]]], str]] = {
    "rgb": _rgb,
    "hsl": _hsl,
    "hwb": _hwb,
    "oklch": _oklch,
    "oklab": _oklab,
}
