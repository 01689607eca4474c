"""What kind of box an element makes, by its tag, its styles and its place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import will_change
from wellsourced.pages.html.css_values import read_number
from wellsourced.pages.html.dom import BLOCK_TAGS, Element, Node, nearest

NOT_INLINE = BLOCK_TAGS | {"img", "button", "input", "textarea", "select", "video", "iframe", "svg", "canvas", "object"}
REPLACED = frozenset(("img", "button", "input", "textarea", "select", "video", "iframe", "svg", "canvas", "object"))
TABLE_TAGS = frozenset(("table", "tr", "td", "th", "tbody", "thead", "tfoot"))
CHILDREN_AND_THEIRS = ":scope > *, :scope > * > *"
# What makes an element hold the place of what is positioned within, and what makes a layer of it.
HOLDING = ("transform", "translate", "scale", "rotate", "filter", "contain", "content-visibility")
LAYERING = (*HOLDING, "perspective", "clip-path", "mask-image", "mix-blend-mode", "isolation", "backdrop-filter")
# What does so already where `will-change` speaks of it.
WILL_HOLD = frozenset((*HOLDING[:6], "perspective", "backdrop-filter"))
WILL_LAYER = WILL_HOLD | frozenset((*LAYERING[8:], "opacity", "mask", "position"))
BOXES = frozenset(("flex", "inline-flex", "grid", "inline-grid"))


class Boxes:
    """Looks at single elements with the values that won."""

    def __init__(self, cascade: Cascade) -> None:
        self.cascade = cascade
        self._boxes: dict[Element, bool] = {}
        self.narrow: dict[Element, None] = {}
        """What stands in boxes without width, beside all that is painted behind it."""
        self._followed: set[Node] = set()
        self._modes: dict[Element, str] = {}
        self._nearest: dict[str, dict[Element, str | None]] = {}

    def said_nearest(self, start: Node | None, name: str) -> str:
        """What the nearest element from here on up says of a property."""
        known = self._nearest.setdefault(name, {})
        return nearest(start, lambda each: self.cascade.value(each, name) or None, known) or ""

    def all_after(self, element: Element) -> Iterator[Node]:
        """What follows an element beside it, as far as it was not handed out before: all behind that was too."""
        for node in element.next_siblings:
            if node in self._followed:
                return
            self._followed.add(node)
            yield node

    def is_box(self, element: Element) -> bool:
        """Whether sizes and moves apply: not to text that runs on in a line."""
        if element not in self._boxes:
            self._boxes[element] = self._is_box(element)
        return self._boxes[element]

    def _is_box(self, element: Element) -> bool:
        if element.tag in REPLACED:
            return True
        display = self.cascade.value(element, "display") or self._usual_display(element)
        if display == "contents":
            return element.tag == "html"
        return display != "inline" or self._is_blockified(element)

    def _has_no_box(self, element: Element) -> bool:
        return self.cascade.value(element, "display") == "contents" and element.tag != "html"

    def starts_line(self, element: Element) -> bool:
        """Whether no line of text runs on through it."""
        if element.tag == "br" or not self.is_box(element):
            return element.tag == "br"
        is_in_line = self.stands_in_line(element) or self.cascade.value(element, "display") == "none"
        return not (is_in_line or self.is_table_in_line(element) or self._is_out_of_flow(element))

    def stands_in_line(self, element: Element) -> bool:
        """Whether it is a box among the words of a line."""
        display = self.cascade.value(element, "display") or self._usual_display(element)
        is_for_lines = (
            element.tag in REPLACED
            or display.startswith("inline-")
            or (display == "inline" and self._is_turned_in_line(element))
        )
        return is_for_lines and not self._has_own_place(element)

    def is_table_in_line(self, element: Element) -> bool:
        """Rows and cells in a line of text make a table that stands in the line."""
        parent = element.parent
        return isinstance(parent, Element) and self.is_table_part(element) and not self.is_box(parent)

    def _is_blockified(self, element: Element) -> bool:
        """Whether a box is made of it, whatever it displays as."""
        return self._has_own_place(element) or self._is_turned_in_line(element)

    def _has_own_place(self, element: Element) -> bool:
        """Whether it is in no line, whatever it displays as."""
        parent = element.parent
        is_item = isinstance(parent, Element) and self.cascade.value(parent, "display") in BOXES
        return is_item or element.tag == "html" or self._is_out_of_flow(element)

    def _is_turned_in_line(self, element: Element) -> bool:
        """Whether its lines run in another direction than the one it stands in, so that it is a box there."""
        return self._is_ever_turned and self._lines_of(element) != self._lines_of(element.parent)

    @cached_property
    def _is_ever_turned(self) -> bool:
        return bool(self.cascade.values("writing-mode"))

    def _lines_of(self, node: Node | None) -> str:
        """How the lines in an element run, "" from left to right; looked for once on the way up."""
        chain = list[Element]()
        while isinstance(node, Element) and node not in self._modes:
            chain.append(node)
            said = self.cascade.said(node, "writing-mode")
            node = node.parent if said in {None, "inherit", "unset"} else None
        mode = self._modes.get(node, "") if isinstance(node, Element) else ""
        for each in reversed(chain):
            said = self.cascade.value(each, "writing-mode")
            mode = said.replace("horizontal-tb", "") if said else mode
            self._modes[each] = mode
        return mode

    def _is_turned(self, element: Element) -> bool:
        return self.cascade.value(element, "writing-mode") not in {"", "horizontal-tb"}

    def _usual_display(self, element: Element) -> str:
        """The browser's own, unless the page takes that away without giving another."""
        is_reset = (self.cascade.said(element, "display") or "revert") not in {"revert", "revert-layer"}
        return "block" if element.tag in NOT_INLINE and not is_reset else "inline"

    def is_table(self, element: Element) -> bool:
        """Tables and their parts are as large as what is in them, whatever size a style gives them."""
        display = self.cascade.value(element, "display")
        if self._is_blockified(element) and (display or element.tag) not in {"table", "inline-table"}:
            return False
        return "table" in display if display else element.tag in TABLE_TAGS and self._usual_display(element) == "block"

    def _is_out_of_flow(self, element: Element) -> bool:
        is_floated = self.cascade.value(element, "float") not in {"", "none"}
        return is_floated or self.cascade.value(element, "position") in {"absolute", "fixed"}

    def is_cell(self, element: Element) -> bool:
        return (self.cascade.value(element, "display") or element.tag) in {"td", "th", "table-cell"}

    def is_table_part(self, element: Element) -> bool:
        """Rows and cells, which have no margins and leave their lines to what is in them."""
        display = self.cascade.value(element, "display") or element.tag
        return self.is_table(element) and display not in {"table", "inline-table", "table-caption"}

    def is_layer(self, element: Element) -> bool:
        """Whether all that is in it lies on its own background, whatever heights are given."""
        position = self.cascade.value(element, "position")
        is_placed = position not in {"", "static"} and self.cascade.value(element, "z-index") not in {"", "auto"}
        opacity = read_number(self.cascade.value(element, "opacity") or "1")
        is_set = any(self.cascade.value(element, name) not in {"", "none"} for name in LAYERING)
        is_set = is_set or will_change(self.cascade.value(element, "will-change"), WILL_LAYER)
        return is_placed or position in {"fixed", "sticky"} or is_set or opacity is None or opacity < 1
