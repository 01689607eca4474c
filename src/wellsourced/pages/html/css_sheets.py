"""Style sheets to a flat list of rules: nesting resolved, conditions decided, layers in their order.

A condition that cannot be decided makes its rules uncertain: they are held to hide what they could hide, and not to
show what they could show.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from threading import Lock
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

from turbohtml._html import _css_parse_declarations

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_conditions import media_holds, read_container_query, supports_holds
from wellsourced.pages.html.css_scopes import Scope, read_scope
from wellsourced.pages.html.css_syntax import is_known
from wellsourced.pages.html.css_values import NAME, on_one_line, split_outside, unescape

Layer: TypeAlias = tuple[str, ...]

# Strings, unquoted addresses and escapes may hold signs that would look like the structure of the sheet.
# Each of them begins with a plain sign, so that the expression need not be tried in other places.
OPAQUE = late_pattern(
    r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"
    r"|u[rR][lL]\(\s*+(?![\"'])[^)]*+\)?|U[rR][lL]\(\s*+(?![\"'])[^)]*+\)?|\\.|<!--|-->",
    re.S,
)
QUOTED = re.compile(r"\\.|\"(?:[^\"\\]|\\.)*+\"?|'(?:[^'\\]|\\.)*+'?", re.S)
BRACKETS = late_pattern(rf"{QUOTED.pattern}|[(){{}}\[\]]", re.S)
CLOSES = {"(": ")", "[": "]", "{": "}"}
STRUCTURE = str.maketrans({"{": r"\7b ", "}": r"\7d ", ";": r"\3b ", "\n": " "})
DATA_IMPORT = late_pattern(r"@import\s+(?:url\(\s*)?(?:\"(data:[^\"]*)\"|'(data:[^']*)'|(data:[^)\s]*))", re.I)
DATA_SHEET = late_pattern(r"data:text/css(;[^,]{0,100})?,(.*)", re.I | re.S)
LONGEST_SELECTOR = 600
# A sheet means the same on every page unless it speaks of layers, containers or properties, which others may too.
STANDS_IN_OTHERS = re.compile(r"@(?:layer|container|property|import)", re.I)
# So many characters of the sheets read last are kept as they were read; reading a short one costs less.
LEAST_KEPT, MOST_KEPT = 2_000, 3_000_000
# The first class or id of a selector, unless it may stand in a bracket or a string.
FIRST_NAME = re.compile(rf"[^.#\[(\\\"']*+({NAME})")
# Blocks in blocks are opened one by one up to here, each a copy of the text within; deeper ones all at once.
MOST_SINGLE = 8
IGNORED, GROUP, STYLE, KEYFRAMES, FRAME, PROPERTY = range(6)


class Context(NamedTuple):
    """What a block stands in: the rules in it are of one layer, and uncertain together."""

    kind: int
    selectors: str
    layer: Layer
    uncertain: bool
    containers: tuple[str, ...] = ()
    """The conditions that are asked of what is around an element."""
    scope: Scope | None = None
    name: str = ""
    starting: bool = False
    """Whether it holds for the first moment alone; little of that stays."""

    @property
    def is_sure(self) -> bool:
        """Whether the rules in it hold for all elements alike."""
        return not self.uncertain and not self.containers


NOTHING = Context(IGNORED, "", (), uncertain=False)


@dataclass(slots=True)
class Sheets:
    """The rules of all sheets in order, the layers in the order they are first named, and what animations end in.

    Of each rule `heads` has the selectors as they stand in the sheet, with the parents of nested rules put in, `bodies`
    the declarations, `contexts` what they stand in.
    """

    heads: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    contexts: list[Context] = field(default_factory=list)
    layers: dict[Layer, dict[str, int]] = field(default_factory=dict)
    frames: dict[str, dict[str, str]] = field(default_factory=dict)
    initial: dict[str, str] = field(default_factory=dict)
    containers: frozenset[str] | None = None
    """The names of containers, None where nothing is one."""
    asked: list[tuple[int, dict[str, list[int]]]] = field(default_factory=list)
    """Where the rules of each sheet begin, and their numbers from there by the names they ask for."""

    def add(self, text: str, *, uncertain: bool = False) -> None:
        """Take in the text of a sheet, and before it what it imports from its own text."""
        if (stands := STANDS_IN_OTHERS.search(text)) or uncertain or len(text) < LEAST_KEPT:
            for match in DATA_IMPORT.finditer(text) if stands else ():
                self.add(read_data_sheet(match[1] or match[2] or match[3]), uncertain=True)
            self._read(text, uncertain=uncertain)
            return
        known = KEPT.get(text)
        self.asked += [(len(self.heads) + start, numbers) for start, numbers in known.asked]
        self.heads += known.heads
        self.bodies += known.bodies
        self.contexts += known.contexts
        self.frames.update(known.frames)

    def _read(self, text: str, *, uncertain: bool = False) -> None:
        start = len(self.heads)
        SheetReader(self, Context(GROUP, "", (), uncertain)).read(text)
        self.asked.append((start, _by_asked_names(self.heads[start:])))

    def asking_for(self, names: Iterable[str]) -> list[int]:
        """The numbers of the rules that could mean something on a page with these classes and ids, in lower case."""
        there = {"", *names}
        return [
            start + number
            for start, asked in self.asked
            for number in sorted({number for name in there & asked.keys() for number in asked[name]})
        ]

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


def _by_asked_names(heads: Sequence[str]) -> dict[str, list[int]]:
    """The numbers of rules by a class or an id, in lower case, without which a selector of theirs means nothing.

    Under "" are those with a selector that asks for no name, as far as that is plain to see. Commas in brackets only
    make more selectors of one.
    """
    asked: dict[str, list[int]] = {"": []}
    for number, head in enumerate(heads):
        for selector in head.split(",") if "," in head else (head,):
            match = FIRST_NAME.match(selector)
            name = match[1] if match else ""
            if name in asked:
                asked[name].append(number)
            else:
                asked[name] = [number]
    for name in [name for name in asked if "\\" in name or name != name.lower()]:
        asked.setdefault(unescape(name).lower(), []).extend(asked.pop(name))
    return asked


class KeptSheets:
    """The pages of a site share their sheets, and reading a large one takes longer than all the rest."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._dropping = Lock()
        self._sheets: OrderedDict[str, Sheets] = OrderedDict()

    def get(self, text: str) -> Sheets:
        sheet = self._sheets.pop(text, None) or self._read(text)
        if len(text) <= self.most:
            self._sheets[text] = sheet
        return sheet

    @property
    def size(self) -> int:
        return sum(map(len, list(self._sheets)))

    def _read(self, text: str) -> Sheets:
        sheet = Sheets()
        sheet._read(text)
        with self._dropping:
            left = self.most - len(text) - self.size
            while left < 0 and self._sheets:
                left += len(self._sheets.popitem(last=False)[0])
        return sheet


