"""Plain text, and decoding the character set of any textual format.

Character sets: a byte-order mark, then UTF-8, then the declared one, then what the bytes look like.
"""

from __future__ import annotations

import codecs
import re

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.markdown_output import cut_text

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
ANNOUNCED_JAPANESE = re.compile(rb"\x1b\$[@B](?=[\x21-\x7e])")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


FORMAT = DocumentFormat(kind="text")
"""What no other format takes is plain text."""


def read(body: bytes, options: ReadOptions) -> Document:
    """The text as it stands."""
    text, notes = readable_text(body, options)
    most = options.max_chars
    return Document(text=cut_text(text, most), content_type="text", notes=notes, truncated=len(text) > most)


def readable_text(body: bytes, options: ReadOptions) -> tuple[str, tuple[str, ...]]:
    """The decoded text without control characters, and a note when the character set had to be guessed."""
    text, notes = decode(body, options.charset)
    text = CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
    if not text.strip():
        raise Unreadable("The document is empty: it holds no text.")
    return text, notes


def decode(body: bytes, charset: str = "") -> tuple[str, tuple[str, ...]]:
    """The text and a note when the character set had to be guessed."""
    for mark, codec in MARKS:
        if body.startswith(mark):
            return body.decode(codec, "replace").lstrip("\ufeff"), ()
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as problem:
        # Only the last character is torn: a download that was cut, not another character set.
        if 4 < len(body) - 4 <= problem.start:
            return body[: problem.start].decode("utf-8"), ("The text ends in the middle of a character.",)
    charset = charset or ("iso-2022-jp" if ANNOUNCED_JAPANESE.search(body) else "")
    from wellsourced.pages.html import encoding

    decoded = encoding.decode(body, f"charset={charset}" if charset else "")
    is_known = decoded.codec == "utf-8" or body.isascii() or (charset and not decoded.overruled)
    return decoded.text, () if is_known else (
        f"The character set was not declared and was taken to be {decoded.codec}.",
    )
