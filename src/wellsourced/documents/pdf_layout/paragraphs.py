"""Lines joined into paragraphs and headings: hyphens at line ends, short last lines, indents, gaps and sizes."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import chain, islice, repeat

from wellsourced.documents.pdf_layout.chars import LINE_HYPHEN
from wellsourced.documents.pdf_layout.words import TextFragment
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.text.plain_text import without_ascii

BULLETED = r"^[•▪▫●○◦‣⁃∙·■□➢➤✓*–-]\s+(?=\S)"
BULLET = late_pattern(BULLETED)
ITEM = late_pattern(BULLETED + r"|^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]|\[\d{1,3}\])\s")
LONGEST_MARK = len("xviii.")
HYPHENS = "-\u2010\u00ad"
ENDS = '.!?:;。！？؟।…"”’)]'
PRESENTATION = late_pattern("[\ufb00-\ufdff\ufe70-\ufefe]")
CONTROLS = late_pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\ufffe\uffff\ufeff]")
SYMBOLS = {"\uf0b7": "•", "\uf0a7": "▪", "\uf02d": "-", "\uf0d8": "➢", "\uf0fc": "✓", "\u00a0": " "}
SYMBOL = late_pattern(f"[{''.join(SYMBOLS)}]")
# Beyond ASCII: letters of languages written from the left and signs, none of them a hyphen or a ligature.
PLAIN = late_pattern("[\xa1-\xac\xae-\u058f\u2011-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u214f]+")
PRINTED = bytes(range(ord(" "), 0x7F)) + b"\n"
LONGEST_HEADING = 200
LARGER = 1.15
NOWHERE = (math.inf, 0.0, 0.0)
NEAR = 12
"""So many lines before and behind one are looked at to see how far it could reach."""


@dataclass(frozen=True)
class FontSizes:
    """The size of running text and the larger ones that headings use, largest first."""

    body: float
    headings: tuple[float, ...] = ()

    def level(self, line: TextFragment) -> int | None:
        """Heading level 1 to 4, or None for running text."""
        if line.size < self.body * LARGER or len(line.text) > LONGEST_HEADING or not _has_letters(line.text):
            return None
        above = sum(size > line.size * 1.05 for size in self.headings)
        return min(above + 1, 4)


def measure_sizes(lines: Iterable[TextFragment]) -> FontSizes:
    """Measured by how many characters are set in each size."""
    exact: dict[float, int] = {}
    for line in lines:
        exact[line.size] = exact.get(line.size, 0) + len(line.text)
    counts: Counter[float] = Counter()
    for size, length in exact.items():
        counts[round(size * 2) / 2] += length
    if not counts:
        return FontSizes(10.0)
    body = counts.most_common(1)[0][0]
    return FontSizes(body, tuple(sorted((size for size in counts if size >= body * LARGER), reverse=True)[:6]))


@dataclass()
class _Open:
    """The paragraph being built."""

    lines: list[TextFragment] = field(default_factory=list)
    between: list[str] = field(default_factory=list)
    """What stands before each line: nothing, a blank or a line's end."""
    level: int | None = None


def join_paragraphs(
    parts: Sequence[TextFragment | str], scale: FontSizes, hyphenated: frozenset[str] = frozenset()
) -> list[str]:
    """Markdown blocks; tables, which come as text already, stand between paragraphs."""
    blocks: list[str] = []
    current = _Open()
    edge, larger = _right_edges(parts), scale.body * LARGER
    for index, part in enumerate(parts):
        if isinstance(part, str):
            _close(current, blocks, hyphenated)
            blocks.append(part)
            continue
        level = scale.level(part) if part.size >= larger else None
        between = _between(current, part, level, edge[index]) if current.lines else ""
        if not between:
            _close(current, blocks, hyphenated)
        current.between.append(between)
        current.lines.append(part)
        current.level = level
    _close(current, blocks, hyphenated)
    return _with_lists_joined(blocks)


