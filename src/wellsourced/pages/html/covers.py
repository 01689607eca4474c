"""Text below something opaque that lies on all of the box it stands in: an element, or a part that a style makes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import FAINTEST, FAR_LEFT
from wellsourced.pages.html.css_shapes import CALL
from wellsourced.pages.html.css_values import read_colour, read_length, read_number
from wellsourced.pages.html.dom import Element, Node, ancestors, select, texts_in
from wellsourced.pages.html.sizes import Sizes
from wellsourced.pages.html.surfaces import BLACK, colours_in

# What would move or cut it, or might show what is below.
NOT_WHOLE = (
    "transform", "translate", "scale", "rotate", "clip-path", "clip", "mask-image", "filter", "mix-blend-mode",
    "content-visibility", "animation-name",
)  # fmt: skip
# What is painted after all that is not positioned, beside what is.
RAISING = ("position", "z-index", "transform", "translate", "scale", "rotate", "filter", "opacity")
# Before and behind all that is in the element.
PLACES_OF_PARTS = {"before": -1.0, "after": math.inf}
NO_PART = frozenset(("", "none", "normal"))
# So far at least a line is moved over, and so long is what then stands in one.
LEAST_MOVE, LONGEST_COVERED = 16.0, 150
MOST_BEFORE, MOST_BELOW = 3, 3
# So many nodes beside what lies on others are looked at.
MOST_BESIDE = 30
SIDES = ("top", "left", "right", "bottom")
MOVES = ("margin-bottom", "margin-top", "top", "transform", "translate")


class Cover(NamedTuple):
    """Its height among others, and its place among the elements of the page."""

    height: float
    place: float


class Covers:
    """`judge` looks at single elements with the values that won."""

    def __init__(self, judge: Sizes) -> None:
        self.judge, self.cascade = judge, judge.cascade
        self.places: dict[Element, int] = {}

    def covered(self, gone: set[Element]) -> tuple[set[Element], set[Element]]:
        """The boxes that lie below something, and what stands in front of that."""
        covers = dict(self._covers(gone))
        if not covers:
            return set(), set()
        self.places = self.places or self._numbered()
        raised = set().union(*(self.cascade.winners(name) for name in RAISING))
        return set(covers), {element for element in raised if self._is_in_front(element, covers)}

    def _numbered(self) -> dict[Element, int]:
        return {element: place for place, element in enumerate(select(self.cascade.index.document, "*"))}

    def _covers(self, gone: set[Element]) -> Iterator[tuple[Element, Cover]]:
        for element in _sheets(self.cascade):
            box = self.judge.box_around(element, "absolute")
            # A curtain in front of the whole page waits for scripts.
            if box is not None and box.tag not in {"html", "body"} and element not in gone:
                self.places = self.places or self._numbered()
                yield box, Cover(_height(self.cascade, element), self.places[element])
        for part, place in PLACES_OF_PARTS.items():
            said = self.cascade.parts.get(part)
            for element in _sheets(said) if said else ():
                if (
                    said
                    and said.value(element, "content") not in NO_PART
                    and self.judge.holds_place(element, "absolute")
                ):
                    yield element, Cover(_height(said, element), place)

    def _is_in_front(self, element: Element, covers: dict[Element, Cover]) -> bool:
        if not self.cascade.index.may_ask(5):
            return False
        box = next((above for above in ancestors(element) if above in covers), None)
        values = [self.cascade.value(element, name) for name in RAISING]
        if box is None or all(value in {"", "static", "none", "auto"} for value in values):
            return False
        return (_height(self.cascade, element), float(self.places[element])) >= covers[box]


def moved_over(judge: Sizes) -> Iterator[Node]:
    """Short texts that something opaque after them is moved up over."""
    cascade = judge.cascade
    for element in cascade.winners("background-color") if judge.ground_known and _may_move_up(cascade) else ():
        before = next((node for node in element.previous_siblings if node.text.strip()), None)
        is_short = before is not None and len(before.text.strip()) <= LONGEST_COVERED
        if before is None or not is_short or not _is_opaque(cascade, element):
            continue
        margin = cascade.value(before, "margin-bottom") if isinstance(before, Element) else ""
        is_shown = cascade.value(element, "display") != "none"
        if is_shown and LEAST_MOVE <= _moved_up(judge, element, margin) < -FAR_LEFT:
            yield before


def laid_over(judge: Sizes) -> Iterator[Node]:
    """Short texts that something opaque, which takes up no room where it lies, is laid over."""
    cascade = judge.cascade
    placed = cascade.winners("position") if judge.ground_known and cascade.values("background-color") else {}
    for element in placed:
        # Browsers put popovers in the middle of the window.
        is_raised = element.tag == "dialog" or element.attr("popover") is not None
        is_loose = not is_raised and _has_no_given_place(cascade, element)
        if is_loose and _is_opaque(cascade, element) and _is_whole(cascade, element):
            beside = islice(element.previous_siblings, MOST_BESIDE)
            before = (node for node in beside if isinstance(node, Element))
            yield from (node for node in islice(before, MOST_BEFORE) if _is_short_and_loose(cascade, node))
            yield from _below_margins(judge, element)


def _below_margins(judge: Sizes, cover: Element) -> Iterator[Node]:
    """What follows where there is room around the lines of what lies on it: beside these it would be seen itself."""
    blocks = (node for node in cover if isinstance(node, Element) and judge.starts_line(node))
    if judge.holds_margins(cover) or next(blocks, None) is not None:
        following = (node for node in islice(cover.next_siblings, MOST_BESIDE) if not _is_raised(judge, node))
        texts = (text for node in following for text in texts_in([node]))
        yield from (text for text in islice(texts, MOST_BELOW) if len(text.data.strip()) <= LONGEST_COVERED)


def _is_raised(judge: Sizes, node: Node) -> bool:
    is_placed = isinstance(node, Element) and judge.cascade.value(node, "position") not in {"", "static"}
    return is_placed or not judge.cascade.index.may_ask(1) or (isinstance(node, Element) and judge.is_layer(node))


def _is_short_and_loose(cascade: Cascade, element: Element) -> bool:
    return len(element.text.strip()) <= LONGEST_COVERED and _has_no_given_place(cascade, element)


def _has_no_given_place(cascade: Cascade, element: Element) -> bool:
    """Whether it lies where it would stand, and takes up no room there."""
    is_placed = cascade.index.may_ask(1) and cascade.value(element, "position") in {"absolute", "fixed"}
    sides = [cascade.value(element, side) for side in ("top", "bottom")] if is_placed else []
    return is_placed and all(side in {"", "auto"} or "anchor(" in side for side in sides)


def _may_move_up(cascade: Cascade) -> bool:
    """Whether any style gives what moves up: a length below nothing, or one that must be worked out."""
    return any("-" in value or "(" in value for name in MOVES for value in cascade.values(name))


def _moved_up(judge: Sizes, element: Element, margin: str) -> float:
    """How far, where it lies on what is not positioned."""
    cascade = judge.cascade
    position = cascade.value(element, "position")
    if not judge.cascade.index.may_ask(1) or not (judge.is_layer(element) or position == "relative"):
        return 0.0
    moves = [
        margin,
        cascade.value(element, "margin-top"),
        cascade.value(element, "top") if position == "relative" else "",
    ]
    moves += [inner for call, inner in CALL.findall(cascade.value(element, "transform")) if call == "translatey"]
    moves += cascade.value(element, "translate").split()[1:2]
    return -sum(read_length(move) or 0.0 for move in moves if move)


def _height(cascade: Cascade, element: Element) -> float:
    return read_number(cascade.value(element, "z-index")) or 0.0


def _sheets(cascade: Cascade) -> Iterator[Element]:
    """What lies on all of the box that it has its place in, where nothing shines through."""
    placed = [element for element, position in cascade.winners("position").items() if position == "absolute"]
    for element in placed:
        is_high = _is_spread(cascade, element) and _height(cascade, element) >= 0
        if is_high and _is_opaque(cascade, element) and _is_whole(cascade, element):
            yield element


def _is_whole(cascade: Cascade, element: Element) -> bool:
    share = read_number(cascade.value(element, "opacity") or "1")
    is_shown = cascade.value(element, "display") != "none" and cascade.value(element, "visibility") in {"", "visible"}
    is_plain = all(cascade.value(element, name) in {"", "none", "normal", "auto"} for name in NOT_WHOLE)
    return is_shown and is_plain and share is not None and share > 1 - FAINTEST


def _is_spread(cascade: Cascade, element: Element) -> bool:
    sides = {side: read_length(cascade.value(element, side) or "auto") for side in SIDES}
    at_edge = {side for side, length in sides.items() if length is not None and length <= 0}
    is_whole = all((read_number(cascade.value(element, name) or "0") or 0) >= 1 for name in ("width", "height"))
    return at_edge == set(SIDES) or (is_whole and {"top", "left"} <= at_edge)


def _is_opaque(cascade: Cascade, element: Element) -> bool:
    colour, picture = (cascade.value(element, f"background-{name}") for name in ("color", "image"))
    read = BLACK if colour == "currentcolor" else read_colour(colour or "transparent")
    shades = colours_in(picture) if "gradient(" in picture else []
    is_painted = read is not None and read[3] > 1 - FAINTEST
    return is_painted or (bool(shades) and all(shade[3] > 1 - FAINTEST for shade in shades))
