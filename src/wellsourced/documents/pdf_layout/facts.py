"""What a PDF says besides its pages: metadata, form fields, XFA data, attachments.

Metadata: the Info dictionary (ISO 32000-1, 14.3.3) first, then XMP, which is looked for in the raw bytes because
pdfium does not hand it out and writers leave it uncompressed on purpose.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from wellsourced.documents.document import Unreadable
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.documents.xml import Element, attribute, local_name, parse_xml, text_of

LARGEST_XMP = 512 * 1024
LARGEST_XFA = 4 * 2**20
MOST_FIELDS = 500
UNSHOWN = 0x22
"""Flags of an annotation: hidden, not for the screen."""
LONGEST_VALUE = 2_000
NOT_A_TITLE = re.compile(
    r"(?i)\W*(anonymous|unspecified|untitled|none|null|title|document\d*|slide \d+|binder\d*"
    r"|microsoft (word|powerpoint).*"
    r"|[\w .-]{1,80}\.(pdf|docx?|tex|dvi|indd|qxd|rtf|pptx?|xlsx?|ps|pm\d))\W*"
)


@dataclass(frozen=True)
class PdfFacts:
    title: str | None = None
    author: str | None = None
    date: datetime | None = None


def read_facts(document: Any, body: bytes) -> PdfFacts:
    """Title, author and date of last change or creation; placeholder titles count as none."""
    info = {key: _tidy(value) for key, value in document.get_metadata_dict(skip_empty=True).items()}
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


def list_attachments(raw: Any, handle: Any) -> int:
    return max(int(raw.FPDFDoc_GetAttachmentCount(handle)), 0)


def read_form_fields(raw: Any, form: Any, page: Any) -> dict[str, str]:
    """Filled form fields of a page, by name."""
    values: dict[str, str] = {}
    for annotation in _annotations(raw, page, raw.FPDF_ANNOT_WIDGET):
        name = _field_name(_wide_text(raw.FPDFAnnot_GetFormFieldName, form, annotation))
        value = _wide_text(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
        if name and value and value != "Off":
            values[name] = value
    return values


def read_typed_notes(raw: Any, page: Any) -> list[str]:
    """What somebody has typed onto a page with a viewer (ISO 32000-1, 12.5.6.6), where it is shown."""
    shown = [
        _wide_text(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
        for annotation in _annotations(raw, page, raw.FPDF_ANNOT_FREETEXT)
        if not raw.FPDFAnnot_GetFlags(annotation) & UNSHOWN
    ]
    return [text for text in shown if text]


def _annotations(raw: Any, page: Any, kind: int) -> Iterator[Any]:
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), MOST_FIELDS)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        if raw.FPDFAnnot_GetSubtype(annotation) == kind:
            yield annotation
        raw.FPDFPage_CloseAnnot(annotation)


def _field_name(path: str) -> str:
    """The last step of a path such as `form[0].page[0].Name[0]`."""
    return re.sub(r"\[\d+\]$", "", path.rpartition(".")[2] or path)


def _wide_text(ask: Any, *about: Any) -> str:
    """pdfium gives the length in bytes first, then UTF-16 into a buffer."""
    length = min(int(ask(*about, None, 0)), LONGEST_VALUE * 2)
    if length <= 2:
        return ""
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    ask(*about, buffer, length)
    return _tidy(bytes(buffer)[:length].decode("utf-16-le", "ignore").rstrip("\x00"))


def xfa_values(raw: Any, handle: Any) -> dict[str, str]:
    """Leaves of the XFA data packet: what has been filled in lives there, not on the pages."""
    values: dict[str, str] = {}
    for index in range(min(max(int(raw.FPDF_GetXFAPacketCount(handle)), 0), 50)):
        if _packet_name(raw, handle, index) != "datasets":
            continue
        try:
            root = parse_xml(_packet(raw, handle, index), "the XFA form data")
        except Unreadable:
            continue
        for item in root.iter():
            if isinstance(item.tag, str) and len(item) == 0 and (text := _tidy(item.text or "")):
                values.setdefault(local_name(item), text[:LONGEST_VALUE])
    return dict(list(values.items())[:MOST_FIELDS])


def _packet_name(raw: Any, handle: Any, index: int) -> str:
    buffer = ctypes.create_string_buffer(256)
    raw.FPDF_GetXFAPacketName(handle, index, buffer, len(buffer))
    return buffer.value.decode("utf-8", "replace")


def _packet(raw: Any, handle: Any, index: int) -> bytes:
    length = ctypes.c_ulong()
    raw.FPDF_GetXFAPacketContent(handle, index, None, 0, ctypes.byref(length))
    if not 0 < length.value <= LARGEST_XFA:
        return b""
    buffer = ctypes.create_string_buffer(length.value)
    raw.FPDF_GetXFAPacketContent(handle, index, buffer, length.value, ctypes.byref(length))
    return buffer.raw
