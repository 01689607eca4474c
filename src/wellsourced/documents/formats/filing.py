"""A filing at the SEC (10-K, 10-Q, 8-K, 20-F, DEF 14A …) as whole markdown: parts, items and subheadings as headings.

Nothing is judged or left out but what nobody sees, page numbers and lines that repeat on every page. What inline XBRL
states stands at the end, number by number. Recorded filings of 2018 to 2025, checked 2026-11-17.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.filings.items import NOTES, Block, item_headings
from wellsourced.documents.filings.subheadings import MARK, SubheadingLevels, mark_bold, mark_types, split_run_in
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.late_pattern import late_pattern

if TYPE_CHECKING:
    from wellsourced.pages.html import dom

COVER_REACH = 2_000_000
COVER = b"SECURITIES AND EXCHANGE COMMISSION"
COVER_LINE = late_pattern(
    rb"(?i:commission(?:\s|&#160;|&nbsp;){1,4}file(?:\s|&#160;|&nbsp;){1,4}n)|SCHEDULE(?:\s|&#160;)14A"
)
INLINE_XBRL = late_pattern(rb"xmlns:ix\s{0,3}=")
# A page about filings has these; a filing is one bare text.
PAGE_PARTS = (b"<nav", b"<article", b"<main", b"<aside")
BOLD_RUN = late_pattern(r"\*\*((?:[^*]|\*(?!\*))*)\*\*")
LINKED = late_pattern(r"(?:\*\*)?\[([^\[\]]*)\]\(#[^\s()]*\)(?:\*\*)?\W*")
LINK = late_pattern(r"\[([^\[\]]*)\]\(#[^\s()]*\)")
PAGE_NUMBER = late_pattern(r"(?:page )?[-–— ]{0,3}(?:[A-Z]-)?\d{1,3}[-–— ]{0,3}|-{3,}", re.I)
DIGIT_RUN = late_pattern(r"\d+")
ITEM_CELLS = late_pattern(r"\s*(?:part\s{1,3}[IV]{1,3}\W{0,6})?item\s{0,3}\d{1,2}(?:\.\d\d|[A-K])?\W", re.I)
LONGEST_SUBHEADING = 150
SHORTEST_TEXT = 120
COVER_WORDS = late_pattern(r"form\b|or$|securities registered", re.I)
FEWEST_REPEATS = 6
LONGEST_REPEAT = 250
CONTENTS = frozenset({"table of contents", "index", "contents"})
COVER_LINES = 80
EXACT_NAME = late_pattern(r"\(exact name of (?:the )?registrant", re.I)
FORM = late_pattern(r"form ((?:10-[KQ]|8-K|20-F|6-K|40-F|S-1)(?:/A)?)", re.I)
FIGURES = "Figures stated in inline XBRL"


def is_filing(body: bytes) -> bool:
    cover = body[:COVER_REACH]
    if not cover.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or any(part in cover for part in PAGE_PARTS):
        return False
    if b"%PDF" in body[:1024] or (COVER not in cover.upper() and not INLINE_XBRL.search(cover[:20_000])):
        return False
    return bool(INLINE_XBRL.search(cover[:20_000]) or COVER_LINE.search(cover))


FORMAT = DocumentFormat(kind="filing", is_page=True, matches_bytes=is_filing)


def read(body: bytes, options: ReadOptions) -> Document:
    from wellsourced.documents.filings import facts
    from wellsourced.pages.html import dom, encoding, hidden
    from wellsourced.pages.html.inline import MarkdownStyle
    from wellsourced.pages.html.markdown import write_whole

    document = dom.parse(encoding.decode(body, f"charset={options.charset}" if options.charset else "").text)
    words, figures = facts.read_words(document), facts.read_facts(document)
    titled = dom.select(document, "title")
    named = " ".join(titled[0].text.split())[:200] if titled else ""
    for header in dom.select(document, "ix\\:header"):
        header.decompose()
    hidden.remove_hidden(document)
    mark_bold(document)
    join_item_cells(document)
    mark_types(document)
    chunks = write_whole(document, MarkdownStyle(tables="data", has_images=False, links="as_written"))
    title = document_title(words) or cover_title(chunks) or named
    output = MarkdownOutput(options.max_chars)
    output.add(f"# {title}" if title else "")
    for block in with_headings(chunks):
        output.add(block)
    if not chunks:
        raise Unreadable("The filing holds no text.")
    if figures:
        output.add(f"## {FIGURES}\n\n" + "\n".join(figures))
    return Document(
        text=output.text,
        content_type="filing",
        title=title or None,
        author=words.get("dei:EntityRegistrantName"),
        truncated=output.truncated,
    )


def document_title(words: Mapping[str, str]) -> str:
    name, form, end = (words.get(f"dei:{key}", "") for key in
                       ("EntityRegistrantName", "DocumentType", "DocumentPeriodEndDate"))  # fmt: skip
    return " ".join(filter(None, (name, form, f"({end})" if end and (name or form) else "")))


def cover_title(chunks: Sequence[str]) -> str:
    """Registrant and form as the cover has them, for filings before inline XBRL."""
    lines = [as_block(MARK.sub("", chunk)).words for chunk in chunks[:COVER_LINES]]
    place = next((n for n, line in enumerate(lines) if EXACT_NAME.match(line)), 0)
    name = lines[place - 1] if place and len(lines[place - 1]) <= LONGEST_SUBHEADING else ""
    form = next((match[1].upper() for line in lines if (match := FORM.fullmatch(line))), "")
    return f"{name} {form}".strip() if name else ""


def join_item_cells(document: dom.Document) -> None:
    """A heading in the cells of a table of one row (`Item 1A.` | `Risk Factors`) becomes one line."""
    for table in document.select("table"):
        rows = [text for row in table.select("tr") if (text := " ".join(row.text.split()))]
        if len(rows) == 1 and len(rows[0]) < 300 and ITEM_CELLS.match(rows[0]):
            cells = (" ".join(cell.text.split()) for cell in table.select("td, th"))
            is_bold = bool(table.select("b, strong"))
            table.clear()
            table.tag = "div"
            table.set_inner_html(f"<b>{_escaped(cells)}</b>" if is_bold else _escaped(cells))


def _escaped(cells: Iterator[str]) -> str:
    from html import escape

    return escape(" ".join(filter(None, cells)))


def with_headings(marked: Sequence[str]) -> Iterator[str]:
    """The blocks with items, parts and bold lines as headings, without page numbers and what repeats on every page."""
    chunks = [MARK.sub("", chunk) for chunk in marked]
    blocks = [as_block(chunk) for chunk in chunks]
    items = item_headings(blocks)
    repeated = _repeated(blocks)
    listed = {_plain(match[1]) for chunk in chunks for match in LINK.finditer(chunk)} - {""}
    levels = SubheadingLevels()
    # Without items, as in a proxy statement, what the table of contents lists are the parts.
    cover, parts = min(items, default=0), frozenset() if items else listed
    for place, (chunk, block) in enumerate(zip(chunks, blocks, strict=True)):
        if place in items or (_plain(block.words) in parts and is_subheading(block, listed)):
            levels.restart()
            yield f"{'#' * items.get(place, 3)} {block.words}"
        elif PAGE_NUMBER.fullmatch(block.words) or _is_running(block, repeated):
            continue
        elif is_subheading(block, listed) and (place >= cover or _has_text(blocks, place)):
            level = levels.level(marked[place], block.words) if place >= cover else 4
            yield f"{'#' * level} {block.words}"
        else:
            heading, text = split_run_in(LINK.sub(r"\1", chunk))
            yield f"{'#' * levels.level(marked[place], heading)} {heading}" if heading else ""
            yield text


def _has_text(blocks: Sequence[Block], place: int) -> bool:
    """Whether a bold line of the cover heads a text; most of them are the form's own words."""
    following = "".join(block.words for block in blocks[place + 1 : place + 2] if not block.is_bold)
    return len(following) >= SHORTEST_TEXT and not COVER_WORDS.match(blocks[place].words)


