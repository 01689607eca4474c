"""The pages of a PDF in reading order, as one document, with what is known about it."""

from __future__ import annotations

import time
from dataclasses import field
from types import SimpleNamespace
from typing import Any

from wellsourced.documents.document import Document, ReadOptions, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.pdf_layout.chars import PageChars
from wellsourced.documents.pdf_layout.facts import read_facts, read_form_fields, read_typed_notes, xfa_values
from wellsourced.documents.pdf_layout.footnotes import mark_footnotes, move_feet_down
from wellsourced.documents.pdf_layout.numbered_headings import mark_numbered_headings
from wellsourced.documents.pdf_layout.order import in_reading_order
from wellsourced.documents.pdf_layout.paragraphs import (
    FontSizes,
    clean_text,
    hyphenated_words,
    join_paragraphs,
    measure_sizes,
)
from wellsourced.documents.pdf_layout.pdfium import OpenPdf
from wellsourced.documents.pdf_layout.repeats import without_repeats
from wellsourced.documents.pdf_layout.rows import join_pages_of_tables, last_header, rows_of, split_tables
from wellsourced.documents.pdf_layout.unseen_words import blank_out_unseen
from wellsourced.documents.pdf_layout.words import TextFragment, group_words
from wellsourced.late_dataclass import dataclass
from wellsourced.text.amounts import format_count

MOST_PAGES = 1_500
# A table may end with a line that says that it goes on.
MOST_BEHIND_TABLE = 2
# Of the time allowed; the rest is for putting the text in order after the pages were read.
READING_SHARE = 0.8
# A drawing can have millions of objects; looking at all of them for a picture takes too long.
MOST_OBJECTS_LOOKED_AT = 20_000
# Bit 5 of the permissions (ISO 32000-1, table 22): text may be copied.
MAY_EXTRACT = 0x10
# FPDF_ERR_PASSWORD of pdfium.
PASSWORD_ERROR = 4
# FPDF_PAGEOBJ_PATH, _IMAGE, _SHADING and _FORM.
DRAWN = frozenset({2, 3, 4, 5})


@dataclass()
class _PagesRead:
    """What was read from the pages."""

    pages: list[tuple[int, float, list[TextFragment]]] = field(default_factory=list)
    damaged: list[int] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)
    wordless: int = 0
    values: dict[str, str] = field(default_factory=dict)
    typed: list[str] = field(default_factory=list)
    unexplained: int = 0
    unseen: int = 0
    letters: int = 0
    stopped: str = ""
    fonts: dict[bytes, Any] = field(default_factory=dict)


def read_pdf(body: bytes, options: ReadOptions) -> Document:
    """The whole text, or a refusal that says why there is none."""
    document = _open(_with_header(body))
    try:
        total = len(document)
        deadline = time.monotonic() + options.seconds * READING_SHARE
        pages_read = _read_pages(document, total, options.max_chars, deadline)
        pages_read.values = pages_read.values or xfa_values(document)
        if not (pages_read.pages or pages_read.values or pages_read.typed):
            raise Unreadable(_why_no_text(pages_read, total))
        return _document(document, body, pages_read, total, options.max_chars)
    finally:
        document.close()


def _with_header(body: bytes) -> bytes:
    """Junk before the header goes; a header that is missing altogether is put there."""
    place = body.find(b"%PDF-", 0, 1024 * 64)
    if place < 0:
        return b"%PDF-1.4\n" + body
    return body[place:] if place > 1000 else body


def _open(body: bytes) -> OpenPdf:
    document = OpenPdf(body)
    if len(document) < 1:
        error = document.pdfium.FPDF_GetLastError()
        document.close()
        raise Unreadable(_why_closed(error, body), detail=f"pdfium gives error {error}")
    return document


def _why_closed(error: int, body: bytes) -> str:
    if error == PASSWORD_ERROR:
        return "The PDF is encrypted and needs a password, so it cannot be read."
    if b"/Encrypt" in body:
        return "The PDF is encrypted in a way that the reader cannot open, so it cannot be read."
    return "The PDF is damaged or cut short: its structure cannot be read."


def _read_pages(document: OpenPdf, total: int, max_chars: int, deadline: float) -> _PagesRead:
    pages_read = _PagesRead()
    for index in range(total):
        if pages_read.letters > max_chars * 1.5 + 10_000:
            pages_read.stopped = "length"
        elif index >= MOST_PAGES:
            pages_read.stopped = f"Only the first {MOST_PAGES} of {total} pages were read."
        elif time.monotonic() > deadline:
            pages_read.stopped = f"Reading took too long; only the first {index} of {total} pages were read."
        if pages_read.stopped:
            break
        _open_page(document, index, pages_read)
    return pages_read


def _open_page(document: OpenPdf, index: int, pages_read: _PagesRead) -> None:
    pdfium = document.pdfium
    page = document.open_page(index)
    text = page and pdfium.FPDFText_LoadPage(page)
    if page and text:
        _read_page(document, page, PageChars(pdfium, text, page, pages_read.fonts), index + 1, pages_read)
        pdfium.FPDFText_ClosePage(text)
    else:
        pages_read.damaged.append(index + 1)
    if page:
        document.close_page(page)


