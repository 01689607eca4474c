"""The order in which people read the fragments of a page.

The content stream is usually in reading order already, and rearranging it would do harm. It is rearranged only when
the page itself shows that it is not: two columns of running text whose lines alternate, or lines that keep jumping
upwards. Then the page is cut at its gutter, band by band, and each column read to its end.
"""

from __future__ import annotations

import itertools

from wellsourced.documents.pdf_layout.chars import LINE_HYPHEN
from wellsourced.documents.pdf_layout.words import TextFragment, median

MOST_FRAGMENTS = 5_000
DEEPEST = 4
BIN = 2.0
FEWEST_LINES = 4
# As many pieces of lines may stand beside a picture.
MOST_BESIDE = 150


def in_reading_order(fragments: list[TextFragment], width: float) -> list[TextFragment]:
    """The fragments of a page, rearranged only where the stream's own order cannot be right."""
    fragments = _with_vertical_lines(fragments[::-1] if _climbs(fragments) else fragments)
    return _with_captions_aside(_rearranged(fragments, width))


def _with_captions_aside(fragments: list[TextFragment]) -> list[TextFragment]:
    """What stands left of a column between the two halves of a word, as the caption of a picture does, before it."""
    torn = [n for n, item in enumerate(fragments[:-2]) if item.text.endswith(LINE_HYPHEN) and item.upright]
    for place in torn:
        line, aside, half = fragments[place : place + 3]
        apart = line.size
        is_beside = aside.right < half.left - apart and abs(aside.middle - half.middle) < apart / 2
        if not is_beside or half.middle > line.middle - apart / 2:
            continue
        top = place
        while top > max(0, place - MOST_BESIDE) and fragments[top - 1].left > aside.right + apart:
            top -= 1
        if top > place - MOST_BESIDE and not (top and fragments[top - 1].text.endswith(LINE_HYPHEN)):
            fragments.insert(top, fragments.pop(place + 1))
    return fragments


def _rearranged(fragments: list[TextFragment], width: float) -> list[TextFragment]:
    if not 2 * FEWEST_LINES <= len(fragments) <= MOST_FRAGMENTS or _mostly_turned(fragments):
        return fragments
    gutter = _gutter(fragments, width)
    if gutter is not None and _alternates(fragments, gutter):
        return _by_columns(fragments, width, 0)
    return _by_columns(fragments, width, 0) if _jumps(fragments) else fragments


def _climbs(fragments: list[TextFragment]) -> bool:
    """Whether each line stands above the one before: pdfium gives them so where the sheet is turned to the writing."""
    steps = itertools.pairwise(fragments)
    return len(fragments) > 2 and all(
        after.upright and after.middle > before.middle + 0.5 * before.size for before, after in steps
    )


def _mostly_turned(fragments: list[TextFragment]) -> bool:
    return [item.upright for item in fragments].count(False) * 5 > len(fragments)


def _with_vertical_lines(fragments: list[TextFragment]) -> list[TextFragment]:
    """Vertical writing arrives as stacks of single characters; each stack is one line."""
    if min([len(item.text) for item in fragments], default=3) > 2:
        return fragments
    kept: list[TextFragment] = []
    for item in fragments:
        below = kept[-1] if kept else None
        if below is not None and _is_stacked(below, item):
            below.text += item.text
            below.bottom, below.left = min(below.bottom, item.bottom), min(below.left, item.left)
            below.right, below.middle = max(below.right, item.right), (below.bottom + below.top) / 2
        else:
            kept.append(item)
    return kept


def _is_stacked(above: TextFragment, item: TextFragment) -> bool:
    short = len(item.text) <= 2 and min(item.text) > "\u2e7f"
    tall = len(above.text) <= 2 or above.top - above.bottom > 1.5 * above.width
    near = abs(above.bottom - item.top) < 0.6 * item.size
    return short and tall and near and min(above.text) > "\u2e7f" and abs(above.left - item.left) < 0.4 * item.size


