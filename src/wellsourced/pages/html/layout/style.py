"""What the styles of a page and of the browser itself come to for each element, as far as places depend on it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import PROPERTIES, SIZE_WORDS
from wellsourced.pages.html.css_values import FONT_SIZE, MEASURE, UNIT_PIXELS, read_length, read_number, split_outside
from wellsourced.pages.html.dom import Element
from wellsourced.pages.html.layout.fonts import rise_and_fall, text_width

Said = dict[str, str]

NOT_DISPLAYED = frozenset(
    ("head", "script", "style", "template", "noscript", "link", "meta", "title", "base", "area", "datalist", "param",
     "rp", "noembed", "noframes")
)  # fmt: skip
PARTS_OF_TABLES = {
    "table": "table", "tr": "table-row", "td": "table-cell", "th": "table-cell", "tbody": "table-row-group",
    "thead": "table-header-group", "tfoot": "table-footer-group", "caption": "table-caption", "col": "table-column",
    "colgroup": "table-column-group",
}  # fmt: skip
_BLOCKS = (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol p pre search section ul"
)
BLOCKS = _BLOCKS.split()
USUAL_DISPLAYS = (
    dict.fromkeys(BLOCKS, "block")
    | PARTS_OF_TABLES
    | {"li": "list-item", "summary": "list-item", "button": "inline-block"}
    | dict.fromkeys(NOT_DISPLAYED, "none")
)


def _above_and_below(length: str) -> Said:
    return {"margin-before": length, "margin-after": length}


LIST = _above_and_below("1em") | {"padding-start": "40px"}
INDENTED = _above_and_below("1em") | {"margin-start": "40px", "margin-end": "40px"}
RAISED = {
    **{f"margin-{side}": "auto" for side in ("top", "right", "bottom", "left")},
    "width": "fit-content", "height": "fit-content", "border": "3px",
}  # fmt: skip
LOGICAL = ("margin-before", "margin-after", "margin-start", "margin-end", "padding-start")
LOGICAL_SIDES = {
    "": (("margin", "top"), ("margin", "bottom"), ("margin", "left"), ("margin", "right"), ("padding", "left")),
    "vertical-rl": (
        ("margin", "right"),
        ("margin", "left"),
        ("margin", "top"),
        ("margin", "bottom"),
        ("padding", "top"),
    ),
    "vertical-lr": (
        ("margin", "left"),
        ("margin", "right"),
        ("margin", "top"),
        ("margin", "bottom"),
        ("padding", "top"),
    ),
}
PADDED = ("padding-top", "padding-right", "padding-bottom", "padding-left")
USUAL: dict[str, Said] = {
    "body": {f"margin-{side}": "8px" for side in ("top", "right", "bottom", "left")},
    "p": _above_and_below("1em"), "dl": _above_and_below("1em"), "pre": _above_and_below("1em"),
    "ul": LIST, "ol": LIST, "menu": LIST, "dir": LIST, "dd": {"margin-start": "40px"},
    "blockquote": INDENTED, "figure": INDENTED,
    "h1": _above_and_below("0.67em"), "h2": _above_and_below("0.83em"), "h3": _above_and_below("1em"),
    "h4": _above_and_below("1.33em"), "h5": _above_and_below("1.67em"), "h6": _above_and_below("2.33em"),
    "hr": _above_and_below("0.5em"), "td": dict.fromkeys(PADDED, "1px"), "th": dict.fromkeys(PADDED, "1px"),
    "dialog": RAISED | dict.fromkeys(PADDED, "1em") | {"left": "0px", "right": "0px"},
}  # fmt: skip
POPOVER = RAISED | dict.fromkeys(PADDED, "0.25em") | dict.fromkeys(("left", "right", "top", "bottom"), "0px")
POPOVER |= {"overflow-x": "auto", "overflow-y": "auto", "position": "fixed"}
LISTS = frozenset(("ul", "ol", "menu", "dir", "dl"))
USUAL_SIZES = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h5": 0.83, "h6": 0.67, "small": 0.83, "sub": 0.83, "sup": 0.83}
BOLD_TAGS = frozenset(("b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "th"))
LEAST_BOLD = 600
MONOSPACED_TAGS = frozenset(("pre", "code", "kbd", "samp", "tt", "listing", "plaintext", "xmp"))
MONOSPACED_SHARE = 13 / 16
# What those within take on from an element.
HANDED_ON = (
    "white-space", "line-height", "letter-spacing", "word-spacing", "text-indent", "text-align", "direction",
    "writing-mode", "visibility", "font-size-adjust", "border-spacing", "text-wrap", "color",
)  # fmt: skip
WIPING = frozenset(("unset", "initial"))
NOT_RESET_BY_ALL = frozenset(("direction",))
KEPT = frozenset(("revert", "revert-layer"))
AS_AROUND = frozenset(("inherit", "unset", "revert", "revert-layer"))
HORIZONTAL = "horizontal-tb"


class Style:
    """The values of one element; lengths are read when they are asked for, in pixels of the window."""

    __slots__ = ("bold", "display", "font", "handed", "mono", "own", "position", "tag", "zoom")

    def __init__(self, tag: str, own: Said, around: Style | None) -> None:
        self.tag, self.own = tag, own
        self.zoom: float = (around.zoom if around else 1.0) * _zoom(own.get("zoom", ""))
        self.bold = self._is_bold(around)
        self.mono: bool = tag in MONOSPACED_TAGS or (around is not None and around.mono)
        self.font = self._font_size(around)
        self.handed = self._handed(around)
        self.position = own.get("position", "static").removeprefix("-webkit-")
        self.display = _one_display(own.get("display", "inline"))
        if not own.keys().isdisjoint(LOGICAL):
            self.own = self._with_sides(own)
        if "margin-line-start" in own and (self.is_rtl or self.is_vertical):
            self._turn_margin(own["margin-line-start"])

    def _turn_margin(self, value: str) -> None:
        """A margin where lines begin is not at the left of all boxes."""
        if self.own.get("margin-left") == value:
            side = "top" if self.is_vertical else "right"
            self.own = self.own | {"margin-left": self.own.get("margin-left-otherwise", "0px"), f"margin-{side}": value}

    def _with_sides(self, own: Said) -> Said:
        """What the browser says of the start and the end of lines, as sides of the box."""
        named = LOGICAL_SIDES[
            "vertical-lr" if self.mode == "vertical-lr" else "vertical-rl" if self.is_vertical else ""
        ]
        sides = dict(zip(LOGICAL, (f"{kind}-{side}" for kind, side in named), strict=True))
        if self.is_rtl:
            start, end, padding = sides["margin-start"], sides["margin-end"], sides["padding-start"]
            opposite = padding.replace(*(("left", "right") if "left" in padding else ("top", "bottom")))
            sides |= {"margin-start": end, "margin-end": start, "padding-start": opposite}
        plain = {name: value for name, value in own.items() if name not in LOGICAL}
        return {sides[name]: own[name] for name in LOGICAL if name in own} | plain

    def _is_bold(self, around: Style | None) -> bool:
        said = self.own.get("font-weight", "")
        if said:
            return said in {"bold", "bolder"} or (said.isdecimal() and int(said) >= LEAST_BOLD)
        return self.tag in BOLD_TAGS or (around is not None and around.bold)

    def _handed(self, around: Style | None) -> Mapping[str, str]:
        mine = {name: self._written(name) for name in HANDED_ON if name in self.own}
        if "white-space" in mine:
            mine["text-wrap"] = "nowrap"
        if around is None:
            return mine
        return {**around.handed, **mine} if mine else around.handed

    def _written(self, name: str) -> str:
        """As it is handed on: a length that goes by the size of letters is that of this element."""
        value = self.own[name]
        match = MEASURE.fullmatch(value)
        if match and match[2] and match[2] != "%":
            return f"{(self.length(value) or 0.0) / self.zoom:.4f}px"
        if match and match[2] == "%" and name == "line-height":
            return f"{self.font * float(match[1]) / 100 / self.zoom:.4f}px"
        return value

    def _font_size(self, around: Style | None) -> float:
        size = around.font / around.zoom if around else FONT_SIZE
        value = self.own.get("font-size", "")
        if not value:
            starts_mono = self.mono and (around is None or not around.mono)
            share = (MONOSPACED_SHARE if starts_mono else 1.0) * USUAL_SIZES.get(self.tag, 1.0)
            return size * self.zoom * share
        if value in SIZE_WORDS:
            word = {"smaller": size / 1.2, "larger": size * 1.2}.get(value, SIZE_WORDS[value])
            return word * self.zoom
        return max(0.0, read_size(value, size, size) or 0.0) * self.zoom

    def get(self, name: str) -> str:
        return self.own.get(name, "")

    def length(self, value: str, base: float | None = None) -> float | None:
        """A length in pixels; None where it is a word, or a share of something that is not known."""
        return read_length_at(value, self.font, self.zoom, base) if value else None

    def of(self, name: str, base: float | None = None) -> float | None:
        value = self.own.get(name)
        return read_length_at(value, self.font, self.zoom, base) if value else None

    def pixels(self, name: str, base: float | None = None) -> float:
        return self.of(name, base) or 0.0

    @property
    def line_height(self) -> float:
        value = self.handed.get("line-height", "normal")
        if value == "normal":
            return sum(rise_and_fall(self.letters))
        number = read_number(value) if not value.endswith("%") else None
        return number * self.font if number is not None else self.length(value) or 0.0

    @property
    def letters(self) -> float:
        """The size that letters are painted in."""
        adjust = self.handed.get("font-size-adjust", "none")
        return 0.0 if read_number(adjust.rpartition(" ")[2]) == 0 else self.font

    @property
    def is_rtl(self) -> bool:
        return self.handed.get("direction") == "rtl"

    @property
    def mode(self) -> str:
        return self.handed.get("writing-mode", HORIZONTAL)

    @property
    def is_vertical(self) -> bool:
        return self.mode not in {HORIZONTAL, ""}

    @property
    def wraps(self) -> bool:
        return self.handed.get("text-wrap", "nowrap") != "nowrap" or self.handed.get("white-space", "normal") not in {
            "nowrap",
            "pre",
        }

    @property
    def keeps_spaces(self) -> bool:
        return self.handed.get("white-space", "normal") in {"pre", "pre-wrap", "break-spaces"}

    @property
    def keeps_breaks(self) -> bool:
        return self.handed.get("white-space", "normal") in {"pre", "pre-wrap", "pre-line", "break-spaces"}

    @property
    def is_placed(self) -> bool:
        return self.position in {"absolute", "fixed"}

    @property
    def floats(self) -> str:
        """ "left" or "right", "" where it does not float."""
        side = self.own.get("float", "none")
        if side == "none" or self.is_placed:
            return ""
        if side.startswith("inline-"):
            return "right" if side == ("inline-start" if self.is_rtl else "inline-end") else "left"
        return side

    def indent(self, base: float) -> float:
        """How far a first line is moved."""
        value = self.handed.get("text-indent", "")
        words = split_outside(value, " ") if " " in value else [value]
        return (self.length(words[0], base) or 0.0) if value else 0.0

    def width_of(self, text: str) -> float:
        """Of a text in one line."""
        width = text_width(text, self.letters, is_bold=self.bold, is_monospaced=self.mono)
        letter, gap = self.handed.get("letter-spacing", ""), self.handed.get("word-spacing", "")
        if letter and letter != "normal":
            width += len(text) * (self.length(letter, self.font) or 0.0)
        if gap and gap != "normal":
            width += text.count(" ") * (self.length(gap, self.font) or 0.0)
        return max(0.0, width)


def _zoom(value: str) -> float:
    number = read_number(value) if value and value != "normal" else 1.0
    return number if number is not None and number > 0 else 1.0


def _one_display(value: str) -> str:
    """The word for a display that is said in two."""
    words = [word for word in value.split() if word not in {"outside", "inside"}]
    if len(words) == 2:
        inner = words[1] if words[0] in {"block", "inline"} else words[0]
        is_inline = "inline" in words
        return {
            "flow": "inline" if is_inline else "block",
            "flow-root": "inline-block" if is_inline else "flow-root",
        }.get(inner, f"inline-{inner}" if is_inline else inner)
    word = words[0].removeprefix("-webkit-") if words else "inline"
    return {"flow": "block", "box": "flex", "inline-box": "inline-flex", "run-in": "block"}.get(word, word)


@lru_cache(8192)
def read_length_at(value: str, font: float, zoom: float, base: float | None) -> float | None:
    """A length for letters of a size, and a share of `base`."""
    match = MEASURE.fullmatch(value)
    if match is not None:
        number, unit = float(match[1]), match[2]
        if unit == "%":
            return None if base is None else number * base / 100
        if unit is None:
            return 0.0 if number == 0 else None
        return number * _units(font, zoom).get(unit, zoom)
    if "(" not in value or ("%" in value and base is None):
        return None
    return read_length(value, _units(font, zoom) | {"%": (base or 0.0) / 100})


def read_size(value: str, font: float, base: float) -> float | None:
    return read_length_at(value, font, 1.0, base)


@lru_cache(256)
def _units(font: float, zoom: float) -> dict[str, float]:
    units = {name: pixels * zoom for name, pixels in UNIT_PIXELS.items()}
    return units | {"em": font, "ex": font * 0.52, "ch": font * 0.636, "lh": font * 1.17, "cap": font * 0.7, "ic": font}


class Styles:
    """The styles of all elements of a page, each made once from the one around it."""

    def __init__(self, cascade: Cascade) -> None:
        self.said: dict[Element, Said] = {}
        names = [name for name in PROPERTIES if name in cascade.declarations or name in cascade.own]
        for name in names:
            for element, written in cascade.winners(name).items():
                value = written if written in AS_AROUND or written == "initial" else cascade.value(element, name)
                self.said.setdefault(element, {})[name] = value
        self.cascade = cascade

    def of(self, element: Element, around: Style | None, tags_around: frozenset[str]) -> Style:
        """`tags_around` are the lists that it stands in."""
        tag = element.tag
        usual = _usual(element, tag, is_inner=bool(tags_around) and tag in LISTS)
        said = self.said.get(element)
        own = usual if said is None else self._own(element, usual, said)
        return Style(tag, own, around)

    def _own(self, element: Element, usual: Said, said: Said) -> Said:
        own = dict(usual)
        if said.get("paint-order") in WIPING and said.get("display") in WIPING:
            own = {name: value for name, value in own.items() if name in PROPERTIES}
        for name, value in said.items():
            if value in KEPT or (value == "initial" and name in NOT_RESET_BY_ALL):
                continue
            if value == "inherit" and name not in HANDED_ON and name != "font-size":
                value = self.cascade.value(element, name)
            if name == "margin-start":
                own["margin-line-start"] = value
                own["margin-left-otherwise"] = usual.get("margin-left", "0px")
            elif name.startswith(("margin-", "padding-")) and (value in WIPING or value == ""):
                own[name] = "0px"
            elif value in AS_AROUND or value == "":
                own.pop(name, None)
            elif value == "initial":
                _reset(own, name)
            else:
                own[name] = value
        return own


INITIAL = {
    "white-space": "normal", "line-height": "normal", "letter-spacing": "normal", "word-spacing": "normal",
    "text-indent": "0px", "text-align": "start", "writing-mode": HORIZONTAL, "visibility": "visible",
    "font-size": "medium", "font-size-adjust": "none", "text-wrap": "wrap",
    "font-weight": "normal", "color": "canvastext",
}  # fmt: skip


def _reset(own: Said, name: str) -> None:
    if name in INITIAL:
        own[name] = INITIAL[name]
    else:
        own.pop(name, None)


def _usual(element: Element, tag: str, *, is_inner: bool) -> Said:
    own = _usual_of_tag(tag, is_inner=is_inner)
    direction = (element.attr("dir") or "").lower()
    popover = element.attr("popover") is not None
    if direction in {"rtl", "ltr"} or popover:
        own = own | ({"direction": direction} if direction else {}) | (POPOVER if popover else {})
    return own


@lru_cache(512)
def _usual_of_tag(tag: str, *, is_inner: bool) -> Said:
    own = {"display": USUAL_DISPLAYS.get(tag, "inline"), **USUAL.get(tag, {})}
    if is_inner:
        own |= _above_and_below("0px")
    if tag == "pre":
        own["white-space"] = "pre"
    if tag == "table":
        own |= {"text-indent": "0px", "border-spacing": "2px"}
    if tag in {"td", "th"}:
        own["vertical-align"] = "middle"
    return own
