"""The library's index in SQLite: segments of postings, merged in small steps as they grow in number.

A batch of new texts is a segment. Eight segments of a kind become one, eight times as large, until a range is full.
A merge moves the postings of some words at a time, each step in a transaction of its own: at every moment a posting
stands once, whatever ends the process. Texts that were removed stay in postings until a merge of their whole range.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellsourced.storage.library.postings import (
    EVERY_TEXT,
    RANGE,
    PostingRow,
    WordCounts,
    build_postings,
    by_range,
    join_postings,
    sought_words,
    upper_bound,
)
from wellsourced.storage.library.query import IndexQuery

if TYPE_CHECKING:
    from sqlite3 import Connection

TABLES = (
    "CREATE TABLE library_segment (segment INTEGER PRIMARY KEY, range INTEGER NOT NULL, texts INTEGER NOT NULL, "
    "target INTEGER)",
    "CREATE TABLE library_posting (segment INTEGER NOT NULL, word TEXT NOT NULL, texts BLOB NOT NULL, "
    "PRIMARY KEY (segment, word)) WITHOUT ROWID",
    "CREATE TABLE library_removed (key INTEGER PRIMARY KEY, target INTEGER)",
    "CREATE TABLE library_unindexed (key INTEGER PRIMARY KEY)",
)

MERGED = 8
WORDS_AT_ONCE = 500
REMOVED_SHARE = 4  # a range is rewritten once one in so many of its texts is gone
FEWEST_REMOVED = 64
NEXT_KEY = (
    "SELECT max((SELECT coalesce(max(key), 0) FROM library_text), "
    "(SELECT coalesce(max(key), 0) FROM library_removed)) + 1"
)


@dataclass(frozen=True, slots=True)
class Segment:
    number: int
    range: int
    texts: int
    target: int | None

    @property
    def level(self) -> int:
        """How often eight of a kind have been merged to make one so large."""
        return (max(self.texts, 1).bit_length() - 1) // 3


def next_key(connection: Connection) -> int:
    """A number that no posting knows: one of a removed text is free only once its range was rewritten."""
    return int(connection.execute(NEXT_KEY).fetchone()[0])


def add_segment(connection: Connection, texts: Sequence[tuple[int, WordCounts]]) -> None:
    for number, members in by_range(texts):
        segment = _new_segment(connection, number, len(members))
        rows = ((segment, word, posting) for word, posting in build_postings(members))
        connection.executemany("INSERT INTO library_posting VALUES (?, ?, ?)", rows)


def remove_texts(connection: Connection, keys: Sequence[int]) -> None:
    for key in keys:
        if not connection.execute("DELETE FROM library_unindexed WHERE key = ?", (key,)).rowcount:
            connection.execute("INSERT OR IGNORE INTO library_removed (key) VALUES (?)", (key,))


def read_postings(connection: Connection, match: IndexQuery) -> Iterator[PostingRow]:
    words, beginnings = sought_words(match)
    select = (
        "SELECT s.range, p.word, p.texts FROM library_segment s CROSS JOIN library_posting p "
        "ON p.segment = s.segment AND "
    )
    yield from connection.execute(f"{select} p.word IN ({', '.join('?' * len(words))})", words)
    exact, earlier = set(words), tuple[str, ...]()
    for beginning in beginnings:
        values = (beginning, upper_bound(beginning))
        for row in connection.execute(f"{select} p.word >= ? AND p.word < ?", values):
            if row[1] not in exact and not row[1].startswith(earlier):  # each posting once, whatever it counts for
                yield row
        earlier += (beginning,)


def merge_step(connection: Connection, *, removing: bool = False) -> bool:
    """Whether there was something to merge; with `removing`, also where only removed texts are to go."""
    segments = [
        Segment(*row) for row in connection.execute("SELECT segment, range, texts, target FROM library_segment")
    ]
    target = next((each.target for each in segments if each.target is not None), None)
    if target is None:
        chosen = _chosen(segments, _removed_by_range(connection), removing)
        if not chosen:
            return False
        target = _begin(connection, segments, chosen)
        segments = [Segment(e.number, e.range, e.texts, target if e in chosen else e.target) for e in segments]
    _move_words(connection, [each for each in segments if each.target == target], target)
    return True


def _removed_by_range(connection: Connection) -> Counter[int]:
    sql = f"SELECT key / {RANGE}, count(*) FROM library_removed GROUP BY 1"  # noqa: S608
    return Counter(dict(connection.execute(sql).fetchall()))


def _chosen(segments: Sequence[Segment], removed: Counter[int], removing: bool) -> list[Segment]:
    """What to merge next: a range from which texts have gone, or enough segments of a kind."""
    alike: defaultdict[tuple[int, int], list[Segment]] = defaultdict(list)
    ranges: defaultdict[int, list[Segment]] = defaultdict(list)
    for segment in segments:
        ranges[segment.range].append(segment)
        alike[segment.range, segment.level].append(segment)
    for number, gone in removed.items():
        many = gone >= FEWEST_REMOVED and gone * REMOVED_SHARE >= sum(each.texts for each in ranges[number])
        if (removing or many) and ranges[number]:
            return ranges[number]
    return next((each for each in alike.values() if len(each) >= MERGED), [])


def _begin(connection: Connection, segments: Sequence[Segment], chosen: Sequence[Segment]) -> int:
    number = chosen[0].range
    target = _new_segment(connection, number, sum(each.texts for each in chosen))
    marked = [(target, each.number) for each in chosen]
    connection.executemany("UPDATE library_segment SET target = ? WHERE segment = ?", marked)
    if len(chosen) == sum(each.range == number for each in segments):  # those gone by now go with this merge
        sql = f"UPDATE library_removed SET target = ? WHERE key / {RANGE} = ?"  # noqa: S608
        connection.execute(sql, (target, number))
    return target


def _move_words(connection: Connection, sources: Sequence[Segment], target: int) -> None:
    """Move the postings of the next words to the target; the last step removes the sources."""
    last = _boundary(connection, sources)
    removed = _removed_numbers(connection, sources[0].range)
    held: defaultdict[str, list[bytes]] = defaultdict(list)
    for source in sources:
        condition, values = ("", ()) if last is None else (" AND word <= ?", (last,))
        where = f"FROM library_posting WHERE segment = ?{condition}"
        for word, texts in connection.execute(f"SELECT word, texts {where}", (source.number, *values)):
            held[word].append(texts)
        connection.execute(f"DELETE {where}", (source.number, *values))
    joined = ((target, word, join_postings(held[word], removed)) for word in sorted(held))
    kept = ((number, word, texts) for number, word, texts in joined if texts)
    connection.executemany("INSERT INTO library_posting VALUES (?, ?, ?)", kept)
    if last is None:
        connection.execute("DELETE FROM library_segment WHERE target = ?", (target,))
        connection.execute("DELETE FROM library_removed WHERE target = ?", (target,))
        _count_texts(connection, target)


def _count_texts(connection: Connection, segment: int) -> None:
    sql = "SELECT length(texts) / 3 FROM library_posting WHERE segment = ? AND word = ?"
    found = connection.execute(sql, (segment, EVERY_TEXT)).fetchone()
    if found:
        connection.execute("UPDATE library_segment SET texts = ? WHERE segment = ?", (found[0], segment))
    else:
        connection.execute("DELETE FROM library_segment WHERE segment = ?", (segment,))


def _boundary(connection: Connection, sources: Sequence[Segment]) -> str | None:
    """The last word of this step; None when all that is left can be moved at once."""
    sql = "SELECT word FROM library_posting WHERE segment = ? ORDER BY word LIMIT 1 OFFSET ?"
    rows = [connection.execute(sql, (each.number, WORDS_AT_ONCE)).fetchone() for each in sources]
    return min((row[0] for row in rows if row), default=None)


def _removed_numbers(connection: Connection, number: int) -> frozenset[int]:
    sql = "SELECT key FROM library_removed WHERE key >= ? AND key < ?"
    found = connection.execute(sql, (number * RANGE, (number + 1) * RANGE)).fetchall()
    return frozenset(key % RANGE for (key,) in found)


def _new_segment(connection: Connection, number: int, texts: int) -> int:
    sql = "INSERT INTO library_segment (range, texts) VALUES (?, ?)"
    segment = connection.execute(sql, (number, texts)).lastrowid
    assert segment is not None
    return segment
