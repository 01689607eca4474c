"""The feature matrix: one row a block, from its measures, its surroundings and the page as a whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, count, pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wellsourced.late_dataclass import dataclass
from wellsourced.pages.html.blocks import BLOCK_TAGS, INLINE_TAGS, Outline
from wellsourced.pages.html.signals import BLOCK_MEASURES, TAG_CODES, Names, context_masks, measure, number_rows

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, np.dtype[np.float32]]

ANCESTORS = 5
PAGE_KINDS = 7
H1, LAST_HEADING = TAG_CODES["h1"], TAG_CODES["h6"]
NEIGHBOURS = (-3, -2, -1, 1, 2, 3)
WORDS, LINK_WORDS, ENDS, TAG, LIKENESS, TITLE_SHARE, WORDING = map(
    BLOCK_MEASURES.index, ("words", "link_words", "sentence_ends", "tag", "likeness", "title_share", "wording")
)
SUMMED = (WORDS, LINK_WORDS, ENDS, WORDING)


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of a page before its blocks are judged."""

    url: str = ""
    title: str = ""
    kinds: frozenset[str] = frozenset()


@dataclass(slots=True)
class Frame:
    """Arrays that several groups of features share: of `starts` and `ends`, one row an ancestor, the nearest first.

    Of `groups` the first row numbers blocks alike in (tag, class, parent's class), the second those alike in the tags
    of their ancestors. `spans` has the first block of each part, and the one after its last.
    """

    starts: Any
    ends: Any
    alike: Any
    groups: Any
    spans: Any


KINDS = (
    "article", "newsarticle", "blogposting", "product", "discussionforumposting", "qapage", "faqpage", "itemlist",
    "collectionpage", "webpage", "techarticle", "og:article", "og:website", "og:product", "service", "localbusiness",
)  # fmt: skip
URL_WORDS = (
    "blog", "news", "article", "product", "products", "forum", "thread", "topic", "docs", "doc", "guide", "category",
    "collections", "collection", "tag", "shop", "services", "service", "questions", "reference", "api", "tutorial",
)  # fmt: skip

# How many features each group has that `build` takes together.
SIZES = (
    len(BLOCK_MEASURES), len(INLINE_TAGS), 7, 8 * (ANCESTORS + 1) + ANCESTORS, ANCESTORS + 1, 10, 14,
    5 * len(NEIGHBOURS) + 16, 9, 14 + len(KINDS) + len(URL_WORDS),
)  # fmt: skip
MEASURED = sum(SIZES)


def build(outline: Outline, facts: PageFacts, names: Names, weights: Mapping[str, float], frame: Frame) -> Matrix:
    """One row a feature, one column a block. The last rows are for the page's kinds, not known yet.

    The words that elements are named by are looked up in `names`, those of the texts in `weights`."""
    import numpy as np

    columns = np.empty((MEASURED + len(names) + PAGE_KINDS, len(outline.blocks)), np.float32)
    columns[-PAGE_KINDS:] = 0
    ends = list(accumulate((*SIZES, len(names))))
    rows = [columns[first:end] for first, end in pairwise((0, *ends))]
    measures, inline, shares, around, alike, groups, places, neighbours, prose, page, named = rows
    measure(outline, facts.title, weights, measures)
    sums = _running_sums(measures)
    inline[:] = bits(bytes([block.inline for block in outline.blocks]), len(inline))
    _shares(measures, shares)
    _around(frame, sums, around)
    alike[:] = frame.alike
    _groups(frame, measures, groups)
    _places(measures, places)
    _neighbours(measures, sums, neighbours)
    _prose(frame, measures, prose)
    page[:] = _page(facts, outline, measures)
    width = (len(names) + 7) // 8
    named[:] = bits(b"".join([mask.to_bytes(width, "little") for mask in context_masks(outline, names)]), len(names))
    return columns


def _write(rows: Matrix, values: Iterable[Any]) -> None:
    """Rows of any type, or single numbers that hold for every block."""
    for row, value in zip(rows, values, strict=True):
        row[:] = value


def _running_sums(measures: Matrix) -> Matrix:
    """Sums of words, link words, sentence ends, what the words say, and blocks before each place."""
    import numpy as np

    sums = np.zeros((len(SUMMED) + 1, measures.shape[1] + 1), np.float64)
    measures.take(SUMMED, axis=0).cumsum(axis=1, out=sums[:-1, 1:])
    sums[-1] = np.arange(measures.shape[1] + 1)
    return sums


def _shares(measures: Matrix, rows: Matrix) -> None:
    import numpy as np

    np.divide(measures[2:7], measures[0] + 1e-6, out=rows[:5])
    np.divide(measures[7:9], measures[1] + 1e-6, out=rows[5:])
    np.minimum(rows, 9, out=rows)


