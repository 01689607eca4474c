"""Fragments: pieces of line that belong together, in the order of the content stream."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from itertools import accumulate, islice, pairwise
from operator import add, le, sub
from typing import NamedTuple

from wellsourced.documents.pdf_layout.chars import (
    LINE_HYPHEN,
    Box,
    PageChars,
    as_boxes,
    is_right_to_left,
    joined,
    logical,
)
from wellsourced.documents.pdf_layout.runs import GAP, DrawnLine, find_whole_lines
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

WORD = late_pattern(r"([\x21-\x7e]++(?:\x02|(?=[\s\x00]|\Z)))|[^\s\x00\x02]+\x02?|\x02")
# Letters before Hebrew, common signs, ligatures: what most lines of languages written from the left consist of.
FROM_THE_LEFT = late_pattern(r"[\x20-\u058f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u214f\ufb00-\ufb06]+")
BEYOND_ASCII = late_pattern("[^\x00-~]")
# The end of a number, and what may stand before it: a power, an index or the mark of a footnote if it is smaller.
NUMBER = late_pattern(r"(?<=\S)( ?)[-+−]?(\d{1,4})(?!\d)")
DIGIT = late_pattern(r"\d")
SMALLER = 0.85
RAISED = 0.12
SHIFT = 0.7
SHORT_MARK = 4
"""Numbers of lists and initials, with the blank behind them, may be larger than the line that they begin."""


@dataclass(slots=True)
class TextFragment:
    """Words on one line without a wide gap between them. Heights grow upwards, as in PDF.

    While words are added, `parts` are its text, `length` is how long that is, and `last` where the last one ends; its
    `text` and its `middle` are known afterwards.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    upright: bool = True
    middle: float = 0.0
    last: Box | None = None
    parts: list[str] = field(default_factory=list)
    length: int = 0

    @property
    def box(self) -> Box:
        return self.left, self.top, self.right, self.bottom

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def rightwards(self) -> bool:
        """Whether it is read from the right to the left."""
        if self.text.isascii() or FROM_THE_LEFT.fullmatch(self.text):
            return False
        letters = [is_right_to_left(char) for char in self.text if char.isalpha()]
        return sum(letters) * 2 > len(letters)


def median(values: Iterable[float]) -> float:
    """The standard module would take 10 ms to load."""
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def group_words(chars: PageChars) -> tuple[list[TextFragment], int]:
    """All fragments of a page, and how many characters its fonts do not explain.

    pdfium ends lines itself. One of plain words at one height without wide gaps is a fragment as it stands; of all
    others the words are put together one by one.
    """
    fragments: list[TextFragment] = []
    lines = chars.lines
    whole = _drawn_whole(lines, chars)
    if len(whole) == len(lines):
        return list(whole.values()), 0
    others = [_words_of(text, start, chars) for text, start in lines if start not in whole]
    edges = iter(chars.edges([place for line in others for place in line.places]))
    words = iter(others)
    unmapped = 0
    for _, start in lines:
        if fragment := whole.get(start):
            fragments.append(fragment)
        else:
            line = next(words)
            unmapped += _add_line(line, list(islice(edges, 4 * len(line.places))), chars, fragments)
    for fragment in [each for each in fragments if each.parts]:
        fragment.text, fragment.middle = "".join(fragment.parts), (fragment.bottom + fragment.top) / 2
    return fragments, unmapped


def _drawn_whole(lines: list[tuple[str, int]], chars: PageChars) -> dict[int, TextFragment]:
    """By their places, the lines of which few questions need to be asked."""
    plain = [(text.rstrip(), start) for text, start in lines if _is_plain(text, start, chars)]
    return {
        line.start: _as_fragment(line)
        for line in find_whole_lines(chars, plain)
        if line.is_one or not raised_numbers(line.text, line.start, chars)
    }


def _as_fragment(line: DrawnLine) -> TextFragment:
    text, _, _, _, _, _, size, left, top, right, bottom = line
    return TextFragment(text, left, right, bottom, top, size, middle=(bottom + top) / 2)


