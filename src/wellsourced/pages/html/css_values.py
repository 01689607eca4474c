"""Values of CSS: numbers, lengths with `calc()`, and colours in every notation, as an ordinary window shows them."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from wellsourced.data import read_lines
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_colour_spaces import CHANNEL_NAMES, channels_of

Colour: TypeAlias = tuple[float, float, float, float]
"""Red, green, blue and alpha, each from 0 to 1."""

WINDOW_WIDTH, WINDOW_HEIGHT = 1280.0, 800.0
FONT_SIZE = 16.0
LONGEST_VALUE = 300
UNIT_PIXELS = {
    "px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "em": 16.0,
    "rem": 16.0, "ex": 8.0, "ch": 8.0, "lh": 19.0, "rlh": 19.0, "ic": 16.0, "cap": 11.0,
    **dict.fromkeys(("vw", "svw", "lvw", "dvw", "vi", "cqw", "cqi"), WINDOW_WIDTH / 100),
    **dict.fromkeys(("vh", "svh", "lvh", "dvh", "vb", "cqh", "cqb", "vmin"), WINDOW_HEIGHT / 100),
    "vmax": WINDOW_WIDTH / 100, "%": 10.0,
}  # fmt: skip
NUMBER = r"[-+]?(?:\d{1,20}(?:\.\d{1,20})?|\.\d{1,20})(?:e[-+]?\d{1,2})?"
MEASURE = late_pattern(rf"({NUMBER})(%|[a-z]{{1,4}})?")
CALC_MEASURE = late_pattern(r"(?<![\w.])(\d[\d.]{0,20}(?:e[-+]?\d{1,2})?|\.\d{1,20})(%|[a-z]{1,4})?(?![\w.(])")
CALC_SIGNS = late_pattern(r"(?:[\d.e+\-*/(), ]|calc|min|max|clamp)+")
ENVIRONMENT = late_pattern(r"env\([^()]{0,60}\)")
# Letters, digits, `_`, `-` and all that is not ASCII, said by what is left out: that is looked up fastest.
LETTERS = r"[^\x00-\x2c./:-@\[-\^`{-\x7f]"
NAME = rf"[.#](?:{LETTERS}++|\\[0-9a-fA-F]{{1,6}} ?|\\.)++"
ESCAPE = late_pattern(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n]?|(.))", re.S)
BRACKET_OR_STRING = late_pattern(r"[(\[\"'\\]")
HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
FUNCTION = late_pattern(r"([a-z-]{2,20})\((.*)\)", re.S)
PART = late_pattern(r"[a-z-]{2,20}\([^()]*\)|[^\s,/]+")
OPERATIONS: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
CALLS: dict[str, Callable[..., float]] = {
    "calc": lambda value: value, "min": min, "max": max, "clamp": lambda low, value, high: max(low, min(value, high)),
}  # fmt: skip
TURN_DEGREES = {"deg": 1.0, "turn": 360.0, "rad": 180 / math.pi, "grad": 0.9}
READABLE_CONTRAST = 1.3
# As far from black as from white, by contrast.
MIDDLE_LIGHT = 0.179
CHANNEL = late_pattern(r"(?<![\w.-])[a-z]{1,5}(?![\w(-])")
ATTRIBUTE = late_pattern(
    r"attr\(\s*([\w-]{1,60})\s*(type\((?:[^()]{0,60})\)|[a-z-]{1,20}|%)?\s*(?:,((?:[^()]|\([^()]*\))*))?\)"
)


def on_one_line(head: str) -> str:
    """A blank behind an escape belongs to it: there the next one counts."""
    return head.strip() if "\\" in head else " ".join(head.split())


def unescape(text: str) -> str:
    """The text with CSS escapes (`n\\6fne`) resolved."""
    return ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    if not match[1]:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def refers(value: str) -> bool:
    """Whether a value is known only for an element: by its variables, its attributes, or by a condition."""
    return "var(" in value or "if(" in value or "attr(" in value


def put_attributes(value: str, attribute: Callable[[str], str | None]) -> str:
    """A value with what the element's attributes say of it; of text none of these properties can be made."""

    def held(match: re.Match[str]) -> str:
        said, kind = attribute(match[1]), match[2] or "raw-string"
        if said is None or (not MEASURE.fullmatch(said.strip()) and not kind.startswith("type(")):
            return (match[3] or "?").strip()
        return said.strip().lower() + ("" if kind.startswith("type(") or kind == "number" else kind)

    return ATTRIBUTE.sub(held, value)