def frame_of(outline: Outline) -> Frame:
    """Block ranges of each block's nearest ancestors, leaving out those that hold nothing more than their child.

    For each range also how many siblings with the same tag and class the ancestor has: cards, comments, results.
    """

    size = len(outline.parts)
    wider, alike = [0] * size, [0] * size
    families = [(branch.parent, branch.tag, branch.class_name) for branch in outline.parts]
    members = Counter(families)
    for number, (branch, family) in enumerate(zip(outline.parts, families, strict=True)):
        parent, tag, _ = family
        if parent is None:
            continue
        outer, same = parent.part, members[family] if tag in BLOCK_TAGS else 0
        if parent.start == branch.start and parent.end == branch.end:
            outer, same = wider[outer], max(same, alike[outer])
        wider[number], alike[number] = outer, same
    starts, ends = [branch.start for branch in outline.parts], [branch.end for branch in outline.parts]
    return _frame(outline, number_rows(wider, alike, starts, ends, kind=int))


def _frame(outline: Outline, parts: Any) -> Frame:
    """Of each part its next wider one, those alike, its first block and the one after its last."""
    import numpy as np

    around = np.empty((ANCESTORS + 1, len(outline.blocks)), np.intp)
    around[0] = [block.container.part for block in outline.blocks]
    for place in range(ANCESTORS):
        around[place + 1] = parts[0].take(around[place])
    alike, starts, ends = parts[1:].take(around, axis=1)
    return Frame(starts, ends, alike, _alike_blocks(outline), parts[2:])


def _around(frame: Frame, sums: Matrix, rows: Matrix) -> None:
    """For each ancestor: words, blocks, words a block, link share, sentences a word, share of the page, place within,
    what the words of a block say.

    At last how much of the words of each ancestor the one before holds.
    """
    import numpy as np

    before = sums.take(frame.starts, axis=1)
    words, links, ends, said, blocks = sums.take(frame.ends, axis=1) - before
    full, blocks_held = words + 1e-6, np.maximum(blocks, 1)
    of_each = rows[: -len(words) + 1].reshape(len(words), -1, rows.shape[1])
    of_each[:, 0], of_each[:, 1] = words, blocks
    np.divide(words, blocks_held, out=of_each[:, 2])
    np.divide(links, full, out=of_each[:, 3])
    np.divide(ends, full, out=of_each[:, 4])
    np.divide(words, sums[0, -1] + 1e-6, out=of_each[:, 5])
    np.divide(sums[0, :-1] - before[0], full, out=of_each[:, 6])
    np.divide(said, blocks_held, out=of_each[:, 7])
    np.divide(words[:-1], full[1:], out=rows[-len(words) + 1 :])


def _alike_blocks(outline: Outline) -> Any:
    """Numbers for blocks alike in (tag, class, parent's class), and alike in the tags of four ancestors."""

    numbers: defaultdict[object, int] = defaultdict(count().__next__)
    containers = [block.container for block in outline.blocks]
    parents = [branch.parent or branch for branch in containers]
    grands = [branch.parent or branch for branch in parents]
    near = [(c.tag, c.class_name, p.class_name) for c, p in zip(containers, parents, strict=True)]
    far = [(c.tag, p.tag, g.tag, g.class_name) for c, p, g in zip(containers, parents, grands, strict=True)]
    return number_rows(list(map(numbers.__getitem__, near)), list(map(numbers.__getitem__, far)), kind=int)


def _groups(frame: Frame, measures: Matrix, rows: Matrix) -> None:
    """How many blocks are alike, how many words and links those carry, and what their words say."""
    import numpy as np

    groups = frame.groups.ravel()
    words, links = measures[WORDS], measures[LINK_WORDS]
    held = np.bincount(groups)
    held_words = np.bincount(groups, np.concatenate((words, words)))
    held_links = np.bincount(groups, np.concatenate((links, links)))
    said = np.bincount(groups, np.concatenate((measures[WORDING], measures[WORDING]))) / held
    total = words.sum() + 1e-6
    links_share = held_links / (held_words + 1e-6)
    of_groups = np.array((held, held_words / held, held_words / total, links_share, said), np.float32)
    rows.reshape(2, len(of_groups), -1)[:] = of_groups.take(frame.groups, axis=1).swapaxes(0, 1)


def _places(measures: Matrix, rows: Matrix) -> None:
    """Where the block stands: in the page, after the first h1, after the last heading, from the likest to the title.

    Of the last heading also its level and what its words say."""
    import numpy as np

    n = measures.shape[1]
    order = np.arange(n)
    words, tags = measures[WORDS], measures[TAG]
    before, total = words.cumsum() - words, words.sum()
    h1 = int((tags == H1).argmax())
    has_h1 = tags[h1] == H1
    likest = int((measures[LIKENESS] * measures[TITLE_SHARE]).argmax())
    last_heading = np.maximum.accumulate(np.where((tags >= H1) & (tags <= LAST_HEADING), order, -1))
    level = np.where(last_heading >= 0, tags.take(last_heading, mode="wrap"), 99)
    said = np.where(last_heading >= 0, measures[WORDING].take(last_heading, mode="wrap"), 0)
    columns = (
        order, order / n, n - order, before, before / (total + 1e-6), total - before,
        order - h1 if has_h1 else 9999, before - before[h1] if has_h1 else 99999,
        order - likest, before - before[likest], order - last_heading, level, order - int(words.argmax()),
        said,
    )  # fmt: skip
    _write(rows, columns)


