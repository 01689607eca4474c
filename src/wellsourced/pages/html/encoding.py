"""Bytes to text as browsers do it: the WHATWG Encoding and HTML standards, and a second look at false labels.

Order: byte order mark, the HTTP header, `meta` in the first bytes, an XML declaration, `meta` further down, then
detection (turbohtml's, which follows Firefox's chardetng, and what it does not know). Labels, decoders and the search
for `meta` are the parser's own. A label is taken at its word unless the bytes contradict it: text declared as UTF-8
that is not, and text declared as anything else that is UTF-8 throughout. Encodings are called as the standard calls
them, in small letters.
"""

from __future__ import annotations

import codecs
import re
from functools import cache

from turbohtml._html import _decode, parse

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

PRESCAN_BYTES, LATEST_META = 4096, 64 * 1024
DETECTION_BYTES = 64 * 1024
FALLBACK = "windows-1252"
BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
XML_ENCODING = late_pattern(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{2,40})", re.I)
HEADER_CHARSET = re.compile(r"charset\s*+=\s*+(?:[\"']\s*+)?([A-Za-z0-9_:.-]{2,40})", re.I)
LABEL = re.compile(r"[a-z0-9_:.-]{2,40}")
LATE_META = late_pattern(rb"<meta[\s/][^>]{0,300}?charset", re.I)
MARKUP = late_pattern(rb"<!--.*?(?:-->|\Z)|<[^<>]*>", re.S)
MULTI_BYTE = frozenset(("euc-jp", "shift_jis", "gbk", "gb18030", "big5", "euc-kr"))
# These a page cannot name in its own text: it is written in single bytes up to there.
UTF_16 = {
    **dict.fromkeys(("utf-16be", "unicodefffe"), "utf-16be"),
    **dict.fromkeys(
        ("utf-16", "utf-16le", "ucs-2", "unicode", "csunicode", "iso-10646-ucs-2", "unicodefeff"), "utf-16le"
    ),
}
USER_DEFINED = "x-user-defined"
# Text that switches between alphabets by escapes is plain ASCII to look at.
ESCAPED = (
    (re.compile(rb"\x1b\$[@B]"), "iso-2022-jp", "iso-2022-jp"),
    (re.compile(rb"\x1b\$\)C"), "iso-2022-kr", "iso2022_kr"),
    (re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e]){2,}~\}"), "hz-gb-2312", "hz"),
)
HUNGARIAN = late_pattern(r"\b(?:és|az|egy|hogy|nem|van|volt|csak|már|mint|meg|ez)\b", re.I)
HUNGARIAN_LETTERS = late_pattern(r"[õûÕÛ]")
LEAST_WORDS = 3
# On a Macintosh and on Windows: capitals before small letters, and the last letter of the alphabet.
CYRILLIC_SIGNS = (
    late_pattern(rb"(?<![\x80-\xff])[\x80-\x9f](?=[\xe0-\xfe\xdf])|\xdf"),
    late_pattern(rb"(?<![\x80-\xff])[\xc0-\xde](?=[\xe0-\xff])|\xff|[\xa0-\xaf](?=[\xa0-\xaf\xe0-\xef]{2})"),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text, the codec that gave it, and whether the page's own label had to be overruled."""

    text: str
    codec: str
    overruled: bool = False


def decode(body: bytes, content_type: str = "") -> Decoded:
    for mark, codec in BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return Decoded(_decode(body[len(mark) :], codec), codec)
    wide = _wide_without_mark(body)
    if wide:
        return Decoded(_decode(body, wide), wide)
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
    """The encoding that the header or the page names; "" when none or an unknown one is named."""
    if named := named_codec(content_type):
        return named
    start = body[:PRESCAN_BYTES]
    if b"charset" in start.lower():
        prescanned = parse(start, positions=False)
        found = (prescanned.encoding or "").lower()
        if found and not (found == FALLBACK and prescanned.encoding_confidence == "tentative"):
            return found
    match = XML_ENCODING.search(start)
    codec = codec_of(match[1].decode("ascii")) if match else _late_label(body)
    return "utf-8" if codec.startswith("utf-16") else codec


def _late_label(body: bytes) -> str:
    """What a `meta` behind the first bytes names: a browser that has begun without a label starts again there."""
    if not LATE_META.search(body, PRESCAN_BYTES, LATEST_META):
        return ""
    document = parse(body[:LATEST_META].decode("latin-1"), positions=False)
    for meta in document.select("meta"):
        said = meta.attr("charset") or ""
        if not said and str(meta.attr("http-equiv")).lower() == "content-type":
            found = HEADER_CHARSET.search(str(meta.attr("content")))
            said = found[1] if found else ""
        if said and (codec := codec_of(str(said))):
            return codec
    return ""


def named_codec(content_type: str) -> str:
    """The encoding that a header names; "" when it names none or an unknown one."""
    header = HEADER_CHARSET.search(content_type)
    return codec_of(header[1]) if header else ""


@cache
def codec_of(label: str) -> str:
    """The standard's name for a label, "" for one that it does not know."""
    name = label.strip("\t\n\f\r ").lower()
    if name in UTF_16 or name == USER_DEFINED:
        return UTF_16.get(name, name)
    if not LABEL.fullmatch(name):
        return ""
    try:
        _decode(b"a", name)
    except (LookupError, ValueError):
        return ""
    return (parse(f'<meta charset="{name}">'.encode(), positions=False).encoding or "").lower()


def _wide_without_mark(body: bytes) -> str:
    """UTF-16 without a mark shows as a zero byte beside every Latin letter."""
    start = body[:512]
    if len(start) < 16 or start.count(0) < len(start) * 0.3:
        return ""
    return "utf-16le" if start[1::2].count(0) > start[0::2].count(0) else "utf-16be"


def _decode_utf8(body: bytes, declared: str) -> Decoded | None:
    """UTF-8 proves itself: whatever was declared, bytes that are valid and not plain ASCII are UTF-8."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if text.isascii() and declared in {"", "replacement", "iso-2022-jp", "utf-8"}:
        escaped = _decode_escaped(body, declared)
        return escaped if escaped or declared == "replacement" else Decoded(text, declared or FALLBACK)
    if declared.startswith("utf-16") or (declared in MULTI_BYTE and MARKUP.sub(b"", body).isascii()):
        return None
    if text.isascii():
        return Decoded(text, declared)
    return Decoded(text, "utf-8", overruled=declared not in {"", "utf-8"})


def _decode_escaped(body: bytes, declared: str) -> Decoded | None:
    """Text of an encoding that browsers no longer read, or that nothing declares, where its escapes are there."""
    for escapes, name, codec in ESCAPED:
        if escapes.search(body):
            return Decoded(body.decode(codec, "replace"), name, overruled=declared not in {"", name})
    return None


def _decode_other(body: bytes, declared: str) -> Decoded:
    if declared and declared != "utf-8":
        return Decoded(_decode(body, declared), declared)
    if _is_mostly_utf8(body.decode("utf-8", "replace")):
        return Decoded(_mend(body), "utf-8")
    codec = detect(body)
    return Decoded(_decode(body, codec), codec, overruled=bool(declared))


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
    """The encoding that the bytes look like, markup left out so that its ASCII does not drown the text."""
    from turbohtml.detect import detect as guess

    text = re.sub(
        rb"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]{0,2000}>", b" ", body[: 4 * DETECTION_BYTES], flags=re.S | re.I
    )[:DETECTION_BYTES]
    codec = codec_of(guess(text).encoding or "") or FALLBACK
    return _corrected(text, codec)


def _corrected(text: bytes, codec: str) -> str:
    """Two that are often taken for their neighbours: letters differ in a few places only."""
    if codec in {"windows-1251", "ibm866", "x-mac-cyrillic"}:
        mac, windows = (len(signs.findall(text)) for signs in CYRILLIC_SIGNS)
        return "x-mac-cyrillic" if mac > 2 + 3 * windows else codec
    if codec in {FALLBACK, "windows-1254", "windows-1257", "iso-8859-4"}:
        western = _decode(text, FALLBACK)
        if HUNGARIAN_LETTERS.search(western) and len(HUNGARIAN.findall(western)) >= LEAST_WORDS:
            return "windows-1250"
    return codec
