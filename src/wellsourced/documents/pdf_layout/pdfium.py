"""The functions of pdfium that reading needs, called in its own library without the modules of `pypdfium2`.

The package brings the library; its bindings to all 480 functions would take a worker 60 ms and 6 MB to load. What the
functions do is described in pdfium's public headers (`fpdfview.h`, `fpdf_text.h` and others).
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

LIBRARIES = {"win32": "pdfium.dll", "darwin": "libpdfium.dylib"}
TYPES = {
    "p": ctypes.c_void_p,
    "i": ctypes.c_int,
    "u": ctypes.c_uint32,
    "l": ctypes.c_ulong,
    "z": ctypes.c_size_t,
    "f": ctypes.c_float,
    "d": ctypes.c_double,
    "-": None,
}
# What each returns, then its arguments: addresses are `p`.
FUNCTIONS = {
    "FPDF_InitLibraryWithConfig": "-p",
    "FPDF_GetLastError": "l",
    "FPDF_LoadMemDocument64": "ppzp",
    "FPDF_CloseDocument": "-p",
    "FPDF_GetPageCount": "ip",
    "FPDF_GetMetaText": "lpppl",
    "FPDF_GetSecurityHandlerRevision": "ip",
    "FPDF_GetDocPermissions": "lp",
    "FPDFDoc_GetAttachmentCount": "ip",
    "FPDF_GetXFAPacketCount": "ip",
    "FPDF_GetXFAPacketName": "lpipl",
    "FPDF_GetXFAPacketContent": "ipiplp",
    "FPDF_GetFormType": "ip",
    "FPDFDOC_InitFormFillEnvironment": "ppp",
    "FPDFDOC_ExitFormFillEnvironment": "-p",
    "FORM_OnAfterLoadPage": "-pp",
    "FORM_OnBeforeClosePage": "-pp",
    "FPDF_LoadPage": "ppi",
    "FPDF_ClosePage": "-p",
    "FPDF_GetPageBoundingBox": "ipp",
    "FPDFPage_CountObjects": "ip",
    "FPDFPage_GetObject": "ppi",
    "FPDFPageObj_GetType": "ip",
    "FPDFPage_GetAnnotCount": "ip",
    "FPDFPage_GetAnnot": "ppi",
    "FPDFPage_CloseAnnot": "-p",
    "FPDFAnnot_GetSubtype": "ip",
    "FPDFAnnot_GetFlags": "ip",
    "FPDFAnnot_GetStringValue": "lpppl",
    "FPDFAnnot_GetFormFieldName": "lpppl",
    "FPDFAnnot_GetFormFieldValue": "lpppl",
    "FPDFText_LoadPage": "pp",
    "FPDFText_ClosePage": "-p",
    "FPDFText_CountChars": "ip",
    "FPDFText_GetText": "ipiip",
    "FPDFText_GetUnicode": "upi",
}
# Asked many times a page, so that Python's lock is kept; of the first, arguments are not converted either, which
# takes a third of the time: they are numbers, or addresses made ready by `as_argument`.
QUICK = {
    "FPDFText_GetLooseCharBox": "i",
    "FPDFText_GetMatrix": "i",
    "FPDFText_GetFontSize": "d",
    "FPDFText_GetCharAngle": "f",
    "FPDFText_HasUnicodeMapError": "i",
    "FPDFText_GetTextObject": "p",
    "FPDFText_GetFillColor": "i",
    "FPDFTextObj_GetTextRenderMode": "ip",
    "FPDFTextObj_GetFont": "pp",
    "FPDFFont_GetGlyphWidth": "ipufp",
    "FPDFFont_GetBaseFontName": "zppz",
}
FORM_VERSION = CONFIG_VERSION = 2
SETTINGS = ctypes.c_size_t * 64
"""As large as any structure."""
as_argument = ctypes.c_void_p.from_param


@cache
def load_pdfium() -> SimpleNamespace:
    """The library's functions by their names."""
    library = _library()
    made = {name: ctypes.CFUNCTYPE(*_types(kinds))((name, library)) for name, kinds in FUNCTIONS.items()}
    made |= {name: ctypes.PYFUNCTYPE(*_types(kinds))((name, library)) for name, kinds in QUICK.items()}
    pdfium = SimpleNamespace(**made)
    pdfium.FPDF_InitLibraryWithConfig(SETTINGS(CONFIG_VERSION))
    return pdfium


def _types(kinds: str) -> list[Any]:
    return [TYPES[kind] for kind in kinds]


def _library() -> ctypes.CDLL:
    """The file beside the bindings; where they use another one, theirs."""
    spec = find_spec("pypdfium2_raw")
    for folder in (spec and spec.submodule_search_locations) or ():
        file = Path(folder, LIBRARIES.get(sys.platform, "libpdfium.so"))
        if file.is_file():
            return ctypes.CDLL(str(file))
    from pypdfium2_raw import bindings  # type: ignore[import-untyped, unused-ignore]

    library: ctypes.CDLL = bindings._libs["pdfium"]
    return library


def take_room(size: int) -> tuple[bytearray, int]:
    """Memory for an answer, and its address. An array of ctypes would make a class for each size."""
    memory = bytearray(size)
    return memory, ctypes.addressof(ctypes.c_char.from_buffer(memory))


class OpenPdf:
    """A document that pdfium has opened. `handle` is None where it could not; `forms` where it has none."""

    def __init__(self, body: bytes) -> None:
        self.pdfium = load_pdfium()
        # pdfium reads from this memory, and calls into the other, until the document is closed.
        self._held = body, SETTINGS(FORM_VERSION)
        self.handle: int | None = self.pdfium.FPDF_LoadMemDocument64(body, len(body), None)
        self.forms: int | None = None
        if self.handle and self.pdfium.FPDF_GetFormType(self.handle):
            self.forms = self.pdfium.FPDFDOC_InitFormFillEnvironment(self.handle, self._held[1])

    def __len__(self) -> int:
        return int(self.pdfium.FPDF_GetPageCount(self.handle))

    def open_page(self, index: int) -> int | None:
        page: int | None = self.pdfium.FPDF_LoadPage(self.handle, index)
        if page and self.forms:
            self.pdfium.FORM_OnAfterLoadPage(page, self.forms)
        return page

    def close_page(self, page: int) -> None:
        if self.forms:
            self.pdfium.FORM_OnBeforeClosePage(page, self.forms)
        self.pdfium.FPDF_ClosePage(page)

    def close(self) -> None:
        if self.forms:
            self.pdfium.FPDFDOC_ExitFormFillEnvironment(self.forms)
        self.pdfium.FPDF_CloseDocument(self.handle)