def read_length(value: str, unit_pixels: dict[str, float] = UNIT_PIXELS) -> float | None:
    """A length in about the pixels a browser makes of it; None for a word, and for what is no length."""
    match = MEASURE.fullmatch(value)
    if match is None:
        return _calculate(value, unit_pixels) if "(" in value and len(value) <= LONGEST_VALUE else None
    if match[2] is None:
        return float(match[1]) if float(match[1]) == 0 else None
    return float(match[1]) * unit_pixels[match[2]] if match[2] in unit_pixels else None


def read_number(value: str) -> float | None:
    """A number or a percentage as a share of one."""
    match = MEASURE.fullmatch(value)
    if match is None:
        return _calculate(value, {"%": 0.01}) if "(" in value and len(value) <= LONGEST_VALUE else None
    return float(match[1]) * {"%": 0.01, None: 1.0}[match[2]] if match[2] in {"%", None} else None


def _calculate(value: str, unit_pixels: dict[str, float]) -> float | None:
    text = CALC_MEASURE.sub(lambda m: _in_pixels(m[1], m[2], unit_pixels), ENVIRONMENT.sub("0", value))
    if not CALC_SIGNS.fullmatch(text):
        return None
    try:
        return float(_evaluate(ast.parse(text, mode="eval").body))
    except (SyntaxError, ValueError, TypeError, KeyError, ArithmeticError, RecursionError, MemoryError):
        return None


def _in_pixels(number: str, unit: str | None, unit_pixels: dict[str, float]) -> str:
    return f"{float(number) * (unit_pixels.get(unit, math.nan) if unit else 1.0):.9f}" if number.count(".") < 2 else "?"


