"""The language of a title, by the letters of its words, and whether one title may be another one translated.

Titles are too short for function words to tell.

`training/learn_title_languages.py` learns it from titles in PubMed; it ships as arrays.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from wellsourced.data import FOLDER, read_lines
from wellsourced.text.bilingual import LANGUAGES as WORD_LANGUAGES
from wellsourced.text.bilingual import translate_word
from wellsourced.text.titles import content_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

MODEL = "title_languages.npz"
# `sv`, `es`, `cs` and `ru` stand for their neighbours too: Danish, Portuguese, Slovak, and Ukrainian in Latin letters.
LANGUAGES = ("en", "de", "nl", "sv", "fr", "es", "it", "ro", "pl", "cs", "ru")
LONGEST = 400
# How far the best language must surpass the second, in logarithms: one title in a hundred is then read wrongly.
MARGIN = 3.0
# Below it a guess is worth nothing.
LEAST_MARGIN = 1.0
SCALE = 16
# Most titles are in English, so a short one is likelier so.
ENGLISH_FIRST = 1.5
ROMANCE = frozenset({"fr", "es", "it", "ro"})
# Words from which on a title and its translation share one: of the shorter, and of both.
ENOUGH_WORDS, ENOUGH_IN_BOTH = 3, 12
UNEVEN = 3
SHORTEST_INNER_STEM = 5
ELISION = re.compile(r"\b(?:[dljmnstc]|qu|dell|nell|sull|all|un)['’](?=\w)", re.IGNORECASE)
COGNATE_RATIO = 72.0
COGNATE_LETTERS = (
    ("ph", "f"), ("th", "t"), ("rh", "r"), ("ch", "k"), ("ck", "k"), ("qu", "k"), ("c", "k"), ("y", "i"), ("j", "i"),
    ("w", "v"), ("z", "s"), ("x", "ks"), ("oe", "o"), ("ae", "a"), ("ue", "u"),
)  # fmt: skip
DOUBLED = re.compile(r"(.)\1")


def trigrams(text: str) -> Iterator[str]:
    """Three letters each, of words in small letters with their ends marked; accents stay."""
    letters = unicodedata.normalize("NFC", text[:LONGEST]).casefold()
    words = "".join(letter if letter.isalpha() else " " for letter in letters).split()
    for word in words:
        marked = f" {word} "
        yield from (marked[place : place + 3] for place in range(len(marked) - 2))


def checksum(trigram: str) -> int:
    return zlib.crc32(trigram.encode())


@cache
def _arrays() -> tuple[NDArray[Any], NDArray[Any]]:
    import numpy as np

    with np.load(FOLDER / MODEL) as arrays:
        return arrays["known"], arrays["weights"]


@lru_cache(maxsize=256)
def _ranked(title: str) -> tuple[str | None, float]:
    """The likeliest language, and by how much it surpasses the second; one word alone says nothing."""
    import numpy as np

    known, weights = _arrays()
    sums = np.array([checksum(trigram) for trigram in trigrams(title)], dtype=np.uint32)
    places = np.minimum(np.searchsorted(known, sums), len(known) - 1)
    found = weights[places[known[places] == sums]]
    if not len(found) or len(title.split()) < 2:
        return None, 0.0
    scores = found.astype(int).sum(axis=0) / SCALE
    scores[0] += ENGLISH_FIRST
    second, first = np.argsort(scores)[-2:]
    return LANGUAGES[int(first)], float(scores[first] - scores[second])


def title_language(title: str) -> str | None:
    """A language code, or None where the letters do not tell."""
    language, margin = _ranked(title)
    return language if margin >= MARGIN else None


def are_in_two_languages(one: str, other: str) -> bool:
    """Whether both titles show their language, it is not the same one, and one may be the other translated."""
    first, second = title_language(one), title_language(other)
    return first is not None and second is not None and first != second and not _is_no_translation(one, other)


def may_be_translation(one: str, other: str) -> bool:
    """Whether two titles are likelier in two languages than in one, and one may be the other translated."""
    is_foreign = [any(letter.isalpha() and not letter.isascii() for letter in title) for title in (one, other)]
    is_unsure = None in {title_language(one), title_language(other)}
    guesses = {language if margin >= LEAST_MARGIN else "en" for language, margin in (_ranked(one), _ranked(other))}
    if len(guesses) > 1 or (is_unsure and is_foreign[0] != is_foreign[1]):
        return not _is_no_translation(one, other)
    return is_unsure and _shared_meanings(one, other) * 2 >= min(len(_long_words(one)), len(_long_words(other))) > 0


def _is_no_translation(one: str, other: str) -> bool:
    """English and a Romance language share words, and of German the commonest are known: hardly a translated title in
    PubMed with enough words is without one (29 of 7,084 pairs), and half to three quarters of unrelated ones are. In
    any language, a title and its translation are not of quite another length (one of 7,084)."""
    languages = {title_language(one), title_language(other)}
    shorter, longer = sorted((len(_long_words(one)), len(_long_words(other))))
    is_known = "en" in languages and languages <= ROMANCE | {"en", "de"}
    is_enough = is_known and shorter >= ENOUGH_WORDS and shorter + longer >= ENOUGH_IN_BOTH
    is_uneven = longer >= UNEVEN * max(2, shorter) and shorter > 0
    return (is_enough or is_uneven) and not _shared_meanings(one, other)


def _shared_meanings(one: str, other: str) -> int:
    """How many words of one title have a cognate in the other, or translate one if they are German."""
    ours, theirs = _words(one), _words(other)
    roots = [_root(word) for word in theirs]
    return sum(
        any(_is_cognate(_root(word), another) for another in roots)
        or _translates(word, theirs)
        or any(_translates(another, (word,)) for another in theirs)
        or not _in_english(word).isdisjoint(theirs)
        or any(word in _in_english(another) for another in theirs)
        for word in ours
    )


@lru_cache(maxsize=1024)
def _in_english(word: str) -> frozenset[str]:
    """The English forms of a common word, in whatever language it stands."""
    return frozenset(form for language in WORD_LANGUAGES for form in translate_word(word, language, "en"))


def _long_words(title: str) -> list[str]:
    return [word for word in _words(title) if len(word) > 3]


@lru_cache(maxsize=256)
def _words(title: str) -> tuple[str, ...]:
    return tuple(word for word in content_words(ELISION.sub("", title)) if len(word) > 2)[:40]


@cache
def _german_stems() -> tuple[tuple[str, tuple[str, ...]], ...]:
    entries = (entry.split("=") for line in read_lines("german_title_words.txt") for entry in line.split())
    return tuple((stem, tuple(english.split("/"))) for stems, english in entries for stem in stems.split("/"))


def _translates(german: str, english: Sequence[str]) -> bool:
    """Whether a part of a German word stands for the beginning of an English one."""
    return any(
        (stem in german if len(stem) >= SHORTEST_INNER_STEM else german.startswith(stem) or german.endswith(stem))
        and any(word.startswith(meanings) for word in english)
        for stem, meanings in _german_stems()
    )


def _root(word: str) -> str:
    """One letter for each sound that is written differently: `fysiologie`, `physiology`."""
    for written, sound in COGNATE_LETTERS:
        word = word.replace(written, sound)
    return DOUBLED.sub(r"\1", word)


def _is_cognate(one: str, other: str) -> bool:
    from rapidfuzz.fuzz import ratio

    if one == other or min(len(one), len(other)) < 5:
        shorter, longer = sorted((one, other), key=len)
        is_begun = longer.startswith(shorter) or (len(longer) == 4 and ratio(one, other) > COGNATE_RATIO)
        return one == other or (len(shorter) == 4 and is_begun)
    if one[:5] == other[:5] or (one[:4] == other[:4] and abs(len(one) - len(other)) < 4):
        return True
    return one[:6] in other or other[:6] in one or ratio(one, other) > COGNATE_RATIO
