"""Searching a catalogue of names that has no search of its own.

Every word of the query must occur in the name, in any order and form, itself or as a word that means the same
(`data/statistics_words.txt`); `GDP` also finds "Gross domestic product" and the other way round. Where no name has all
words, the one that is missing is left out and named. A single word is also found inside others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

from wellsourced.data import read_lines
from wellsourced.text.terms import stem_word

WORD = re.compile(r"\w+")
SMALL_WORDS = "of and the in at by for to on a an de la le du des et"
SMALL = frozenset(SMALL_WORDS.split())
LONGEST_QUERY_WORDS = 30
ACRONYM = range(3, 7)
FEWEST_LEFT = 2  # words that must still match when one is left out
# Words that say how something is measured, not what: they are the first to be left out.
GENERIC_WORDS = (
    "rate index level total number data statistics figures values annual annually yearly monthly quarterly percent"
    " percentage series average latest recent country"
)
GENERIC = frozenset(stem_word(word) for word in GENERIC_WORDS.split())


@dataclass(frozen=True, slots=True)
class NameMatches:
    """Positions of the names that match, best first, and the words of the query that none of them had to have."""

    order: list[int]
    left_out: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        missing = ", ".join(self.left_out)
        return (f"No title has all the words; these were found without: {missing}.",) if missing else ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """One word or phrase of the query: a name has it when it has all stems of one of the alternatives."""

    said: str
    words: tuple[str, ...]
    alternatives: tuple[frozenset[str], ...]

    @property
    def is_generic(self) -> bool:
        return all(stem(word) in GENERIC for word in self.words)


def find_names(query: str, names: Sequence[str]) -> NameMatches:
    """The names that have what the query asks for; without one of its words where none has all."""
    said = WORD.findall(fold(query))[:LONGEST_QUERY_WORDS]
    wanted = _wanted([word for word in said if word not in SMALL] or said)
    if not wanted:
        return NameMatches([])
    folded = [fold(name) for name in names]
    read = [(text, frozenset(map(stem, WORD.findall(text)))) for text in folded]
    for kept, left_out in _attempts(wanted):
        if order := _search(" ".join(fold(query).split()), kept, read):
            return NameMatches(order, tuple(part.said for part in left_out))
    return NameMatches([])


def words_in(text: str) -> list[str]:
    """The words of a name in one spelling; an apostrophe does not part them."""
    return WORD.findall(fold(text).replace("'", "").replace("’", ""))


def fold(text: str) -> str:
    """One spelling whatever the case, the width and the accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f"))


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    return stem_word(word)


def _attempts(wanted: Sequence[Wanted]) -> Iterable[tuple[Sequence[Wanted], Sequence[Wanted]]]:
    """All that is wanted; then without what only says how it is measured; then without any one of three or more."""
    yield wanted, ()
    generic = [part for part in wanted if part.is_generic]
    if generic and len(generic) < len(wanted):
        yield [part for part in wanted if not part.is_generic], generic
    rest = [part for part in wanted if not part.is_generic]
    if len(rest) > FEWEST_LEFT:
        for kept in combinations(rest, len(rest) - 1):
            yield kept, [part for part in wanted if part not in kept]


def _search(phrase: str, wanted: Sequence[Wanted], read: Sequence[tuple[str, frozenset[str]]]) -> list[int]:
    runs = _acronyms([word for part in wanted for word in part.words])
    ranked = [
        (rank, position)
        for position, (text, stems) in enumerate(read)
        if (rank := _rank(phrase, wanted, runs, text, stems)) is not None
    ]
    return [position for _, position in sorted(ranked)]


def _rank(
    phrase: str, wanted: Sequence[Wanted], runs: dict[str, Sequence[str]], text: str, stems: frozenset[str]
) -> tuple[int, int] | None:
    """The phrase itself before all words in other forms, those before synonyms; short names before long ones."""
    lacking = [part for part in wanted if not any(way <= stems for way in part.alternatives)]
    if not lacking:
        literal = all(part.alternatives[0] <= stems for part in wanted)
        if phrase in text:
            return (0 if text.lstrip().startswith(phrase) else 1), len(text)
        return (2 if literal else 3), len(text)
    if all(_is_spelled_out(part, runs, text) for part in lacking):
        return 4, len(text)
    if len(wanted) == 1 and phrase in text:
        return 5, len(text)
    return None


def _is_spelled_out(part: Wanted, runs: dict[str, Sequence[str]], text: str) -> bool:
    """Whether an acronym accounts for it, in the query or in the name."""
    name_words = WORD.findall(text)
    if any(set(part.words) <= set(runs[short]) for short in name_words if short in runs):
        return True
    initials = "".join(word[0] for word in name_words if word not in SMALL)
    return len(part.words) == 1 and len(part.said) in ACRONYM and part.said in initials


def _acronyms(words: Sequence[str]) -> dict[str, Sequence[str]]:
    """Every run of the query's words under the acronym its initials make."""
    runs = (words[start : start + length] for start in range(len(words)) for length in ACRONYM)
    return {"".join(word[0] for word in run): run for run in runs if len(run) >= ACRONYM.start}


def _wanted(words: Sequence[str]) -> list[Wanted]:
    """What must be found: the longest phrases of the table first, then single words."""
    table, found, at = _synonyms(), [], 0
    while at < len(words):
        for length in (4, 3, 2, 1):
            run = tuple(words[at : at + length])
            key = tuple(sorted(stem(word) for word in run))
            if len(run) == length and (length == 1 or key in table):
                found.append(Wanted(" ".join(run), run, (frozenset(key), *table.get(key, ()))))
                at += length
                break
    return list({part.said: part for part in found}.values())


def _words(entry: str) -> list[str]:
    return [word for word in entry.split() if word not in SMALL]


@cache
def _synonyms() -> dict[tuple[str, ...], tuple[frozenset[str], ...]]:
    """Each word or phrase of the table, in stems, with those that mean the same."""
    table: dict[tuple[str, ...], tuple[frozenset[str], ...]] = {}
    for line in read_lines("statistics_words.txt"):
        entries = [tuple(sorted(map(stem, _words(entry)))) for entry in line.split(",")]
        for entry in entries:
            others = tuple(frozenset(other) for other in entries if other != entry)
            table[entry] = (*table.get(entry, ()), *others)
    return table
