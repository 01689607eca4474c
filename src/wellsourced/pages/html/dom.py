"""The one place that knows the HTML parser (turbohtml, a WHATWG parser in C).

Its tree is used through a small surface, so that another parser could take its place here: an `Element` has
`tag`, `attr(name)` and `parent`, iterating over it gives its children, a `Text` has `data`. turbohtml was
chosen because it stays fast on pages made to be slow: 200,000 attributes on a tag, or very deep nesting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

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
    "element_before",
    "layout_text",
    "parse",
    "remove",
    "select",
    "select_each",
    "words",
]

Tree: TypeAlias = Document | Element

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


def parse(markup: str, *, scripting: bool = True) -> Document:
    """The page as a browser builds it. With `scripting` the inside of `noscript` is one text and cannot spill out."""
    return parse_markup(markup, positions=False, scripting=scripting, allow_declarative_shadow_roots=False)


def select(tree: Tree, selector: str) -> list[Element]:
    """Elements that match, in document order; a selector that is not understood matches nothing."""
    try:
        return tree.select(selector)
    except ValueError:
        return []


# Trying single elements costs more than looking through a page where they are many.
FEW_ELEMENTS = 40


def select_each(tree: Tree, selectors: Sequence[str]) -> Iterator[list[Element]]:
    """What each selector matches, one after the other; most match nothing, which one look at the page shows."""
    among = select(tree, ", ".join(selectors))
    for selector in selectors:
        few = len(among) <= FEW_ELEMENTS
        yield [element for element in among if element.matches(selector)] if few else select(tree, selector)


def attribute(element: Element, name: str) -> str:
    """The attribute's value without surrounding blanks; "" when it is absent."""
    return (element.attr(name) or "").strip()


def ancestors(element: Element) -> Iterator[Element]:
    """The element's parents, nearest first."""
    parent = element.parent
    while isinstance(parent, Element):
        yield parent
        parent = parent.parent


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


def layout_text(element: Element) -> str:
    """The text on one line, with a space wherever a browser would break it."""
    return " ".join(element.to_text().split())
