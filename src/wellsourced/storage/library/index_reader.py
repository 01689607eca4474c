"""What readers keep of the library's index for the next question: the lengths of all texts, and words asked for lately.

A segment in use never changes, so that only new segments have to be looked at when a writer has added some. Small ones,
which are many and soon merged, are read whole: no question asks the store for a word in each of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Mapping, Sequence

from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library.postings import EVERY_TEXT, Block, FoundTexts, find_texts
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.scoring import IndexedTexts, Question, WordSought, words_sought
from wellsourced.storage.library.segments import (
    Conversation,
    FoundBlock,
    SegmentInUse,
    read_index,
    upper_bound,
)
from wellsourced.storage.library.word_texts import Lengths, WordTexts

MOST_BYTES = 64 * 2**20
"""That the words which are kept take."""
WORD_BYTES = 5000
EVERY_WORD = ("", True)


@dataclass(slots=True)
class KnownWord:
    """What each segment holds of a word, if anything; and all of it for one state of the index."""

    pieces: dict[int, list[FoundTexts]]
    index: IndexedTexts | None = None
    texts: WordTexts | None = None
    bytes: int = 0

    def within(self, segments: Collection[int]) -> KnownWord:
        """Without segments that are no longer in use; other questions may still need them."""
        kept = {segment: found for segment, found in self.pieces.items() if segment in segments}
        return KnownWord(kept, self.index, self.texts, self.bytes)

    def add(self, segments: Collection[int], found: Mapping[int, list[FoundTexts]]) -> None:
        self.pieces |= {segment: found.get(segment, []) for segment in segments}
        kept = (len(each.chosen) + len(each.counts) for pieces in self.pieces.values() for each in pieces)
        self.bytes = WORD_BYTES + 3 * sum(kept)  # joined, they take twice as much again
        several = (pieces for pieces in self.pieces.values() if len(pieces) > 1)
        flagged = ([len(each.chosen) for each in pieces if each.is_flagged] for pieces in several)
        self.bytes += sum(8 * max(each) for each in flagged if len(each) > 1)  # a table of all texts


NOTHING = KnownWord({})


class SmallSegment:
    """All its blocks, in order."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = sorted(blocks, key=lambda block: block.first)
        self._firsts = [block.first for block in self._blocks]

    def blocks(self, word: str, is_beginning: bool) -> Sequence[Block]:
        """Those that may hold a word."""
        begin = max(bisect_right(self._firsts, word) - 1, 0)
        return self._blocks[begin : bisect_right(self._firsts, upper_bound(word, is_beginning))]


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """The index as one question sees it: its segments, and the words of the question."""

    index: IndexedTexts
    segments: Mapping[int, SegmentInUse]
    words: Mapping[WordSought, KnownWord]

    def question(self, match: IndexQuery) -> Question:
        return Question(match, self.index, {word: self._texts(self.words[word]) for word in words_sought(match)})

    def _texts(self, word: KnownWord) -> WordTexts:
        if word.texts is None or word.index is not self.index:
            kept = self.index.same_until(word.index) if word.index else 0
            begins = {segment: self.index.offsets[each.range] for segment, each in self.segments.items()}
            placed = [(begins[segment], each) for segment, found in word.pieces.items() for each in found]
            new = [each for each in placed if each[0] >= kept]
            word.texts, word.index = WordTexts(self.index.size, new, word.texts, kept), self.index
        return word.texts


