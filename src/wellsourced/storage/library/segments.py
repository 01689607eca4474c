"""The library's index in a database: segments of blocks, merged in small steps as they grow in number.

A batch of new texts is a segment. Eight segments of a kind become one, eight times as large, until a range is full;
four full ranges become one segment, in which a word is looked up once for all of them.
A merge writes the blocks of some words at a time into a segment that nobody reads yet, and the last step puts it in
the place of the others: at every moment a posting is read once, whatever ends the process. A segment in use does not
change. Texts that were removed stay in blocks until a merge of all their range, or of all four.

What is asked of the database is written as a conversation, which yields statements and is sent rows: both stores hold
the same ones, each in a transaction of its own kind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library import postings
from wellsourced.storage.library.postings import (
    EVERY_TEXT,
    Block,
    Postings,
    cut_blocks,
    join_postings,
    read_block,
    renumbered,
    span_of,
    words_between,
)
from wellsourced.storage.library.scoring import WordSought

if TYPE_CHECKING:
    from wellsourced.storage.library.postings import Flags

T = TypeVar("T")


class Statement(NamedTuple):
    """With `many`, once for each of these instead of the values."""

    sql: str
    values: tuple[object, ...] = ()
    many: Sequence[tuple[object, ...]] | None = None


Conversation: TypeAlias = Generator[Statement, Sequence[Any], T]

SEGMENT_COLUMNS = (
    "range INTEGER NOT NULL, texts INTEGER NOT NULL, target INTEGER, state INTEGER NOT NULL, "
    "last TEXT NOT NULL DEFAULT ''"
)
SPAN_COLUMN = "span INTEGER NOT NULL DEFAULT 1"  # how many ranges it has, from `range` on; one in earlier versions
IN_USE, IN_THE_MAKING, REPLACED = range(3)
SEGMENTS_IN_USE = "SELECT NULL, segment, range, span, texts, NULL, NULL, NULL FROM library_segment WHERE state = ?"
FEWEST_TEXTS = 1024  # of a segment that is not read whole
MERGED = 8
BLOCKS_AT_ONCE = 16
STEPS_A_BATCH = 3
"""So that merges keep up with what comes, and none keeps a writer for long."""
REMOVED_SHARE = 4  # a range is rewritten once one in so many of its texts is gone
FEWEST_REMOVED = 64
DELETED_AT_ONCE = 1000
LAST_LETTER = chr(0x10FFFF)


@dataclass(frozen=True, slots=True)
class Segment:
    """`last` is the last word of one in the making."""

    number: int
    range: int
    texts: int
    target: int | None
    state: int
    last: str
    span: int = 1

    @property
    def ranges(self) -> Sequence[int]:
        return range(self.range, self.range + self.span)

    @property
    def level(self) -> int:
        """How often eight of a kind have been merged to make one so large."""
        return (max(self.texts, 1).bit_length() - 1) // 3


@dataclass(frozen=True, slots=True)
class MergeStep:
    """The blocks of the next words of some segments, up to the word `until`, or all that are left.

    Each segment's blocks are with the number that its first text has in the target.
    """

    target: Segment
    sources: list[tuple[int, list[Block]]]
    until: str | None
    removed: Flags | None


def add_segments(texts: Postings, keys: Sequence[int | None]) -> Conversation[None]:
    """Texts under their keys; those without one are left out."""
    import numpy as np

    ranges = sorted({key // postings.RANGE for key in keys if key is not None})
    for number in ranges:
        first = number * postings.RANGE
        numbers = [-1 if key is None or key // postings.RANGE != number else key - first for key in keys]
        kept = renumbered(texts, np.array(numbers, np.int64))
        segment = yield from _new_segment(number, sum(each >= 0 for each in numbers), IN_USE)
        yield from _write_blocks(segment, list(cut_blocks(kept)))


def remove_text(key: int) -> Conversation[None]:
    if not (yield Statement("DELETE FROM library_unindexed WHERE key = ? RETURNING key", (key,))):
        yield Statement("INSERT INTO library_removed (key) VALUES (?) ON CONFLICT DO NOTHING", (key,))


class SegmentInUse(NamedTuple):
    """Its first range and how many it has; and of how many texts it was made."""

    range: int
    span: int
    texts: int

    @property
    def is_small(self) -> bool:
        return self.texts < FEWEST_TEXTS


class FoundBlock(NamedTuple):
    """A block that may hold a word, and its segment."""

    segment: int
    block: Block


def read_index(
    words: Sequence[WordSought], segments: Collection[int] | None = None
) -> Conversation[tuple[dict[int, SegmentInUse], list[list[FoundBlock]]]]:
    """The segments in use, and for each word the blocks that may hold it, of these segments or of all that are large.

    One statement, so that they are of the same moment.
    """
    in_use: dict[int, SegmentInUse] = {}
    found: list[list[FoundBlock]] = [[] for _ in words]
    statement = _blocks_statement(words, segments) if words else Statement(SEGMENTS_IN_USE, (IN_USE,))
    for place, segment, number, span, held, words_held, sizes, texts in (yield statement):
        if place is None:
            in_use[segment] = SegmentInUse(number, span, held)
        elif words_held is not None:  # as where a segment has no block for a word
            found[place].append(FoundBlock(segment, Block(words_held, sizes, texts, span)))
    return dict(sorted(in_use.items())), found


def _blocks_statement(words: Sequence[WordSought], segments: Collection[int] | None) -> Statement:
    wanted = (IN_USE, FEWEST_TEXTS) if segments is None else padded(sorted(segments))
    nothing = (len(words), LAST_LETTER, "")  # no block begins so early
    bounds = padded([(place, word[0], upper_bound(*word)) for place, word in enumerate(words)], nothing)
    asked = ", ".join(["(CAST(? AS integer), CAST(? AS text), CAST(? AS text))"] * len(bounds))
    # A left join goes from segments to blocks; either way round, PostgreSQL began with all blocks for a single word.
    sql = (
        f"WITH asked (place, low, high) AS (VALUES {asked}) "  # noqa: S608
        "SELECT a.place, s.segment, s.range, s.span, s.texts, b.words, b.sizes, b.texts "
        "FROM asked a CROSS JOIN library_segment s LEFT JOIN library_block b ON b.segment = s.segment "
        "AND b.first <= a.high AND b.first >= coalesce("
        "(SELECT max(c.first) FROM library_block c WHERE c.segment = s.segment AND c.first <= a.low), '') "
        f"WHERE {'s.state = ? AND s.texts >= ?' if segments is None else f's.segment IN ({marks(wanted)})'} "
        f"UNION ALL {SEGMENTS_IN_USE}"
    )
    return Statement(sql, (*chain.from_iterable(bounds), *wanted, IN_USE))


def padded(values: Sequence[T], more: T | None = None) -> list[T]:
    """Filled up with the last or another value, so that few numbers of values occur: each is a statement to prepare."""
    return [*values, *[more or values[-1]] * ((1 << (len(values) - 1).bit_length()) - len(values))]


def marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def upper_bound(word: str, is_beginning: bool) -> str:
    """What comes after every word that begins so."""
    return word + LAST_LETTER if is_beginning else word


def next_step(*, removing: bool) -> Conversation[MergeStep | None]:
    """What to merge next, if anything; with `removing`, also where only removed texts are to go."""
    sql = "SELECT segment, range, texts, target, state, last, span FROM library_segment ORDER BY segment"
    segments = [Segment(*row) for row in (yield Statement(sql))]
    for segment in segments:
        if segment.state == REPLACED:
            yield from _delete_blocks(segment.number, all_of_them=removing)
    target = next((each for each in segments if each.state == IN_THE_MAKING), None)
    if target is None:
        chosen = _chosen(segments, (yield from _removed_by_range()), removing)
        if not chosen:
            return None
        target = yield from _begin(segments, chosen)
        sources = chosen
    else:
        sources = [each for each in segments if each.target == target.number and each.state == IN_USE]
    return (yield from _read_step(target, sources))


def join_step(step: MergeStep) -> list[Block]:
    parts = [
        words_between(read_block(block, first), step.target.last, step.until)
        for first, blocks in step.sources
        for block in blocks
    ]
    left = [part for part in parts if part.words]
    return list(cut_blocks(join_postings(left, step.removed), step.target.span)) if left else []


def write_step(step: MergeStep, blocks: Sequence[Block]) -> Conversation[None]:
    """Unless another process was faster."""
    target, is_last = step.target.number, step.until is None
    sql = (
        "UPDATE library_segment SET last = ?, state = ? WHERE segment = ? AND state = ? AND last = ? RETURNING segment"
    )
    state = IN_USE if is_last else IN_THE_MAKING
    values = ("" if is_last else step.until, state, target, IN_THE_MAKING, step.target.last)
    if not (yield Statement(sql, values)):
        return
    yield from _write_blocks(target, blocks)
    if is_last:
        sql = "UPDATE library_segment SET state = ?, target = NULL WHERE target = ?"
        yield Statement(sql, (REPLACED, target))
        yield Statement("DELETE FROM library_removed WHERE target = ?", (target,))
        yield from _count_texts(step.target)


def _delete_blocks(segment: int, *, all_of_them: bool) -> Conversation[None]:
    """Blocks of a segment that nobody reads any more, and with the last of them the segment."""
    sql = (
        "DELETE FROM library_block WHERE key IN (SELECT key FROM library_block WHERE segment = ? LIMIT ?) RETURNING key"
    )
    is_more = True
    while is_more:
        deleted = yield Statement(sql, (segment, DELETED_AT_ONCE))
        if len(deleted) < DELETED_AT_ONCE:
            yield Statement("DELETE FROM library_segment WHERE segment = ?", (segment,))
        is_more = all_of_them and len(deleted) == DELETED_AT_ONCE


def _removed_by_range() -> Conversation[Counter[int]]:
    sql = f"SELECT key / {postings.RANGE}, count(*) FROM library_removed GROUP BY 1"  # noqa: S608
    return Counter(dict((yield Statement(sql))))


def _chosen(segments: Sequence[Segment], removed: Counter[int], removing: bool) -> list[Segment]:
    """What to merge next: ranges from which texts have gone, enough segments of a kind, or ranges that are full."""
    alike: defaultdict[tuple[int, int, int], list[Segment]] = defaultdict(list)
    ranges: defaultdict[int, list[Segment]] = defaultdict(list)
    for segment in segments:
        if segment.state == IN_USE:
            alike[segment.range, segment.span, segment.level].append(segment)
            for number in segment.ranges:
                ranges[number].append(segment)
    for number in removed:
        wide = _merged_with(ranges, number)
        gone = sum(removed[each] for each in {each for segment in wide for each in segment.ranges})
        many = gone >= FEWEST_REMOVED and gone * REMOVED_SHARE >= sum(each.texts for each in wide)
        if wide and (removing or many):
            return wide
    return next((each for each in alike.values() if len(each) >= MERGED), None) or _full(ranges)


def _merged_with(ranges: Mapping[int, list[Segment]], number: int) -> list[Segment]:
    """The segments of a range; where it is joined with others already, those of all of them."""
    numbers = span_of(number) if any(each.span > 1 for each in ranges.get(number, ())) else (number,)
    return list({each.number: each for other in numbers for each in ranges.get(other, ())}.values())


def _full(ranges: Mapping[int, list[Segment]]) -> list[Segment]:
    """The segments of a full range where it has several, or of full ranges that are not joined yet.

    A text that came late to ranges which are joined stays in a segment of its own.
    """
    newest = max(ranges, default=0)
    narrow = {n: each for n, each in ranges.items() if n < newest and all(one.span == 1 for one in each)}
    several = next((each for each in narrow.values() if len(each) > 1), None)
    if several:
        return several
    for first in sorted({span_of(number)[0] for number in narrow}):
        span = [number for number in span_of(first) if number in ranges]
        if len(span) > 1 and narrow.keys() >= set(span) and span_of(first)[-1] < newest:
            return [segment for number in span for segment in narrow[number]]
    return []


def _begin(segments: Sequence[Segment], chosen: Sequence[Segment]) -> Conversation[Segment]:
    texts, covered = sum(each.texts for each in chosen), {number for each in chosen for number in each.ranges}
    span = postings.SPAN if len(covered) > 1 else 1
    number = span_of(min(covered))[0] if span > 1 else min(covered)
    target = yield from _new_segment(number, texts, IN_THE_MAKING, span)
    marked = [(target, each.number) for each in chosen]
    yield Statement("UPDATE library_segment SET target = ? WHERE segment = ?", many=marked)
    if len(chosen) == sum(not covered.isdisjoint(each.ranges) and each.state == IN_USE for each in segments):
        sql = "UPDATE library_removed SET target = ? WHERE key >= ? AND key < ?"
        yield Statement(sql, (target, *_keys_of(number, span)))  # those gone by now go with this merge
    return Segment(target, number, texts, None, IN_THE_MAKING, "", span)


def _read_step(target: Segment, sources: Sequence[Segment]) -> Conversation[MergeStep]:
    sql = (
        "SELECT words, sizes, texts FROM library_block WHERE segment = ? AND first >= coalesce("
        "(SELECT max(first) FROM library_block WHERE segment = ? AND first <= ?), '') ORDER BY first LIMIT ?"
    )
    held, ends = [], []
    for source in sources:
        values = (source.number, source.number, target.last, BLOCKS_AT_ONCE)
        blocks = [Block(*row)._replace(span=source.span) for row in (yield Statement(sql, values))]
        held.append(((source.range - target.range) * postings.RANGE, blocks))
        if len(blocks) == BLOCKS_AT_ONCE:
            ends.append(blocks[-1].last)
    return MergeStep(target, held, min(ends, default=None), (yield from _removed_numbers(target)))


def _count_texts(segment: Segment) -> Conversation[None]:
    sql = "SELECT words, sizes, texts FROM library_block WHERE segment = ? ORDER BY first LIMIT 1"
    blocks = [Block(*row)._replace(span=segment.span) for row in (yield Statement(sql, (segment.number,)))]
    found = read_block(blocks[0]) if blocks else None
    if found is not None and found.words[0] == EVERY_TEXT:
        sql = "UPDATE library_segment SET texts = ? WHERE segment = ?"
        yield Statement(sql, (int(found.sizes[0]), segment.number))
    else:
        yield Statement("DELETE FROM library_segment WHERE segment = ?", (segment.number,))


def _removed_numbers(target: Segment) -> Conversation[Flags | None]:
    import numpy as np

    first, end = _keys_of(target.range, target.span)
    found = yield Statement("SELECT key FROM library_removed WHERE key >= ? AND key < ?", (first, end))
    if not found:
        return None
    removed = np.zeros(end - first, bool)
    removed[[key - first for (key,) in found]] = True
    return removed


def _keys_of(number: int, span: int) -> tuple[int, int]:
    """The first key of these ranges, and the one after them."""
    return number * postings.RANGE, (number + span) * postings.RANGE


def _new_segment(number: int, texts: int, state: int, span: int = 1) -> Conversation[int]:
    sql = "INSERT INTO library_segment (range, texts, state, span) VALUES (?, ?, ?, ?) RETURNING segment"
    return int((yield Statement(sql, (number, texts, state, span)))[0][0])


def _write_blocks(segment: int, blocks: Sequence[Block]) -> Conversation[None]:
    sql = "INSERT INTO library_block (segment, first, words, sizes, texts) VALUES (?, ?, ?, ?, ?)"
    yield Statement(sql, many=[(segment, each.first, each.words, each.sizes, each.texts) for each in blocks])
