"""Learn what the words of short blocks say of them: the weights that `wellsourced.pages.html.short_texts` sums up.

Called by `training.learn_blocks`. A logistic regression over the words, beside what a block's tag, length and links say
already, so that a word is not thanked for those. The judges learn from what words say that were not learnt from the
page's own site, as it will be in use. Needs scipy, at training time only.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy import optimize, sparse

from training.learn_network import weigh
from training.saved_pages import SavedPage
from wellsourced.pages.html.short_texts import MOST_WORDS
from wellsourced.pages.html.signals import TAG_CODES

Array = np.ndarray[Any, Any]

LEAST_SITES = 12
RESTRAINT, STEPS = 1e-4, 50
LENGTHS, LINK_SHARES = (1, 2, 3, 4, 6, 8, 12, 16, 30, 60), (0.01, 0.5, 0.95)


class WordTable:
    """Which known words each block of all pages holds, its form, its label and its weight."""

    def __init__(self, pages: Sequence[SavedPage]) -> None:
        texts = [short_words(block.text) for page in pages for block in page.outline.blocks]
        self.words = known_words(pages)
        places = {word: place for place, word in enumerate(self.words)}
        said = marks([[places[word] for word in text if word in places] for text in texts], len(places))
        forms = marks([[form] for page in pages for form in forms_of(page)])
        self.held = sparse.hstack([said, forms]).tocsr()
        self.labels = np.array([label for page in pages for label in page.labels])
        self.weights: Array = np.concatenate([weigh(word_counts(page), page) for page in pages])
        self.page = np.repeat(np.arange(len(pages)), [len(page.labels) for page in pages])

    def learn(self, numbers: Iterable[int]) -> dict[str, float]:
        """What each word says, learnt from these pages; of half precision, as it is kept."""
        known = np.isin(self.page, list(numbers)).nonzero()[0]
        found = fit(self.held[known], self.labels[known], self.weights[known])[: len(self.words)]
        return dict(zip(self.words, found.astype(np.float16).tolist(), strict=True))


def short_words(text: str) -> list[str]:
    words = text.lower().split()
    return words if len(words) <= MOST_WORDS else []


def known_words(pages: Sequence[SavedPage]) -> list[str]:
    """Words that stand in short blocks of enough sites; labels are not looked at."""
    sites: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        for word in {word for block in page.outline.blocks for word in short_words(block.text)}:
            sites[word].add(page.site)
    return sorted(word for word, held in sites.items() if len(held) >= LEAST_SITES)


def word_counts(page: SavedPage) -> Array:
    return np.array([len(block.text.split()) for block in page.outline.blocks])


def forms_of(page: SavedPage) -> list[int]:
    """A number for each block's tag, length and share of links together."""
    words = word_counts(page)
    links = np.array([block.link_words for block in page.outline.blocks]) / np.maximum(words, 1)
    tags = np.array([TAG_CODES.get(block.container.tag, len(TAG_CODES)) for block in page.outline.blocks])
    sizes, shares = np.searchsorted(LENGTHS, words), np.searchsorted(LINK_SHARES, links)
    numbers: list[int] = ((tags * (len(LENGTHS) + 1) + sizes) * (len(LINK_SHARES) + 1) + shares).tolist()
    return numbers


def marks(rows: Sequence[Sequence[int]], width: int | None = None) -> sparse.csr_matrix:
    """At each place of a row how often it is given."""
    places = np.array([place for row in rows for place in row], np.int32)
    ends = np.cumsum([0, *map(len, rows)])
    shape = (len(rows), int(places.max()) + 1 if width is None else width)
    return sparse.csr_matrix((np.ones(len(places)), places, ends), shape=shape)


def fit(held: sparse.csr_matrix, labels: Array, weights: Array) -> Array:
    """Weights of the columns by which the labels are most likely, held small."""
    shares, columns = weights / weights.sum(), held.T.tocsr()

    def loss(found: Array) -> tuple[float, Array]:
        said = held @ found
        missed = shares * (1 / (1 + np.exp(-said)) - labels)
        likely = (shares * (np.logaddexp(0, said) - labels * said)).sum()
        return likely + RESTRAINT / 2 * (found @ found), columns @ missed + RESTRAINT * found

    begin = np.zeros(held.shape[1])
    found: Array = optimize.minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
    return found


def wording_arrays(weights: dict[str, float]) -> dict[str, Array]:
    words = json.dumps(list(weights), ensure_ascii=False).encode()
    return {"words": np.frombuffer(words, np.uint8), "weights": np.array(list(weights.values()), np.float16)}
