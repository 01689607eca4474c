"""What a text says about a claim: the sentences nearest to it, how much of it they hold, and where they differ from it.

Sentences are found by the ranking that passages and kept documents are found by (`text/ranking.py`). The best of them
are aligned with the claim word by word; a figure, a year, a negation or a direction that differs is reported with both
wordings (`differences`). Evidence, not judgement: which of the two is right is for the reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Literal, TypeAlias

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
from wellsourced.evidence.difference import Difference
from wellsourced.evidence.differences import COMPARED, find_differences, has_other_words, is_turned
from wellsourced.evidence.direction_differences import opposite_direction
from wellsourced.evidence.figures import Figure, are_same, has_value
from wellsourced.evidence.negation import opposing_clauses, says_no_to
from wellsourced.evidence.quantities import plain_numbers
from wellsourced.evidence.quotations import Quotation, find_quotation, quoted_passage
from wellsourced.evidence.reference_lists import find_reference_lists
from wellsourced.evidence.statements import TIGHT_FRAME, Alignment, Statement, read_statement
from wellsourced.late_pattern import late_pattern
from wellsourced.text.index_words import RUN, fold_text
from wellsourced.text.languages import detect_language
from wellsourced.text.piece_words import PieceWords, split_words, word_stem
from wellsourced.text.ranking import rank_pieces
from wellsourced.text.sentences import Sentence, split_sentences
from wellsourced.text.terms import significant_terms

Stance: TypeAlias = Literal["states", "differs", "near"]
FoundDifferences: TypeAlias = dict[int, tuple[Difference, ...]]
"""By the numbers of the sentences, the one that holds most of the claim first."""

CLAIM_LENGTH = 2000
# A long book; beyond it the time would be felt and the first part decides.
TEXT_LENGTH = 1_000_000
SHORTEST_SENTENCE = 12
SHORTEST_UNSPACED = 4
KEY_SENTENCES = 5
# So many of the nearest are aligned with the claim.
ALIGNED = 6
# Words in common from which two sentences say the same.
SAME_SENTENCE = 0.8
# Share of the claim a sentence must hold before a figure or a negation in it counts.
STATES_FIGURE = 0.4
CLOSE = 0.6
FEWEST_CLOSE = 3.0
MOST_OF_FEW = 0.75
OTHER_CLAUSE = late_pattern(
    r";|,? (?:while|whereas|but|although|though|während|wogegen|aber|doch|obwohl|mais|tandis que|alors que|pero"
    r"|mientras|aunque|mentre|ma|enquanto|mas|embora|terwijl|maar) "
    r"|,? (?:and|und|et|y|e|en)(?= (?:no|kein\w*|aucun\w*|ning[uú]n\w*|nessun\w*|nenhum\w*|geen|(?:\w+ )?ne) )",
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
    """A sentence and how near it is to the claim; `number` counts the sentences of the text.

    `stance` says whether it states the claim, states it with the `differences`, or only comes near it.
    """

    sentence: Sentence
    score: float
    number: int
    stance: Stance = "near"
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """What was found of a claim in a text.

    `key_sentences` are the nearest, in the order of the text, `signal` the nearest of all ("" when there is none).
    `share` is the part of the claim's terms that stand together in the text. `differences` says where the nearest
    statement and the claim part, `contrast` that there is such a difference, or a sentence close to the claim that
    says no where the claim does not. `missing` are the claim's terms that the text has nowhere. `quotation` is what
    became of a passage that the claim has in quotation marks. `note` says what could not be compared.
    """

    key_sentences: tuple[NearSentence, ...]
    signal: str
    coverage: Coverage
    share: float
    contrast: bool
    missing: tuple[str, ...]
    differences: tuple[Difference, ...] = ()
    quotation: Quotation | None = None
    note: str = ""


@dataclass(frozen=True)
class _ReadText:
    """The sentences outside of lists of references, each with its words."""

    sentences: tuple[Sentence, ...]
    words: PieceWords
    language: str

    def statement(self, number: int) -> Statement:
        return read_statement(self.sentences[number].text, self.language)


@dataclass(frozen=True, slots=True)
class _Aligned:
    """A near sentence, laid beside the claim."""

    near: NearSentence
    alignment: Alignment

    @property
    def share(self) -> float:
        return self.alignment.share


def find_evidence(claim: str, text: str, quote: str = "") -> ClaimEvidence:
    """Hold a claim or a quotation against a text that could be read; of one that could not there is nothing to say."""
    claim, text = (claim.strip() or quote.strip())[:CLAIM_LENGTH], text[:TEXT_LENGTH]
    read = _read_text(text, claim)
    best = _nearest_sentences(claim, read, 2 * KEY_SENTENCES)
    same_language = are_in_one_language(claim, text) or _shares_words(claim, read)
    aligned = _align(claim, best[:ALIGNED], read, same_language)
    quotation = _find_quotation(claim, text, quote.strip()[:CLAIM_LENGTH])
    found = {} if quotation else _all_differences(aligned)
    by_sentence = {} if quotation else _told_differences(aligned, found)
    differences = quotation.differences if quotation else next(iter(by_sentence.values()), ())
    terms = claim_terms(claim, read.language)
    presences = _presences(terms, read, best)
    loosely = partial(_loose_presences, terms, presences, read) if same_language and read.sentences else None
    share = largest_share(presences, len(read.sentences)) if presences else (0.0, False)
    coverage = coverage_label(presences, len(read.sentences), share, loosely)
    if quotation:
        marked = _mark_quotation(best, quotation, read)
    else:
        marked = [_mark(near, aligned, by_sentence, found) for near in best]
    return ClaimEvidence(
        key_sentences=_key_sentences(marked, read),
        signal=best[0].sentence.text if best else "",
        coverage=_of_quotation(quotation) if quotation else _lowered(coverage, aligned, differences),
        share=round(share[0], 2),
        contrast=quotation.is_contrast if quotation else bool(differences),
        missing=tuple(term.text for term, presence in zip(terms, presences, strict=True) if not presence.places),
        differences=differences,
        quotation=quotation,
        note=_comparison_note(read, same_language) if best else "",
    )


def _find_quotation(claim: str, text: str, quote: str) -> Quotation | None:
    passage = quote or quoted_passage(claim)
    return find_quotation(passage, text, claim) if passage else None


def _comparison_note(read: _ReadText, same_language: bool) -> str:
    """What could not be compared, in words; "" where all could."""
    if not same_language:
        return "Claim and source are in different languages: only shared words, names and figures were compared."
    if read.language in COMPARED:
        return ""
    return f"Only the words and figures were compared: negation and direction are not aligned in “{read.language}”."


def _mark_quotation(best: Sequence[NearSentence], quotation: Quotation, read: _ReadText) -> list[NearSentence]:
    """The nearest sentences, before them the one that holds the quotation."""
    if quotation.status == "not_found" or not read.sentences:
        return list(best)
    starts = [sentence.start for sentence in read.sentences]
    number = max(0, bisect_right(starts, quotation.start) - 1)
    score = 1 + max((near.score for near in best), default=0.0)
    stance: Stance = "differs" if quotation.differences else "states"
    holding = NearSentence(read.sentences[number], score, number, stance, quotation.differences)
    return [holding, *(near for near in best if near.number != number)]


def _mark(
    near: NearSentence, aligned: Sequence[_Aligned], by_sentence: FoundDifferences, found: FoundDifferences
) -> NearSentence:
    """With what it says of the claim: "states" only where it holds nearly all of it and nothing differs."""
    if near.number in by_sentence:
        return replace(near, stance="differs", differences=by_sentence[near.number])
    beside = next((each.alignment for each in aligned if each.near is near), None)
    if beside is None or not beside.is_close(TIGHT_FRAME) or not beside.holds_names():
        return near
    # Where it holds the figures, what was found of it does not depend on other sentences.
    is_plain = (
        beside.holds_figures()
        and not found.get(near.number)
        and not is_turned(beside)
        and not has_other_words(beside)
        and not _denial(beside)
    )
    return replace(near, stance="states") if is_plain else near


def _key_sentences(marked: Sequence[NearSentence], read: _ReadText) -> tuple[NearSentence, ...]:
    """The nearest, those that differ among them, no two with the same words, in the order of the text."""
    ordered = sorted(marked, key=lambda near: near.stance != "differs")
    chosen = islice(_different_sentences(ordered, read), KEY_SENTENCES)
    return tuple(sorted(chosen, key=lambda near: near.sentence.start))


def _of_quotation(quotation: Quotation) -> Coverage:
    """A quotation is addressed where it stands as it is quoted, and by whom; one that is not found says little."""
    is_there = quotation.status in ("word_for_word", "marked_changes") and not quotation.differences
    return "addressed" if is_there else "partially_addressed"


def nearest_sentence(claim: str, text: str) -> str:
    """The sentence of the text that is nearest to the claim, or "" when none has anything of it."""
    claim = claim.strip()[:CLAIM_LENGTH]
    best = _nearest_sentences(claim, _read_text(text[:TEXT_LENGTH], claim), 1)
    return best[0].sentence.text if best else ""


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
    words = PieceWords([sentence.text for sentence in sentences])
    return _ReadText(sentences, words, detect_language(text) or "")


def _is_inside(sentence: Sentence, spans: Sequence[tuple[int, int]]) -> bool:
    place = bisect_right(spans, (sentence.start, TEXT_LENGTH)) - 1
    return place >= 0 and sentence.start < spans[place][1]


def _shares_words(claim: str, read: _ReadText) -> bool:
    """Half of the claim's words are the text's too: a few short words gave the wrong language away."""
    words = list({word for word in split_words(claim) if not word.isdecimal()})
    return 2 * sum(map(bool, read.words.pieces_with([[word] for word in words]))) > len(words)


def _nearest_sentences(claim: str, read: _ReadText, count: int) -> list[NearSentence]:
    """The best of those that have enough of the claim, the nearest first."""
    if not claim_terms(claim, read.language):
        return []
    texts = [sentence.text for sentence in read.sentences]
    ranked = rank_pieces(claim, texts, words=read.words, in_order=True, language=read.language)
    near = (number for number, each in enumerate(ranked) if each.is_near)
    # A sentence that a page repeats must not take the place of another one: its best place counts.
    once: dict[str, int] = {}
    for number in sorted(near, key=lambda number: -ranked[number].score):
        once.setdefault(texts[number], number)
        if len(once) == count:
            break
    return [NearSentence(read.sentences[number], ranked[number].score, number) for number in once.values()]


def _different_sentences(best: Sequence[NearSentence], read: _ReadText) -> Iterator[NearSentence]:
    """Without those that say what a better one says in the same words."""
    chosen: list[set[str]] = []
    for near in best:
        words = set(read.words.words_of(near.number))
        if not any(len(words & other) >= SAME_SENTENCE * len(words | other) for other in chosen):
            chosen.append(words)
            yield near


def _align(claim: str, best: Sequence[NearSentence], read: _ReadText, same_language: bool) -> list[_Aligned]:
    """The claim beside each of the nearest sentences, the one that holds most of it first."""
    statement = read_statement(claim, read.language if same_language else "")
    found = (_Aligned(near, _align_closest(statement, read, near.number)) for near in best)
    return sorted(found, key=lambda each: -each.share)


def _align_closest(claim: Statement, read: _ReadText, number: int) -> Alignment:
    """With the one clause that holds as much as the whole sentence, where there is one."""
    before = partial(read.words.words_of, number - 1) if number else tuple
    whole = Alignment(claim, read.statement(number), before)
    if whole.share < STATES_FIGURE:
        return whole
    clauses = [part for part in OTHER_CLAUSE.split(whole.sentence.text) if len(part) > SHORTEST_SENTENCE]
    if len(clauses) < 2:
        return whole
    parts = (Alignment(claim, read_statement(part, read.language), before) for part in clauses)
    return next((part for part in parts if part.share >= whole.share), whole)


def _all_differences(aligned: Sequence[_Aligned]) -> FoundDifferences:
    """What differs in each sentence that is close to the claim, if anything does."""
    close = (each for each in aligned if each.alignment.is_close())
    return {
        each.near.number: tuple(find_differences(each.alignment, lambda figure: _is_stated(figure, aligned)))
        for each in close
    }


def _told_differences(aligned: Sequence[_Aligned], found: FoundDifferences) -> FoundDifferences:
    """Those of the sentence that holds most of the claim, unless another that holds as much states it as it is."""
    differing = {number: own for number, own in found.items() if own}
    if differing and next(iter(found)) in differing:
        as_near = [each for each in aligned if each.share >= aligned[0].share and each.near.number in found]
        plain = [each.alignment for each in as_near if each.near.number not in differing]
        is_figure = next(iter(differing.values()))[0].kind in ("figure", "year", "unit")
        # One that has none of the claim's figures does not state it.
        return {} if any(each.holds_figures() or not is_figure for each in plain) else differing
    denials = ((each.near.number, _denial(each.alignment)) for each in aligned)
    return next(({number: (denial,)} for number, denial in denials if denial), {})


def _is_stated(figure: Figure, aligned: Sequence[_Aligned]) -> bool:
    near = (each.alignment.sentence for each in aligned if each.share >= STATES_FIGURE)
    return any(are_same(figure, other) for sentence in near for other in sentence.figures)


@lru_cache(maxsize=2 * ALIGNED)
def _denial(alignment: Alignment) -> Difference | None:
    """A clause that is itself close to the claim says no in so many words, in any language with known cues."""
    if not _is_close(alignment):
        return None
    for clause in opposing_clauses(alignment.sentence.text, alignment.claim.text):
        beside = Alignment(alignment.claim, read_statement(clause, alignment.sentence.language))
        if _is_close(beside) and says_no_to(beside) and not opposite_direction(beside):
            return Difference("negation", "", clause.strip()[:200])
    return None


def _is_close(alignment: Alignment) -> bool:
    """Half of the claim or more is there (of a short one, most), and something of it that tells it from others."""
    total, held = len(alignment.frame), alignment.held
    enough = max(CLOSE * total, min(FEWEST_CLOSE, MOST_OF_FEW * total))
    return len(held) >= enough and any(not is_generic(frozenset({word.stem})) for word in held)


def _lowered(coverage: Coverage, aligned: Sequence[_Aligned], differences: Sequence[Difference]) -> Coverage:
    """A claim is addressed only where nothing differs or is turned, and its figures and names stand near each other."""
    if coverage != "addressed" or not aligned:
        return coverage
    sides = [each.alignment for each in aligned]
    claim = sides[0].claim
    figures = all(_is_stated(figure, aligned) for figure in claim.figures)
    named = (word for word in claim.words if word.is_name)
    names = all(any(each.holds(word) or word.stem in each.around for each in sides) for word in named)
    is_stated = figures and names and not differences and not _is_turned_where_closest(sides)
    return "addressed" if is_stated else "partially_addressed"


def _is_turned_where_closest(sides: Sequence[Alignment]) -> bool:
    """Whether every sentence that holds as much of the claim as any, its figures included, turns it."""
    holding = [each for each in sides if each.is_close(TIGHT_FRAME) and each.holds_figures()]
    return bool(holding) and all(is_turned(each) for each in holding if each.share >= holding[0].share)


def _presences(terms: Sequence[ClaimTerm], read: _ReadText, best: Sequence[NearSentence]) -> list[TermPresence]:
    """Where the terms stand, in any of their forms."""
    places = read.words.pieces_with([term.keys for term in terms], {read.language, "en"})
    return [
        TermPresence(
            term.weight,
            is_generic(term.keys) and not term.is_number,
            term.is_number,
            own | _places_of_figure(term, read, [near for near in best[:ALIGNED] if near.number not in own])
            if term.is_number
            else own,
        )
        for term, own in zip(terms, places, strict=True)
    ]


def _places_of_figure(term: ClaimTerm, read: _ReadText, best: Sequence[NearSentence]) -> set[int]:
    """Numbers are read as figures in the nearest sentences only, since that takes longer than splitting words."""
    try:
        value = float(term.text)
    except ValueError:
        return set()
    return {near.number for near in best if any(has_value(f, value) for f in read.statement(near.number).figures)}


def _loose_presences(
    terms: Sequence[ClaimTerm], presences: Sequence[TermPresence], read: _ReadText
) -> list[TermPresence]:
    """The same with words of the same family and parts of compounds."""
    vocabulary = Vocabulary(read.words.vocabulary)
    families = [{word for key in term.keys for word in vocabulary.relatives(key)} for term in terms]
    return [
        presence if term.is_number else replace(presence, places=presence.places | related)
        for term, presence, related in zip(terms, presences, read.words.pieces_with(families), strict=True)
    ]


def _term(text: str, language: str) -> ClaimTerm:
    folded = fold_text(text)
    weight = 0.5 if RUN.match(folded) else 1.0
    return ClaimTerm(text, frozenset({word_stem(folded, language), word_stem(folded, "")}), weight, text[0].isdecimal())
