"""BibTeX and biblatex bibliographies, read as they are in the wild.

Facts: the BibTeX documentation (btxdoc, btxhak) for syntax, strings, names and crossref; the biblatex manual for its
fields, types and data inheritance. What belongs to the parent alone (its DOI, its address, its pages) is not inherited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from wellsourced.citations.formats.bibtex_fields import reference_from_fields
from wellsourced.citations.reference import Reference
from wellsourced.text.dates import ENGLISH_MONTHS

MONTH_MACROS = {name: name for name in ENGLISH_MONTHS}
# A string defined by doubling itself would otherwise grow without bound.
LONGEST_STRING = 5_000
# Without a limit a cycle of cross-references would never end.
DEEPEST_CHAIN = 8
PARTS_OF_BOOKS_TEXT = "inproceedings incollection inbook conference suppbook suppcollection bookinbook inreference"
PARTS_OF_BOOKS = frozenset(PARTS_OF_BOOKS_TEXT.split())
# What is true of the parent alone, or only of use to a program.
NOT_INHERITED_TEXT = """
    crossref xref xdata ids entryset entrysubtype execute label options presort related relatedtype
    relatedstring relatedoptions shorthand shorthandintro sortkey sorttitle sortname sortyear doi url urldate
    eprint pages abstract keywords file note annote annotation pmid key timestamp owner groups shorttitle
    indextitle date-added date-modified bibsource biburl swhid pagetotal numpages
