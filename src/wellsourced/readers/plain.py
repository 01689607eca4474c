"""Plain text, CSV and JSON.

Character sets: a byte-order mark, then UTF-8, then the declared one, then the best guess of charset-normalizer over
the start of the text.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
from io import StringIO

from wellsourced.model.document import Document
from wellsourced.readers.grid import table
from wellsourced.readers.output import Output, cut
from wellsourced.readers.refusal import Unreadable

GUESS_FROM = 32 * 1024
MOST_ROWS = 2_000
MOST_COLUMNS = 60
LARGEST_JSON = 16 * 2**20
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
# Encodings that meet each other in the wild, tried strictly before statistics; each pair is a lead byte and a
# trail byte range, so text in another encoding rarely passes.
EAST_ASIAN = ("cp932", "gb18030", "big5", "euc_kr")


def read(body: bytes, *, kind: str, max_chars: int, charset: str = "") -> Document:
    """The document behind `kind`: text, csv or json."""
    text, notes = decode(body, charset)
    text = CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
    if not text.strip():
        raise Unreadable("The document is empty: it holds no text.")
    if kind == "csv":
        return _csv(text, max_chars, notes)
    if kind == "json":
        return _json(text, max_chars, notes)
    return Document(text=cut(text, max_chars), content_type="text", notes=notes, truncated=len(text) > max_chars)


def decode(body: bytes, charset: str = "") -> tuple[str, tuple[str, ...]]:
    """The text and a note when the character set had to be guessed."""
    for mark, encoding in MARKS:
        if body.startswith(mark):
            return body.decode(encoding, "replace").lstrip("\ufeff"), ()
    try:
        if b"\x00" not in body[:4096]:
            return body.decode("utf-8"), ()
    except UnicodeDecodeError as problem:
        if problem.start >= len(body) - 4:
            return body[: problem.start].decode("utf-8"), ("The text ends in the middle of a character.",)
    if charset:
        try:
            return body.decode(charset), ()
        except (LookupError, UnicodeDecodeError):
            pass
    encoding = _guess(body)
    return body.decode(encoding, "replace"), (f"The character set was not declared and was taken to be {encoding}.",)


def _guess(body: bytes) -> str:
    sample = body[:GUESS_FROM]
    if sample[1::2].count(0) * 4 > len(sample):
        return "utf-16-le"
    if sample[0::2].count(0) * 4 > len(sample):
        return "utf-16-be"
    plausible = [encoding for encoding in EAST_ASIAN if _scores_east_asian(sample, encoding) > 0.8]
    if plausible:
        return max(plausible, key=lambda encoding: _scores_east_asian(sample, encoding))
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    return best.encoding if best else "cp1252"


def _scores_east_asian(sample: bytes, encoding: str) -> float:
    """The share of non-ASCII characters that are everyday ones of that encoding's languages."""
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(sample)
    except UnicodeDecodeError:
        return 0.0
    foreign = [char for char in text if ord(char) > 0x7F]
    everyday = sum(_is_everyday(char, encoding) for char in foreign)
    return everyday / len(foreign) if len(foreign) > 1 else 0.0


def _is_everyday(char: str, encoding: str) -> float:
    """Kana speak for Japanese and Hangul for Korean; characters outside a language's common set speak against it."""
    code = ord(char)
    if 0x3040 <= code <= 0x30FF:
        return 1.2 if encoding == "cp932" else 0.6
    if 0xAC00 <= code <= 0xD7A3:
        return 1.2 if encoding == "euc_kr" else 0.0
    if 0x4E00 <= code <= 0x9FFF:
        return 1.0 if _is_first_level(char, encoding) else 0.4
    return 1.0 if 0x3000 <= code <= 0x303F or 0xFF01 <= code <= 0xFF5E else 0.3


def _is_first_level(char: str, encoding: str) -> bool:
    """Common ideographs stand first in each of these character sets (JIS level 1, GB 2312 level 1, Big5 level 1)."""
    lead = char.encode(encoding, "replace")[0]
    first, last = {"cp932": (0x88, 0x98), "gb18030": (0xB0, 0xD7), "big5": (0xA4, 0xC6)}.get(encoding, (0, 0))
    return first <= lead <= last


def _csv(text: str, max_chars: int, notes: tuple[str, ...]) -> Document:
    rows, more = _rows(text)
    output = Output(max_chars)
    output.add(table(rows))
    if more:
        notes = (*notes, f"Only the first {len(rows)} rows are shown.")
    if not output.text:
        raise Unreadable("The CSV file holds no values.")
    return Document(text=output.text, content_type="csv", notes=notes, truncated=more or output.truncated)


def _rows(text: str) -> tuple[list[list[str]], bool]:
    sample = text[:4096].partition("\n")[0]
    delimiter = max(",;\t|", key=sample.count)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(StringIO(text), delimiter=delimiter):
            if len(rows) >= MOST_ROWS:
                return rows, True
            rows.append(row[:MOST_COLUMNS])
    except csv.Error:
        return rows or [[line] for line in text.splitlines()[:MOST_ROWS]], True
    return rows, False


def _json(text: str, max_chars: int, notes: tuple[str, ...]) -> Document:
    """Indented when it is small enough to be worth parsing; as it came otherwise."""
    if len(text) <= min(LARGEST_JSON, max_chars * 4):
        try:
            text = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
        except (ValueError, RecursionError):
            notes = (*notes, "It looks like JSON but is not valid, so it is shown as it came.")
    room = max(max_chars - len("```json\n\n```"), 1)
    return Document(
        text=f"```json\n{cut(text, room)}\n```", content_type="json", notes=notes, truncated=len(text) > room
    )