class IndexReader:
    """Only one thread at a time may go on with its conversations; to begin one changes nothing."""

    def __init__(self, hint: str = "") -> None:
        """`hint` tells the store which index of its tables to use for documents."""
        self.hint = hint
        self._segments: Mapping[int, SegmentInUse] = {}
        self._small: Mapping[int, SmallSegment] = {}
        self._lengths: dict[int, list[FoundTexts]] = {}
        self._index: IndexedTexts | None = None  # made with the first question: it needs numpy
        self._words: OrderedDict[WordSought, KnownWord] = OrderedDict()
        self._bytes = 0

    def look(self, ways: Sequence[IndexQuery]) -> Conversation[IndexSnapshot]:
        """Once more where segments were replaced between one statement and the next."""
        words = list(dict.fromkeys(word for way in ways for word in words_sought(way)))
        while (snapshot := (yield from self._look_once(words))) is None:
            pass
        for word in words:
            self._keep(word, snapshot.words[word])
        return snapshot

    def _look_once(self, words: Sequence[WordSought]) -> Conversation[IndexSnapshot | None]:
        """All segments for words that are not known, for the others those that came since."""
        asked = _widest([word for word in words if word not in self._words])
        segments, blocks = yield from read_index(list(dict.fromkeys(asked.values())))
        small = yield from self._small_segments(segments)
        if small is None:
            return None
        known = {word: self._words.get(word, NOTHING).within(segments) for word in words}
        _add(known, asked, blocks, segments, small)
        lengths = KnownWord({n: pieces for n, pieces in self._lengths.items() if n in segments})
        known[EVERY_TEXT, False] = lengths
        lacking = {word: each for word in known if (each := segments.keys() - known[word].pieces.keys())}
        if lacking:
            asked, wanted = _widest(list(lacking)), set().union(*lacking.values())
            found = yield from _read_large(list(dict.fromkeys(asked.values())), wanted - small.keys())
            if found is None:
                return None
            _add(known, asked, found, wanted, small)
        return IndexSnapshot(self._index_of(segments, lengths.pieces), segments, known)

    def _small_segments(self, segments: Mapping[int, SegmentInUse]) -> Conversation[Mapping[int, SmallSegment] | None]:
        """None where one of them was replaced meanwhile."""
        small = {number for number, each in segments.items() if each.is_small}
        if small == self._small.keys():
            return self._small
        new = small - self._small.keys()
        blocks = (yield from _read_large([EVERY_WORD], new)) if new else [[]]
        if blocks is None:
            return None
        read: defaultdict[int, list[Block]] = defaultdict(list)
        for segment, block in blocks[0]:
            read[segment].append(block)
        self._small = {n: SmallSegment(read[n]) if n in new else self._small[n] for n in sorted(small)}
        return self._small

    def _index_of(self, segments: Mapping[int, SegmentInUse], lengths: dict[int, list[FoundTexts]]) -> IndexedTexts:
        if self._index is None or segments != self._segments:
            by_range: defaultdict[int, dict[int, Lengths]] = defaultdict(dict)
            for segment, each in segments.items():
                for place in range(each.span):
                    by_range[each.range + place][segment] = Lengths(lengths[segment], place)
            self._segments, self._lengths, self._index = segments, lengths, IndexedTexts(by_range, self._index)
        return self._index

    def _keep(self, word: WordSought, known: KnownWord) -> None:
        """As the newest; the oldest go."""
        if before := self._words.pop(word, None):
            self._bytes -= before.bytes
        self._words[word] = known
        self._bytes += known.bytes
        while self._bytes > MOST_BYTES:
            self._bytes -= self._words.popitem(last=False)[1].bytes


def _widest(words: Sequence[WordSought]) -> dict[WordSought, WordSought]:
    """For each word what to ask for: the blocks of a beginning hold the word that begins so as well."""
    beginnings = [word for word in words if word[1]]
    return {word: next((each for each in beginnings if word[0].startswith(each[0])), word) for word in words}


def _read_large(words: Sequence[WordSought], segments: Collection[int]) -> Conversation[list[list[FoundBlock]] | None]:
    """The blocks of words in some segments; None where one of these is not in use any more."""
    if not segments:
        return [[] for _ in words]
    now, blocks = yield from read_index(words, segments)
    return blocks if now.keys() >= set(segments) else None


def _add(
    known: dict[WordSought, KnownWord],
    asked: Mapping[WordSought, WordSought],
    blocks: Sequence[Sequence[FoundBlock]],
    segments: Collection[int],
    small: Mapping[int, SmallSegment],
) -> None:
    """What blocks that were read for these words, and small segments, hold of them."""
    whole = [(number, segment) for number, segment in small.items() if number in segments]
    found = {
        word: [*read, *(FoundBlock(number, block) for number, each in whole for block in each.blocks(*word))]
        for word, read in zip(dict.fromkeys(asked.values()), blocks, strict=True)
    }
    for word, held in found.items():
        known[word].add(segments, _pieces(word, held))
    for word, wider in asked.items():
        if word != wider:
            pieces = known[wider].pieces
            held = [each for each in found[wider] if pieces[each.segment]]
            if not known[word].pieces and all(each.block.holds_only(word[0], wider[0]) for each in held):
                known[word] = known[wider]
            else:
                known[word].add(segments, _pieces(word, held))


def _pieces(word: WordSought, blocks: Sequence[FoundBlock]) -> dict[int, list[FoundTexts]]:
    pieces: defaultdict[int, list[FoundTexts]] = defaultdict(list)
    for segment, block in blocks:
        if (found := find_texts(block, *word)) is not None:
            pieces[segment].append(found)
    return pieces
