"""JSON, indented to be read, as a block of code."""

from __future__ import annotations

import json
import re

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, TextStart
from wellsourced.documents.formats.text import readable_text
from wellsourced.documents.markdown_output import cut_text

LARGEST_JSON = 16 * 2**20
JSON_START = re.compile(r"\s*[\[{]\s*(?:[\[{\"\]}]|-?\d|true|false|null)")


def _is_json_start(start: TextStart) -> bool:
    return not start.media_type.endswith("csv") and JSON_START.match(start.text) is not None


FORMAT = DocumentFormat(kind="json", matches_text=_is_json_start)


def read(body: bytes, options: ReadOptions) -> Document:
    """Indented when it is small enough to be worth parsing; as it came otherwise."""
    text, notes = readable_text(body, options)
    max_chars = options.max_chars
    if len(text) <= min(LARGEST_JSON, max_chars * 4):
        try:
            text = _indented(text)
        except (ValueError, RecursionError):
            notes = (*notes, "It looks like JSON but is not valid, so it is shown as it came.")
    space = max(max_chars - len("```json\n\n```"), 1)
    return Document(
        text=f"```json\n{cut_text(text, space)}\n```", content_type="json", notes=notes, truncated=len(text) > space
    )


def _indented(text: str) -> str:
    """One value indented; a value on each line (JSON Lines), or numbers longer than Python takes, as they came."""
    try:
        written = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except ValueError:
        if not _is_json(text) and not all(map(_is_json, filter(str.strip, text.split("\n")))):
            raise
        return text
    # JSON may hold half of a surrogate pair, which UTF-8 cannot carry.
    return written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_json(text: str) -> bool:
    try:
        json.loads(text, parse_int=str)
    except ValueError:
        return False
    return True
