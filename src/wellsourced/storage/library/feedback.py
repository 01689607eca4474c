"""A second look at the documents found for a question: those that speak as the best of them do come forward.

The words that the best three use and most others do not say more of the subject than a question's few; a small weight
of them is added to each score. It helps where many documents answer a question and costs a little where one does: on
PIAF's paragraphs and PubMedQA's abstracts .0016 and .0015 of nDCG@10 with the weight below, .005 and .003 with twice
of it. Those two sets would do without it; no set with many right documents that may be learnt from was at hand, so the
weight is kept small rather than tuned. Only the beginnings of the texts are read, so the time is bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

from wellsourced.storage.library.postings import K1
from wellsourced.storage.library.store import RankedDocument
from wellsourced.text.piece_words import split_words, word_stem
from wellsourced.text.terms import STOP_WORDS

BEST = 3
FEWEST = 2 * BEST
MOST_TERMS = 50
WEIGHT = 0.15
SHORT_B = 0.5  # only beginnings are read, which differ less in length than whole texts
READ = 6_000  # characters of each text


def reorder(found: Sequence[RankedDocument], texts: Mapping[int, str], asked: frozenset[str]) -> list[RankedDocument]:
    """The documents with the likeliest first; `asked` are the stems of the question, which counted already."""
    if len(found) < FEWEST or found[0].score <= 0:
        return list(found)
    counts = [_count_words(each.about.title, texts.get(each.body, "")) for each in found]
    added = _score_by(_telling_words(counts, asked), counts)
    most = max(added) or 1.0
    scores = [each.score / found[0].score + WEIGHT * more / most for each, more in zip(found, added, strict=True)]
    return [found[place] for place in sorted(range(len(found)), key=lambda place: -scores[place])]


def stems_of(text: str) -> list[str]:
    return [word_stem(word, "en") for word in split_words(text) if len(word) > 1 and word not in STOP_WORDS]


def _count_words(title: str, text: str) -> Counter[str]:
    """A title counts twice. Words are counted before they are stemmed, since most of a text's occur again."""
    counts: Counter[str] = Counter()
    for word, often in Counter(split_words(f"{title}\n{title}\n{text[:READ]}")).items():
        if len(word) > 1 and word not in STOP_WORDS:
            counts[word_stem(word, "en")] += often
    return counts


def _telling_words(counts: Sequence[Counter[str]], asked: frozenset[str]) -> dict[str, float]:
    """The words by which the best documents differ from the others, with their weights."""
    holding = _holding(counts)
    weights: Counter[str] = Counter()
    for words in counts[:BEST]:
        length = words.total() or 1
        for word, count in words.items():
            if word not in asked and holding[word] > 1 and not word.isdecimal():
                weights[word] += count / length * log(len(counts) / holding[word] + 1)  # type: ignore[assignment]
    return dict(weights.most_common(MOST_TERMS))


def _score_by(weights: Mapping[str, float], counts: Sequence[Counter[str]]) -> list[float]:
    holding = _holding(counts)
    lengths = [words.total() for words in counts]
    usual = sum(lengths) / len(lengths) or 1.0
    rarity = {word: log(1 + (len(counts) - holding[word] + 0.5) / (holding[word] + 0.5)) for word in weights}
    return [
        sum(
            weight
            * rarity[word]
            * words[word]
            * (K1 + 1)
            / (words[word] + K1 * (1 - SHORT_B + SHORT_B * length / usual))
            for word, weight in weights.items()
            if words[word]
        )
        for words, length in zip(counts, lengths, strict=True)
    ]


def _holding(counts: Sequence[Counter[str]]) -> Counter[str]:
    return Counter(word for words in counts for word in words)
