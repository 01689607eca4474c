"""Style sheets to a flat list of rules: nesting resolved, conditions decided, layers in their order.

A condition that cannot be decided makes its rules uncertain: they are held to hide what they could hide, and not to
show what they could show.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

from wellsourced.pages.html.css_conditions import container_holds, media_holds, supports_holds
from wellsourced.pages.html.css_values import split_outside

Layer: TypeAlias = tuple[str, ...]

# Strings, unquoted addresses and escapes may hold signs that would look like the structure of the sheet.
# Each of them begins with a plain sign, so that the expression need not be tried in other places.
OPAQUE = re.compile(
    r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"
    r"|u[rR][lL]\(\s*+(?![\"'])[^)]*+\)?|U[rR][lL]\(\s*+(?![\"'])[^)]*+\)?|\\.|<!--|-->",
    re.S,
)
PARENT_BEFORE_TAG = re.compile(r"&([a-zA-Z][a-zA-Z0-9-]*)")
STRUCTURE = str.maketrans({"{": r"\7b ", "}": r"\7d ", ";": r"\3b ", "\n": " "})
DATA_IMPORT = re.compile(r"@import\s+(?:url\(\s*)?(?:\"(data:[^\"]*)\"|'(data:[^']*)'|(data:[^)\s]*))", re.I)
DATA_SHEET = re.compile(r"data:text/css(;[^,]{0,100})?,(.*)", re.I | re.S)
LONGEST_SELECTOR = 600
# A sheet means the same on every page unless it speaks of layers, containers or properties, which others may too.
STANDS_IN_OTHERS = re.compile(r"@(?:layer|container|property|import)", re.I)
LEAST_KEPT, MOST_KEPT = 10_000, 400_000
IGNORED, GROUP, STYLE, KEYFRAMES, FRAME, PROPERTY = range(6)


class Rule(NamedTuple):
    """`selectors` as they stand in the sheet, with the parents of nested rules put in; `body` are declarations."""

    selectors: str
    body: str
    layer: Layer
    uncertain: bool


class Context(NamedTuple):
    kind: int
    selectors: str
    layer: Layer
    uncertain: bool
    scope: tuple[str, str] | None = None
    name: str = ""


@dataclass(slots=True)
class Sheets:
    """The rules of all sheets in order, the layers in the order they are first named, and what animations end in."""

    rules: list[Rule] = field(default_factory=list)
    layers: dict[Layer, dict[str, int]] = field(default_factory=dict)
    frames: dict[str, dict[str, str]] = field(default_factory=dict)
    initial: dict[str, str] = field(default_factory=dict)
    has_containers: bool = False

    def add(self, text: str, *, uncertain: bool = False) -> None:
        """Take in the text of a sheet, and before it what it imports from its own text."""
        if LEAST_KEPT < len(text) < MOST_KEPT and not uncertain and not STANDS_IN_OTHERS.search(text):
            known = _kept_sheet(text)
            self.rules += known.rules
            self.frames.update(known.frames)
        else:
            self._read(text, uncertain=uncertain)

    def _read(self, text: str, *, uncertain: bool = False) -> None:
        if "@i" in text or "@I" in text:
            for match in DATA_IMPORT.finditer(text):
                self.add(read_data_sheet(match[1] or match[2] or match[3]), uncertain=True)
        SheetReader(self, Context(GROUP, "", (), uncertain)).read(text)

    def layer_rank(self, layer: Layer) -> tuple[float, ...]:
        """A later layer wins, and what stands in no further layer wins over all of them."""
        places = (self.layers[layer[:depth]][name] for depth, name in enumerate(layer))
        return (*places, math.inf)

    def name_layer(self, within: Layer, names: str) -> Layer:
        path = within
        for name in (part.strip() for part in names.split(".")):
            known = self.layers.setdefault(path, {})
            known.setdefault(name or f"({len(known)})", len(known))
            path = (*path, name or f"({len(known) - 1})")
        return path


# The pages of a site share their sheets, and reading a large one takes longer than all the rest.
@lru_cache(8)
def _kept_sheet(text: str) -> Sheets:
    sheet = Sheets()
    sheet._read(text)
    return sheet


def read_data_sheet(address: str) -> str:
    """The sheet in a `data:` address, "" where there is none."""
    match = DATA_SHEET.fullmatch(address.strip())
    if match is None:
        return ""
    payload = unquote(match[2])
    if "base64" not in (match[1] or "").lower():
        return payload
    try:
        return base64.b64decode(payload + "==").decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""


def _plain_blocks(text: str) -> Iterator[str]:
    """What stands before each closing brace, without signs that only look like the structure of the sheet.

    The sheet is split first, because looking for one sign is many times faster than for one of several. From the first
    brace on that turns out to stand in a string, an address or a comment, all the rest is read sign by sign.
    """
    has_html_comment = "-->" in text or "<!--" in text
    place = 0
    for block in text.split("}"):
        if _may_be_opaque(block) or has_html_comment:
            plain = OPAQUE.sub(_made_plain, block + "}")
            if not plain.endswith("}"):
                break
            yield plain[:-1]
        else:
            yield block
        place += len(block) + 1
    else:
        return
    yield from OPAQUE.sub(_made_plain, text[place:]).split("}")


def _may_be_opaque(text: str) -> bool:
    """Whether a string, an escape, a comment or an address in `url()` may begin in the text."""
    return (
        '"' in text
        or "'" in text
        or "\\" in text
        or ("/" in text and "/*" in text)
        or ("(" in text and ("l(" in text or "L(" in text))
    )


def _is_unusual(head: str) -> bool:
    """Whether a head says more than a list of selectors, or stands behind declarations."""
    return "@" in head or ";" in head or "&" in head or "\\" in head


def _made_plain(match: re.Match[str]) -> str:
    text = match[0]
    if text.startswith(("/*", "<!--", "-->")):
        return ""
    if text[:4].lower() == "url(":
        return "url(data)" if text[4:].lstrip()[:5].lower() == "data:" else "url()"
    return text.translate(STRUCTURE)


class SheetReader:
    """Follows the blocks of one sheet; what is open at its end is closed, as browsers do."""

    def __init__(self, sheets: Sheets, outermost: Context) -> None:
        self.sheets = sheets
        self.open = [outermost]

    def read(self, text: str) -> None:
        rules = self.sheets.rules
        context = self.open[-1]
        is_plain = context.kind == GROUP and context.scope is None
        for block in _plain_blocks(text):
            head, brace, body = block.partition("{")
            if is_plain and brace and "{" not in body and not _is_unusual(head):
                # A rule by itself, as nearly all are.
                if ":" in body:
                    rules.append(Rule(head, body, context.layer, context.uncertain))
            elif not (brace and context.kind == IGNORED and "{" not in body):
                self._read_block(block)
                context = self.open[-1]
                is_plain = context.kind == GROUP and context.scope is None

    def _read_block(self, block: str) -> None:
        *heads, body = block.split("{")
        for chunk in heads:
            before, _, head = chunk.rpartition(";")
            if before:
                self._declare(before)
            # A blank behind an escape belongs to it: there the next one counts.
            self.open.append(self._enter(head.strip() if "\\" in head else " ".join(head.split())))
        self._declare(body)
        if len(self.open) > 1:
            self.open.pop()

    def _declare(self, body: str) -> None:
        context = self.open[-1]
        if context.kind == STYLE:
            if ":" in body:
                self.sheets.rules.append(Rule(context.selectors, body, context.layer, context.uncertain))
        elif context.kind == GROUP:
            self._statements(body, context)
        elif context.kind == FRAME:
            for place in context.selectors.split(","):
                self.sheets.frames[context.name][FRAME_PLACES.get(place.strip(), place.strip())] = body
        elif context.kind == PROPERTY and "initial-value" in body:
            self.sheets.initial[context.name] = body.partition("initial-value")[2].partition(";")[0].strip(": \t\n")

    def _statements(self, text: str, context: Context) -> None:
        for statement in text.split(";") if "@layer" in text else ():
            if statement.strip().startswith("@layer"):
                for name in statement.strip()[len("@layer") :].split(","):
                    self.sheets.name_layer(context.layer, name.strip())

    def _enter(self, head: str) -> Context:
        context = self.open[-1]
        if context.kind == IGNORED:
            return Context(IGNORED, "", (), uncertain=False)
        if head.startswith("@"):
            return self._enter_at_rule(head, context)
        if context.kind == KEYFRAMES:
            return context._replace(kind=FRAME, selectors=head.lower())
        if context.kind not in {GROUP, STYLE}:
            return Context(IGNORED, "", (), uncertain=False)
        if context.selectors or context.scope or "&" in head:
            return _nested(head, context)
        return Context(STYLE, head, context.layer, context.uncertain)

    def _enter_at_rule(self, head: str, context: Context) -> Context:
        name, _, rest = head[1:].partition(" ")
        name, _, joined = name.lower().partition("(")
        rest = f"({joined} {rest}".strip() if joined else rest
        if name in CONDITIONS:
            holds = self._container(rest) if name == "container" else CONDITIONS[name](rest)
            if holds is False:
                return Context(IGNORED, "", (), uncertain=False)
            return context if holds or context.uncertain else context._replace(uncertain=True)
        if name == "layer":
            return context._replace(layer=self.sheets.name_layer(context.layer, rest))
        if name == "scope":
            return context._replace(scope=_scope(rest))
        if name.endswith("keyframes"):
            self.sheets.frames[rest.strip("\"' ")] = {}
            return Context(KEYFRAMES, "", (), uncertain=False, name=rest.strip("\"' "))
        return Context(PROPERTY if name == "property" else IGNORED, "", (), uncertain=False, name=rest)

    def _container(self, condition: str) -> bool | None:
        return container_holds(condition) if self.sheets.has_containers else False


FRAME_PLACES = {"to": "100%", "from": "0%"}
CONDITIONS = {"media": media_holds, "supports": supports_holds, "container": container_holds}


def _scope(rest: str) -> tuple[str, str]:
    """Of `@scope (root) to (limit)`: what a selector in it stands in, and what it must not stand in."""
    root, _, limit = rest.partition(" to ")
    root, limit = (part.strip().removeprefix("(").removesuffix(")") for part in (root, limit))
    return f":where({root})" if root else ":root", f":not(:where({limit}, :is({limit}) *))" if limit else ""


def _nested(head: str, context: Context) -> Context:
    parent = f":is({context.selectors})" if context.selectors else ":root"
    parts = [_within(part.strip(), parent, context) for part in split_outside(head, ",")]
    selectors = ", ".join(parts)
    if len(selectors) > LONGEST_SELECTOR:
        # Of what it stands in nothing is asked any more: more may be hidden than is.
        return context._replace(kind=STYLE, selectors=head.replace("&", "*"), uncertain=True)
    return context._replace(kind=STYLE, selectors=selectors)


def _within(part: str, parent: str, context: Context) -> str:
    root, limit = context.scope or ("", "")
    if "&" in part:
        # A tag may be written behind the sign for the parent, where parsers want it first.
        part = PARENT_BEFORE_TAG.sub(r"\1&", part).replace("&", parent if context.selectors or not root else root)
    elif context.selectors:
        part = f"{parent} {part}"
    elif root and ":scope" not in part:
        part = f"{root} {part}"
    return part.replace(":scope", root) + limit if root else part


def all_sheets(texts: Iterable[str], inline: str = "") -> Sheets:
    """The rules of several sheets; `inline` is asked only whether anything is a container."""
    texts = list(texts)
    sheets = Sheets()
    sheets.has_containers = any("container-type" in text or "container:" in text for text in (*texts, inline))
    for text in texts:
        sheets.add(text)
    return sheets
