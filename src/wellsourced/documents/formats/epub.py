"""EPUB 2 and 3: chapters in spine order (EPUB 3.3, sections 4.2.6.3 and 5.7)."""

from __future__ import annotations

import posixpath

from wellsourced.documents.chapters import chapter_blocks
from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.documents.xml import Element, attribute, find_child, local_name, text_of
from wellsourced.documents.zip_package import ZipPackage, resolve_target
from wellsourced.text.amounts import format_count

MOST_CHAPTERS = 2_000

FORMAT = DocumentFormat(
    kind="epub",
    extensions=("epub",),
    media_types=("application/epub+zip",),
    is_binary=True,
    zip_members=(b"META-INF/container.xml",),
)


def read(body: bytes, options: ReadOptions) -> Document:
    """All chapters that the reading order names, and only those."""
    package = ZipPackage(body, "EPUB book")
    path = _book_path(package)
    book = package.xml(path)
    chapters = _spine(book, posixpath.dirname(path))
    # Fonts are encrypted in books that anybody may read; chapters only in protected ones.
    if _encrypted(package) & set(chapters):
        raise Unreadable("The EPUB book is protected with digital rights management and cannot be read.")
    output, missing = MarkdownOutput(options.max_chars), 0
    for name in chapters[:MOST_CHAPTERS]:
        data = None if output.full else package.read(name)
        missing += data is None and not output.full
        for block in chapter_blocks(data) if data else ():
            output.add(block)
        output.truncated |= output.full and name != chapters[-1]
    if not output.text:
        raise Unreadable("The EPUB book holds no text: its chapters are missing, empty or only images.")
    title, author, date = _facts(book)
    return Document(
        text=output.text,
        content_type="epub",
        title=title,
        author=author,
        date=parse_timestamp(date),
        pages=len(chapters),
        notes=(f"Listed but missing from the file: {format_count(missing, 'chapter')}.",) if missing else (),
        truncated=output.truncated,
    )


def _book_path(package: ZipPackage) -> str:
    container = package.xml("META-INF/container.xml")
    for item in container.iter() if container is not None else ():
        if local_name(item) == "rootfile" and (path := attribute(item, "full-path")) and package.find(path):
            return path
    book_file = next((name for name in package.names if name.lower().endswith(".opf")), None)
    if book_file is None:
        raise Unreadable("The EPUB book is damaged: the file that lists its chapters is missing.")
    return book_file


def _encrypted(package: ZipPackage) -> set[str]:
    """Parts that are stored encrypted. Books that anybody may read have their fonts among them."""
    root = package.xml("META-INF/encryption.xml")
    listed = root.iter() if root is not None else ()
    return {
        resolve_target("", attribute(item, "URI") or "") for item in listed if local_name(item) == "CipherReference"
    }


def _spine(book: Element | None, folder: str) -> list[str]:
    manifest = find_child(book, "manifest")
    items = manifest if manifest is not None else ()
    targets = {attribute(item, "id"): resolve_target(folder, attribute(item, "href") or "") for item in items}
    spine = find_child(book, "spine")
    wanted = [attribute(item, "idref") for item in (spine if spine is not None else ())]
    return [targets[key] for key in wanted if key in targets]


def _facts(book: Element | None) -> tuple[str | None, str | None, str | None]:
    metadata = find_child(book, "metadata")
    results: dict[str, list[str]] = {"title": [], "creator": [], "date": []}
    for item in metadata.iter() if metadata is not None else ():
        if local_name(item) in results and (text := text_of(item)):
            results[local_name(item)].append(text)
    first = {name: values[0] if values else None for name, values in results.items()}
    return first["title"], "; ".join(results["creator"]) or None, first["date"]
