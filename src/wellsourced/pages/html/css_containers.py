"""The container that a condition asks of, and what it answers, as far as its width is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import TypeAlias

from wellsourced.pages.html.css_conditions import Answer, ContainerQuery, container_holds, read_container_query
from wellsourced.pages.html.css_properties import SIDES
from wellsourced.pages.html.css_values import UNIT_PIXELS, WINDOW_WIDTH, read_length
from wellsourced.pages.html.dom import BLOCK_TAGS, Element, ancestors

Value: TypeAlias = Callable[[Element, str], str | None]

# What browsers leave free at both sides of these, outside and inside together.
USUAL_SPACE = {"body": 16.0, "ul": 40.0, "ol": 40.0, "menu": 40.0, "dd": 40.0, "blockquote": 80.0, "figure": 80.0}
USUAL_DISPLAY = {"table": "table", "td": "table-cell", "th": "table-cell", "caption": "table-caption"} | dict.fromkeys(
    ("tr", "tbody", "thead", "tfoot"), "table-row"
)
OUT = frozenset(("absolute", "fixed", "left", "right", "inline-start", "inline-end"))
# What becomes of a display where the element has a place of its own, in no line and no table.
APART = {"inline-flex": "flex", "inline-grid": "grid", "inline-table": "table"}
KEPT_APART = frozenset(("flex", "grid", "table", "contents", "none"))
GIVEN_NO_WIDTH = frozenset(("inline-size", "size"))
# A width is known to about this share: scroll bars and borders take some of it.
SURE_SHARE = 0.97
COLUMN_GAP = 16.0
ANY_WIDTH = (1.0, WINDOW_WIDTH)


class Containers:
    """Asks the values that the cascade gives to the elements around one."""

    def __init__(self, value: Value, said: Value, variable: Value) -> None:
        self._value, self._said, self._variable = value, said, variable
        self._widths: dict[Element, float | None] = {}
        self._verticals: dict[Element, bool] = {}
        self._asked: dict[ContainerQuery, dict[Element, Element | None]] = {}
        self._answers: dict[tuple[Element, str], Answer] = {}

    def hold(self, element: Element, conditions: Iterable[str], *, may_ask: bool) -> Answer:
        """Whether all of them hold for an element; None where some cannot be decided, or only by asking further."""
        answers = [self._holds(element, condition, may_ask=may_ask) for condition in conditions]
        return False if False in answers else None if None in answers else True

    def _holds(self, element: Element, condition: str, *, may_ask: bool) -> Answer:
        query = read_container_query(condition)
        if not may_ask and element not in self._asked.get(query, ()):
            return None
        container = self._container(element, query)
        if container is None:
            return False
        key = (container, condition)
        if key not in self._answers and may_ask:
            self._answers[key] = self._answer(container, query)
        return self._answers.get(key)

    def _container(self, element: Element, query: ContainerQuery) -> Element | None:
        """The nearest element around that can be asked.

        Those of outer elements are looked for first: what is asked of an element may depend on its own container.
        """
        known = self._asked.setdefault(query, {})
        for each in reversed([*takewhile(lambda each: each not in known, (element, *ancestors(element)))]):
            around = each.parent
            if isinstance(around, Element):
                known[each] = around if self._is_asked(around, query) else known[around]
            else:
                known[each] = None
        return known[element]

    def _answer(self, container: Element, query: ContainerQuery) -> Answer:
        if query.types and self._has_no_size(container):
            # A browser knows no answer there, and what is joined to the question may not be one of size.
            return None if " or " in query.condition else False
        width = self._width(container) if query.types else None
        widths = ANY_WIDTH if width is None else (SURE_SHARE * width, width)
        return container_holds(query.condition, widths, lambda name: self._variable(container, name))

    def _is_asked(self, element: Element, query: ContainerQuery) -> bool:
        if query.types:
            types = self._types(element)
            is_across = "width" in query.condition and "size" not in types
            if query.types.isdisjoint(types) or (is_across and self._is_vertical(element)):
                return False
        return not query.name or query.name in (self._value(element, "container-name") or "").split()

    def _types(self, element: Element) -> frozenset[str]:
        return frozenset((self._value(element, "container-type") or "").split())

    def _is_vertical(self, element: Element) -> bool:
        """Whether lines run from top to bottom in it, so that it is the height that its content does not give it."""
        known = self._verticals
        for each in reversed([*takewhile(lambda each: each not in known, (element, *ancestors(element)))]):
            said, parent = self._value(each, "writing-mode"), each.parent
            known[each] = said != "horizontal-tb" if said else isinstance(parent, Element) and known[parent]
        return known[element]

    def _display(self, element: Element) -> str:
        """As which it is laid out."""
        is_reset = (self._said(element, "display") or "revert") not in {"revert", "revert-layer"}
        usual = USUAL_DISPLAY.get(element.tag, "block") if element.tag in BLOCK_TAGS and not is_reset else "inline"
        display, parent = self._value(element, "display") or usual, element.parent
        is_item = isinstance(parent, Element) and (self._value(parent, "display") or "").endswith(("flex", "grid"))
        if is_item or self._is_out_of_flow(element) or element.tag == "html":
            return APART.get(display, display if display in KEPT_APART else "block")
        return display

    def _is_out_of_flow(self, element: Element) -> bool:
        return any(self._value(element, name) in OUT for name in ("position", "float"))

    def _has_no_size(self, element: Element) -> bool:
        """Whether it is no box that can be asked for a size: one in a line, or one of a table."""
        display = self._display(element)
        return display in {"inline", "contents"} or "table" in display

    def _width(self, element: Element) -> float | None:
        """Of what is in it, where it is as wide as what is around it, or as a style says."""
        chain = [*takewhile(lambda each: each not in self._widths, (element, *ancestors(element)))]
        for each in reversed(chain):
            parent = each.parent
            around = self._column(parent) if isinstance(parent, Element) else WINDOW_WIDTH
            self._widths[each] = self._measured(each, around)
        return self._widths[element]

    def _column(self, element: Element) -> float | None:
        """How wide one of its columns is."""
        width, columns = self._widths[element], self._value(element, "columns") or "auto"
        if width is None or columns == "auto":
            return width
        return (width + COLUMN_GAP) / int(columns) - COLUMN_GAP if columns.isdecimal() and int(columns) else None

    def _measured(self, element: Element, around: float | None) -> float | None:
        """Nothing that is in a container gives it a width."""
        if self._display(element) in {"inline", "contents"}:
            return around
        is_shrunk = self._is_shrunk(element)
        if is_shrunk is None or (is_shrunk and GIVEN_NO_WIDTH.isdisjoint(self._types(element))):
            return None
        around = math.nan if around is None else around
        widths = {name: self._length(element, name, around) for name in WIDTHS if self._value(element, name)}
        content = 0.0 if is_shrunk else around - self._space(element, around)
        width, most, least = widths.get("width", content), widths.get("max-width"), widths.get("min-width")
        if width is None or math.isnan(width):
            return None
        return max(width if most is None else min(width, most), least or 0.0)

    def _is_shrunk(self, element: Element) -> bool | None:
        """Whether it is as wide as its content, and not as what is around it; None where that is not known."""
        parent, display = element.parent, self._display(element)
        if self._has_no_size(element) or self._is_vertical(element):
            return None
        if self._is_out_of_flow(element):
            is_held = all((self._value(element, side) or "auto") != "auto" for side in SIDES[1::2])
            return None if is_held and element.tag != "dialog" else True
        if isinstance(parent, Element) and (around := self._display(parent)).endswith(("flex", "grid")):
            return self._is_item_shrunk(element, parent, around)
        return display.startswith("inline-") or element.tag == "dialog"

    def _is_item_shrunk(self, item: Element, parent: Element, display: str) -> bool | None:
        """One that shares out what is left, or stands in one of several columns, is as wide as others let it be."""
        margins = [self._value(item, f"margin-{side}") for side in SIDES[1::2]]
        if display.endswith("grid"):
            is_alone = (self._value(parent, "grid-template-columns") or "none") in {"none", "subgrid"}
            return False if is_alone and "auto" not in margins else None
        if (self._value(parent, "flex-direction") or "").startswith("column"):
            return False if "auto" not in margins else None
        is_free = any(self._value(item, name) not in usual for name, usual in FLEXIBLE.items())
        return None if is_free else True

    def _space(self, element: Element, around: float) -> float:
        said = [f"{kind}-{side}" for kind in ("margin", "padding") for side in SIDES[1::2]]
        given = {name: self._length(element, name, around) or 0.0 for name in said if self._value(element, name)}
        return sum(given.values()) if given else USUAL_SPACE.get(element.tag, 0.0)

    def _length(self, element: Element, name: str, around: float) -> float | None:
        return read_length(self._value(element, name) or "", UNIT_PIXELS | {"%": around / 100})


WIDTHS = ("width", "max-width", "min-width")
FLEXIBLE = {"flex-grow": {"", "0", None}, "flex-basis": {"", "auto", None}}
