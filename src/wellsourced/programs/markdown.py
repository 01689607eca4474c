"""A whole page as markdown, by the contract's table: headings, paragraphs, links, emphasis, code, lists.

The house's reader picks out the main content; this keeps everything that can be seen, and writes the listed elements
exactly as the table says: an address as it stands in the page, no escapes. Fenced code, numbered lists, quotes,
images and table rows are added where the table is silent. Walks with a stack of its own: depth is the page's choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wellsourced.pages.html import dom
from wellsourced.pages.html.hidden import remove_hidden, strip_invisible

SKIPPED = frozenset({"script", "style", "nav", "head", "title", "template", "noscript", "svg", "iframe", "object"})
PARAGRAPHS = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "aside", "figure", "figcaption", "form", "fieldset"}
    | {"address", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "caption", "details", "summary", "body", "html"}
)
HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*"}
LISTS = frozenset({"ul", "ol", "menu"})
WRAPPED = {"**": 1, "*": 1, "code": 1, "a": 1, "blockquote": 8}
"""How deep elements that are written when they end may stand in their own kind."""

NOWHERE = -1
SPACES = re.compile(r"[ \t\n\r\f\v]+")
BLANK_LINES = re.compile(r"\n{3,}")
DEEPEST_LIST = 20


class Marker(str):
    """What a line begins with: a list's sign or a heading's. What comes next stays on its line."""


def to_markdown(markup: str) -> tuple[str, str]:
    """Title and content."""
    document = dom.parse(markup)
    titles = dom.select(document, "title")
    title = SPACES.sub(" ", titles[0].text).strip() if titles else ""
    remove_hidden(document)
    return strip_invisible(title), Writer().write(document)


class Writer:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._marks: list[int] = []
        self._open: dict[str, int] = {}
        self._lists: list[list[int]] = []
        self._verbatim = 0

    def write(self, document: dom.Document) -> str:
        walk: list[tuple[Iterator[dom.Node], dom.Element | None]] = [(iter(document), None)]
        while walk:
            children, element = walk[-1]
            child = next(children, None)
            if child is None:
                walk.pop()
                if element is not None:
                    self._end(element)
            elif isinstance(child, dom.Text):
                self._text(child.data)
            elif isinstance(child, dom.Element) and child.tag not in SKIPPED:
                self._begin(child)
                walk.append((iter(child), child))
        lines = (line.rstrip() for line in strip_invisible("".join(self._parts)).split("\n"))
        return BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()

    def _text(self, text: str) -> None:
        if self._verbatim:
            self._parts.append(text)
            return
        flat = SPACES.sub(" ", text)
        if not self._parts or self._parts[-1].endswith(("\n", " ")):
            flat = flat.lstrip(" ")
        if flat:
            self._parts.append(flat)

    def _begin(self, element: dom.Element) -> None:
        tag = element.tag
        if tag in HEADINGS:
            self._break(2)
            self._parts.append(Marker(f"{HEADINGS[tag]} "))
        elif tag in LISTS:
            self._break(1 if self._lists else 2)
            self._lists.append([_number(element) if tag == "ol" else 0])
        elif tag == "li":
            self._item()
        elif tag == "pre":
            self._break(2)
            self._parts.append("```\n")
            self._verbatim += 1
        elif tag in {"br", "tr", "option"}:
            self._parts.append("\n") if tag == "br" else self._break(1)
        elif tag == "hr":
            self._break(2)
            self._parts.append("---\n\n")
        elif tag == "img":
            self._image(element)
        elif tag in {"td", "th"}:
            self._put("" if self._at_line_start() else " | ")
        elif tag in PARAGRAPHS or tag == "blockquote":
            self._break(1 if self._lists else 2)
        self._remember(tag)

    def _remember(self, tag: str) -> None:
        """Where the text begins of an element that is written when it ends; inside its own kind it adds nothing."""
        kind = MARKS.get(tag, tag)
        if kind in WRAPPED:
            self._open[kind] = self._open.get(kind, 0) + 1
            self._marks.append(len(self._parts) if self._open[kind] <= WRAPPED[kind] else NOWHERE)

    def _since(self, tag: str) -> str | None:
        """What was written since an element began, taken back; None where it adds nothing."""
        self._open[MARKS.get(tag, tag)] -= 1
        start = self._marks.pop()
        if start == NOWHERE:
            return None
        inner = "".join(self._parts[start:])
        del self._parts[start:]
        return inner

    def _end(self, element: dom.Element) -> None:
        tag = element.tag
        if (tag == "li" or tag in HEADINGS) and self._parts and isinstance(self._parts[-1], Marker):
            self._parts.pop()  # nothing came after it
        elif tag in MARKS:
            self._wrap(tag, MARKS[tag], MARKS[tag])
        elif tag == "code":
            self._wrap(tag, "`", "`")
        elif tag == "a":
            href = element.attr("href")
            self._wrap(tag, "[" if href is not None else "", f"]({_address(href or '')})")
        elif tag == "pre":
            self._verbatim -= 1
            self._break(1)
            self._parts.append("```\n\n")
        elif tag in LISTS:
            self._lists.pop()
            self._break(1 if self._lists else 2)
        elif tag == "blockquote":
            self._quote()
        elif tag in HEADINGS or tag in PARAGRAPHS:
            self._break(1 if self._lists else 2)
        elif tag in {"li", "tr", "option"}:
            self._break(1)

    def _wrap(self, tag: str, before: str, after: str) -> None:
        """Marks around an element's text, the blanks at its ends outside; none inside code that stands as it is."""
        inner = self._since(tag)
        if inner is None:
            return
        text = inner.strip()
        if not before or not text or self._verbatim:
            self._put(inner)
            return
        lead, tail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
        self._put(f"{lead}{before}{text}{after}{tail}")

    def _quote(self) -> None:
        inner = self._since("blockquote")
        if inner and inner.strip():
            self._put("\n".join(f"> {line}".rstrip() for line in inner.strip().split("\n")) + "\n\n")

    def _put(self, text: str) -> None:
        if text:
            self._parts.append(text)

    def _item(self) -> None:
        self._break(1)
        depth = min(max(len(self._lists) - 1, 0), DEEPEST_LIST)
        counter = self._lists[-1] if self._lists else [0]
        marker = f"{counter[0]}. " if counter[0] else "- "
        if counter[0]:
            counter[0] += 1
        self._parts.append(Marker("  " * depth + marker))

    def _image(self, element: dom.Element) -> None:
        alt, source = dom.attribute(element, "alt"), dom.attribute(element, "src")
        if alt and source and not source.startswith("data:"):
            self._parts.append(f"![{SPACES.sub(' ', alt)}]({_address(source)})")

    def _at_line_start(self) -> bool:
        return not self._parts or self._parts[-1].endswith("\n")

    def _break(self, count: int) -> None:
        """At least so many line ends before what comes next; none at the very beginning or after a list marker."""
        if self._verbatim or not self._parts:
            return
        last = self._parts[-1]
        if isinstance(last, Marker):
            return
        have = len(last) - len(last.rstrip("\n")) if last.endswith("\n") else 0
        if have < count:
            self._parts.append("\n" * (count - have))


def _number(element: dom.Element) -> int:
    start = dom.attribute(element, "start")
    return int(start) if start.isascii() and start.isdigit() and 0 < len(start) < 7 and int(start) else 1


def _address(href: str) -> str:
    """As it stands in the page, on one line."""
    return SPACES.sub("%20", href.strip())