def _is_running(block: Block, repeated: set[str]) -> bool:
    """Whether a line is one that every page repeats; the name of the notes heads them where it comes first."""
    pattern = _pattern(block)
    if pattern in repeated and NOTES.fullmatch(block.words):
        repeated.discard(pattern)
        repeated.add(f"{pattern} again")
        return False
    return pattern in repeated or f"{pattern} again" in repeated


def as_block(chunk: str) -> Block:
    linked = LINKED.fullmatch(chunk)
    text = LINK.sub(r"\1", chunk)
    rest = BOLD_RUN.sub("", text)
    is_bold = "**" in text and not any(character.isalnum() for character in rest)
    return Block(" ".join(text.replace("**", " ").split()), is_bold, linked is not None)


def is_subheading(block: Block, listed: set[str]) -> bool:
    """A short bold line that is no sentence, or a line that the table of contents names."""
    words = block.words
    if block.is_linked or len(words) > LONGEST_SUBHEADING or "\n" in words or words.startswith(("|", "-", "#", "(")):
        return False
    if _plain(words) in CONTENTS or not any(character.isalpha() for character in words):
        return False
    return (block.is_bold and not words.endswith((".", ":", ";", ","))) or _plain(words) in listed


def _plain(words: str) -> str:
    return " ".join(re.findall(r"[^\W\d_]+", words.casefold()))


def _pattern(block: Block) -> str:
    return DIGIT_RUN.sub("0", block.words.casefold()) if len(block.words) <= LONGEST_REPEAT else ""


def _repeated(blocks: Sequence[Block]) -> set[str]:
    """Lines that come again and again beside the page numbers: running heads and feet."""
    near = [
        pattern
        for place, block in enumerate(blocks)
        if (pattern := _pattern(block)) and not PAGE_NUMBER.fullmatch(block.words) and _is_at_page_end(blocks, place)
    ]
    return {pattern for pattern, count in Counter(near).items() if count >= FEWEST_REPEATS}


def _is_at_page_end(blocks: Sequence[Block], place: int) -> bool:
    around = blocks[max(0, place - 2) : place] + blocks[place + 1 : place + 3]  # type: ignore[operator]
    return any(PAGE_NUMBER.fullmatch(block.words) for block in around)
