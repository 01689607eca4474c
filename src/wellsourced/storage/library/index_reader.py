"""What readers keep of the library's index for the next question: the lengths of all texts, and words asked for lately.

A segment in use never changes, so that only new segments have to be looked at when a writer has added some.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Mapping, Sequence

from wellsourced.late_dataclass import dataclass
from wellsourced.storage.library.postings import EVERY_TEXT, FoundTexts, find_texts
from wellsourced.storage.library.query import IndexQuery
from wellsourced.storage.library.scoring import IndexedTexts, Question, WordSought, words_sought
from wellsourced.storage.library.segments import Conversation, FoundBlock, read_index
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
        kept = (len(each.chosen) + len(each.counts) for pieces in self.pieces.values() for each in pieces)
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
            kept = self.index.same_until(word.index) if word.index else 0
            begins = {segment: self.index.offsets[number] for segment, number in self.segments.items()}
            placed = [(begins[segment], each) for segment, found in word.pieces.items() for each in found]
            new = [each for each in placed if each[0] >= kept]
            word.texts, word.index = WordTexts(self.index.size, new, word.texts, kept), self.index
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
        """Once more where segments were replaced between one statement and the next."""
        words = list(dict.fromkeys(word for way in ways for word in words_sought(way)))
        while (snapshot := (yield from self._look_once(words))) is None:
            pass
        for word in words:
            self._keep(word, snapshot.words[word])
        return snapshot

    def _look_once(self, words: Sequence[WordSought]) -> Conversation[IndexSnapshot | None]:
        """All segments for words that are not known, for the others those that came since."""
        new = [word for word in words if word not in self._words]
        asked = _widest(new)
        segments, blocks = yield from read_index(list(dict.fromkeys(asked.values())))
        known = {word: self._words.get(word, NOTHING).within(segments) for word in words}
        _add(known, asked, blocks, segments)
        lengths = KnownWord({n: pieces for n, pieces in self._lengths.items() if n in segments})
        known[EVERY_TEXT, False] = lengths
        lacking = {word: each for word in known if (each := segments.keys() - known[word].pieces.keys())}
        if lacking:
            asked, wanted = _widest(list(lacking)), set().union(*lacking.values())
            now, blocks = yield from read_index(list(dict.fromkeys(asked.values())), wanted)
            if not wanted <= now.keys():
                return None
            _add(known, asked, blocks, wanted)
        return IndexSnapshot(self._index_of(segments, lengths.pieces), segments, known)

    def _index_of(self, segments: Mapping[int, int], lengths: dict[int, list[FoundTexts]]) -> IndexedTexts:
        if self._index is None or segments != self._segments:
            by_range: defaultdict[int, dict[int, list[FoundTexts]]] = defaultdict(dict)
            for segment, number in segments.items():
                by_range[number][segment] = lengths[segment]
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


def _add(
    known: dict[WordSought, KnownWord],
    asked: Mapping[WordSought, WordSought],
    blocks: Sequence[Sequence[FoundBlock]],
    segments: Collection[int],
) -> None:
    found = dict(zip(dict.fromkeys(asked.values()), blocks, strict=True))
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
