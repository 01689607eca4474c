"""What a text says about a claim: the sentences nearest to it and how much of it they hold. Evidence, not judgement.

A sentence is near a claim when it has the claim's significant terms, compared as whole words in one form and as
numbers; a number of the claim counts for more, since figures are what claims turn on. Whether the text says no
somewhere near the claim is reported (`contrast`), so that it is read; what follows from it is for the reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest

from wellsourced.evidence.claim_coverage import (
    Coverage,
    TermPresence,
    Vocabulary,
    are_in_one_language,
    coverage_label,
    is_generic,
    largest_share,
)
from wellsourced.evidence.negation import opposing_clauses
from wellsourced.evidence.quantities import plain_numbers, spelt_numbers
from wellsourced.evidence.reference_lists import find_reference_lists
from wellsourced.text.languages import detect_language, word_root
from wellsourced.text.sentences import Sentence, split_sentences
from wellsourced.text.terms import comparison_keys, significant_terms, term_keys

CLAIM_LENGTH = 2000
# A long book; beyond it the time would be felt and the first part decides.
TEXT_LENGTH = 1_000_000
SHORTEST_SENTENCE = 12
SHORTEST_UNSPACED = 4
# Figures are what claims turn on.
NUMBER_BONUS = 1.5
# Below one whole word, a match is a stray pair of characters.
LEAST_WEIGHT = 1.0
KEY_SENTENCES = 5
# Share of the claim a sentence must hold before a negation in it counts.
CLOSE = 0.5
FEWEST_CLOSE = 3.0
MOST_OF_FEW = 0.65
ROOT = "~"

# A pair of characters from a script without spaces is about half a word.
UNSPACED_PAIR = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class ClaimTerm:
    """One significant term of a claim. `keys` are the forms by which it is found in a text."""

    text: str
    keys: frozenset[str]
    weight: float
    is_number: bool


@dataclass(frozen=True, slots=True)
class NearSentence:
    """A sentence, the terms of the claim that occur in it, and how much they weigh together."""

    sentence: Sentence
    matched: tuple[ClaimTerm, ...]
    score: float


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """What was found of a claim in a text.

    `key_sentences` are the nearest, in the order of the text, `signal` the nearest of all ("" when there is none).
    `share` is the part of the claim's terms that stand together in the text. `contrast` says that a sentence close to
    the claim says no where the claim does not. `missing` are the claim's terms that the text has nowhere.
    """

    key_sentences: tuple[NearSentence, ...]
    signal: str
    coverage: Coverage
    share: float
    contrast: bool
    missing: tuple[str, ...]


def find_evidence(claim: str, text: str) -> ClaimEvidence:
    """Hold a claim against a text that could be read; of a text that could not there is nothing to say."""
    claim, text = claim.strip()[:CLAIM_LENGTH], text[:TEXT_LENGTH]
    language = detect_language(text) or detect_language(claim) or ""
    wanted = claim_terms(claim, language)
    read_sentences = _split_sentences(text, language)
    near = [found for sentence, present in read_sentences if (found := _weigh_sentence(sentence, present, wanted))]
    best = nlargest(KEY_SENTENCES, near, key=lambda found: found.score)
    presences = _presences(wanted, [present for _, present in read_sentences])
    return ClaimEvidence(
        key_sentences=tuple(sorted(best, key=lambda found: found.sentence.start)),
        signal=best[0].sentence.text if best else "",
        coverage=coverage_label(
            presences, len(read_sentences), same_language=are_in_one_language(claim, text) and bool(read_sentences)
        ),
        share=round(largest_share(presences, len(read_sentences))[0], 2) if presences else 0.0,
        contrast=any(_is_opposed(found, wanted, claim, language) for found in near),
        missing=tuple(term.text for term, presence in zip(wanted, presences, strict=True) if not presence.strict),
    )


def nearest_sentence(claim: str, text: str) -> str:
    """The sentence of the text that is nearest to the claim, or "" when none has anything of it."""
    near = find_near_sentences(claim, text)
    best = max(near, key=lambda near: near.score, default=None)
    return best.sentence.text if best else ""


def find_near_sentences(claim: str, text: str) -> list[NearSentence]:
    """Every sentence that has enough of the claim, in the order of the text."""
    text = text[:TEXT_LENGTH]
    language = detect_language(text) or ""
    wanted = claim_terms(claim.strip()[:CLAIM_LENGTH], language)
    if not wanted:
        return []
    weighed = (_weigh_sentence(sentence, present, wanted) for sentence, present in _split_sentences(text, language))
    return [near for near in weighed if near is not None]


@lru_cache(maxsize=16)
def claim_terms(claim: str, language: str = "") -> tuple[ClaimTerm, ...]:
    """The terms of a claim; kept, since one claim is held against many texts."""
    return tuple(_term(text, language) for text in significant_terms(plain_numbers(claim, every_reading=False)))


def is_quotable(text: str) -> bool:
    """Long enough to say something: twelve characters, or four where a character is half a word."""
    return len(text) >= SHORTEST_SENTENCE or len(UNSPACED_PAIR.findall(text)) >= SHORTEST_UNSPACED


def _split_sentences(text: str, language: str) -> list[tuple[Sentence, frozenset[str]]]:
    """The sentences outside of lists of references, each with everything by which a term can be found in it."""
    spans = find_reference_lists(text)
    kept = (sentence for sentence in split_sentences(text) if is_quotable(sentence.text))
    return [(sentence, _keys_in(sentence.text, language)) for sentence in kept if not _is_inside(sentence, spans)]


def _is_inside(sentence: Sentence, spans: Sequence[tuple[int, int]]) -> bool:
    place = bisect_right(spans, (sentence.start, TEXT_LENGTH)) - 1
    return place >= 0 and sentence.start < spans[place][1]


def _keys_in(text: str, language: str) -> frozenset[str]:
    found = comparison_keys(plain_numbers(text))
    roots = {ROOT + word_root(key, language) for key in found} if language else set()
    return found | spelt_numbers(found) | roots


def _weigh_sentence(sentence: Sentence, present: frozenset[str], wanted: tuple[ClaimTerm, ...]) -> NearSentence | None:
    """How near a sentence is, or None when all it shares is a stray pair of characters."""
    matched = tuple(term for term in wanted if not term.keys.isdisjoint(present))
    weight = sum(term.weight for term in matched)
    if not matched or (weight < LEAST_WEIGHT and len(matched) < len(wanted)):
        return None
    bonus = NUMBER_BONUS if any(term.is_number for term in matched) else 0.0
    return NearSentence(sentence, matched, weight + bonus)


def _is_opposed(near: NearSentence, wanted: tuple[ClaimTerm, ...], claim: str, language: str) -> bool:
    """A clause of the sentence that is itself close to the claim says no."""
    if not _is_close(near.matched, wanted):
        return False
    found = (_keys_in(clause, language) for clause in opposing_clauses(near.sentence.text, claim))
    return any(_is_close([term for term in wanted if not term.keys.isdisjoint(present)], wanted) for present in found)


def _is_close(matched: Sequence[ClaimTerm], wanted: Sequence[ClaimTerm]) -> bool:
    """Half of the claim or more is there (of a short one, most), and something of it that tells it from others."""
    weight, total = sum(term.weight for term in matched), sum(term.weight for term in wanted)
    enough = max(CLOSE * total, min(FEWEST_CLOSE, MOST_OF_FEW * total))
    return weight >= enough and any(not term.is_number and not is_generic(term.keys) for term in matched)


def _presences(wanted: Sequence[ClaimTerm], read: Sequence[frozenset[str]]) -> list[TermPresence]:
    places: dict[str, list[int]] = {}
    for number, present in enumerate(read):
        for key in present:
            places.setdefault(key, []).append(number)
    vocabulary = Vocabulary(places)
    return [_presence(term, places, vocabulary) for term in wanted]


def _presence(term: ClaimTerm, places: dict[str, list[int]], vocabulary: Vocabulary) -> TermPresence:
    related = {word for key in term.keys for word in vocabulary.relatives(key.removeprefix(ROOT))} | term.keys
    strict = frozenset(place for key in term.keys for place in places.get(key, ()))
    loose = frozenset(place for key in related for place in places.get(key, ()))
    return TermPresence(term.weight, is_generic(term.keys), term.is_number, strict, loose)


def _term(text: str, language: str) -> ClaimTerm:
    is_number = text[0].isdecimal()
    found = term_keys(text)
    weight = 0.5 if UNSPACED_PAIR.match(text) else 1.0
    if is_number or weight < 1.0:
        return ClaimTerm(text, found, weight, is_number)
    roots = {ROOT + word_root(key, language) for key in found} if language else set()
    return ClaimTerm(text, found | spelt_numbers(found) | roots, weight, is_number)
