"""Boxes that are taken out of the flow and put at a place in a box around them, and where all boxes lie on the page."""

from __future__ import annotations

from wellsourced.pages.html.boxes import WILL_HOLD
from wellsourced.pages.html.css_properties import will_change
from wellsourced.pages.html.css_values import split_outside
from wellsourced.pages.html.layout.flow import WINDOW, Layouter
from wellsourced.pages.html.layout.sizes import clamp, edges, is_vertical, margins, ratio
from wellsourced.pages.html.layout.tree import Box, boxes_in

Rect = tuple[float, float, float, float]
"""Left, top, width and height."""

HOLDING = ("transform", "translate", "scale", "rotate", "perspective", "offset-path")
EVEN_IN_LINES = ("filter", "backdrop-filter")
HOLDING_WORDS = frozenset(("layout", "paint", "strict", "content"))
MOST_ANCHORS = 50
NONE = frozenset(("", "none"))
HORIZONTAL = "horizontal-tb"


def holds_all(box: Box) -> bool:
    """Whether what is fixed within has its place in it, not in the window."""
    own = box.style.own
    if box.style.tag == "html" or not own:
        return False
    if any(own.get(name, "none") not in NONE for name in EVEN_IN_LINES):
        return True
    if box.kind == "inline" or box.kind == "text":
        return False
    if any(own.get(name, "none") not in NONE for name in HOLDING):
        return True
    if not HOLDING_WORDS.isdisjoint(own.get("contain", "").split()):
        return True
    return own.get("content-visibility", "visible") != "visible" or will_change(own.get("will-change", ""), WILL_HOLD)


def holder_of(box: Box) -> Box | None:
    """The box in which a placed one has its place; None for the window."""
    is_fixed = box.style.position == "fixed"
    around = box.parent
    while around is not None:
        if holds_all(around) or (not is_fixed and around.style.position != "static"):
            return around
        around = around.parent
    return None


