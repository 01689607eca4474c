"""Paragraphs, lists, tables, text boxes and content controls of a Word document, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.word.inline import WordInline
from wellsourced.documents.word.numbering import Numbering
from wellsourced.documents.word.styles import ParagraphStyle, paragraph_style
from wellsourced.documents.xml import Element, attribute, find_child, local_name
from wellsourced.text.markdown_table import pipe_table

DEEPEST = 12
MOST_SPAN = 64
SKIPPED = frozenset({"del", "moveFrom", "sectPr", "tblPr", "tblGrid", "sdtPr", "sdtEndPr"})
PLAIN_LABEL = re.compile(r"\d{1,9}[.)]")


@dataclass
class WordBlocks:
    """Writes blocks into an output; list items wait until their list is complete."""

    inline: WordInline
    styles: dict[str, ParagraphStyle]
    numbering: Numbering
    output: MarkdownOutput
    chunks: list[str] = field(default_factory=list)
    _items: list[str] = field(default_factory=list)
    _carried: str = ""

    def write(self, parent: Element, depth: int = 0) -> None:
        """All blocks inside an element, transparent wrappers opened."""
        for item in parent:
            if self.output.full:
                self.output.truncated = True
                break
            self._write_one(item, local_name(item), depth)
        if depth == 0:
            self.finish()

    def finish(self) -> None:
        if self._carried.strip():
            self._add(self._carried)
        self._carried = ""
        self._end_list()

    def _write_one(self, item: Element, name: str, depth: int) -> None:
        if name == "p":
            self._paragraph(item, depth)
        elif name == "tbl":
            self._table(item, depth)
        elif name == "altChunk":
            self._end_list()
            self.chunks.append(attribute(item, "id") or "")
        elif name == "AlternateContent":
            chosen = (
                find_child(item, "Choice") if find_child(item, "Choice") is not None else find_child(item, "Fallback")
            )
            if chosen is not None and depth < DEEPEST:
                self.write(chosen, depth + 1)
        elif name not in SKIPPED and isinstance(item.tag, str) and depth < DEEPEST:
            self.write(item, depth + 1)

    def _paragraph(self, item: Element, depth: int) -> None:
        text = self._carried + self.inline.text(item)
        self._carried = ""
        if _mark_is_deleted(item):
            self._carried = text
            return
        style = paragraph_style(item, self.styles)
        if text.strip():
            self._place(" ".join(text.split(" ")).strip(), style)
        boxes, self.inline.boxes = self.inline.boxes, []
        for box in boxes if depth < DEEPEST else ():
            self.write(box, depth + 1)

    def _place(self, text: str, style: ParagraphStyle) -> None:
        label = None
        if style.list_number not in {None, "0"}:
            label = self.numbering.label(style.list_number or "", style.list_depth)
        if style.level is not None and style.level <= 6:
            heading = " ".join(f"{label or ''} {text}".split())
            self._add(f"{'#' * max(style.level, 1)} {heading}")
        elif label is not None:
            sign = f"{label} " if PLAIN_LABEL.fullmatch(label) else f"- {label} ".replace("  ", " ")
            indent = "    " * min(style.list_depth, 8)
            self._items.append(indent + sign + text.replace("\n", "\n" + indent + " " * len(sign)))
        else:
            self._add(text)

    def _add(self, block: str) -> None:
        self._end_list()
        self.output.add(block)

    def _end_list(self) -> None:
        items, self._items = self._items, []
        if items:
            self.output.add("\n".join(items))

    def _table(self, item: Element, depth: int) -> None:
        rows = _rows(item)
        if len(rows) == 1 and len(_cells(rows[0])) == 1 and depth < DEEPEST:
            self.write(_cells(rows[0])[0], depth + 1)
            return
        self._add(pipe_table([self._row(row, depth) for row in rows]))

    def _row(self, row: Element, depth: int) -> list[str]:
        skipped = find_child(row, "trPr", "gridBefore")
        cells = [""] * (_span(skipped) if skipped is not None else 0)
        for item in _cells(row):
            merged = find_child(item, "tcPr", "vMerge")
            continued = merged is not None and attribute(merged, "val") in {None, "continue"}
            cells.append("" if continued else self._cell(item, depth + 1))
            span = find_child(item, "tcPr", "gridSpan")
            cells += [""] * (_span(span) - 1)
        return cells

    def _cell(self, item: Element, depth: int) -> str:
        """A cell's paragraphs as lines; a table inside gives its rows as lines."""
        lines: list[str] = []
        for part in item:
            name = local_name(part)
            if name == "p":
                lines.append(self._cell_paragraph(part))
            elif name == "tbl" and depth < DEEPEST:
                lines += [" / ".join(text for text in self._row(row, depth) if text) for row in _rows(part)]
            elif name not in SKIPPED and name != "tcPr" and isinstance(part.tag, str) and depth < DEEPEST:
                lines.append(self._cell(part, depth + 1))
        boxes, self.inline.boxes = self.inline.boxes, []
        lines += [self._cell(box, depth + 1) for box in boxes if depth < DEEPEST]
        return "\n".join(line for line in lines if line.strip())

    def _cell_paragraph(self, item: Element) -> str:
        text, style = self.inline.text(item).strip(), paragraph_style(item, self.styles)
        if not text or style.list_number in {None, "0"}:
            return text
        label = self.numbering.label(style.list_number or "", style.list_depth)
        return f"{label or '•'} {text}" if label is not None else text


def _rows(item: Element) -> list[Element]:
    """Rows that were not deleted, content controls around rows opened."""
    rows: list[Element] = []
    for part in item:
        name = local_name(part)
        if name == "tr":
            if find_child(part, "trPr", "del") is None:
                rows.append(part)
        elif name in {"sdt", "sdtContent", "customXml", "ins", "moveTo"}:
            rows += _rows(part)
    return rows


def _cells(row: Element) -> list[Element]:
    cells: list[Element] = []
    for part in row:
        if local_name(part) == "tc":
            cells += [part] if find_child(part, "tcPr", "cellDel") is None else []
        elif local_name(part) in {"sdt", "sdtContent", "customXml"}:
            cells += _cells(part)
    return cells


def _span(setting: Element | None) -> int:
    """How many columns of the grid; one where nothing is said."""
    width = (attribute(setting, "val") or "") if setting is not None else ""
    return min(int(width), MOST_SPAN) if width.isdecimal() else 1


def _mark_is_deleted(paragraph: Element) -> bool:
    """A deleted paragraph mark joins the paragraph to the next one."""
    marks = find_child(paragraph, "pPr", "rPr")
    return find_child(marks, "del") is not None or find_child(marks, "moveFrom") is not None
