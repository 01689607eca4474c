"""A question for a database taken apart: what must occur, what must not, and what there was no room for.

Quotation marks make a phrase. A minus before a word or phrase, or NOT, says that it must not occur; OR between two says
that either will do; AND says nothing new. Words without a meaning of their own go where others have one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from wellsourced.text.terms import ENGLISH_STOP_WORDS, stop_words_of

PIECE = re.compile(r'((?<!\S)-(?=[^\W\d_]|"))?(?:"([^"]{1,200})"|([^\s"]{1,100}))')
MINUS = re.compile(r'(?<!\S)-("[^"]{1,200}"|[^\W\d_][^\s"]{0,99})')
OPERATOR = re.compile(r"(?<!\S)(?:-(?=[^\W\d_]|\")|(?:AND|OR|NOT|ANDNOT)(?!\S))")
OPERATORS = {"AND": "", "OR": "OR", "NOT": "NOT", "ANDNOT": "NOT"}

Write: TypeAlias = Callable[[str, bool], str]
"""How a database writes a term, given the words and whether they are a phrase; "" for one that it cannot search."""


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """Of each of the `wanted` one must occur."""

    wanted: tuple[tuple[str, ...], ...]
    unwanted: tuple[str, ...]
    left_out: tuple[str, ...]

    def conditions(self, either: str, field: str = "") -> list[str]:
        """The wanted as a database writes them, those of which either will do in brackets."""
        groups = [[f"{field}{term}" for term in group] for group in self.wanted]
        return [f"({f' {either} '.join(group)})" if len(group) > 1 else group[0] for group in groups]

    def notes(self, title: str) -> tuple[str, ...]:
        left_out = ", ".join(term.strip('"') for term in self.left_out)
        return (f"{title} takes only so many words at once, so it was asked without: {left_out}.",) if left_out else ()


@dataclass(frozen=True, slots=True)
class _Term:
    operator: str
    text: str
    is_idle: bool


def parse_query(text: str, write: Write, most: int) -> ParsedQuery:
    """The question in at most so many terms; those that are not wanted are kept first."""
    terms = list(dict.fromkeys(_terms(text, write)))
    has_meaning = any(not term.is_idle and term.operator != "NOT" for term in terms)
    telling = [term for term in terms if not term.is_idle or not has_meaning]
    unwanted = [term.text for term in telling if term.operator == "NOT"]
    wanted: list[tuple[str, ...]] = []
    left_out = unwanted[most:]
    places_left = most - len(unwanted)
    for term in telling:
        if term.operator == "NOT":
            continue
        places_left -= 1
        if places_left < 0:
            left_out.append(term.text)
        elif term.operator == "OR" and wanted:
            wanted[-1] += (term.text,)
        else:
            wanted.append((term.text,))
    return ParsedQuery(tuple(wanted), tuple(unwanted[:most]), tuple(left_out))


def without_unwanted(text: str) -> tuple[str, tuple[str, ...]]:
    """For those who take a question as it stands: what a minus does not exclude, and what it does."""
    idle = stop_words_of(text)
    unwanted = (" ".join(term.strip('"').rstrip(",.;:!?)").split()) for term in MINUS.findall(text))
    return MINUS.sub(" ", text).strip(), tuple(term for term in unwanted if term and term.lower() not in idle)


def without_operators(citation: str) -> str:
    """A citation for searching, in which NOT is only a word and a minus only a dash."""
    return OPERATOR.sub(lambda match: match[0].lower().lstrip("-"), citation)


def _terms(text: str, write: Write) -> Iterator[_Term]:
    """What stands in brackets after NOT is unwanted, all of it. An operator waits for a word with a meaning."""
    idle, operators = stop_words_of(text), {} if _is_shouted(text) else OPERATORS
    operator, in_brackets = "", False
    for minus, phrase, word in PIECE.findall(text):
        in_brackets = in_brackets or (operator == "NOT" and word.startswith("("))
        if (bare := word.strip("()")) in operators:
            operator = operators[bare]
        elif any(map(str.isalnum, term := write(phrase or word, bool(phrase)))):
            is_idle = not phrase and term.strip('"').lower() in idle
            yield _Term("NOT" if minus or in_brackets else operator, term, is_idle)
            operator = operator if is_idle else ""
        in_brackets = in_brackets and not word.endswith(")")


def _is_shouted(text: str) -> bool:
    """A title all in capitals holds no operators; unlike a row of acronyms it has words such as THE."""
    words = [word for word in text.split() if word.strip("()") not in OPERATORS]
    return text == text.upper() and any(word.lower() in ENGLISH_STOP_WORDS for word in words)
