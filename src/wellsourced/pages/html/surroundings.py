"""What is around a page's text and never a part of it: menus, the head and foot of the site, asides, dialogs.

Nearly half of a page's blocks stand there. Known by their tags and roles, they are neither walked nor judged, unless
hardly anything is left of the page without them.
"""

from __future__ import annotations

from collections.abc import Iterator

from wellsourced.pages.html.dom import Element, Node, Tree, nearest, select

MENUS = frozenset(("nav", "dialog", "navigation", "alertdialog"))
FRAME = frozenset(("header", "footer", "aside", "banner", "contentinfo", "complementary", "search"))
# One by one: the parser finds elements by their tag at once, but not those of several tags or of none.
TAGS = ("nav", "dialog", "header", "footer", "aside")
WITH_ROLES = ("div[role]", "section[role]", "ul[role]")
# A part that holds one of these is not around the text.
TEXTS = ("article", "main", "h1", "div[role=main]")
# Within these, heads, feet and asides belong to the text: an author's note, a section's heading, a quotation's source.
PARTS = frozenset(("article", "main", "section", "blockquote", "figure"))


def find_surroundings(tree: Tree) -> list[Element]:
    """Some of them within others."""
    around_texts, within = _around_texts(tree), dict[Element, bool | None]()
    return [
        element
        for element, kind in _candidates(tree)
        if element not in around_texts and (kind in MENUS or not nearest(element.parent, _is_of_text, within))
    ]


def _around_texts(tree: Tree) -> set[Element]:
    """The elements that hold some, each looked at once."""
    around: set[Element] = set()
    for text in (text for selector in TEXTS for text in select(tree, selector)):
        above: Node | None = text
        while isinstance(above, Element) and above not in around:
            around.add(above)
            above = above.parent
    return around


def _is_of_text(element: Element) -> bool | None:
    return element.tag in PARTS or element.attr("role") == "main" or None


def _candidates(tree: Tree) -> Iterator[tuple[Element, str]]:
    """All that may be around the text, with the tag or role that says so."""
    for tag in TAGS:
        yield from ((element, tag) for element in select(tree, tag))
    for selector in WITH_ROLES:
        for element in select(tree, selector):
            role = element.attr("role") or ""
            if role in MENUS or role in FRAME:
                yield element, role
