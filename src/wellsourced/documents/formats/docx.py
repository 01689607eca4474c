"""Word documents (ECMA-376 part 1, section 17): headings, lists, tables, notes and text boxes as markdown.

Headers, footers and comments are left out; tracked changes are read as if all were accepted; nothing that a
relationship points to outside the package is ever fetched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.documents.xml import Element, attribute, find_child, local_name, text_of
from wellsourced.documents.zip_package import ZipPackage
from wellsourced.text.amounts import format_count

if TYPE_CHECKING:
    from wellsourced.documents.word.blocks import WordBlocks

NOTE_KINDS = ("footnote", "endnote")

FORMAT = DocumentFormat(
    kind="docx",
    extensions=("docx", "docm", "dotx"),
    media_types=("wordprocessingml",),
    is_binary=True,
    zip_folder=b"word/",
)


def read(body: bytes, options: ReadOptions) -> Document:
    """The document's own text, its footnotes and endnotes at the end."""
    package = ZipPackage(body, "Word document")
    path = package.related("", "officeDocument") or "word/document.xml"
    content = find_child(package.xml(path), "body")
    if content is None:
        raise Unreadable("The Word document is damaged: its main text is missing.")
    notes = _Notes(package, path)
    blocks = _blocks(package, path, MarkdownOutput(options.max_chars))
    blocks.inline.notes = notes.refer
    blocks.write(content)
    _add_diagrams(package, path, blocks)
    _add_chunks(package, path, blocks)
    blocks.output.add(notes.text(blocks))
    if not blocks.output.text:
        raise Unreadable("The Word document holds no text; images and embedded objects in it are not read.")
    title, author, date = package.core_properties()
    hidden = blocks.inline.hidden_runs
    return Document(
        text=blocks.output.text,
        content_type="docx",
        title=title,
        author=author,
        date=parse_timestamp(date),
        notes=(f"Left out, being formatted as hidden text: {format_count(hidden, 'passage')}.",) if hidden else (),
        truncated=blocks.output.truncated,
    )


def _blocks(package: ZipPackage, path: str, output: MarkdownOutput) -> WordBlocks:
    from wellsourced.documents.word.blocks import WordBlocks
    from wellsourced.documents.word.inline import WordInline
    from wellsourced.documents.word.numbering import read_numbering
    from wellsourced.documents.word.styles import read_styles

    inline = WordInline(relations=package.relations(path))
    known = read_styles(package.xml(package.related(path, "styles") or "word/styles.xml"))
    lists = read_numbering(package.xml(package.related(path, "numbering") or "word/numbering.xml"))
    return WordBlocks(inline, known, lists, output)


class _Notes:
    """Footnotes and endnotes, numbered in the order in which the text refers to them."""

    def __init__(self, package: ZipPackage, path: str) -> None:
        self.order: list[tuple[str, str]] = []
        self.stored: dict[tuple[str, str], Element] = {}
        for kind in NOTE_KINDS:
            root = package.xml(package.related(path, f"{kind}s") or f"word/{kind}s.xml")
            for item in root if root is not None else ():
                if local_name(item) == kind and attribute(item, "type") in {None, "normal"}:
                    self.stored[kind, attribute(item, "id") or ""] = item

    def refer(self, kind: str, key: str) -> str:
        place = (kind, key)
        if place not in self.stored:
            return ""
        if place not in self.order:
            self.order.append(place)
        return f"[^{self.order.index(place) + 1}]"

    def text(self, blocks: WordBlocks) -> str:
        lines = []
        for number, place in enumerate(self.order, 1):
            paragraphs = [item for item in self.stored[place].iter() if local_name(item) == "p"]
            words = " ".join(" ".join(blocks.inline.text(item).split()) for item in paragraphs)
            lines.append(f"[^{number}]: {words.strip()}")
        return "\n".join(lines)


def _add_diagrams(package: ZipPackage, path: str, blocks: WordBlocks) -> None:
    """SmartArt and charts keep their text in parts of their own."""
    from wellsourced.documents.chart_table import chart_table

    relations = package.relations(path)
    for key in blocks.inline.diagrams:
        target = relations.get(key)
        root = package.xml(target.target) if target and not target.external else None
        if target and target.kind == "chart":
            blocks.output.add(chart_table(root))
            continue
        points = [item for item in root.iter() if local_name(item) == "t"] if root is not None else []
        texts = [text for item in points if (text := text_of(item))]
        blocks.output.add("\n".join(f"- {text}" for text in texts))


def _add_chunks(package: ZipPackage, path: str, blocks: WordBlocks) -> None:
    """Bodies imported as alternative formats: HTML, plain text, or another Word document."""
    relations = package.relations(path)
    for key in blocks.chunks:
        target = relations.get(key)
        data = package.read(target.target) if target and not target.external else None
        for block in _chunk(data, blocks.output.max_chars) if data else ():
            blocks.output.add(block)


def _chunk(data: bytes, max_chars: int) -> list[str]:
    if data.startswith(b"PK"):
        inner = find_child(ZipPackage(data, "embedded Word document").xml("word/document.xml"), "body")
        output = MarkdownOutput(max_chars)
        if inner is not None:
            _blocks(ZipPackage(data, "embedded Word document"), "word/document.xml", output).write(inner)
        return [output.text]
    if b"<" in data[:200]:
        from wellsourced.documents.chapters import chapter_blocks

        return chapter_blocks(data)
    return [data.decode("utf-8", "replace")]
