"""Plain text, CSV and JSON.

Character sets: a byte-order mark, then UTF-8, then the declared one, then what the bytes look like.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
from io import StringIO

from wellsourced.documents.document import Document
from wellsourced.documents.markdown_output import MarkdownOutput, cut
from wellsourced.documents.unreadable import Unreadable
from wellsourced.pages.html import encoding
from wellsourced.text.markdown_table import table

MOST_ROWS = 2_000
MOST_COLUMNS = 60
LARGEST_FIELD = 16 * 2**20
SEPARATOR_LINE = re.compile(r"\"?sep=([,;|\t])\"?", re.I)
QUOTED = re.compile(r'"[^"]*"')
LARGEST_JSON = 16 * 2**20
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
ANNOUNCED_JAPANESE = re.compile(rb"\x1b\$[@B](?=[\x21-\x7e])")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


def read(body: bytes, *, kind: str, max_chars: int, charset: str = "") -> Document:
    """The document behind `kind`: text, csv or json."""
    text, notes = decode(body, charset)
    text = CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
    if not text.strip():
        raise Unreadable("The document is empty: it holds no text.")
    if kind == "csv":
        return _csv(text, max_chars, notes)
    if kind == "json":
        return _json(text, max_chars, notes)
    return Document(text=cut(text, max_chars), content_type="text", notes=notes, truncated=len(text) > max_chars)


def decode(body: bytes, charset: str = "") -> tuple[str, tuple[str, ...]]:
    """The text and a note when the character set had to be guessed."""
    for mark, codec in MARKS:
        if body.startswith(mark):
            return body.decode(codec, "replace").lstrip("\ufeff"), ()
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as problem:
        if 4 < len(body) - 4 <= problem.start:
            return body[: problem.start].decode("utf-8"), ("The text ends in the middle of a character.",)
    charset = charset or ("iso-2022-jp" if ANNOUNCED_JAPANESE.search(body) else "")
    found = encoding.decode(body, f"charset={charset}" if charset else "")
    is_known = found.codec == "utf-8" or (charset and not found.overruled)
    return found.text, () if is_known else (f"The character set was not declared and was taken to be {found.codec}.",)


def _csv(text: str, max_chars: int, notes: tuple[str, ...]) -> Document:
    rows, more = _rows(text)
    wide = any(len(row) > MOST_COLUMNS for row in rows)
    output = MarkdownOutput(max_chars)
    output.add(table([row[:MOST_COLUMNS] for row in rows]))
    if more:
        notes = (*notes, f"Only the first {len(rows)} rows are shown.")
    if wide:
        notes = (*notes, f"Only the first {MOST_COLUMNS} columns are shown.")
    if not output.text:
        raise Unreadable("The CSV file holds no values.")
    return Document(text=output.text, content_type="csv", notes=notes, truncated=more or wide or output.truncated)


def _rows(text: str) -> tuple[list[list[str]], bool]:
    first, _, rest = text.partition("\n")
    told = SEPARATOR_LINE.fullmatch(first)
    delimiter = told[1] if told else _delimiter(QUOTED.sub("", text[:8192]).splitlines()[:20])
    text = rest if told else text
    csv.field_size_limit(LARGEST_FIELD)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(StringIO(text), delimiter=delimiter):
            if len(rows) >= MOST_ROWS:
                return rows, True
            rows.append(row[: MOST_COLUMNS + 1])
    except csv.Error:
        return rows or [[line] for line in text.splitlines()[:MOST_ROWS]], True
    return rows, False


def _delimiter(lines: list[str]) -> str:
    """The sign that most lines hold equally often: titles may stand above the table, decimal commas inside it."""
    counts = {sign: [line.count(sign) for line in lines if sign in line] for sign in ",;\t|"}
    alike = {sign: max((found.count(number), number) for number in found) for sign, found in counts.items() if found}
    return max(alike, key=lambda sign: alike[sign], default=",")


def _json(text: str, max_chars: int, notes: tuple[str, ...]) -> Document:
    """Indented when it is small enough to be worth parsing; as it came otherwise."""
    if len(text) <= min(LARGEST_JSON, max_chars * 4):
        try:
            text = _indented(text)
        except (ValueError, RecursionError):
            notes = (*notes, "It looks like JSON but is not valid, so it is shown as it came.")
    room = max(max_chars - len("```json\n\n```"), 1)
    return Document(
        text=f"```json\n{cut(text, room)}\n```", content_type="json", notes=notes, truncated=len(text) > room
    )


def _indented(text: str) -> str:
    """One value indented; a value on each line (JSON Lines), or numbers longer than Python takes, as they came."""
    try:
        written = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except ValueError:
        if not _is_json(text) and not all(map(_is_json, filter(str.strip, text.split("\n")))):
            raise
        return text
    return written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_json(text: str) -> bool:
    try:
        json.loads(text, parse_int=str)
    except ValueError:
        return False
    return True