def _close(current: _Open, blocks: list[str], hyphenated: frozenset[str]) -> None:
    lines, between = current.lines, current.between
    current.lines, current.between = [], []
    text = "".join([mark + line.text for mark, line in zip(between, lines, strict=True)])
    if not _is_clean(text):
        pieces: list[list[str]] = []
        for line, mark in zip(lines, between, strict=True):
            if mark != " ":
                pieces.append([])
            pieces[-1].append(line.text)
        text = "\n".join(clean_text(join_lines(piece, hyphenated)) for piece in pieces).strip()
    if current.level is not None and text:
        blocks.append(f"{'#' * current.level} {text}")
    elif text:
        bullet = BULLET.match(text)
        blocks.append(f"- {text[bullet.end() :]}" if bullet else text)


def _is_clean(text: str) -> bool:
    """Whether joined lines are a text as they are: plain letters with single blanks, and no hyphen at a line's end."""
    if "  " in text or ("-" in text and "- " in text) or ("\n" in text and (" \n" in text or "\n " in text)):
        return False
    unusual = without_ascii(text, PRINTED)
    return (not unusual or PLAIN.fullmatch(unusual) is not None) and text == text.strip()


def _with_lists_joined(blocks: list[str]) -> list[str]:
    kept: list[str] = []
    for block in blocks:
        if kept and block.startswith("- ") and kept[-1].startswith("- "):
            kept[-1] += "\n" + block
        else:
            kept.append(block)
    return kept


def _right_edges(parts: Sequence[TextFragment | str]) -> list[float]:
    """How far lines reach to the right around each one: the farthest of its neighbours in the same column."""
    lines = [part for part in parts if isinstance(part, TextFragment)]
    if len(lines) == len(parts) and _is_one_column(lines):
        return _greatest_near([line.right for line in lines])
    places = [(part.left, part.size, part.right) if isinstance(part, TextFragment) else NOWHERE for part in parts]
    edges: list[float] = []
    for index, (left, size, _) in enumerate(places):
        first, last = left - 4 * size, left + 4 * size
        small, large = 0.8 * size, 1.2 * size
        near = places[max(0, index - NEAR) : index + NEAR + 1]
        here = [right for start, height, right in near if first < start < last and small < height < large]
        edges.append(max(here, default=0.0))
    return edges


def _is_one_column(lines: list[TextFragment]) -> bool:
    """Whether all lines begin near each other and are about as large, so that each is a neighbour of each."""
    if not lines:
        return False
    lefts, sizes = [line.left for line in lines], [line.size for line in lines]
    smallest = min(sizes)
    return max(lefts) - min(lefts) < 4 * smallest and max(sizes) < 1.2 * smallest


def _greatest_near(values: list[float]) -> list[float]:
    """The greatest of each and its neighbours. It is looked for anew when the last one found is too far away."""
    found: list[float] = []
    greatest, until = math.inf, -1
    for index, entering in enumerate(islice(chain(values, repeat(-math.inf)), NEAR, NEAR + len(values))):
        if entering >= greatest:
            greatest, until = entering, index + 2 * NEAR
        elif index > until:
            start = max(0, index - NEAR)
            near = values[start : index + NEAR + 1]
            greatest = max(near)
            until = start + near.index(greatest) + NEAR
        found.append(greatest)
    return found


def _between(current: _Open, line: TextFragment, level: int | None, edge: float) -> str:
    """What stands between a paragraph and the line: nothing where they are apart, a blank, or a line's end.

    A line that ended early ended on purpose: an address, a verse, a form; its break stays.
    """
    last = current.lines[-1]
    if last.text[-1:] == LINE_HYPHEN:
        return " "
    if level != current.level or (
        last.size != line.size and abs(last.size - line.size) > 0.12 * max(last.size, line.size)
    ):
        return ""
    if _begins_item(line.text) or not (last.upright and line.upright):
        return ""
    drop = last.middle - line.middle
    if drop < 0:
        return " " if level is None and _goes_on(last, line) else ""
    if drop > _spacing(current):
        return ""
    is_full = level is not None or _is_full(last, line, edge)
    if level is None and _indented(current, line) and (last.text.rstrip()[-1:] in ENDS or not is_full):
        return ""
    return " " if is_full else "\n"


