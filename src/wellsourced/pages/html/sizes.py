"""Boxes without room for their text, and what has its place where a box has been cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, dropwhile, islice

from wellsourced.pages.html.boxes import BOXES, HOLDING, REPLACED, WILL_HOLD
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.clips import TESTS_A_CHILD, Clips
from wellsourced.pages.html.css_properties import SLIVER, will_change
from wellsourced.pages.html.css_values import FONT_SIZE, read_length, read_number
from wellsourced.pages.html.dom import BLOCK_TAGS, Element, Node, Text, ancestors, nearest
from wellsourced.pages.html.font_sizes import FontSizes

# Room for a line of text, and for some words beside each other.
LEAST_PADDING, NARROWEST = 8.0, 50.0
# Below the margin that browsers give to these nothing is left of a padding that would show a line.
USUAL_MARGIN, WITH_MARGINS = 16.0, ("h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "dl", "blockquote", "figure", "h1")
USUAL_PADDING = {"dialog": 16.0}
LISTS = frozenset(("ul", "ol"))
CHILDREN_WITH_MARGINS = f":scope > :is({', '.join(WITH_MARGINS)})"
PADDINGS = ("padding-top", "padding-bottom")
SQUEEZES = frozenset(("width", "height", "max-width", "max-height"))
# A box that is lower than this holds a line or two; a line takes up at least the others.
LOWEST_END, LEAST_LINE = 60.0, 10.0
# Nobody scrolls in a box that is lower than this.
LOWEST_SCROLLED = 40.0
DEEPEST_CUT = 5
# So wide is a letter with what is between letters.
LETTER = 8.0
CUTTERS = ("overflow-y", "contain", "content-visibility")
CUTTING = ("paint", "strict", "content", "auto")
ONE_BELOW_THE_OTHER = frozenset(("", "block", "flow-root", "list-item", "inline-block"))
ONE_COLUMN = frozenset(("", "none", "subgrid"))
# In a box with more text than this one may scroll.
LONGEST_UNSCROLLED = 100
ROOM_BELOW = ("height", "min-height", "padding-bottom")


class Sizes(Clips):
    """Looks at single elements with the values that won; `ground_known` where there are no sheets from elsewhere."""

    def __init__(self, cascade: Cascade, *, ground_known: bool) -> None:
        super().__init__(cascade)
        self.ground_known = ground_known
        self._boxes_around: dict[str, dict[Element, Element | None]] = {}

    def _is_squeezed(self, element: Element, name: str) -> str:
        across = "width" in name
        if not self._cuts(element, "overflow-x" if across else "overflow-y") or not self.is_box(element):
            return ""
        if element.tag in {"html", "body"} and self._leaves_cutting(element, name):
            return ""
        if name != "line-height" and self.is_table(element) and not self._may_shrink(element, name):
            return ""
        paddings = ("padding-left", "padding-right") if across else PADDINGS
        is_narrow = across or (self._length(element, "width") or 99) <= SLIVER
        room = max(self._padding(element, padding) for padding in paddings)
        if room and room >= (NARROWEST if is_narrow else max(LEAST_PADDING, self._above_letters(element))):
            self.within += [] if across or room >= USUAL_MARGIN else element.select(CHILDREN_WITH_MARGINS)
            return ""
        if (self._length(element, "min-width" if across else "min-height") or 0) > SLIVER:
            return ""
        if name == "line-height" and ((self._length(element, "height") or 0) > SLIVER or self.holds_margins(element)):
            return ""
        limit = self._length(element, f"max-{name}") if name in {"width", "height"} else None
        # Both at once keep text for other readers only; a closed panel has lost its height alone.
        return "away" if across or (limit is None and (self._length(element, "width") or 99) <= SLIVER) else "folded"

    def _by_margin_top(self, element: Element, value: str, name: str) -> bool:
        is_moved = self.is_box(element) and not self.is_table_part(element)
        self.pushed += self._moved_after(element) if is_moved else ()
        return is_moved

    def _by_margin_bottom(self, element: Element, value: str, name: str) -> bool:
        self.pushed += self._moved_after(element)
        return False

    def _moved_after(self, element: Element) -> Iterator[Node]:
        """What follows a block that is moved up, or that takes what follows up: also what follows those around it that
        begin with it."""
        parent = element.parent
        while self.ground_known and isinstance(parent, Element) and self.starts_line(element):
            if not self._is_one_below_the_other(parent) or not self.cascade.index.may_ask(1):
                return
            yield from element.next_siblings
            has_room = self._padding(parent, "padding-top") or self._cuts(parent, "overflow-y")
            if has_room or self._has_text(element.previous_siblings):
                return
            element, parent = parent, parent.parent

    def _has_text(self, nodes: Iterable[Node]) -> bool:
        return any(node.text.strip() for node in nodes if self.cascade.index.may_ask(1))

    def _above_letters(self, element: Element) -> float:
        """How far below the beginning of a high line its letters can be seen."""
        said = self.said_nearest(element, "line-height") if self.cascade.values("line-height") else ""
        height = (read_number(said) or 0.0) * FONT_SIZE or read_length(said) or 0.0
        return (height - FONT_SIZE) / 2 + LEAST_PADDING / 4

    def holds_margins(self, element: Element) -> bool:
        if element.tag == "details" and element.attr("open") is None:
            return False
        boxes = element.select(f"{CHILDREN_WITH_MARGINS}, :scope > dialog[open]")
        return any(self._margin_above(box) or self._padding(box, "padding-top") for box in boxes)

    def _leaves_cutting(self, element: Element, name: str) -> bool:
        """Of what is around the whole page: whether the window cuts in its place, or nothing is to be cut."""
        if element.tag == "html":
            return not any(word in self.cascade.value(element, "contain") for word in CUTTING)
        said = [self.cascade.value(each, "overflow-y") for each in ancestors(element)]
        said += [self.cascade.value(element, each) for each in ("contain", "container-type")]
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

    def _by_contain(self, element: Element, value: str, name: str) -> bool:
        """What has no size by its content has none at all unless a style gives it one."""
        parent = element.parent
        height = max(self._length(element, each) or 0.0 for each in ("height", "min-height"))
        is_sized = height > SLIVER
        is_stretched = isinstance(parent, Element) and self._stretches(parent, element)
        if is_sized and height < LOWEST_END and self.ground_known and self.is_box(element):
            self.pushed += self._below(element, height + self._padding(element, "padding-bottom"))
        is_held = all(self.cascade.value(element, side) not in {"", "auto"} for side in ("top", "bottom"))
        is_wide = element.tag != "dialog" and self.starts_line(element)
        if not is_sized and is_wide and max(rooms := [self._length(element, side) or 0 for side in PADDINGS]) > 0:
            self.pushed += self._below(element, sum(rooms) - SLIVER)
            is_sized = max(rooms) >= LEAST_PADDING
        is_free = self.is_box(element) and not self.is_table(element)
        has_no_width = self.ground_known and self._is_shrunk(element) and not is_stretched
        return is_free and (has_no_width or not (is_sized or is_stretched or is_held))

    def _stretches(self, parent: Element, item: Element) -> bool:
        """Whether it gets its size in a grid from others, or takes what is left of a row."""
        is_grid = self.cascade.value(parent, "grid-template-columns") not in ONE_COLUMN
        grows = self._is_row(parent) and self.cascade.value(item, "flex-grow") not in {"", "0"}
        is_high = bool(self._length(parent, "height") or self._length(parent, "min-height"))
        return (is_grid or grows) and (is_high or self._has_text(node for node in parent if node is not item))

    def _by_container_type(self, element: Element, value: str, name: str) -> bool:
        """Its content gives it no width, where nothing else does: it is cut off, or beside what is painted behind."""
        around = [*self._shrunk_with(element)] if self.ground_known else []
        inner = element.select("*") if around and self.cascade.index.may_ask(TESTS_A_CHILD) else []
        self.narrow.update(dict.fromkeys((*around[:1], *inner)))
        fresh = [each for each in inner if each in self._cutting]
        self._cutting.difference_update(fresh)
        self.within += self._cut_in_narrow(fresh)
        return any(self._cuts(each, "overflow-x") or self._is_cut_to_box(each) for each in around)

    @cached_property
    def _cutting(self) -> set[Element]:
        """Each is looked at once, in the first box without width that it is in."""
        return {each for name in (*CUTTERS, "overflow-x") for each in self.cascade.winners(name)}

    def _cut_in_narrow(self, inner: list[Element]) -> Iterator[Element]:
        """What is as wide as a box without width, and cuts off what is wider."""
        for each in inner:
            is_as_wide = self.starts_line(each) and not self._length(each, "width")
            if is_as_wide and self._cuts(each, "overflow-x") and not self._length(each, "min-width"):
                yield each

    def _shrunk_with(self, element: Element) -> Iterator[Element]:
        """Itself, and what around it has no width without it; nothing where it has a width of its own."""
        if self.is_table(element):
            return
        around = [element]
        while not self._is_shrunk(around[-1]):
            parent = around[-1].parent
            if not isinstance(parent, Element) or len(around) > DEEPEST_CUT or not self._is_alone(around[-1], parent):
                return
            around.append(parent)
        yield from around

    def _is_alone(self, element: Element, parent: Element) -> bool:
        """Whether nothing else is shown of what is around it."""
        is_shut = element.tag == "summary" and parent.tag == "details" and parent.attr("open") is None
        if is_shut or not self.cascade.index.may_ask(TESTS_A_CHILD * len(parent)):
            return True
        return not self._has_text(node for node in parent if node is not element)

    def _is_shrunk(self, element: Element) -> bool:
        """Whether it is as wide as its content."""
        parent = element.parent
        is_item = isinstance(parent, Element) and self._is_row(parent)
        is_item = is_item and self.cascade.value(element, "flex-grow") in {"", "0"}
        is_table = self.is_table(element) or (element.tag == "dialog" and self.is_box(element))
        is_shrunk = is_item or is_table or self._is_out_of_flow(element) or self.stands_in_line(element)
        is_sized = any((self._length(element, each) or 0) > SLIVER for each in ("width", "min-width", "flex-basis"))
        is_held = all(self.cascade.value(element, side) not in {"", "auto"} for side in ("left", "right"))
        return is_shrunk and not (is_sized or is_held)

    def _is_cut_to_box(self, element: Element) -> bool:
        return self.cascade.value(element, "clip-path").endswith("-box")

    def _cuts(self, element: Element, axis: str) -> bool:
        """Whether what goes beyond the box is not shown."""
        held = " ".join([self.cascade.value(element, name) for name in CUTTERS[1:]])
        return self.cascade.value(element, axis) not in {"", "visible"} or any(word in held for word in CUTTING)

    def _by_flex_basis(self, element: Element, value: str, name: str) -> bool:
        """In a row of boxes it goes before the width, unless the box takes what is left of the row."""
        parent = element.parent
        is_item = isinstance(parent, Element) and self._is_row(parent)
        grows = self.cascade.value(element, "flex-grow") not in {"", "0"}
        return is_item and not grows and self._is_squeezed(element, "width") != ""

    def _is_closed_grid(self, element: Element) -> str:
        """As panels are kept closed whose height is not known."""
        boxes = [child for child in element if isinstance(child, Element)]
        is_grid = self.cascade.value(element, "display") in {"grid", "inline-grid"}
        is_closed = len(boxes) == 1 and self._is_squeezed(boxes[0], "height") != ""
        return "folded" if is_grid and is_closed else ""

    def cut_off(self) -> Iterator[Node]:
        """What has its place below the end of a box that cuts off all beyond it."""
        if not any(map(self.cascade.values, CUTTERS)):
            return
        laid: dict[Element, list[Element]] = {}
        for element, position in self.cascade.winners("position").items():
            if position == "absolute" and self._is_laid_in_place(element):
                box = self.box_around(element, position)
                if box is not None and self._ends_with_text(box, element) and self.cascade.index.may_ask(1):
                    laid.setdefault(box, []).append(element)
        for box, elements in laid.items():
            yield from elements if self._is_empty(box) else self._laid_beyond(box, elements)
        for box in self.cascade.elements_with("overflow-y", "clip"):
            yield from box if self._has_no_height(box) else self._floats_below_end(box)
        yield from self._cut_without_lines()
        sized = self.cascade.winners("height").keys() | self.cascade.winners("max-height").keys()
        for box in dict.fromkeys(chain(*(self.cascade.winners(name) for name in CUTTERS))) if sized else ():
            is_cut = box in sized and self._cuts(box, "overflow-y")
            if is_cut and (end := self._low_end(box)) and not (end > LOWEST_SCROLLED and self._scrolls(box)):
                yield from self._below(box, end - SLIVER)

    def _cut_without_lines(self) -> Iterator[Element]:
        """Boxes that are handed on a height of lines that leaves nothing of them."""
        has_low_lines = self.ground_known and self.cascade.is_suspect("line-height")
        for box in dict.fromkeys(chain(*map(self.cascade.winners, CUTTERS))) if has_low_lines else ():
            around = islice((box, *ancestors(box)), DEEPEST_CUT) if self.cascade.index.may_ask(DEEPEST_CUT) else ()
            said = next(filter(None, (self.cascade.value(each, "line-height") for each in around)), "normal")
            if said in self.cascade.hiding_values("line-height") and self._is_squeezed(box, "line-height"):
                yield box

    def _laid_beyond(self, box: Element, laid: list[Element]) -> Iterator[Element]:
        """What is below the text of a box, or to the right of it where the box is no wider than its text."""
        blocks = [*filter(self._is_laid_below, laid)]
        yield from self._after_all_text(box, set(laid if self._is_shrunk(box) else blocks))
        is_line = self.cascade.value(box, "display") not in BOXES and not any(map(self._is_block_in_flow, box))
        if is_line and len(box.text.strip()) <= LONGEST_UNSCROLLED:
            yield from (each for each in blocks if each.parent is box and self._has_text(each.previous_siblings))

    def _is_block_in_flow(self, node: Node) -> bool:
        return isinstance(node, Element) and self.starts_line(node)

    def _floats_below_end(self, box: Element) -> Iterator[Node]:
        """What floats at the end of a box that does not grow with it: all but its first line is cut off."""
        is_plain = self.cascade.value(box, "display") in {"", "block", "list-item"} and not self._is_out_of_flow(box)
        for node in reversed(list(box)) if is_plain and self.ground_known else ():
            if not self.cascade.index.may_ask(1) or (isinstance(node, Element) and self.starts_line(node)):
                return
            if isinstance(node, Element) and self.cascade.value(node, "float") not in {"", "none"}:
                top = self._margin_above(node)
                yield from [node] if top >= LEAST_PADDING else self._below(node, FONT_SIZE - SLIVER)

    def _scrolls(self, box: Element) -> bool:
        return self.cascade.value(box, "overflow-y") in {"auto", "scroll", "overlay"}

    def _low_end(self, box: Element) -> float:
        """Where a box for a line or two ends, 0 where it holds more or grows with what is in it."""
        sizes = [size for name in ("height", "max-height") if (size := self._length(box, name)) is not None]
        end = max(min(sizes, default=LOWEST_END), self._length(box, "min-height") or 0.0)
        end += sum(self._padding(box, each) for each in PADDINGS) if end < LOWEST_END else 0.0
        if end >= LOWEST_END or not self.is_box(box) or self.is_table(box):
            return 0.0
        return 0.0 if box.tag in {"html", "body"} and self._leaves_cutting(box, "height") else end

    def _below(self, box: Element, end: float, depth: int = 0) -> Iterator[Node]:
        """What begins below: what stands before it is at least as high as styles say, or as a line."""
        if depth == DEEPEST_CUT:
            return
        if self._is_row_or_grid(box):
            yield from self._below_in_row(box, end - self._padding(box, "padding-top"), depth)
        elif self._is_turned(box):
            yield from (node for node in box if isinstance(node, Element))
        elif self.cascade.value(box, "columns") not in {"", "auto"}:
            # How much stands in the first line of each is not known.
            yield from dropwhile(lambda node: not node.text.strip(), self._flow(box))
        else:
            yield from self._below_in_flow(box, end, depth)

    def _below_in_flow(self, box: Element, end: float, depth: int) -> Iterator[Node]:
        line, room = self._least_line(box), (self._length(box, "width") or 0.0) / LETTER
        top, is_line = line * (box.tag == "details") + self._padding(box, "padding-top"), False
        letters = 0
        display = self.cascade.value(box, "display")
        for node in self._flow(box) if self._is_one_below_the_other(box) or display in BOXES else ():
            if isinstance(node, Element) and self.cascade.value(node, "display") == "none":
                continue
            if not self.cascade.index.may_ask(1) or (isinstance(node, Element) and self._goes_back(node)):
                return
            if isinstance(node, Element) and self.starts_line(node):
                top += line * is_line
                # The margin of a first block is one with that of what is around it.
                top += self._margin_above(node) if top or not depth else 0.0
                is_line, letters = False, 0
            is_turned = isinstance(node, Element) and self._is_turned(node)
            if is_turned or top + self._shift(node) + line * (letters // room if room else 0) >= end:
                yield node
            elif isinstance(node, Element) and self.starts_line(node):
                yield from self._below(node, end - top, depth + 1)
                top += self._length(node, "height") or line * bool(node.text.strip())
            else:
                is_line |= bool(node.text.strip()) and not (isinstance(node, Element) and self._is_out_of_flow(node))
                letters += len(node.text.strip()) + 1

    def _is_row_or_grid(self, box: Element) -> bool:
        """Whether things stand beside each other in it."""
        is_grid = self.cascade.value(box, "display") in {"grid", "inline-grid"}
        return self._is_row(box) or (is_grid and self.cascade.value(box, "grid-template-columns") not in ONE_COLUMN)

    def _below_in_row(self, row: Element, end: float, depth: int) -> Iterator[Node]:
        """Of what stands beside each other each begins at the top."""
        for item in row:
            if isinstance(item, Element) and self.cascade.index.may_ask(1) and not self._goes_back(item):
                top = max(0.0, self._margin_above(item) + self._shift(item))
                yield from [item] if top >= end else self._below(item, end - top, depth + 1)

    def _least_line(self, box: Element) -> float:
        return max(LEAST_LINE, self._fonts.of(box)) if self._has_usual_lines else LEAST_LINE

    @cached_property
    def _fonts(self) -> FontSizes:
        return FontSizes(self.cascade)

    @cached_property
    def _has_usual_lines(self) -> bool:
        """Whether lines are at least as high as their letters."""
        said = self.cascade.values("line-height") | self.cascade.values("zoom")
        return self.ground_known and all((read_number(value) or 0) >= 1 for value in said - {"normal"})

    def _flow(self, box: Element, depth: int = 0) -> Iterator[Node]:
        """What is in a box, with what is in its lines one by one where there may be blocks among it."""
        for node in box:
            is_line = isinstance(node, Element) and node.tag != "br" and not self.is_box(node) and depth < DEEPEST_CUT
            yield from self._flow(node, depth + 1) if is_line and isinstance(node, Element) else (node,)

    def _margin_above(self, element: Element) -> float:
        has_usual = self.ground_known and element.tag in WITH_MARGINS and not _is_inner_list(element)
        zoom = read_number(self.cascade.value(element, "zoom") or "1") or 1.0
        if has_usual and self.cascade.said(element, "margin-top") is None:
            return USUAL_MARGIN * zoom
        return (self._length(element, "margin-top") or 0.0) * zoom

    def _shift(self, node: Node) -> float:
        if not isinstance(node, Element):
            return 0.0
        if self.cascade.value(node, "position") in {"relative", "absolute"}:
            return self._length(node, "top") or 0.0
        return self._margin_above(node) if self._is_out_of_flow(node) else 0.0

    def _is_one_below_the_other(self, box: Element) -> bool:
        """Whether its blocks are neither in columns nor in rows."""
        display = self.cascade.value(box, "display")
        return display in ONE_BELOW_THE_OTHER and not self.cascade.value(box, "columns")

    def _goes_back(self, element: Element) -> bool:
        """Whether it, or what follows, lies on what stands before it."""
        margins = (self._length(element, name) or 0 for name in ("margin-top", "margin-bottom"))
        return min(margins) < 0

    def _is_laid_below(self, element: Element) -> bool:
        return element.tag in BLOCK_TAGS and self.cascade.said(element, "display") is None

    def _is_laid_in_place(self, element: Element) -> bool:
        """Whether no side of it is held, or by an anchor alone that there is not."""
        sides = [self.cascade.value(element, side) for side in ("top", "bottom")]
        return all(side in {"", "auto"} or ("anchor(" in side and not self._has_anchors) for side in sides)

    @cached_property
    def _has_anchors(self) -> bool:
        return any(name.startswith("--") for name in self.cascade.winners("anchor-name").values())

    def _ends_with_text(self, box: Element, laid: Element) -> bool:
        """Whether a box cuts off what is laid below its text, for which it has no room."""
        is_page = box.tag in {"html", "body"} and self._leaves_cutting(box, "height")
        is_cut = self._cuts(box, "overflow-y") and self.is_box(box) and not is_page
        if not is_cut or (self._scrolls(box) and not self.cascade.index.may_ask(1)):
            return False
        is_long = self._scrolls(box) and len(box.text.strip()) > LONGEST_UNSCROLLED
        room = max(self._length(box, name) or 0.0 for name in ROOM_BELOW)
        above = max(self._padding(laid, "padding-top"), self._margin_above(laid))
        return not is_long and (room <= LEAST_PADDING or room <= above + 2 * LEAST_LINE + SLIVER * (above > 0))

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

    def box_around(self, element: Element, position: str) -> Element | None:
        """The nearest one around it in which it has its place if it is positioned."""
        known = self._boxes_around.setdefault(position, {})
        return nearest(element.parent, lambda above: above if self.holds_place(above, position) else None, known)

    def holds_place(self, element: Element, position: str) -> bool:
        """Whether what is positioned within has its place in it."""
        is_placed = self.cascade.value(element, "position") not in {"", "static"} and position == "absolute"
        is_held = any(self.cascade.value(element, name) not in {"", "none"} for name in HOLDING)
        return is_placed or is_held or will_change(self.cascade.value(element, "will-change"), WILL_HOLD)


def _is_inner_list(element: Element) -> bool:
    """Browsers give lists within lists no margins."""
    return element.tag in LISTS and any(above.tag in LISTS for above in ancestors(element))
