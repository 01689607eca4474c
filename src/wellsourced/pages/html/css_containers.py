"""The container that a condition asks of, and what it answers, as far as its width is known."""

from __future__ import annotations

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
IN_FLOW = frozenset(("", "block", "flow-root", "list-item", "flex", "grid"))
# A width is known to about this share: scroll bars and borders take some of it.
SURE_SHARE = 0.97
ANY_WIDTH = (1.0, WINDOW_WIDTH)


class Containers:
    """Asks the values that the cascade gives to the elements around one."""

    def __init__(self, value: Value, variable: Value) -> None:
        self._value, self._variable = value, variable
        self._widths: dict[Element, float | None] = {}
        self._asked: dict[ContainerQuery, dict[Element, Element | None]] = {}
        self._answers: dict[tuple[Element | None, str], Answer] = {}

    def hold(self, element: Element, conditions: Iterable[str]) -> Answer:
        """Whether all of them hold for an element; None where some cannot be decided."""
        answers = [self._holds(element, condition) for condition in conditions]
        return False if False in answers else None if None in answers else True

    def _holds(self, element: Element, condition: str) -> Answer:
        query = read_container_query(condition)
        container = self._container(element, query)
        key = (container, condition)
        if key not in self._answers:
            self._answers[key] = self._answer(container, query)
        return self._answers[key]

    def _container(self, element: Element, query: ContainerQuery) -> Element | None:
        """The nearest element around that can be asked; looked for once on the way up."""
        known, passed, container = self._asked.setdefault(query, {}), [element], None
        for above in ancestors(element):
            if above in known or self._is_asked(above, query):
                container = above if above not in known or self._is_asked(above, query) else known[above]
                break
            passed.append(above)
        known.update(dict.fromkeys(passed, container))
        return container

    def _answer(self, container: Element | None, query: ContainerQuery) -> Answer:
        if container is None:
            return False
        width = self._width(container) if query.types else None
        widths = ANY_WIDTH if width is None else (SURE_SHARE * width, width)
        return container_holds(query.condition, widths, lambda name: self._variable(container, name))

    def _is_asked(self, element: Element, query: ContainerQuery) -> bool:
        if query.types and query.types.isdisjoint((self._value(element, "container-type") or "").split()):
            return False
        return not query.name or query.name in (self._value(element, "container-name") or "").split()

    def _width(self, element: Element) -> float | None:
        """Of what is in it, where it is as wide as what is around it, or as a style says."""
        chain = [*takewhile(lambda each: each not in self._widths, (element, *ancestors(element)))]
        for each in reversed(chain):
            parent = each.parent
            around = self._widths[parent] if isinstance(parent, Element) else WINDOW_WIDTH
            self._widths[each] = self._measured(each, around)
        return self._widths[element]

    def _measured(self, element: Element, around: float | None) -> float | None:
        if around is None or not self._is_in_flow(element):
            return None
        said = self._value(element, "width")
        width = self._length(element, "width", around) if said else around - self._space(element, around)
        limits = [self._length(element, name, around) if self._value(element, name) else None for name in LIMITS]
        most, least = limits
        return max(min(width, around if most is None else most), least or 0.0) if width is not None else None

    def _is_in_flow(self, element: Element) -> bool:
        display, parent = self._value(element, "display") or "", element.parent
        is_block = (display and display in IN_FLOW) or element.tag in BLOCK_TAGS
        is_item = isinstance(parent, Element) and (self._value(parent, "display") or "").endswith(("flex", "grid"))
        is_out = any((self._value(element, name) or "none") in OUT for name in ("position", "float"))
        return bool(is_block) and display in IN_FLOW and not is_item and not is_out

    def _space(self, element: Element, around: float) -> float:
        said = [f"{kind}-{side}" for kind in ("margin", "padding") for side in SIDES[1::2]]
        given = {name: self._length(element, name, around) or 0.0 for name in said if self._value(element, name)}
        return sum(given.values()) if given else USUAL_SPACE.get(element.tag, 0.0)

    def _length(self, element: Element, name: str, around: float) -> float | None:
        return read_length(self._value(element, name) or "", UNIT_PIXELS | {"%": around / 100})


LIMITS = ("max-width", "min-width")
OUT = frozenset(("absolute", "fixed", "left", "right", "inline-start", "inline-end"))
