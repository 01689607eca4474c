"""Sizes of boxes: their edges, what styles say of them, and how narrow and wide their content can be."""

from __future__ import annotations

from wellsourced.pages.html.css_values import read_number
from wellsourced.pages.html.dom import Element
from wellsourced.pages.html.layout.style import Style
from wellsourced.pages.html.layout.tree import Box, Run, flow_items

Edges = tuple[float, float, float, float]
"""At the start and the end of lines, before the first line and after the last."""

SIDES = {
    "horizontal-tb": ("left", "right", "top", "bottom"),
    "vertical-rl": ("top", "bottom", "right", "left"),
    "vertical-lr": ("top", "bottom", "left", "right"),
}
SCROLLED = frozenset(("hidden", "auto", "scroll", "overlay"))


def sides(mode: str) -> tuple[str, str, str, str]:
    return SIDES.get(mode, SIDES["vertical-rl"])


def edges(box: Box, base: float, mode: str) -> Edges:
    """Padding and frame."""
    style = box.style
    if box.kind in {"row", "group"} or not style.own:
        return 0.0, 0.0, 0.0, 0.0
    frame = style.pixels("border")
    start, end, before, after = (max(0.0, style.pixels(f"padding-{side}", base)) + frame for side in sides(mode))
    return start, end, before, after


def margins(box: Box, base: float, mode: str) -> list[float | None]:
    """None for those that take what is left over."""
    if box.level == "part":
        return [0.0] * 4
    return [margin(box.style, f"margin-{side}", base) for side in sides(mode)]


def margin(style: Style, name: str, base: float) -> float | None:
    value = style.own.get(name)
    if value is None:
        return 0.0
    return None if value == "auto" else style.length(value, base) or 0.0


def is_vertical(mode: str) -> bool:
    return mode.startswith("vertical") or mode.startswith("sideways")


def names(mode: str) -> tuple[str, str]:
    """Of the size along lines, and across them."""
    return ("height", "width") if is_vertical(mode) else ("width", "height")


def clamp(style: Style, name: str, size: float, base: float | None, extra: float) -> float:
    """A size of a whole box within what styles say of the least and the most."""
    most, least = style.of(f"max-{name}", base), style.of(f"min-{name}", base)
    if style.own.get("box-sizing") == "border-box":
        extra = 0.0
    if most is not None:
        size = min(size, max(0.0, most) + extra)
    if least is not None:
        size = max(size, least + extra)
    return size


def said_size(style: Style, name: str, base: float | None, extra: float) -> float | None:
    """What a style says of a size, of the whole box; None where it says nothing that is known."""
    size = style.of(name, base)
    if size is not None and style.own.get("box-sizing") == "border-box":
        return max(size, extra)
    return None if size is None else max(0.0, size) + extra


def overflows(box: Box) -> tuple[str, str]:
    """What becomes of that which goes beyond the box, across and down."""
    across, down = box.style.own.get("overflow-x", "visible"), box.style.own.get("overflow-y", "visible")
    if across in SCROLLED and down not in SCROLLED:
        down = "hidden" if down == "clip" else "auto"
    elif down in SCROLLED and across not in SCROLLED:
        across = "hidden" if across == "clip" else "auto"
    return across, down


def contained(box: Box) -> str:
    """What of a box does not depend on what is in it: "size", "inline" along lines, or ""."""
    own = box.style.own
    if box.kind == "cell" and own.get("content-visibility") == "hidden":
        return "size"
    if box.kind in {"inline", "text", "row", "group", "table", "cell"}:
        return ""
    words = own.get("contain", "").split()
    if "strict" in words or "size" in words or own.get("container-type", "") == "size":
        return "size"
    if own.get("content-visibility") == "hidden":
        return "size"
    return "inline" if "inline-size" in words or own.get("container-type", "") == "inline-size" else ""


def is_apart(box: Box) -> bool:
    """Whether floats and margins within have nothing to do with those around it."""
    own = box.style.own
    if box.kind != "block" or box.level != "block" or box.parent is None:
        return True
    if box.parent.kind in {"flex", "grid"} or own.get("display") == "flow-root":
        return True
    if overflows(box)[1] in SCROLLED and not is_propagated(box):
        return True
    words = set(own.get("contain", "").split())
    is_held = not words.isdisjoint(("layout", "paint", "strict", "content", "size", "inline-size"))
    is_held = is_held or own.get("container-type", "normal") not in {"normal", ""}
    is_held = is_held or own.get("content-visibility", "visible") != "visible"
    has_columns = columns_of(box) is not None
    return is_held or has_columns or box.parent.style.mode != box.style.mode


def is_propagated(box: Box) -> bool:
    """Whether the window does for it what it says of that which goes beyond."""
    if box.style.tag != "body" or box.parent is None or box.parent.style.tag != "html":
        return False
    if is_held(box):
        return False
    return (
        box.parent.style.own.get("overflow-y", "visible") == "visible"
        and box.parent.style.own.get("overflow-x", "visible") == "visible"
    )


def is_held(box: Box) -> bool:
    """Whether what is in a box has nothing to do with what is around it."""
    return any(box.style.own.get(name, "none") not in {"none", "normal"} for name in ("contain", "container-type"))


