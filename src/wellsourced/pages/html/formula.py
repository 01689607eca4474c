"""Formulas: MathML as a line of text (`x^2`, `1/(a+b)`, `a_i`), and those that MathJax 2 keeps in scripts as TeX.

Only what a reader sees is written, not the source beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from wellsourced.pages.html.blocks import FORMULA_TAG, Branch, Child
from wellsourced.pages.html.dom import Document, Element, Node, Text, attribute, remove, select

JOINTS = {
    "msup": "^", "msub": "_", "msubsup": "_^", "mfrac": "/", "munder": "_", "mover": "^", "munderover": "_^",
}  # fmt: skip
BETWEEN = {"mtr": ", ", "mtable": "; "}
ROOTS = frozenset(("msqrt", "mroot"))
RENDERED = re.compile(r"(?:^|\s)(?:MathJax|MJXc|mjx-)")
KRAMDOWN_FRAME = re.compile(r"%\s*+<!\[CDATA\[|(?:%?(?<!\s)\s+|%)?\]\]>")
MOST_MADE = 4


def formula_text(branch: Branch, text: Callable[[Sequence[Child]], str]) -> str:
    """One element of a formula; `text` gives that of its leaves."""
    inner = [child for child in branch.children if isinstance(child, Branch)]
    if not inner:
        return " ".join(text(branch.children).split())
    return join_formula(branch.tag, [formula_text(child, text) for child in inner])


def join_formula(tag: str, parts: list[str]) -> str:
    """An element of MathML from what its parts came to."""
    joints = JOINTS.get(tag, "")
    if joints and len(parts) == len(joints) + 1:
        return _joined(parts, joints)
    if tag == "mroot" and len(parts) == 2:
        return f"{_grouped(parts[1])}√{_grouped(parts[0])}"
    line = BETWEEN[tag].join(parts) if tag in BETWEEN else _line(parts)
    return f"√{_grouped(line)}" if tag in ROOTS else line


def _joined(parts: list[str], joints: str) -> str:
    first = _grouped(parts[0]) if joints == "/" else parts[0]
    return first + "".join(joint + _grouped(part) for joint, part in zip(joints, parts[1:], strict=True))


def _grouped(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _line(parts: list[str]) -> str:
    """Names keep their distance (`sin x`), single letters and digits stand together (`2x`)."""
    line = ""
    for last, part in zip(["", *parts], parts, strict=False):
        apart = last[-1:].isalnum() and part[:1].isalnum() and (len(last) > 1 or len(part) > 1)
        line += f" {part}" if apart else part
    return line


def write_mathjax_formulas(document: Document) -> None:
    """Put the formula of each MathJax script in its place, as TeX between dollar signs.

    The script is what the author wrote; the elements before it that MathJax made of it are taken out, so that the
    formula does not appear twice.
    """
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
    results: list[Element] = []
    before: Node | None = script.previous_sibling
    while before is not None and len(results) < MOST_MADE:
        if isinstance(before, Element):
            if not RENDERED.search(attribute(before, "class")):
                break
            results.append(before)
        elif before.text.strip():
            break
        before = before.previous_sibling
    return results