def _read_page(document: OpenPdf, page: int, chars: PageChars, number: int, pages_read: _PagesRead) -> None:
    pages_read.unseen += blank_out_unseen(chars, lambda: _has_picture(document.pdfium, page))
    found, unexplained = group_words(chars)
    pieces = _on_sheet(chars, found)
    pages_read.unseen += len(found) - len(pieces)
    pages_read.unexplained += unexplained
    pages_read.typed += read_typed_notes(document.pdfium, page)
    if document.forms:
        pages_read.values.update(read_form_fields(document, page))
    if pieces:
        pages_read.letters += sum([len(piece.text) for piece in pieces])
        pages_read.pages.append((number, chars.height, in_reading_order(pieces, chars.width)))
    else:
        pages_read.wordless += 1
        pages_read.pictures += [number] if _has_picture(document.pdfium, page) else []


def _on_sheet(chars: PageChars, pieces: list[TextFragment]) -> list[TextFragment]:
    left, top, right, bottom = chars.sheet
    kept = [item for item in pieces if item.right > left and item.left < right]
    return [item for item in kept if item.top > bottom and item.bottom < top] or pieces


def _has_picture(pdfium: SimpleNamespace, page: int) -> bool:
    """An image or drawn shapes: fax pages and outlined text both look like words to people."""
    count = min(pdfium.FPDFPage_CountObjects(page), MOST_OBJECTS_LOOKED_AT)
    kinds = (pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, index)) for index in range(count))
    return any(kind in DRAWN for kind in kinds)


def _why_no_text(pages_read: _PagesRead, total: int) -> str:
    pages = "its only page holds" if total == 1 else f"its {total} pages hold"
    if pages_read.stopped.startswith("Reading"):
        return "Reading the PDF took too long, and no text was found in the pages read."
    if pages_read.pictures:
        return f"The PDF is scanned or drawn: {pages} images but no text, and text recognition (OCR) is not done."
    if pages_read.unseen:
        return "The PDF shows no text: what is written in it is invisible, white on white, and was left out."
    if pages_read.damaged and not pages_read.wordless:
        return "The PDF is damaged: none of its pages could be loaded."
    return f"The PDF is empty: {pages} no text and no images."


def _document(document: OpenPdf, body: bytes, pages_read: _PagesRead, total: int, max_chars: int) -> Document:
    kept = without_repeats([(height, pieces) for _, height, pieces in pages_read.pages])
    scale = measure_sizes(piece for page in kept for piece in page)
    words = hyphenated_words(piece.text for page in kept for piece in page)
    output = MarkdownOutput(max_chars)
    blocks: list[str] = []
    for (number, _, _), pieces in zip(pages_read.pages, kept, strict=True):
        header = last_header(blocks[-MOST_BEHIND_TABLE:])
        blocks += [f"[Page {number}]"] if total > 1 else []
        blocks += mark_footnotes(join_paragraphs(split_tables(rows_of(move_feet_down(pieces)), header), scale, words))
    for block in mark_numbered_headings(join_pages_of_tables(blocks)):
        output.add(block)
    if pages_read.values:
        output.add("## Form fields")
        output.add("\n".join(f"- {clean_text(name)}: {clean_text(value)}" for name, value in pages_read.values.items()))
    if pages_read.typed:
        output.add("## Typed onto the pages")
        output.add("\n".join(f"- {clean_text(text)}" for text in pages_read.typed))
    known = read_facts(document, body)
    return Document(
        text=output.text,
        content_type="pdf",
        title=known.title or _title(kept, scale),
        author=known.author,
        date=known.date,
        pages=total,
        notes=_notes(document, pages_read),
        truncated=output.truncated or bool(pages_read.stopped),
    )


def _title(pages: list[list[TextFragment]], scale: FontSizes) -> str | None:
    """The largest lines of the first page, when they are larger than running text."""
    lines = pages[0] if pages else []
    largest = max((line.size for line in lines if len(line.text) > 3), default=0.0)
    if largest < scale.body * 1.2:
        return None
    large = [line.size > 0.97 * largest and len(line.text) > 1 for line in lines]
    start = large.index(True) if any(large) else 0
    end = next((index for index in range(start, len(lines)) if not large[index]), len(lines))
    return clean_text(" ".join(line.text for line in lines[start : min(end, start + 4)]))[:200] or None


def _notes(document: OpenPdf, pages_read: _PagesRead) -> tuple[str, ...]:
    notes = [pages_read.stopped] if pages_read.stopped and pages_read.stopped != "length" else []
    if pages_read.pictures:
        notes.append(f"Only images, not read (no OCR is done): {_pages(pages_read.pictures)}.")
    if pages_read.damaged:
        notes.append(f"Damaged and left out: {_pages(pages_read.damaged)}.")
    if pages_read.unexplained * 20 > max(pages_read.letters, 1):
        notes.append("Some fonts do not say which letters they show; parts of the text may be wrong.")
    if pages_read.unseen:
        notes.append(f"Left out, being invisible or off the page: {format_count(pages_read.unseen, 'line')}.")
    pdfium, handle = document.pdfium, document.handle
    if (count := pdfium.FPDFDoc_GetAttachmentCount(handle)) > 0:
        notes.append(f"Not read: {format_count(count, 'attached file')}.")
    if pdfium.FPDF_GetSecurityHandlerRevision(handle) > 0 and not pdfium.FPDF_GetDocPermissions(handle) & MAY_EXTRACT:
        notes.append("The author's settings ask that text not be copied out of this PDF.")
    return tuple(notes)


def _pages(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:20]))
    return ("page " if len(numbers) == 1 else "pages ") + shown + (" and others" if len(numbers) > 20 else "")