def _neighbours(measures: Matrix, sums: Matrix, rows: Matrix) -> None:
    """Words, link share, sentences, tag and wording of three blocks each side, and windows around the block."""
    import numpy as np

    n = measures.shape[1]
    words = measures[WORDS]
    padded = np.full((5, n + 6), -1, np.float32)
    padded[:, 3:-3] = words, measures[LINK_WORDS] / (words + 1e-6), measures[ENDS], measures[TAG], measures[WORDING]
    for place, shift in enumerate(NEIGHBOURS):
        rows[5 * place : 5 * place + 5] = padded[:, 3 + shift : 3 + shift + n]
    rows[-16:-8], rows[-8:] = windows(sums[:-1], 4), windows(sums[:-1], 16)


def windows(sums: Matrix, reach: int) -> Matrix:
    """Mean over the blocks up to `reach` away, before and after, from running sums."""
    import numpy as np

    n = sums.shape[1] - 1
    widened = np.empty((len(sums), n + 1 + 2 * reach))
    widened[:, :reach], widened[:, reach : reach + n + 1], widened[:, reach + n + 1 :] = 0, sums, sums[:, -1:]
    sizes = np.minimum(np.arange(1, n + 1), reach + 1)
    before = (sums[:, 1:] - widened[:, :n]) / sizes
    after = (widened[:, 2 * reach + 1 :] - sums[:, :-1]) / sizes[::-1]
    return np.concatenate([before, after])


def _page(facts: PageFacts, outline: Outline, measures: Matrix) -> Matrix:
    """Totals of the page, the kinds it declares, words in its address; the same for every block."""
    import numpy as np

    words, tags = measures[WORDS], measures[TAG].astype(np.intp)
    size, held = len(words), np.bincount(tags, minlength=LAST_HEADING + 2).tolist()
    ordered = words.copy()
    ordered.sort()
    middle = (ordered[(size - 1) // 2] + ordered[size // 2]) / 2
    total = words.sum() + 1e-6
    prose = words[(tags == 0) & (words > 10)].sum()
    path = [part for part in urlsplit(facts.url).path.lower().split("/") if part]
    parts = set("-".join(path).replace("_", "-").replace(".", "-").split("-"))
    row = [
        size, total, measures[LINK_WORDS].sum() / total, prose / total, prose,
        held[1] / size, held[LAST_HEADING + 1] / size, sum(held[H1 : LAST_HEADING + 1]) / size,
        ordered[-1], middle,
        len(outline.branches), outline.images, len(path), len(path[-1]) if path else 0,
        *(kind in facts.kinds for kind in KINDS),
        *(word in parts for word in URL_WORDS),
    ]  # fmt: skip
    return np.array(row, np.float32)[:, None]


def bits(masks: bytes, size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The bits of masks of that many each, one row a bit, one column a mask."""
    import numpy as np

    table = np.frombuffer(masks, dtype=np.uint8).reshape(-1, (size + 7) // 8)
    return np.unpackbits(table.T, axis=0, count=size, bitorder="little")


def _prose(frame: Frame, measures: Matrix, rows: Matrix) -> None:
    """Against the page's prose: distance to the nearest long texts, and to the part that holds most of them."""
    import numpy as np

    n = measures.shape[1]
    order = np.arange(n)
    words, links = measures[WORDS], measures[LINK_WORDS]
    long = (words >= 20) & (links < 0.4 * words)
    last = np.maximum.accumulate(np.where(long, order, -500))
    following = np.minimum.accumulate(np.where(long, order, n + 500)[::-1])[::-1]
    sums = np.concatenate([[0.0], (words * long).cumsum()])
    start, end = frame.starts[1], frame.ends[1]
    held = (sums[end] - sums[start]) * long
    top = int(held.argmax())
    low, high = start[top], end[top]
    outside = np.where(order < low, order - low, np.where(order >= high, order - high + 1, 0))
    columns = (
        order - last, following - order, sums[:-1], sums[-1] - sums[1:], outside, outside == 0,
        held[top] / (sums[-1] + 1e-6), sums[:-1] - sums[low], long.sum(),
    )  # fmt: skip
    _write(rows, columns)


def page_row(columns: Matrix) -> Matrix:
    """The page as a single column: the mean of its blocks, weighted by their words."""
    import numpy as np

    weights = columns[WORDS] + 1
    # Not `@`: the library behind it starts threads, which cost more than they save on a page.
    mean: Matrix = np.einsum("fb,b->f", columns, weights / weights.sum())[:, None]
    return mean


def set_kinds(columns: Matrix, kinds: Sequence[float]) -> None:
    """Tell every block how likely its page is of which kind."""
    import numpy as np

    columns[-PAGE_KINDS:] = np.array(kinds, np.float32)[:, None]


def named(columns: Matrix, names: Names, words: Sequence[str]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """For each block whether an element around it carries one of the words in its name."""
    import numpy as np

    first = len(columns) - PAGE_KINDS - len(names)
    mask = np.zeros(columns.shape[1], np.bool_)
    for word in words:
        if word in names.places:
            mask |= columns[first + names.places[word]] > 0
    return mask
