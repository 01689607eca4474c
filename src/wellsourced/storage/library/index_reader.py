"""What readers keep of the library's index for the next question: the lengths of all texts, and words asked for lately.

A segment in use never changes, so that only new segments have to be looked at when a writer has added some.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Mapping, Sequence

from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library.postings import EVERY_TEXT, Block, FoundTexts, find_texts
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.scoring import IndexedTexts, Question, WordSought, words_sought
from wellsourced.storage.library.segments import Conversation, read_blocks, read_segments
from wellsourced.storage.library.word_texts import WordTexts

MOST_BYTES = 64 * 2**20
"""That the words which are kept take."""
WORD_BYTES = 5000


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
        kept = (each.chosen.nbytes + each.counts.nbytes for pieces in self.pieces.values() for each in pieces)
        self.bytes = WORD_BYTES + 3 * sum(kept)  # joined, they take twice as much again


NOTHING = KnownWord({})


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """The index as one question sees it: `segments` with their ranges, and the words of the question."""

    index: IndexedTexts
    segments: Mapping[int, int]
    words: Mapping[WordSought, KnownWord]

    def question(self, match: IndexQuery) -> Question:
        return Question(match, self.index, {word: self._texts(self.words[word]) for word in words_sought(match)})

    def _texts(self, word: KnownWord) -> WordTexts:
        if word.texts is None or word.index is not self.index:
            begins = {segment: self.index.offsets[number] for segment, number in self.segments.items()}
            placed = [(begins[segment], each) for segment, found in word.pieces.items() for each in found]
            word.texts, word.index = WordTexts(self.index.size, placed), self.index
        return word.texts


class IndexReader:
    """Only one thread at a time may go on with its conversations."""

    def __init__(self, hint: str = "") -> None:
        """`hint` tells the store which index of its tables to use for documents."""
        self.hint = hint
        self._segments: Mapping[int, int] = {}
        self._lengths: dict[int, list[FoundTexts]] = {}
        self._index: IndexedTexts | None = None  # made with the first question: it needs numpy
        self._words: OrderedDict[WordSought, KnownWord] = OrderedDict()
        self._bytes = 0

    def look(self, ways: Sequence[IndexQuery]) -> Conversation[IndexSnapshot]:
        segments = yield from read_segments()
        index = self._index
        if index is None or segments != self._segments:
            index = yield from self._look_at_lengths(segments)
        words = list(dict.fromkeys(word for way in ways for word in words_sought(way)))
        return IndexSnapshot(index, segments, (yield from self._look_up(words, segments)))

    def _look_at_lengths(self, segments: Mapping[int, int]) -> Conversation[IndexedTexts]:
        known = self._lengths
        (blocks,) = yield from read_blocks([(EVERY_TEXT, False)], segments.keys() - known.keys())
        self._lengths = {number: known[number] for number in segments if number in known}
        self._lengths |= _pieces((EVERY_TEXT, False), blocks)
        by_range: defaultdict[int, dict[int, list[FoundTexts]]] = defaultdict(dict)
        for segment, number in segments.items():
            by_range[number][segment] = self._lengths.get(segment, [])
        self._segments, self._index = segments, IndexedTexts(by_range, self._index)
        return self._index

    def _look_up(
        self, words: Sequence[WordSought], segments: Mapping[int, int]
    ) -> Conversation[dict[WordSought, KnownWord]]:
        """All segments for words that are not known, for the others those that came since."""
        known = {word: self._words.get(word, NOTHING).within(segments) for word in words}
        new = [word for word in words if not known[word].pieces]
        yield from _read(new, known, segments)
        lacking = {word: segments.keys() - known[word].pieces.keys() for word in words}
        yield from _read([word for word in words if lacking[word]], known, set().union(*lacking.values()))
        for word in words:
            self._keep(word, known[word])
        return known

    def _keep(self, word: WordSought, known: KnownWord) -> None:
        """As the newest; the oldest go."""
        if before := self._words.pop(word, None):
            self._bytes -= before.bytes
        self._words[word] = known
        self._bytes += known.bytes
        while self._bytes > MOST_BYTES:
            self._bytes -= self._words.popitem(last=False)[1].bytes


def _read(
    words: Sequence[WordSought], known: Mapping[WordSought, KnownWord], segments: Collection[int]
) -> Conversation[None]:
    """The blocks of a beginning hold the word that begins so as well."""
    widest = {word: next((each for each in words if each[1] and word[0].startswith(each[0])), word) for word in words}
    asked = list(dict.fromkeys(widest.values()))
    found = dict(zip(asked, (yield from read_blocks(asked, segments)), strict=True))
    for word in asked:
        known[word].add(segments, _pieces(word, found[word]))
    for word, wider in widest.items():
        if word != wider:
            held = known[wider].pieces
            known[word].add(segments, _pieces(word, [each for each in found[wider] if held[each[0]]]))


def _pieces(word: WordSought, blocks: Sequence[tuple[int, Block]]) -> dict[int, list[FoundTexts]]:
    pieces: defaultdict[int, list[FoundTexts]] = defaultdict(list)
    for segment, block in blocks:
        if (found := find_texts(block, *word)) is not None:
            pieces[segment].append(found)
    return pieces