def _evaluate(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return _evaluate(node.operand) * (-1 if isinstance(node.op, ast.USub) else 1)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        return OPERATIONS[type(node.op)](_evaluate(node.left), _evaluate(node.right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return CALLS[node.func.id](*map(_evaluate, node.args))
    raise ValueError("no sum of lengths")


@cache
def named_colours() -> dict[str, Colour]:
    return {name: _from_hex(digits) for name, digits in map(str.split, read_lines("css_colours.txt"))}


def _from_hex(digits: str) -> Colour:
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue, alpha = (int((digits + "ff")[place : place + 2], 16) / 255 for place in (0, 2, 4, 6))
    return red, green, blue, alpha


@cache
def _transparent() -> Colour:
    return 0.0, 0.0, 0.0, 0.0


def read_colour(value: str) -> Colour | None:
    """A colour, or None where it is none or cannot be known from its own text."""
    return _read_colour(value) if len(value) <= LONGEST_VALUE else None


@lru_cache(2048)
def _read_colour(value: str) -> Colour | None:
    if value == "transparent":
        return _transparent()
    if HEX.fullmatch(value):
        return _from_hex(value[1:])
    match = FUNCTION.fullmatch(value) if value.endswith(")") else None
    if match is None:
        return named_colours().get(value)
    name = match[1].removesuffix("a") if match[1] in {"rgba", "hsla"} else match[1]
    reader, inner = COLOUR_FUNCTIONS.get(name), match[2].strip()
    try:
        return _relative(name, inner[5:]) if inner.startswith("from ") else reader(inner) if reader else None
    except (ValueError, IndexError, TypeError, OverflowError, ZeroDivisionError):
        return None


def _relative(name: str, text: str) -> Colour | None:
    """A colour made from another one, by the channels of that."""
    origin, *parts = split_outside(text.replace("/", " / "), " ")
    base, reader = read_colour(origin), COLOUR_FUNCTIONS[name]
    if base is None or name not in CHANNEL_NAMES:
        said = parts[parts.index("/") + 1] if "/" in parts else ""
        return _faint(read_number(said))
    held = channels_of(name, *base[:3]) | {"alpha": base[3]}
    parts += [] if "/" in parts else ["/", "alpha"]
    return reader(CHANNEL.sub(lambda word: f"{held[word[0]]:.9f}" if word[0] in held else word[0], " ".join(parts)))


def _faint(alpha: float | None) -> Colour | None:
    return _transparent() if alpha is not None and alpha < 0.05 else None


def _channels(text: str, scales: Sequence[float]) -> list[float]:
    """Channels and alpha; `scales` say what a percentage of 100 means for each."""
    parts = PART.findall(text)
    if not 3 <= len(parts) <= 4 or parts[0] == "from":
        raise ValueError("three channels and an alpha")
    return [_channel(part, scale) for part, scale in zip([*parts, "1"][:4], [*scales, 1.0], strict=True)]


def _channel(part: str, scale: float) -> float:
    if part == "none":
        return 0.0
    match = MEASURE.fullmatch(part)
    if match is None:
        calculated = _calculate(part, {"%": scale / 100})
        if calculated is None:
            raise ValueError(part)
        return calculated
    number, unit = float(match[1]), match[2]
    return number * scale / 100 if unit == "%" else number * TURN_DEGREES[unit] if unit in TURN_DEGREES else number


def _fit(red: float, green: float, blue: float, alpha: float) -> Colour:
    r, g, b, a = (min(1.0, max(0.0, channel)) for channel in (red, green, blue, alpha))
    return r, g, b, a


def _rgb(text: str) -> Colour:
    red, green, blue, alpha = _channels(text, (255, 255, 255))
    return _fit(red / 255, green / 255, blue / 255, alpha)


def _hsl(text: str) -> Colour:
    import colorsys

    hue, saturation, lightness, alpha = _channels(text, (360, 100, 100))
    saturation, lightness = (min(1.0, max(0.0, part / 100)) for part in (saturation, lightness))
    red, green, blue = colorsys.hls_to_rgb(hue / 360 % 1, lightness, saturation)
    return _fit(red, green, blue, alpha)


def _hwb(text: str) -> Colour:
    import colorsys

    hue, white, black, alpha = _channels(text, (360, 100, 100))
    white, black = white / 100, black / 100
    if white + black >= 1:
        grey = white / (white + black)
        return _fit(grey, grey, grey, alpha)
    pure = colorsys.hls_to_rgb(hue / 360 % 1, 0.5, 1.0)
    red, green, blue = (channel * (1 - white - black) + white for channel in pure)
    return _fit(red, green, blue, alpha)


def _oklab(text: str) -> Colour:
    light, a, b, alpha = _channels(text, (1, 0.4, 0.4))
    return _from_oklab(light, a, b, alpha)


def _oklch(text: str) -> Colour:
    light, chroma, hue, alpha = _channels(text, (1, 0.4, 360))
    return _from_oklab(light, chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue)), alpha)


def _from_oklab(light: float, a: float, b: float, alpha: float) -> Colour:
    """CSS Color 4, section 9: to the cone responses, to linear light, to sRGB."""
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return _from_linear(
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        alpha,
    )


def _lab(text: str) -> Colour:
    light, a, b, alpha = _channels(text, (100, 125, 125))
    return _from_lab(light, a, b, alpha)


def _lch(text: str) -> Colour:
    light, chroma, hue, alpha = _channels(text, (100, 150, 360))
    return _from_lab(light, chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue)), alpha)


def _from_lab(light: float, a: float, b: float, alpha: float) -> Colour:
    """By way of XYZ under D50 light, adapted to sRGB's D65 (Bradford)."""
    middle = (light + 16) / 116
    x, y, z = (
        white * (part**3 if part > 6 / 29 else (116 * part - 16) / 903.3)
        for part, white in ((middle + a / 500, 0.96422), (middle, 1.0), (middle - b / 200, 0.82521))
    )
    return _from_linear(
        3.1338561 * x - 1.6168667 * y - 0.4906146 * z,
        -0.9787684 * x + 1.9161415 * y + 0.0334540 * z,
        0.0719453 * x - 0.2289914 * y + 1.4052427 * z,
        alpha,
    )


def _from_linear(red: float, green: float, blue: float, alpha: float) -> Colour:
    red, green, blue = (
        12.92 * part if part <= 0.0031308 else 1.055 * min(part, 1.0) ** (1 / 2.4) - 0.055
        for part in (red, green, blue)
    )
    return _fit(red, green, blue, alpha)


