"""Numbers written in words, of one word or several: "twenty-five", "einundzwanzig", "ciento dieciséis".

The words of seven languages are in `number_words.txt`; one that is a number in one language is read there alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from wellsourced.data import read_sections
from wellsourced.text.index_words import fold_text

WORD = re.compile(r"[^\W\d_]+")
BETWEEN = re.compile(r"[ \u00a0-]")
LONGEST = 8  # words of one number
HUNDRED, SCORE = 100, 20
JOINTS = ("and", "et", "y", "e")


class SpeltNumber(NamedTuple):
    value: int
    end: int


@lru_cache(maxsize=16)
def number_words(language: str) -> dict[str, int]:
    """What each word is worth; also those that only go on a number ("one"), as negative numbers."""
    sections = read_sections("number_words.txt")
    shared = "\n".join(rows for name, rows in sections.items() if name == "all")
    rows = f"{shared}\n{sections.get(language, '')}".split()
    plain = {word: int(value) for value, _, words in (row.partition("=") for row in rows) for word in words.split(",")}
    return {**plain, **_joined_words(language, plain)}


def _joined_words(language: str, plain: dict[str, int]) -> dict[str, int]:
    """German and Dutch numbers from 21 to 99 and Italian ones, each one word."""
    ones = [(word, value) for word, value in plain.items() if 0 < abs(value) < 10]
    tens = [(word, value) for word, value in plain.items() if 20 <= value < HUNDRED]
    joint = {"de": "und", "nl": "en"}.get(language)
    if joint:
        joined = {f"{one}{joint}{ten}": abs(few) + many for one, few in ones for ten, many in tens}
        return {**joined, **{word.replace("eins", "ein", 1): value for word, value in joined.items()}}
    if language != "it":
        return {}
    return {(ten[:-1] if one[0] in "uo" else ten) + one: many + abs(few) for one, few in ones for ten, many in tens}


@lru_cache(maxsize=16)
def ordinals(language: str) -> dict[str, int]:
    """Ordinals from eleven on, folded, in the languages that form them of the number's word."""
    words = {fold_text(word): value for word, value in number_words(language).items() if 10 < value < HUNDRED}
    if language == "de":
        ends = ("te", "ten", "ter", "tes")
        return {f"{word}{'s' * (value >= SCORE)}{end}": value for word, value in words.items() for end in ends}
    if language == "fr":
        return {f"{word.removesuffix('e')}ieme": value for word, value in words.items()}
    if language == "en":
        irregular = {"twelve": "twelf"}
        stems = {irregular.get(word, word): value for word, value in words.items()}
        return {f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th": value for word, value in stems.items()}
    return {}


def read_number(text: str, start: int, language: str) -> SpeltNumber | None:
    """The number whose words begin at a place, as far as they go on; None where no number begins there."""
    words = number_words(language)
    total = last = 0
    end = start
    for _ in range(LONGEST):
        word, joins = _next_word(text, end if not last else end + 1, bool(last))
        value = words.get(word[0].lower(), 0) if word else 0
        if not word or not _goes_on(last, value, joins):
            break
        is_many = (value == HUNDRED and total < HUNDRED) or (value == SCORE and last == 4)
        total = max(total, 1) * value if is_many else total + abs(value)
        last, end = abs(value), word.end()
        if not BETWEEN.match(text, end):
            break
    return SpeltNumber(total, end) if last else None


def _next_word(text: str, at: int, may_join: bool) -> tuple[re.Match[str] | None, bool]:
    """The word at a place, or the one behind an "and"; and whether there was one."""
    word = WORD.match(text, at)
    if not word or not may_join or word[0].lower() not in JOINTS or not BETWEEN.match(text, word.end()):
        return word, False
    return WORD.match(text, word.end() + 1), True


def _goes_on(last: int, value: int, joins: bool) -> bool:
    """Whether a word of this value may follow the last one; "and" stands only where languages put it."""
    if not last:
        return value > 0
    if joins and last % 10:
        return False
    if value == HUNDRED:
        return last < HUNDRED
    if (last, value) == (4, SCORE) or (last == 10 and value in (7, 8, 9)):  # French: "quatre-vingt-dix-neuf"
        return not joins
    return value != 0 and last >= SCORE and abs(value) < (HUNDRED if last >= HUNDRED else SCORE)
