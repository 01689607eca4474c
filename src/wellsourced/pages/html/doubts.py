"""Rare layouts that are not followed: what may be cut off or moved away in them is left out, and said to be unsure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain

from wellsourced.pages.html.css_properties import FILTERS
from wellsourced.pages.html.css_values import WINDOW_WIDTH, read_number
from wellsourced.pages.html.dialogs import Dialogs
from wellsourced.pages.html.dom import Element, Node, ancestors, nearest, select
from wellsourced.pages.html.sizes import DEEPEST_CUT, LEAST_PADDING, LETTER

# Of width to height: so wide a box in a row that others make high takes up more than a window.
WIDEST_RATIO = 4.0
KEEPING = frozenset(("", "normal", "multiply", "luminosity", "darken"))
ROWS = frozenset(("flex", "inline-flex"))
ACROSS = ("padding-left", "padding-right", "margin-left", "margin-right")


class Doubts(Dialogs):
    """Looks at single elements with the values that won."""

    def doubtful(self) -> Iterator[Node]:
        """What is left out because it is not known where it stands."""
        if not self.ground_known:
            return
        found = (
            self._around_ratios(),
            self._beyond_rows(),
            self._moved_clips(),
            self._left_of_lines_that_run_down(),
        )
        for node in chain(*found):
            self.is_unsure = self.is_unsure or bool(node.text.strip())
            yield node

    def _clipped_to_boxes(self) -> list[Element]:
        is_used = any(value.endswith("-box") for value in self.cascade.values("clip-path"))
        winners = self.cascade.winners("clip-path") if is_used else {}
        return [element for element in winners if self.cascade.value(element, "clip-path").endswith("-box")]

    def unpainted(self) -> Iterator[Node]:
        """What is left out because it is not known how it is painted."""
        for node in chain(self._in_columns(), self._around_skews()) if self.ground_known else ():
            self.is_unsure = self.is_unsure or bool(node.text.strip())
            yield node

    def _in_columns(self) -> Iterator[Element]:
        """Of what goes on in another column only the first part is cut to a box, or changes what is behind it."""
        if not self.cascade.values("columns"):
            return
        lines = [element for element in self._clipped_to_boxes() if not self.is_box(element)]
        layers = [element for name in ("backdrop-filter", "mix-blend-mode") for element in self.cascade.hiding(name)]
        changing = [element for element in layers if not self._keeps_colours(element)]
        known: dict[Element, bool | None] = {}
        for element in [*lines, *changing]:
            if nearest(element.parent, lambda above: self._has_columns(above) or None, known):
                yield element

    def _left_of_lines_that_run_down(self) -> Iterator[Element]:
        """What is positioned has its place after all lines, which is to the left of the box that they fill."""
        positions = self.cascade.winners("position") if self._is_ever_turned else {}
        for element, position in positions.items():
            is_laid = position in {"absolute", "fixed"} and self._is_laid_beside(element)
            if is_laid and self._lines_of(element.parent) == "vertical-rl" and not self._is_page_turned:
                yield element

    def _is_laid_beside(self, element: Element) -> bool:
        is_block = (self.cascade.value(element, "display") or self._usual_display(element)) != "inline"
        return is_block and all(self.cascade.value(element, side) in {"", "auto"} for side in ("left", "right"))

    @cached_property
    def _is_page_turned(self) -> bool:
        return any(self._lines_of(body) for body in select(self.cascade.index.document, "body"))

    def _keeps_colours(self, element: Element) -> bool:
        backdrop, blend = (self.cascade.value(element, name) for name in ("backdrop-filter", "mix-blend-mode"))
        return blend in KEEPING and FILTERS.search(backdrop.replace("blur(", "")) is None

    def _moved_clips(self) -> Iterator[Element]:
        """Lines that are cut to a shape where they have been moved to; the boxes in them have not been."""
        for element in self.cascade.hiding("margin-left") if self.cascade.values("clip-path") else ():
            if not self.is_box(element) and "(" in self.cascade.value(element, "clip-path"):
                yield element

    def _has_columns(self, element: Element) -> bool:
        return self.cascade.value(element, "columns") not in {"", "auto"}

    def _around_ratios(self) -> Iterator[Node]:
        """What follows a box in a row that may be as wide as the row is high, and a box in a box of the same ratio."""
        if not self.cascade.values("aspect-ratio"):
            return
        kept = [e for e in self.cascade.winners("aspect-ratio") if self._ratio(e) >= WIDEST_RATIO]
        for element in kept:
            if isinstance(element.parent, Element) and self._is_row(element.parent):
                yield from self.all_after(element)
            if self._is_shrunk(element) and self._cuts(element, "overflow-y"):
                yield from self._below(element, LEAST_PADDING)
        clipped = set(self._clipped_to_boxes()).intersection(kept)
        yield from (element for element in _all_around(kept) if element in clipped)
        cutting = {element for element in kept if self._cuts(element, "overflow-y") and not self._scrolls(element)}
        for element in kept:
            if element.parent in cutting and self.starts_line(element):
                yield from self.all_after(element)

    def _ratio(self, element: Element) -> float:
        across, _, down = self.cascade.value(element, "aspect-ratio").removeprefix("auto").partition("/")
        return (read_number(across.strip()) or 0.0) / (read_number(down.strip()) or 1.0)

    def _around_skews(self) -> Iterator[Element]:
        """A layer is not painted at all where something in it is drawn out without end."""
        if not any("skew" in value for value in self.cascade.values("transform")):
            return
        moved = {element: self.cascade.value(element, "transform") for element in self.cascade.hiding("transform")}
        skewed = (
            e
            for e, value in moved.items()
            if "skew" in value and e.text.strip() and self._by_transform(e, value, "transform")
        )
        yield from filter(self._is_filtered, _all_around(skewed))

    def _is_filtered(self, element: Element) -> bool:
        return self.cascade.value(element, "filter") not in {"", "none"} and element.tag not in {"html", "body"}

    def _beyond_rows(self) -> Iterator[Node]:
        """What stands in a row beyond the end of a box that cuts off all beyond it."""
        if not ROWS.isdisjoint(self.cascade.values("display")):
            for box in dict.fromkeys([*self._clipped_to_boxes(), *self.cascade.winners("overflow-x")]):
                width = self._row_width(box) if self._is_row(box) and self._cuts_across(box) else 0.0
                yield from self._beyond(box, width) if width else ()

    def _cuts_across(self, box: Element) -> bool:
        return self._is_cut_to_box(box) or self.cascade.value(box, "overflow-x") in {"hidden", "clip"}

    def _row_width(self, box: Element) -> float:
        """How wide a row is at most, 0 where that is not known."""
        said = self._length(box, "width") or self._length(box, "max-width")
        is_empty = "size" in self.cascade.value(box, "container-type") and self._is_like_shrunk(box)
        usual = WINDOW_WIDTH if box.tag in {"html", "body"} else 0.0
        return said or (self._length(box, "min-width") or 0.0 if is_empty else usual)

    def _is_like_shrunk(self, box: Element) -> bool:
        return self._is_out_of_flow(box) or self.cascade.value(box, "display").startswith("inline-")

    def _beyond(self, row: Element, width: float) -> Iterator[Node]:
        start = 0.0
        for node in row:
            end = start + self._least_width(node)
            if start >= width or (end > width and isinstance(node, Element)):
                yield node
            start = end

    def _least_width(self, node: Node, depth: int = 0) -> float:
        """As wide as its longest word, in a row as all that are in it."""
        if isinstance(node, Element) and depth < DEEPEST_CUT and self.cascade.index.may_ask(1):
            widths = [self._least_width(child, depth + 1) for child in node]
            inner = sum(widths) if self._is_row(node) else max(widths, default=0.0)
            return inner + sum(self._length(node, name) or 0.0 for name in ACROSS)
        return max(map(len, node.text.split()), default=0) * LETTER


def _all_around(elements: Iterable[Element]) -> Iterator[Element]:
    """Everything around these, each once."""
    passed = set[Element]()
    for element in elements:
        for above in ancestors(element):
            if above in passed:
                break
            passed.add(above)
            yield above
