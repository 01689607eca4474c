"""The order in which boxes and words are painted, and what covers what was painted before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wellsourced.pages.html.boxes import WILL_LAYER
from wellsourced.pages.html.css_properties import covering_shadows, will_change
from wellsourced.pages.html.css_values import read_colour, read_number
from wellsourced.pages.html.layout.planes import Plane, Planes
from wellsourced.pages.html.layout.shapes import Rect
from wellsourced.pages.html.layout.transforms import CALL
from wellsourced.pages.html.layout.tree import Box, LaidWord, boxes_in
from wellsourced.pages.html.surfaces import colours_in

LAYERING = (
    "transform", "translate", "scale", "rotate", "offset-path", "filter", "backdrop-filter", "perspective", "clip-path",
    "mask-image", "isolation",
)  # fmt: skip
LAYERING_WORDS = frozenset(("layout", "paint", "strict", "content"))
WILL_LAYER_IN_LINE = frozenset((*LAYERING[5:], "opacity", "mask", "mix-blend-mode", "position"))
NOTHING = frozenset(("", "none", "auto", "normal"))
CLEAR = frozenset(("", "none", "transparent"))
LEAST_COVER, FAINTEST_COVER = 4.0, 0.5


class PaintedRect(NamedTuple):
    """Something that is painted over what was painted before it; `order` says when."""

    order: int
    rect: Rect
    plane: Plane
    alpha: float
    box: Box
    line: tuple[Box, int] | None = None
    """Of an inline box the block and the line that it is painted with."""


class Group:
    """A box with what is painted together with it."""

    __slots__ = ("blocks", "box", "floats", "inlines", "layers")

    def __init__(self, box: Box) -> None:
        self.box = box
        self.blocks: list[Box] = []
        self.floats: list[Group] = []
        self.inlines: list[Box | Group] = []
        self.layers: list[tuple[float, Group]] | None = None


class Painter:
    """Paints a page, which says the order of everything on it."""

    def __init__(self, planes: Planes, root: Box) -> None:
        self.planes, self.root = planes, root
        self.covers: list[PaintedRect] = []
        self.backdrops: list[PaintedRect] = []
        """What changes the colours of all that was painted before it in its place."""
        self.orders: dict[Box, int] = {}
        self.groups: dict[Box, Group] = {}
        self.words: dict[Box, list[tuple[LaidWord, Box]]] = {}
        self.shares: dict[Box, float] = {}
        for box in boxes_in(root):
            self.shares[box] = _share(box)
            for word in box.words:
                self.words.setdefault(word.box, []).append((word, box))
        self.is_veiled = any(share < 1 for share in self.shares.values())
        self._clock = 0
        self._paint(self._context(root))

    def _context(self, box: Box) -> Group:
        layers: list[tuple[float, Group]] = []
        group = self._gather(box, layers)
        group.layers = layers
        return group

    def _gather(self, box: Box, layers: list[tuple[float, Group]]) -> Group:
        """What is painted with a box; boxes in layers of their own go to those of the box around."""
        group = Group(box)
        waiting = list(reversed(box.children))
        while waiting:
            child = waiting.pop()
            if child.kind == "text":
                group.inlines.append(child)
            elif makes_layer(child):
                layers.append((_height(child), self._context(child)))
            elif child.style.position != "static":
                place = len(layers)
                inner: list[tuple[float, Group]] = []
                layers.insert(place, (0.0, self._gather(child, inner)))
                layers += inner
            elif child.level == "float":
                group.floats.append(self._gather(child, layers))
            elif child.level == "inline" and child.kind != "inline":
                group.inlines.append(self._gather(child, layers))
            else:
                (group.inlines if child.kind == "inline" else group.blocks).append(child)
                waiting += reversed(child.children)
        return group

    def _paint(self, group: Group) -> None:
        self.groups[group.box] = group
        # Of an inline box the background is painted with the words, after all blocks in it.
        is_line = group.box.kind == "inline"
        layers = sorted(group.layers, key=lambda layer: layer[0]) if group.layers else []
        if not is_line:
            self._paint_back(group.box)
        self._paint_all(layer for height, layer in layers if height < 0)
        for box in group.blocks:
            self._paint_back(box)
        self._paint_all(group.floats)
        if is_line:
            self._paint_back(group.box)
        for inline in group.inlines:
            self._paint_inline(inline, group)
        self._paint_all(layer for height, layer in layers if height >= 0)

    def _paint_all(self, groups: Iterable[Group]) -> None:
        for group in groups:
            self._paint(group)

    def _paint_inline(self, inline: Box | Group, group: Group) -> None:
        if isinstance(inline, Group):
            self._paint(inline)
            return
        self.groups[inline] = group
        if inline.kind != "text":
            self._paint_back(inline)
            return
        self._clock += 1
        self.orders[inline] = self._clock

    def _paint_back(self, box: Box) -> None:
        self._clock += 1
        self.orders[box] = self._clock
        own = box.style.own
        if not own or box.style.handed.get("visibility", "visible") != "visible" or is_canvas(box):
            return
        if own.get("backdrop-filter", "none") not in NOTHING and not self.planes.own[box].is_out:
            self.backdrops.append(PaintedRect(self._clock, self._extent(box), self.planes.own[box], 1.0, box))
        alpha = back_alpha(box)
        if alpha < FAINTEST_COVER or self.planes.own[box].is_out:
            return
        for rect, line in self._rects(box):
            if rect[2] - rect[0] >= LEAST_COVER and rect[3] - rect[1] >= LEAST_COVER:
                self.covers.append(PaintedRect(self._clock, rect, self.planes.own[box], alpha, box, line))

    def _extent(self, box: Box) -> Rect:
        if box.kind != "inline":
            return self.planes.rect(box)
        left, top, width, height = self.planes.places.extent(box)
        return left, top, left + width, top + height

    def _rects(self, box: Box) -> list[tuple[Rect, tuple[Box, int] | None]]:
        if box.kind != "inline":
            return [(self.planes.rect(box), None)]
        places = self.planes.places
        rects = [(x, y, x + w, y + h) for x, y, w, h in places.lines.get(box, [])]
        return list(zip(rects, places.numbers.get(box, []), strict=True))

    def alpha_over(self, cover: PaintedRect, box: Box) -> float:
        """How much of a box something covers: what both are in lets both through alike."""
        if self.is_veiled:
            around = set[Box]()
            each: Box | None = box
            while each is not None:
                around.add(each)
                each = each.parent
            alpha, each = cover.alpha, cover.box
            while each is not None and each not in around:
                alpha *= self.shares[each]
                each = each.parent
            return alpha
        return cover.alpha

    def is_over(self, cover: PaintedRect, word: LaidWord, holder: Box) -> bool:
        """Whether something is painted after a word: lines are painted one after the other."""
        if cover.line is not None and self.groups[cover.box] is self.groups[word.box]:
            line = _line_in(cover.line[0], word, holder)
            if line is not None and cover.line[1] != line:
                return cover.line[1] > line
        return cover.order > self.orders.get(word.box, 0)


def _line_in(block: Box, word: LaidWord, holder: Box) -> float | None:
    """In which line of a block a word is painted, or after which one with a block that parts lines."""
    if holder is block:
        return word.line
    each: Box | None = holder
    while each is not None and each.holder is not block:
        each = each.holder
    is_between = each is not None and each.level == "block" and each.parent is not block
    return each.line + 0.5 if each is not None and is_between else None


def is_canvas(box: Box) -> bool:
    """Whether its background is that of the window."""
    if box.parent is None:
        return True
    return box.style.tag == "body" and box.parent.parent is None and back_alpha(box.parent) == 0


def makes_layer(box: Box) -> bool:
    """Whether all within is painted together, at one height."""
    own = box.style.own
    if not own or box.kind == "text":
        return False
    is_item = box.parent is not None and box.parent.kind in {"flex", "grid"}
    has_height = own.get("z-index", "auto") != "auto"
    if has_height and (box.style.position != "static" or is_item):
        return True
    if box.style.position in {"fixed", "sticky"} or own.get("mix-blend-mode", "normal") != "normal":
        return True
    if "opacity" in own and (number := read_number(own["opacity"])) is not None and number < 1:
        return True
    names = LAYERING if box.kind != "inline" else LAYERING[5:]
    if any(own.get(name, "none") not in NOTHING for name in names):
        return True
    if will_change(own.get("will-change", ""), WILL_LAYER if box.kind != "inline" else WILL_LAYER_IN_LINE):
        return True
    is_held = not LAYERING_WORDS.isdisjoint(own.get("contain", "").split()) and box.kind != "inline"
    return is_held or own.get("content-visibility", "visible") != "visible"


def _height(box: Box) -> float:
    value = box.style.own.get("z-index", "auto")
    is_item = box.parent is not None and box.parent.kind in {"flex", "grid"}
    if value == "auto" or (box.style.position == "static" and not is_item):
        return 0.0
    return read_number(value) or 0.0


def _share(box: Box) -> float:
    """How much a box covers of what is behind it where it is all of one colour."""
    own, share = box.style.own, 1.0
    if box.kind == "text" or not own:
        return share
    if own.get("mix-blend-mode", "normal") != "normal" or own.get("mask-image", "none") != "none":
        return 0.0
    if "opacity" in own:
        share *= max(0.0, min(1.0, number)) if (number := read_number(own["opacity"])) is not None else 0.0
    return share * _filter_share(own["filter"]) if "filter" in own else share


def _filter_share(value: str) -> float:
    share = 1.0
    for call, inner in CALL.findall(value):
        if call == "opacity":
            share *= min(1.0, max(0.0, number)) if (number := read_number(inner.strip() or "1")) is not None else 0.0
        elif call in {"blur", "url"}:
            return 0.0
    return share


def back_alpha(box: Box) -> float:
    """How much the background of a box covers."""
    own = box.style.own
    if own.get("background-clip") == "text":
        return 0.0
    alpha = _alpha(box, own.get("background-color", "transparent"))
    picture = own.get("background-image", "none")
    if "gradient(" in picture and "no-repeat" not in own.get("background-repeat", ""):
        alpha = max(alpha, min((colour[3] for colour in colours_in(picture)), default=0.0))
    for shade in covering_shadows(own["box-shadow"]) if "inset" in own.get("box-shadow", "") else ():
        alpha = max(alpha, _alpha(box, shade))
    return alpha


def _alpha(box: Box, value: str) -> float:
    if value in CLEAR:
        return 0.0
    if value == "currentcolor":
        value = box.style.handed.get("color", "black")
        if value == "currentcolor":
            return 1.0
    colour = read_colour(value)
    return colour[3] if colour is not None else 0.0
