"""The library's index: for each word the texts that hold it, and how often each does.

Texts are numbered, and 65,536 of them in a row make a range, in which two bytes name a text. What is kept together is
a block: some words in alphabetical order, and behind each other the numbers of their texts, two bytes each, and the
counts, one byte each. A word of many texts has a block of its own, in which a bit stands for every text of the range.
Full ranges are joined by fours, so that a word is looked up once for all of them: a block of such a span has one byte
more for each text, which tells its range.
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

    Numbers: TypeAlias = npt.NDArray[np.uint32]
    Counts: TypeAlias = npt.NDArray[np.uint8]
    Integers: TypeAlias = npt.NDArray[np.int64]
    Flags: TypeAlias = npt.NDArray[np.bool_]

RANGE = 65_536
SPAN = 4  # ranges that are joined once they are full
NUMBER_BITS = 24
MOST_COUNTED = 255
COUNT_BITS = 8
TITLE_WEIGHT = 4
EVERY_TEXT = " "  # before all words, none of which holds a blank
LENGTH_STEPS = 16  # a length is kept as its logarithm to base 2 in sixteenths, which is four per cent
BLOCK_BYTES = 6000
NUMBER_BYTES, COUNT_BYTES = 2, 1
FEW_CELLS = 4
"""Up to so many places of a table for a word of the texts, adding up in it takes less time than sorting."""
BETWEEN = "\n"


class Block(NamedTuple):
    """Words, each after a line break and before one; how many texts each has; the numbers of all texts, then counts.

    Of a span of several ranges the numbers within a range, then the ranges, then counts.
    """

    words: str
    sizes: bytes
    texts: bytes
    span: int = 1

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
    """The texts of a word in a segment, by number or by flag, and their counts; as they stand in its block.

    `ranges` tells of each number of a span of several ranges which of these it is in.
    """

    chosen: bytes
    counts: bytes
    is_flagged: bool
    ranges: bytes = b""


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
        (pairs & (2**NUMBER_BITS - 1)).astype(np.uint32),
        np.minimum(counts, MOST_COUNTED).astype(np.uint8),
    )


def make_block(texts: Postings, span: int = 1) -> Block:
    """One block, whatever its size."""
    import numpy as np

    words = f"{BETWEEN}{BETWEEN.join(texts.words)}{BETWEEN}" if texts.words else BETWEEN
    ranges, numbers = np.divmod(texts.numbers, RANGE) if span > 1 else (texts.numbers[:0], texts.numbers)
    columns = (numbers.astype("<u2"), ranges.astype(np.uint8), texts.counts)
    return Block(words, texts.sizes.astype(_size_type(span)).tobytes(), b"".join(map(bytes, columns)), span)


def cut_blocks(texts: Postings, span: int = 1) -> Iterator[Block]:
    """Blocks of moderate size; a word of many texts alone in one."""
    import numpy as np

    if not texts.words:
        return
    bytes_each = texts.sizes * _text_bytes(span) + np.fromiter(map(len, texts.words), np.int64, len(texts.words))
    is_dense = texts.sizes > span * RANGE // 16
    is_alone = is_dense | (bytes_each > BLOCK_BYTES)
    group = np.cumsum(bytes_each) // BLOCK_BYTES
    is_first = (np.diff(group, prepend=-1) > 0) | is_alone | np.concatenate(([False], is_alone[:-1]))
    ends = [*np.flatnonzero(is_first)[1:].tolist(), len(texts.words)]
    begin = 0
    for end, part in zip(ends, _parts(texts, ends), strict=True):
        yield _dense_block(part, span) if is_dense[begin] else make_block(part, span)
        begin = end


def _text_bytes(span: int) -> int:
    return NUMBER_BYTES + COUNT_BYTES + (span > 1)


def _size_type(span: int) -> str:
    return "<u4" if span > 1 else "<u2"


def _parts(texts: Postings, ends: Sequence[int]) -> Iterator[Postings]:
    import numpy as np

    offsets = [0, *np.cumsum(texts.sizes).tolist()]
    begin = 0
    for end in ends:
        span = slice(offsets[begin], offsets[end])
        yield Postings(texts.words[begin:end], texts.sizes[begin:end], texts.numbers[span], texts.counts[span])
        begin = end


def _dense_block(texts: Postings, span: int) -> Block:
    import numpy as np

    flags = np.zeros(span * RANGE, np.uint8)
    flags[texts.numbers] = 1
    written = np.packbits(flags).tobytes() + texts.counts.tobytes()
    return Block(f"{BETWEEN}{texts.words[0]}{BETWEEN}", b"", written, span)


def read_block(block: Block, first: int = 0) -> Postings:
    """With numbers counted on from that of its first text."""
    import numpy as np

    words = block.words[1:-1].split(BETWEEN) if len(block.words) > 1 else []
    found = _texts_between(block, 0, len(block.texts) // _text_bytes(block.span)) if block.sizes else _dense(block)
    numbers = numbers_of(found)
    sizes = np.frombuffer(block.sizes, _size_type(block.span)) if block.sizes else np.array([len(numbers)])
    return Postings(words, sizes.astype(np.int64), numbers + np.uint32(first), np.frombuffer(found.counts, np.uint8))


def numbers_of(found: FoundTexts) -> Numbers:
    """Of its texts, counted from the beginning of its span."""
    import numpy as np

    if found.is_flagged:
        flags = np.unpackbits(np.frombuffer(found.chosen, np.uint8))
        return flags.view(bool).nonzero()[0].astype(np.uint32)
    numbers = np.frombuffer(found.chosen, "<u2").astype(np.uint32)
    return numbers + np.frombuffer(found.ranges, np.uint8) * np.uint32(RANGE) if found.ranges else numbers


def within_range(found: FoundTexts, place: int) -> FoundTexts:
    """Of the texts of one word those in one range of its span."""
    import numpy as np

    if found.is_flagged:
        begin, end = (RANGE // 8 * number for number in (place, place + 1))
        first, last = (int.from_bytes(found.chosen[:until]).bit_count() for until in (begin, end))
        return FoundTexts(found.chosen[begin:end], found.counts[first:last], True)
    if not found.ranges:
        return found
    first, last = np.frombuffer(found.ranges, np.uint8).searchsorted([place, place + 1]).tolist()
    return FoundTexts(found.chosen[first * NUMBER_BYTES : last * NUMBER_BYTES], found.counts[first:last], False)


def span_of(number: int) -> range:
    """The ranges that are joined with one, itself among them."""
    return range(number - number % SPAN, number - number % SPAN + SPAN)


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
        return _dense(block)
    sizes = np.frombuffer(block.sizes, _size_type(block.span))
    if len(sizes) == 1:
        return _texts_between(block, 0, int(sizes[0]))
    first = block.words.count(BETWEEN, 0, at)
    many = block.words.count(mark, at) if is_beginning else 1
    begin = int(np.add.reduce(sizes[:first]))
    end = begin + int(sizes[first] if many == 1 else np.add.reduce(sizes[first : first + many]))
    return _texts_between(block, begin, end)


def _dense(block: Block) -> FoundTexts:
    flags = block.span * RANGE // 8
    return FoundTexts(block.texts[:flags], block.texts[flags:], True)


def _texts_between(block: Block, begin: int, end: int) -> FoundTexts:
    """Of all texts of its words, behind each other, those from one to another."""
    texts, total = block.texts, len(block.texts) // _text_bytes(block.span)
    ranges, counts = total * NUMBER_BYTES, len(texts) - total
    chosen = texts[begin * NUMBER_BYTES : end * NUMBER_BYTES]
    return FoundTexts(
        chosen, texts[counts + begin : counts + end], False, texts[ranges + begin : min(ranges + end, counts)]
    )
