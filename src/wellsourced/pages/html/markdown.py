"""Kept blocks as markdown: headings, paragraphs, nested lists, quotes, code with its indentation, tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, compress
from typing import TypeGuard

from wellsourced.documents.word.numbering import spell_number
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html import blocks, code, tables
from wellsourced.pages.html.blocks import BLOCK_TAGS, EMPTY_TAGS, HEADING_TAGS, Branch, Child, Outline
from wellsourced.pages.html.dom import Document, Element
from wellsourced.pages.html.inline import EMBEDDED, PAGE_STYLE, InlineWriter, MarkdownStyle
from wellsourced.pages.html.notes import Notes
from wellsourced.pages.html.signals import count_kept_words, count_text_words, has_controls
from wellsourced.text.markdown_table import pipe_table as pipe_table
from wellsourced.text.plain_text import single_spaced

NO_NOTES = Notes()
LISTS = frozenset(("ul", "ol", "menu", "dir"))
# Control characters but for tab, line feed, form feed and carriage return.
CONTROLS = bytes([*range(9), 0x0B, *range(0x0E, 0x20), 0x7F])
NO_CONTROLS = dict.fromkeys(CONTROLS)
# Below this depth everything is written as paragraphs: a page nests without end, the interpreter's stack does not.
DEEPEST_FORM = 90
# More than of a page that is judged: books and long pages are written whole.
MOST_BLOCKS = 1_000_000
HEADING_MARKS = late_pattern(r"#{1,6} ")
# Frames of pictures with captions that are no `figure`.
CAPTIONED = late_pattern(r"(?:^|\s)(?:wp-caption|figure|fig|image-with-caption|thumb)(?:$|\s)")
MOST_CAPTIONS = 6
MOST_WRAPPERS = 4
NOTE_START = late_pattern(r"^(?:\\?[†‡§¶#\[\]()^.:]|\\\*|\*(?=\s)|\s){1,8}")
NESTED_LIST = late_pattern(r"(?:-|-?\d{1,9}\.) ")
FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
STYLED_FORMS = {"lower-alpha": "lowerLetter", "lower-latin": "lowerLetter", "upper-alpha": "upperLetter",
                "upper-latin": "upperLetter", "lower-roman": "lowerRoman", "upper-roman": "upperRoman"}  # fmt: skip
LIST_STYLE = re.compile(rf"list-style(?:-type)?\s*:\s*({'|'.join(STYLED_FORMS)})")
WHOLE_NUMBER = re.compile(r"\s*[+-]?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class PageText:
    """`words` are those of `plain`."""

    markdown: str
    plain: str
    links: int
    words: int


def write_kept(
    outline: Outline, kept: Sequence[bool], base: str, *, keep_images: bool = False, notes: Notes = NO_NOTES
) -> PageText:
    """The kept blocks in reading order, as markdown and as plain text."""
    writer = MarkdownWriter(kept, base, replace(PAGE_STYLE, keeps_images=keep_images), notes)
    written = plain_text(outline, kept)
    writer.inline.expect_text(written)
    markdown = "\n\n".join(writer.chunks(outline.root))
    if has_controls(written) or has_controls(markdown):
        plain = without_controls(written)
        return PageText(without_controls(markdown).strip(), plain, writer.inline.links, count_text_words(plain))
    return PageText(markdown.strip(), written, writer.inline.links, count_kept_words(outline, kept, written))


def write_whole(document: Document, style: MarkdownStyle, base: str = "") -> list[str]:
    """Everything in the document's body as blocks of markdown, in order."""
    outline = blocks.outline(document, MOST_BLOCKS)
    if outline is None:
        return []
    writer = MarkdownWriter([True] * len(outline.blocks), base, style)
    written = [without_controls(chunk) for chunk in writer.chunks(outline.root)]
    outline.dissolve()
    return written


def without_controls(text: str) -> str:
    """Few pages have any, and the bytes show that there are none far faster than a pattern does."""
    raw = text.encode("utf-8", "surrogatepass")
    return text if len(raw.translate(None, CONTROLS)) == len(raw) else text.translate(NO_CONTROLS)


