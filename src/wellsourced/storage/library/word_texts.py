"""The texts of an index that hold a word, or words that begin so, and how often each does.

Few texts are a list. Of a word of many texts there is a bit for every text, as in its blocks: of some texts it is told
how often they hold the word without listing all that do. A text's place is its number among all those of the ranges in
use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain, groupby
from operator import and_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from wellsourced.storage.library import postings
from wellsourced.storage.library.postings import (
    COUNT_BITS,
    MOST_COUNTED,
    NUMBER_BYTES,
    FoundTexts,
    numbers_of,
    within_range,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Places: TypeAlias = npt.NDArray[np.int64]
    Counts: TypeAlias = npt.NDArray[np.uint8]
    Often: TypeAlias = npt.NDArray[np.float32]
    Sums: TypeAlias = npt.NDArray[np.uint16]
    Bits: TypeAlias = npt.NDArray[np.uint64]

FEW = 2000
SEARCHED, EMPTIED = 16, 32
"""A number that is looked up takes as long as so many written into a table, and these as so many that it is long."""
SPARSE = 8
SHORT_KEYS = 2**24  # texts, whose places and counts take 32 bits
PlacedTexts: TypeAlias = tuple[int, FoundTexts]
"""Where the ranges of a segment begin, and what was found in it."""


class Lengths(NamedTuple):
    """The lengths that a segment holds, and which of its ranges is meant."""

    pieces: Sequence[FoundTexts]
    place: int = 0

    def found(self) -> list[FoundTexts]:
        return [within_range(each, self.place) for each in self.pieces]


class RangeTexts:
    """The lengths of the texts of one range, 0 where there is none, and how often each length occurs."""

    def __init__(self, held: Mapping[int, Lengths]) -> None:
        """`held` are the lengths by segment."""
        import numpy as np

        self.segments = set(held)
        self.lengths = np.zeros(postings.RANGE, np.uint8)
        for found in chain.from_iterable(map(Lengths.found, held.values())):
            self.lengths[numbers_of(found)] = np.frombuffer(found.counts, np.uint8)
        self.many = np.bincount(self.lengths, minlength=MOST_COUNTED + 1)


class WordTexts:
    def __init__(
        self, size: int, pieces: Iterable[PlacedTexts], before: WordTexts | None = None, kept: int = 0
    ) -> None:
        """`size` is the number of places; those below `kept` are as they were before, and not among the pieces."""
        listed: list[PlacedTexts] = []
        flagged = [each for each in before._flagged if each[0] < kept] if before else []
        for each in sorted(pieces, key=_first_place):
            (flagged if each[1].is_flagged else listed).append(each)
        self._size = size
        self._many: dict[int, int] = {}
        self._places, self._counts = _joined(listed, size)
        if before and kept:
            self._places, self._counts = before._followed_by(self._places, self._counts, kept)
        self._flagged: list[PlacedTexts] = flagged
        is_same = before is not None and (before._size, before._flagged) == (size, flagged)
        self._layers: list[FlaggedTexts] = before._layers if before and is_same else _layers(size, flagged)

    def _followed_by(self, places: Places, counts: Counts, begin: int) -> tuple[Places, Counts]:
        """The listed texts before a place, and these."""
        import numpy as np

        end = int(self._places.searchsorted(begin))
        return np.concatenate((self._places[:end], places)), np.concatenate((self._counts[:end], counts))

    @classmethod
    def of_all(cls, words: Sequence[WordTexts]) -> WordTexts:
        """Of several words the texts that hold all of them, as often as the rarest."""
        import numpy as np

        rarest, *others = sorted(words, key=lambda word: word.held)
        places = rarest.places
        often = rarest.often(places)
        for word in others:
            often = np.minimum(often, word.often(places))
            places, often = places[often > 0], often[often > 0]
        result = cls(rarest._size, ())
        result._places, result._counts = places, often.astype(np.uint8)
        return result

    @cached_property
    def _bits(self) -> Bits:
        """One for every text that holds it."""
        import numpy as np

        flags = np.zeros(len(self._layers[0].bits) * 64, bool)
        flags[self._places] = True
        listed = np.packbits(flags).view(">u8").astype(np.uint64)
        bits: Bits = np.bitwise_or.reduce([listed, *(layer.bits for layer in self._layers)])
        return bits

    @cached_property
    def _often_in_both(self) -> Sums:
        """How often the listed texts hold it, by the only layer too."""
        return self._counts + self._layers[0].often(self._places)

    @cached_property
    def _table(self) -> Counts:
        """How often each text holds it. Looked up by a dozen layers, a million texts took 0.4 s."""
        import numpy as np

        table = np.zeros(len(self._layers[0].bits) * 64, np.uint8)
        table[self._places] = self._counts
        for layer in self._layers:
            layer.add_to(table)
        return table

    @cached_property
    def held(self) -> int:
        """How many texts there are."""
        import numpy as np

        if len(self._layers) > 1 or (self._layers and len(self._places) > FEW):
            return int(np.bitwise_count(self._bits).sum())
        both = np.count_nonzero(self._often_in_both > self._counts) if self._layers else 0
        return len(self._places) + sum(len(layer.counts) for layer in self._layers) - int(both)

    @cached_property
    def most(self) -> int:
        """No text holds it more often."""
        most = int(self._counts.max(initial=0)) + sum(int(layer.counts.max(initial=0)) for layer in self._layers)
        return min(most, MOST_COUNTED)

    @property
    def places(self) -> Places:
        """The texts, in order."""
        return _places_of(self._bits) if self._layers else self._places

    def places_with(self, others: Sequence[WordTexts]) -> Places:
        """The same, without some that do not hold the others."""
        if not self._layers:
            return self._places
        return _places_of(reduce(and_, [each._bits for each in (self, *others) if each._layers]))

    def at_least(self, count: int) -> Places:
        """The texts that hold it so often."""
        if count > self.most:
            return self._places[:0]
        if count < 2:
            return self.places
        if not self._layers:
            return self._places[self._counts >= count]
        if len(self._layers) > 1:
            return self._at_least_in_all(count)
        return united([self._places[self._counts >= count], self._flagged_at_least(count)])

    def _at_least_in_all(self, count: int) -> Places:
        """Those that hold it so often by all layers: one of these alone tells of a share of that, or they are added."""
        import numpy as np

        share = -(-count // len(self._layers))
        if share < 2:
            return np.flatnonzero(self._table >= count)
        places = united([self._places, *(layer.at_least(share) for layer in self._layers)])
        return places[self.often(places) >= count]

    def _flagged_at_least(self, count: int) -> Places:
        """Those of the only layer, which may be listed as well."""
        import numpy as np

        layer, fewest = self._layers[0], count - int(self._counts.max(initial=0))
        if not len(self._places):
            return layer.at_least(count)
        if np.count_nonzero(layer.counts >= fewest) <= min(FEW, len(self._places)):
            places = layer.at_least(fewest)
            return places[self.often(places) >= count]
        return united([self._places[self._often_in_both >= count], layer.at_least(count)])

    def many(self, count: int) -> int:
        """How many texts hold it so often, where none holds several words that begin so."""
        import numpy as np

        if count not in self._many:
            parts = (self._counts, *(layer.counts for layer in self._layers))
            self._many[count] = sum(int(np.count_nonzero(part >= count)) for part in parts) if count <= self.most else 0
        return self._many[count]

    def count_of(self, most: int) -> int:
        """How often so many texts hold it at least, up to some."""
        return next((count for count in range(2, self.most + 1) if self.many(count) < most), self.most + 1) - 1

    @property
    def bytes(self) -> int:
        listed = self._places.nbytes + self._counts.nbytes
        return listed + sum(2 * layer.bits.nbytes + layer.counts.nbytes for layer in self._layers)

    def often(self, places: Places) -> Often:
        """How often these texts, in order, hold it."""
        import numpy as np

        if places is self._places and not self._layers:
            return self._counts.astype("f4")
        if len(self._layers) > 1 and ("_table" in self.__dict__ or len(places) * SPARSE > self._size):
            return self._table[places].astype("f4")
        often = self._often_listed(places)
        for layer in self._layers:
            often += layer.often(places)
        return np.minimum(often, MOST_COUNTED).astype("f4")

    def _often_listed(self, places: Places) -> Sums:
        """By a table of all texts, or where they are few the fewer are looked up among the more."""
        import numpy as np

        often = np.zeros(len(places), np.uint16)
        if not len(places) or not len(self._places):
            return often
        if SEARCHED * min(len(places), len(self._places)) > len(places) + len(self._places) + self._size // EMPTIED:
            table = np.zeros(self._size, np.uint8)
            table[self._places] = self._counts
            return table[places].astype(np.uint16)
        if len(places) < len(self._places):
            at = np.minimum(self._places.searchsorted(places), len(self._places) - 1)
            same = self._places[at] == places
            often[same] = self._counts[at[same]]
        else:
            at = np.minimum(places.searchsorted(self._places), len(places) - 1)
            same = places[at] == self._places
            often[at[same]] = self._counts[same]
        return often


class FlaggedTexts:
    """A bit for every text, and the counts of those that hold the word, in order."""

    def __init__(self, size: int, pieces: Sequence[PlacedTexts]) -> None:
        """At most one piece for a text."""
        import numpy as np

        flags = np.zeros(-(-size // 64) * 8, np.uint8)
        for begin, found in pieces:
            flags[begin // 8 : _end(begin, found) // 8] = np.frombuffer(found.chosen, np.uint8)
        self.bits = flags.view(">u8").astype(np.uint64)
        many = np.bitwise_count(self.bits)
        self._before = many.cumsum(dtype=np.int64) - many
        self.counts = np.frombuffer(b"".join(found.counts for _, found in pieces), np.uint8)

    def at_least(self, count: int) -> Places:
        """The texts that hold it so often."""
        import numpy as np

        chosen = np.flatnonzero(self.counts >= count)
        at = self._before.searchsorted(chosen, "right") - 1
        if len(chosen) > FEW:
            return _places_of(self.bits)[chosen]
        flags = np.unpackbits(self.bits[at].astype(">u8").view(np.uint8)).reshape(-1, 64)
        is_it = flags.cumsum(axis=1, dtype=np.uint8) > (chosen - self._before[at])[:, None]
        places: Places = at * 64 + is_it.argmax(axis=1)
        return places

    def add_to(self, table: Counts) -> None:
        """Its counts to those in a table of all texts."""
        import numpy as np

        places = _places_of(self.bits)
        before = table[places]
        table[places] = before + np.minimum(self.counts, MOST_COUNTED - before)

    def often(self, places: Places) -> Sums:
        import numpy as np

        at = places >> 6
        bits = self.bits[at] >> (~places & 63).astype(np.uint64)  # up to the text's own, which is the last
        held = np.flatnonzero(bits & np.uint64(1))
        often: Sums = np.zeros(len(places), np.uint16)
        often[held] = self.counts[self._before[at[held]] + np.bitwise_count(bits[held]) - 1]
        return often


def _layers(size: int, flagged: Sequence[PlacedTexts]) -> list[FlaggedTexts]:
    """As few as can be, each with at most one piece for a text; the pieces are in order."""
    layers: list[list[PlacedTexts]] = []
    for each in flagged:
        layer = next((layer for layer in layers if _end(*layer[-1]) <= each[0]), None)
        if layer is None:
            layers.append([each])
        else:
            layer.append(each)
    return [FlaggedTexts(size, layer) for layer in layers]


def united(some: Sequence[Places]) -> Places:
    """All of them once, in order."""
    import numpy as np

    places = np.concatenate(some)
    places.sort()
    return places[np.diff(places, prepend=-1) > 0]


def _places_of(bits: Bits) -> Places:
    import numpy as np

    return np.unpackbits(bits.astype(">u8").view(np.uint8)).view(bool).nonzero()[0]


def _end(begin: int, flagged: FoundTexts) -> int:
    """The place behind its last."""
    return begin + 8 * len(flagged.chosen)


def _first_place(each: PlacedTexts) -> int:
    begin, found = each
    if found.is_flagged:
        return begin
    place = found.ranges[0] if found.ranges else 0
    return begin + place * postings.RANGE + int.from_bytes(found.chosen[:NUMBER_BYTES], "little")


def _joined(listed: Sequence[PlacedTexts], size: int) -> tuple[Places, Counts]:
    """In order; the counts of a text that holds several words that begin so are added up."""
    import numpy as np

    if not listed:
        return np.empty(0, np.int64), np.empty(0, np.uint8)
    if sum(len(found.counts) for _, found in listed) * SPARSE > size:  # so many are never of one word
        return _summed(listed)
    places, counts = _arrays(listed)
    if (places[1:] > places[:-1]).all():
        return places, counts
    keys: Places = ((places << COUNT_BITS) | counts).astype(np.uint32 if size <= SHORT_KEYS else np.int64)
    keys.sort()
    places = (keys >> COUNT_BITS).astype(np.int64)
    last = np.flatnonzero(np.append(places[1:] != places[:-1], True))
    sums = np.diff(np.cumsum(keys & MOST_COUNTED)[last], prepend=0)  # several times as fast as `add.reduceat`
    return places[last], np.minimum(sums, MOST_COUNTED).astype(np.uint8)


def _summed(listed: Sequence[PlacedTexts]) -> tuple[Places, Counts]:
    """The same of many, by counting through each span. Most are held once, which is the fastest to count."""
    import numpy as np

    places: list[Places] = []
    counts: list[Counts] = []
    for begin, pieces in groupby(listed, lambda each: each[0] - each[0] % (postings.SPAN * postings.RANGE)):
        found, often = _arrays([(first - begin, each) for first, each in pieces])
        several = np.flatnonzero(often > 1)
        sums = np.bincount(found)
        np.add.at(sums, found[several], often[several].astype(np.int64) - 1)
        held = np.flatnonzero(sums > 0)
        places.append(held + begin)
        counts.append(np.minimum(sums[held], MOST_COUNTED).astype(np.uint8))
    return np.concatenate(places), np.concatenate(counts)


def _arrays(listed: Sequence[PlacedTexts]) -> tuple[Places, Counts]:
    """The places of texts, piece after piece, and their counts."""
    import numpy as np

    begins = np.repeat([begin for begin, _ in listed], [len(found.counts) for _, found in listed])
    places: Places = np.frombuffer(b"".join([found.chosen for _, found in listed]), "<u2") + begins
    if any(found.ranges for _, found in listed):
        ranges = b"".join([found.ranges or bytes(len(found.counts)) for _, found in listed])
        places += np.frombuffer(ranges, np.uint8) * np.int64(postings.RANGE)
    return places, np.frombuffer(b"".join([found.counts for _, found in listed]), np.uint8)
