"""A question in the words of the full-text index: what must occur, what may, what must not.

Asked in up to three ways, each wider than the one before: all words as they stand; all words by their beginnings, so
that endings and plurals make no difference; any of them. "Quoted phrases" and -excluded words hold in every way.
"""

from __future__ import annotations

from collections.abc import Iterator

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.text.index_words import NO_WORD, RUN, TOKEN, fold_text, index_words, run_words
from wellsourced.text.terms import CLUSTER, STOP_WORDS, stem_word
from wellsourced.upstreams.helpers.search_operators import split_excluded

MOST_WORDS = 32
LONGEST_QUESTION = 60  # words
LONGEST_WORD = 64
SHORTEST_STEM = 4
ENDING = 2
SHORTEST_BEGINNING = 3
PHRASE_OR_WORD = late_pattern(r"""(?<!\S)(-?)["“”„«]([^"“”„«»]{1,300})["“”»]|(?<!\S)-(?=\S)(\S+)|(\S+)""")


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """Words that follow each other; with `is_beginning`, the last of them may go on."""

    words: tuple[str, ...]
    is_beginning: bool = False


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """All of `required` and, where there are any, one of `any_of`; nothing of `excluded`."""

    required: tuple[SearchTerm, ...]
    any_of: tuple[SearchTerm, ...] = ()
    excluded: tuple[SearchTerm, ...] = ()

    @property
    def wanted(self) -> tuple[SearchTerm, ...]:
        return self.required + self.any_of


def build_queries(text: str, exact: str | None = None, exclude: str | None = None) -> list[IndexQuery]:
    """The ways to ask, strictest first; none when the question holds no word."""
    free, phrases, excluded = _parts(text)
    phrases += [exact] if exact else []
    excluded += split_excluded(exclude)
    fixed = tuple(_phrase(phrase) for phrase in phrases if _phrase(phrase).words)
    unwanted = tuple(_phrase(term) for term in excluded if _phrase(term).words)
    plain = tuple(dict.fromkeys(sought for word in free for sought in _sought(word)))
    telling = tuple(sought for sought in plain if not _is_stop_word(sought)) or (plain if not fixed else ())
    kept = telling[:MOST_WORDS]
    if not kept:
        return [IndexQuery(fixed, (), unwanted)] if fixed else []
    beginnings = tuple(dict.fromkeys(part for sought in kept for part in _loosened(sought)))
    ways = [IndexQuery(fixed + kept, (), unwanted), IndexQuery(fixed + beginnings, (), unwanted)]
    if len(beginnings) > 1:
        ways.append(IndexQuery(fixed, beginnings, unwanted))
    return list(dict.fromkeys(ways))


def _parts(text: str) -> tuple[list[str], list[str], list[str]]:
    """Free words, quoted phrases and excluded terms; in a passage that was pasted, such marks are its own."""
    free: list[str] = []
    phrases: list[str] = []
    excluded: list[str] = []
    if text.count(" ") > LONGEST_QUESTION:
        return text.split(), phrases, excluded
    for found in PHRASE_OR_WORD.finditer(text):
        minus, quoted, unwanted, word = found.groups()
        if quoted:
            (excluded if minus else phrases).append(quoted)
        elif unwanted:
            excluded.append(unwanted)
        else:
            free.append(word)
    return free, phrases, excluded


def _sought(word: str) -> Iterator[SearchTerm]:
    """The spaced words and the unspaced runs that one stretch without blanks holds."""
    for part in NO_WORD.sub(" ", fold_text(word)).split():
        place = 0
        for run in RUN.finditer(part):
            yield from _tokens(part[place : run.start()])
            yield _run(run[0])
            place = run.end()
        yield from _tokens(part[place:])


def _tokens(text: str) -> Iterator[SearchTerm]:
    for token in TOKEN.findall(text):
        yield SearchTerm((token[:LONGEST_WORD],), is_beginning=len(token) > LONGEST_WORD)


def _run(run: str) -> SearchTerm:
    letters = CLUSTER.findall(run[:MOST_WORDS])
    if len(letters) < 2:
        return SearchTerm((run,), is_beginning=True)
    return SearchTerm(tuple(run_words(run[:MOST_WORDS])[:-1]))


def _phrase(text: str) -> SearchTerm:
    """The words of a phrase in a row. The letter that stands alone at the end of a run need not end it elsewhere."""
    found = index_words(text)[:MOST_WORDS]
    last = found[-1] if found else ""
    is_letter = bool(RUN.match(last)) and len(CLUSTER.findall(last)) == 1
    if is_letter and len(found) > 1 and RUN.match(found[-2]):
        return SearchTerm(tuple(found[:-1]))
    return SearchTerm(tuple(found), is_letter)


def _loosened(sought: SearchTerm) -> Iterator[SearchTerm]:
    """A run falls into its pairs; a word loses its ending."""
    if len(sought.words) > 1:
        yield from (SearchTerm((word,)) for word in sought.words)
        return
    word = sought.words[0]
    beginning = _beginning(word)
    is_word = not sought.is_beginning and not word.isdecimal() and not RUN.search(word)
    yield SearchTerm((beginning,), is_beginning=True) if is_word and beginning else sought


def _beginning(word: str) -> str:
    """What the forms of a word share: the English stem as far as it is spelt alike, elsewhere all but two letters."""
    shared = _spelt_alike(word, stem_word(word)) if word.isascii() else word[: max(SHORTEST_STEM, len(word) - ENDING)]
    return shared if len(shared) >= SHORTEST_BEGINNING else ""


def _spelt_alike(one: str, other: str) -> str:
    length = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(other))
    return one[:length]


def _is_stop_word(sought: SearchTerm) -> bool:
    return len(sought.words) == 1 and sought.words[0] in STOP_WORDS
