"""The library's index: for each word the texts that hold it, and how often each does.

Texts are numbered, and 65,536 of them in a row make a range, in which two bytes name a text. What is kept together is
a block: some words in alphabetical order, and behind each other the numbers of their texts, two bytes each, and the
counts, one byte each. A word of many texts has a block of its own, in which a bit stands for every text of the range.
Every text holds the word `EVERY_TEXT`, its count being its length. Where words follow each other is not kept: of a
phrase, the texts that hold all its words are found, and looked at.

SQLite's FTS5 was used before. It counts every text of every word before it ranks the first one, so that questions of
common words took longer with each text: 130 ms at worst over 80,000 texts.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from wellsourced.storage.library.query import LONGEST_WORD
from wellsourced.text.index_words import number_words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers: TypeAlias = npt.NDArray[np.uint16]
    Counts: TypeAlias = npt.NDArray[np.uint8]
    Integers: TypeAlias = npt.NDArray[np.int64]
    Flags: TypeAlias = npt.NDArray[np.bool_]

RANGE = 65_536
NUMBER_BITS = 16
MOST_COUNTED = 255
COUNT_BITS = 8
TITLE_WEIGHT = 4
EVERY_TEXT = " "  # before all words, none of which holds a blank
LENGTH_STEPS = 16  # a length is kept as its logarithm to base 2 in sixteenths, which is four per cent
BLOCK_BYTES = 6000
POSTING_BYTES = 3
FEW_CELLS = 4
"""Up to so many places of a table for a word of the texts, adding up in it takes less time than sorting."""
BETWEEN = "\n"


class Block(NamedTuple):
    """Words, each after a line break and before one; how many texts each has; the numbers of all texts, then counts."""

    words: str
    sizes: bytes
    texts: bytes

    @property
    def first(self) -> str:
        return self.words[1 : self.words.index(BETWEEN, 1)]

    @property
    def last(self) -> str:
        return self.words[self.words.rindex(BETWEEN, 0, -1) + 1 : -1]

    def holds_only(self, word: str, beginning: str) -> bool:
        """Whether no other of its words begins so."""
        return self.words.count(BETWEEN + beginning) == 1 and f"{BETWEEN}{word}{BETWEEN}" in self.words


class Postings(NamedTuple):
    """The same as lists: of each word, in order, so many of the numbers and counts."""

    words: list[str]
    sizes: Integers
    numbers: Numbers
    counts: Counts


class FoundTexts(NamedTuple):
    """The texts of a word in a segment, by number or by flag, and their counts; as they stand in its block."""

    chosen: bytes
    counts: bytes
    is_flagged: bool


def build_postings(lengths: Integers, known: Mapping[str, int], numbers: Integers) -> Postings:
    """The postings of texts, which are numbered as they stand. A word of the title counts fourfold.

    `lengths` are rows of a title's and its text's words, `known` the different words and `numbers` the number of each
    word, title before text and text after text.
    """
    import numpy as np

    words = sorted(known)
    if len(max(words, key=len, default="")) > LONGEST_WORD + 1:
        # One letter more than is ever asked for, so that a word that was cut is equal to none.
        shorter, changed = number_words(word[: LONGEST_WORD + 1] for word in known)
        return build_postings(lengths, shorter, changed[numbers])
    places = np.empty(len(words), np.int64)
    places[np.fromiter(map(known.__getitem__, words), np.int64, len(words))] = np.arange(1, len(words) + 1)
    texts, totals = np.arange(len(lengths)), lengths.sum(axis=1)
    weights = np.repeat(np.tile(np.array([TITLE_WEIGHT, 1], np.uint8), len(texts)), lengths.ravel())
    keys = _keys(*_counted(places[numbers], np.repeat(texts, totals), weights))
    kept = np.array(list(map(_kept_length, totals.tolist())), np.int64)
    return _gathered([EVERY_TEXT, *words], np.concatenate((_keys(np.zeros_like(kept), texts, kept), keys)))


def _counted(
    places: Integers, texts: Integers, weights: Counts
) -> tuple[Integers, Integers, Integers] | tuple[Integers, Integers, Counts]:
    """The words of texts with their weights, added up where a table of all words and texts would not be large."""
    import numpy as np

    if not len(places):
        return places, texts, weights
    width = int(texts[-1]) + 1
    if int(places.max()) * width > FEW_CELLS * len(places):
        return places, texts, weights
    table = np.bincount(places * width + texts, weights)
    cells = np.flatnonzero(table)
    return *np.divmod(cells, width), np.minimum(table[cells], MOST_COUNTED).astype(np.int64)


def _kept_length(words: int) -> int:
    return max(1, min(round(LENGTH_STEPS * math.log2(words + 1)), MOST_COUNTED))


def join_postings(parts: Sequence[Postings], removed: Flags | None = None) -> Postings:
    """All of them as one, without the texts that were removed."""
    import numpy as np

    known, numbers = number_words(chain.from_iterable(part.words for part in parts))
    words = sorted(known)
    places = np.empty(len(words), np.int64)
    places[np.fromiter(map(known.__getitem__, words), np.int64, len(words))] = np.arange(len(words))
    sizes, texts, counts = (np.concatenate([part[column] for part in parts]) for column in (1, 2, 3))
    keys = _keys(np.repeat(places[numbers], sizes), texts.astype(np.int64), counts.astype(np.int64))
    return _gathered(words, keys if removed is None else keys[~removed[texts]])


def renumbered(texts: Postings, numbers: Integers) -> Postings:
    """The same with other numbers for its texts; those below 0 are left out."""
    import numpy as np

    places = np.repeat(np.arange(len(texts.words)), texts.sizes)
    changed = numbers[texts.numbers]
    kept = changed >= 0
    return _gathered(texts.words, _keys(places[kept], changed[kept], texts.counts[kept].astype(np.int64)))


def _keys(places: Integers, numbers: Integers, counts: Integers | Counts) -> Integers:
    """The place of a word, the number of a text and a count in one integer, so that sorting is all that is needed."""
    return (places << (NUMBER_BITS + COUNT_BITS)) | (numbers << COUNT_BITS) | counts


def _gathered(words: list[str], keys: Integers) -> Postings:
    """Counts of the same text and word are added up; words without a text go."""
    import numpy as np

    keys.sort()
    pairs = keys >> COUNT_BITS
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    counts = np.add.reduceat(keys & MOST_COUNTED, first) if len(first) else np.empty(0, np.int64)
    pairs = pairs[first]
    sizes = np.bincount(pairs >> NUMBER_BITS, minlength=len(words))
    return Postings(
        [words[place] for place in np.flatnonzero(sizes)] if 0 in sizes else words,
        sizes[sizes > 0],
        (pairs & (2**NUMBER_BITS - 1)).astype("<u2"),
        np.minimum(counts, MOST_COUNTED).astype(np.uint8),
    )


def make_block(texts: Postings) -> Block:
    """One block, whatever its size."""
    words = f"{BETWEEN}{BETWEEN.join(texts.words)}{BETWEEN}" if texts.words else BETWEEN
    return Block(words, texts.sizes.astype("<u2").tobytes(), texts.numbers.tobytes() + texts.counts.tobytes())


def cut_blocks(texts: Postings) -> Iterator[Block]:
    """Blocks of moderate size; a word of many texts alone in one."""
    import numpy as np

    if not texts.words:
        return
    bytes_each = texts.sizes * POSTING_BYTES + np.fromiter(map(len, texts.words), np.int64, len(texts.words))
    is_dense = texts.sizes > RANGE // 16
    group = np.cumsum(bytes_each) // BLOCK_BYTES
    is_first = (np.diff(group, prepend=-1) > 0) | is_dense | np.concatenate(([False], is_dense[:-1]))
    ends = [*np.flatnonzero(is_first)[1:].tolist(), len(texts.words)]
    begin = 0
    for end, part in zip(ends, _parts(texts, ends), strict=True):
        yield _dense_block(part) if is_dense[begin] else make_block(part)
        begin = end


def _parts(texts: Postings, ends: Sequence[int]) -> Iterator[Postings]:
    import numpy as np

    offsets = [0, *np.cumsum(texts.sizes).tolist()]
    begin = 0
    for end in ends:
        span = slice(offsets[begin], offsets[end])
        yield Postings(texts.words[begin:end], texts.sizes[begin:end], texts.numbers[span], texts.counts[span])
        begin = end


def _dense_block(texts: Postings) -> Block:
    import numpy as np

    flags = np.zeros(RANGE, np.uint8)
    flags[texts.numbers] = 1
    written = np.packbits(flags).tobytes() + texts.counts.tobytes()
    return Block(f"{BETWEEN}{texts.words[0]}{BETWEEN}", b"", written)


def read_block(block: Block) -> Postings:
    import numpy as np

    words = block.words[1:-1].split(BETWEEN) if len(block.words) > 1 else []
    sizes, numbers, counts = _arrays(block)
    return Postings(words, sizes.astype(np.int64), numbers, counts)


def words_between(texts: Postings, after: str, last: str | None) -> Postings:
    """Only of the words after one and up to another."""
    begin = bisect_right(texts.words, after)
    end = len(texts.words) if last is None else bisect_right(texts.words, last)
    return list(_parts(texts, [begin, max(begin, end)]))[1]


def find_texts(block: Block, word: str, is_beginning: bool) -> FoundTexts | None:
    """Of a word, or of all words that begin so, of which a text may hold several."""
    import numpy as np

    mark = BETWEEN + word
    at = block.words.find(mark if is_beginning else mark + BETWEEN)
    if at < 0:
        return None
    if not block.sizes:
        return FoundTexts(block.texts[: RANGE // 8], block.texts[RANGE // 8 :], True)
    sizes, total = np.frombuffer(block.sizes, "<u2"), len(block.texts) // POSTING_BYTES
    first = block.words.count(BETWEEN, 0, at)
    many = block.words.count(mark, at) if is_beginning else 1
    begin = int(np.add.reduce(sizes[:first]))
    end = begin + int(sizes[first] if many == 1 else np.add.reduce(sizes[first : first + many]))
    return FoundTexts(block.texts[begin * 2 : end * 2], block.texts[total * 2 + begin : total * 2 + end], False)


def _arrays(block: Block) -> tuple[Numbers, Numbers, Counts]:
    import numpy as np

    if block.sizes:
        sizes = np.frombuffer(block.sizes, "<u2")
        total = len(block.texts) // POSTING_BYTES
        return (
            sizes,
            np.frombuffer(block.texts, "<u2", total),
            np.frombuffer(block.texts, np.uint8, total, total * 2),
        )
    flags = np.unpackbits(np.frombuffer(block.texts, np.uint8, RANGE // 8))
    numbers = flags.view(bool).nonzero()[0].astype("<u2")
    return np.array([len(numbers)]), numbers, np.frombuffer(block.texts, np.uint8, -1, RANGE // 8)
