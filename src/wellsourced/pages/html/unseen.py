"""Which elements and texts of a page nobody sees, by the cascade of its styles.

Two kinds: elements that are gone with everything in them (`display`, sizes, places, clips), and texts that cannot be
read where they stand while an element within may set that right again (`visibility`, font sizes, colours).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from wellsourced.late_dataclass import dataclass
from wellsourced.pages.html.animations import Animations
from wellsourced.pages.html.boxes import BOXES, REPLACED
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import (
    FAINT,
    FAINTEST,
    GONE_DISPLAYS,
    PROPERTIES,
    TINY,
)
from wellsourced.pages.html.css_shapes import (
    CALL,
    FAR_BACK,
    is_inset_empty,
    is_polygon_empty,
    is_rectangle_empty,
    moves_away,
    split_arguments,
)
from wellsourced.pages.html.css_values import FONT_SIZE, read_colour, read_length, read_number, split_outside
from wellsourced.pages.html.dom import BLOCK_TAGS, Element, Node, Text, ancestors
from wellsourced.pages.html.legibility import COLOUR_IN, Colours, FontSizes
from wellsourced.pages.html.lines import Lines

# Room for a line of text, and for some words beside each other.
LEAST_PADDING, NARROWEST = 8.0, 50.0
# Below the margin that browsers give to these nothing is left of a padding that would show a line.
USUAL_MARGIN, WITH_MARGINS = 16.0, ":scope > :is(h1, h2, h3, h4, h5, h6, p, ul, ol, dl, blockquote, figure)"
USUAL_PADDING = {"dialog": 16.0}
PADDINGS = ("padding-top", "padding-bottom")
SQUEEZES = frozenset(("width", "height", "max-width", "max-height"))
MOVES = ("left", "right", "top", "bottom", "margin-left", "margin-top", "transform", "translate", "text-indent")
HOLDING = ("transform", "translate", "scale", "rotate", "filter", "contain", "content-visibility")
ROOM_BELOW = ("height", "min-height", "padding-bottom")
MOST_ANCHORS = 20
# Half of the size of ordinary letters.
BLURRED = 8.0
DRAWN = {"path": re.compile(r"[lhvcsqta]"), "shape": re.compile(r"\b(?:line|hline|vline|curve|smooth|arc)\b")}
GONE_BY = (
    "display", "content-visibility", "filter", "text-indent", "left", "right", "top", "bottom", "margin-left",
    "margin-top", "width", "height", "max-width", "max-height", "line-height", "clip", "clip-path", "transform",
    "translate", "scale", "rotate", "zoom", "animation-name", "mask-image", "contain",
)  # fmt: skip


@dataclass(slots=True)
class Unseen:
    """`gone` with whether that is how closed panels are kept closed; `dark` texts, and elements that are lit again.

    `fading` are those of the gone that are set up to slide into place; `pushed` are moved out of sight by a box before
    them, or with their line. `escaped` are some of the gone, and what has its place outside of them and is seen.
    `unsure` says that something is among them which could not be decided.
    """

    gone: dict[Element, bool] = field(default_factory=dict)
    dark: list[tuple[set[Element], set[Element]]] = field(default_factory=list)
    fading: list[Element] = field(default_factory=list)
    pushed: list[Node] = field(default_factory=list)
    escaped: tuple[set[Element], set[Element]] = field(default_factory=lambda: (set(), set()))
    unsure: bool = False


def find_unseen(cascade: Cascade, *, ground_known: bool) -> Unseen:
    judge = Judge(cascade, ground_known=ground_known)
    unseen, squeezed = Unseen(), list[Element]()
    for name in GONE_BY:
        for element in cascade.hiding(name):
            # What is gone for another reason still moves what stands beside it.
            if (name == "margin-left" or element not in unseen.gone) and (by := judge.is_gone_by(element, name)):
                unseen.gone.setdefault(element, by == "folded")
                squeezed += [element] if name in SQUEEZES else []
    faded = dict.fromkeys(judge.faded())
    for element in faded:
        if element not in unseen.gone and judge.moves(element):
            unseen.fading.append(element)
        unseen.gone.setdefault(element, False)
    unseen.escaped = judge.escaped({e for e in squeezed if e not in faded and not judge.is_gone_otherwise(e)})
    unseen.gone.update(dict.fromkeys(judge.cut_off(), False))
    unseen.gone.update(dict.fromkeys(judge.within, False))
    unseen.pushed += judge.pushed
    for element in judge.moved:
        unseen.pushed += judge.line_from(element, is_gone=element in unseen.gone)
    colours = Colours(cascade, judge.is_box, judge.shares, is_veiled=judge.is_veiled, ground_known=ground_known)
    unseen.dark += [judge.invisible(), judge.too_small(), colours.unreadable()]
    unseen.unsure = colours.is_unsure
    return unseen


class Judge(Lines):
    """Looks at single elements with the values that won."""

    def __init__(self, cascade: Cascade, *, ground_known: bool) -> None:
        super().__init__(cascade)
        self.ground_known = ground_known
        self.animations = Animations(cascade)
        self.shares: dict[Element, float] = {}
        """How much shines through the elements of which anything does, and whether it is little of some."""
        self.is_veiled = False

    def is_gone_by(self, element: Element, name: str) -> str:
        """ "" where the property leaves the element in sight, "folded" where panels are kept closed so, or "away"."""
        value = self.cascade.value(element, name)
        if not value or not PROPERTIES[name][1](value):
            return ""
        if name == "display":
            is_column = value in GONE_DISPLAYS and not self._is_blockified(element)
            return "folded" if value == "none" else "away" if is_column or "(" in value else ""
        if name == "content-visibility":
            return "folded" if self.is_box(element) and (self.is_cell(element) or not self.is_table(element)) else ""
        if name != "text-indent" and self._has_no_box(element):
            return ""
        if name in {"width", "height", "max-width", "max-height", "line-height"}:
            return self._is_squeezed(element, name)
        return "away" if getattr(self, f"_by_{name.replace('-', '_')}", self._by_offset)(element, value, name) else ""

    def is_gone_otherwise(self, element: Element) -> bool:
        """Whether it is gone for another reason than its size."""
        return any(
            element in self.cascade.winners(name) and self.is_gone_by(element, name)
            for name in GONE_BY
            if name not in SQUEEZES and self.cascade.hiding_values(name)
        )

    def escaped(self, squeezed: set[Element]) -> tuple[set[Element], set[Element]]:
        """Those of which something within has its place outside, and what that is."""
        passed, left, escaped = set[Element](), set[Element](), set[Element]()
        for element, position in self.cascade.winners("position").items() if squeezed else ():
            if position in {"absolute", "fixed"}:
                for above in ancestors(element):
                    if above in passed or self._is_held(above, position):
                        break
                    passed.add(above)
                    if above in squeezed:
                        left.add(above)
                escaped.add(element)
        return left, escaped

    def cut_off(self) -> Iterator[Element]:
        """What has its place below the end of a box that cuts off all beyond it."""
        if not {"hidden", "clip"} & self.cascade.values("overflow-y"):
            return
        laid: dict[Element, list[Element]] = {}
        for element, position in self.cascade.winners("position").items():
            if position == "absolute" and self._is_laid_below(element):
                box = next((above for above in ancestors(element) if self._is_held(above, position)), None)
                if box is not None and self._ends_with_text(box) and self.cascade.index.may_ask(1):
                    laid.setdefault(box, []).append(element)
        for box, elements in laid.items():
            yield from self._after_all_text(box, set(elements))

    def _is_laid_below(self, element: Element) -> bool:
        is_block = element.tag in BLOCK_TAGS and self.cascade.said(element, "display") is None
        return is_block and all(self.cascade.value(element, side) in {"", "auto"} for side in ("top", "bottom"))

    def _ends_with_text(self, box: Element) -> bool:
        is_cut = self.cascade.value(box, "overflow-y") in {"hidden", "clip"} and self.is_box(box)
        return is_cut and not any((self._length(box, name) or 0) > LEAST_PADDING for name in ROOM_BELOW)

    def _after_all_text(self, box: Element, elements: set[Element]) -> Iterator[Element]:
        waiting: list[Node] = [box]
        while waiting and self.cascade.index.may_ask(1):
            node = waiting.pop()
            if isinstance(node, Element) and node is not box and self._is_out_of_flow(node):
                yield from elements & {node}
            elif isinstance(node, Element) and node.tag not in REPLACED:
                waiting += node
            elif isinstance(node, Element) or (isinstance(node, Text) and node.data.strip()):
                return

    def _is_held(self, element: Element, position: str) -> bool:
        """Whether what is positioned within has its place in it."""
        is_placed = self.cascade.value(element, "position") not in {"", "static"} and position == "absolute"
        return is_placed or any(self.cascade.value(element, name) not in {"", "none"} for name in HOLDING)

    def _is_squeezed(self, element: Element, name: str) -> str:
        across = "width" in name
        axes = ("overflow-x",) if across else ("overflow-y",)
        if all(self.cascade.value(element, axis) in {"", "visible"} for axis in axes) or not self.is_box(element):
            return ""
        if element.tag == "html" or (element.tag == "body" and self._leaves_cutting(element, name)):
            return ""
        if name != "line-height" and self.is_table(element) and not self._may_shrink(element, name):
            return ""
        paddings = ("padding-left", "padding-right") if across else PADDINGS
        least = NARROWEST if across or (self._length(element, "width") or 99) <= TINY else LEAST_PADDING
        if (room := max(self._padding(element, padding) for padding in paddings)) and room >= least:
            self.within += [] if across or room >= USUAL_MARGIN else element.select(WITH_MARGINS)
            return ""
        if (self._length(element, "min-width" if across else "min-height") or 0) > TINY:
            return ""
        if name == "line-height" and (self._length(element, "height") or 0) > TINY:
            return ""
        limit = self._length(element, f"max-{name}") if name in {"width", "height"} else None
        # Both at once keep text for other readers only; a closed panel has lost its height alone.
        return "away" if across or (limit is None and (self._length(element, "width") or 99) <= TINY) else "folded"

    def _leaves_cutting(self, body: Element, name: str) -> bool:
        """Whether the window cuts in its place, or nothing is to be cut."""
        said = [self.cascade.value(each, "overflow-y") for each in ancestors(body)]
        said += [self.cascade.value(body, each) for each in ("contain", "container-type")]
        return name == "line-height" or set(said) <= {"", "visible", "none", "normal"}

    def _may_shrink(self, element: Element, name: str) -> bool:
        """Cells keep to a greatest width, unless their table is so wide that they get the rest, and to a ratio."""
        if name != "max-width":
            return self.is_cell(element) and self.cascade.value(element, "aspect-ratio") not in {"", "auto"}
        table = next((above for above in ancestors(element) if above.tag == "table"), None)
        is_wide = table is not None and self.cascade.value(table, "width") not in {"", "auto"}
        return self.is_cell(element) and not is_wide

    def _padding(self, element: Element, name: str) -> float:
        said = self._length(element, name)
        return (USUAL_PADDING.get(element.tag, 0.0) if "padding" in name else 0.0) if said is None else said

    def _length(self, element: Element, name: str) -> float | None:
        value = self.cascade.value(element, name)
        return read_length(value) if value else None

    def _by_filter(self, element: Element, value: str, name: str) -> bool:
        calls = [(call, inner.strip()) for call, inner in CALL.findall(value)]
        shares = [read_number(inner) for call, inner in calls if call == "opacity"]
        blurs = [read_length(inner) or 0.0 for call, inner in calls if call == "blur"]
        return any(share is not None and share <= FAINTEST for share in shares) or max(blurs, default=0) >= BLURRED

    def _by_contain(self, element: Element, value: str, name: str) -> bool:
        """What has no size by its content has none at all unless a style gives it one."""
        parent = element.parent
        is_sized = any((self._length(element, each) or 0) > TINY for each in ("height", "min-height"))
        is_stretched = isinstance(parent, Element) and self.cascade.value(parent, "display") in BOXES
        is_held = all(self.cascade.value(element, side) not in {"", "auto"} for side in ("top", "bottom"))
        is_wide = element.tag != "dialog" and self.starts_line(element)
        is_sized |= is_wide and any((self._length(element, side) or 0) >= LEAST_PADDING for side in PADDINGS)
        is_free = self.is_box(element) and not self.is_table(element)
        return is_free and not (is_sized or is_stretched or is_held)

    def _by_offset(self, element: Element, value: str, name: str) -> bool:
        """`left` and its like, where the element is positioned at all."""
        position = self.cascade.value(element, "position")
        if position not in {"absolute", "fixed", "relative"}:
            return False
        opposite = {"right": "left", "bottom": "top"}.get(name, "")
        if opposite and self.cascade.value(element, opposite) not in {"", "auto"}:
            # With both given the place is that of the first, unless the element has no size of its own.
            return False
        length = read_length(value)
        if length is None:
            return not value.startswith("anchor(") or self._is_anchored_away(value, name)
        return not (name in {"right", "bottom"} and length > 0 and position == "relative" and length < -FAR_BACK)

    def _is_anchored_away(self, value: str, name: str) -> bool:
        """Whether what it is anchored to is moved itself, or there is none and it is put away then."""
        anchor, _, otherwise = value.removesuffix(")").partition("(")[2].partition(",")
        called = next((word for word in anchor.split() if word.startswith("--")), "")
        anchors = [e for e, names in self.cascade.winners("anchor-name").items() if not called or called in names]
        if not anchors:
            return bool(otherwise) and PROPERTIES[name][1](otherwise.strip())
        around = (each for anchor in anchors[:MOST_ANCHORS] for each in (anchor, *ancestors(anchor)))
        return len(anchors) > MOST_ANCHORS or any(
            (said := self.cascade.value(each, move)) and "anchor(" not in said and PROPERTIES[move][1](said)
            for each in around
            for move in MOVES
        )

    def _by_clip(self, element: Element, value: str, name: str) -> bool:
        """Works on positioned elements alone."""
        if self.cascade.value(element, "position") not in {"absolute", "fixed"}:
            return False
        match = CALL.fullmatch(value)
        sides = [read_length(part) for part in match[2].replace(",", " ").split()] if match else []
        if len(sides) != 4:
            return False
        top, right, bottom, left = sides
        if top is None or left is None:
            return False
        return (bottom is not None and bottom - top <= TINY) or (right is not None and right - left <= TINY)

    def _by_clip_path(self, element: Element, value: str, name: str) -> bool:
        match = CALL.match(value)
        if match is None:
            # What stands in a line is cut to the line, and the boxes in it are cut away.
            in_line = value.endswith("-box") and not self.is_box(element)
            return in_line and any(isinstance(child, Element) and self.starts_line(child) for child in element)
        shape, inner = match[1], " ".join(match[2].split())
        if shape == "inset":
            return is_inset_empty(inner.partition(" round")[0].split())
        if shape in {"circle", "ellipse"}:
            radius = (inner.partition(" at")[0] or inner).split() if not inner.startswith("at") else []
            return any((size := read_length(part)) is not None and size <= TINY for part in radius)
        if shape in {"rect", "xywh"}:
            return is_rectangle_empty(shape, inner.partition(" round")[0].split())
        if shape in {"path", "shape"}:
            return not DRAWN[shape].search(inner)
        return shape == "polygon" and is_polygon_empty(inner)

    def _by_transform(self, element: Element, value: str, name: str) -> bool:
        return self.is_box(element) and any(
            moves_away(call, split_arguments(inner)) for call, inner in CALL.findall(value)
        )

    def _by_translate(self, element: Element, value: str, name: str) -> bool:
        return self.is_box(element) and moves_away("translate", split_outside(value, " "))

    def _by_scale(self, element: Element, value: str, name: str) -> bool:
        return self.is_box(element) and moves_away("scale", split_outside(value, " "))

    def _by_rotate(self, element: Element, value: str, name: str) -> bool:
        axis, _, angle = value.rpartition(" ")
        return self.is_box(element) and axis in {"x", "y"} and moves_away(f"rotate{axis}", [angle])

    def _by_zoom(self, element: Element, value: str, name: str) -> bool:
        zoom = read_number(value)
        return zoom is not None and 0 < zoom * FONT_SIZE <= TINY

    def _by_mask_image(self, element: Element, value: str, name: str) -> bool:
        colours = [colour for word in COLOUR_IN.findall(value.partition("(")[2]) if (colour := read_colour(word))]
        return bool(colours) and all(colour[3] <= FAINTEST for colour in colours)

    def _by_animation_name(self, element: Element, value: str, name: str) -> bool:
        return self.animations.ends_unseen(element)

    def faded(self) -> list[Element]:
        """Elements of which nothing shines through, each with those around it."""
        if not self.cascade.is_suspect("opacity"):
            return []
        shares: dict[Element, float] = {}
        winners = self.cascade.winners("opacity")
        for element in winners:
            end = (
                "" if element in self.cascade.important("opacity") else self.animations.end(element).get("opacity", "")
            )
            share = read_number(end or self.cascade.value(element, "opacity") or "1")
            shares[element] = 0.0 if share is None else share
        through = _products({e: share for e, share in shares.items() if share < 1 and not self._has_no_box(e)})
        self.shares = {e: shares[e] for e, product in through.items() if product > FAINTEST}
        self.is_veiled = any(through[e] <= FAINT for e in self.shares)
        # What is only within such an element may be shown with it.
        return [e for e, p in through.items() if p <= FAINTEST and (shares[e] < FAINT or p > FAINTEST * shares[e])]

    def moves(self, element: Element) -> bool:
        """Whether it has been moved a little, as is done with what is to slide into its place."""
        return self.cascade.value(element, "transform") not in {"", "none"}

    def invisible(self) -> tuple[set[Element], set[Element]]:
        if not self.cascade.is_suspect("visibility"):
            return set(), set()
        winners = self.cascade.winners("visibility")
        values = {element: self.cascade.value(element, "visibility") for element in winners}
        for element in winners:
            if said := self.animations.end(element).get("visibility"):
                values[element] = said
        dark = {element for element, value in values.items() if value in {"hidden", "collapse"}}
        return dark, {element for element, value in values.items() if value in {"visible", "initial"}}

    def too_small(self) -> tuple[set[Element], set[Element]]:
        if not self.cascade.is_suspect("font-size"):
            return set(), set()
        sizes = FontSizes(self.cascade)
        winners = self.cascade.winners("font-size")
        dark = {element for element in winners if sizes.of(element) <= TINY}
        return dark, set(winners) - dark


def _products(shares: dict[Element, float]) -> dict[Element, float]:
    """Each share by those of all elements around it; every element is passed once."""
    known: dict[Element, float] = {}
    for element in shares:
        chain = [element] if element not in known else []
        while chain and isinstance(around := chain[-1].parent, Element) and around not in known:
            chain.append(around)
        for each in reversed(chain):
            above = known[each.parent] if isinstance(each.parent, Element) else 1.0
            known[each] = above * shares.get(each, 1.0)
    return {element: known[element] for element in shares}
