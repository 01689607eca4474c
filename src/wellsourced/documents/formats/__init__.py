"""Document formats, one a file. A file dropped in here is a format: nothing else has to be edited.

Each module holds `FORMAT` (how its files are recognised) and `read(body, options)`, which returns a `Document` or
raises `Unreadable`. The server's own process imports these modules for `FORMAT` only, so a parser library is imported
inside the functions that use it, never at the top of the module.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions


@cache
def known_formats() -> dict[str, DocumentFormat]:
    """Every format by its kind, sorted, so that nothing depends on file order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    declared = [importlib.import_module(f"{__name__}.{name}").FORMAT for name in names]
    return {declaration.kind: declaration for declaration in declared}


def read_document(kind: str, body: bytes, options: ReadOptions) -> Document:
    """Read a body in this process; only workers and tests do."""
    module = importlib.import_module(f"{__name__}.{kind}")
    document: Document = module.read(body, options)
    return document