def _add_line(line: _LineWords, edges: list[float], chars: PageChars, fragments: list[TextFragment]) -> int:
    raised = raised_numbers(line.text, line.start, chars)
    whole = _whole_line(line, edges, chars) if line.is_plain and not raised else None
    if not whole:
        return _add_words(line, as_boxes(edges), chars, fragments, raised)
    fragments.append(whole)
    return 0


class _LineWords(NamedTuple):
    """`places` are those of each word's first and last character; `is_plain`: known letters written
    from the left, with single blanks."""

    text: str
    start: int
    places: list[int]
    is_plain: bool


def _is_plain(text: str, start: int, chars: PageChars) -> bool:
    if text[0] == " " or "  " in text or not (chars.is_printed or text.isprintable()):
        return False
    return text.isascii() or (bool(FROM_THE_LEFT.fullmatch(text)) and not _holds_unmapped(text, start, chars))


def _words_of(text: str, start: int, chars: PageChars) -> _LineWords:
    places: list[int] = []
    if _is_plain(text, start, chars):
        begins = list(accumulate([len(word) + 1 for word in text.split()], initial=start))
        for begin, end in pairwise(begins):
            places += (begin, end - 2)
        return _LineWords(text, start, places, is_plain=True)
    for match in WORD.finditer(text):
        places += _ends(match.group(), start + match.start())
    return _LineWords(text, start, places, is_plain=False)


def _holds_unmapped(text: str, start: int, chars: PageChars) -> bool:
    return any(chars.unmapped(start + letter.start()) for letter in BEYOND_ASCII.finditer(text))


def _whole_line(line: _LineWords, edges: list[float], chars: PageChars) -> TextFragment | None:
    """The line as one fragment, where its words stand beside each other as words do."""
    tops, bottoms, lefts, rights = edges[1::4], edges[3::4], edges[0::8], edges[6::8]
    size = chars.size(line.start) or max(tops[0] - bottoms[0], 0.1)
    reach = max(size, 1.0)
    if len(lefts) > 1:
        if line.places[1] - line.start < SHORT_MARK - 2 and chars.size(line.places[2]) != size:
            return None
        gaps, heights = list(map(sub, lefts[1:], rights)), list(map(add, tops, bottoms))
        shifts = map(abs, map(sub, heights[2::2], heights[1::2]))
        if not 0 <= min(gaps) <= max(gaps) < GAP * reach:
            return None
        if max(shifts) > 2 * SHIFT * reach:
            return None
    if not (all(map(le, lefts, edges[4::8])) and all(map(le, edges[2::8], rights))):
        return None
    text, upright, bottom, top = line.text.rstrip(), chars.upright(line.start), min(bottoms), max(tops)
    return TextFragment(
        text, lefts[0], rights[-1], bottom, top, size, upright, (bottom + top) / 2, as_boxes(edges[-4:])[0]
    )  # fmt: skip


def raised_numbers(text: str, start: int, chars: PageChars) -> list[int]:
    """Where in the line a number begins that stands higher and is smaller than what it follows: `10` and `23`."""
    found = list(NUMBER.finditer(text)) if DIGIT.search(text) else []
    if not found:
        return []
    places = [start + place for match in found for place in (match.start(1) - 1, match.start(2), match.end() - 1)]
    if not chars.differ(places):
        return []
    boxes = iter(as_boxes(chars.edges(places)))
    results: list[int] = []
    for match, before, first, last in zip(found, boxes, boxes, boxes, strict=False):
        if is_raised(first, before):
            results.append(match.end(1))
        elif is_raised(last, first):
            inner = as_boxes(chars.edges(range(start + match.start(2), start + match.end())))
            results.append(match.start(2) + next(n for n, box in enumerate(inner) if is_raised(box, first)))
    return results


def is_raised(box: Box, base: Box) -> bool:
    """Whether one is smaller than the other beside it and stands higher."""
    height = base[1] - base[3]
    return box[1] - box[3] < SMALLER * height and box[3] - base[3] > RAISED * height


