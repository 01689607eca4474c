"""The syntax of a BibTeX file: entries with their raw field values, strings, comments, and what is broken.

An entry never reaches beyond the next line that begins another one, so a missing brace costs one entry its last
fields and the file nothing. Every character is looked at a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

ENTRY_LINE = re.compile(
    r"^[ \t]{0,40}@\s{0,20}[A-Za-z_]{2,40}\s{0,20}[{(]\s{0,40}(?:[^\s,={}()\"]{0,300}\s{0,40},|"
    r"[A-Za-z][\w:.+-]{0,60}\s{0,20}=)",
    re.MULTILINE,
)
BLOCK_LINE = re.compile(r"^[ \t]{0,40}@\s{0,20}(?:string|preamble|comment)\b", re.MULTILINE | re.IGNORECASE)
START = re.compile(r"@(?:\s|%[^\n]{0,200}\n){0,50}+([A-Za-z_]{2,40})(?:\s|%[^\n]{0,200}\n){0,50}+([{(])?")
KEY = re.compile(
    r"\s*+([^,={}\"\n]{0,300}?)\s{0,40}(?:,|(?=[})])|\n\s{0,40}+(?=[A-Za-z][\w-]{0,60}\s{0,20}=)"
    r"|[ \t]{1,40}(?=[A-Za-z][\w-]{0,60}\s{0,20}=\s{0,20}[{\"]))"
)
FIELD = re.compile(r"(?:[\s,;]|%[^\n]*+(?:\n|\Z))*+([A-Za-z_][^\s=,{}()\"#%]{0,80})\s*+=\s*+")
BEYOND_END = re.compile(r"[\s,})]{0,40}[A-Za-z][\w-]{1,40}\s{0,20}=\s{0,20}[{\"]")
NEXT_FIELD = re.compile(
    r"\n[ \t]{0,40}+,?[ \t]{0,40}+[A-Za-z][\w-]{1,40}[ \t]{0,40}+=[ \t]{0,40}+[{\"0-9]"
    r"|,[ \t]{0,9}[A-Za-z][\w-]{1,40}[ \t]{0,9}=[ \t]{0,9}[{\"]"
)
BARE = re.compile(r"[^\s,#{}()\"=]{1,300}")
BRACE = re.compile(r"[{}]")
QUOTED_MARK = re.compile(r"[{}\"]")
LONGEST_RAW = 20_000


@dataclass(slots=True)
class BibtexValuePart:
    """A part of a value: literal text, or the name of a string."""

    text: str
    is_macro: bool = False


@dataclass(slots=True)
class BibtexEntry:
    """`trouble` says in words what had to be repaired. Behind a value that was never closed each value ends, at the
    latest, where the next field begins."""

    kind: str
    key: str
    line: int
    raw: str = ""
    fields: dict[str, list[BibtexValuePart]] = field(default_factory=dict)
    trouble: str = ""
    has_open_value: bool = False


class UnclosedValue(Exception):
    """A value without an end; `text` is what was found of it and `position` where to go on."""

    def __init__(self, text: str, position: int) -> None:
        super().__init__(text[:40])
        self.text, self.position = text, position


def parse_entries(text: str) -> Iterator[BibtexEntry]:
    """All blocks but comments and preambles, in order; strings have the kind `string`."""
    borders = _borders(text)
    position, line, counted, border, closed = 0, 1, 0, 0, True
    while (found := START.search(text, position)) is not None:
        line += text.count("\n", counted, found.start())
        counted = found.start()
        while border < len(borders) and borders[border] <= found.start():
            border += 1
        limit = borders[border] if border < len(borders) else len(text)
        if found[1].lower() in {"comment", "preamble"}:
            limit = len(text) if closed else found.end()
        entry, position = _block(text, found, limit, line)
        closed = closed and (entry is not None or found[2] is None or position > found.end())
        if entry is not None:
            yield entry


def _borders(text: str) -> list[int]:
    starts = {found.start() + found[0].index("@") for found in ENTRY_LINE.finditer(text)}
    starts |= {found.start() + found[0].index("@") for found in BLOCK_LINE.finditer(text)}
    return sorted(starts)


def _block(text: str, found: re.Match[str], limit: int, line: int) -> tuple[BibtexEntry | None, int]:
    kind, opening = found[1].lower(), found[2]
    if opening is None:
        end = text.find("\n", found.end())
        return None, (end if end >= 0 and kind == "comment" else found.end())
    if kind in {"comment", "preamble"}:
        return None, _after_group(text, found.end(), limit)
    closing = "}" if opening == "{" else ")"
    entry = BibtexEntry(kind, "", line)
    position = found.end() if kind == "string" else _read_key(text, found.end(), limit, entry)
    position = _read_fields(text, position, limit, closing, entry)
    entry.raw = text[found.start() : min(position, found.start() + LONGEST_RAW)]
    return entry, position


def _after_group(text: str, position: int, limit: int) -> int:
    try:
        return _braced(text, position, limit)[1]
    except UnclosedValue:
        return position


def _read_key(text: str, position: int, limit: int, entry: BibtexEntry) -> int:
    found = KEY.match(text, position, limit)
    if found is None or FIELD.match(text, position, limit):
        return position
    entry.key = " ".join(found[1].split())
    return found.end()


def _read_fields(text: str, position: int, limit: int, closing: str, entry: BibtexEntry) -> int:
    """Fields up to the closing bracket; what comes behind a bracket too many is read as well."""
    while True:
        found = FIELD.match(text, position, limit)
        if found is not None:
            position = _read_value(text, found.end(), limit, entry, found[1].lower())
            continue
        end = _skip(text, position, limit)
        if end >= limit:
            entry.trouble = entry.trouble or "its closing bracket is missing"
            return limit
        if text[end] != closing and not _can_go_on(text, end, limit):
            entry.trouble = entry.trouble or f"something unexpected stands at {text[end : end + 20]!r}"
            position = _next_line(text, end, limit)
            continue
        if not _can_go_on(text, end, limit):
            return end + 1
        entry.trouble = entry.trouble or "it has a closing bracket too many"
        position = end + 1


def _can_go_on(text: str, end: int, limit: int) -> bool:
    return BEYOND_END.match(text, end, limit) is not None


def _next_line(text: str, position: int, limit: int) -> int:
    found = NEXT_FIELD.search(text, position, limit)
    return found.start() if found else limit


def _skip(text: str, position: int, limit: int) -> int:
    while position < limit and (text[position].isspace() or text[position] in ",;"):
        position += 1
    return position


def _read_value(text: str, position: int, limit: int, entry: BibtexEntry, name: str) -> int:
    pieces: list[BibtexValuePart] = []
    if entry.has_open_value:
        limit = _next_line(text, position, limit)
    while True:
        try:
            piece, position = _piece(text, position, limit)
        except UnclosedValue as broken:
            piece, position = BibtexValuePart(broken.text), broken.position
            entry.trouble = entry.trouble or f"the value of {name[:40]!r} is not closed"
            entry.has_open_value = True
        if piece is not None:
            pieces.append(piece)
        after = _blank(text, position, limit)
        if after >= limit or text[after] != "#":
            break
        position = _blank(text, after + 1, limit)
    entry.fields.setdefault(name, pieces)
    return position


def _blank(text: str, position: int, limit: int) -> int:
    while position < limit and text[position].isspace():
        position += 1
    return position


def _piece(text: str, position: int, limit: int) -> tuple[BibtexValuePart | None, int]:
    mark = text[position : position + 1] if position < limit else ""
    if mark == "{":
        inside, after = _braced(text, position + 1, limit)
        return BibtexValuePart(inside), after
    if mark == '"':
        inside, after = _quoted(text, position + 1, limit)
        return BibtexValuePart(inside), after
    found = BARE.match(text, position, limit)
    if found is None:
        return None, position
    return BibtexValuePart(found[0], is_macro=not found[0].isdigit()), found.end()


def _braced(text: str, start: int, limit: int) -> tuple[str, int]:
    depth = 1
    for found in BRACE.finditer(text, start, limit):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return text[start : found.start()], found.end()
    raise _unclosed(text, start, limit)


def _quoted(text: str, start: int, limit: int) -> tuple[str, int]:
    depth = 0
    for found in QUOTED_MARK.finditer(text, start, limit):
        if found[0] == '"' and depth <= 0:
            return text[start : found.start()], found.end()
        depth += {"{": 1, "}": -1, '"': 0}[found[0]]
    raise _unclosed(text, start, limit)


def _unclosed(text: str, start: int, limit: int) -> UnclosedValue:
    """The value ends where the next field begins, or with the entry."""
    found = NEXT_FIELD.search(text, start, limit)
    end = found.start() if found else limit
    return UnclosedValue(text[start:end].rstrip().rstrip('}",) \t\r\n'), end)