def _contrast(text: str) -> Colour | None:
    """Black or white, what is read better on a colour."""
    ground = read_colour(text.strip())
    return ground and named_colours()["white" if luminance(ground) < MIDDLE_LIGHT else "black"]


def _colour_space(text: str) -> Colour:
    space, _, rest = text.partition(" ")
    red, green, blue, alpha = _channels(rest, (1, 1, 1))
    return _from_linear(red, green, blue, alpha) if space == "srgb-linear" else _fit(red, green, blue, alpha)


def _mix(text: str) -> Colour | None:
    """Both colours by their shares, mixed in sRGB, which is near enough to tell whether they can be read."""
    _, first, second = split_outside(text, ",")
    one, two = _with_share(first), _with_share(second)
    if one[0] is None or two[0] is None:
        return None
    share = one[1] if one[1] is not None else 1 - two[1] if two[1] is not None else 0.5
    red, green, blue, alpha = (a * share + b * (1 - share) for a, b in zip(one[0], two[0], strict=True))
    return red, green, blue, alpha


def _with_share(text: str) -> tuple[Colour | None, float | None]:
    words = split_outside(text.strip(), " ")
    shares = [share for word in words if word.endswith("%") and (share := read_number(word)) is not None]
    colour = next((colour for word in words if (colour := read_colour(word)) is not None), None)
    return colour, shares[0] if shares else None


COLOUR_FUNCTIONS: dict[str, Callable[[str], Colour | None]] = {
    "rgb": _rgb, "hsl": _hsl, "hwb": _hwb, "oklab": _oklab, "oklch": _oklch, "lab": _lab, "lch": _lch,
    "color": _colour_space, "color-mix": _mix, "contrast-color": _contrast, "if": lambda text: _transparent(),
    "light-dark": lambda text: read_colour(split_outside(text, ",")[0].strip()),
}  # fmt: skip


# What can stand between two marks without being looked into, nested as deep as sheets have it.
_CALL = r"\((?:[^()\"'\\]|\((?:[^()\"'\\]|\([^()\"'\\]*+\))*+\))*+\)"
_ATTRIBUTE = r"\[(?:[^\]\"'\\]|\"[^\"\\]*+\"|'[^'\\]*+'){0,500}+\]"
QUICK_PART = late_pattern(rf"(?:[^,()\[\]\"'\\]|{_CALL}|{_ATTRIBUTE}|\\[^0-9a-fA-F])++", re.S)
SIGN = late_pattern(r"\\.|\"(?:[^\"\\]|\\.)*+\"?|'(?:[^'\\]|\\.)*+'?|[()\[\], ]", re.S)
DEPTHS = {"(": 1, "[": 1, ")": -1, "]": -1}


def split_outside(text: str, mark: str) -> list[str]:
    """The parts of a text between marks that stand outside brackets and strings."""
    if not BRACKET_OR_STRING.search(text):
        return text.split(mark) if mark != " " else text.split()
    if mark == "," and ",".join(quick := QUICK_PART.findall(text)) == text:
        return quick
    parts, depth, start = [], 0, 0
    for sign in SIGN.finditer(text):
        depth += DEPTHS.get(sign[0], 0)
        if sign[0] == mark and depth <= 0:
            parts.append(text[start : sign.start()])
            start = sign.end()
    parts.append(text[start:])
    return parts if mark != " " else [part for part in parts if part]


def is_readable(ink: Colour, ground: Colour) -> bool:
    """Whether text of one colour stands out from what is behind it."""
    one, two = luminance(ink if ink[3] == 1 else over(ink, ground)), luminance(ground)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05) >= READABLE_CONTRAST


def over(upper: Colour, lower: Colour) -> Colour:
    """What is seen where a colour lies on another one."""
    if upper[3] == 1 or lower[3] == 0:
        return upper
    rest = lower[3] * (1 - upper[3])
    alpha = upper[3] + rest
    red, green, blue = ((u * upper[3] + low * rest) / alpha for u, low in zip(upper[:3], lower[:3], strict=True))
    return red, green, blue, alpha


@lru_cache(2048)
def luminance(colour: Colour) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