class Places:
    """Where every box lies on the page, before anything is turned or scaled."""

    def __init__(self, layouter: Layouter, root: Box) -> None:
        self.layouter, self.root = layouter, root
        self.origins: dict[Box, tuple[float, float]] = {}
        self.shifts: dict[Box, tuple[float, float]] = {}
        self.lines: dict[Box, list[Rect]] = {}
        self.numbers: dict[Box, list[tuple[Box, int]]] = {}
        """In which block and which of its lines each of these is."""
        self.anchors: list[tuple[str, Box]] = []
        self.around: dict[Box, Box | None] = {}

    def settle(self, placed: list[Box]) -> None:
        """Places all that was left out of the flow, outer boxes first."""
        if self.root.level == "placed":
            self._place(self.root)
        self._read_lines(self.root)
        self.anchors = [
            (name, box) for box in boxes_in(self.root) if (name := box.style.own.get("anchor-name", "none")) != "none"
        ]
        for box in placed:
            if box is not self.root:
                self._place(box)
                self._read_lines(box)

    def _read_lines(self, box: Box) -> None:
        """Of what was just laid out."""
        waiting = [box]
        while waiting:
            each = waiting.pop()
            left, top = self.origin(each)
            for inline, (x, y, w, h), line in each.rects:
                across, down = self.shift_in(inline, each)
                self.lines.setdefault(inline, []).append((left + x + across, top + y + down, w, h))
                self.numbers.setdefault(inline, []).append((each, line))
            waiting += [inner for inner in each.laid if inner.level != "placed"]

    def origin(self, box: Box) -> tuple[float, float]:
        """The upper left corner of a box that is in no line by itself."""
        chain = list[Box]()
        each: Box | None = box
        while each is not None and each not in self.origins:
            chain.append(each)
            each = each.holder
        for each in reversed(chain):
            left, top = self.origins[each.holder] if each.holder is not None and each.level != "placed" else (0.0, 0.0)
            across, down = self.shift_in(each, each.holder)
            self.origins[each] = left + each.x + across, top + each.y + down
        return self.origins[box]

    def shift_in(self, box: Box, holder: Box | None) -> tuple[float, float]:
        """How far a box is moved from its place, with the inline boxes that it is in."""
        across = down = 0.0
        each: Box | None = box
        while each is not None and (each is box or each.kind == "inline") and each is not holder:
            x, y = self._shift(each, holder)
            across, down = across + x, down + y
            each = each.parent
        return across, down

    def _shift(self, box: Box, holder: Box | None) -> tuple[float, float]:
        if box.style.position != "relative":
            return 0.0, 0.0
        width = holder.w if holder is not None else WINDOW[0]
        style = box.style
        left, right = style.of("left", width), style.of("right", width)
        top, bottom = style.of("top", None), style.of("bottom", None)
        if left is not None and right is not None and holder is not None and holder.style.is_rtl:
            left = None
        across = left if left is not None else -right if right is not None else 0.0
        return across, (top if top is not None else -bottom if bottom is not None else 0.0)

    def area(self, box: Box | None) -> Rect:
        """The room in which what is placed in a box has its place."""
        if box is None:
            return 0.0, 0.0, *WINDOW
        if box.kind == "inline":
            return self._area_of_lines(box)
        left, top = self.origin(box)
        frame = box.style.pixels("border")
        return left + frame, top + frame, max(0.0, box.w - 2 * frame), max(0.0, box.h - 2 * frame)

    def _area_of_lines(self, box: Box) -> Rect:
        """From where an inline box begins to where it ends."""
        parts = self._parts(box)
        if not parts:
            return 0.0, 0.0, 0.0, 0.0
        left, top = parts[0][:2]
        right, bottom = parts[-1][0] + parts[-1][2], parts[-1][1] + parts[-1][3]
        return left, top, max(0.0, right - left), max(0.0, bottom - top)

    def extent(self, box: Box) -> Rect:
        """All of the place that an inline box has in its lines."""
        rects = [rect for rect in self._parts(box) if rect[2] > 0 and rect[3] > 0]
        if not rects:
            return 0.0, 0.0, 0.0, 0.0
        left, top = min(rect[0] for rect in rects), min(rect[1] for rect in rects)
        return left, top, max(x + w for x, _, w, _ in rects) - left, max(y + h for _, y, _, h in rects) - top

    def _parts(self, box: Box) -> list[Rect]:
        """What an inline box has of each of its lines; a block in it is a line by itself."""
        blocks = [self._line_of(block) for block in _blocks_in_line(box)]
        if not blocks:
            return self.lines.get(box, [])
        rects = [rect for rect in self.lines.get(box, []) if rect[3] > 0]
        return sorted([*rects, *blocks], key=lambda rect: rect[1])

    def _line_of(self, block: Box) -> Rect:
        """The line that a block within a line takes up."""
        left, top = self.origin(block)
        holder = block.holder
        if holder is None:
            return left, top, block.w, block.h
        x, y = self.origin(holder)
        start, end, before, after = edges(holder, holder.w, HORIZONTAL)
        if is_vertical(holder.style.mode):
            return left, y + before, block.w, holder.h - before - after
        return x + start, top, holder.w - start - end, block.h

    def _place(self, box: Box) -> None:
        around = self.around[box] = holder_of(box)
        area = self.area(around)
        static = (0.0, 0.0)
        if box.holder is not None:
            left, top = self.origin(box.holder)
            across, down = (
                self.shift_in(box.parent, box.holder)
                if box.parent is not None and box.parent.kind == "inline"
                else (0.0, 0.0)
            )
            static = left + box.static[0] + across, top + box.static[1] + down
        if is_vertical(box.style.mode):
            self._place_turned(box, area, static)
            return
        width = self._width(box, area, static[0])
        height = self._height(box, area)
        self.layouter.lay(box, width, height, area[3])
        self.origins[box] = self._left(box, area, static[0]), self._top(box, area, static[1])

    def _place_turned(self, box: Box, area: Rect, static: tuple[float, float]) -> None:
        self.layouter.lay_turned(box)
        self.origins[box] = self._left(box, area, static[0]), self._top(box, area, static[1])

    def side(self, box: Box, name: str, area: Rect) -> float | None:
        """How far one side is from that of the area; None where nothing says it."""
        value = box.style.own.get(name, "auto")
        base = area[2] if name in {"left", "right"} else area[3]
        if "anchor(" in value:
            return self._anchored(box, name, value, area)
        return box.style.length(value, base)

    def _anchored(self, box: Box, name: str, value: str, area: Rect) -> float | None:
        said, *rest = split_outside(value.partition("(")[2].removesuffix(")"), ",")
        words, otherwise = said.split(), ",".join(rest).strip()
        called = next((word for word in words if word.startswith("--")), "")
        side = next((word for word in words if not word.startswith("--")), "")
        target = self._target(box, called)
        if target is None:
            return box.style.length(otherwise, area[2] if name in {"left", "right"} else area[3]) if otherwise else None
        left, top, width, height = self._whole(target)
        ends = {"left": left, "right": left + width, "top": top, "bottom": top + height, "center": left + width / 2}
        if side not in ends:
            return None
        place = ends[side]
        if name == "left":
            return place - area[0]
        if name == "top":
            return place - area[1]
        return area[0] + area[2] - place if name == "right" else area[1] + area[3] - place

    def _whole(self, box: Box) -> Rect:
        if box.kind == "inline":
            return self.area(box)
        left, top = self.origin(box)
        return left, top, box.w, box.h

    def _target(self, box: Box, called: str) -> Box | None:
        """The last one of a name, that lies in the same box."""
        around = self.around[box]
        for name, anchor in self.anchors[-MOST_ANCHORS:][::-1]:
            if called in name.replace(",", " ").split() and self._is_within(anchor, around, box):
                return anchor
        return None

    def _is_within(self, anchor: Box, around: Box | None, box: Box) -> bool:
        each: Box | None = anchor
        while each is not None and each is not around:
            if each is box:
                return False
            if each.level == "placed" and each not in self.origins:
                return False
            each = each.parent
        return each is around

    def _margins(self, box: Box, area: Rect) -> list[float | None]:
        return margins(box, area[2], HORIZONTAL)

    def _width(self, box: Box, area: Rect, static: float) -> float:
        left, right = self.side(box, "left", area), self.side(box, "right", area)
        start, end, _, _ = self._margins(box, area)
        said = self.layouter.said(box, area[2], HORIZONTAL)
        if said is not None and box.kind != "table":
            return said
        between = area[2] - (left or 0.0) - (right or 0.0)
        is_fitted = box.kind == "table" or box.style.own.get("width", "auto") != "auto"
        if left is not None and right is not None and not is_fitted:
            return self.layouter.within(box, between - (start or 0.0) - (end or 0.0), area[2], HORIZONTAL)
        if left is None and right is None:
            is_rtl = box.holder is not None and box.holder.style.is_rtl
            between = static - area[0] if is_rtl else area[0] + area[2] - static
        return self.layouter.fitted(box, max(0.0, between), HORIZONTAL)

    def _height(self, box: Box, area: Rect) -> float | None:
        top, bottom = self.side(box, "top", area), self.side(box, "bottom", area)
        _, _, above, below = self._margins(box, area)
        is_auto = box.style.own.get("height", "auto") == "auto"
        if top is None or bottom is None or not is_auto or box.kind in {"table", "replaced"} or ratio(box):
            return None
        _, _, before, after = edges(box, area[2], HORIZONTAL)
        height = area[3] - top - bottom - (above or 0.0) - (below or 0.0)
        return max(clamp(box.style, "height", height, area[3], before + after), before + after)

    def _left(self, box: Box, area: Rect, static: float) -> float:
        left, right = self.side(box, "left", area), self.side(box, "right", area)
        start, end, _, _ = self._margins(box, area)
        is_rtl = box.holder is not None and box.holder.style.is_rtl
        if left is None and right is None:
            if is_rtl or (box.holder is not None and box.holder.style.mode == "vertical-rl"):
                return static - box.w - (end or 0.0)
            return static + (start or 0.0)
        spare = area[2] - (left or 0.0) - (right or 0.0) - box.w - (start or 0.0) - (end or 0.0)
        if left is not None and right is not None and (start is None or end is None):
            share = max(0.0, spare) / 2 if start is None and end is None else spare if start is None else 0.0
            return area[0] + left + (start or 0.0) + share
        if left is not None and not (right is not None and is_rtl):
            return area[0] + left + (start or 0.0)
        return area[0] + area[2] - (right or 0.0) - (end or 0.0) - box.w

    def _top(self, box: Box, area: Rect, static: float) -> float:
        top, bottom = self.side(box, "top", area), self.side(box, "bottom", area)
        _, _, above, below = self._margins(box, area)
        if top is None and bottom is None:
            return static + (above or 0.0)
        spare = area[3] - (top or 0.0) - (bottom or 0.0) - box.h - (above or 0.0) - (below or 0.0)
        if top is not None and bottom is not None and (above is None or below is None):
            share = spare / 2 if above is None and below is None else spare if above is None else 0.0
            return area[1] + top + (above or 0.0) + share
        if top is not None:
            return area[1] + top + (above or 0.0)
        return area[1] + area[3] - (bottom or 0.0) - (below or 0.0) - box.h


def _blocks_in_line(box: Box) -> list[Box]:
    """The blocks that part an inline box."""
    blocks, waiting = list[Box](), [box]
    while waiting:
        for child in waiting.pop().children:
            if child.level == "block" and child.holder is not None:
                blocks.append(child)
            elif child.kind == "inline" and child.level == "inline":
                waiting.append(child)
    return blocks
