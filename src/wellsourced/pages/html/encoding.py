"""Bytes to text as browsers do it: the WHATWG Encoding and HTML standards, and a second look at false labels.

Order: byte order mark, the HTTP header, `meta` in the first bytes, then detection (turbohtml's, which follows
Firefox's chardetng). A label is taken at its word unless the bytes contradict it: text declared as UTF-8 that
is not, and text declared as anything else that is UTF-8 throughout.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import cache

PRESCAN_BYTES = 4096
DETECTION_BYTES = 64 * 1024
FALLBACK = "windows-1252"
BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))
META_CHARSET = re.compile(rb"<meta[^>]{0,400}?charset\s*+=\s*+(?:[\"']\s*+)?([A-Za-z0-9_:.-]{2,40})", re.I)
XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{2,40})", re.I)
HEADER_CHARSET = re.compile(r"charset\s*+=\s*+(?:[\"']\s*+)?([A-Za-z0-9_:.-]{2,40})", re.I)
COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.S)

# Labels whose meaning on the web differs from Python's: the standard reads them as a wider, Windows encoding.
WEB_CODECS = {
    "windows-1252": "ascii us-ascii ansi_x3.4-1968 iso-8859-1 iso8859-1 latin1 latin-1 l1 cp819 ibm819 cp1252 x-cp1252",
    "gb18030": "gb2312 gbk gb_2312-80 gb_2312 x-gbk chinese csgb2312 iso-ir-58 gb18030 hz-gb-2312",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji csshiftjis windows-31j ms932",
    "cp949": "euc-kr euckr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 cseuckr",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "cp874": "tis-620 iso-8859-11 iso8859-11 windows-874 dos-874",
    "windows-1254": "iso-8859-9 iso8859-9 latin5 l5 cp1254",
    "windows-1255": "iso-8859-8-i logical csiso88598i",
    "koi8-u": "koi8-u koi8-ru",
    "koi8-r": "koi8-r koi koi8 koi8_r cskoi8r",
    "mac-roman": "macintosh mac x-mac-roman csmacintosh",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "utf-16-le": "utf-16 utf-16le ucs-2 unicode csunicode iso-10646-ucs-2 unicodefeff",
    "utf-16-be": "utf-16be unicodefffe",
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
}
LABELS = {label: codec for codec, labels in WEB_CODECS.items() for label in labels.split()}
# Codecs of Python's own that no page is written in; they read escapes, or fail on everything.
NOT_ON_THE_WEB = frozenset({"utf-7", "punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"})
UNDEFINED_IN_PYTHON = {codepoint: chr(codepoint) for codepoint in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text, the codec that gave it, and whether the page's own label had to be overruled."""

    text: str
    codec: str
    overruled: bool = False


def decode(body: bytes, content_type: str = "") -> Decoded:
    for mark, codec in BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return Decoded(body[len(mark) :].decode(codec, "replace"), codec)
    wide = _wide_without_mark(body)
    if wide:
        return Decoded(body.decode(wide, "replace"), wide)
    declared = declared_codec(body, content_type)
    return _decode_utf8(body, declared) or _decode_other(body, declared)


def without_torn_end(body: bytes) -> bytes:
    """Bytes cut anywhere, up to the last whole character of UTF-8: half a one would make it look like none."""
    for length in range(1, min(4, len(body) + 1)):
        last = body[-length]
        if last < 0x80:
            break
        if last >= 0xC0:
            return body[:-length] if length < 2 + (last >= 0xE0) + (last >= 0xF0) else body
    return body


def declared_codec(body: bytes, content_type: str = "") -> str:
    """The Python codec of the charset that the header or the page names; "" when none or an unknown one is named."""
    if named := named_codec(content_type):
        return named
    start = COMMENT.sub(b"", body[:PRESCAN_BYTES])
    for match in (XML_ENCODING.search(start), META_CHARSET.search(start)):
        if match:
            codec = codec_of(match[1].decode("ascii"))
            # A page cannot say in single bytes that it is written in double ones; the standard reads UTF-8.
            return "utf-8" if codec.startswith("utf-16") else codec
    return ""


def named_codec(content_type: str) -> str:
    """The Python codec of the charset that a header names; "" when it names none or an unknown one."""
    header = HEADER_CHARSET.search(content_type)
    return codec_of(header[1]) if header else ""


@cache
def codec_of(label: str) -> str:
    name = label.strip().lower()
    if name in LABELS:
        return LABELS[name]
    try:
        codec = codecs.lookup(name)
        b"a".decode(name, "replace")
    except (LookupError, UnicodeError):
        return ""
    return "" if codec.name in NOT_ON_THE_WEB else codec.name


def _wide_without_mark(body: bytes) -> str:
    """UTF-16 without a mark shows as a zero byte beside every Latin letter."""
    start = body[:512]
    if len(start) < 16 or start.count(0) < len(start) * 0.3:
        return ""
    return "utf-16-le" if start[1::2].count(0) > start[0::2].count(0) else "utf-16-be"


def _decode_utf8(body: bytes, declared: str) -> Decoded | None:
    """UTF-8 proves itself: whatever was declared, bytes that are valid and not plain ASCII are UTF-8."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if declared.startswith("iso2022") or (declared == "hz" and "~{" in text):
        return None
    return Decoded(text, "utf-8", overruled=bool(declared) and declared != "utf-8" and not body.isascii())


def _decode_other(body: bytes, declared: str) -> Decoded:
    if declared and declared != "utf-8":
        return Decoded(_with(declared, body), declared)
    if _is_mostly_utf8(body.decode("utf-8", "replace")):
        return Decoded(_mend(body), "utf-8")
    codec = detect(body)
    return Decoded(_with(codec, body), codec, overruled=bool(declared))


def _is_mostly_utf8(text: str) -> bool:
    """A few stray bytes among many good sequences are damage, not another encoding."""
    broken = text.count("\ufffd")
    good = sum(1 for character in text if ord(character) > 0x7F) - broken
    return good > 4 * broken


def _mend(body: bytes) -> str:
    """UTF-8 in which bytes that do not belong are read as the Windows characters they most likely were."""
    return body.decode("utf-8", _WINDOWS_BYTES)


def _read_as_windows(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    byte = error.object[error.start : error.start + 1]
    return byte.decode(FALLBACK, "replace"), error.start + 1


_WINDOWS_BYTES = "wellsourced-windows-bytes"
codecs.register_error(_WINDOWS_BYTES, _read_as_windows)


def detect(body: bytes) -> str:
    """The codec that the bytes look like, markup left out so that its ASCII does not drown the text."""
    from turbohtml.detect import detect as guess

    text = re.sub(
        rb"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^>]{0,2000}>", b" ", body[: 4 * DETECTION_BYTES], flags=re.S | re.I
    )
    codec = guess(text[:DETECTION_BYTES]).encoding
    return codec_of(codec) or FALLBACK if codec else FALLBACK


def _with(codec: str, body: bytes) -> str:
    text = body.decode(codec, "replace")
    return text.translate(UNDEFINED_IN_PYTHON) if codec == FALLBACK else text