def _jumps(fragments: list[TextFragment]) -> bool:
    """Whether the stream goes back up the page far more often than columns explain."""
    steps = itertools.pairwise(fragments)
    upwards = [
        True
        for before, after in steps
        if after.middle > before.middle and after.middle > before.middle + 2.5 * max(before.size, after.size)
    ]
    return len(upwards) > max(6, len(fragments) // 4)


def _gutter(fragments: list[TextFragment], width: float) -> float | None:
    """The middle of the emptiest upright strip that has running text on both sides."""
    left, right = min([item.left for item in fragments]), max([item.right for item in fragments])
    bins = max(int((right - left) / BIN), 1)
    if bins > 20_000 or right - left < 0.3 * width:
        return None
    inner = left + bins // 5 * BIN
    if len([item for item in fragments if item.left > inner]) < FEWEST_LINES:
        return None
    crossing, ended, begun = _counts(fragments, left, bins)
    best: tuple[float, int, int] | None = None
    for index in range(bins // 5, bins - bins // 5):
        score = min(ended[index], begun[index]) - 2 * crossing[index]
        if best is None or score > best[0]:
            best = (score, index, index)
        elif score == best[0] and index == best[2] + 1:
            best = (score, best[1], index)
    if best is None or best[0] < FEWEST_LINES:
        return None
    place = left + (best[1] + best[2] + 1) / 2 * BIN
    return place if _is_gutter(fragments, place) else None


def _counts(fragments: list[TextFragment], left: float, bins: int) -> tuple[list[int], list[int], list[int]]:
    """For each strip: fragments across it, fragments that end before it, fragments that begin behind it."""
    starts, ends = [0] * (bins + 2), [0] * (bins + 2)
    for item in fragments:
        starts[min(max(int((item.left - left) / BIN), 0), bins)] += 1
        ends[min(max(int((item.right - left) / BIN), 0), bins)] += 1
    crossing, ended, begun = [], [], []
    open_now, done, total = 0, 0, len(fragments)
    for index in range(bins):
        open_now += starts[index]
        crossing.append(open_now)
        ended.append(done)
        begun.append(total - done - open_now)
        open_now -= ends[index]
        done += ends[index]
    return crossing, ended, begun


def _is_gutter(fragments: list[TextFragment], place: float) -> bool:
    """Running text on both sides over the same heights; table cells are too short to pass."""
    left, right = _sides(fragments, place)
    if len(left) < FEWEST_LINES or len(right) < FEWEST_LINES:
        return False
    shared = min(max(i.top for i in left), max(i.top for i in right)) - max(
        min(i.bottom for i in left), min(i.bottom for i in right)
    )
    lower = min(max(i.top for i in side) - min(i.bottom for i in side) for side in (left, right))
    return shared > 0.4 * lower and _is_prose(left) and _is_prose(right)


def _sides(fragments: list[TextFragment], place: float) -> tuple[list[TextFragment], list[TextFragment]]:
    return [item for item in fragments if item.right <= place], [item for item in fragments if item.left >= place]


def _is_prose(side: list[TextFragment]) -> bool:
    return median(len(item.text.split()) + _wide_letters(item.text) / 3 for item in side) >= 3.5


def _wide_letters(text: str) -> int:
    return 0 if text.isascii() else sum("\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" for char in text)


def _alternates(fragments: list[TextFragment], gutter: float) -> bool:
    """Whether the stream keeps hopping over the gutter instead of reading a column to its end."""
    sides = [item.right <= gutter for item in fragments if item.right <= gutter or item.left >= gutter]
    hops = sum(before != after for before, after in itertools.pairwise(sides))
    return hops > max(3, min(sides.count(True), sides.count(False)) // 2)


def _by_columns(fragments: list[TextFragment], width: float, depth: int) -> list[TextFragment]:
    gutter = _gutter(fragments, width) if depth < DEEPEST and len(fragments) >= 2 * FEWEST_LINES else None
    if gutter is None:
        return _by_rows(fragments)
    rightwards = sum(item.rightwards for item in fragments) * 2 > len(fragments)
    ordered: list[TextFragment] = []
    for band in _bands(fragments, gutter):
        left, right = _sides(band, gutter)
        if len(left) + len(right) < len(band):
            ordered += _by_rows(band)
            continue
        for side in (right, left) if rightwards else (left, right):
            ordered += _by_columns(side, width / 2, depth + 1)
    return ordered


def _bands(fragments: list[TextFragment], gutter: float) -> list[list[TextFragment]]:
    """From top to bottom: runs of lines that keep to their column, and runs that span the gutter."""
    bands: list[list[TextFragment]] = []
    spanning = None
    for item in sorted(fragments, key=lambda item: -item.middle):
        spans = item.left < gutter < item.right
        if spans != spanning:
            bands.append([])
        spanning = spans
        bands[-1].append(item)
    return bands


def _by_rows(fragments: list[TextFragment]) -> list[TextFragment]:
    """Top to bottom, and along each line in its direction."""
    rows: list[list[TextFragment]] = []
    for item in sorted(fragments, key=lambda item: -item.middle):
        if rows and abs(rows[-1][0].middle - item.middle) < 0.5 * min(rows[-1][0].size, item.size):
            rows[-1].append(item)
        else:
            rows.append([item])
    ordered: list[TextFragment] = []
    for row in rows:
        rightwards = sum(item.rightwards for item in row) * 2 > len(row)
        ordered += sorted(row, key=lambda item: -item.right if rightwards else item.left)
    return ordered