def _with_marks(word: str, place: int, raised: list[int]) -> str:
    """The word with a mark before each number in it that is raised."""
    for number in reversed(raised):
        if place <= number < place + len(word):
            word = f"{word[: number - place]}^{word[number - place :]}"
    return word


def _add_words(
    line: _LineWords, boxes: list[Box], chars: PageChars, fragments: list[TextFragment], raised: list[int]
) -> int:
    """Add the words to the last fragment or begin new ones; how many characters were left out as not explained."""
    previous, unmapped = _reopened(fragments[-1]) if fragments else None, 0
    pairs = iter(boxes)
    for match, first, last in zip(WORD.finditer(line.text), pairs, pairs, strict=True):
        word, start = match.group(), line.start + match.start()
        if match.lastindex is None:
            word, strange = _readable(chars, word, start)
            unmapped += strange
            if not word:
                continue
        elif raised:
            word = _with_marks(word, match.start(), raised)
        if previous is None or start == line.start or not _took_up(previous, word, first, last):
            previous = _begin(word, first, last, chars, start)
            fragments.append(previous)
        elif previous.length - len(word) < SHORT_MARK:
            previous.size = chars.size(start) or previous.size
    return unmapped


def _reopened(fragment: TextFragment) -> TextFragment:
    """The fragment, to which words can be added again."""
    if not fragment.parts:
        fragment.parts.append(fragment.text)
        fragment.length, fragment.last = len(fragment.text), fragment.last or fragment.box
    return fragment


def _ends(word: str, start: int) -> tuple[int, int]:
    """The places of its first and its last character, a hyphen at the end of a line left aside."""
    length = len(word)
    return start, start + length - (2 if length > 1 and word[-1] == LINE_HYPHEN else 1)


def _readable(chars: PageChars, word: str, start: int) -> tuple[str, int]:
    """The word in logical order without glyphs that no font table explains."""
    known = [word[index] == LINE_HYPHEN or not chars.unmapped(start + index) for index in range(len(word))]
    strange = known.count(False)
    if strange and any(known):
        return joined("".join(char for char, is_known in zip(word, known, strict=True) if is_known)), strange
    if any(is_right_to_left(char) for char in word):
        return joined(logical(chars, word, start)), strange
    return joined(word), strange


def _begin(word: str, first: Box, last: Box, chars: PageChars, start: int) -> TextFragment:
    left, right = min(first[0], last[0]), max(first[2], last[2])
    bottom, top = min(first[3], last[3]), max(first[1], last[1])
    size = chars.size(start) or max(first[1] - first[3], 0.1)
    upright = chars.upright(start)
    return TextFragment("", left, right, bottom, top, size, upright, last=last, parts=[word], length=len(word))


def _took_up(line: TextFragment, word: str, first: Box, last: Box) -> bool:
    """Add the word to the line if it belongs there, and say so.

    About the same height as the word before, and no further away than a wide blank. Plain comparisons, as this
    happens for every word.
    """
    left, top, right, bottom = first
    _, high, _, low = line.last or line.box
    size = line.size if line.size > 1.0 else 1.0
    reach = GAP * size
    near = abs((bottom + top) - (low + high)) / 2 <= SHIFT * size
    left, right = left if left < last[0] else last[0], right if right > last[2] else last[2]
    if not (left - line.right < reach and line.left - right < reach if near else not line.upright):
        return False
    if line.parts[-1][-1] != LINE_HYPHEN and word[0] != "^":
        word = " " + word
    line.parts.append(word)
    line.length += len(word)
    if left < line.left:
        line.left = left
    if right > line.right:
        line.right = right
    _, last_top, _, last_bottom = last
    bottom, top = bottom if bottom < last_bottom else last_bottom, top if top > last_top else last_top
    if bottom < line.bottom:
        line.bottom = bottom
    if top > line.top:
        line.top = top
    line.last = last
    return True
