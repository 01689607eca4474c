"""Running headers, footers and page numbers: lines that stand at the same height of page after page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from statistics import median

from wellsourced.documents.pdf_layout.words import TextFragment

FEWEST_PAGES = 3
SHARE = 0.4
MARGIN = 0.1
SAME_LINE = 2
FEWEST_GAPS = 5
WIDER = 1.25
DIGITS = re.compile(r"\d+|\b[ivxlc]{1,7}\b")


def without_repeats(pages: list[tuple[float, list[TextFragment]]]) -> list[list[TextFragment]]:
    """Each page's fragments without those that repeat; `pages` holds heights and fragments.

    A line goes only when the same words (numbers aside) stand at the same height, within the outer margin and apart
    from the text, on at least three pages and on two fifths of all: even and odd pages often differ.
    """
    seen: Counter[tuple[str, int]] = Counter()
    for height, fragments in pages:
        apart = _apart(fragments)
        seen.update({mark for item in fragments if round(item.middle) in apart for mark in _marks(item, height)})
    needed = max(FEWEST_PAGES, SHARE * len(pages))
    repeated = {mark for mark, count in seen.items() if count >= needed}
    numbers = _page_numbers(pages, needed)
    kept = []
    for index, (height, fragments) in enumerate(pages):
        kept.append(
            [
                item
                for item in fragments
                if (index, id(item)) not in numbers and not (_marks(item, height) & repeated and _has_words(item))
            ]
        )
    return kept


def _marks(item: TextFragment, height: float) -> set[tuple[str, int]]:
    """The words at a height rounded twice, so that a line near a rounding edge still meets its like."""
    if not _in_margin(item, height):
        return set()
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


def _in_margin(item: TextFragment, height: float) -> bool:
    return item.middle < MARGIN * height or item.middle > (1 - MARGIN) * height


def _has_words(item: TextFragment) -> bool:
    return any(char.isalpha() for char in DIGITS.sub("", item.text))


def _page_numbers(pages: list[tuple[float, list[TextFragment]]], needed: float) -> set[tuple[int, int]]:
    """Lone numbers in the margin that count along with the pages."""
    offsets: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for index, (height, fragments) in enumerate(pages):
        for item in fragments:
            digits = item.text.strip(" -–—.|[]()")
            if _in_margin(item, height) and digits.isdecimal() and len(digits) < 6:
                offsets[int(digits) - index].append((index, id(item)))
    return {place for places in offsets.values() if len(places) >= needed for place in places}
