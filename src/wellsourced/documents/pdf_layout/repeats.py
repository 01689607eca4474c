"""Running headers, footers and page numbers: lines that stand at the same height of page after page."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

from wellsourced.documents.pdf_layout.words import TextFragment, median
from wellsourced.late_pattern import late_pattern

FEWEST_PAGES = 3
SHARE = 0.4
MARGIN, NUMBER_MARGIN = 0.1, 0.2
SAME_LINE = 2
FEWEST_GAPS = 5
WIDER = 1.25
DIGITS = late_pattern(r"\d+|\b[ivxlc]{1,7}\b")


def without_repeats(pages: list[tuple[float, list[TextFragment]]]) -> list[list[TextFragment]]:
    """Each page's fragments without those that repeat; `pages` holds heights and fragments.

    A line goes only when the same words (numbers aside) stand at the same height, within the outer margin and apart
    from the text, on at least three pages and on two fifths of all: even and odd pages often differ.
    """
    margins = [_in_margin(fragments, height) for height, fragments in pages]
    seen: Counter[tuple[str, int]] = Counter()
    for (_, fragments), margin in zip(pages, margins, strict=True):
        apart = _apart(fragments) if margin else set()
        seen.update({mark for item in margin if round(item.middle) in apart for mark in _marks(item)})
    needed = max(FEWEST_PAGES, SHARE * len(pages))
    repeated = {mark for mark, count in seen.items() if count >= needed}
    outer = [_outermost(*page, margin) for page, margin in zip(pages, margins, strict=True)]
    dropped = _page_numbers(outer, needed)
    if repeated:
        dropped |= {id(item) for margin in margins for item in margin if _marks(item) & repeated and _has_words(item)}
    return [[item for item in fragments if id(item) not in dropped] if dropped else fragments for _, fragments in pages]


def _in_margin(fragments: list[TextFragment], height: float) -> list[TextFragment]:
    low, high = MARGIN * height, (1 - MARGIN) * height
    return [item for item in fragments if not low <= item.middle <= high]


def _outermost(height: float, fragments: list[TextFragment], margin: list[TextFragment]) -> list[TextFragment]:
    """What is in the margin, and the lowest and highest lines: many papers have their numbers further in."""
    low, high = NUMBER_MARGIN * height, (1 - NUMBER_MARGIN) * height
    middles = [item.middle for item in fragments]
    ends = {end for end in (min(middles, default=0.0), max(middles, default=0.0)) if not low < end < high}
    outer = [item for item in fragments if item.middle in ends] if ends else []
    return [*{id(item): item for item in (*margin, *outer)}.values()]


def _marks(item: TextFragment) -> set[tuple[str, int]]:
    """The words at a height rounded twice, so that a line near a rounding edge still meets its like."""
    words = " ".join(DIGITS.sub("#", item.text.lower()).split())
    return {(words, int(item.middle // 6)), (words, int((item.middle + 3) // 6) + 10_000)}


def _apart(fragments: list[TextFragment]) -> set[int]:
    """Heights of lines at the page's ends that are further from the next line than lines of text usually are."""
    heights = sorted({round(item.middle) for item in fragments})
    gaps = [after - before for before, after in pairwise(heights) if after - before > SAME_LINE]
    if len(gaps) < FEWEST_GAPS:
        return set(heights)
    usual = median(gaps)
    return {
        *(height for height in heights if height - heights[0] <= SAME_LINE and gaps[0] > WIDER * usual),
        *(height for height in heights if heights[-1] - height <= SAME_LINE and gaps[-1] > WIDER * usual),
    }


def _has_words(item: TextFragment) -> bool:
    return any(char.isalpha() for char in DIGITS.sub("", item.text))


def _page_numbers(margins: list[list[TextFragment]], needed: float) -> set[int]:
    """Lone numbers in the margin that count along with the pages."""
    offsets: defaultdict[int, list[int]] = defaultdict(list)
    for index, margin in enumerate(margins):
        for item in margin:
            digits = item.text.strip(" -–—.|[]()")
            if digits.isdecimal() and len(digits) < 6:
                offsets[int(digits) - index].append(id(item))
    return {number for numbers in offsets.values() if len(numbers) >= needed for number in numbers}