def plain_text(outline: Outline, kept: Sequence[bool]) -> str:
    parts = []
    tidy = outline.tidy or [False] * len(kept)
    for block, is_tidy in compress(zip(outline.blocks, tidy, strict=True), kept):
        if block.container.tag == "pre":
            parts.append("\n".join([line.rstrip() for line in block.text.strip("\n").splitlines()]))
        else:
            parts.append(block.text.strip() if is_tidy else single_spaced(block.text))
    return "\n\n".join([part for part in parts if part])


class MarkdownWriter:
    """Turns branches into chunks; a chunk is one block of markdown without blank lines around it."""

    def __init__(
        self, kept: Sequence[bool], base: str, style: MarkdownStyle = PAGE_STYLE, notes: Notes = NO_NOTES
    ) -> None:
        self.kept = kept
        self.style = style
        self.notes = notes
        self.inline = InlineWriter(kept, base, style, notes)
        self.before = list(accumulate(kept, initial=0))
        self.special: dict[str, Callable[[Branch], Iterator[str]]] = {
            "pre": self.code, "blockquote": self.quote, "table": self.table, "dt": self.term, "summary": self.term,
            "a": self.linked, "hr": self.rule,
            **dict.fromkeys(HEADING_TAGS, self.heading), **dict.fromkeys(LISTS, self.listing),
        }  # fmt: skip

    def count(self, branch: Branch) -> int:
        """How many kept blocks the branch holds."""
        return self.before[branch.end] - self.before[branch.start]

    def is_wanted(self, child: Child) -> bool:
        if isinstance(child, tuple):
            return self.inline.is_kept(child)
        if child.end > child.start:
            return self.before[child.end] > self.before[child.start] or self.is_figure(child)
        if self.style.is_whole:
            return child.tag in EMPTY_TAGS or child.holds_image
        if child.tag == "hr":
            return 0 < child.start < len(self.kept) and self.kept[child.start - 1] and self.kept[child.start]
        return child.tag == "br" or (child.holds_image and self.is_illustration(child))

    def is_figure(self, branch: Branch) -> bool:
        """Whether it is a picture with a caption that was not kept as text, among kept text."""
        if not branch.holds_image or branch.end - branch.start > MOST_CAPTIONS or self.count(branch):
            return False
        return _is_framed(_unwrapped(branch, _is_framed)) and self.is_illustration(branch)

    def is_illustration(self, branch: Branch) -> bool:
        """Whether an image stands among kept text: next to a kept block, in a part of which most is kept.

        Of a figure any will do: what is left out of it are mostly links to sizes of the picture."""
        beside = [*self.kept[max(0, branch.start - 1) : branch.start], *self.kept[branch.end : branch.end + 1]]
        around = branch.parent
        while around and around.end == around.start:
            around = around.parent
        if around is None or not any(beside):
            return False
        least = 0 if around.tag == "figure" else (around.end - around.start) / 2
        return self.count(around) > least

    def chunks(self, branch: Branch) -> list[str]:
        chunks: list[str] = []
        self.collect(branch, chunks)
        return chunks

    def collect(self, branch: Branch, chunks: list[str]) -> None:
        """Chunks of a branch's children: inline runs become paragraphs, block children render themselves."""
        run: list[Child] = []
        before, kept = self.before, self.kept
        for child in branch.children:
            if isinstance(child, tuple):
                if child[1] < 0 or kept[child[1]]:
                    run.append(child)
            elif before[child.end] <= before[child.start] and not self.is_wanted(child):
                continue
            elif child.tag in BLOCK_TAGS or child.holds_blocks:
                if run:
                    self.paragraph(run, chunks)
                    run = []
                self.block(child, chunks)
            elif run and child.tag == "br" and _is_break(run[-1]):
                self.paragraph(run, chunks)
                run = []
            else:
                run.append(child)
        if run:
            self.paragraph(run, chunks)

    def paragraph(self, run: list[Child], chunks: list[str]) -> None:
        if len(run) == 1 and _is_broken_code(run[0]):
            chunks.append(_fenced(code.code_text(run[0].element), ""))
        elif text := self.inline.render(run):
            chunks.append(text)

    def block(self, branch: Branch, chunks: list[str]) -> None:
        special = self.special.get(branch.tag) if branch.depth < DEEPEST_FORM else None
        if branch.index in self.notes.bodies:
            chunks.extend(self.note(branch))
        elif branch.holds_image and branch.end > branch.start and not self.count(branch):
            chunks.extend(self.figure(branch))
        elif special:
            chunks.extend(special(branch))
        else:
            self.collect(branch, chunks)

    def quote(self, branch: Branch) -> Iterator[str]:
        chunks = self.chunks(branch)
        for inner in ["\n\n".join(chunks)] if chunks and self.style.joins_quotes else chunks:
            yield "\n".join(f"> {line}" if line else ">" for line in inner.split("\n"))

    def note(self, branch: Branch) -> Iterator[str]:
        """A footnote with its label, what it says further on indented as markdown has it."""
        label, parts = self.notes.bodies[branch.index], self.chunks(branch)
        if not parts:
            return
        first = NOTE_START.sub("", parts[0])
        first = NOTE_START.sub("", first.removeprefix(label)) if _begins_with(first, label) else first
        if not first and len(parts) > 1:
            first = parts.pop(1)
        rest = "".join(f"\n\n{_indented(part, '    ')}" for part in parts[1:])
        yield f"[^{label}]: {_indented(first, '    ').lstrip(' ')}{rest}"

    def figure(self, branch: Branch) -> Iterator[str]:
        """A picture that carries its caption; a link to another page with a picture in it, as that link."""
        card = _unwrapped(_unwrapped(branch, _is_framed), _is_link)
        if card.tag == "a" and card.holds_image and card.attr("href"):
            named = (child[0] for child in _leaves(card) if isinstance(child, tuple) and child[1] >= 0)
            yield self.inline.link(next(named, ""), card)
            return
        images, texts = [], []
        for child in _leaves(branch):
            if isinstance(child, Branch):
                images.append(child)
            elif child[1] >= 0:
                texts.append(child[0])
        caption = single_spaced(" ".join(texts)).rstrip("¶ ")
        for place, image in enumerate(images):
            if written := self.inline.image(image, caption if not place else ""):
                yield written
        if caption and images and images[0].class_name == EMBEDDED and images[0].attr("alt"):
            yield self.inline.escape_starts(self.inline.escaped(caption))

    def rule(self, branch: Branch) -> Iterator[str]:
        yield "---"

    def term(self, branch: Branch) -> Iterator[str]:
        yield from map(_bold, self.chunks(branch))

    def heading(self, branch: Branch) -> Iterator[str]:
        text = self.inline.line(branch.children)
        if text:
            yield f"{'#' * int(branch.tag[1])} {text}"

    def linked(self, branch: Branch) -> Iterator[str]:
        """A link around blocks: the first chunk that is one line of text carries the address."""
        chunks = self.chunks(branch)
        for place, chunk in enumerate(chunks):
            if "\n" in chunk or "](" in chunk or chunk.startswith(("-", "|", ">", "`")):
                continue
            is_heading = HEADING_MARKS.match(chunk) and self.style.links != "as_written"
            marks, gap, text = chunk.partition(" ") if is_heading else ("", "", chunk)
            chunks[place] = marks + gap + self.inline.link(text, branch)
            break
        yield from chunks

    def code(self, branch: Branch) -> Iterator[str]:
        text = "".join(child[0] for child in branch.children if isinstance(child, tuple))
        yield _fenced(text, code.code_language(branch))

    def listing(self, branch: Branch) -> Iterator[str]:
        """Items with their markers; numbers are those the page shows, also when items before were left out."""
        is_counted, is_reversed = branch.tag == "ol", branch.element.attr("reversed") is not None
        if any(isinstance(child, Branch) and child.index in self.notes.bodies for child in branch.children):
            self_chunks: list[str] = []
            self.collect(branch, self_chunks)
            yield from self_chunks
            return
        form = _form(branch)
        number = _number(branch.attr("start"), _items(branch) if is_counted and is_reversed else 1)
        lines: list[str] = []
        for child in branch.children:
            if isinstance(child, tuple) or child.tag != "li":
                if self.is_wanted(child) and isinstance(child, Branch):
                    inner: list[str] = []
                    self.block(child, inner)
                    lines += [_indented(chunk, "  ") for chunk in inner]
                continue
            if value := child.attr("value"):
                number = _number(value, number)
            if self.is_wanted(child):
                lines += self.item(child, *_marks(number, form) if is_counted else ("- ", ""))
            number += -1 if is_counted and is_reversed else 1
        if lines:
            yield "\n".join(lines)

    def item(self, branch: Branch, marker: str, number: str) -> list[str]:
        parts = self.chunks(branch)
        if not parts:
            return []
        indent = " " * len(marker)
        if len(parts) > 1 and parts[0].replace("\\", "") == marker.strip():
            # The page writes the number itself, in a part of its own.
            parts = parts[1:]
        lines = [marker + number + _box(branch) + _indented(parts[0], indent).lstrip(" ")]
        for part in parts[1:]:
            lines += [_indented(part, indent)] if NESTED_LIST.match(part) else ["", _indented(part, indent)]
        return lines

    def table(self, branch: Branch) -> Iterator[str]:
        if self.style.tables == "all":
            yield from (*tables.caption_lines(branch, self), pipe_table(tables.all_rows(branch, self)))
            return
        grid = tables.read_grid(branch, self)
        if grid is not None and self.style.tables == "lines":
            yield "\n".join(" | ".join(filter(None, row)) for row in grid.rows)
            return
        if grid is None:
            yield from self.chunks(branch)
            return
        yield from grid.captions
        if (line := tables.marked_line(grid)) and not self.style.is_whole:
            yield line
            return
        yield tables.grid_markdown(grid)


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _is_break(child: Child) -> bool:
    return isinstance(child, Branch) and child.tag == "br"


