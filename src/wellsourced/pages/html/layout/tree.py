"""The boxes that elements and texts make, with those that nobody wrote: around parts of tables, around texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wellsourced.pages.html.dom import Element, Node, Text
from wellsourced.pages.html.layout.style import LISTS, Said, Style, Styles

REPLACED = frozenset(
    ("img", "input", "textarea", "select", "video", "iframe", "svg", "canvas", "object", "audio", "embed", "progress",
     "meter", "math")
)  # fmt: skip
GROUPS = frozenset(("table-row-group", "table-header-group", "table-footer-group"))
PART_KINDS = {"table-row": "row", "table-cell": "cell", "table-caption": "caption"} | dict.fromkeys(GROUPS, "group")
PART_KINDS |= {"table-column": "column", "table-column-group": "column"}
PARTS = frozenset(PART_KINDS.values())
KINDS = {
    "flex": "flex", "inline-flex": "flex", "grid": "grid", "inline-grid": "grid", "table": "table",
    "inline-table": "table", **PART_KINDS,
}  # fmt: skip
NO_LISTS: frozenset[str] = frozenset()
EDGES_IN_LINE = ("padding-left", "padding-right", "margin-left", "margin-right")
MARKER_WIDTH = 1.056
DEEPEST, MOST_BOXES = 90, 15_000


class TooMuch(Exception):
    """The page is too deep, too large, or too much work."""


class Margin(NamedTuple):
    """The largest of several margins that fall into one, and the smallest of those below nothing."""

    most: float = 0.0
    least: float = 0.0

    def with_one(self, margin: float) -> Margin:
        return Margin(max(self.most, margin), min(self.least, margin))

    def joined(self, other: Margin) -> Margin:
        return Margin(max(self.most, other.most), min(self.least, other.least))

    @property
    def size(self) -> float:
        return self.most + self.least


NO_MARGIN = Margin()


class LineToken(NamedTuple):
    """A part of a line: `kind` is "open", "reopen", "close", "text", "atomic", "float", "placed" or "break"."""

    kind: str
    box: Box


class Piece(NamedTuple):
    """What is not parted in a line: a "word", a "space" or one of the other tokens."""

    kind: str
    box: Box
    text: str = ""
    width: float = 0.0


class Run:
    """What stands in lines between two blocks."""

    __slots__ = ("has_lines", "pieces", "tokens")

    def __init__(self, tokens: list[LineToken]) -> None:
        self.tokens = tokens
        self.pieces: list[Piece] | None = None
        self.has_lines = any(_makes_line(token) for token in tokens)


def _makes_line(token: LineToken) -> bool:
    if token.kind == "text":
        return not is_blank(token.box)
    if token.kind in {"open", "close"}:
        own = token.box.style.own
        return "border" in own or any(own.get(side, "0px") not in {"0", "0px", "auto"} for side in EDGES_IN_LINE)
    return token.kind in {"atomic", "break"}


class LaidWord:
    """A word, or what is left of one, and where it stands in the box that its line is in."""

    __slots__ = ("box", "h", "line", "text", "w", "x", "y")

    def __init__(self, box: Box, text: str, place: tuple[float, float, float, float], line: int) -> None:
        self.box, self.text, self.line = box, text, line
        self.x, self.y, self.w, self.h = place


class Box:
    """`level` is "block", "inline", "part" of a table, "float" or "placed".

    Places are in pixels from the upper left corner of the box that laid it out, its `holder`. What stands in lines is
    with the block that has the lines: `words`, and `rects` of the inline boxes in each line; `laid` are the boxes.
    """

    __slots__ = (
        "baseline", "children", "collapses", "ends", "h", "holder", "is_parted", "items", "kind", "laid", "level",
        "line", "lines", "marker", "node", "parent", "rects", "sizes", "static", "style", "top", "w", "words", "x", "y",
    )  # fmt: skip

    def __init__(self, kind: str, level: str, style: Style, node: Node | None, parent: Box | None) -> None:
        self.kind, self.level, self.style, self.node, self.parent = kind, level, style, node, parent
        self.children: list[Box] = []
        self.x = self.y = self.w = self.h = 0.0
        self.words: list[LaidWord] = []
        self.line = self.lines = 0
        """After how many lines of its holder it stands, and how many it has itself."""
        self.rects: list[tuple[Box, list[float], int]] = []
        self.laid: list[Box] = []
        self.sizes: tuple[float, float] | None = None
        self.baseline: tuple[float | None, float | None] = (None, None)
        self.static = (0.0, 0.0)
        self.marker = 0.0
        self.holder: Box | None = None
        self.items: list[Box | Run] | None = None
        self.collapses: bool | None = None
        self.top: Margin | None = None
        self.ends: Margin = NO_MARGIN
        self.is_parted = False
        """Whether it is an inline box that a block within parts."""

    @property
    def is_in_flow(self) -> bool:
        return self.level not in {"float", "placed"}

    def __repr__(self) -> str:
        name = self.node.tag if isinstance(self.node, Element) else "text" if self.node is not None else "-"
        return f"<{name} {self.kind}/{self.level} {self.x:.0f},{self.y:.0f} {self.w:.0f}x{self.h:.0f}>"


class TreeMaker:
    """Makes the boxes of a page."""

    def __init__(self, styles: Styles) -> None:
        self.styles = styles
        self.count = 0
        self.by_node: dict[Node, Box] = {}
        self.placed: list[Box] = []
        self.style_of: dict[Element, Style] = {}

    def make(self, root: Element) -> Box | None:
        style = self.styles.of(root, None, NO_LISTS)
        self.style_of[root] = style
        if _hides(style):
            return None
        box = self._box(root, style, None)
        self._fill(box, root, style, NO_LISTS, 0)
        return box

    def _box(self, element: Element, style: Style, parent: Box | None) -> Box:
        kind, level = _kind_and_level(element, style, parent)
        box = Box(kind, level, style, element, parent)
        self.by_node[element] = box
        self._count(box)
        if level == "placed":
            self.placed.append(box)
        if element.tag == "summary" and style.display == "list-item" and _is_head(element):
            box.marker = MARKER_WIDTH * style.font
        return box

    def _count(self, box: Box) -> None:
        self.count += 1
        if self.count > MOST_BOXES:
            raise TooMuch

    def _fill(self, box: Box, element: Element, style: Style, lists: frozenset[str], depth: int) -> None:
        if depth > DEEPEST:
            raise TooMuch
        if box.kind in {"replaced", "break", "column"}:
            return
        if element.tag == "details":
            self._fill_details(box, element, style, lists, depth)
        else:
            self._add(box, element, style, lists, depth)
        _wrap_parts(box)

    def _fill_details(self, box: Box, details: Element, style: Style, lists: frozenset[str], depth: int) -> None:
        head = next((e for e in details if isinstance(e, Element) and e.tag == "summary"), None)
        if head is not None:
            self._add_nodes(box, [head], style, lists, depth)
        content = anonymous("block", "block", box, style)
        if details.attr("open") is not None:
            self._add_nodes(content, [node for node in details if node is not head], style, lists, depth)
        box.children.append(content)
        _wrap_parts(content)

    def _add(self, box: Box, element: Element, style: Style, lists: frozenset[str], depth: int) -> None:
        lists = lists | {element.tag} if element.tag in LISTS else lists
        self._add_nodes(box, element, style, lists, depth)

    def _add_nodes(self, box: Box, nodes: Iterable[Node], style: Style, lists: frozenset[str], depth: int) -> None:
        for node in nodes:
            if isinstance(node, Text):
                text = Box("text", "inline", style, node, box)
                self._count(text)
                box.children.append(text)
                self.by_node[node] = text
            elif isinstance(node, Element):
                self._add_element(box, node, style, lists, depth)

    def _add_element(self, box: Box, element: Element, around: Style, lists: frozenset[str], depth: int) -> None:
        style = self.styles.of(element, around, lists)
        self.style_of[element] = style
        if _hides(style):
            return
        if style.display == "contents" and element.tag not in REPLACED:
            if depth > DEEPEST:
                raise TooMuch
            if element.tag == "details":
                head = next((e for e in element if isinstance(e, Element) and e.tag == "summary"), None)
                self._add_nodes(box, [head] if head is not None else [], style, lists, depth + 1)
                if element.attr("open") is not None:
                    content = anonymous("block", "block", box, style)
                    self._add_nodes(content, [node for node in element if node is not head], style, lists, depth + 1)
                    box.children.append(content)
                    _wrap_parts(content)
                return
            self._add(box, element, style, lists, depth + 1)
            return
        child = self._box(element, style, box)
        box.children.append(child)
        self._fill(child, element, style, lists, depth + 1)


def _hides(style: Style) -> bool:
    return style.display == "none" or "(" in style.display


def _is_head(summary: Element) -> bool:
    return isinstance(summary.parent, Element) and summary.parent.tag == "details"


def anonymous(kind: str, level: str, parent: Box, around: Style) -> Box:
    """A box without an element, with what it takes on from those around it."""
    displays = {"table": "inline-table" if level == "inline" else "table", "row": "table-row", "cell": "table-cell"}
    own: Said = {"display": displays.get(kind, "block")}
    return Box(kind, level, Style("", own, around), None, parent)


def _kind_and_level(element: Element, style: Style, parent: Box | None) -> tuple[str, str]:
    display = style.display
    is_item = parent is not None and parent.kind in {"flex", "grid"}
    is_apart = bool(style.is_placed or style.floats or is_item or parent is None)
    if element.tag == "br":
        return "break", "inline"
    level = "placed" if style.is_placed else "float" if style.floats and not is_item else ""
    if element.tag in REPLACED or "url(" in style.get("content"):
        return "replaced", level or ("block" if is_apart or not display.startswith("inline") else "inline")
    kind = KINDS.get(display, "inline" if display == "inline" else "block")
    if is_apart:
        kind = "block" if kind in PARTS or kind == "inline" else kind
        return kind, level or "block"
    if kind in PARTS:
        return kind, "part"
    if kind == "inline" and parent is not None and parent.style.mode != style.mode:
        return "block", "inline"
    return kind, "inline" if display.startswith("inline") else "block"


def is_blank(box: Box) -> bool:
    """Whether it is a text of which nothing stands on a line of its own."""
    return (
        box.kind == "text"
        and isinstance(box.node, Text)
        and not box.style.keeps_spaces
        and not box.node.data.strip(" \t\n\r\f")
    )


def _wrap_parts(box: Box) -> None:
    """Parts of tables get what is missing around them."""
    if box.kind == "table":
        _wrap(box, {"group", "row", "caption", "column"}, "row")
    elif box.kind == "group":
        _wrap(box, {"row"}, "row")
    elif box.kind == "row":
        _wrap(box, {"cell"}, "cell")
    elif box.kind in {"flex", "grid"}:
        _wrap_texts(box)
    elif any(child.level == "part" for child in box.children):
        _wrap_in_tables(box)


def _wrap(box: Box, kept: set[str], kind: str) -> None:
    """All children that are of no kept kind in boxes of one kind, as many as stand together in one."""
    children = list[Box]()
    waiting = list[Box]()
    for child in [*box.children, None]:
        if child is not None and not (child.level == "part" and child.kind in kept):
            waiting.append(child)
            continue
        while waiting and is_blank(waiting[-1]):
            waiting.pop()
        while waiting and is_blank(waiting[0]):
            waiting.pop(0)
        if waiting:
            wrapper = _wrapped(waiting, kind, "part", box)
            children.append(wrapper)
            waiting = []
        if child is not None:
            children.append(child)
    box.children = children


def _wrapped(boxes: list[Box], kind: str, level: str, parent: Box) -> Box:
    wrapper = anonymous(kind, level, parent, parent.style)
    wrapper.children = boxes
    for box in boxes:
        box.parent = wrapper
    _wrap_parts(wrapper)
    return wrapper


def _wrap_in_tables(box: Box) -> None:
    children = list[Box]()
    run = list[Box]()
    blanks = list[Box]()
    for child in [*box.children, None]:
        if child is not None and child.level == "part":
            run += blanks
            blanks = []
            run.append(child)
        elif child is not None and run and is_blank(child):
            blanks.append(child)
        else:
            if run:
                children.append(_wrapped(run, "table", "inline" if box.kind == "inline" else "block", box))
                run = []
            children += blanks
            blanks = []
            if child is not None:
                children.append(child)
    box.children = children


def boxes_in(box: Box) -> Iterator[Box]:
    """It and all within, each before what is in it."""
    waiting = [box]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += reversed(each.children)


def _wrap_texts(box: Box) -> None:
    """Texts between items of a row or a grid are items of their own."""
    children = list[Box]()
    for child in box.children:
        if child.kind not in {"text", "break"}:
            children.append(child)
        elif not is_blank(child):
            children.append(_wrapped([child], "block", "block", box))
    box.children = children


def flow_items(box: Box) -> list[Box | Run]:
    """The blocks of a box and the lines between them; a block within a line parts the line."""
    if box.items is None:
        box.items = _read_items(box)
    return box.items


def _read_items(box: Box) -> list[Box | Run]:
    items: list[Box | Run] = []
    tokens: list[LineToken] = []
    opened: list[Box] = []
    waiting: list[tuple[str, Box]] = [("", child) for child in reversed(box.children)]
    while waiting:
        mark, child = waiting.pop()
        if mark:
            tokens.append(LineToken("close", opened.pop()))
        elif child.level == "block":
            items += [Run(tokens)] if tokens else []
            items.append(child)
            tokens = [LineToken("reopen", each) for each in opened]
            for each in opened:
                each.is_parted = True
        elif child.kind == "inline" and child.level == "inline":
            tokens.append(LineToken("open", child))
            opened.append(child)
            waiting.append(("close", child))
            waiting += [("", each) for each in reversed(child.children)]
        else:
            tokens.append(LineToken(_token_kind(child), child))
    return [*items, Run(tokens)] if tokens else items


def _token_kind(box: Box) -> str:
    if box.level in {"float", "placed"}:
        return box.level
    return {"text": "text", "break": "break"}.get(box.kind, "atomic")
