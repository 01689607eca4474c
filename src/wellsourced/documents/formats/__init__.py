"""Document formats, one a file. A file dropped in here is a format: nothing else has to be edited.

Each module holds `FORMAT` (how its files are recognised) and `read(body, options)`, which returns a `Document` or
raises `Unreadable`. The server's own process imports these modules for `FORMAT` only, so a parser library is imported
inside the functions that use it, never at the top of the module.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions

MARK = b"is_page=True"


@cache
def known_formats() -> dict[str, DocumentFormat]:
    """Every format by its kind, sorted, so that nothing depends on file order."""
    return {name: _declared(name) for name in sorted(module.name for module in pkgutil.iter_modules(__path__))}


@cache
def page_formats() -> list[DocumentFormat]:
    """Those that a web page may be of; the others are not imported for them."""
    files = sorted(Path(__file__).parent.glob("[!_]*.py"))
    return [_declared(file.stem) for file in files if MARK in file.read_bytes()]


def _declared(name: str) -> DocumentFormat:
    declared: DocumentFormat = importlib.import_module(f"{__name__}.{name}").FORMAT
    return declared


def read_document(kind: str, body: bytes, options: ReadOptions) -> Document:
    """Read a body in this process; only workers and tests do."""
    module = importlib.import_module(f"{__name__}.{kind}")
    document: Document = module.read(body, options)
    return document
