"""Formulas that MathJax 2 keeps in scripts, written into the page as TeX between dollar signs.

The script is what the author wrote; the elements before it that MathJax made of it are taken out, so that the formula
does not appear twice.
"""

from __future__ import annotations

import re

from wellsourced.pages.html.blocks import FORMULA_TAG
from wellsourced.pages.html.dom import Document, Element, Node, Text, attribute, remove, select

RENDERED = re.compile(r"(?:^|\s)(?:MathJax|MJXc|mjx-)")
KRAMDOWN_FRAME = re.compile(r"%\s*<!\[CDATA\[|%?\s*\]\]>")
MOST_MADE = 4


def write_mathjax_formulas(document: Document) -> None:
    """Put the formula of each such script in its place."""
    for script in select(document, "script[type^='math/tex' i]"):
        tex = " ".join(KRAMDOWN_FRAME.sub(" ", script.text).split())
        if not tex:
            continue
        for made in _made_of(script):
            remove(made)
        sign = "$$" if "mode=display" in attribute(script, "type").replace(" ", "").lower() else "$"
        script.replace_with(Element(FORMULA_TAG, None, [Text(f"{sign}{tex}{sign}")]))


def _made_of(script: Element) -> list[Element]:
    """The preview and the rendered formula, which stand right before their script."""
    found: list[Element] = []
    before: Node | None = script.previous_sibling
    while before is not None and len(found) < MOST_MADE:
        if isinstance(before, Element):
            if not RENDERED.search(attribute(before, "class")):
                break
            found.append(before)
        elif before.text.strip():
            break
        before = before.previous_sibling
    return found
