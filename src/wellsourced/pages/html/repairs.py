"""Small repairs of the scorer's choice, where structure says more than likelihood.

The scorer judges block by block. A table with half its cells says nothing, and code or a formula that stands between
kept paragraphs belongs to them, however little it looks like prose. A definition is nothing without its term.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wellsourced.pages.html.blocks import HEADING_TAGS, Block, Branch, Outline
from wellsourced.pages.html.tables import holds_sections

BETWEEN = (HEADING_TAGS - {"h1"}) | {"pre", "td", "th", "caption", "dt", "dd"}
SOURCES = frozenset(("figcaption", "footer", "cite"))
TERMS = frozenset(("dt", "summary"))
OPENINGS = HEADING_TAGS - {"h1", "h2"}
MOST_BETWEEN = 60
# Given to the link that stands for a video or a post from elsewhere.
EMBEDDED = "wellsourced-embedded"
FORMULA = re.compile(r"\s*(?:\$\$|\\\[|\\begin\{)")


def repair_choice(outline: Outline, kept: Sequence[bool]) -> list[bool]:
    mended = list(kept)
    for table in outline.branches:
        if table.tag == "table" and table.end - table.start > 1:
            _keep_whole(table, outline.blocks, mended)
    formulas = {branch.start for branch in outline.branches if branch.tag == "math"}
    for number in list(_enclosed(outline, mended, formulas)):
        mended[number] = True
    _keep_terms(outline.blocks, mended)
    _keep_samples(outline.blocks, mended)
    _keep_sources(outline.branches, mended)
    return mended


def _keep_sources(branches: list[Branch], kept: list[bool]) -> None:
    """Who said what is quoted: the caption of a quotation, or the line it ends in."""
    for branch in branches:
        around = branch.parent
        if branch.tag not in SOURCES or around is None or branch.end - branch.start not in {1, 2}:
            continue
        is_quoted = around.tag == "blockquote" or any(
            isinstance(child, Branch) and child.tag == "blockquote" for child in around.children
        )
        if is_quoted and branch.start and kept[branch.start - 1] and around.start < branch.start:
            kept[branch.start : branch.end] = [True] * (branch.end - branch.start)


def _keep_samples(blocks: list[Block], kept: list[bool]) -> None:
    """Code that ends what the kept text before it began."""
    for number in range(1, len(blocks)):
        container = blocks[number].container
        if container.tag == "pre" and kept[number - 1] and container.parent and container.parent.start < number:
            kept[number] = True


def _keep_terms(blocks: list[Block], kept: list[bool]) -> None:
    """What names the kept text after it. Backwards, because one definition may follow several terms."""
    for number in range(len(blocks) - 2, -1, -1):
        container, around = blocks[number].container, blocks[number].container.parent
        if kept[number + 1] and around and around.end > number + 1:
            is_opening = container.tag in OPENINGS and around.start == number
            kept[number] = kept[number] or is_opening or container.tag in TERMS


def _keep_whole(table: Branch, blocks: list[Block], kept: list[bool]) -> None:
    """Keep or leave out a table of data as most of its words are."""
    span = range(table.start, table.end)
    chosen = sum(len(blocks[number].text) for number in span if kept[number])
    if chosen and not holds_sections(table):
        keep = 2 * chosen >= sum(len(blocks[number].text) for number in span)
        kept[table.start : table.end] = [keep] * len(span)


def _enclosed(outline: Outline, kept: list[bool], formulas: set[int]) -> Iterator[int]:
    """Code, formulas, headings and cells of tables with kept text on both sides, in the same part of the page."""
    gap: list[int] = []
    for number, block in enumerate(outline.blocks):
        if kept[number]:
            if gap and gap[0] > 0 and _is_amid(outline.blocks[gap[0]].container, gap[0], number):
                yield from gap
            gap = []
        elif number and (gap or kept[number - 1]):
            container = block.container
            is_between = container.tag in BETWEEN or container.class_name == EMBEDDED
            belongs = is_between or number in formulas or FORMULA.match(block.texts[0])
            gap = [*gap, number] if belongs and len(gap) < MOST_BETWEEN else []


def _is_amid(branch: Branch, first: int, following: int) -> bool:
    """Whether the nearest branch that holds more than the gap holds what stands before and after it."""
    around = branch
    while around.parent and around.start >= first and around.end <= following:
        around = around.parent
    return around.start < first and around.end > following
