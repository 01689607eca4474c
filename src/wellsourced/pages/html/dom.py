"""The one place that knows the HTML parser (turbohtml, a WHATWG parser in C).

Its tree is used through a small surface, so that another parser could take its place here: an `Element` has
`tag`, `attr(name)` and `parent`, iterating over it gives its children, a `Text` has `data`. turbohtml was
chosen because it stays fast on pages made to be slow: 200,000 attributes on a tag, or very deep nesting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TypeAlias, TypeVar, cast

from turbohtml import Document, Element, Node, Text
from turbohtml import parse as parse_markup

__all__ = [
    "BLOCK_TAGS",
    "SKIPPED_TAGS",
    "Document",
    "Element",
    "Node",
    "Text",
    "Tree",
    "ancestors",
    "attribute",
    "count_page_words",
    "element_before",
    "layout_text",
    "nearest",
    "parse",
    "remove",
    "select",
    "select_each",
    "words",
]

Tree: TypeAlias = Document | Element
T = TypeVar("T")

_BLOCK_TAGS = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary "
    "table tbody td tfoot th thead tr ul"
)
BLOCK_TAGS = frozenset(_BLOCK_TAGS.split())
_SKIPPED_TAGS = (
    "script style template head iframe object embed svg canvas audio video select datalist input textarea "
    "map area frameset frame noframes progress meter annotation annotation-xml"
)
SKIPPED_TAGS = frozenset(_SKIPPED_TAGS.split())
CLASS_WORD = re.compile(r"(?:\.|class\*='?)([\w-]+)")


def parse(markup: str, *, scripting: bool = True) -> Document:
    """The page as a browser builds it. With `scripting` the inside of `noscript` is one text and cannot spill out."""
    return parse_markup(markup, positions=False, scripting=scripting, allow_declarative_shadow_roots=False)


def select(tree: Tree, selector: str) -> list[Element]:
    """Elements that match, in document order; a selector that is not understood matches nothing."""
    try:
        return tree.select(selector)
    except ValueError:
        return []


def select_each(document: Document, selectors: Sequence[str]) -> Iterator[list[Element]]:
    """What each selector matches, one after the other. Most ask for classes that do not occur in the page, which a look
    at all class names shows; the parser finds elements by their tag at once, by their class only one by one."""
    names = " ".join(cast("list[str]", document.xpath("//@class"))).lower()
    for selector in selectors:
        yield select(document, selector) if all(map(names.__contains__, _class_words(selector))) else []


@cache
def _class_words(selector: str) -> list[str]:
    """What must stand in class names where the selector matches."""
    return [word.lower() for word in CLASS_WORD.findall(selector)]


def attribute(element: Element, name: str) -> str:
    """The attribute's value without surrounding blanks; "" when it is absent."""
    return (element.attr(name) or "").strip()


def ancestors(element: Element) -> Iterator[Element]:
    """The element's parents, nearest first."""
    parent = element.parent
    while isinstance(parent, Element):
        yield parent
        parent = parent.parent


def nearest(start: Node | None, ask: Callable[[Element], T | None], known: dict[Element, T | None]) -> T | None:
    """What is said of the nearest element from here on up of which anything is. Each is asked once: what was found is
    kept in `known`, since many elements deep in a page would otherwise ask all around them again."""
    passed, above = list[Element](), start
    while isinstance(above, Element) and above not in known:
        passed.append(above)
        if (said := ask(above)) is not None:
            known[above] = said
        else:
            above = above.parent
    found = known[above] if isinstance(above, Element) else None
    known.update(dict.fromkeys(passed, found))
    return found


def element_before(element: Element) -> Element | None:
    """The sibling element before, texts left aside."""
    before = element.previous_sibling
    while before is not None and not isinstance(before, Element):
        before = before.previous_sibling
    return before


def remove(node: Node) -> None:
    node.decompose()


def words(element: Node) -> list[str]:
    return element.text.split()


def count_page_words(document: Document) -> int:
    return sum(len(words(body)) for body in select(document, "body"))


def layout_text(element: Element) -> str:
    """The text on one line, with a space wherever a browser would break it."""
    return " ".join(element.to_text().split())


def texts_in(nodes: Iterable[Node]) -> Iterator[Text]:
    """All texts that are not empty, in their order."""
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Text) and node.data.strip():
            yield node
        elif isinstance(node, Element):
            waiting += [*node][::-1]
