"""Spreadsheets (ECMA-376 part 1, section 18): each sheet a table, in workbook order."""

from __future__ import annotations

import re

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.number_formats import NumberFormats, read_number_formats
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.documents.xml import Element, attribute, find_child, local_name
from wellsourced.documents.zip_package import ZipPackage
from wellsourced.late_dataclass import dataclass
from wellsourced.text.markdown_table import pipe_table

MOST_ROWS = 2_000
MOST_COLUMNS = 100
MOST_SHEETS = 200
REFERENCE = re.compile(r"([A-Za-z]{1,3})\d*")
# Office writes control characters as _x000D_ and the like.
ESCAPED = re.compile(r"_x(00[0-9A-Fa-f]{2})_")
TRUTH = {"0": "FALSE", "1": "TRUE"}

FORMAT = DocumentFormat(
    kind="xlsx", extensions=("xlsx", "xlsm"), media_types=("spreadsheetml",), is_binary=True, zip_folder=b"xl/"
)


@dataclass(frozen=True)
class _Book:
    """What the cells of all sheets refer to."""

    strings: list[str]
    formats: NumberFormats


def read(body: bytes, options: ReadOptions) -> Document:
    """Every visible sheet with values, under its name."""
    package = ZipPackage(body, "spreadsheet")
    path = package.related("", "officeDocument") or "xl/workbook.xml"
    workbook = package.xml(path)
    if workbook is None:
        raise Unreadable("The spreadsheet is damaged: its list of sheets is missing.")
    book = _book(package, path, workbook)
    output, notes = MarkdownOutput(options.max_chars), []
    sheets = _sheets(package, path, workbook)
    for name, part, hidden in sheets[:MOST_SHEETS]:
        if hidden:
            notes.append(f"The hidden sheet {name!r} was left out.")
            continue
        rows, more = _rows(package.xml(part), book)
        if more:
            notes.append(f"Only the first {MOST_ROWS} rows of the sheet {name!r} are shown.")
        if any(len(row) > MOST_COLUMNS for row in rows):
            notes.append(f"Only the first {MOST_COLUMNS} columns of the sheet {name!r} are shown.")
        if grid := pipe_table([row[:MOST_COLUMNS] for row in rows]):
            output.add(f"## {name}")
            output.add(grid)
    if len(sheets) > MOST_SHEETS:
        notes.append(f"Only the first {MOST_SHEETS} of {len(sheets)} sheets were read.")
    if not output.text:
        raise Unreadable("The spreadsheet holds no values in its visible sheets.")
    title, author, date = package.core_properties()
    return Document(
        text=output.text,
        content_type="xlsx",
        title=title,
        author=author,
        date=parse_timestamp(date),
        pages=len(sheets),
        notes=tuple(notes),
        truncated=output.truncated or any(note.startswith("Only") for note in notes),
    )


def _book(package: ZipPackage, path: str, workbook: Element) -> _Book:
    settings = find_child(workbook, "workbookPr")
    from_1904 = settings is not None and attribute(settings, "date1904") in {"1", "true"}
    strings = package.xml(package.related(path, "sharedStrings") or "xl/sharedStrings.xml")
    styles = package.xml(package.related(path, "styles") or "xl/styles.xml")
    return _Book(
        [_rich_text(item) for item in strings if local_name(item) == "si"] if strings is not None else [],
        read_number_formats(styles, from_1904=from_1904),
    )


def _rich_text(item: Element) -> str:
    """The text of a string without its phonetic guide (`rPh`)."""
    runs = [
        part if local_name(part) == "t" else find_child(part, "t") for part in item if local_name(part) in {"t", "r"}
    ]
    text = "".join(run.text or "" for run in runs if run is not None)
    return ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _sheets(package: ZipPackage, path: str, workbook: Element) -> list[tuple[str, str, bool]]:
    relations = package.relations(path)
    sheets = []
    listed = find_child(workbook, "sheets")
    for item in listed if listed is not None else ():
        key = next((str(value) for name, value in item.attrib.items() if str(name).endswith("}id")), "")
        target = relations.get(key)
        if target and target.kind == "worksheet" and package.find(target.target):
            hidden = attribute(item, "state") in {"hidden", "veryHidden"}
            sheets.append((attribute(item, "name") or "Sheet", target.target, hidden))
    return sheets


def _rows(sheet: Element | None, book: _Book) -> tuple[list[list[str]], bool]:
    rows: list[list[str]] = []
    data = find_child(sheet, "sheetData")
    for row in data if data is not None else ():
        cells = _cells(row, book)
        if len(rows) >= MOST_ROWS and any(cells):
            return rows, True
        if any(cells):
            rows.append(cells)
    return rows, False


def _cells(row: Element, book: _Book) -> list[str]:
    """A row's values; one more than may be shown says that there are more."""
    cells: list[str] = []
    for item in row:
        column, value = _column(attribute(item, "r"), len(cells)), _value(item, book)
        if column >= MOST_COLUMNS and not value:
            continue
        cells += [""] * (min(column, MOST_COLUMNS) - len(cells))
        cells.append(value)
        if column >= MOST_COLUMNS:
            break
    return cells


def _column(reference: str | None, following: int) -> int:
    """`AB12` stands in column 27; cells without a reference follow the one before."""
    match = REFERENCE.match(reference or "")
    if not match:
        return following
    number = 0
    for letter in match.group(1).upper():
        number = number * 26 + ord(letter) - 64
    return max(number - 1, following)


def _value(item: Element, book: _Book) -> str:
    kind = attribute(item, "t") or "n"
    if kind == "inlineStr":
        inline = find_child(item, "is")
        return _rich_text(inline) if inline is not None else ""
    holder = find_child(item, "v")
    value = (holder.text or "").strip() if holder is not None else ""
    if kind == "s":
        return book.strings[int(value)] if value.isdigit() and int(value) < len(book.strings) else ""
    if kind == "b":
        return TRUTH.get(value, value)
    if kind != "n":
        return value
    return book.formats.shown(value, attribute(item, "s") or "") if value else _formula(item)


def _formula(item: Element) -> str:
    """What is to be computed, where no program has done so and stored the result."""
    written = find_child(item, "f")
    return f"={written.text}" if written is not None and written.text else ""
