"""The seeds of each target: the small files in `seeds/`, of a `.txt` every line; documents are made on the spot."""

from __future__ import annotations

from pathlib import Path

from tests.documents import samples
from tests.fuzz.targets import DOCUMENT_KINDS

FOLDER = Path(__file__).with_name("seeds")
RTF = rb"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}\pard Tides {\b bold} \u28526?\'e4\par}"
FEED = b"<rss version='2.0'><channel><title>Tides</title><item><title>One</title><link>a</link></item></channel></rss>"
TABLE = b'place;range\nSaint-Malo;12,0\n"a ""b""";3\n'


def seeds_of(target: str) -> list[bytes]:
    match target:
        case "pdf":
            return [pdf()]
        case "docx":
            return [docx()]
        case "any-document":
            bodies = {"pdf": pdf(), "docx": docx(), "rtf": RTF, "feed": FEED, "csv": TABLE, "json": b'{"a":[1,"x"]}'}
            return [bytes([DOCUMENT_KINDS.index(kind)]) + body for kind, body in bodies.items()]
    files = sorted(FOLDER.glob(f"{target}*"))
    assert files, f"there is no seed for {target}"
    return [
        seed
        for file in files
        for seed in (file.read_bytes().splitlines() if file.suffix == ".txt" else [file.read_bytes()])
    ]


def pdf() -> bytes:
    return samples.pdf([[(72.0, 700.0, 18.0, "Tides"), (72.0, 650.0, 12.0, "The sea rises and falls twice a day.")]])


def docx() -> bytes:
    """Stored, not compressed, so that a changed byte is a changed letter of the document."""
    text = "<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>Tides</w:t></w:r></w:p>"
    table = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    main = f'<w:document xmlns:w="{samples.W}" xmlns:r="{samples.R}"><w:body>{text}{table}</w:body></w:document>'
    links = samples.relations({"a": ("officeDocument", "word/document.xml")})
    return samples.archive({"_rels/.rels": links, "word/document.xml": main}, compression=0)
