"""What a question asks for, so that a source that is good at it can be asked: a definition, a thing, code …

Only used to choose among sources, never to change the question. The words are in `data/question_words.txt`.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from wellsourced.data import read_lines
from wellsourced.late_pattern import late_pattern
from wellsourced.upstreams.types.search import WebQuery

FEWEST_DIGITS = 8
"""More than this are in the number of a book."""
GENERAL, SITE = "general", "site"
PAPER = "paper"
RECENT = timedelta(days=60)  # engines for news reach back about three months
QUOTED = late_pattern(r'"([^"]{1,300})"')
WORDS_OF_A_QUOTATION = 4
MOST_NAME_WORDS = 4
LONGEST = 500
WORD = late_pattern(r"[^\s\"“”„?!,;()]+")
CODE_SIGNS = late_pattern(r"\w\(\)|::|=>|\b\w+\.(?:py|js|ts|rs|go|java|cpp)\b|\b[A-Z]\w+(?:Error|Exception)\b")


def kinds_of(query: WebQuery, today: date) -> frozenset[str]:
    """What a search of the web or of the news is about."""
    kinds = set(kinds_in(query.text))
    passages = [query.exact_terms or "", *QUOTED.findall(query.text[:LONGEST])]
    if any(len(passage.split()) >= WORDS_OF_A_QUOTATION for passage in passages):
        kinds.add("quotation")
    if query.date_from and today - query.date_from > RECENT:
        kinds.add("past days")
    return frozenset(kinds)


def kinds_in(text: str) -> frozenset[str]:
    """What the words themselves tell."""
    text = text[:LONGEST]
    words = WORD.findall(text.lower())
    said = {"-".join(words[place : place + length]) for length in (1, 2, 3) for place in range(len(words))}
    kinds = {kind for kind, wanted in _word_lists().items() if any(_is_among(word, wanted) for word in said)}
    if sum(map(str.isdecimal, text)) > FEWEST_DIGITS and _has_isbn(text):
        kinds.add("book")
    if CODE_SIGNS.search(text):
        kinds.add("code")
    if _is_name(text):
        kinds.add("entity")
    return frozenset(kinds)


def _has_isbn(text: str) -> bool:
    from wellsourced.text.identifiers import find_isbn

    return bool(find_isbn(text))


def _is_name(text: str) -> bool:
    """A few words, each with a capital: a person, a company, a place."""
    words = text.split()
    return 0 < len(words) <= MOST_NAME_WORDS and all(word[0].isupper() for word in words) and text != text.upper()


def _is_among(word: str, wanted: tuple[frozenset[str], tuple[str, ...]]) -> bool:
    return word in wanted[0] or word.startswith(wanted[1])


@cache
def _word_lists() -> dict[str, tuple[frozenset[str], tuple[str, ...]]]:
    """For each kind the whole words, and the beginnings of words."""
    lists: dict[str, tuple[frozenset[str], tuple[str, ...]]] = {}
    for line in read_lines("question_words.txt"):
        kind, _, listed = line.partition(":")
        words = listed.split()
        starts = tuple(word.rstrip("*") for word in words if word.endswith("*"))
        lists[kind] = (frozenset(word for word in words if not word.endswith("*")), starts)
    return lists