def _begins_item(text: str) -> bool:
    """A word begins most lines, and no item: letters that number one have a dot or a bracket behind them."""
    head = text[:LONGEST_MARK]
    if head[:1].isalpha() and "." not in head and ")" not in head:
        return False
    return ITEM.match(text) is not None


def _spacing(current: _Open) -> float:
    """The largest step to a next line; once two lines are known, a little more than theirs."""
    last = current.lines[-1]
    if len(current.lines) > 1 and (step := current.lines[-2].middle - last.middle) > 0:
        return 1.35 * step
    return 2.0 * last.size


def _goes_on(last: TextFragment, line: TextFragment) -> bool:
    """Over a column break only an unfinished sentence goes on."""
    end, start = last.text.rstrip()[-1:], line.text.lstrip()[:1]
    return bool(end) and end not in ENDS and (start.islower() or _is_wide(start)) and len(last.text) > 20


def _indented(current: _Open, line: TextFragment) -> bool:
    last = current.lines[-1]
    if not line.text.isascii() and line.rightwards:
        return line.right < last.right - 0.8 * line.size and len(current.lines) > 1
    return line.left > last.left + 0.8 * line.size and not BULLET.match(current.lines[0].text)


def _is_full(last: TextFragment, line: TextFragment, edge: float) -> bool:
    """Whether the next line's first word would not have fitted behind the last line."""
    text = last.text
    if len(text) < 12 or (text.count(" ") < 2 and len(text.split(None, 2)) < 3 and not _is_wide(text[0])):
        return False
    if not text.isascii() and last.rightwards:
        return last.width > 0.75 * line.width
    letter, left_over = (last.right - last.left) / len(text), edge - last.right
    if not letter < left_over < 26.5 * letter:  # no word is shorter, and none counts as longer
        return left_over <= letter
    word = line.text.split(None, 1)[0] if line.text.strip() else ""
    length = 2 if _is_wide(word[:1]) else min(len(word), 25)
    return left_over < (length + 1.5) * letter


def join_lines(lines: Sequence[str], hyphenated: frozenset[str] = frozenset()) -> str:
    """Lines as running text: hyphens resolved, no blanks between characters of scripts that use none."""
    text = ""
    for line in lines:
        line = line.strip()
        if not text:
            text = line
        elif text[-1] == LINE_HYPHEN or (text[-1] in HYPHENS and len(text) > 1 and text[-2].isalnum()):
            text = _unhyphenated(text, line, hyphenated)
        else:
            text += ("" if _is_wide(text[-1]) and _is_wide(line[:1]) else " ") + line
    return text


def _unhyphenated(text: str, line: str, hyphenated: frozenset[str]) -> str:
    """The hyphen goes, except in words that have one of their own."""
    stem, head = text[:-1], re.split(r"\s|$", line, maxsplit=1)[0]
    tail = stem.rsplit(None, 1)[-1] if stem.strip() else ""
    compound = f"{tail}-{head}".strip(".,;:!?()\"'").lower()
    if not line[:1].islower() or "-" in tail or compound in hyphenated or tail[-1:].isdigit():
        return f"{stem}-{line}"
    return stem + line


def hyphenated_words(lines: Iterable[str]) -> frozenset[str]:
    """Words written with a hyphen in the middle of a line, which are therefore spelt with one."""
    words: set[str] = set()
    for line in lines:
        if "-" in line:
            words.update(word.strip(".,;:!?()\"'").lower() for word in line.split() if "-" in word[1:-1])
    return frozenset(words)


def clean_text(text: str) -> str:
    """Ligatures and presentation forms as letters; control and unassigned characters gone."""
    if not text.isprintable():  # nor are any of these
        text = SYMBOL.sub(lambda match: SYMBOLS[match[0]], text).replace(LINE_HYPHEN, "-")
        text = CONTROLS.sub("", text)
    if not text.isascii():
        text = PRESENTATION.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    return " ".join(text.split())


def _is_wide(text: str) -> bool:
    return text[:1] > "\u2e7f" and not "\uac00" <= text[0] <= "\ud7a3"


def _has_letters(text: str) -> bool:
    return any(char.isalpha() for char in text)