def columns_of(box: Box) -> tuple[int, float] | None:
    """How many columns there are at most, and how wide each is at least; None where there are none."""
    value = box.style.own.get("columns", "auto")
    if box.kind != "block" or value == "auto":
        return None
    count, width = 0, 0.0
    for word in value.split():
        number = read_number(word)
        if number is not None and number >= 1 and not word.endswith("%"):
            count = int(number)
        else:
            width = box.style.length(word) or width
    return (count, width) if count or width else None


def ratio(box: Box) -> float:
    """Of width to height, 0 where styles say none."""
    value = box.style.own.get("aspect-ratio", "auto").replace("auto", "").strip()
    if not value or box.kind in {"inline", "text", "row", "cell", "group"}:
        return 0.0
    across, _, down = value.partition("/")
    wide, high = read_number(across.strip()) or 0.0, read_number(down.strip() or "1") or 0.0
    return wide / high if high > 0 else 0.0


def across_by_ratio(box: Box, along: float) -> float:
    """How far a box reaches across its lines, for a size along them."""
    return along * ratio(box) if is_vertical(box.style.mode) else along / ratio(box)


def along_by_ratio(box: Box, across: float, mode: str) -> float:
    """How far it reaches along lines of a direction, for a size across them."""
    return across / ratio(box) if is_vertical(mode) else across * ratio(box)


def replaced_size(box: Box) -> tuple[float, float]:
    """Of a picture or a control, as far as it says it."""
    if "url(" in box.style.get("content"):
        return 0.0, 0.0
    sizes = []
    for name in ("width", "height"):
        said = box.style.of(name)
        written = box.node.attr(name) if said is None and isinstance(box.node, Element) else None
        number = read_number((written or "").removesuffix("px").strip() or "none") if written else None
        sizes.append(said if said is not None else number)
    width, height = sizes
    return width if width is not None else 100.0, height if height is not None else 20.0


def content_sizes(box: Box) -> tuple[float, float]:
    """How narrow and how wide a whole box is by what is in it, along its lines."""
    if box.sizes is None:
        box.sizes = (0.0, 0.0)
        box.sizes = _content_sizes(box)
    return box.sizes


def _content_sizes(box: Box) -> tuple[float, float]:
    start, end, _, _ = edges(box, 0.0, box.style.mode)
    extra = start + end
    if box.kind == "replaced":
        width = replaced_size(box)[0]
        return width + extra, width + extra
    name = names(box.style.mode)[0]
    said = said_size(box.style, name, None, extra) if box.kind != "cell" else None
    if said is None and ratio(box):
        across = box.style.of(names(box.style.mode)[1])
        said = None if across is None else along_by_ratio(box, across, box.style.mode) + extra
    if said is not None and box.kind != "table":
        least = most = said
    elif contained(box):
        least = most = extra
    else:
        least, most = (size + extra for size in inner_sizes(box))
        if said is not None:
            least, most = max(least, said), max(least, said)
    return tuple(clamp(box.style, name, size, None, extra) for size in (least, most))  # type: ignore[return-value]


def contribution(box: Box, mode: str) -> tuple[float, float]:
    """With its margins, along lines of a direction."""
    start, end, _, _ = margins(box, 0.0, mode)
    around = (start or 0.0) + (end or 0.0)
    if is_vertical(box.style.mode) != is_vertical(mode):
        least = most = across_size(box)
    else:
        least, most = content_sizes(box)
    return max(0.0, least + around), max(0.0, most + around)


def across_size(box: Box) -> float:
    """About how much room lines in another direction take, all of them in one row."""
    _, _, before, after = edges(box, 0.0, box.style.mode)
    said = said_size(box.style, names(box.style.mode)[1], None, before + after)
    lines = sum(1 for item in flow_items(box) if isinstance(item, Box) or item.has_lines)
    return said if said is not None else before + after + max(1, lines) * box.style.line_height


def inner_sizes(box: Box) -> tuple[float, float]:
    """How narrow and how wide the content of a box is."""
    if box.kind == "flex":
        return _flex_sizes(box)
    if box.kind == "grid":
        from wellsourced.pages.html.layout.grid import grid_sizes

        return grid_sizes(box)
    if box.kind in {"table", "row", "group"}:
        from wellsourced.pages.html.layout.table import table_sizes

        return table_sizes(box)
    return _flow_sizes(box)


def _flex_sizes(box: Box) -> tuple[float, float]:
    several = [contribution(child, box.style.mode) for child in box.children if child.is_in_flow]
    if box.style.own.get("flex-direction", "row").startswith("column"):
        return max((size[0] for size in several), default=0.0), max((size[1] for size in several), default=0.0)
    return sum(size[0] for size in several), sum(size[1] for size in several)


def _flow_sizes(box: Box) -> tuple[float, float]:
    from wellsourced.pages.html.layout.lines import run_sizes

    least = most = floated = 0.0
    for item in flow_items(box):
        if isinstance(item, Run):
            narrow, wide, beside = run_sizes(item, box)
            floated += beside
            least, most = max(least, narrow), max(most, wide + floated)
        else:
            narrow, wide = contribution(item, box.style.mode)
            beside = floated if is_apart(item) else 0.0
            floated = floated if beside == 0.0 else 0.0
            least, most = max(least, narrow), max(most, wide + beside)
    several = columns_of(box)
    if several is not None:
        count, width = max(1, several[0]), several[1]
        gap = box.style.font
        least = max(width, least * count + gap * (count - 1)) if count > 1 else max(least, width)
        most = most * count + gap * (count - 1)
    return least, max(most, least)
