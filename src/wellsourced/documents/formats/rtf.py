"""Rich Text Format 1.9 as plain paragraphs: text, line ends, table cells; everything else is formatting."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.late_dataclass import dataclass
from wellsourced.text.markdown_table import pipe_table

TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\"
)
SKIPPED = frozenset((
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "headerl", "headerr", "headerf",
    "footer", "footerl", "footerr", "footerf", "themedata", "colorschememapping", "listtable", "listoverridetable",
    "rsidtbl", "generator", "xmlnstbl", "latentstyles", "datastore", "fldinst", "bkmkstart", "bkmkend",
    "annotation", "atnid", "atnauthor", "filetbl", "revtbl", "nonshppict", "pntxta", "pntxtb", "sn", "sv",
    "shprslt", "nonesttables",
))  # fmt: skip
# Code pages of the character sets that a font table names (\fcharset); others are read as the document's own.
CHARSETS = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 255: "cp437",
}  # fmt: skip
OWN_CHARSETS = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}
FACTS = frozenset({"title", "author"})
MOMENTS = frozenset({"creatim", "revtim"})
STARRED_TEXT = frozenset({"shptxt", "shpinst", "nesttableprops"})
NESTED_CELL = " / "
TEXT_WORDS = {
    "par": "\n\n",
    "sect": "\n\n",
    "page": "\n\n",
    "line": "\n",
    "tab": " ",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "cell": "\x1f",
    "row": "\x1e\n\n",
    "nestcell": NESTED_CELL,
    "nestrow": "\n",
}
SYMBOLS = {b"~": " ", b"_": "-", b"-": "", b"\n": "\n\n", b"\r": "\n\n"}
ESCAPED = {b"\\", b"{", b"}"}
DEEPEST = 500
LONGEST_FACT = 300
CONTROLS = re.compile("[\x00-\x08\x0b-\x1d\x7f]")


def _is_rtf(body: bytes) -> bool:
    return body[:1024].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{\\rtf")


FORMAT = DocumentFormat(kind="rtf", matches_bytes=_is_rtf)


@dataclass(frozen=True)
class _State:
    """What a group inherits and its end undoes."""

    skipped: bool = False
    hidden: bool = False
    in_table: bool = False
    fallback: int = 1
    font: int | None = None
    place: str = ""


class _Reader:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.groups: list[_State] = []
        self.state = _State()
        self.encoding = "cp1252"
        self.bytes = bytearray()
        self.pending = 0
        self.starred = False
        self.fonts: dict[int, str] = {}
        self.default_font = 0
        self.facts: dict[str, str] = {}
        self.notes: list[list[str]] = []
        self.moments: dict[str, dict[str, int]] = {}
        self.resume_at = 0

    def feed(self, body: bytes) -> str:
        for match in TOKEN.finditer(body):
            if match.start() < self.resume_at:
                continue
            word, number, code, symbol, brace, text = match.groups()
            if brace:
                self._brace(brace)
            elif word:
                self._word(word.decode("ascii"), int(number) if number else None)
                if word == b"bin" and number:
                    self.resume_at = match.end() + max(int(number), 0)
            elif code:
                self._add_bytes(bytes([int(code, 16)]))
            elif symbol:
                self._symbol(symbol)
            elif text:
                self._add_bytes(text)
        self._flush()
        return "".join(self.parts)

    def _brace(self, brace: bytes) -> None:
        self._flush()
        self.starred, self.pending = False, 0
        if brace == b"{":
            if len(self.groups) >= DEEPEST:
                raise Unreadable("The RTF document was refused: its groups are nested too deeply.")
            self.groups.append(self.state)
        elif self.groups:
            self.state = self.groups.pop()

    def _word(self, word: str, number: int | None) -> None:
        self._flush()
        if word in SKIPPED or (self.starred and word not in STARRED_TEXT):
            self.state = replace(self.state, skipped=True)
        self.starred = False
        self._place(word, number)
        if word == "u" and number is not None:
            self._add(chr(number % 0x10000))
            self.pending = self.state.fallback
        elif word == "uc":
            self.state = replace(self.state, fallback=min(max(number or 0, 0), 8))
        elif word in {"v", "deleted"}:
            self.state = replace(self.state, hidden=number != 0)
        elif word == "ansicpg" and number:
            self.encoding = f"cp{number}" if number != 65001 else "utf-8"
        elif word in OWN_CHARSETS:
            self.encoding = OWN_CHARSETS[word]
        elif word in {"intbl", "pard"}:
            self.state = replace(self.state, in_table=word == "intbl")
        elif word in TEXT_WORDS:
            self._add("\n" if word == "par" and self.state.in_table else TEXT_WORDS[word])

    def _place(self, word: str, number: int | None) -> None:
        """Where the following text belongs, and in which font: fonts decide what the bytes beyond ASCII mean."""
        place = self.state.place
        if word == "footnote" and not (self.state.skipped or self.state.hidden):
            self.notes.append([])
            self._add(f"[^{len(self.notes)}]")
            self.state = replace(self.state, place=word)
        elif word in {"info", "fonttbl"} or (place == "info" and word in FACTS | MOMENTS):
            self.state = replace(self.state, place=word)
        elif word in {"f", "plain"}:
            self.state = replace(self.state, font=number)
        elif word == "deff":
            self.default_font = number or 0
        elif word == "fcharset" and place == "fonttbl" and self.state.font is not None:
            self.fonts[self.state.font] = CHARSETS.get(number or 0, "")
        elif place in MOMENTS and number is not None:
            self.moments.setdefault(place, {})[word] = number

    @property
    def _codec(self) -> str:
        font = self.default_font if self.state.font is None else self.state.font
        return self.fonts.get(font) or self.encoding

    def date(self) -> datetime | None:
        """The last change, else the making."""
        parts = self.moments.get("revtim") or self.moments.get("creatim") or {}
        return parse_timestamp(f"{parts.get('yr', 0):04d}-{parts.get('mo', 0):02d}-{parts.get('dy', 0):02d}")

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self.starred = True
        elif symbol in ESCAPED:
            self._add_bytes(symbol)
        else:
            self._flush()
            self._add(SYMBOLS.get(symbol, ""))

    def _add_bytes(self, data: bytes) -> None:
        skipped = min(self.pending, len(data))
        self.pending -= skipped
        if self.state.place in FACTS or not (self.state.skipped or self.state.hidden):
            self.bytes += data[skipped:]

    def _add(self, text: str) -> None:
        if self.state.place in FACTS:
            self.facts[self.state.place] = (self.facts.get(self.state.place, "") + text)[:LONGEST_FACT]
        elif self.state.skipped or self.state.hidden:
            return
        elif self.state.place == "footnote":
            self.notes[-1].append(text)
        else:
            self.parts.append(text)

    def _flush(self) -> None:
        """Bytes are decoded together, since double-byte characters come one escape at a time."""
        if self.bytes:
            try:
                text = self.bytes.decode(self._codec, "replace")
            except LookupError:
                text = self.bytes.decode("cp1252", "replace")
            self._add(text)
            self.bytes.clear()


def read(body: bytes, options: ReadOptions) -> Document:
    """Paragraphs and tables; hidden text, pictures, headers and footers are left out."""
    reader = _Reader()
    text = _whole(reader.feed(body))
    output = MarkdownOutput(options.max_chars)
    rows: list[list[str]] = []
    for block in CONTROLS.sub("", text).split("\n\n"):
        if block.endswith("\x1e"):
            block = block.replace(f"{NESTED_CELL}\n", "\n")
            rows.append(block.rstrip("\x1e").rstrip("\x1f").split("\x1f"))
            continue
        output.add(pipe_table(rows))
        rows = []
        output.add("\n".join(" ".join(line.split()) for line in block.replace("\x1f", " ").split("\n")))
    output.add(pipe_table(rows))
    notes = (" ".join(CONTROLS.sub("", _whole("".join(note))).split()) for note in reader.notes)
    output.add("\n".join(f"[^{number}]: {note}" for number, note in enumerate(notes, 1)))
    if not output.text:
        raise Unreadable("The RTF document holds no text.")
    properties = {name: CONTROLS.sub("", _whole(text)).strip() or None for name, text in reader.facts.items()}
    return Document(
        text=output.text,
        content_type="text",
        title=properties.get("title"),
        author=properties.get("author"),
        date=reader.date(),
        truncated=output.truncated,
    )


def _whole(text: str) -> str:
    """Characters beyond the first plane come in halves."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
