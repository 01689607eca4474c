"""Pages of plain lines, each drawn as a whole: what is true of all lines is found out at once.

Many pages of running text are such, and most of those are one column. Asking line after line takes them twice as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, repeat, takewhile
from operator import lt, mul, sub

from wellsourced.documents.pdf_layout.chars import PageChars
from wellsourced.documents.pdf_layout.order import BIN
from wellsourced.documents.pdf_layout.paragraphs import (
    BULLET,
    ENDS,
    begins_item,
    greatest_near,
    paragraph,
    with_lists_joined,
)
from wellsourced.documents.pdf_layout.runs import FontWidths, LineLooks, has_no_wide_gap, look_at_lines
from wellsourced.documents.pdf_layout.words import TextFragment


class OneColumn(list[TextFragment]):
    """The lines of a page, all of one size, from top to bottom: none stands beside another one, and none is set far
    in. They are in reading order, and there is no table among them."""

    def __init__(self, lines: Iterable[TextFragment]) -> None:
        super().__init__(lines)
        self.size = self[0].size
        self.texts = [line.text for line in self]

    def outside(self, low: float, high: float) -> list[TextFragment]:
        """The lines above and below these heights."""
        below = [*takewhile(lambda line: line.middle < low, reversed(self))]
        return [*takewhile(lambda line: line.middle > high, self), *reversed(below)]


def read_plain_lines(chars: PageChars) -> list[TextFragment] | None:
    """The lines of a page on which each is plain words, drawn by one text object without wide gaps; else None."""
    if not chars.is_tidy or not chars.lines or chars.turns:
        return None
    looks = look_at_lines(chars, chars.lines)
    scales, bs, cs, heights, _, _ = zip(*looks.matrices, strict=True)
    lefts, tops, _, bottoms = zip(*looks.boxes, strict=True)
    _, highs, rights, lows = zip(*looks.last_boxes, strict=True)
    is_level = (tops, bottoms) == (highs, lows) and not any(bs) and not any(cs)
    if not is_level or min(*scales, *heights, *looks.sizes) <= 0 or not all(map(lt, lefts, rights)):
        return None
    texts = [text for text, _ in chars.lines]
    if not _are_whole(chars, texts, looks, map(mul, looks.sizes, scales), map(sub, rights, lefts)):
        return None
    sizes, middles = (
        list(map(mul, looks.sizes, heights)),
        [(low + high) / 2 for low, high in zip(bottoms, tops, strict=True)],
    )
    lines = map(TextFragment, texts, lefts, rights, bottoms, tops, sizes, repeat(True), middles)
    is_column = _is_one_column(sizes, lefts, max(rights), middles)
    return OneColumn(lines) if is_column else list(lines)


def _are_whole(
    chars: PageChars, texts: list[str], looks: LineLooks, sizes: Iterable[float], widths: Iterable[float]
) -> bool:
    if looks.drawn != looks.drawn_last or not all(looks.drawn):
        return False
    fonts, font_of = FontWidths(chars), chars.ask.FPDFTextObj_GetFont
    return all(
        has_no_wide_gap(text, width / size, fonts[font])
        for text, width, size, font in zip(texts, widths, sizes, map(font_of, looks.drawn), strict=True)
    )


def _is_one_column(sizes: list[float], lefts: Sequence[float], right: float, middles: list[float]) -> bool:
    """By the measures of `order`, `rows` and `paragraphs` for columns, lines and neighbours."""
    size, left, inner = sizes[0], min(lefts), max(lefts)
    if sizes.count(size) < len(sizes) or not inner - left < 4 * size or inner > left + (right - left) // BIN // 5 * BIN:
        return False
    return min(map(sub, middles, middles[1:]), default=size) >= max(size, 1.0) / 2


def join_column(column: OneColumn, hyphenated: frozenset[str]) -> list[str]:
    """Its paragraphs, as `join_paragraphs` makes them of lines of any kind."""
    texts, marks = column.texts, _marks_between(column)
    starts = [place for place, mark in enumerate(marks) if not mark]
    blocks = (
        paragraph(texts[first:end], marks[first:end], None, hyphenated)
        for first, end in pairwise([*starts, len(texts)])
    )
    return with_lists_joined([block for block in blocks if block])


def _marks_between(column: OneColumn) -> list[str]:
    """What stands before each line: nothing where a paragraph begins, a blank, or a line's end."""
    size, texts, marks = column.size, column.texts, [""]
    begun, farthest = texts[0], 2.0 * size
    for (above, line), text, is_full in zip(pairwise(column), texts[1:], _are_full(column), strict=True):
        drop = above.middle - line.middle
        if (
            begins_item(text)
            or drop > farthest
            or (
                line.left > above.left + 0.8 * size
                and (above.text[-1] in ENDS or not is_full)
                and not BULLET.match(begun)
            )
        ):
            begun, farthest = text, 2.0 * size
            marks.append("")
        else:
            farthest = 1.35 * drop
            marks.append(" " if is_full else "\n")
    return marks


def _are_full(column: OneColumn) -> list[bool]:
    """Of each line but the last, whether the next one's first word would not have fitted behind it."""
    rights = [line.right for line in column]
    next_words = [min(len(text.partition(" ")[0]), 25) for text in column.texts[1:]]
    full = []
    for line, edge, length in zip(column, greatest_near(rights)[1:], next_words, strict=False):
        text, letter, left_over = line.text, (line.right - line.left) / len(line.text), edge - line.right
        fits = letter < left_over and not left_over < (length + 1.5) * letter
        full.append(not fits and len(text) >= 12 and text.count(" ") >= 2)
    return full