KEPT = KeptSheets(MOST_KEPT)


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
    blocks = text.split("}")
    for number, block in enumerate(blocks):
        # Whether a string, an escape, a comment or an address in `url()` may begin in it.
        if (
            '"' in block or "'" in block or "\\" in block
            or ("(" in block and ("l(" in block or "L(" in block)) or ("/" in block and "/*" in block)
            or "<" in block or (">" in block and "-->" in block)
        ):  # fmt: skip
            plain = OPAQUE.sub(_made_plain, block + "}")
            if not plain.endswith("}") or _is_left_open(plain):
                yield from _without_blocks_in_brackets(OPAQUE.sub(_made_plain, "}".join(blocks[number:]))).split("}")
                return
            yield plain[:-1]
        elif ("(" in block or "[" in block) and _is_left_open(block):
            yield from _without_blocks_in_brackets(OPAQUE.sub(_made_plain, "}".join(blocks[number:]))).split("}")
            return
        else:
            yield block


def _is_left_open(block: str) -> bool:
    """Whether a bracket is open at its end: what follows up to where it is closed means nothing to a browser."""
    if block.count("(") == block.count(")") and block.count("[") == block.count("]"):
        return False
    bare = QUOTED.sub("", block)
    return bare.count("(") > bare.count(")") or bare.count("[") > bare.count("]")


