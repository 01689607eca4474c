"""A page as lines of text, in reading order: headings with their level, list items, paragraphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wellsourced.pages.html.dom import Element, Node, Text, Tree
from wellsourced.pages.html.hidden import strip_invisible

INLINE_NAMES = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span"
    " strike strong sub sup time tt u var wbr"
)
INLINE = frozenset(INLINE_NAMES.split())
UNREAD = frozenset({"script", "style", "noscript", "template", "svg", "canvas", "iframe", "select", "option"})
HEADINGS = {f"h{level}": level for level in range(1, 7)}
EMPHATIC = frozenset({"b", "strong", "em"})
MOST_LINES = 20_000
LONGEST_LINE = 5_000


@dataclass(frozen=True, slots=True)
class Line:
    """`level` is a heading's, else 0. `lead` is the emphasised beginning of the line."""

    text: str
    level: int = 0
    is_item: bool = False
    lead: str = ""


def clean(text: str) -> str:
    """One line without invisible characters."""
    return " ".join(strip_invisible(text[:LONGEST_LINE]).split())


def lines(tree: Tree) -> list[Line]:
    """The lines of a page or of a part of it; what scripts and drawings hold is left out."""
    writer = _LineWriter()
    for node, opens in walk(tree):
        if isinstance(node, Text):
            writer.write(node.data)
        elif isinstance(node, Element):
            writer.turn(node.tag, opens)
        if len(writer.done) >= MOST_LINES:
            break
    writer.end()
    return writer.done


def walk(tree: Tree) -> Iterator[tuple[Node, bool]]:
    """Every node when it begins, every element also when it ends; without recursion, for pages nest deeply."""
    waiting: list[tuple[Node, bool]] = [(child, True) for child in reversed(list(tree))]
    while waiting:
        node, opens = waiting.pop()
        if isinstance(node, Element) and node.tag in UNREAD:
            continue
        yield node, opens
        if opens and isinstance(node, Element):
            waiting.append((node, False))
            waiting.extend((child, True) for child in reversed(list(node)))


class _LineWriter:
    def __init__(self) -> None:
        self.done: list[Line] = []
        self._parts: list[str] = []
        self._size = 0
        self._lead = ""
        self._begins_emphatic = False
        self._level = 0
        self._items = 0

    def write(self, text: str) -> None:
        if self._size < LONGEST_LINE:
            self._parts.append(text[:LONGEST_LINE])
            self._size += len(text)

    def turn(self, tag: str, opens: bool) -> None:
        """An element begins or ends here."""
        if tag in EMPHATIC:
            self._stress(opens)
        if tag in INLINE:
            return
        self.end()
        if tag in HEADINGS:
            self._level = HEADINGS[tag] if opens else 0
        elif tag == "li":
            self._items += 1 if opens else -1

    def _stress(self, opens: bool) -> None:
        """What is emphasised at the very beginning of a line is its lead."""
        if opens:
            self._begins_emphatic = not self._text()
        elif self._begins_emphatic:
            self._lead, self._begins_emphatic = self._text(), False

    def end(self) -> None:
        if text := self._text():
            self.done.append(Line(text, self._level, self._items > 0, self._lead))
        self._parts, self._size, self._lead = [], 0, ""

    def _text(self) -> str:
        return clean("".join(self._parts))
