"""Code samples: their text as a browser shows it, blanks, lines and all, and the language they name.

The text is taken from the page's own tree: highlighters wrap every word in an element, so that most of what makes
up the layout stands alone between two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from wellsourced.pages.html.blocks import BLOCK_TAGS, SKIPPED_TAGS, Branch
from wellsourced.pages.html.dom import Element, Text
from wellsourced.pages.html.hidden import strip_invisible

LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+)([A-Za-z0-9_+#.-]{1,20})"
)
NOT_LANGUAGES = frozenset(("none", "text", "plain", "plaintext", "default", "source", "wrapper"))
_LANGUAGES = (
    "bash shell sh zsh console powershell batch python py python3 ruby rb perl php javascript js jsx typescript ts tsx "
    "java kotlin scala groovy go golang rust c cpp c++ csharp c# objectivec swift dart haskell elixir erlang clojure "
    "lisp scheme ocaml fsharp lua r julia matlab sql html xml css scss less json yaml yml toml ini diff dockerfile "
    "makefile nginx graphql latex tex vim http"
)
LANGUAGES = frozenset(_LANGUAGES.split())
GUTTER = re.compile(r"(?:^|[\s_-])(?:line-?no(?:s|de)?|line-?num(?:ber)?s?|lnt?|gutter|blob-num)(?:$|[\s_-])", re.I)
NUMBERS = re.compile(r"[\d\s.:|]+")
LINE_CLASSES = frozenset(("line", "code-line", "token-line", "view-line"))
CELLS = frozenset(("td", "th"))
NOT_CODE = SKIPPED_TAGS | {"button"}
DEEPEST = 100
# Highlighters wrap a sample in up to three elements and name the language on one of them.
NEAREST = 3


def code_text(element: Element) -> str:
    """The sample without blank lines around it and without line numbers."""
    parts: list[str] = []
    _collect(element, parts, 0)
    return "".join(parts).strip("\n").rstrip()


def is_gutter(branch: Branch, text: str) -> bool:
    """Whether a sample is only the line numbers of another one beside it."""
    numbers = text.split()
    if not all(number.isdecimal() and len(number) < 7 for number in numbers):
        return False
    around = [branch, *_around(branch)]
    beside = any(each.tag in CELLS or GUTTER.search(each.class_name) for each in around)
    return beside and all(int(later) - int(number) == 1 for number, later in pairwise(numbers))


def code_language(branch: Branch) -> str:
    """The language named by the code, its `pre` or the elements around it that hold next to nothing else."""
    inner = [child for child in branch.children if isinstance(child, Branch)][:1]
    names = (name for each in (*inner, branch, *_around(branch)) if (name := _named(each)))
    return next(names, "")


def _named(branch: Branch) -> str:
    """By a class that says so, or by the bare name where the element is there for code."""
    for match in LANGUAGE.finditer(branch.class_name):
        if match[1].lower() not in NOT_LANGUAGES:
            return match[1].lower()
    words = branch.class_name.split()[:8]
    if branch.tag not in {"pre", "code"} and "highlight" not in words:
        return ""
    names = (branch.attr("data-lang"), branch.attr("data-language"), branch.attr("lang"), *words)
    return next((name.lower() for name in names if name.lower() in LANGUAGES), "")


def _around(branch: Branch) -> Iterator[Branch]:
    parent, most = branch.parent, branch.end - branch.start + 2
    for _ in range(NEAREST):
        if parent is None or parent.end - parent.start > most:
            return
        yield parent
        parent = parent.parent


def _collect(element: Element, parts: list[str], depth: int) -> None:
    for child in element:
        if isinstance(child, Text):
            parts.append(strip_invisible(child.data))
        elif isinstance(child, Element) and child.tag not in NOT_CODE and not _is_line_number(child):
            _element(child, parts, depth)


def _element(element: Element, parts: list[str], depth: int) -> None:
    tag = element.tag
    is_block = tag in BLOCK_TAGS and tag not in CELLS
    if tag == "br":
        parts.append("\n")
    elif is_block or not LINE_CLASSES.isdisjoint((element.attr("class") or "").split()):
        _start_line(parts)
    if depth >= DEEPEST:
        parts.append(element.text)
    else:
        _collect(element, parts, depth + 1)
    if is_block:
        _start_line(parts)


def _start_line(parts: list[str]) -> None:
    last = next((part for part in reversed(parts) if part), "\n")
    if not last.endswith("\n"):
        parts.append("\n")


def _is_line_number(element: Element) -> bool:
    marked = element.attr("class")
    return bool(marked and GUTTER.search(marked) and NUMBERS.fullmatch(element.text))
