"""The feature matrix: one row a block, from its measures, its surroundings and the page as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wellsourced.late_dataclass import dataclass
from wellsourced.pages.html.blocks import BLOCK_TAGS, INLINE_TAGS, Outline
from wellsourced.pages.html.signals import BLOCK_MEASURES, Names, context_masks, measure

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, np.dtype[np.float32]]

ANCESTORS = 5
PAGE_KINDS = 7
NEIGHBOURS = (-3, -2, -1, 1, 2, 3)
WORDS, LINK_WORDS, ENDS, TAG, LIKENESS, TITLE_SHARE = map(
    BLOCK_MEASURES.index, ("words", "link_words", "sentence_ends", "tag", "likeness", "title_share")
)


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of a page before its blocks are judged."""

    url: str = ""
    title: str = ""
    kinds: frozenset[str] = frozenset()


@dataclass(slots=True)
class Frame:
    """Arrays that several groups of features share: of `starts` and `ends`, one row an ancestor, the nearest first."""

    starts: Any
    ends: Any
    alike: Any
    signature: Any
    path_signature: Any


KINDS = (
    "article", "newsarticle", "blogposting", "product", "discussionforumposting", "qapage", "faqpage", "itemlist",
    "collectionpage", "webpage", "techarticle", "og:article", "og:website", "og:product", "service", "localbusiness",
)  # fmt: skip
URL_WORDS = (
    "blog", "news", "article", "product", "products", "forum", "thread", "topic", "docs", "doc", "guide", "category",
    "collections", "collection", "tag", "shop", "services", "service", "questions", "reference", "api", "tutorial",
)  # fmt: skip


def build(outline: Outline, facts: PageFacts, names: Names, frame: Frame) -> Matrix:
    """One row a feature, one column a block. The last rows are for the page's kinds, not known yet."""
    import numpy as np

    measures = measure(outline, facts.title)
    sums = _running_sums(measures)
    return np.concatenate(
        [
            measures,
            bits([block.inline for block in outline.blocks], len(INLINE_TAGS)),
            _shares(measures),
            _around(frame, sums),
            frame.alike,
            _groups(frame, measures),
            _places(measures),
            _neighbours(measures, sums),
            _prose(frame, measures),
            _page(facts, outline, measures),
            bits(context_masks(outline, names), len(names)),
            np.zeros((PAGE_KINDS, measures.shape[1]), np.float32),
        ]
    )


def table_of(rows: Sequence[Any], width: int) -> Matrix:
    """Rows of any type, or single numbers that hold for every block, as one matrix."""
    import numpy as np

    table = np.empty((len(rows), width), np.float32)
    for place, row in enumerate(rows):
        table[place] = row
    return table


def _running_sums(measures: Matrix) -> Matrix:
    """Sums of words, link words, sentence ends and blocks before each place."""
    import numpy as np

    sums = np.zeros((4, measures.shape[1] + 1), np.float64)
    for row, values in enumerate((measures[WORDS], measures[LINK_WORDS], measures[ENDS])):
        values.cumsum(out=sums[row, 1:])
    sums[3] = np.arange(measures.shape[1] + 1)
    return sums


def _shares(measures: Matrix) -> Matrix:
    import numpy as np

    of_words, of_chars = measures[2:7] / (measures[0] + 1e-6), measures[7:9] / (measures[1] + 1e-6)
    shares: Matrix = np.minimum(np.concatenate([of_words, of_chars]), 9)
    return shares


def frame_of(outline: Outline) -> Frame:
    """Block ranges of each block's nearest ancestors, leaving out those that hold nothing more than their child.

    For each range also how many siblings with the same tag and class the ancestor has: cards, comments, results.
    """
    import numpy as np

    size = len(outline.branches)
    starts, ends, wider, alike = ([0] * size for _ in range(4))
    families = [(branch.parent, branch.tag, branch.class_name) for branch in outline.parts]
    members = Counter(families)
    for branch, family in zip(outline.parts, families, strict=True):
        number, parent = branch.index, branch.parent
        starts[number], ends[number] = branch.start, branch.end
        if parent is None:
            continue
        wider[number], alike[number] = parent.index, members[family] if branch.tag in BLOCK_TAGS else 0
        if parent.start == branch.start and parent.end == branch.end:
            wider[number], alike[number] = wider[parent.index], max(alike[number], alike[parent.index])
    first, last, climb, siblings = map(np.array, (starts, ends, wider, alike))
    containers = [np.array([block.container.index for block in outline.blocks])]
    for _ in range(ANCESTORS):
        containers.append(climb[containers[-1]])
    around = np.array(containers)
    return Frame(first[around], last[around], siblings[around].astype(np.float32), *_signatures(outline))


def _around(frame: Frame, sums: Matrix) -> Matrix:
    """For each ancestor: words, blocks, words a block, link share, sentences a word, share of the page, place within.

    At last how much of the words of each ancestor the one before holds.
    """
    import numpy as np

    here, total = sums[0, :-1], sums[0, -1] + 1e-6
    words, links, ends, blocks = sums.take(frame.ends, axis=1) - sums.take(frame.starts, axis=1)
    full = words + 1e-6
    inside = (here - sums[0, frame.starts]) / full
    measures = words, blocks, words / np.maximum(blocks, 1), links / full, ends / full, words / total, inside
    rows = np.stack(measures, axis=1).reshape(-1, len(here))
    return np.concatenate([rows, words[:-1] / full[1:]]).astype(np.float32)


