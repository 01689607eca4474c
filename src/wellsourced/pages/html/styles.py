"""CSS as far as it decides whether text can be seen: inline declarations, and rules of `style` elements.

Judged are declarations by themselves; the cascade is followed between rules whose selectors name tags, classes and ids.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

Declarations: TypeAlias = Mapping[str, str]
Ground: TypeAlias = Callable[[], str]
"""The background of the bare page, worked out when it is asked for: few pages have text that could sink into it."""

# Bounds the time for generated stylesheets of megabytes.
MAX_SHEET = 200_000
MAX_RULES = 1000
# Below this opacity nobody reads the text.
FAINTEST = 0.05
SMALLEST_FONT = 1.0
# In pixels to the left of or above the page, where nothing scrolls into view.
FAR_OUTSIDE = -500.0
# At the usual 16 pixels a letter and a window of 1,200 by 800.
UNIT_PIXELS = {"": 1.0, "px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "vw": 12.0, "vh": 8.0, "%": 10.0}

LENGTH = re.compile(r"\s*(-?(?:\d+(?:\.\d*)?|\.\d+))\s*(px|pt|r?em|ex|v[wh]|%)?\s*")
COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.S)
SHOWING_HINTS = ("display:", "visibility:", "opacity:")
LONGEST_HEAD = 2000
EVERYWHERE = re.compile(r"@media\s+(?:only\s+)?(?:screen|all)|@layer[\s\w.-]*|@supports\b.*")
COMPOUND = r"(?=[\w.#*])(?:\*|[A-Za-z][\w-]{0,40})?(?:[.#]-{0,2}[^\W\d][\w-]{0,80}){0,4}"
SELECTOR = re.compile(rf"(?=[^.#]*[.#]){COMPOUND}(?: ?[ >+~] ?{COMPOUND}){{0,4}}")
JOINT = re.compile(r"[ >+~]+")
TAG_NAME = re.compile(r"(?:^|[ >+~])[A-Za-z]")
# Scripts take this class away at once, so what it hides can be seen.
WITHOUT_SCRIPTS = re.compile(r"\.no[-_]?(?:js|script)\b", re.I)
HIDING_HINTS = (
    "display:none", "visibility:hidden", "visibility:collapse", "opacity:0", "opacity:.0", "font-size:0", "font-size:.",
    "clip:", "clip-path:", "text-indent:-", "left:-", "top:-", "margin:-", "color:transparent", "scale(0",
    "max-height:0", "height:0", "height:1px", "content-visibility:", "font-size:1px", "max-width:0",
    "translate", "filter:opacity(0", "color:#fff", "color:white", "color:rgba(", "color:hsla(", "color:rgb(",
    "color:#000", "color:black", "color:#111",
)  # fmt: skip
ALPHA_COLOUR = re.compile(r"(?:rgb|hsl)a?\(.*[,/]\s*([\d.]+)(%?)\s*\)")
RGB_COLOUR = re.compile(r"rgba?\(\s*(\d+)[,\s]+(\d+)[,\s]+(\d+)\s*(?:[,/]\s*1(?:\.0*)?\s*)?\)")
NAMED_COLOURS = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "gray": "#808080", "grey": "#808080"}
NOTHING_CLIPPED_IN = re.compile(
    r"rect\(\s*([01])(?:px)?[\s,]+\1(?:px)?[\s,]+\1(?:px)?[\s,]+\1(?:px)?\s*\)"
    r"|inset\(\s*(?:5\d|[6-9]\d|100)(?:\.\d+)?%[^)]{0,200}\)|circle\(\s*0[^)]{0,200}\)|polygon\(\s*0(?:px)?\s+0(?:px)?[\s,0px]*\)"
)
FILTERED = re.compile(r"opacity\(([^()]{1,20})\)")
ESCAPE = re.compile(r"\\([0-9a-f]{1,6}) ?")
GROUND = re.compile(r"\bbackground(?:-color|-image)?:([^;{}]{1,300})")
ZERO_SCALE = re.compile(r"scale[xy]?\(\s*0(?:\.0\d*)?\s*[,)]|scale3d\(\s*0\s*,")
FAR_TRANSLATION = re.compile(
    r"translate(?:[xy]|3d)?\(\s*(?:0(?:px)?\s*,\s*)?-(?:\d{4,}px|[5-9]\d{2}px|\d{3,}(?:%|v[wh]|r?em))"
)


def parse_declarations(css: str) -> dict[str, str]:
    """`name: value` pairs in lower case, without `!important`; a later one wins."""
    results = {}
    text = css[:10_000].lower()
    if "\\" in text:
        text = ESCAPE.sub(lambda escaped: chr(min(int(escaped[1], 16), 0x10FFFF)), text)
    for part in (COMMENT.sub("", text) if "/*" in text else text).split(";"):
        name, colon, value = part.partition(":")
        if colon:
            results[name.strip()] = value.partition("!")[0].strip()
    return results


def length_in_pixels(value: str) -> float | None:
    """A length in about the pixels a browser would make of it, None for a word such as `auto`."""
    match = LENGTH.fullmatch(value)
    return float(match[1]) * UNIT_PIXELS[match[2] or ""] if match else None


def hides_text(css: Declarations) -> bool:
    """Whether text with these declarations cannot be seen, whatever it stands in."""
    return _switched_off(css) or _faded(css) or _shrunk(css) or _moved_away(css) or _clipped(css) or _same_colour(css)


def is_folded(css: Declarations) -> bool:
    """Whether this is how closed panels are kept closed, rather than a way to hide text in the open."""
    return (_switched_off(css) or _without_height(css)) and not _moved_away(css) and not _clipped(css)


def _switched_off(css: Declarations) -> bool:
    return (
        css.get("display") == "none"
        or css.get("visibility") in {"hidden", "collapse"}
        or css.get("content-visibility") == "hidden"
    )


def _faded(css: Declarations) -> bool:
    """Opacity near zero, unless the element is set up to fade in when it is scrolled to."""
    filtered = FILTERED.search(css.get("filter", ""))
    opacity = filtered[1] if filtered else css.get("opacity", "")
    match = LENGTH.fullmatch(opacity)
    if match is None:
        return False
    value = float(match[1]) / (100 if match[2] == "%" else 1)
    animated = {"transform", "transition", "will-change", "animation", "-webkit-transform"} & css.keys()
    return value <= FAINTEST and not animated


def _shrunk(css: Declarations) -> bool:
    font = length_in_pixels(css.get("font-size", ""))
    if font is not None and font <= SMALLEST_FONT:
        return True
    if not any(css.get(name, "") in {"hidden", "clip"} for name in ("overflow", "overflow-x", "overflow-y")):
        return False
    sizes = [length_in_pixels(css.get(name, "")) for name in ("width", "height", "max-width", "max-height")]
    return any(size is not None and size <= 1 for size in sizes) and not css.keys() & {"padding-bottom", "padding-top"}


def _without_height(css: Declarations) -> bool:
    return _shrunk(css) and any(length_in_pixels(css.get(name, "")) == 0 for name in ("height", "max-height"))


def _moved_away(css: Declarations) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if css.get("position") in {"absolute", "fixed", "relative"}:
        names += ["left", "top", "right", "bottom", "inset-inline-start"]
    distances = [length_in_pixels(css.get(name, "")) for name in names if name in css]
    if any(distance is not None and distance <= FAR_OUTSIDE for distance in distances):
        return True
    transform = css.get("transform", "")
    return bool(transform and (ZERO_SCALE.search(transform) or FAR_TRANSLATION.search(transform)))


def _clipped(css: Declarations) -> bool:
    shape = css.get("clip-path") or css.get("-webkit-clip-path") or css.get("clip", "")
    return bool(shape and len(shape) < 200 and NOTHING_CLIPPED_IN.search(shape))


def _same_colour(css: Declarations) -> bool:
    if "color" not in css:
        return False
    if css.get("background-image", "none") != "none" or css.get("-webkit-background-clip") == "text":
        return False
    if "text" in css.get("background-clip", "") or "gradient" in css.get("background", ""):
        return False
    ink = normalise_colour(css["color"])
    return ink == "transparent" or (bool(ink) and ink == background_colour(css))


def sheet_backgrounds(sheet: str) -> set[str]:
    """Every background that a tidy sheet gives to anything, as colours."""
    return {normalise_colour(match[1].partition("!")[0].lower()) for match in GROUND.finditer(sheet)}


def has_background_colour(css: Declarations, ground: Ground) -> bool:
    """Whether text with these declarations has the colour of what is behind it."""
    ink = normalise_colour(css["color"]) if "color" in css and not background_colour(css) else ""
    return bool(ink) and ink == ground()


def background_colour(css: Declarations) -> str:
    return normalise_colour(css.get("background-color") or css.get("background", ""))


def normalise_colour(value: str) -> str:
    """One spelling for equal colours, `transparent` for what cannot be seen, "" when it is not understood."""
    value = value.strip()
    if value.startswith("#") and len(value) in {4, 5}:
        value = "#" + "".join(digit * 2 for digit in value[1:])
    if value.startswith("#") and len(value) == 9:
        return "transparent" if value.endswith("00") else value.removesuffix("ff")
    if value == "transparent":
        return value
    alpha = ALPHA_COLOUR.fullmatch(value) if value.count(",") >= 3 or "/" in value else None
    if alpha and _number(alpha[1]) / (100 if alpha[2] else 1) <= FAINTEST:
        return "transparent"
    mixed = RGB_COLOUR.fullmatch(value)
    if mixed:
        return "#" + "".join(f"{min(255, int(part)):02x}" for part in mixed.groups())
    return value if value.startswith("#") else NAMED_COLOURS.get(value, "")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 1.0


def tidy_sheet(sheet: str) -> str:
    """The sheet without comments and spare blanks, its first 200,000 characters."""
    start = sheet[:MAX_SHEET]
    flat = " ".join((COMMENT.sub("", start) if "/*" in start else start).split())
    return flat.replace(": ", ":").replace(" :", ":").replace("( ", "(")


def showing_rules(sheet: str) -> Iterator[tuple[str, int]]:
    """Selectors of the rules of a tidy sheet that may make elements appear, with the place of their rule."""
    for place, head, _ in _rules_with(SHOWING_HINTS, sheet):
        for selector in selectors(head):
            yield selector, place


def shows(sheet: str, place: int) -> bool:
    """Whether the rule at this place applies on every screen and does not itself hide."""
    body = sheet[sheet.find("{", place) + 1 : sheet.find("}", place)]
    return not hides_text(parse_declarations(body)) and _is_everywhere(sheet, place)


def hiding_selectors(sheet: str, ground: Ground = lambda: "") -> Iterator[tuple[str, bool]]:
    """Selectors of the rules of a tidy sheet that hide, on a page with this background if it is known.

    With each, whether its rule is how closed panels are kept closed.
    """
    for place, head, body in _rules_with(HIDING_HINTS, sheet):
        named = selectors(head)
        css = parse_declarations(body)
        if named and (hides_text(css) or has_background_colour(css, ground)) and _is_everywhere(sheet, place):
            yield from ((selector, is_folded(css)) for selector in named)


def _rules_with(hints: tuple[str, ...], sheet: str) -> Iterator[tuple[int, str, str]]:
    """(place, selectors, declarations) of the rules in which a hint occurs; the rest of the sheet is not looked at."""
    seen: set[int] = set()
    small = sheet.lower()
    for place in _places(hints, small if len(small) == len(sheet) else sheet):
        start = sheet.rfind("{", 0, place)
        end = sheet.find("}", place)
        if start < 0 or end < 0 or start in seen:
            continue
        if len(seen) >= MAX_RULES:
            return
        seen.add(start)
        head = 1 + max(sheet.rfind(mark, max(0, start - LONGEST_HEAD), start) for mark in "{};")
        yield head, sheet[head:start], sheet[start + 1 : end]


def _places(hints: tuple[str, ...], small: str) -> Iterator[int]:
    for hint in hints:
        place = small.find(hint)
        while place >= 0:
            yield place
            place = small.find(hint, place + 1)


def _is_everywhere(sheet: str, place: int) -> bool:
    """Whether a rule stands outside at-rules, or in one that holds on every screen."""
    at = sheet.rfind("@", 0, place)
    if at < 0:
        return True
    opened, closed = sheet.count("{", at, place), sheet.count("}", at, place)
    if opened <= closed:
        return True
    return opened == closed + 1 and EVERYWHERE.fullmatch(sheet[at : sheet.find("{", at)].strip()) is not None


def selectors(head: str) -> list[str]:
    """Those of a rule's selectors that name only tags, classes and ids, and at least one of the last two."""
    results = [name for part in head.split(",") if SELECTOR.fullmatch(name := part.strip())]
    return [name for name in results if not WITHOUT_SCRIPTS.search(name)]


def selector_weight(selector: str) -> int:
    """How much a selector counts in the cascade: ids before classes before tags."""
    return 10_000 * selector.count("#") + 100 * selector.count(".") + len(TAG_NAME.findall(selector))


def compounds(selector: str) -> list[str]:
    """What a selector says of the outermost element it names, and so on down to the one it means."""
    return JOINT.split(selector)


def is_nested(selector: str) -> bool:
    return JOINT.search(selector) is not None


def class_names(compound: str) -> set[str]:
    return set(compound.partition("#")[0].split(".")[1:])
