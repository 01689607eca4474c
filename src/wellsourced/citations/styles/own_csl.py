"""A bibliography in a style of the user's own: a .csl file, through the optional `citeproc-py`.

Only the command line offers this. A style is a small program, and one that somebody sends to a server could run for
ever.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wellsourced.citations.reference import Reference
from wellsourced.citations.styles.bibliography import distinct_references
from wellsourced.citations.styles.csl_json import format_item
from wellsourced.citations.styles.keys import citation_keys
from wellsourced.errors import BadInput

MISSING = "A style of your own needs the optional package citeproc-py: pip install 'wellsourced[csl]'."
SUFFIX = ".csl"


def format_with_style_file(references: Iterable[Reference], path: str) -> str:
    """Entries in the order of the style, separated by an empty line."""
    try:
        # Without types, and not installed everywhere.
        citeproc: Any = importlib.import_module("citeproc")
        source: Any = importlib.import_module("citeproc.source.json")
    except ImportError:
        raise BadInput(MISSING) from None
    works = distinct_references(references)
    items = [_item(work, key) for key, work in zip(citation_keys(works), works, strict=True)]
    try:
        style = citeproc.CitationStylesStyle(
            str(Path(path).with_suffix("")) if path.endswith(SUFFIX) else path, validate=False
        )
        bibliography = citeproc.CitationStylesBibliography(style, source.CiteProcJSON(items), citeproc.formatter.plain)
        for item in items:
            bibliography.register(citeproc.Citation([citeproc.CitationItem(item["id"])]))
        bibliography.sort()
        return "\n\n".join(str(entry).strip() for entry in bibliography.bibliography())
    except Exception as problem:  # the library raises whatever it stumbles over in a style
        raise BadInput(f"The style {path} could not be used: {problem}.") from problem


def _item(work: Reference, key: str) -> dict[str, Any]:
    """As the library expects it: it knows no `custom` member."""
    return {name: value for name, value in format_item(work, key.lower()).items() if name != "custom"}