def _signatures(outline: Outline) -> tuple[Any, Any]:
    """Numbers for blocks alike in (tag, class, parent's class), and alike in the tags of four ancestors."""
    import numpy as np

    near: dict[object, int] = {}
    far: dict[object, int] = {}
    rows = []
    for block in outline.blocks:
        container = block.container
        parent = container.parent or container
        grand = parent.parent or parent
        key = (container.tag, container.class_name, parent.class_name)
        path = (container.tag, parent.tag, grand.tag, grand.class_name)
        rows.append((near.setdefault(key, len(near)), far.setdefault(path, len(far))))
    pairs = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _groups(frame: Frame, measures: Matrix) -> Matrix:
    """How many blocks are alike, and how many words and links those carry."""
    import numpy as np

    total = measures[WORDS].sum() + 1e-6
    columns = []
    for group in (frame.signature, frame.path_signature):
        count = np.bincount(group)
        words = np.bincount(group, measures[WORDS])
        links = np.bincount(group, measures[LINK_WORDS])
        columns += [count[group], words[group] / count[group], words[group] / total, (links / (words + 1e-6))[group]]
    return table_of(columns, measures.shape[1])


def _places(measures: Matrix) -> Matrix:
    """Where the block stands: in the page, after the first h1, after the last heading, from the likest to the title."""
    import numpy as np

    n = measures.shape[1]
    order = np.arange(n)
    words = measures[WORDS]
    before = words.cumsum() - words
    tags = measures[TAG]
    h1 = np.flatnonzero(tags == 2)
    first_h1 = h1[0] if len(h1) else -1
    likest = int((measures[LIKENESS] * measures[TITLE_SHARE]).argmax())
    last_heading = np.maximum.accumulate(np.where((tags >= 2) & (tags <= 5), order, -1))
    level = np.where(last_heading >= 0, tags[last_heading], 99)
    longest = int(words.argmax())
    columns = [
        order, order / n, n - order, before, before / (words.sum() + 1e-6), words.sum() - before,
        order - first_h1 if len(h1) else 9999, before - before[first_h1] if len(h1) else 99999,
        order - likest, before - before[likest], order - last_heading, level, order - longest,
    ]  # fmt: skip
    return table_of(columns, n)


def _neighbours(measures: Matrix, sums: Matrix) -> Matrix:
    """Words, link share, sentences and tag of three blocks each side, and windows around the block."""
    import numpy as np

    n = measures.shape[1]
    words = measures[WORDS]
    share = measures[LINK_WORDS] / (words + 1e-6)
    padded = np.full((4, n + 6), -1, np.float32)
    padded[:, 3:-3] = words, share, measures[ENDS], measures[TAG]
    rows = [padded[:, 3 + shift : 3 + shift + n] for shift in NEIGHBOURS]
    return np.concatenate([*rows, *(windows(sums[:3], reach) for reach in (4, 16))])


def windows(sums: Matrix, reach: int) -> Matrix:
    """Mean over the blocks up to `reach` away, before and after, from running sums."""
    import numpy as np

    n = sums.shape[1] - 1
    widened = np.empty((len(sums), n + 1 + 2 * reach))
    widened[:, :reach], widened[:, reach : reach + n + 1], widened[:, reach + n + 1 :] = 0, sums, sums[:, -1:]
    sizes = np.minimum(np.arange(1, n + 1), reach + 1)
    before = (sums[:, 1:] - widened[:, :n]) / sizes
    after = (widened[:, 2 * reach + 1 :] - sums[:, :-1]) / sizes[::-1]
    return np.concatenate([before, after]).astype(np.float32)


def _page(facts: PageFacts, outline: Outline, measures: Matrix) -> Matrix:
    """Totals of the page, the kinds it declares, words in its address; the same for every block."""
    import numpy as np

    words = measures[WORDS]
    tags = measures[TAG]
    ordered = np.sort(words)
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    total = words.sum() + 1e-6
    prose = words[(tags == 0) & (words > 10)].sum()
    path = [part for part in urlsplit(facts.url).path.lower().split("/") if part]
    parts = set("-".join(path).replace("_", "-").replace(".", "-").split("-"))
    row = [
        len(words), total, measures[LINK_WORDS].sum() / total, prose / total, prose,
        *(np.count_nonzero(some) / len(words) for some in (tags == 1, tags == 6, (tags >= 2) & (tags <= 5))),
        words.max(), middle,
        len(outline.branches), outline.images, len(path), len(path[-1]) if path else 0,
        *(kind in facts.kinds for kind in KINDS),
        *(word in parts for word in URL_WORDS),
    ]  # fmt: skip
    table: Matrix = np.repeat(np.array(row, np.float32)[:, None], len(words), axis=1)
    return table


def bits(masks: Sequence[int], size: int) -> Matrix:
    import numpy as np

    width = (size + 7) // 8
    raw = b"".join([mask.to_bytes(width, "little") for mask in masks])
    table = np.frombuffer(raw, dtype=np.uint8).reshape(len(masks), width)
    return np.unpackbits(table.T, axis=0, count=size, bitorder="little").astype(np.float32)


def _prose(frame: Frame, measures: Matrix) -> Matrix:
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
    columns = [
        order - last, following - order, sums[:-1], sums[-1] - sums[1:], outside, outside == 0,
        held[top] / (sums[-1] + 1e-6), sums[:-1] - sums[low], long.sum(),
    ]  # fmt: skip
    return table_of(columns, n)


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
    rows = [columns[first + names.places[word]] for word in words if word in names.places]
    mask: np.ndarray[Any, np.dtype[np.bool_]] = np.any(rows, axis=0) if rows else np.zeros(columns.shape[1], np.bool_)
    return mask
