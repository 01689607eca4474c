"""PDF (ISO 32000) through pdfium: text in reading order, page by page, with its metadata and form values.

No OCR is done: pages that are only images are counted and noted. Limits are checked between pages; a single page
that runs wild is ended by the worker's own limits.
"""

from __future__ import annotations

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions


def _is_pdf(body: bytes) -> bool:
    return b"%PDF-" in body[:1024] or _is_headless(body)


def _is_headless(body: bytes) -> bool:
    """Some writers lose the header line; the objects and the trailer are enough to read the file."""
    return b" 0 obj" in body[:4096] and b"endobj" in body and (b"startxref" in body[-4096:] or b"trailer" in body)


FORMAT = DocumentFormat(kind="pdf", extensions=("pdf",), is_binary=True, is_page=True, matches_bytes=_is_pdf)


def read(body: bytes, options: ReadOptions) -> Document:
    """The whole text, or a refusal that says why there is none."""
    from wellsourced.documents.pdf_layout.reading import read_pdf

    return read_pdf(body, options)