def _is_framed(branch: Branch) -> bool:
    return branch.tag == "figure" or bool(CAPTIONED.search(branch.class_name))


def _is_link(branch: Branch) -> bool:
    return branch.tag == "a"


def _unwrapped(branch: Branch, is_wanted: Callable[[Branch], bool]) -> Branch:
    """The wanted branch that is all there is in one, else what is innermost."""
    inner = branch
    for _ in range(MOST_WRAPPERS):
        children = [child for child in inner.children if isinstance(child, Branch) and child.end > child.start]
        if is_wanted(inner) or len(children) != 1 or children[0].end - children[0].start < branch.end - branch.start:
            break
        inner = children[0]
    return inner


def _leaves(branch: Branch) -> Iterator[Child]:
    """Texts and pictures in a branch, in order."""
    for child in branch.children:
        if isinstance(child, tuple) or child.tag == "img":
            yield child
        else:
            yield from _leaves(child)


def _is_broken_code(child: Child) -> TypeGuard[Branch]:
    """Code that is a paragraph by itself, over several lines."""
    return isinstance(child, Branch) and child.tag == "code" and any(map(_is_break, child.children))


def _bold(chunk: str) -> str:
    plain = "\n" not in chunk and "**" not in chunk and not chunk.startswith(("#", "-", "`", "|", ">"))
    return f"**{chunk}**" if plain else chunk


