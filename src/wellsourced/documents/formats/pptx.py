"""Presentations (ECMA-376 part 1, section 19): slides in the order in which they are shown, with their notes."""

from __future__ import annotations

import re

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.slide_shapes import SlideShapes
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.documents.xml import attribute, find_child, local_name
from wellsourced.documents.zip_package import ZipPackage

MOST_SLIDES = 2_000
SLIDE_NAME = re.compile(r"ppt/slides/slide(\d+)\.xml")

FORMAT = DocumentFormat(
    kind="pptx", extensions=("pptx", "pptm"), media_types=("presentationml",), is_binary=True, zip_folder=b"ppt/"
)


def read(body: bytes, options: ReadOptions) -> Document:
    """Each slide under a heading with its number and title."""
    package = ZipPackage(body, "presentation")
    slides = _slides(package)
    output, damaged, wordless = MarkdownOutput(options.max_chars), [], 0
    for number, name in enumerate(slides[:MOST_SLIDES], 1):
        if output.full:
            output.truncated = True
            break
        try:
            wordless += not _add_slide(package, name, number, output)
        except Unreadable:
            damaged.append(number)
    if not slides or wordless + len(damaged) == len(slides):
        raise Unreadable(_empty_sentence(slides, damaged))
    title, author, date = package.core_properties()
    return Document(
        text=output.text,
        content_type="pptx",
        title=title,
        author=author,
        date=parse_timestamp(date),
        pages=len(slides),
        notes=(f"Damaged and left out: slides {', '.join(map(str, damaged))}.",) if damaged else (),
        truncated=output.truncated,
    )


def _empty_sentence(slides: list[str], damaged: list[int]) -> str:
    if not slides:
        return "The presentation holds no slides."
    if damaged:
        return "The presentation is damaged: none of its slides could be read."
    return "The presentation holds no text; its slides are empty or only images, and OCR is not done."


def _slides(package: ZipPackage) -> list[str]:
    """Slide parts in presentation order; without the list that gives it, by number."""
    path = package.related("", "officeDocument") or "ppt/presentation.xml"
    root, relations = package.xml(path), package.relations(path)
    listed = find_child(root, "sldIdLst")
    keys = [
        next((str(value) for name, value in item.attrib.items() if str(name).endswith("}id")), "")
        for item in (listed if listed is not None else ())
    ]
    listed_slides = [relations[key].target for key in keys if key in relations and package.find(relations[key].target)]
    if listed_slides or root is not None:
        return listed_slides
    numbered = [(int(match.group(1)), name) for name in package.names if (match := SLIDE_NAME.fullmatch(name))]
    return [name for _, name in sorted(numbered)]


def _add_slide(package: ZipPackage, name: str, number: int, output: MarkdownOutput) -> bool:
    """Write one slide and say whether it had any words."""
    root = package.xml(name)
    shapes = SlideShapes(package, package.relations(name))
    shapes.walk(find_child(root, "cSld", "spTree"))
    hidden = " (hidden)" if root is not None and attribute(root, "show") in {"0", "false"} else ""
    output.add(f"## Slide {number}{hidden}" + (f": {shapes.title}" if shapes.title else ""))
    notes = _notes(package, name)
    for block in (*shapes.blocks, notes):
        output.add(block)
    return bool(shapes.title or notes or any(block.strip() for block in shapes.blocks))


def _notes(package: ZipPackage, slide: str) -> str:
    """Speaker notes: the body placeholder of the notes page."""
    part = package.related(slide, "notesSlide")
    tree = find_child(package.xml(part), "cSld", "spTree") if part else None
    shapes = SlideShapes(package, package.relations(part) if part else {})
    lines: list[str] = []
    for item in tree if tree is not None else ():
        placeholder = find_child(item, "nvSpPr", "nvPr", "ph")
        if local_name(item) == "sp" and placeholder is not None and attribute(placeholder, "type") == "body":
            lines += shapes.lines(find_child(item, "txBody"), bulleted=False)
    return "Notes:\n\n" + "\n\n".join(lines) if lines else ""