def _without_blocks_in_brackets(text: str) -> str:
    parts, start, open_signs = [], 0, list[str]()
    for sign in BRACKETS.finditer(text):
        if sign[0] in CLOSES:
            if sign[0] in "([" or open_signs:
                open_signs.append(sign[0])
            if open_signs == [sign[0]]:
                parts.append(text[start : sign.end()])
                start = sign.end()
        elif open_signs and sign[0] == CLOSES[open_signs[-1]]:
            open_signs.pop()
            if not open_signs:
                inner = text[start : sign.start()]
                parts.append("" if "{" in inner or "}" in inner else inner)
                start = sign.start()
    return "".join((*parts, "" if open_signs else text[start:]))


def _made_plain(match: re.Match[str]) -> str:
    text = match[0]
    if text.startswith(("/*", "<!--", "-->")):
        return ""
    if text[:4].lower() == "url(" and not text[4:].lstrip().startswith("#"):
        return "url(data)" if text[4:].lstrip()[:5].lower() == "data:" else "url()"
    return text.translate(STRUCTURE)


class SheetReader:
    """Follows the blocks of one sheet; what is open at its end is closed, as browsers do."""

    def __init__(self, sheets: Sheets, outermost: Context) -> None:
        self.sheets = sheets
        self.open = [outermost]
        self._media: dict[str, Context] = {}

    def read(self, text: str) -> None:
        heads, bodies, contexts = self.sheets.heads, self.sheets.bodies, self.sheets.contexts
        for block in _plain_blocks(text):
            head, _, body = block.partition("{")
            while "{" in body and ";" not in head and len(self.open) < MOST_SINGLE:
                self.open.append(self._entered(head))
                block = body
                head, _, body = block.partition("{")
            context = self.open[-1]
            is_rule = body and "{" not in body
            is_group = context.kind == GROUP and context.scope is None and not context.starting
            if is_rule and is_group and not ("@" in head or ";" in head or "&" in head):
                # A rule by itself, as nearly all are.
                heads.append(head)
                bodies.append(body)
                contexts.append(context)
            elif not (is_rule and context.kind == IGNORED):
                self._read_block(block)

    def _read_block(self, block: str) -> None:
        *heads, body = block.split("{")
        for chunk in heads:
            before, _, head = chunk.rpartition(";")
            if before:
                self._declare(before)
            self.open.append(self._entered(head))
        self._declare(body)
        if len(self.open) > 1:
            self.open.pop()

    def _entered(self, head: str) -> Context:
        """What stands in a block with this head; the same few conditions are asked again and again."""
        if len(self.open) > 1 or "@media" not in head:
            return self._enter(on_one_line(head))
        if head not in self._media:
            self._media[head] = self._enter(on_one_line(head))
        return self._media[head]

    def _declare(self, body: str) -> None:
        context = self.open[-1]
        if context.kind == STYLE:
            if context.starting:
                body = _that_stay(body)
                # What its display comes to is not known here.
                context = context._replace(uncertain=context.uncertain or "var(" in body)
            if ":" in body:
                self.sheets.heads.append(context.selectors)
                self.sheets.bodies.append(body)
                self.sheets.contexts.append(context)
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
            return NOTHING
        if head.startswith("@"):
            return self._enter_at_rule(head, context)
        if context.kind == KEYFRAMES:
            return context._replace(kind=FRAME, selectors=head.lower())
        if context.kind not in {GROUP, STYLE}:
            return NOTHING
        if context.selectors or context.scope or "&" in head:
            return _nested(head, context)
        return context._replace(kind=STYLE, selectors=head)

    def _enter_at_rule(self, head: str, context: Context) -> Context:
        name, _, rest = head[1:].partition(" ")
        name, _, joined = name.lower().partition("(")
        rest = f"({joined} {rest}".strip() if joined else rest
        if name == "container":
            is_there = self._has_container(rest)
            return context._replace(containers=(*context.containers, rest)) if is_there else NOTHING
        if name in CONDITIONS:
            holds = CONDITIONS[name](rest)
            if holds is False:
                return NOTHING
            return context if holds or context.uncertain else context._replace(uncertain=True)
        if name == "layer":
            return context._replace(layer=self.sheets.name_layer(context.layer, rest))
        if name == "starting-style":
            return context._replace(starting=True)
        if name == "scope":
            scope = read_scope(rest, context.scope)
            return context._replace(scope=scope, uncertain=context.uncertain or scope.is_cut)
        if name.endswith("keyframes"):
            self.sheets.frames[rest.strip("\"' ")] = {}
            return Context(KEYFRAMES, "", (), uncertain=False, name=rest.strip("\"' "))
        return Context(PROPERTY if name == "property" else IGNORED, "", (), uncertain=False, name=rest)

    def _has_container(self, condition: str) -> bool:
        """Whether anything on the page can be the container that is asked."""
        query, known = read_container_query(condition), self.sheets.containers
        is_known = not query.name or (known is not None and query.name in known)
        return is_known and (known is not None or not query.types)


