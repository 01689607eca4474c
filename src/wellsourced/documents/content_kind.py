"""What a body is, by its own bytes first; the header and the address only decide between kinds of text.

Signatures: the formats' own specifications ([MS-CFB], ISO 32000-1 7.5.2, APPNOTE.TXT for zip, OpenDocument part 3
and EPUB OCF for the `mimetype` member) and the WHATWG MIME Sniffing Standard. Only searches that cost linear time
happen here, since this runs outside the worker.
"""

from __future__ import annotations

from wellsourced.documents.document import HTML_START, TextStart, Unreadable
from wellsourced.documents.formats import known_formats, page_formats
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html import mhtml

HEAD = 1024
PDF_START = b"%PDF-"
# An extension counts with a query or fragment behind it.
EXTENSION = late_pattern(r"\.([a-z0-9]{1,8})(?=[?#]|$)")
MIMETYPE = late_pattern(rb"mimetype(application/[\x21-\x7e]{1,80}?)(?:PK|$)")
HTML_TAG = late_pattern(r"(?i)<(?:div|p|span|table|title|meta|script|h[1-6]|a|ul|br|article|section)[\s/>]")

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
OLE_STREAMS = (
    ("EncryptedPackage", "The document is protected with a password and cannot be read without it."),
    ("WordDocument", "This is a Word document in the old binary format (.doc), which is not read; .docx is."),
    ("PowerPoint Document", "This is a presentation in the old binary format (.ppt), which is not read; .pptx is."),
    ("Workbook", "This is a spreadsheet in the old binary format (.xls), which is not read; .xlsx is."),
    ("Book", "This is a spreadsheet in the old binary format (.xls), which is not read; .xlsx is."),
    ("VisioDocument", "This is a drawing in Visio's old binary format (.vsd), which is not read."),
    ("__nameid_version1.0", "This is an Outlook message (.msg), which is not read."),
)
OPAQUE = (
    (b"\x89PNG\r\n\x1a\n", "an image (PNG)"),
    (b"\xff\xd8\xff", "an image (JPEG)"),
    (b"GIF87a", "an image (GIF)"),
    (b"GIF89a", "an image (GIF)"),
    (b"II*\x00", "an image (TIFF)"),
    (b"MM\x00*", "an image (TIFF)"),
    (b"BM", "an image (BMP)"),
    (b"\x00\x00\x01\x00", "an image (icon)"),
    (b"8BPS", "an image (Photoshop)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"OggS", "sound or video (Ogg)"),
    (b"ID3", "sound (MP3)"),
    (b"fLaC", "sound (FLAC)"),
    (b"\x1aE\xdf\xa3", "video (Matroska or WebM)"),
    (b"FLV\x01", "video (Flash)"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x00asm", "a program (WebAssembly)"),
    (b"SQLite format 3\x00", "a database"),
    (b"%!PS", "a PostScript file"),
)
BEGINNING = 4096
BLANKS = b" \t\r\n\x00"
OLD_BINARY_FORMATS = frozenset({"doc", "ppt", "xls"})
TEXTUAL = bytes(frozenset(b"\t\n\r\x0c\x1b") | frozenset(range(0x20, 0x100)) - {0x7F})


def kind_of(body: bytes, content_type: str, url: str) -> str | None:
    """The kind of document that a body is, a key of `known_formats`; None means HTML.

    A body that no reader takes is refused with a sentence saying what it is.
    """
    media_type = content_type.partition(";")[0].strip().lower()
    extension = _extension(url)
    if not (body[:BEGINNING].strip(BLANKS) or body.strip(BLANKS)):
        raise Unreadable("The document is empty: it holds no bytes besides blanks.")
    if body.startswith(PDF_START):  # nor need the others be loaded for the first one
        return "pdf"
    if HTML_START.match(_start_as_text(body)) and _is_textual(body):
        return next((known.kind for known in page_formats() if known.matches_bytes and known.matches_bytes(body)), None)
    return _binary_kind(body, media_type, extension) or _text_kind(body, media_type, extension)


def _extension(url: str) -> str:
    match = EXTENSION.search(url[-300:].lower())
    return match.group(1) if match else ""


def _binary_kind(body: bytes, media_type: str, extension: str) -> str | None:
    if body.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zip_kind(body, media_type, extension)
    for known in known_formats().values():
        if known.matches_bytes and known.matches_bytes(body):
            return known.kind
    if body.startswith(OLE):
        raise Unreadable(_ole_sentence(body))
    if name := _opaque_name(body):
        raise Unreadable(f"This is {name}, not a document with text; nothing was read from it.")
    return None


def _zip_kind(body: bytes, media_type: str, extension: str) -> str:
    """By the `mimetype` member, then by the names in the directory, then by what the response says of itself."""
    zipped = [known for known in known_formats().values() if known.is_zip]
    if typed := MIMETYPE.search(body[30:200]):
        stated = typed.group(1).decode("ascii")
        if kind := next((known.kind for known in zipped if known.is_named_by(stated, "")), None):
            return kind
        raise Unreadable(f"This is a zip package of type {stated}, which is not read.")
    directory = _zip_directory(body)
    if b"xl/workbook.bin" in directory:
        raise Unreadable("This is a spreadsheet in Excel's binary format (.xlsb), which is not read; .xlsx is.")
    for known in zipped:
        if known.zip_members and all(name in directory for name in known.zip_members):
            return known.kind
    # A Word document may hold a chart's workbook, so the folder with most members decides.
    counts = {known.kind: directory.count(known.zip_folder) for known in zipped if known.zip_folder}
    best = max(counts, key=lambda kind: counts[kind])
    if counts[best]:
        return best
    if kind := next((known.kind for known in zipped if known.is_named_by(media_type, extension)), None):
        return kind
    if b".iwa" in directory or b"Index.zip" in directory:
        raise Unreadable("This is an Apple Pages, Numbers or Keynote file, which is not read; exported as a PDF it is.")
    raise Unreadable("This is a zip archive, not a document; the files inside it were not read.")


def _zip_directory(body: bytes) -> bytes:
    """The central directory, where the names of embedded packages cannot be mistaken for the package's own."""
    # The end record is followed by a comment of at most 65,535 bytes.
    end = body.rfind(b"PK\x05\x06", max(0, len(body) - 66_000))
    if end < 0 or end + 22 > len(body):
        return body
    size, offset = (
        int.from_bytes(body[end + 12 : end + 16], "little"),
        int.from_bytes(body[end + 16 : end + 20], "little"),
    )
    listed = body[max(0, end - size) : end] if size <= end else body[offset:end]
    return listed or body


def _ole_sentence(body: bytes) -> str:
    """Named by the stream that is listed first: those of embedded files come later."""
    # Stream names are UTF-16 in the directory of the container.
    start = max(body.find("Root Entry".encode("utf-16-le")), 0)
    places = [(body.find(stream.encode("utf-16-le"), start), sentence) for stream, sentence in OLE_STREAMS]
    listed = [(place, sentence) for place, sentence in places if place >= 0]
    if listed:
        return min(listed)[1]
    return "This is an old binary Office or OLE file, which is not read; newer formats such as .docx are."


def _opaque_name(body: bytes) -> str | None:
    """Images, sound, archives, programs. Short signatures that are also words need binary bytes behind them."""
    for magic, name in OPAQUE:
        if body.startswith(magic) and (len(magic) > 3 or not _is_textual(body)):
            return name
    if body[:4] == b"RIFF":
        return "an image (WebP)" if body[8:12] == b"WEBP" else "sound or video (RIFF)"
    if body[4:8] == b"ftyp":
        return "an image (AVIF or HEIC)" if body[8:12] in {b"avif", b"heic", b"mif1"} else "video or sound (MP4)"
    return None


def _is_textual(body: bytes) -> bool:
    """No control bytes to speak of, or a Unicode byte-order mark, or UTF-16's regular zeros."""
    head = body[:4096]
    if head.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return True
    if _looks_utf16(head):
        return True
    # Half a percent: text files hold a stray control byte now and then.
    strange = len(head.translate(None, TEXTUAL))
    return strange * 200 <= len(head)


def _looks_utf16(head: bytes) -> bool:
    zeros = (head[0::2].count(0), head[1::2].count(0))
    return len(head) >= 8 and max(zeros) * 4 > len(head) and min(zeros) * 50 < len(head)


def _text_kind(body: bytes, media_type: str, extension: str) -> str | None:
    known = known_formats().values()
    binary = {name for each in known if each.is_binary for name in each.extensions}
    is_misnamed = extension in OLD_BINARY_FORMATS | binary
    if not _is_textual(body):
        if is_misnamed:
            raise Unreadable(_misnamed(extension))
        raise Unreadable("These are binary bytes of an unknown format; no text was found in them.")
    start = TextStart(_start_as_text(body), media_type, extension)
    if mhtml.is_saved_page(body) or (media_type == "multipart/related" and start.text.lstrip().startswith("--")):
        return None
    if kind := _kind_by_content(start, is_markup=True):
        return kind
    if _is_svg(start.text):
        raise Unreadable("This is an image (SVG), not a document with text; nothing was read from it.")
    if _is_html(start):
        return None
    if kind := _kind_by_content(start, is_markup=False):
        return kind
    if is_misnamed:
        raise Unreadable(_misnamed(extension), detail=start.text[:80])
    named = (each.kind for each in known if not each.is_binary and each.is_named_by(media_type, extension))
    return next(named, "text")


def _kind_by_content(start: TextStart, *, is_markup: bool) -> str | None:
    for known in known_formats().values():
        if known.is_markup == is_markup and known.matches_text and known.matches_text(start):
            return known.kind
    return None


def _misnamed(extension: str) -> str:
    return f"The file is named .{extension} but its bytes are not of that format; it is damaged or something else."


def _start_as_text(body: bytes) -> str:
    head = body[: HEAD * 4]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", "replace")
    if _looks_utf16(head):
        return head.decode("utf-16-le" if head[1::2].count(0) > head[0::2].count(0) else "utf-16-be", "replace")
    return head.decode("utf-8", "replace").lstrip("\ufeff")


def _is_svg(start: str) -> bool:
    return "<svg" in start[:600] and start.lstrip().startswith(("<svg", "<?xml", "<!DOCTYPE svg"))


def _is_html(start: TextStart) -> bool:
    is_declared = start.media_type in {"text/html", "application/xhtml+xml"}
    text = start.text.lstrip()
    if not text.startswith("<"):
        return is_declared and bool(HTML_TAG.search(text))
    is_named_so = is_declared or start.extension in {"html", "htm"}
    return is_named_so or "<html" in text or (not start.media_type and bool(HTML_TAG.match(text)))
