"""What a text says about a claim: the sentences nearest to it. Evidence, never a judgement.

A sentence is near a claim when it has the claim's significant terms, compared as whole words in one form and as
numbers; a number of the claim counts for more, since figures are what claims turn on. Nothing here tells whether a
sentence speaks for or against the claim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from wellsourced.text.sentences import Sentence, sentences
from wellsourced.text.terms import keys, keys_of_term, terms

CLAIM_LENGTH = 2000
TEXT_LENGTH = 1_000_000
SHORTEST_SENTENCE = 12
SHORTEST_UNSPACED = 4
NUMBER_BONUS = 1.5
LEAST_WEIGHT = 1.0

# A pair of characters from a script without spaces is about half a word.
UNSPACED_PAIR = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Term:
    """One significant term of a claim. `keys` are the forms by which it is found in a text."""

    text: str
    keys: frozenset[str]
    weight: float
    is_number: bool


@dataclass(frozen=True, slots=True)
class Nearness:
    """A sentence, the terms of the claim that occur in it, and how much they weigh together."""

    sentence: Sentence
    matched: tuple[Term, ...]
    score: float


def signal(claim: str, text: str) -> str:
    """The sentence of the text that is nearest to the claim, or "" when none has anything of it."""
    found = near_sentences(claim, text)
    best = max(found, key=lambda near: near.score, default=None)
    return best.sentence.text if best else ""


def near_sentences(claim: str, text: str) -> list[Nearness]:
    """Every sentence that has enough of the claim, in the order of the text."""
    wanted = claim_terms(claim.strip()[:CLAIM_LENGTH])
    if not wanted:
        return []
    weighed = (weigh(sentence, wanted) for sentence in sentences(text[:TEXT_LENGTH]) if is_quotable(sentence.text))
    return [near for near in weighed if near is not None]


@lru_cache(maxsize=16)
def claim_terms(claim: str) -> tuple[Term, ...]:
    """The terms of a claim; kept, since one claim is held against many texts."""
    return tuple(_term(text) for text in terms(claim))


def weigh(sentence: Sentence, wanted: tuple[Term, ...]) -> Nearness | None:
    """How near a sentence is, or None when all it shares is a stray pair of characters."""
    present = keys(sentence.text)
    matched = tuple(term for term in wanted if not term.keys.isdisjoint(present))
    weight = sum(term.weight for term in matched)
    if not matched or (weight < LEAST_WEIGHT and len(matched) < len(wanted)):
        return None
    bonus = NUMBER_BONUS if any(term.is_number for term in matched) else 0.0
    return Nearness(sentence, matched, weight + bonus)


def is_quotable(text: str) -> bool:
    """Long enough to say something: twelve characters, or four where a character is half a word."""
    return len(text) >= SHORTEST_SENTENCE or len(UNSPACED_PAIR.findall(text)) >= SHORTEST_UNSPACED


def _term(text: str) -> Term:
    is_number = text[0].isdecimal()
    return Term(text, keys_of_term(text), 0.5 if UNSPACED_PAIR.match(text) else 1.0, is_number)
