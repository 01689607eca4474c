"""Spreadsheets (ECMA-376 part 1, section 18): each sheet a table, in workbook order.

Dates are numbers with a date format: the built-in format ids come from 18.8.30, others are recognised by their
letters. Day 60 of the 1900 calendar does not exist, which is why days are counted from 1899-12-30.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from wellsourced.model.document import Document
from wellsourced.readers.grid import table
from wellsourced.readers.moments import moment
from wellsourced.readers.output import Output
from wellsourced.readers.package import Package
from wellsourced.readers.refusal import Unreadable
from wellsourced.readers.tree import Element, attribute, child, local

MOST_ROWS = 2_000
MOST_COLUMNS = 100
MOST_SHEETS = 200
DATE_FORMATS = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
NOT_FORMAT = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
REFERENCE = re.compile(r"([A-Za-z]{1,3})\d*")
ESCAPED = re.compile(r"_x(00[0-9A-Fa-f]{2})_")
SPAN = re.compile(r"\[(?:h+|m+|s+)\]", re.I)
SPAN_FORMAT = 46
TRUTH = {"0": "FALSE", "1": "TRUE"}


@dataclass(frozen=True)
class _Book:
    """What the cells of all sheets refer to."""

    strings: list[str]
    date_styles: frozenset[int]
    span_styles: frozenset[int]
    day_zero: datetime


def read(body: bytes, *, max_chars: int) -> Document:
    """Every visible sheet with values, under its name."""
    package = Package(body, "spreadsheet")
    path = package.related("", "officeDocument") or "xl/workbook.xml"
    workbook = package.xml(path)
    if workbook is None:
        raise Unreadable("The spreadsheet is damaged: its list of sheets is missing.")
    book = _book(package, path, workbook)
    output, notes = Output(max_chars), []
    sheets = _sheets(package, path, workbook)
    for name, part, hidden in sheets[:MOST_SHEETS]:
        if hidden:
            notes.append(f"The hidden sheet {name!r} was left out.")
            continue
        rows, more = _rows(package.xml(part), book)
        if more:
            notes.append(f"Only the first {MOST_ROWS} rows of the sheet {name!r} are shown.")
        if grid := table(rows):
            output.add(f"## {name}")
            output.add(grid)
    if not output.text:
        raise Unreadable("The spreadsheet holds no values in its visible sheets.")
    title, author, date = package.core_properties()
    return Document(
        text=output.text,
        content_type="xlsx",
        title=title,
        author=author,
        date=moment(date),
        pages=len(sheets),
        notes=tuple(notes),
        truncated=output.truncated or any(note.startswith("Only") for note in notes),
    )


def _book(package: Package, path: str, workbook: Element) -> _Book:
    settings = child(workbook, "workbookPr")
    from_1904 = settings is not None and attribute(settings, "date1904") in {"1", "true"}
    strings = package.xml(package.related(path, "sharedStrings") or "xl/sharedStrings.xml")
    dates, spans = _time_styles(package.xml(package.related(path, "styles") or "xl/styles.xml"))
    return _Book(
        [_rich_text(item) for item in strings if local(item) == "si"] if strings is not None else [],
        dates,
        spans,
        datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30),
    )


def _rich_text(item: Element) -> str:
    """The text of a string without its phonetic guide (`rPh`)."""
    runs = [part if local(part) == "t" else child(part, "t") for part in item if local(part) in {"t", "r"}]
    text = "".join(run.text or "" for run in runs if run is not None)
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _time_styles(styles: Element | None) -> tuple[frozenset[int], frozenset[int]]:
    """The cell styles that show a number as a date or time of day, and those that show hours passed (`[h]:mm`)."""
    dates, spans = set(DATE_FORMATS), {SPAN_FORMAT}
    listed = child(styles, "numFmts")
    for item in listed if listed is not None else ():
        written, number = attribute(item, "formatCode") or "", attribute(item, "numFmtId") or ""
        code = NOT_FORMAT.sub("", written).split(";")[0].lower()
        if number.isdigit() and SPAN.search(written):
            spans.add(int(number))
        elif number.isdigit() and any(letter in code for letter in "ymdhs") and "general" not in code:
            dates.add(int(number))
    used = child(styles, "cellXfs")
    kinds = [attribute(item, "numFmtId") or "0" for item in (used if used is not None else ())]
    known = [(index, int(kind)) for index, kind in enumerate(kinds) if kind.isdigit()]
    found = (frozenset(index for index, kind in known if kind in formats) for formats in (dates - spans, spans))
    return next(found), next(found)


def _sheets(package: Package, path: str, workbook: Element) -> list[tuple[str, str, bool]]:
    relations = package.relations(path)
    found = []
    listed = child(workbook, "sheets")
    for item in listed if listed is not None else ():
        key = next((str(value) for name, value in item.attrib.items() if str(name).endswith("}id")), "")
        target = relations.get(key)
        if target and target.kind == "worksheet" and package.find(target.target):
            hidden = attribute(item, "state") in {"hidden", "veryHidden"}
            found.append((attribute(item, "name") or "Sheet", target.target, hidden))
    return found


def _rows(sheet: Element | None, book: _Book) -> tuple[list[list[str]], bool]:
    rows: list[list[str]] = []
    data = child(sheet, "sheetData")
    for row in data if data is not None else ():
        cells = _cells(row, book)
        if len(rows) >= MOST_ROWS and any(cells):
            return rows, True
        if any(cells):
            rows.append(cells)
    return rows, False


def _cells(row: Element, book: _Book) -> list[str]:
    cells: list[str] = []
    for item in row:
        column = _column(attribute(item, "r"), len(cells))
        if column >= MOST_COLUMNS:
            break
        cells += [""] * (column - len(cells))
        cells.append(_value(item, book))
    return cells


def _column(reference: str | None, following: int) -> int:
    """`AB12` stands in column 27; cells without a reference follow the one before."""
    found = REFERENCE.match(reference or "")
    if not found:
        return following
    number = 0
    for letter in found.group(1).upper():
        number = number * 26 + ord(letter) - 64
    return max(number - 1, following)


def _value(item: Element, book: _Book) -> str:
    kind = attribute(item, "t") or "n"
    if kind == "inlineStr":
        inline = child(item, "is")
        return _rich_text(inline) if inline is not None else ""
    holder = child(item, "v")
    value = (holder.text or "").strip() if holder is not None else ""
    if kind == "s":
        return book.strings[int(value)] if value.isdigit() and int(value) < len(book.strings) else ""
    if kind == "b":
        return TRUTH.get(value, value)
    style = attribute(item, "s") or ""
    if kind == "n" and value and style.isdigit() and int(style) in book.date_styles:
        return _date(value, book.day_zero)
    if kind == "n" and value and style.isdigit() and int(style) in book.span_styles:
        return _span(value)
    return _number(value) if kind == "n" else value


def _date(value: str, day_zero: datetime) -> str:
    try:
        when = day_zero + timedelta(seconds=round(float(value) * 86_400))
    except (ValueError, OverflowError):
        return value
    if when.date() <= day_zero.date():
        return when.strftime("%H:%M:%S")
    return when.strftime("%Y-%m-%d %H:%M:%S").removesuffix(" 00:00:00")


def _span(value: str) -> str:
    try:
        seconds = round(float(value) * 86_400)
    except (ValueError, OverflowError):
        return value
    sign, seconds = "-" if seconds < 0 else "", abs(seconds)
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _number(value: str) -> str:
    """Spreadsheets store 17 digits; people see at most 15."""
    try:
        return f"{float(value):.15g}" if len(value) > 16 else value
    except ValueError:
        return value
