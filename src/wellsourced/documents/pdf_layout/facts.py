"""What a PDF says besides its pages: metadata, form fields, XFA data, attachments.

Metadata: the Info dictionary (ISO 32000-1, 14.3.3) first, then XMP, which is looked for in the raw bytes because
pdfium does not hand it out and writers leave it uncompressed on purpose.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from wellsourced.documents.document import Unreadable
from wellsourced.documents.pdf_layout.pdfium import OpenPdf, take_room
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.documents.xml import Element, attribute, local_name, parse_xml, text_of
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

LARGEST_XMP = 512 * 1024
LARGEST_TEXT = 4 * 2**20
MOST_FIELDS = 500
INFO = ("Title", "Author", "CreationDate", "ModDate")
# FPDF_ANNOT_FREETEXT and FPDF_ANNOT_WIDGET of pdfium.
FREE_TEXT, WIDGET = 3, 20
UNSHOWN = 0x22
"""Flags of an annotation: hidden, not for the screen."""
LONGEST_VALUE = 2_000
NOT_A_TITLE = late_pattern(
    r"(?i)\W*(anonymous|unspecified|untitled|none|null|title|document\d*|slide \d+|binder\d*"
    r"|microsoft (word|powerpoint).*"
    r"|[\w .-]{1,80}\.(pdf|docx?|tex|dvi|indd|qxd|rtf|pptx?|xlsx?|ps|pm\d))\W*"
)


@dataclass(frozen=True)
class PdfFacts:
    title: str | None = None
    author: str | None = None
    date: datetime | None = None


def read_facts(document: OpenPdf, body: bytes) -> PdfFacts:
    """Title, author and date of last change or creation; placeholder titles count as none."""
    ask = document.pdfium.FPDF_GetMetaText
    info = {key: _wide_text(ask, document.handle, key.encode()) for key in INFO}
    xmp = _xmp(body)
    title = _named(info.get("Title")) or _named(xmp.get("title"))
    author = _named(info.get("Author")) or _named(xmp.get("creator"))
    stated = (
        info.get("CreationDate"),
        xmp.get("date"),
        xmp.get("CreateDate"),
        info.get("ModDate"),
        xmp.get("ModifyDate"),
    )
    dates = (parse_timestamp(text) for text in stated)
    return PdfFacts(title, author, next((date for date in dates if date), None))


def _tidy(text: str) -> str:
    return " ".join("".join(char for char in text if char.isprintable() or char.isspace()).split())


def _named(text: str | None) -> str | None:
    return None if not text or NOT_A_TITLE.fullmatch(text) else text


def _xmp(body: bytes) -> dict[str, str]:
    """The last packet: incremental updates append newer ones."""
    start = body.rfind(b"<x:xmpmeta")
    end = body.find(b"</x:xmpmeta>", start) if start >= 0 else -1
    if end < 0 or end - start > LARGEST_XMP:
        return {}
    try:
        root = parse_xml(body[start : end + len(b"</x:xmpmeta>")], "the XMP metadata")
    except Unreadable:
        return {}
    values: dict[str, str] = {}
    for item in root.iter():
        if local_name(item) in {"title", "creator", "date", "CreateDate", "ModifyDate"}:
            values.setdefault(local_name(item), _first_value(item))
        for name in ("CreateDate", "ModifyDate"):
            if local_name(item) == "Description" and (value := attribute(item, name)):
                values.setdefault(name, value)
    return {name: value for name, value in values.items() if value}


def _first_value(item: Element) -> str:
    """Of several languages the default one, which stands first; of several authors all."""
    values = [text_of(inner) for inner in item.iter() if local_name(inner) == "li"]
    if not values:
        return text_of(item)
    return "; ".join(value for value in values if value) if local_name(item) == "creator" else values[0]


def read_form_fields(document: OpenPdf, page: int) -> dict[str, str]:
    """Filled form fields of a page, by name."""
    pdfium = document.pdfium
    values: dict[str, str] = {}
    for annotation in _annotations(pdfium, page, WIDGET):
        name = _field_name(_wide_text(pdfium.FPDFAnnot_GetFormFieldName, document.forms, annotation))
        value = _wide_text(pdfium.FPDFAnnot_GetFormFieldValue, document.forms, annotation)
        if name and value and value != "Off":
            values[name] = value
    return values


def read_typed_notes(pdfium: SimpleNamespace, page: int) -> list[str]:
    """What somebody has typed onto a page with a viewer (ISO 32000-1, 12.5.6.6), where it is shown."""
    shown = [
        _wide_text(pdfium.FPDFAnnot_GetStringValue, annotation, b"Contents")
        for annotation in _annotations(pdfium, page, FREE_TEXT)
        if not pdfium.FPDFAnnot_GetFlags(annotation) & UNSHOWN
    ]
    return [text for text in shown if text]


def _annotations(pdfium: SimpleNamespace, page: int, kind: int) -> Iterator[int]:
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MOST_FIELDS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        if pdfium.FPDFAnnot_GetSubtype(annotation) == kind:
            yield annotation
        pdfium.FPDFPage_CloseAnnot(annotation)


def _field_name(path: str) -> str:
    """The last step of a path such as `form[0].page[0].Name[0]`."""
    return re.sub(r"\[\d+\]$", "", path.rpartition(".")[2] or path)


def _wide_text(ask: Any, *about: Any) -> str:
    """Its start. pdfium gives the length in bytes first, then UTF-16 into a buffer that has room for all of it."""
    length = int(ask(*about, None, 0))
    if not 2 < length <= LARGEST_TEXT:
        return ""
    memory, address = take_room(length)
    ask(*about, address, length)
    return _tidy(memory[: LONGEST_VALUE * 2].decode("utf-16-le", "ignore").rstrip("\x00"))


def xfa_values(document: OpenPdf) -> dict[str, str]:
    """Leaves of the XFA data packet: what has been filled in lives there, not on the pages."""
    values: dict[str, str] = {}
    for index in range(min(document.pdfium.FPDF_GetXFAPacketCount(document.handle), 50)):
        if _packet_name(document, index) != "datasets":
            continue
        try:
            root = parse_xml(_packet(document, index), "the XFA form data")
        except Unreadable:
            continue
        for item in root.iter():
            if isinstance(item.tag, str) and len(item) == 0 and (text := _tidy(item.text or "")):
                values.setdefault(local_name(item), text[:LONGEST_VALUE])
    return dict(list(values.items())[:MOST_FIELDS])


def _packet_name(document: OpenPdf, index: int) -> str:
    buffer = ctypes.create_string_buffer(256)
    document.pdfium.FPDF_GetXFAPacketName(document.handle, index, buffer, len(buffer))
    return buffer.value.decode("utf-8", "replace")


def _packet(document: OpenPdf, index: int) -> bytes:
    length = ctypes.c_ulong()
    ask = document.pdfium.FPDF_GetXFAPacketContent
    ask(document.handle, index, None, 0, ctypes.byref(length))
    if not 0 < length.value <= LARGEST_TEXT:
        return b""
    buffer = ctypes.create_string_buffer(length.value)
    ask(document.handle, index, buffer, length.value, ctypes.byref(length))
    return buffer.raw