def _indented(chunk: str, indent: str) -> str:
    return "\n".join(indent + line if line else line for line in chunk.split("\n"))


def _begins_with(text: str, label: str) -> bool:
    return text.startswith(label) and not text[len(label) : len(label) + 1].isalnum()


def _number(text: str, default: int) -> int:
    """A number as HTML reads one: what follows its digits does not count."""
    match = WHOLE_NUMBER.match(text)
    return int(match[0]) if match else default


def _form(branch: Branch) -> str:
    """How the list counts: in letters or Roman numerals where its type or its own style says so, else in digits."""
    styled = LIST_STYLE.search(branch.attr("style").lower())
    return STYLED_FORMS[styled[1]] if styled else FORMS.get(branch.attr("type"), "")


def _marks(number: int, form: str) -> tuple[str, str]:
    """What stands before an item. Markdown counts in digits only, so letters are written behind a bullet."""
    return ("- ", f"{spell_number(number, form)}. ") if form else (f"{number}. ", "")


def _items(branch: Branch) -> int:
    return sum(isinstance(child, Branch) and child.tag == "li" for child in branch.children)


def _box(item: Branch) -> str:
    """The mark of a task: its box is the first thing in the item."""
    first = next((node for node in item.element if isinstance(node, Element)), None)
    if first is not None and first.tag in {"p", "label"}:
        first = next((node for node in first if isinstance(node, Element)), None)
    if first is None or first.tag != "input" or first.attr("type") != "checkbox":
        return ""
    return "[ ] " if first.attr("checked") is None else "[x] "
