"""CSV and tab-separated values as a table."""

from __future__ import annotations

import csv
import re
from io import StringIO

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.formats.text import readable_text
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.text.markdown_table import pipe_table

MOST_ROWS = 2_000
MOST_COLUMNS = 60
LARGEST_FIELD = 16 * 2**20
# Excel names the separator in a first line of its own.
SEPARATOR_LINE = re.compile(r"\"?sep=([,;|\t])\"?", re.I)
QUOTED = re.compile(r'"[^"]*"')
FORMAT = DocumentFormat(kind="csv", extensions=("csv", "tsv"), media_types=("/csv", "tab-separated-values"))


def read(body: bytes, options: ReadOptions) -> Document:
    """The first rows and columns; a note says what was left out."""
    text, notes = readable_text(body, options)
    rows, more = _rows(text)
    wide = any(len(row) > MOST_COLUMNS for row in rows)
    output = MarkdownOutput(options.max_chars)
    output.add(pipe_table([row[:MOST_COLUMNS] for row in rows]))
    if more:
        notes = (*notes, f"Only the first {len(rows)} rows are shown.")
    if wide:
        notes = (*notes, f"Only the first {MOST_COLUMNS} columns are shown.")
    if not output.text:
        raise Unreadable("The CSV file holds no values.")
    return Document(text=output.text, content_type="csv", notes=notes, truncated=more or wide or output.truncated)


def _rows(text: str) -> tuple[list[list[str]], bool]:
    first, _, rest = text.partition("\n")
    declared = SEPARATOR_LINE.fullmatch(first)
    delimiter = declared[1] if declared else _delimiter(QUOTED.sub("", text[:8192]).splitlines()[:20])
    text = rest if declared else text
    # The library refuses cells beyond 128 KB by default.
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
