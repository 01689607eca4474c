"""Lines of text that are moved out of sight: by an indent, or by a margin of something before them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TypeAlias

from wellsourced.pages.html.boxes import BOXES, CHILDREN_AND_THEIRS, Boxes
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import is_far_across
from wellsourced.pages.html.css_values import read_length
from wellsourced.pages.html.dom import Element, Node, Text, nearest

Line: TypeAlias = tuple[bool, str]
"""Whether lines are written from right to left, and how they are aligned."""

# To work out where something is placed takes as long as so many tests of an element.
TESTS_A_PLACE = 100
HANDED_ON = frozenset((None, "inherit", "unset", "revert", "revert-layer"))


class Lines(Boxes):
    """`moved` are elements that take the rest of their line with them, `within` boxes that are gone with another.

    `pushed` are texts that stand in a line which has been moved.
    """

    def __init__(self, cascade: Cascade) -> None:
        super().__init__(cascade)
        self.moved: list[Element] = []
        self._run_down: set[Element] = set()
        self._ways: dict[Element, Element] = {}
        self._grown_in: set[Element] = set()
        self._directions: dict[Element, str | None] = {}
        self.cut_lines: set[Element] = set()
        """What stands in lines that are cut to their first part."""
        self.within: list[Element] = []
        self.pushed: list[Node] = []
        self.grown: list[tuple[set[Element], set[Element]]] = []
        """What stands at the left end of a block that is moved out of sight there, and what stands at its right."""
        self.walked: dict[bool, set[Node]] = {True: set(), False: set()}
        """What lines were followed through: those that end with the box they begin with, and others."""

    def _by_text_indent(self, element: Element, value: str, name: str) -> bool:
        """Only first lines are moved; it is handed on to the boxes within."""
        is_far, goes_back = is_far_across(value), (read_length(value) or 0.0) < 0
        # What is moved by all the width of its box stands beside what is painted behind it.
        if not is_far and element not in self.narrow:
            self.narrow.update(dict.fromkeys((element, *element.select("*"))))
        if not is_far and not self._keeps_one_line(element):
            return False
        waiting = [(element, self.said_nearest(element, "text-align"))]
        while waiting:
            indented, align = waiting.pop()
            if not is_far and self._holds_indent(indented, within=indented is not element):
                continue
            align = self.cascade.value(indented, "text-align") or align
            if not (align == "right" and goes_back):
                self._indent(indented)
            waiting += [
                (child, align)
                for child in indented
                if isinstance(child, Element) and self.cascade.said(child, name) in HANDED_ON
            ]
        return False

    def _indent(self, element: Element) -> None:
        if self.is_box(element) and (not self.is_table(element) or self._has_cell(element)):
            self._move_first_line(element)
        elif element.tag == "details":
            self.pushed += self._line_below_summary(element)

    def _holds_indent(self, element: Element, *, within: bool) -> bool:
        """Whether an indent of all its width leaves a line in sight, since what cuts that off is wider."""
        is_narrow = within and self.is_box(element) and not self._is_wide(element) and not self._keeps_one_line(element)
        return self._is_row(element) or is_narrow

    def _has_cell(self, element: Element) -> bool:
        """Whether it is a cell, or its text makes one."""
        return self.is_cell(element) or any(isinstance(node, Text) and node.data.strip() for node in element)

    def _keeps_one_line(self, element: Element) -> bool:
        """Whether what goes beyond the end of its line is cut off, or must be scrolled to."""
        is_cut = self.cascade.value(element, "overflow-x") not in {"", "visible"} and element.tag != "tr"
        return is_cut and self.said_nearest(element, "white-space") in {"nowrap", "pre"}

    def _move_first_line(self, element: Element) -> None:
        if not any(map(self.starts_line, element.select(CHILDREN_AND_THEIRS))):
            self.within.append(element)
            return
        self.pushed += self.line_from(element, is_gone=False)
        self.pushed += self._line_below_summary(element)
        if self.cascade.value(element, "display") in BOXES:
            # Each text among its boxes has a first line.
            self.pushed += [node for node in element if isinstance(node, Text)]

    def _line_below_summary(self, element: Element) -> Iterator[Node]:
        """What details open to is a box of its own, which has a first line too."""
        summary = element.select_one(":scope > summary") if element.tag == "details" else None
        below = () if summary is None else summary.next_siblings
        return takewhile(lambda node: not (isinstance(node, Element) and self.starts_line(node)), below)

    def _by_margin_left(self, element: Element, value: str, name: str) -> bool:
        """In a line it moves the rest of that line, in a row of boxes those that follow."""
        is_box, display = self.is_box(element), self.cascade.value(element, "display")
        if display == "none" or self.is_table_part(element):
            return False
        if self._is_ever_turned and self._lines_of(element.parent):
            return self._moves_lines_that_run_down(element)
        if not is_box or self.stands_in_line(element):
            self.moved.append(element)
            self.pushed += self._line_before(element) if self._is_from_right(element) else ()
            # One that is written from right to left itself has that margin at its end.
            is_from_right = (element.attr("dir") or self.cascade.value(element, "direction")).lower() == "rtl"
            self.pushed += self._last_line_in(element) if is_from_right else ()
        elif isinstance(element.parent, Element) and self._is_row(element.parent):
            self.pushed += self.all_after(element)
        is_seen = self.cascade.value(element, "float") in {"right", "inline-end"} or self._grows_left(element)
        return is_box and not is_seen

    def _grows_left(self, element: Element) -> bool:
        """Whether it is a block that its margin makes wider to the left, with lines at its right end that are seen."""
        in_row = isinstance(element.parent, Element) and self._is_row(element.parent)
        if in_row or not self._is_wide(element):
            return False
        if element in self._grown_in:
            # What is in it was placed with what is around it.
            return self.cascade.said(element, "margin-start") is None
        if not self._has_ends_at_right(element):
            return False
        direction = self._is_from_right(element)
        start = self._line_in(element, (direction, self.said_nearest(element.parent, "text-align") or "start"))
        if start[0] and self.cascade.said(element, "margin-start") is not None:
            # The margin is at the right.
            return False
        dark, lit = set[Element](), set[Element]()
        (lit if self._is_at_right(element, start) else dark).add(element)
        waiting = [(element, start)]
        while waiting:
            around, line = waiting.pop()
            if not self.cascade.index.may_ask(TESTS_A_PLACE * (1 + len(around))):
                return False
            for child in around:
                placed = self._placed_in(child, line, dark, lit) if isinstance(child, Element) else []
                self._grown_in.update(inner for inner, _ in placed)
                waiting += placed
        self.grown.append((dark, lit))
        return bool(lit)

    def _placed_in(
        self, child: Element, around: Line, dark: set[Element], lit: set[Element]
    ) -> list[tuple[Element, Line]]:
        """Says whether a child is at the right end, and hands it back where what is in it may be elsewhere."""
        floats, line = self.cascade.value(child, "float"), self._line_in(child, around)
        if floats in {"left", "right", "inline-start", "inline-end"}:
            (lit if floats in {"right", "inline-end"} else dark).add(child)
            return []
        if not self.is_box(child) or self.stands_in_line(child):
            return [] if self.is_box(child) else [(child, line)]
        is_wide = self._is_wide(child)
        (lit if (self._is_at_right(child, line) if is_wide else around[0]) else dark).add(child)
        return [(child, line)] if is_wide and not self._is_row(child) else []

    def _line_in(self, element: Element, around: Line) -> Line:
        direction = (element.attr("dir") or self.cascade.value(element, "direction")).lower()
        return direction == "rtl" if direction else around[0], self.cascade.value(element, "text-align") or around[1]

    def _is_at_right(self, element: Element, line: Line) -> bool:
        """Whether its lines, or the boxes of a row, stand at its right end."""
        is_from_right, align = line
        align = "start" if self._is_row(element) else align
        return align == "right" or align == ("start" if is_from_right else "end")

    def _is_wide(self, element: Element) -> bool:
        """Whether it is as wide as what is around it."""
        is_turned = self._is_ever_turned and bool(self._lines_of(element))
        is_wide = element.tag != "dialog" and self.cascade.value(element, "width") in {"", "auto"} and not is_turned
        is_split = self.cascade.value(element, "columns") not in {"", "auto"}
        return is_wide and not is_split and self.starts_line(element) and not self.is_table(element)

    def _has_ends_at_right(self, element: Element) -> bool:
        """Whether anything could put a line at the right end."""
        is_said = any(map(self.cascade.values, ("text-align", "direction")))
        is_from_right = self._is_from_right(element) or (element.attr("dir") or "").lower() == "rtl"
        return is_said or is_from_right or element.select_one("[dir=rtl i]") is not None

    def _moves_lines_that_run_down(self, element: Element) -> bool:
        """Where lines run from top to bottom it is a margin between blocks: those that follow are moved, and those that
        follow what is around it. What is as wide as its blocks has no width left then, and all of it is moved."""
        if not self.is_box(element):
            return False
        is_from_left = self._lines_of(element.parent) != "vertical-rl"
        outermost = self._push_all_below(element)
        is_page = outermost.tag in {"html", "body"}
        self.pushed += () if is_page or is_from_left or outermost in self._run_down else list(outermost)
        self._run_down.add(outermost)
        return is_from_left or not is_page

    def _push_all_below(self, element: Element) -> Element:
        """What lines that run down are in, outermost; what follows on the way up there is moved. Each way is gone once:
        many elements share most of theirs."""
        way, outermost = list[Element](), element
        while outermost not in self._ways and isinstance(around := outermost.parent, Element):
            if not self._lines_of(around):
                break
            self.pushed += self.all_after(outermost)
            way.append(outermost)
            outermost = around
        outermost = self._ways.get(outermost, outermost)
        self._ways.update(dict.fromkeys(way, outermost))
        return outermost

    def _is_from_right(self, element: Element) -> bool:
        """Whether its line begins at the right: then all before it in the line is moved with it."""
        return (nearest(element.parent, self._direction_said, self._directions) or "").lower() == "rtl"

    def _direction_said(self, element: Element) -> str | None:
        return element.attr("dir") or self.cascade.value(element, "direction") or None

    def _last_line_in(self, element: Element) -> Iterator[Node]:
        inner = reversed(list(element))
        return takewhile(lambda node: not (isinstance(node, Element) and self.starts_line(node)), inner)

    def _line_before(self, start: Element) -> Iterator[Node]:
        node: Node = start
        while self.cascade.index.may_ask(1):
            before, parent = node.previous_sibling, node.parent
            if before is None:
                if not isinstance(parent, Element) or self.starts_line(parent):
                    return
                node = parent
                continue
            if isinstance(before, Element) and self.starts_line(before):
                return
            yield before
            node = before

    def _is_row(self, element: Element) -> bool:
        is_flexible = self.cascade.value(element, "display") in {"flex", "inline-flex"}
        return is_flexible and not self.cascade.value(element, "flex-direction").startswith("column")

    def moved_with(self, start: Element, *, is_gone: bool) -> Iterator[Node]:
        """What is moved with an element to where a new line begins, which may be in it."""
        has_boxes = is_gone and not self.is_box(start) and any(map(self.starts_line, start.select(CHILDREN_AND_THEIRS)))
        return iter(()) if has_boxes else self.line_from(start, is_gone=is_gone)

    def line_from(self, start: Element, *, is_gone: bool) -> Iterator[Node]:
        """The texts and the boxes among them from here to where a new line begins.

        What is in an element that is gone is not looked at.

        Where another line was followed through before, it is not followed again: it would end at the same place.
        """
        node = self._after(start, start) if is_gone else start
        is_box = self.is_box(start)
        walked = self.walked[is_box]
        while node is not None and node not in self.walked[False] and not (is_box and node is start and node in walked):
            if isinstance(node, Text):
                yield node
            elif isinstance(node, Element) and node is not start and self.starts_line(node):
                return
            walked.add(node)
            display = self.cascade.value(node, "display") if isinstance(node, Element) else ""
            is_whole = node is not start and (
                display.startswith("inline-") or (isinstance(node, Element) and self.is_table_in_line(node))
            )
            if is_whole:
                yield node
            is_open = isinstance(node, Element) and not is_whole and display != "none"
            below = next(iter(node), None) if is_open else None
            node = below if below is not None else self._after(node, start)

    def _after(self, node: Node, start: Element) -> Node | None:
        """What follows in the same block, itself left aside."""
        while node.next_sibling is None:
            parent = node.parent
            if not isinstance(parent, Element) or self.starts_line(parent) or (parent is start and self.is_box(start)):
                return None
            node = parent
        return node.next_sibling
