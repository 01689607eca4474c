"""OpenDocument text, spreadsheets and presentations (OpenDocument 1.3, part 3): content.xml into markdown.

Tracked deletions live in `text:tracked-changes`, outside the text, and are left there.
"""

from __future__ import annotations

from wellsourced.model.document import Document
from wellsourced.readers.grid import table
from wellsourced.readers.moments import moment
from wellsourced.readers.output import Output
from wellsourced.readers.package import Package
from wellsourced.readers.refusal import Unreadable
from wellsourced.readers.tree import Element, attribute, child, local, text_of

MOST_REPEATS = 100
MOST_ROWS = 2_000
DEEPEST = 60
SKIPPED = frozenset(
    [
        "tracked-changes",
        "sequence-decls",
        "forms",
        "annotation",
        "annotation-end",
        "variable-decls",
        "settings",
        "bookmark",
        "ruby-text",
    ]
)


def read(body: bytes, *, max_chars: int) -> Document:
    """The body of the document with its notes gathered at the end."""
    package = Package(body, "OpenDocument file")
    if b"manifest:encryption-data" in (package.read("META-INF/manifest.xml") or b""):
        raise Unreadable("The OpenDocument file is protected with a password and cannot be read without it.")
    root = package.xml("content.xml")
    content = child(root, "body")
    if root is None or content is None:
        raise Unreadable("The OpenDocument file is damaged: it has no content.")
    walk = _Walk(root, Output(max_chars))
    for part in content:
        walk.blocks(part, 0)
    walk.add_notes()
    if not walk.output.text:
        raise Unreadable("The OpenDocument file holds no text; images in it are not read.")
    title, author, date = _facts(package)
    return Document(
        text=walk.output.text,
        content_type="odt",
        title=title,
        author=author,
        date=moment(date),
        truncated=walk.output.truncated,
    )


def _facts(package: Package) -> tuple[str | None, str | None, str | None]:
    meta = child(package.xml("meta.xml"), "meta")
    values = [text_of(child(meta, name)) for name in ("title", "initial-creator", "creator", "date", "creation-date")]
    title, first, last, changed, created = values
    return title or None, first or last or None, changed or created or None


class _Walk:
    """One pass over the content, collecting notes on the way."""

    def __init__(self, root: Element, output: Output) -> None:
        self.output = output
        self.notes: list[str] = []
        self.numbered = _numbered_styles(root)

    def blocks(self, parent: Element, depth: int) -> None:
        for item in parent:
            if self.output.full or depth > DEEPEST:
                self.output.truncated = True
                return
            self._block(item, depth)

    def _block(self, item: Element, depth: int) -> None:
        name = local(item)
        if name == "h":
            level = attribute(item, "outline-level") or "1"
            self.output.add(f"{'#' * min(int(level) if level.isdigit() else 1, 6)} {self.inline(item).strip()}")
        elif name == "p":
            self.output.add(self.inline(item).strip())
        elif name == "list":
            self.output.add("\n".join(self._list(item, 0)))
        elif name == "table":
            self._table(item)
        elif name == "page":
            self.output.add(f"## {attribute(item, 'name') or 'Slide'}")
            self.blocks(item, depth + 1)
        elif name not in SKIPPED and isinstance(item.tag, str):
            self.blocks(item, depth + 1)

    def _list(self, item: Element, level: int) -> list[str]:
        numbered = attribute(item, "style-name") in self.numbered
        lines: list[str] = []
        for number, entry in enumerate((inner for inner in item if local(inner) in {"list-item", "list-header"}), 1):
            sign = f"{number}. " if numbered else "- "
            for part in entry:
                if local(part) == "list" and level < DEEPEST:
                    lines += self._list(part, level + 1)
                elif (text := self.inline(part).strip()) and local(part) in {"p", "h"}:
                    lines.append("  " * level + sign + text)
                    sign = "  "
        return lines

    def _table(self, item: Element) -> None:
        if attribute(item, "name") and local(item.getparent()) == "spreadsheet":
            self.output.add(f"## {attribute(item, 'name')}")
        rows = [row for row in item.iter() if local(row) == "table-row"][:MOST_ROWS]
        self.output.add(table([self._cells(row) for row in rows]))

    def _cells(self, row: Element) -> list[str]:
        cells: list[str] = []
        for item in row:
            if local(item) in {"table-cell", "covered-table-cell"}:
                repeat = attribute(item, "number-columns-repeated") or "1"
                text = "\n".join(self.inline(part).strip() for part in item if local(part) in {"p", "h", "list"})
                cells += [text] * min(int(repeat) if repeat.isdigit() else 1, MOST_REPEATS)
        return cells

    def inline(self, item: Element, depth: int = 0) -> str:
        parts = [item.text or ""]
        for inner in item:
            if depth < DEEPEST:
                parts.append(self._inline_part(inner, depth + 1))
            parts.append(inner.tail or "")
        return "".join(parts)

    def _inline_part(self, item: Element, depth: int) -> str:
        name = local(item)
        if name == "s":
            count = attribute(item, "c") or "1"
            return " " * min(int(count) if count.isdigit() else 1, MOST_REPEATS)
        if name in {"tab", "line-break"}:
            return "\n" if name == "line-break" else " "
        if name == "note":
            self.notes.append(text_of(child(item, "note-body")))
            return f"[^{len(self.notes)}]"
        if name in SKIPPED:
            return ""
        text = self.inline(item, depth)
        if name == "text-box":
            return f"\n{text}\n"
        target = attribute(item, "href") or ""
        if name == "a" and text.strip() and target.startswith(("http://", "https://", "mailto:")):
            return f"[{text}]({target.replace(' ', '%20').replace(')', '%29')})"
        return text

    def add_notes(self) -> None:
        self.output.add("\n".join(f"[^{number}]: {text}" for number, text in enumerate(self.notes, 1)))


def _numbered_styles(root: Element) -> set[str | None]:
    """List styles whose first level counts instead of showing a bullet."""
    return {
        attribute(style, "name")
        for style in root.iter()
        if local(style) == "list-style" and len(style) and local(style[0]) == "list-level-style-number"
    }
