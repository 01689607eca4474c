"""Code samples: their text as a browser shows it, blanks, lines and all, and the language they name.

The text is taken from the page's own tree: highlighters wrap every word in an element, so that most of what makes
up the layout stands alone between two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.dom import BLOCK_TAGS, SKIPPED_TAGS, Document, Element, Text, select
from wellsourced.pages.html.hidden import strip_invisible

if TYPE_CHECKING:
    from wellsourced.pages.html.blocks import Branch

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
LANGUAGE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+#.-]{0,19}")
LANGUAGE_ATTRIBUTES = ("data-lang", "data-language", "data-enlighter-language", "data-canonical-lang", "syntax")
# Programs that show code without `pre`: the sample, its lines.
LINE_SAMPLES = (
    ("div.syntaxhighlighter", "td.code .line"),
    ("div.crayon-syntax", ".crayon-line"),
    ("table.js-file-line-container", "td.blob-code"),
    ("div.cm-editor", ".cm-line"),
    ("div.CodeMirror-code", ".CodeMirror-line"),
    ("div.view-lines", ".view-line"),
    ("div.fragment", "div.line"),
)
GUTTER = late_pattern(r"(?:^|[\s_-])(?:line-?no(?:s|de)?|line-?num(?:ber)?s?|lnt?|gutter|blob-num)(?:$|[\s_-])", re.I)
NUMBERS = late_pattern(r"[\d\s.:|]+")
LINE_CLASSES = frozenset(("line", "code-line", "token-line", "view-line"))
CELLS = frozenset(("td", "th"))
NOT_CODE = SKIPPED_TAGS | {"button"}
DEEPEST = 100
# Highlighters wrap a sample in up to three elements and name the language on one of them.
NEAREST = 3
# And a sample beside its line numbers in the cell of a table, which is in one of them.
FRAMES = 7


def code_text(element: Element) -> str:
    """The sample without blank lines around it and without line numbers."""
    return _raw_text(element).strip("\n").rstrip()


def write_line_samples(document: Document) -> None:
    """Samples that stand as elements for each line, as `pre`."""
    for whole, line in LINE_SAMPLES:
        for sample in select(document, whole):
            lines = select(sample, line)
            if not lines:
                continue
            text = "\n".join(_raw_text(each).strip("\n").rstrip() for each in lines)
            named = next(iter(select(sample, "[data-language]")), sample)
            names = {"class": f"language-{name}"} if (name := _named("pre", named)) else None
            sample.replace_with(Element("pre", names, [Text(text)]))


def is_gutter(branch: Branch, text: str) -> bool:
    """Whether a sample is only the line numbers of another one beside it."""
    numbers = text.split()
    if not all(number.isdecimal() and len(number) < 7 for number in numbers):
        return False
    around, beside = branch.parent, bool(GUTTER.search(branch.class_name))
    for _ in range(NEAREST):
        if around is None or beside:
            break
        beside, around = around.tag in CELLS or bool(GUTTER.search(around.class_name)), around.parent
    return beside and all(int(later) - int(number) == 1 for number, later in pairwise(numbers))


def code_language(branch: Branch) -> str:
    """The language named by the code, its `pre` or the elements around it that hold next to nothing else."""
    inner = branch.element.find("code")
    named = [("code", inner)] if inner is not None else []
    named += [(each.tag, each.element) for each in (branch, *_around(branch))]
    return next((name for tag, element in named if (name := _named(tag, element))), "")


def _named(tag: str, element: Element) -> str:
    """By a class or an attribute that says so, or by the bare name where the element is there for code."""
    classes = element.attr("class") or ""
    for match in LANGUAGE.finditer(f"{classes} {element.attr('data-syntaxhighlighter-params') or ''}"):
        if match[1].lower() not in NOT_LANGUAGES:
            return match[1].lower()
    words = classes.split()[:8]
    names = [name.lower() for key in LANGUAGE_ATTRIBUTES if LANGUAGE_NAME.fullmatch(name := element.attr(key) or "")]
    if tag not in {"pre", "code"} and "highlight" not in words:
        return next((name for name in names if name in LANGUAGES), "")
    names += [name.lower() for name in (element.attr("lang") or "", *words) if name.lower() in LANGUAGES]
    return next((name for name in names if name not in NOT_LANGUAGES), "")


def _around(branch: Branch) -> Iterator[Branch]:
    parent, most = branch.parent, branch.end - branch.start + 2
    for _ in range(FRAMES):
        if parent is None or parent.end - parent.start > most:
            return
        yield parent
        parent = parent.parent


def _raw_text(element: Element) -> str:
    parts: list[str] = []
    _collect(element, parts, 0)
    return "".join(parts).replace("\xa0", " ")


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
