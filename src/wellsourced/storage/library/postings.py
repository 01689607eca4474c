"""The library's index: for each word the texts that hold it and how often, ranked by BM25 (Robertson, Zaragoza 2009).

Texts are numbered, and 65,536 of them in a row make a range, in which two bytes name a text. A posting is the texts of
one word in one segment of a range: their numbers, two bytes each, and then their counts, one byte each. Postings of
segments that are merged are put one behind the other. Every text holds the empty word, its count being its length.
Where words follow each other is not kept: of a phrase, the texts that hold all its words are found, and looked at.

SQLite's FTS5 was used before. It counts every text of every word before it ranks the first one, so that questions of
common words took longer with each text: 130 ms at worst over 80,000 texts.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from wellsourced.storage.library.query import LONGEST_WORD, IndexQuery, SearchTerm

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers: TypeAlias = npt.NDArray[np.intp]
    Counts: TypeAlias = npt.NDArray[np.float32]

RANGE = 65_536
MOST_COUNTED = 255
TITLE_WEIGHT = 4
EVERY_TEXT = ""
LENGTH_STEPS = 16  # a length is kept as its logarithm to base 2 in sixteenths, which is four per cent
K1, B = 1.2, 0.75
LEAST_RARITY = 1e-6
LAST_LETTER = chr(sys.maxunicode)

WordCounts: TypeAlias = Mapping[str, int]
PostingRow: TypeAlias = tuple[int, str, bytes]
"""Range, word and posting."""


class Occurrences(NamedTuple):
    """The texts of a range that hold something sought, and how often."""

    numbers: Numbers
    counts: Counts


class ScoredTexts(NamedTuple):
    """The keys of texts and their scores, best first."""

    keys: list[int]
    scores: list[float]


def count_words(title: Sequence[str], text: Sequence[str]) -> dict[str, int]:
    """How often each word occurs, those of the title fourfold, with the length of both together."""
    counts = Counter(text)
    for word in title:
        counts[word] += TITLE_WEIGHT
    # One letter more than is ever asked for, so that a word that was cut is equal to none.
    kept = {word[: LONGEST_WORD + 1]: min(count, MOST_COUNTED) for word, count in counts.items()}
    length = round(LENGTH_STEPS * math.log2(len(title) + len(text) + 1))
    return kept | {EVERY_TEXT: min(length, MOST_COUNTED)}


def build_postings(texts: Iterable[tuple[int, WordCounts]]) -> list[tuple[str, bytes]]:
    """The postings of texts of one range, in the order of their words."""
    held: defaultdict[str, tuple[array[int], bytearray]] = defaultdict(lambda: (array("H"), bytearray()))
    for key, counts in texts:
        number = key % RANGE
        for word, count in counts.items():
            numbers, occurrences = held[word]
            numbers.append(number)
            occurrences.append(count)
    return [(word, posting(*held[word])) for word in sorted(held)]


def posting(numbers: array[int], counts: bytes | bytearray) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes() + counts


def join_postings(parts: Sequence[bytes], removed: Container[int] = ()) -> bytes:
    """One posting of several, without the texts that were removed."""
    if len(parts) > 1:
        halves = [(part[: len(part) // 3 * 2], part[len(part) // 3 * 2 :]) for part in parts]
        joined = b"".join(first for first, _ in halves) + b"".join(second for _, second in halves)
    else:
        joined = parts[0]
    return _without(joined, removed) if removed else joined


def _without(joined: bytes, removed: Container[int]) -> bytes:
    size = len(joined) // 3
    numbers = array("H", joined[: size * 2])
    if sys.byteorder == "big":
        numbers.byteswap()
    kept = [place for place, number in enumerate(numbers) if number not in removed]
    if len(kept) == size:
        return joined
    return posting(array("H", (numbers[place] for place in kept)), bytes(joined[size * 2 + place] for place in kept))


def sought_words(match: IndexQuery) -> tuple[list[str], list[str]]:
    """The words whose postings answer a question, and the beginnings of others."""
    words, beginnings = {EVERY_TEXT: None}, dict[str, None]()
    for sought in (*match.wanted, *match.excluded):
        *first, last = sought.words
        words |= dict.fromkeys(first)
        (beginnings if sought.is_beginning else words)[last] = None
    return list(words), list(beginnings)


def score_texts(match: IndexQuery, rows: Iterable[PostingRow], most: int) -> ScoredTexts:
    """The texts that answer a question, as far as single words tell; at most so many of the best."""
    import numpy as np

    ranges: defaultdict[int, defaultdict[str, list[bytes]]] = defaultdict(lambda: defaultdict(list))
    for number, word, texts in rows:
        ranges[number][word].append(texts)
    lengths = {number: _of_word(words, EVERY_TEXT) for number, words in ranges.items()}
    found = {number: [_of_term(words, sought) for sought in match.wanted] for number, words in ranges.items()}
    rarities = _rarities(len(match.wanted), lengths, found)
    norms = _norms(lengths)
    keys, scores = [np.empty(0, np.intp)], [np.empty(0, np.float32)]
    for number, words in ranges.items():
        unwanted = [_of_term(words, sought) for sought in match.excluded if _is_word(sought)]
        parts = _score_range(match, found[number], (norms, lengths[number]), rarities, unwanted)
        keys.append(parts[0] + number * RANGE)
        scores.append(parts[1])
    return _best(np.concatenate(keys), np.concatenate(scores), most)


def phrases_of(match: IndexQuery) -> tuple[list[SearchTerm], list[SearchTerm]]:
    """What has to stand, and may not stand, in a text word after word."""
    return [each for each in match.required if not _is_word(each)], [e for e in match.excluded if not _is_word(e)]


def holds_phrase(spaced: Sequence[str], sought: SearchTerm) -> bool:
    """Whether one of these texts, spaced and with a blank at either end, holds the words in a row."""
    phrase = f" {' '.join(sought.words)}" + ("" if sought.is_beginning else " ")
    return any(phrase in text for text in spaced)


def _is_word(sought: SearchTerm) -> bool:
    return len(sought.words) == 1


def _of_word(words: Mapping[str, list[bytes]], word: str) -> Occurrences:
    import numpy as np

    parts = words.get(word, [])
    joined = parts[0] if len(parts) == 1 else join_postings(parts) if parts else b""
    size = len(joined) // 3
    return Occurrences(
        np.frombuffer(joined, "<u2", size).astype(np.intp), np.frombuffer(joined, np.uint8, size, size * 2).astype("f4")
    )


def _of_term(words: Mapping[str, list[bytes]], sought: SearchTerm) -> Occurrences:
    """Of a phrase at most as often as its rarest word; of a beginning every word that begins so."""
    *first, last = sought.words
    parts = [_of_word(words, word) for word in first]
    parts.append(_of_beginning(words, last) if sought.is_beginning else _of_word(words, last))
    if len(parts) == 1:
        return parts[0]
    import numpy as np

    counts = np.min([_spread(part) for part in parts], axis=0)
    return _gathered(counts)


def _of_beginning(words: Mapping[str, list[bytes]], beginning: str) -> Occurrences:
    import numpy as np

    held = [_of_word(words, word) for word in words if word.startswith(beginning)]
    if len(held) == 1:
        return held[0]
    counts = np.zeros(RANGE, "f4")
    for numbers, often in held:
        counts[numbers] += often
    return _gathered(counts)


def _spread(found: Occurrences) -> Counts:
    import numpy as np

    counts = np.zeros(RANGE, "f4")
    counts[found.numbers] = found.counts
    return counts


def _gathered(counts: Counts) -> Occurrences:
    numbers = counts.nonzero()[0]
    return Occurrences(numbers, counts[numbers])


def _rarities(
    terms: int, lengths: Mapping[int, Occurrences], found: Mapping[int, Sequence[Occurrences]]
) -> list[float]:
    texts = sum(len(each.numbers) for each in lengths.values())
    holding = [sum(len(each[term].numbers) for each in found.values()) for term in range(terms)]
    return [max(LEAST_RARITY, math.log((texts - held + 0.5) / (held + 0.5))) for held in holding]


def _norms(lengths: Mapping[int, Occurrences]) -> Counts:
    """By how much each kept length divides, for texts of this average."""
    import numpy as np

    words = np.exp2(np.arange(MOST_COUNTED + 1) / LENGTH_STEPS)
    kept = np.concatenate([each.counts for each in lengths.values()] or [np.zeros(1, "f4")]).astype(np.intp)
    average = max(float(words[kept].mean()), 1.0) if kept.size else 1.0
    return (K1 * (1 - B + B * words / average)).astype("f4")


def _score_range(
    match: IndexQuery,
    found: Sequence[Occurrences],
    lengths: tuple[Counts, Occurrences],
    rarities: Sequence[float],
    unwanted: Sequence[Occurrences],
) -> tuple[Numbers, Counts]:
    import numpy as np

    norms, (numbers, kept) = lengths
    norm, score, held = np.zeros(RANGE, "f4"), np.zeros(RANGE, "f4"), np.zeros(RANGE, np.uint8)
    norm[numbers] = norms[kept.astype(np.intp)]
    any_held = np.zeros(RANGE, bool) if match.any_of else np.ones(RANGE, bool)
    for place, (texts, often) in enumerate(found):
        score[texts] += np.float32(rarities[place]) * often * np.float32(K1 + 1) / (often + norm[texts])
        if place < len(match.required):
            held[texts] += 1
        else:
            any_held[texts] = True
    allowed = any_held & (held == len(match.required))
    for texts, _ in unwanted:
        allowed[texts] = False
    answers = allowed.nonzero()[0]
    return answers, score[answers]


def _best(keys: Numbers, scores: Counts, most: int) -> ScoredTexts:
    """Older texts first among equals, as the order of keys has it."""
    import numpy as np

    if len(keys) > most:
        chosen = np.sort(np.argpartition(-scores, most)[:most])
        keys, scores = keys[chosen], scores[chosen]
    order = np.argsort(-scores, kind="stable")
    return ScoredTexts(keys[order].tolist(), scores[order].tolist())


def upper_bound(beginning: str) -> str:
    """What comes after every word that begins so."""
    return beginning + LAST_LETTER


def by_range(texts: Iterable[tuple[int, WordCounts]]) -> Iterator[tuple[int, list[tuple[int, WordCounts]]]]:
    """Texts with their words, range by range."""
    ranges: defaultdict[int, list[tuple[int, WordCounts]]] = defaultdict(list)
    for key, counts in texts:
        ranges[key // RANGE].append((key, counts))
    yield from ranges.items()