def _that_stay(body: str) -> str:
    """Animations that begin in the first moment and take time go on, and what displays as nothing then is not shown
    later either. One without end starts again and again from what is said beside it.
    """
    said = [(each[0].lower(), each[1], each[2]) for each in _css_parse_declarations(body)]
    if any("animation" in name and "infinite" in value.lower() for name, value, _ in said):
        return body
    displays = [value for name, value, _ in said if name == "display"][-1:]
    is_gone = any("none" in value.lower() or "var(" in value or value.startswith("--") for value in displays)
    return ";".join(
        f"{name}:{value}{'!important' * important}"
        for name, value, important in said
        if (name == "display" and is_gone) or ("animation" in name and not AT_ONCE.search(value))
    )


CONTAINER_NAMES = late_pattern(r"\bcontainer(?:-name)?\s*:([^;}/]{1,200})", re.I)
AT_ONCE = late_pattern(r"(?<![\d.])0m?s\b", re.I)
FRAME_PLACES = {"to": "100%", "from": "0%"}
CONDITIONS = {"media": media_holds, "supports": supports_holds}


def _nested(head: str, context: Context) -> Context:
    if not all(map(is_known, split_outside(context.selectors, ",") if context.selectors else ())):
        # A browser drops the rule around it, with all that is in it.
        return NOTHING
    parent = f":is({context.selectors})" if context.selectors else ":root"
    parts = [_within(part.strip(), parent, context) for part in split_outside(head, ",")]
    selectors = ", ".join(parts)
    if len(selectors) > LONGEST_SELECTOR and context.scope and context.scope.limit:
        # Of limits nothing is asked any more: more may be hidden than is.
        return _nested(head, context._replace(scope=context.scope.without_limits(), uncertain=True))
    if len(selectors) > LONGEST_SELECTOR:
        return context._replace(kind=STYLE, selectors=head.replace("&", "*"), uncertain=True)
    return context._replace(kind=STYLE, selectors=selectors)


def _within(part: str, parent: str, context: Context) -> str:
    root, limit = context.scope[:2] if context.scope else ("", "")
    if "&" in part:
        part = part.replace("&", parent if context.selectors or not root else root)
    elif context.selectors:
        part = f"{parent} {part}"
    elif root and ":scope" not in part:
        part = f"{root} {part}"
    return part.replace(":scope", root) + limit if root else part


def all_sheets(texts: Sequence[str], inline: Iterable[str] = ()) -> Sheets:
    """The rules of several sheets; of `inline` styles is asked only whether anything is a container."""
    sheets = Sheets()
    if any(map(STANDS_IN_OTHERS.search, texts)):
        said = [text for text in (*texts, *inline) if "container-type" in text or "container:" in text]
        named = (match[1].lower() for text in said for match in CONTAINER_NAMES.finditer(text))
        sheets.containers = frozenset(word for names in named for word in names.split()) if said else None
    for text in texts:
        sheets.add(text)
    return sheets
