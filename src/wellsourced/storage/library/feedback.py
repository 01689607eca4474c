"""A second look at the documents found for a question: those that speak as the best of them do come forward.

The words that the best three use and most others do not say more of the subject than a question's few; a small weight
of them is added to each score. It helps where many documents answer a question and costs a little where one does: on
PIAF's paragraphs and PubMedQA's abstracts .0016 and .0015 of nDCG@10 with the weight below, .005 and .003 with twice
of it. Those two sets would do without it; no set with many right documents that may be learnt from was at hand, so the
weight is kept small rather than tuned. Only the beginnings of the texts are read, so the time is bounded. Endings are
left on the words: without them the order was no better on three sets, and took half as long again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from wellsourced.storage.library.rows import unpacked_beginning
from wellsourced.storage.library.scoring import K1
from wellsourced.storage.library.store import RankedDocument
from wellsourced.text.index_words import index_words
from wellsourced.text.spaced_words import SpacedWords, find_numbers
from wellsourced.text.terms import STOP_WORDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]

BEST = 3
FEWEST = 2 * BEST
MOST_TERMS = 50
WEIGHT = 0.15
SHORT_B = 0.5  # only beginnings are read, which differ less in length than whole texts
READ = 2_500  # characters of each text


def reorder(
    found: Sequence[RankedDocument], packed: Mapping[int, bytes], asked: frozenset[str]
) -> list[RankedDocument]:
    """The documents with the likeliest first; `packed` are the beginnings of their texts as they are kept, `asked` the
    words of the question, which counted already."""
    if len(found) < FEWEST or found[0].score <= 0:
        return list(found)
    # A title counts twice.
    pieces = [
        f"{each.about.title}\n{each.about.title}\n{unpacked_beginning(packed[each.body], READ)}" for each in found
    ]
    counts, lengths = _count_words(pieces, asked)
    added = _score_by(counts, lengths).tolist()
    most = max(added) or 1.0
    scores = [each.score / found[0].score + WEIGHT * more / most for each, more in zip(found, added, strict=True)]
    return [found[place] for place in sorted(range(len(found)), key=lambda place: -scores[place])]


def _count_words(pieces: Sequence[str], asked: frozenset[str]) -> tuple[Floats, Floats]:
    """How often each piece, a row, holds each word that the best of them use; and how long each is."""
    import numpy as np

    used = dict.fromkeys(chain.from_iterable(map(index_words, pieces[:BEST])))
    telling = [w for w in used if w not in STOP_WORDS and w not in asked and len(w) > 1 and not w.isdecimal()]
    words, width = SpacedWords.of(pieces), len(telling) + 1
    columns = find_numbers(SpacedWords.of_spaced([f"{' '.join(telling)} ".encode()]).numbers(), words.numbers())
    cells = np.repeat(np.arange(len(pieces)) * width, words.counts) + columns
    often = np.bincount(cells, minlength=len(pieces) * width).reshape(len(pieces), width)
    return often[:, 1:].astype(np.float64), words.counts.astype(np.float64)


def _score_by(counts: Floats, lengths: Floats) -> Floats:
    """By the words that tell the best from the others, the most telling ones alone."""
    import numpy as np

    holding = np.count_nonzero(counts, axis=0)
    weights = (counts[:BEST] / np.maximum(lengths[:BEST, None], 1)).sum(axis=0) * np.log(len(counts) / holding + 1)
    weights[holding < 2] = 0.0
    used = np.argsort(-weights, kind="stable")[:MOST_TERMS]
    often, held = counts[:, used], holding[used]
    rarity = np.log(1 + (len(counts) - held + 0.5) / (held + 0.5))
    norm = K1 * (1 - SHORT_B + SHORT_B * lengths[:, None] / (lengths.mean() or 1.0))
    scores: Floats = (often * (K1 + 1) / (often + norm)) @ (weights[used] * rarity)
    return scores
