"""What a text says about a claim: the sentences nearest to it, how much of it they hold, and where they differ from it.

Sentences are found by the ranking that passages and kept documents are found by (`text/ranking.py`). The best of them
are aligned with the claim word by word; a figure, a year, a negation or a direction that differs is told with both
wordings (`differences`). Evidence, not judgement: which of the two is right is for the reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nlargest

from wellsourced.data.unit_words import UNITS
from wellsourced.evidence.claim_coverage import (
    Coverage,
    TermPresence,
    Vocabulary,
    are_in_one_language,
    coverage_label,
    is_generic,
    largest_share,
)
from wellsourced.evidence.differences import (
    Alignment,
    Difference,
    Statement,
    find_differences,
    opposite_direction,
    read_statement,
)
from wellsourced.evidence.figures import Figure, are_same, has_value
from wellsourced.evidence.negation import opposing_clauses
from wellsourced.evidence.quantities import plain_numbers
from wellsourced.evidence.quotations import Quotation, find_quotation, quoted_passage
from wellsourced.evidence.reference_lists import find_reference_lists
from wellsourced.text.index_words import RUN, fold_text
from wellsourced.text.languages import detect_language
from wellsourced.text.ranking import rank_pieces, split_words, word_stem
from wellsourced.text.sentences import Sentence, split_sentences
from wellsourced.text.terms import significant_terms

CLAIM_LENGTH = 2000
# A long book; beyond it the time would be felt and the first part decides.
TEXT_LENGTH = 1_000_000
SHORTEST_SENTENCE = 12
SHORTEST_UNSPACED = 4
KEY_SENTENCES = 5
# So many of the nearest are aligned with the claim.
ALIGNED = 8
# Words in common from which two sentences say the same.
SAME_SENTENCE = 0.8
# Share of the claim a sentence must hold before a figure or a negation in it counts.
STATES_FIGURE = 0.4
CLOSE = 0.6
FEWEST_CLOSE = 3.0
MOST_OF_FEW = 0.75
OTHER_CLAUSE = re.compile(
    r";|,? (?:while|whereas|but|although|though|während|wogegen|aber|doch|obwohl|mais|tandis que|alors que|pero"
    r"|mientras|aunque|mentre|ma|enquanto|mas|embora|terwijl|maar) ",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClaimTerm:
    """One significant term of a claim. `keys` are the forms by which it is found in a text."""

    text: str
    keys: frozenset[str]
    weight: float
    is_number: bool


@dataclass(frozen=True, slots=True)
class NearSentence:
    """A sentence and how near it is to the claim; `number` counts the sentences of the text."""

    sentence: Sentence
    score: float
    number: int


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """What was found of a claim in a text.

    `key_sentences` are the nearest, in the order of the text, `signal` the nearest of all ("" when there is none).
    `share` is the part of the claim's terms that stand together in the text. `differences` says where the nearest
    statement and the claim part, `contrast` that there is such a difference, or a sentence close to the claim that
    says no where the claim does not. `missing` are the claim's terms that the text has nowhere. `quotation` is what
    became of a passage that the claim has in quotation marks.
    """

    key_sentences: tuple[NearSentence, ...]
    signal: str
    coverage: Coverage
    share: float
    contrast: bool
    missing: tuple[str, ...]
    differences: tuple[Difference, ...] = ()
    quotation: Quotation | None = None


@dataclass(frozen=True, slots=True)
class _ReadText:
    """The sentences outside of lists of references, each with its words."""

    sentences: tuple[Sentence, ...]
    words: tuple[list[str], ...]
    language: str
    vocabulary: frozenset[str]

    def statement(self, number: int) -> Statement:
        return read_statement(self.sentences[number].text, self.language)


def find_evidence(claim: str, text: str) -> ClaimEvidence:
    """Hold a claim against a text that could be read; of a text that could not there is nothing to say."""
    claim = claim.strip()[:CLAIM_LENGTH]
    read = _read_text(text[:TEXT_LENGTH], claim)
    near = _near_sentences(claim, read)
    best = nlargest(max(ALIGNED, 2 * KEY_SENTENCES), near, key=lambda found: found.score)
    chosen = _different_sentences(best, read)[:KEY_SENTENCES]
    same_language = are_in_one_language(claim, text) or _shares_words(claim, read)
    aligned = _align(claim, best[:ALIGNED], read, same_language)
    passage = quoted_passage(claim)
    quotation = find_quotation(passage, text[:TEXT_LENGTH], claim) if passage else None
    differences = list(quotation.differences) if quotation else _told_differences(aligned)
    terms = claim_terms(claim, read.language)
    presences = _presences(terms, read, best)
    coverage = coverage_label(presences, len(read.words), same_language=same_language and bool(read.words))
    return ClaimEvidence(
        key_sentences=tuple(sorted(chosen, key=lambda found: found.sentence.start)),
        signal=best[0].sentence.text if best else "",
        coverage=_of_quotation(quotation) if quotation else _lowered(coverage, aligned, differences),
        share=round(largest_share(presences, len(read.words))[0], 2) if presences else 0.0,
        contrast=bool(differences),
        missing=tuple(term.text for term, presence in zip(terms, presences, strict=True) if not presence.strict),
        differences=tuple(differences),
        quotation=quotation,
    )


def _of_quotation(quotation: Quotation) -> Coverage:
    """A quotation is addressed where it stands as it is quoted, and by whom; one that is not found says little."""
    is_there = quotation.status in ("word_for_word", "marked_changes") and not quotation.differences
    return "addressed" if is_there else "partially_addressed"


def nearest_sentence(claim: str, text: str) -> str:
    """The sentence of the text that is nearest to the claim, or "" when none has anything of it."""
    best = max(find_near_sentences(claim, text), key=lambda near: near.score, default=None)
    return best.sentence.text if best else ""


def find_near_sentences(claim: str, text: str) -> list[NearSentence]:
    """Every sentence that has enough of the claim, in the order of the text."""
    claim = claim.strip()[:CLAIM_LENGTH]
    return _near_sentences(claim, _read_text(text[:TEXT_LENGTH], claim))


@lru_cache(maxsize=16)
def claim_terms(claim: str, language: str = "") -> tuple[ClaimTerm, ...]:
    """The terms of a claim; kept, since one claim is held against many texts."""
    terms = significant_terms(plain_numbers(claim, every_reading=False))
    has_figures = any(text[0].isdecimal() for text in terms)
    return tuple(_term(text, language) for text in terms if not has_figures or text not in UNITS)


def is_quotable(text: str) -> bool:
    """Long enough to say something: twelve characters, or four where a character is half a word."""
    return len(text) >= SHORTEST_SENTENCE or sum(map(len, RUN.findall(text))) >= SHORTEST_UNSPACED


def _read_text(text: str, claim: str) -> _ReadText:
    read = _split_text(text)
    return read if read.language else replace(read, language=detect_language(claim) or "en")


@lru_cache(maxsize=4)
def _split_text(text: str) -> _ReadText:
    """Kept for a moment, since one page is held against several claims."""
    spans = find_reference_lists(text)
    kept = (sentence for sentence in split_sentences(text) if is_quotable(sentence.text))
    sentences = tuple(sentence for sentence in kept if not _is_inside(sentence, spans))
    words = tuple(split_words(sentence.text) for sentence in sentences)
    return _ReadText(sentences, words, detect_language(text) or "", frozenset().union(*words))


def _is_inside(sentence: Sentence, spans: Sequence[tuple[int, int]]) -> bool:
    place = bisect_right(spans, (sentence.start, TEXT_LENGTH)) - 1
    return place >= 0 and sentence.start < spans[place][1]


def _shares_words(claim: str, read: _ReadText) -> bool:
    """Half of the claim's words are the text's too: a few short words gave the wrong language away."""
    words = {word for word in split_words(claim) if not word.isdecimal()}
    found = words & read.vocabulary
    return 2 * len(found) > len(words)


def _near_sentences(claim: str, read: _ReadText) -> list[NearSentence]:
    if not significant_terms(claim):
        return []
    texts = [sentence.text for sentence in read.sentences]
    ranked = rank_pieces(claim, texts, words=read.words, in_order=True, language=read.language)
    return [
        NearSentence(sentence, each.score, number)
        for number, (sentence, each) in enumerate(zip(read.sentences, ranked, strict=True))
        if each.is_near
    ]


def _different_sentences(best: Sequence[NearSentence], read: _ReadText) -> list[NearSentence]:
    """Without those that say what a better one says in the same words."""
    chosen: list[NearSentence] = []
    for near in best:
        words = set(read.words[near.number])
        others = (set(read.words[other.number]) for other in chosen)
        if not any(len(words & other) >= SAME_SENTENCE * len(words | other) for other in others):
            chosen.append(near)
    return chosen


def _align(claim: str, best: Sequence[NearSentence], read: _ReadText, same_language: bool) -> list[Alignment]:
    """The claim beside each of the nearest sentences, the one that holds most of it first."""
    statement = read_statement(claim, read.language if same_language else "")
    found = (_align_closest(statement, read, near.number) for near in best)
    return sorted(found, key=lambda each: -each.share)


def _align_closest(claim: Statement, read: _ReadText, number: int) -> Alignment:
    """With the one clause that holds as much as the whole sentence, where there is one."""
    before = read.statement(number - 1) if number else None
    whole = Alignment(claim, read.statement(number), before)
    clauses = [part for part in OTHER_CLAUSE.split(whole.sentence.text) if len(part) > SHORTEST_SENTENCE]
    if len(clauses) < 2:
        return whole
    parts = (Alignment(claim, read_statement(part, read.language), before) for part in clauses)
    return next((part for part in parts if part.share >= whole.share), whole)


def _told_differences(aligned: Sequence[Alignment]) -> list[Difference]:
    """Those of the sentence that holds most of the claim, unless another that holds as much states it as it is."""
    if not aligned:
        return []
    differing = [
        find_differences(each, lambda figure: _is_stated(figure, aligned)) for each in aligned if each.is_close()
    ]
    as_near = [each for each in aligned if each.share >= aligned[0].share and each.is_close()]
    if differing and differing[0] and all(differing[: len(as_near)]):
        return differing[0]
    return list(_denials(aligned)) if not differing or not differing[0] else []


def _is_stated(figure: Figure, aligned: Sequence[Alignment]) -> bool:
    near = (each.sentence for each in aligned if each.share >= STATES_FIGURE)
    return any(are_same(figure, other) for sentence in near for other in sentence.figures)


def _denials(aligned: Sequence[Alignment]) -> Iterator[Difference]:
    """A clause that is itself close to the claim says no in so many words, in any language with known cues."""
    for each in aligned:
        if not _is_close(each):
            continue
        for clause in opposing_clauses(each.sentence.text, each.claim.text):
            beside = Alignment(each.claim, read_statement(clause, each.sentence.language))
            if _is_close(beside) and not opposite_direction(beside):
                yield Difference("negation", "", clause.strip()[:200])
                return


def _is_close(alignment: Alignment) -> bool:
    """Half of the claim or more is there (of a short one, most), and something of it that tells it from others."""
    total, held = len(alignment.frame), alignment.held
    enough = max(CLOSE * total, min(FEWEST_CLOSE, MOST_OF_FEW * total))
    return len(held) >= enough and any(not is_generic(frozenset({word.stem})) for word in held)


def _lowered(coverage: Coverage, aligned: Sequence[Alignment], differences: Sequence[Difference]) -> Coverage:
    """A claim is addressed only where nothing differs and its figures and names stand near each other."""
    if coverage != "addressed" or not aligned:
        return coverage
    claim = aligned[0].claim
    figures = all(_is_stated(figure, aligned) for figure in claim.figures)
    named = [word for word in claim.words if word.is_name]
    names = all(any(each.holds(word) or word.stem in each.around for each in aligned) for word in named)
    return "addressed" if figures and names and not differences else "partially_addressed"


def _presences(terms: Sequence[ClaimTerm], read: _ReadText, best: Sequence[NearSentence]) -> list[TermPresence]:
    """Where the terms stand; only the words that can be one of them are looked up, which keeps it quick."""
    vocabulary = Vocabulary(read.vocabulary)
    keys = frozenset().union(*(term.keys for term in terms)) if terms else frozenset()
    same: dict[str, set[str]] = {}
    for word in read.vocabulary:
        for stem in keys.intersection((word_stem(word, read.language), word_stem(word, ""))):
            same.setdefault(stem, set()).add(word)
    strict = [frozenset().union(*(same.get(key, ()) for key in term.keys)) for term in terms]
    loose = [
        words.union(*(vocabulary.relatives(key) for key in term.keys))
        for term, words in zip(terms, strict, strict=True)
    ]
    places = _places(read, frozenset().union(*loose))
    return [
        _number_presence(term, found, read, best)
        if term.is_number
        else TermPresence(term.weight, is_generic(term.keys), False, found, _places_of(others, places))
        for term, words, others in zip(terms, strict, loose, strict=True)
        for found in [_places_of(words, places)]
    ]


def _places(read: _ReadText, wanted: frozenset[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for number, words in enumerate(read.words):
        for word in wanted.intersection(words):
            places.setdefault(word, []).append(number)
    return places


def _places_of(words: frozenset[str], places: dict[str, list[int]]) -> frozenset[int]:
    return frozenset(place for word in words for place in places.get(word, ()))


def _number_presence(
    term: ClaimTerm, found: frozenset[int], read: _ReadText, best: Sequence[NearSentence]
) -> TermPresence:
    """Numbers are read as figures in the nearest sentences only, since that takes longer than splitting words."""
    try:
        value = float(term.text)
    except ValueError:
        value = float("nan")
    numbers = [near.number for near in best]
    held = {number for number in numbers if any(has_value(f, value) for f in read.statement(number).figures)}
    return TermPresence(term.weight, False, True, found | held, found | held)


def _term(text: str, language: str) -> ClaimTerm:
    folded = fold_text(text)
    weight = 0.5 if RUN.match(folded) else 1.0
    return ClaimTerm(text, frozenset({word_stem(folded, language), word_stem(folded, "")}), weight, text[0].isdecimal())
