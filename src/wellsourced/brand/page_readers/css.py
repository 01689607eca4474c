"""Stylesheets as far as a brand needs them: custom properties of the page, font stacks, font faces.

Of several rules for the same thing the last holds; so lists of sheets begin with the last one.
A linear scan that knows blocks, not a CSS engine: what it does not understand it passes over. Rules for dark mode,
print and other states are left out, so that the result is what a visitor sees first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

LARGEST = 400_000
MOST_RULES = 20_000
MOST_DECLARATIONS = 400
DEEPEST_VARIABLE = 5
ROOTS = frozenset({":root", "html", "body", ":host", ":root,:host", "*"})
LIGHT_ROOT = re.compile(r"(?::root|html|body)?\[data-[\w-]{1,30}=[\"']?light[\"']?\]|\.light|:root\.light")
BREAK = re.compile(r"[{}]")
IMPORT = re.compile(r"@import\s+(?:url\(\s*)?[\"']?([^\"')\s]{1,2000})")
MOST_IMPORTS = 20
VARIABLE = re.compile(r"var\(\s*(--[^\s,()]{1,100})\s*(?:,([^()]{0,200}))?\)")


@dataclass(slots=True)
class Sheet:
    """`url` is where the sheet stands: its own address, or the page's."""

    url: str
    properties: dict[str, str] = field(default_factory=dict)
    rules: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    faces: list[dict[str, str]] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)


def parse(text: str, url: str) -> Sheet:
    sheet = Sheet(url)
    css = without_comments(text[:LARGEST])
    sheet.imports += [found[1] for found in islice(IMPORT.finditer(css), MOST_IMPORTS)]
    for prelude, body in _blocks(css):
        declared = declarations(body)
        if prelude.startswith("@font-face"):
            sheet.faces.append(declared)
        elif declared:
            _take(sheet, prelude, declared)
    return sheet


def resolved(value: str, sheets: Sequence[Sheet]) -> str:
    """The value with its variables filled in from the sheets, or "" where one is not known."""
    for _ in range(DEEPEST_VARIABLE):
        if not (found := VARIABLE.search(value)):
            return value.strip()
        known = next((sheet.properties[found[1]] for sheet in sheets if found[1] in sheet.properties), found[2])
        if known is None:
            return ""
        value = f"{value[: found.start()]}{known}{value[found.end() :]}"[:500]
    return ""


def declarations(body: str) -> dict[str, str]:
    """`name: value` pairs; a later one wins, custom properties keep their case."""
    found: dict[str, str] = {}
    for part in body.split(";")[:MOST_DECLARATIONS]:
        name, colon, value = part.partition(":")
        name = name.strip()
        if colon and name and " " not in name:
            found[name if name.startswith("--") else name.lower()] = value.partition("!important")[0].strip()[:500]
    return found


def without_comments(text: str) -> str:
    first, *rest = text.split("/*")
    return first + "".join(part.partition("*/")[2] for part in rest)


def selectors(prelude: str) -> list[str]:
    return [" ".join(part.split()).lower() for part in prelude.split(",")]


def _take(sheet: Sheet, prelude: str, declared: Mapping[str, str]) -> None:
    named = selectors(prelude)
    if any(each in ROOTS or LIGHT_ROOT.fullmatch(each) for each in named):
        for name, value in declared.items():
            if name.startswith("--"):
                sheet.properties[name] = value
    plain = {name: value for name, value in declared.items() if name.startswith("font")}
    if plain:
        sheet.rules.append((prelude, plain))


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Innermost blocks with what stands before them; those inside a condition that is not always met are left out."""
    preludes: list[str] = []
    start = given = 0
    for brace in BREAK.finditer(text):
        piece, start = text[start : brace.start()], brace.end()
        if brace[0] == "{":
            preludes.append(" ".join(piece.rpartition(";")[2][-1000:].split()))
            continue
        prelude = preludes.pop() if preludes else ""
        if prelude and all(map(_is_always, preludes)) and (prelude[0] != "@" or prelude.startswith("@font-face")):
            yield prelude, piece
            given += 1
        if given >= MOST_RULES:
            return


def _is_always(prelude: str) -> bool:
    """Whether what stands inside applies to everybody: layers do, screens do, dark mode and print do not."""
    if not prelude.startswith("@media"):
        return prelude.startswith(("@layer", "@supports"))
    return prelude.removeprefix("@media").strip().lower() in {"screen", "all", "only screen"}
