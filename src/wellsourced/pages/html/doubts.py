"""Rare ways of painting that are not followed: what may not be seen in them is left out, and said to be unsure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from wellsourced.pages.html.css_properties import FILTERS
from wellsourced.pages.html.dialogs import Dialogs
from wellsourced.pages.html.dom import Element, Node, ancestors, nearest

LAYER_STYLES = ("filter", "mix-blend-mode", "backdrop-filter", "position")
KEEPING = frozenset(("", "normal", "multiply", "luminosity", "darken"))


class Doubts(Dialogs):
    """Looks at single elements with the values that won."""

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

    def _keeps_colours(self, element: Element) -> bool:
        backdrop, blend = (self.cascade.value(element, name) for name in ("backdrop-filter", "mix-blend-mode"))
        return blend in KEEPING and FILTERS.search(backdrop.replace("blur(", "")) is None

    def _has_columns(self, element: Element) -> bool:
        return self.cascade.value(element, "columns") not in {"", "auto"}

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
        filters, blend, backdrop, position = (self.cascade.value(element, name) for name in LAYER_STYLES)
        if blend not in {"", "normal"} and backdrop not in {"", "none"}:
            return True
        # The outermost elements are painted with the window, unless they are put elsewhere.
        is_window = element.tag == "body" or (element.tag == "html" and position in {"", "static"})
        return filters not in {"", "none"} and not is_window


def _all_around(elements: Iterable[Element]) -> Iterator[Element]:
    """Everything around these, each once."""
    passed = set[Element]()
    for element in elements:
        for above in ancestors(element):
            if above in passed:
                break
            passed.add(above)
            yield above
