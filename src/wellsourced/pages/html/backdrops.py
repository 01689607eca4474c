"""What `backdrop-filter` finds behind an element: nothing that is painted outside of some elements around it."""

from __future__ import annotations

from wellsourced.pages.html.boxes import Boxes
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import will_change
from wellsourced.pages.html.css_values import read_number
from wellsourced.pages.html.dom import Element, ancestors, nearest

# What makes an element one that is painted apart, and what does so already where `will-change` speaks of it.
APART = ("clip-path", "mask-image", "filter", "opacity", "will-change")
WILL_BE_APART = frozenset((*APART[:4], "mask", "backdrop-filter", "mix-blend-mode"))


def backdrop_roots(cascade: Cascade) -> frozenset[Element]:
    """The elements that are painted apart, so that what is behind them is not behind what is in them."""
    names = APART if cascade.is_suspect("backdrop-filter") else ()
    return frozenset(
        element
        for name in names
        for element in cascade.winners(name)
        if _sets_apart(name, cascade.value(element, name))
    )


def _sets_apart(name: str, value: str) -> bool:
    if name == "opacity":
        return (read_number(value) or 0.0) < 1
    return will_change(value, WILL_BE_APART) if name == "will-change" else "(" in value and "url" not in value


def window_is_apart(kinds: Boxes) -> bool:
    """Whether the page is put together before it is laid on the window, as where something is blended with it."""
    cascade, known = kinds.cascade, dict[Element, bool | None]()

    def is_not_displayed(element: Element) -> bool | None:
        return cascade.value(element, "display") == "none" or None

    blended = cascade.hiding("mix-blend-mode")
    shown = [element for element in blended if nearest(element, is_not_displayed, known) is None]
    return any(not any(map(kinds.is_layer, ancestors(element))) for element in shown)
