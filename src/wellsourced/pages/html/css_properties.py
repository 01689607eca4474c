"""The properties by which text can be hidden: how they are written, which values are valid, which could hide.

A value that is not valid is dropped as a browser drops it, so that it cannot undo the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_values import (
    FONT_SIZE,
    UNIT_PIXELS,
    read_colour,
    read_length,
    read_number,
    refers,
    split_outside,
)

Check: TypeAlias = Callable[[str], bool]

WIDE_WORDS = frozenset(("inherit", "initial", "unset", "revert", "revert-layer"))
_DISPLAYS = (
    "none block inline inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell "
    "table-row-group table-header-group table-footer-group table-column table-column-group table-caption "
    "list-item contents flow-root run-in ruby ruby-text math -webkit-box -webkit-inline-box -webkit-flex "
    "-webkit-inline-flex"
)
DISPLAYS = frozenset(_DISPLAYS.split())
# Columns have no content: what stands in them is not shown.
GONE_DISPLAYS = frozenset(("none", "table-column", "table-column-group"))
DISPLAY_WORDS = DISPLAYS | {"flow", "inside", "outside"}
SIZE_WORDS = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
    "xxx-large": 48.0, "smaller": 13.3, "larger": 19.2, "math": 16.0,
}  # fmt: skip
_LENGTH_WORDS = (
    "auto none min-content max-content fit-content stretch -webkit-fill-available normal -webkit-fit-content"
)
LENGTH_WORDS = frozenset(_LENGTH_WORDS.split())
OVERFLOWS = frozenset(("visible", "hidden", "clip", "scroll", "auto", "overlay", "-webkit-paged-x"))
POSITIONS = frozenset(("static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"))
COLOUR_WORDS = frozenset(("currentcolor", "from"))
SIDES = ("top", "right", "bottom", "left")
FUNCTION = late_pattern(r"[a-z-]+[\w-]{0,30}\(")
IMAGE = late_pattern(r"url\(|(?:gradient|image|image-set|element|cross-fade)\(|-webkit-")
FAR_LEFT, FAR_RIGHT, FAR_DOWN, LEAST_MOVE = -500.0, 3000.0, 60_000.0, -40.0
TINY = 1.0
# In a box of this size nothing of a line can be read.
SLIVER = 5.0
# Below the one nothing is seen, above the other all that can be read otherwise.
FAINTEST, FAINT = 0.05, 0.4
FILTERS = late_pattern(r"(?:opacity|blur|invert|brightness|contrast|grayscale|sepia|saturate|hue-rotate|var|url)\(")
TIGHT = -5.0
# Of a mask or a background: one side of it is next to nothing.
NO_SIZE = late_pattern(r"\s*(?:[\w.%-]{1,20}\s+)?(?:0|[0-5](?:\.\d{1,9})?px)(?![\w.%])")
# A stroke that leaves nothing of the letters.
THICK = 8.0
# So thick, or moved so far, a shadow within a box covers the line of text in it.
LEAST_SPREAD, LEAST_SHIFT = 10.0, 40.0
BRACKETS = late_pattern(r"\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\)")
PICTURE = late_pattern(r"url\(|gradient\(|image")
NO_ROWS = frozenset(("0", "0px", "0fr"))
FILL_FORWARDS = late_pattern(r"\b(?:forwards|both)\b")


def _is_display(value: str) -> bool:
    return set(value.split()) <= DISPLAY_WORDS or _is_unknown_function(value)


def _is_length(value: str) -> bool:
    return value in LENGTH_WORDS or read_length(value) is not None or _is_unknown_function(value)


def _is_unknown_function(value: str) -> bool:
    return FUNCTION.match(value) is not None


def _is_number(value: str) -> bool:
    return read_number(value) is not None or _is_unknown_function(value)


def is_colour(value: str) -> bool:
    return value in COLOUR_WORDS or read_colour(value) is not None or _is_unknown_function(value)


def _is_font_size(value: str) -> bool:
    length = read_length(value)
    return value in SIZE_WORDS or (length is not None and length >= 0) or _is_unknown_function(value)


def _among(words: frozenset[str] | set[str]) -> Check:
    return words.__contains__


def _far(low: float, high: float, units: dict[str, float] = UNIT_PIXELS) -> Check:
    def is_far(value: str) -> bool:
        if value in LENGTH_WORDS:
            return False
        length = read_length(value, units)
        return length is None or length <= low or length >= high

    return is_far


def _is_tiny(value: str) -> bool:
    if value in LENGTH_WORDS:
        return False
    length = read_length(value)
    return length is None or length <= SLIVER


def _is_small_font(value: str) -> bool:
    if value in SIZE_WORDS:
        return False
    length = read_length(value, FONT_UNITS)
    return length is None or length < 0.5 * FONT_SIZE


def _is_faint(value: str) -> bool:
    number = read_number(value)
    return number is None or number < 0.9


def _is_something(value: str) -> bool:
    return value not in {"none", "auto", "normal", ""}


def _is_tight(value: str) -> bool:
    """Of letters and words; how much is too much depends on their size."""
    length = read_length(value) if value != "normal" else 0.0
    return length is None or length <= TIGHT


def _is_indent_far(value: str) -> bool:
    return is_far_across(value) or is_whole(value)


def is_whole(value: str) -> bool:
    """Whether it is as wide as all there is, or wider."""
    return value.endswith("%") and (read_number(value) or 0) >= 1


def covering_shadows(value: str) -> list[str]:
    """The colours of shadows that lie on all of a box, the lowest first."""
    shadows = [split_outside(shadow, " ") for shadow in split_outside(value, ",") if "inset" in shadow]
    return [_last_word(words) for words in reversed(shadows) if _is_covering([*filter_lengths(words)])]


def filter_lengths(words: list[str]) -> Iterator[float]:
    return (length for word in words if (length := read_length(word)) is not None)


def _last_word(words: list[str]) -> str:
    return next((word for word in words if word != "inset" and read_length(word) is None), "currentcolor")


def _is_covering(lengths: list[float]) -> bool:
    across, down, blur, spread = (*lengths, 0.0, 0.0, 0.0, 0.0)[:4]
    return blur <= SLIVER and (spread >= LEAST_SPREAD or max(abs(across), abs(down)) + spread >= LEAST_SHIFT)


def _always(value: str) -> bool:
    return True


def _never(value: str) -> bool:
    return False


FONT_UNITS = UNIT_PIXELS | {"%": 0.16}
is_far_across, is_far_down = _far(FAR_LEFT, FAR_RIGHT), _far(FAR_LEFT, FAR_DOWN)
# By less a short text is moved out of the window, if nothing holds it.
OFFSET = (_is_length, _far(LEAST_MOVE, FAR_RIGHT))
DOWN = (_is_length, _far(LEAST_MOVE, FAR_DOWN))
FROM_THE_END = (_is_length, _far(FAR_LEFT, 800))
# Columns are moved beside each other by margins of the container's whole width.
is_margin_far = _far(FAR_LEFT, FAR_DOWN, UNIT_PIXELS | {"%": 2.0})
SIZE = (_is_length, _is_tiny)
COLOUR = (is_colour, _always)
# For each property whether a value is valid, and whether it could hide text.
PROPERTIES: dict[str, tuple[Check, Check]] = {
    "display": (_is_display, lambda value: value in GONE_DISPLAYS or "(" in value),
    "visibility": (_among(frozenset(("visible", "hidden", "collapse"))), lambda value: value != "visible"),
    "content-visibility": (_among(frozenset(("visible", "hidden", "auto"))), lambda value: value[-1] in "n)"),
    "opacity": (_is_number, _is_faint),
    "filter": (_always, lambda value: FILTERS.search(value) is not None),
    "backdrop-filter": (_always, lambda value: FILTERS.search(value) is not None),
    "mix-blend-mode": (_always, lambda value: value not in {"normal", "luminosity"}),
    "color-scheme": (_always, lambda value: "dark" in value and "light" not in value),
    "contain": (_always, lambda value: "strict" in value or ("size" in value and "paint" in value) or "(" in value),
    "font-size": (_is_font_size, _is_small_font),
    "text-indent": (lambda value: _is_length(value.partition(" ")[0]), _is_indent_far),
    "letter-spacing": (_is_length, _is_tight), "word-spacing": (_is_length, _is_tight),
    "font-size-adjust": (_always, lambda value: value not in {"none", "from-font"}),
    "position": (_among(POSITIONS), _never),
    "float": (_among(frozenset(("none", "left", "right", "inline-start", "inline-end"))), _never),
    "left": OFFSET, "right": FROM_THE_END, "top": DOWN, "bottom": FROM_THE_END,
    "margin-left": (_is_length, is_margin_far), "margin-top": (_is_length, is_margin_far),
    "margin-right": (_is_length, _never),
    # Where a line begins, which may be at the right.
    "margin-start": (_is_length, _never),
    "margin-bottom": (_is_length, is_margin_far),
    "padding-left": (_is_length, _never), "padding-right": (_is_length, _never),
    "padding-top": (_is_length, _never), "padding-bottom": (_is_length, _never),
    "width": SIZE, "height": SIZE, "max-width": SIZE, "max-height": SIZE,
    "min-width": (_is_length, _never), "min-height": (_is_length, _never),
    "line-height": (lambda v: _is_length(v) or _is_number(v), lambda v: v in {"0", "0px"} or "if(" in v),
    "overflow-x": (_among(OVERFLOWS), _never), "overflow-y": (_among(OVERFLOWS), _never),
    "clip": (_always, _is_something), "clip-path": (_always, _is_something),
    "transform": (_always, _is_something), "translate": (_always, _is_something), "scale": (_always, _is_something),
    "rotate": (_always, _is_something), "zoom": (_is_number, lambda value: (read_number(value) or 0) < 0.2),
    "color": COLOUR, "-webkit-text-fill-color": COLOUR, "background-color": COLOUR,
    "background-image": (lambda value: value == "none" or IMAGE.search(value) is not None, _never),
    "background-size": (_always, lambda value: NO_SIZE.match(value) is not None),
    "background-position": (_always, lambda value: min(filter_lengths(value.split()), default=0) <= FAR_LEFT),
    "background-repeat": (_always, _never), "border-image": (_always, lambda value: "fill" in value),
    "box-shadow": (_always, lambda value: "inset" in value and bool(covering_shadows(value))),
    "paint-order": (_always, _never),
    "background-clip": (_always, _never), "text-shadow": (_always, _never),
    "-webkit-text-stroke-width": (_always, lambda value: max(filter_lengths(value.split()), default=0) >= THICK),
    "animation-name": (_always, _is_something), "animation-fill-mode": (_always, _never),
    "animation-play-state": (_always, _never), "animation-iteration-count": (_always, _never),
    "animation-direction": (_always, _never),
    "animation-duration": (_always, _never), "animation-delay": (_always, _never),
    "mask-image": (_always, lambda value: "gradient" in value or "url(" in value or "var(" in value),
    "mask-size": (_always, _never), "mask-composite": (_always, _never), "mask-mode": (_always, _never),
    "backface-visibility": (_always, lambda value: value == "hidden"), "perspective": (_always, _never),
    "transform-origin": (_always, lambda value: max(map(abs, filter_lengths(value.split())), default=0) > 1000),
    "offset-path": (_always, _is_something), "content": (_always, lambda value: PICTURE.search(value) is not None),
    "flex-grow": (_is_number, _never), "flex-basis": (_is_length, _is_tiny),
    "grid-template-columns": (_always, _never),
    "grid-template-rows": (_always, lambda value: NO_ROWS.issuperset(value.split())),
    "white-space": (_always, _never), "flex-direction": (_always, _never),
    "z-index": (_always, lambda value: value.startswith("-") or "(" in value), "isolation": (_always, _never),
    "will-change": (_always, _never),
    "text-align": (_always, _never),
    "clear": (_always, _never), "direction": (_always, _never), "columns": (_always, _never),
    "writing-mode": (_always, _never), "anchor-name": (_always, _never),
    "aspect-ratio": (_always, _never), "text-wrap": (_always, _never),
    "font-weight": (_always, _never), "box-sizing": (_always, _never),
    "container-type": (_always, lambda value: "size" in value), "container-name": (_always, _never),
}  # fmt: skip
ALIASES = {
    "inset-inline-start": "left", "inset-inline-end": "right", "inset-block-start": "top", "inset-block-end": "bottom",
    "margin-inline-end": "margin-right", "margin-block-start": "margin-top",
    "margin-block-end": "margin-bottom", "inline-size": "width", "block-size": "height", "max-inline-size": "max-width",
    "max-block-size": "max-height", "overflow-inline": "overflow-x", "overflow-block": "overflow-y",
    "padding-inline-start": "padding-left", "padding-inline-end": "padding-right", "padding-block-start": "padding-top",
    "padding-block-end": "padding-bottom", "-webkit-clip-path": "clip-path", "-webkit-transform": "transform",
    "-webkit-filter": "filter", "-webkit-opacity": "opacity", "-webkit-background-clip": "background-clip",
    "-webkit-animation-name": "animation-name", "-webkit-animation-fill-mode": "animation-fill-mode",
    "-webkit-mask-image": "mask-image", "-webkit-margin-start": "margin-inline-start", "-webkit-animation": "animation",
    "-webkit-background-size": "background-size",
    "-webkit-mask": "mask", "-webkit-text-stroke": "text-stroke", "min-inline-size": "min-width",
    "min-block-size": "min-height", "-webkit-backdrop-filter": "backdrop-filter", "offset": "offset-path",
    "column-count": "columns", "column-width": "columns",
    "-webkit-mask-size": "mask-size", "-webkit-mask-composite": "mask-composite", "-webkit-flex": "flex",
    "-webkit-backface-visibility": "backface-visibility", "-webkit-transform-origin": "transform-origin",
    "-webkit-animation-play-state": "animation-play-state", "-webkit-perspective": "perspective",
}  # fmt: skip


def _four(pattern: str) -> Callable[[str], dict[str, str] | None]:
    def expand(value: str) -> dict[str, str] | None:
        parts = split_outside(value, " ")
        if not 1 <= len(parts) <= 4:
            return None
        top, right, bottom, left = (parts * 4)[:4] if len(parts) in {1, 2, 4} else (*parts, parts[1])
        return {pattern.format(side): part for side, part in zip(SIDES, (top, right, bottom, left), strict=True)}

    return expand


def _pair(first: str, second: str) -> Callable[[str], dict[str, str] | None]:
    def expand(value: str) -> dict[str, str] | None:
        parts = split_outside(value, " ")
        return {first: parts[0], second: parts[-1]} if 1 <= len(parts) <= 2 else None

    return expand


def _margins_in_line(value: str) -> dict[str, str] | None:
    pair = _pair("margin-left", "margin-right")(value)
    return pair and pair | {"margin-start": pair["margin-left"]}


def _font(value: str) -> dict[str, str] | None:
    """The size is the word before the family, with a line height behind a slash."""
    for word in split_outside(value, " "):
        size = word.partition("/")[0]
        if _is_font_size(size) and not size.isdecimal():
            return {"font-size": size}
        if size == "0":
            return {"font-size": "0"}
    return None


def _background(value: str) -> dict[str, str] | None:
    """Everything that is not named is reset; the colour stands in the last layer."""
    layers = split_outside(value, ",")
    words = [word for layer in layers for word in split_outside(layer.replace("/", " "), " ")]
    images = [word for word in words if IMAGE.search(word)]
    seen = [word for layer in layers if not has_no_size(layer) for word in split_outside(layer.replace("/", " "), " ")]
    colour = next((word for word in reversed(words) if word not in images and is_colour(word)), "transparent")
    clip = "text" if "text" in words else "border-box"
    return {
        "background-color": colour, "background-image": " ".join(filter(IMAGE.search, seen)) or "none",
        "background-clip": clip, "background-size": "auto",
    }  # fmt: skip


def has_no_size(layer: str) -> bool:
    """Whether a picture is made too small to be seen."""
    return NO_SIZE.match(BRACKETS.sub("", layer).partition("/")[2]) is not None


def _animation(value: str) -> dict[str, str] | None:
    fill = FILL_FORWARDS.search(value)
    return {"animation-name": value, "animation-fill-mode": fill[0] if fill else "none"}


def _flex(value: str) -> dict[str, str] | None:
    """`flex: 1` shares out all the room; a number alone leaves nothing for the content itself."""
    words = split_outside(value, " ")
    numbers = [word for word in words if read_number(word) is not None and not word.endswith("%")]
    others = [word for word in words if word not in numbers]
    grow = numbers[0] if numbers else "1" if value == "auto" else "0"
    return {"flex-grow": grow, "flex-basis": (others + numbers[2:] + ["0px"] * bool(numbers) + ["auto"])[0]}


SHORTHANDS: dict[str, Callable[[str], dict[str, str] | None]] = {
    "inset": _four("{}"), "margin": _four("margin-{}"), "padding": _four("padding-{}"),
    "overflow": _pair("overflow-x", "overflow-y"), "inset-inline": _pair("left", "right"),
    "inset-block": _pair("top", "bottom"), "margin-inline": _margins_in_line,
    "margin-inline-start": lambda value: {"margin-left": value, "margin-start": value},
    "margin-block": _pair("margin-top", "margin-bottom"), "padding-inline": _pair("padding-left", "padding-right"),
    "padding-block": _pair("padding-top", "padding-bottom"), "font": _font, "background": _background,
    "flex-flow": lambda value: {"flex-direction": "column" if "column" in value else "row"},
    "flex": _flex, "animation": _animation, "mask": lambda value: {"mask-image": value},
    "container": lambda value: {"container-name": value.split("/")[0], "container-type": (value + "/").split("/")[1]},
    "text-stroke": lambda value: {"-webkit-text-stroke-width": value},
    "all": lambda value: dict.fromkeys(PROPERTIES, value) if value in WIDE_WORDS else None,
}  # fmt: skip
LONGHANDS: dict[str, tuple[str, ...]] = {
    "inset": SIDES, **{name: tuple(f"{name}-{side}" for side in SIDES) for name in ("margin", "padding")},
    "overflow": ("overflow-x", "overflow-y"), "inset-inline": ("left", "right"), "inset-block": ("top", "bottom"),
    "margin-inline": ("margin-left", "margin-right", "margin-start"),
    "margin-inline-start": ("margin-left", "margin-start"), "margin-block": ("margin-top", "margin-bottom"),
    "padding-inline": ("padding-left", "padding-right"), "padding-block": ("padding-top", "padding-bottom"),
    "font": ("font-size",),
    "background": ("background-color", "background-image", "background-clip", "background-size"),
    "flex-flow": ("flex-direction",), "flex": ("flex-grow", "flex-basis"), "mask": ("mask-image",),
    "animation": ("animation-name", "animation-fill-mode"),
    "container": ("container-name", "container-type"),
    "text-stroke": ("-webkit-text-stroke-width",), "all": (),
}  # fmt: skip


def _sources() -> dict[str, tuple[str, ...]]:
    """For each property the names by which it can be set: its own, others for the same, and shorthands."""
    sources: dict[str, list[str]] = {name: [] for name in PROPERTIES}
    for name in (*PROPERTIES, *SHORTHANDS, *ALIASES):
        meant = ALIASES.get(name, name)
        for longhand in (LONGHANDS[meant] or PROPERTIES) if meant in SHORTHANDS else (meant,):
            sources[longhand].append(name)
    return {name: tuple(names) for name, names in sources.items()}


SOURCES = _sources()


def longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    """Each property that a declaration sets, with its value; nothing where it is not valid.

    A shorthand that refers to a variable can be taken apart only when that is known: it is handed on as a whole.
    """
    name = ALIASES.get(name, name)
    if name in PROPERTIES:
        if value in WIDE_WORDS or refers(value) or PROPERTIES[name][0](value):
            yield name, value
    elif name in SHORTHANDS:
        if refers(value):
            yield from ((longhand, f"{name}:{value}") for longhand in LONGHANDS[name])
        elif value in WIDE_WORDS:
            yield from ((longhand, value) for longhand in LONGHANDS[name] or PROPERTIES)
        else:
            yield from _valid_parts(SHORTHANDS[name](value) or {})


def _valid_parts(parts: dict[str, str]) -> Iterator[tuple[str, str]]:
    if all(PROPERTIES[name][0](value) for name, value in parts.items()):
        yield from parts.items()


def will_change(value: str, names: frozenset[str]) -> bool:
    """Whether `will-change` speaks of one of some properties."""
    return bool(value) and not names.isdisjoint(word.strip() for word in value.split(","))


def could_hide(name: str, value: str) -> bool:
    return value == "inherit" or (value not in WIDE_WORDS and PROPERTIES[name][1](value))
