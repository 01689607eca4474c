"""OpenDocument text, spreadsheets and presentations (OpenDocument 1.3, part 3), packed or flat, into markdown.

Tracked deletions live in `text:tracked-changes`, outside the text, and are left there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, TextStart, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.documents.xml import Element, attribute, find_child, local_name, parse_xml, text_of
from wellsourced.documents.zip_package import ZipPackage
from wellsourced.text.markdown_table import pipe_table

# Programs fill a row to its end with one empty cell that repeats a thousand times.
MOST_REPEATS = 100
MOST_ROWS = 2_000
DEEPEST = 60
SVG = "svg-compatible"
APART = frozenset({"text-box", "p", "h"})
VALUES = ("value", "date-value", "time-value", "boolean-value", "string-value")
ROW_GROUPS = frozenset({"table-header-rows", "table-rows", "table-row-group"})
SKIPPED = frozenset((
    "tracked-changes", "sequence-decls", "forms", "annotation", "annotation-end", "variable-decls", "settings",
    "bookmark", "ruby-text", "binary-data",
))  # fmt: skip

FLAT_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:office:"
FLAT_ROOT = re.compile(r"<(?:\w{1,20}:)?document\s")


def _is_flat_file(start: TextStart) -> bool:
    return FLAT_NAMESPACE in start.text and FLAT_ROOT.search(start.text) is not None


FORMAT = DocumentFormat(
    kind="odt",
    extensions=("odt",),
    media_types=("application/vnd.oasis.opendocument.",),
    is_binary=True,
    is_markup=True,
    zip_members=(b"content.xml", b"META-INF/manifest.xml"),
    matches_text=_is_flat_file,
)


def read(body: bytes, options: ReadOptions) -> Document:
    """The body of the document with its notes gathered at the end."""
    root, styles, about = _parts(body)
    content = find_child(root, "body")
    if root is None or content is None:
        raise Unreadable("The OpenDocument file is damaged: it has no content.")
    walk = _Walk(_counting_levels(root, styles), MarkdownOutput(options.max_chars))
    for part in content:
        walk.blocks(part, 0)
    walk.add_notes()
    if not walk.output.text:
        raise Unreadable("The OpenDocument file holds no text; images in it are not read.")
    title, author, date = _facts(about)
    return Document(
        text=walk.output.text,
        content_type="odt",
        title=title,
        author=author,
        date=parse_timestamp(date),
        notes=tuple(walk.cut_tables),
        truncated=walk.output.truncated or bool(walk.cut_tables),
    )


def _parts(body: bytes) -> tuple[Element | None, Element | None, Element | None]:
    """Content, styles and facts: members of a package, or all in one flat file."""
    if not body.startswith(b"PK"):
        root = parse_xml(body, "the OpenDocument file")
        return root, None, root
    package = ZipPackage(body, "OpenDocument file")
    if b"manifest:encryption-data" in (package.read("META-INF/manifest.xml") or b""):
        raise Unreadable("The OpenDocument file is protected with a password and cannot be read without it.")
    return package.xml("content.xml"), package.xml("styles.xml"), package.xml("meta.xml")


def _facts(about: Element | None) -> tuple[str | None, str | None, str | None]:
    meta = find_child(about, "meta")
    values = [
        text_of(find_child(meta, name)) for name in ("title", "initial-creator", "creator", "date", "creation-date")
    ]
    title, first, last, changed, created = values
    return title or None, first or last or None, changed or created or None


class _Walk:
    """One pass over the content, collecting notes on the way."""

    def __init__(self, counting: set[tuple[str, int]], output: MarkdownOutput) -> None:
        self.output = output
        self.notes: list[str] = []
        self.cut_tables: list[str] = []
        self._counting = counting
        self._counts: dict[tuple[str, int], int] = {}

    def blocks(self, parent: Element, depth: int) -> None:
        for item in parent:
            if self.output.full or depth > DEEPEST:
                self.output.truncated = True
                return
            self._block(item, depth)

    def _block(self, item: Element, depth: int) -> None:
        name = local_name(item)
        if name == "h":
            level = attribute(item, "outline-level") or "1"
            self.output.add(f"{'#' * min(int(level) if level.isdigit() else 1, 6)} {self.inline(item).strip()}")
        elif name == "p":
            self.output.add(self.inline(item).strip())
        elif name == "list" and not any(local_name(inner) == "h" for inner in item.iter()):
            self.output.add("\n".join(self._list(item, "", 1)))
        elif name == "table":
            self._table(item)
        elif name == "page":
            self.output.add(f"## {attribute(item, 'name') or 'Slide'}")
            self.blocks(item, depth + 1)
        elif name == "notes":
            self.output.add("Notes:" if text_of(item) else "")
            self.blocks(item, depth + 1)
        elif name not in SKIPPED and isinstance(item.tag, str):
            self.blocks(item, depth + 1)

    def _list(self, item: Element, style: str, level: int) -> list[str]:
        """The items of a list and of those inside it, which share its style and count by that of their level."""
        style = attribute(item, "style-name") or style
        goes_on = attribute(item, "continue-numbering") == "true" or attribute(item, "continue-list")
        number = self._counts.get((style, level), 0) if goes_on else 0
        lines: list[str] = []
        for entry in (inner for inner in item if local_name(inner) in {"list-item", "list-header"}):
            start = attribute(entry, "start-value") or ""
            number = int(start) if start.isdecimal() else number + 1
            sign = f"{number}. " if (style, level) in self._counting else "- "
            for part in entry:
                if local_name(part) == "list" and level < DEEPEST:
                    lines += self._list(part, style, level + 1)
                elif (text := self.inline(part).strip()) and local_name(part) == "p":
                    lines.append("  " * (level - 1) + sign + text)
                    sign = "  "
        self._counts[style, level] = number
        return lines

    def _table(self, item: Element) -> None:
        name = attribute(item, "name")
        if name and local_name(item.getparent()) == "spreadsheet":
            self.output.add(f"## {name}")
        rows: list[list[str]] = []
        for row in _rows(item):
            cells, repeat = self._cells(row, 0), attribute(row, "number-rows-repeated") or "1"
            rows += [cells] * min(int(repeat) if repeat.isdecimal() else 1, MOST_ROWS + 1) if any(cells) else []
            if len(rows) > MOST_ROWS:
                which = f"the table {name!r}" if name else "a table"
                self.cut_tables.append(f"Only the first {MOST_ROWS} rows of {which} are shown.")
                break
        self.output.add(pipe_table(rows[:MOST_ROWS]))

    def _cells(self, row: Element, depth: int) -> list[str]:
        cells: list[str] = []
        for item in row:
            if local_name(item) in {"table-cell", "covered-table-cell"}:
                repeat = attribute(item, "number-columns-repeated") or "1"
                text = "\n".join(self._cell_part(part, depth) for part in item if local_name(part) not in SKIPPED)
                cells += [text.strip() or _value(item)] * min(int(repeat) if repeat.isdecimal() else 1, MOST_REPEATS)
        return cells

    def _cell_part(self, part: Element, depth: int) -> str:
        """A paragraph or list; a table inside gives its rows as lines."""
        if local_name(part) != "table" or depth > DEEPEST:
            return self.inline(part).strip()
        return "\n".join(" / ".join(filter(None, self._cells(row, depth + 1))) for row in _rows(part))

    def inline(self, item: Element, depth: int = 0) -> str:
        parts = [item.text or ""]
        for inner in item:
            if depth < DEEPEST and SVG not in str(inner.tag):
                parts.append(self._inline_part(inner, depth + 1))
            parts.append(inner.tail or "")
        return "".join(parts)

    def _inline_part(self, item: Element, depth: int) -> str:
        name = local_name(item)
        if name == "s":
            count = attribute(item, "c") or "1"
            return " " * min(int(count) if count.isdigit() else 1, MOST_REPEATS)
        if name in {"tab", "line-break"}:
            return "\n" if name == "line-break" else " "
        if name == "note":
            body = find_child(item, "note-body")
            self.notes.append(" ".join(self.inline(body, depth).split()) if body is not None else "")
            return f"[^{len(self.notes)}]"
        if name in SKIPPED:
            return ""
        text = self.inline(item, depth)
        if name in APART:
            return f"\n{text.strip()}\n"
        if name == "frame" and (description := text_of(find_child(item, "desc")) or text_of(find_child(item, "title"))):
            return f"{text}[Image: {description}]"
        target = attribute(item, "href") or ""
        if name == "a" and text.strip() and target.startswith(("http://", "https://", "mailto:")):
            return f"[{text}]({target.replace(' ', '%20').replace(')', '%29')})"
        return text

    def add_notes(self) -> None:
        self.output.add("\n".join(f"[^{number}]: {text}" for number, text in enumerate(self.notes, 1)))


def _value(cell: Element) -> str:
    """What a cell holds where no program has written out how it looks."""
    return next((value for name in VALUES if (value := attribute(cell, name))), "")


def _rows(parent: Element) -> Iterator[Element]:
    """A table's own rows, groups of them opened."""
    for item in parent:
        if local_name(item) == "table-row":
            yield item
        elif local_name(item) in ROW_GROUPS:
            yield from _rows(item)


def _counting_levels(*roots: Element | None) -> set[tuple[str, int]]:
    """List styles and their levels that count instead of showing a bullet."""
    levels_that_count: set[tuple[str, int]] = set()
    for style in (
        item for root in roots if root is not None for item in root.iter() if local_name(item) == "list-style"
    ):
        for item in style:
            level = attribute(item, "level") or ""
            counts = local_name(item) == "list-level-style-number" and attribute(item, "num-format") != ""
            levels_that_count |= (
                {(attribute(style, "name") or "", int(level))} if counts and level.isdecimal() else set()
            )
    return levels_that_count
