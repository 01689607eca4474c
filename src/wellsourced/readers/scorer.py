"""Which blocks are the page's content: small gradient-boosted trees, learnt offline and kept as plain arrays.

Some of the trees say how likely the page is an article, a forum and so on; the others judge each block, knowing
that. `training/learn_blocks.py` learns them. A tree has at most sixteen leaves and is evaluated by striking out,
for every condition that fails, the leaves on its left (QuickScorer, Lucchese et al. 2015), for all blocks and
trees at once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from wellsourced.readers import features
from wellsourced.readers.blocks import Outline

if TYPE_CHECKING:
    from numpy.typing import NDArray

MODEL = "block_scorer.npz"
KINDS = ("article", "collection", "documentation", "forum", "listing", "product", "service")
FOREST_PARTS = ("feature", "threshold", "survivors", "values")
BLOCKS_AT_ONCE = 256
CAUTION = 0.35


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees as arrays over (tree, condition) and (tree, leaf)."""

    feature: NDArray[Any]
    threshold: NDArray[Any]
    survivors: NDArray[Any]
    values: NDArray[Any]

    def score(self, columns: NDArray[Any]) -> NDArray[Any]:
        """The sum of what the trees say of each block: one row a feature, one column a block."""
        import numpy as np

        places = range(0, columns.shape[1], BLOCKS_AT_ONCE)
        return np.concatenate([self.votes(columns[:, i : i + BLOCKS_AT_ONCE]).sum(axis=0) for i in places])

    def votes(self, columns: NDArray[Any]) -> NDArray[Any]:
        """What each tree says of each block."""
        import numpy as np

        trees, conditions = self.feature.shape
        alive = np.full((trees, columns.shape[1]), 0xFFFF, dtype=np.uint16)
        values = np.empty(alive.shape, columns.dtype)
        for place in range(conditions):
            np.take(columns, self.feature[:, place], axis=0, out=values, mode="clip")
            # A condition that holds strikes nothing: all ones; one that fails leaves the survivors.
            left = (values <= self.threshold[:, place, None]).astype(np.uint16)
            np.negative(left, out=left)
            left |= self.survivors[:, place, None]
            alive &= left
        leaf = _lowest_bits()[alive]
        said: NDArray[Any] = np.take_along_axis(self.values, leaf, axis=1)
        return said


def likelihood(scores: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    likely: NDArray[Any] = (1 / (1 + np.exp(-scores))).astype(np.float32)
    return likely


@cache
def _lowest_bits() -> NDArray[Any]:
    """The place of the lowest bit that is set, for every 16-bit number."""
    import numpy as np

    table = np.zeros(1 << 16, dtype=np.intp)
    for place in range(15, -1, -1):
        table[np.arange(1 << place, 1 << 16, 1 << (place + 1))] = place
    return table


@dataclass(frozen=True, slots=True)
class Verdict:
    """For each block whether it is kept; `expected` is the F1 that the kept blocks should reach."""

    kept: list[bool]
    expected: float
    kinds: dict[str, float]


@dataclass(frozen=True, slots=True)
class Scorer:
    vocabulary: features.Vocabulary
    kinds: Forest
    blocks: Forest

    def judge(self, outline: Outline, facts: features.PageFacts) -> Verdict:
        frame = features.frame_of(outline)
        columns = features.build(outline, facts, self.vocabulary, frame)
        votes = self.kinds.votes(features.page_row(columns)).reshape(len(KINDS), -1)
        kinds = likelihood(votes.sum(axis=1)).tolist()
        likely = likelihood(self.blocks.score(features.with_kinds(columns, kinds)))
        kept, expected = choose(likely, columns[features.WORDS], kinds[0])
        return Verdict(kept, expected, dict(zip(KINDS, kinds, strict=True)))


def choose(likely: NDArray[Any], words: NDArray[Any], article: float) -> tuple[list[bool], float]:
    """Keep the likeliest blocks, down to where the expected F1 over the page's words is highest.

    That cut is half the F1 it reaches. On articles it is set higher, the more surely the page is one: what
    stands beside an article does more harm than a missing line.
    """
    import numpy as np

    order = np.argsort(-likely, kind="stable")
    weights = words + 0.01
    hits = (likely * weights)[order].cumsum()
    f1 = 2 * hits / (weights[order].cumsum() + (likely * weights).sum() + 1e-9)
    best = int(f1.argmax())
    cut = min((1 + CAUTION * article) * float(f1[best]) / 2, float(likely.max()))
    return (likely >= cut).tolist(), float(f1[best])


@cache
def load() -> Scorer:
    import numpy as np

    with resources.files("wellsourced").joinpath("data", MODEL).open("rb") as file:
        arrays = np.load(file, allow_pickle=False)
        words = json.loads(arrays["vocabulary"].tobytes())
        kinds = _forest(arrays, KINDS)
        blocks = _forest(arrays, ("blocks",))
    names, texts = ({word: place for place, word in enumerate(words[kind])} for kind in ("names", "texts"))
    return Scorer(features.Vocabulary(names, texts), kinds, blocks)


def _forest(arrays: Any, names: tuple[str, ...]) -> Forest:
    """One forest of the trees of all names, in their order."""
    import numpy as np

    joined = (np.concatenate([arrays[f"{name}_{part}"] for name in names]) for part in FOREST_PARTS)
    feature, threshold, survivors, values = joined
    return Forest(feature.astype(np.intp), threshold, survivors, values)