"""
NOT_INHERITED = frozenset(NOT_INHERITED_TEXT.split())
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
# More fields behind the bracket: it closed too early.
BEYOND_END = re.compile(r"[\s,})]{0,40}[A-Za-z][\w-]{1,40}\s{0,20}=\s{0,20}[{\"]")
NEXT_FIELD = re.compile(
    r"\n[ \t]{0,40}+,?[ \t]{0,40}+[A-Za-z][\w-]{1,40}[ \t]{0,40}+=[ \t]{0,40}+[{\"0-9]"
    r"|,[ \t]{0,9}[A-Za-z][\w-]{1,40}[ \t]{0,9}=[ \t]{0,9}[{\"]"
)
BARE = re.compile(r"[^\s,#{}()\"=]{1,300}")
BRACE = re.compile(r"[{}]")
QUOTED_MARK = re.compile(r"[{}\"]")
# The entry as written is kept for messages only.
LONGEST_RAW = 20_000


def read_bibtex(text: str, most: int) -> tuple[list[Reference], list[tuple[int, str]]]:
    """References in the order of the file, and a sentence for every entry that was damaged."""
    macros: dict[str, str] = dict(MONTH_MACROS)
    found: list[tuple[BibtexEntry, dict[str, str]]] = []
    problems: list[tuple[int, str]] = []
    for entry in parse_entries(text):
        values = {name: _value(pieces, macros) for name, pieces in entry.fields.items()}
        if entry.kind == "string":
            macros |= {name: value[:LONGEST_STRING] for name, value in values.items() if name not in MONTH_MACROS}
            continue
        if len(found) >= most:
            problems.append((entry.line, f"Only the first {most} entries were read."))
            break
        found.append((entry, values))
        problems += _problem(entry)
    return _resolved(found), problems


def _problem(entry: BibtexEntry) -> list[tuple[int, str]]:
    name = f"entry {entry.key!r}" if entry.key else f"@{entry.kind} without a key"
    if not entry.fields:
        return [(entry.line, f"The {name} has no fields that could be read.")]
    return (
        [(entry.line, f"The {name} is damaged: {entry.trouble}; what could be read was kept.")] if entry.trouble else []
    )


def _value(pieces: list[BibtexValuePart], macros: Mapping[str, str]) -> str:
    """Concatenated; a string nobody defined stands for itself."""
    return "".join(macros.get(piece.text.lower(), piece.text) if piece.is_macro else piece.text for piece in pieces)


def _resolved(found: list[tuple[BibtexEntry, dict[str, str]]]) -> list[Reference]:
    by_key: dict[str, tuple[str, dict[str, str]]] = {}
    for entry, values in found:
        by_key.setdefault(entry.key.casefold(), (entry.kind, values))
    read = [(entry, _inherited(entry.kind, values, by_key)) for entry, values in found if entry.kind != "xdata"]
    return [reference_from_fields(entry.kind, entry.key, values, entry.raw) for entry, values in read if values]


def _inherited(kind: str, values: dict[str, str], by_key: Mapping[str, tuple[str, dict[str, str]]]) -> dict[str, str]:
    """With what `xdata` and `crossref` add, along a chain that ends when it is long or bites its tail."""
    complete = dict(values)
    waiting = _parents(kind, values)
    seen: set[str] = set()
    while waiting and len(seen) < DEEPEST_CHAIN:
        key, child, is_whole = waiting.pop(0)
        if key in seen or key not in by_key:
            continue
        seen.add(key)
        parent = by_key[key][1]
        for name, value in parent.items():
            if is_whole or name not in NOT_INHERITED:
                complete.setdefault(_inherited_name(child, name), value)
        waiting += _parents(child, parent)
    return complete


def _parents(kind: str, values: Mapping[str, str]) -> list[tuple[str, str, bool]]:
    """Keys of the entries to inherit from, for which kind of child, and whether everything comes from there."""
    data = [
        (key.strip().casefold(), "", True) for key in values.get("xdata", "").split(",")[:DEEPEST_CHAIN] if key.strip()
    ]
    crossref = values.get("crossref", "").strip().casefold()
    return data + ([(crossref, kind, False)] if crossref else [])


def _inherited_name(child: str, name: str) -> str:
    if child not in PARTS_OF_BOOKS:
        return name
    return {"title": "booktitle", "subtitle": "booksubtitle", "author": "bookauthor"}.get(name, name)


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
    while (match := START.search(text, position)) is not None:
        line += text.count("\n", counted, match.start())
        counted = match.start()
        while border < len(borders) and borders[border] <= match.start():
            border += 1
        limit = borders[border] if border < len(borders) else len(text)
        if match[1].lower() in {"comment", "preamble"}:
            limit = len(text) if closed else match.end()
        entry, position = _block(text, match, limit, line)
        closed = closed and (entry is not None or match[2] is None or position > match.end())
        if entry is not None:
            yield entry


def _borders(text: str) -> list[int]:
    starts = {match.start() + match[0].index("@") for match in ENTRY_LINE.finditer(text)}
    starts |= {match.start() + match[0].index("@") for match in BLOCK_LINE.finditer(text)}
    return sorted(starts)


def _block(text: str, match: re.Match[str], limit: int, line: int) -> tuple[BibtexEntry | None, int]:
    kind, opening = match[1].lower(), match[2]
    if opening is None:
        # The pattern also skips what stands behind `%`: the comment ends with its own line.
        end = text.find("\n", match.end(1))
        return None, (end if end >= 0 and kind == "comment" else match.end(1))
    if kind in {"comment", "preamble"}:
        return None, _after_group(text, match.end(), limit)
    closing = "}" if opening == "{" else ")"
    entry = BibtexEntry(kind, "", line)
    position = match.end() if kind == "string" else _read_key(text, match.end(), limit, entry)
    position = _read_fields(text, position, limit, closing, entry)
    entry.raw = text[match.start() : min(position, match.start() + LONGEST_RAW)]
    return entry, position


def _after_group(text: str, position: int, limit: int) -> int:
    try:
        return _braced(text, position, limit)[1]
    except UnclosedValue:
        return position


def _read_key(text: str, position: int, limit: int, entry: BibtexEntry) -> int:
    match = KEY.match(text, position, limit)
    if match is None or FIELD.match(text, position, limit):
        return position
    entry.key = " ".join(match[1].split())
    return match.end()


def _read_fields(text: str, position: int, limit: int, closing: str, entry: BibtexEntry) -> int:
    """Fields up to the closing bracket; what comes behind a bracket too many is read as well."""
    while True:
        match = FIELD.match(text, position, limit)
        if match is not None:
            position = _read_value(text, match.end(), limit, entry, match[1].lower())
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
    match = NEXT_FIELD.search(text, position, limit)
    return match.start() if match else limit


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
    match = BARE.match(text, position, limit)
    if match is None:
        return None, position
    return BibtexValuePart(match[0], is_macro=not match[0].isdigit()), match.end()


def _braced(text: str, start: int, limit: int) -> tuple[str, int]:
    depth = 1
    for match in BRACE.finditer(text, start, limit):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return text[start : match.start()], match.end()
    raise _unclosed(text, start, limit)


def _quoted(text: str, start: int, limit: int) -> tuple[str, int]:
    depth = 0
    for match in QUOTED_MARK.finditer(text, start, limit):
        if match[0] == '"' and depth <= 0:
            return text[start : match.start()], match.end()
        depth += {"{": 1, "}": -1, '"': 0}[match[0]]
    raise _unclosed(text, start, limit)


def _unclosed(text: str, start: int, limit: int) -> UnclosedValue:
    """The value ends where the next field begins, or with the entry."""
    match = NEXT_FIELD.search(text, start, limit)
    end = match.start() if match else limit
    return UnclosedValue(text[start:end].rstrip().rstrip('}",) \t\r\n'), end)
