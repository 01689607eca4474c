"""Rich Text Format 1.9 as plain paragraphs: text, line ends, table cells; everything else is formatting."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from wellsourced.model.document import Document
from wellsourced.readers.grid import table
from wellsourced.readers.output import Output
from wellsourced.readers.refusal import Unreadable

TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\"
)
SKIPPED = frozenset(
    [
        "fonttbl",
        "colortbl",
        "stylesheet",
        "info",
        "pict",
        "object",
        "header",
        "headerl",
        "headerr",
        "headerf",
        "footer",
        "footerl",
        "footerr",
        "footerf",
        "themedata",
        "colorschememapping",
        "listtable",
        "listoverridetable",
        "rsidtbl",
        "generator",
        "xmlnstbl",
        "latentstyles",
        "datastore",
        "fldinst",
        "bkmkstart",
        "bkmkend",
        "annotation",
        "atnid",
        "atnauthor",
        "filetbl",
        "revtbl",
        "nonshppict",
        "pntext",
        "pntxta",
        "pntxtb",
    ]
)
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
}
SYMBOLS = {b"~": " ", b"_": "-", b"-": "", b"\n": "\n\n", b"\r": "\n\n"}
ESCAPED = {b"\\", b"{", b"}"}
DEEPEST = 500
CONTROLS = re.compile("[\x00-\x08\x0b-\x1d\x7f]")


@dataclass(frozen=True)
class _State:
    """What a group inherits and its end undoes."""

    skipped: bool = False
    hidden: bool = False
    fallback: int = 1


class _Reader:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.groups: list[_State] = []
        self.state = _State()
        self.encoding = "cp1252"
        self.bytes = bytearray()
        self.pending = 0
        self.starred = False

    def feed(self, body: bytes) -> str:
        for match in TOKEN.finditer(body):
            word, number, code, symbol, brace, text = match.groups()
            if brace:
                self._brace(brace)
            elif word:
                self._word(word.decode("ascii"), int(number) if number else None)
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
        if word in SKIPPED or (self.starred and word not in {"shptxt", "shpinst"}):
            self.state = replace(self.state, skipped=True)
        self.starred = False
        if word == "u" and number is not None:
            self._add(chr(number % 0x10000))
            self.pending = self.state.fallback
        elif word == "uc":
            self.state = replace(self.state, fallback=min(max(number or 0, 0), 8))
        elif word == "v":
            self.state = replace(self.state, hidden=number != 0)
        elif word == "ansicpg" and number:
            self.encoding = f"cp{number}" if number != 65001 else "utf-8"
        elif word in TEXT_WORDS:
            self._add(TEXT_WORDS[word])

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
        if not (self.state.skipped or self.state.hidden):
            self.bytes += data[skipped:]

    def _add(self, text: str) -> None:
        if not (self.state.skipped or self.state.hidden):
            self.parts.append(text)

    def _flush(self) -> None:
        """Bytes are decoded together, since double-byte characters come one escape at a time."""
        if self.bytes:
            try:
                text = self.bytes.decode(self.encoding, "replace")
            except LookupError:
                text = self.bytes.decode("cp1252", "replace")
            self.parts.append(text)
            self.bytes.clear()


def read(body: bytes, *, max_chars: int) -> Document:
    """Paragraphs and tables; hidden text, pictures, headers and footers are left out."""
    text = _Reader().feed(body).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    output = Output(max_chars)
    rows: list[list[str]] = []
    for block in CONTROLS.sub("", text).split("\n\n"):
        if block.endswith("\x1e"):
            rows.append(block.rstrip("\x1e").rstrip("\x1f").split("\x1f"))
            continue
        output.add(table(rows))
        rows = []
        output.add("\n".join(" ".join(line.split()) for line in block.replace("\x1f", " ").split("\n")))
    output.add(table(rows))
    if not output.text:
        raise Unreadable("The RTF document holds no text.")
    return Document(text=output.text, content_type="text", truncated=output.truncated)
