"""Which blocks are the page's content: small gradient-boosted trees, learnt offline and kept as plain arrays.

Some of the trees say how likely the page is an article, a forum and so on; the others judge each block, knowing
that, and so does a network (`network.py`). `training/learn_blocks.py` learns them. A tree has at most eight leaves and
is evaluated by striking out, for every condition that fails, the leaves on its left (QuickScorer, Lucchese et al.
2015), for all blocks and trees at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from wellsourced.data import FOLDER
from wellsourced.late_dataclass import dataclass
from wellsourced.pages.html import features
from wellsourced.pages.html.blocks import Block, Branch, Outline
from wellsourced.pages.html.network import Network
from wellsourced.pages.html.repairs import is_code_label, leave_out_asides, leave_out_pointers
from wellsourced.pages.html.signals import TAG_CODES, Names

if TYPE_CHECKING:
    from numpy.typing import NDArray

MODEL = "block_scorer.npz"
# The two judges are wrong about different blocks; where one is as sure as this, the other changes little.
SURE_ENOUGH = 0.85
# A page of few blocks has hardly anything beside its text: within it, what is this likely stays.
FEW_BLOCKS, LIKELY_WITHIN = 20, 0.4
FOREST_PARTS = ("feature", "threshold", "survivors", "values")
LEAVES, ALL_LEAVES = 8, 0xFF
# A byte with a single bit, times the first of these and shifted by the second, is a number from 0 to 7 of its own.
ONE_BIT, TO_NUMBER = 0x17, 5
# So few that what is made of them stays in the processor's cache, and in memory that the process has already.
BLOCKS_AT_ONCE = 256
STRICTNESS = {
    "article": 1.3, "collection": 0.65, "documentation": 0.6, "forum": 1.15, "listing": 0.8, "product": 1.0,
    "service": 0.8,
}  # fmt: skip
KINDS = tuple(STRICTNESS)
COMMENT_NAMES = ("comment", "comments")
COMMENT_SHARE, LIKELY, LEAST_BESIDE = 0.2, 0.4, 60
# What a page shows on demand, what stands at the foot of all pages of a site, and what is to be filled in; within the
# text a foot is its own.
DIALOG_NAMES, FOOT_NAMES, FORM_NAMES = ("r:dialog",), ("t:footer", "r:contentinfo"), ("t:form",)
TEXT_NAMES = ("t:article", "t:main", "t:blockquote")
NEEDED_NAMES = COMMENT_NAMES + DIALOG_NAMES + FOOT_NAMES + FORM_NAMES + TEXT_NAMES
OUTSIDE_SHARE, FORM_SHARE = 0.2, 0.3
# Where they hold more of what is likely, they are the page itself.
MOST_OUTSIDE, MOST_IN_FORMS = 0.95, 0.4
SURE, MAIN_SHARE = 0.8, 0.95
# Teasers and tickers beside an article are few words: where more would go, the article itself stands in several parts.
MOST_BESIDE = 0.25
LEAST_ARTICLE, MOST_FORUM = 0.3, 0.5
SURE_ARTICLE, CAPTION_SHARE = 0.8, 0.4
# Code is rarely on a page for another reason than its text.
CODE, LIKELY_CODE = TAG_CODES["pre"], 0.15
# What is no less likely than the first, and has no more of its words in links than the second, belongs to its like.
LIKE_OTHERS, MOST_LINKED = 0.4, 0.6


class Forest:
    """Trees that were given as arrays over (tree, condition) and (tree, leaf).

    Trees share many of their conditions, so each is tried once; what a tree says is looked up by its first leaf alive.
    """

    def __init__(
        self, feature: NDArray[Any], threshold: NDArray[Any], survivors: NDArray[Any], values: NDArray[Any]
    ) -> None:
        import numpy as np

        trees, conditions = feature.shape
        bits = threshold.astype(np.float32).view(np.uint32)
        tried, places = np.unique(feature.astype(np.uint64) << 32 | bits, return_inverse=True)
        self.feature = (tried >> 32).astype(np.intp)
        self.threshold = tried.astype(np.uint32).view(np.float32)[:, None]
        self.places = np.ascontiguousarray(places.reshape(trees, conditions).T)
        self.survivors = np.ascontiguousarray(survivors.T)[:, :, None]
        said = np.empty_like(values)
        said[:, [(ONE_BIT << leaf & ALL_LEAVES) >> TO_NUMBER for leaf in range(LEAVES)]] = values
        self.said = said.ravel()
        self.first_said = np.arange(0, len(self.said), LEAVES, dtype=np.uint16)[:, None]

    def score(self, columns: NDArray[Any]) -> NDArray[Any]:
        """The sum of what the trees say of each block: one row a feature, one column a block."""
        import numpy as np

        places = range(0, columns.shape[1], BLOCKS_AT_ONCE)
        return np.concatenate([self.votes(columns[:, i : i + BLOCKS_AT_ONCE]).sum(axis=0) for i in places])

    def votes(self, columns: NDArray[Any]) -> NDArray[Any]:
        """What each tree says of each block."""
        import numpy as np

        holds = columns.take(self.feature, axis=0) <= self.threshold
        # A condition that holds strikes nothing: all ones; one that fails leaves the survivors.
        left = np.negative(holds.view(np.uint8)).take(self.places, axis=0)
        left |= self.survivors
        alive = np.bitwise_and.reduce(left, axis=0)
        alive &= np.negative(alive)
        alive *= np.uint8(ONE_BIT)
        alive >>= TO_NUMBER
        said: NDArray[Any] = self.said.take(alive + self.first_said, mode="clip")
        return said


def likelihood(scores: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    likely: NDArray[Any] = (1 / (1 + np.exp(-scores))).astype(np.float32)
    return likely


@dataclass(frozen=True, slots=True)
class Verdict:
    """For each block whether it is kept; `expected` is the F1 that the kept blocks should reach."""

    kept: list[bool]
    expected: float
    kinds: dict[str, float]


@dataclass(frozen=True, slots=True)
class Judges:
    names: Names
    forest: Forest
    network: Network

    def decide(
        self, columns: NDArray[Any], kinds: Mapping[str, float], outline: Outline, frame: features.Frame
    ) -> tuple[list[bool], float]:
        """Which blocks are kept, and the F1 to expect; where the forest expects little, the network is asked too."""
        said = self.forest.score(columns)
        choice = first_choice(likelihood(said), columns, self.names, kinds, outline)
        if choice.expected < SURE_ENOUGH:
            both = (said + self.network.score(columns, frame)) / 2
            choice = first_choice(likelihood(both), columns, self.names, kinds, outline)
        return mended(choice, columns, kinds, outline, frame.spans), choice.expected


@dataclass(frozen=True, slots=True)
class Scorer:
    """`weights` say what words of short blocks speak for content, or against it."""

    kinds: Forest
    judges: Judges
    weights: Mapping[str, float]

    def judge(self, outline: Outline, facts: features.PageFacts) -> Verdict:
        frame = features.frame_of(outline)
        columns = features.build(outline, facts, self.judges.names, self.weights, frame)
        votes = self.kinds.votes(features.page_row(columns)).reshape(len(KINDS), -1)
        kinds = dict(zip(KINDS, likelihood(votes.sum(axis=1)).tolist(), strict=True))
        features.set_kinds(columns, list(kinds.values()))
        return Verdict(*self.judges.decide(columns, kinds, outline, frame), kinds)


def without_surroundings(likely: NDArray[Any], columns: NDArray[Any], names: Names) -> NDArray[Any]:
    """Dialogs, the foot of the page and forms less likely than they read."""
    words = columns[features.WORDS]
    dialogs, feet, texts, forms = (
        features.named(columns, names, of) for of in (DIALOG_NAMES, FOOT_NAMES, TEXT_NAMES, FORM_NAMES)
    )
    likely = lowered(likely, words, dialogs | (feet & ~texts), OUTSIDE_SHARE, MOST_OUTSIDE)
    return lowered(likely, words, forms, FORM_SHARE, MOST_IN_FORMS)


def lowered(likely: NDArray[Any], words: NDArray[Any], within: NDArray[Any], share: float, most: float) -> NDArray[Any]:
    """What is within some parts by a share of its likelihood, unless they hold most of the likely words."""
    import numpy as np

    weights = likely * words
    if not within.any() or weights[within].sum() > most * weights.sum():
        return likely
    return np.where(within, likely * np.float32(share), likely)


def without_captions(likely: NDArray[Any], outline: Outline, kinds: Mapping[str, float]) -> NDArray[Any]:
    """In an article what stands below a picture belongs to the picture, with which it is written, not to the text."""
    import numpy as np

    if kinds["article"] <= SURE_ARTICLE or max(kinds.values()) > kinds["article"]:
        return likely
    classes = {part.class_name for part in outline.parts}
    named = {name for name in classes if "caption" in name.lower()} if "caption" in "".join(classes).lower() else set()
    if not named and "figcaption" not in [part.tag for part in outline.parts]:
        return likely
    captions = [_is_caption(block.container, named) for block in outline.blocks]
    return np.where(captions, likely * CAPTION_SHARE, likely)


def _is_caption(branch: Branch, named: set[str]) -> bool:
    around = branch.parent
    is_named = branch.class_name in named or (around is not None and around.class_name in named)
    return is_named or branch.tag == "figcaption"


def within_main_part(
    kept: list[bool], likely: NDArray[Any], words: NDArray[Any], spans: NDArray[Any], parts: Sequence[Branch]
) -> list[bool]:
    """An article without unsure blocks outside the smallest part of the page that holds nearly all sure words.

    `spans` are the first blocks of all parts, and those after their last ones, the whole page first.
    """
    import numpy as np

    within = likely >= SURE
    sums = np.concatenate(([0.0], np.where(within, words, 0.0).cumsum()))
    if not sums[-1]:
        return kept
    starts, ends = spans
    held = sums.take(ends) - sums.take(starts) >= MAIN_SHARE * sums[-1]
    place = np.where(held, ends - starts, len(kept)).argmin()
    within[starts[place] : ends[place]] = True
    chosen = np.array(kept)
    beside = chosen & ~within
    if words[beside].sum() > MOST_BESIDE * words[chosen].sum():
        beside &= _in_asides(parts, len(kept))
    remaining: list[bool] = (chosen & ~beside).tolist()
    return remaining


def _in_asides(parts: Sequence[Branch], blocks: int) -> NDArray[Any]:
    import numpy as np

    within = np.zeros(blocks, bool)
    for part in parts:
        if part.tag == "aside":
            within[part.start : part.end] = True
    return within


@dataclass(frozen=True, slots=True)
class Choice:
    """What is kept by likelihood alone: `fair` is that without what an article's readers say."""

    likely: NDArray[Any]
    fair: NDArray[Any]
    kept: list[bool]
    expected: float


def first_choice(
    likely: NDArray[Any], columns: NDArray[Any], names: Names, kinds: Mapping[str, float], outline: Outline
) -> Choice:
    words = columns[features.WORDS]
    likely = without_captions(without_surroundings(likely, columns, names), outline, kinds)
    fair = without_comments(likely, words, features.named(columns, names, COMMENT_NAMES), kinds)
    return Choice(likely, fair, *choose(fair, words, strictness(kinds)))


def mended(
    choice: Choice, columns: NDArray[Any], kinds: Mapping[str, float], outline: Outline, spans: NDArray[Any]
) -> list[bool]:
    """Which blocks are kept where form and names have their say."""
    words, fair, kept = columns[features.WORDS], choice.fair, choice.kept
    for number in ((columns[features.TAG] == CODE) & (fair >= LIKELY_CODE)).nonzero()[0].tolist():
        kept[number] = True
    if len(kept) <= FEW_BLOCKS:
        kept = with_enclosed(kept, fair, outline.blocks)
    kind = max(kinds, key=lambda kind: kinds[kind])
    leave_out_asides(outline, kept, kind)
    if kind == "article":
        kept = with_siblings(within_main_part(kept, choice.likely, words, spans, outline.parts), fair, outline.blocks)
        leave_out_pointers(outline, kept)
    return kept


def with_enclosed(kept: list[bool], likely: NDArray[Any], blocks: Sequence[Block]) -> list[bool]:
    """Also what stands between the first and the last block kept, if it is nearly as likely as not.

    Nothing of a picture's figure of which nothing is kept: its text is written with the picture; no label of code."""
    first, last = kept.index(True), len(kept) - kept[::-1].index(True)
    likely_ones = (number for number in range(first, last) if likely[number] >= LIKELY_WITHIN)
    added = {number for number in likely_ones if not _is_beside_text(blocks[number], kept)}
    return [keep or number in added for number, keep in enumerate(kept)]


def _is_beside_text(block: Block, kept: list[bool]) -> bool:
    return is_code_label(block) or _is_in_picture(block.container, kept)


def _is_in_picture(branch: Branch | None, kept: list[bool]) -> bool:
    while branch and not (branch.tag == "figure" and branch.holds_image):
        branch = branch.parent
    return branch is not None and not any(kept[branch.start : branch.end])


def with_siblings(kept: list[bool], likely: NDArray[Any], blocks: Sequence[Block]) -> list[bool]:
    """An article with unsure paragraphs that follow sure ones of the same form in the same part of the page."""
    unsure = [number for number in (likely >= LIKE_OTHERS).nonzero()[0].tolist() if not kept[number]]
    sure = (likely >= SURE).nonzero()[0].tolist() if unsure else ()
    first = {_form(blocks[number]): number for number in reversed(sure)}
    for number in unsure:
        block = blocks[number]
        if first.get(_form(block), number) < number:
            kept[number] = block.link_words <= MOST_LINKED * len(block.text.split())
    return kept


def _form(block: Block) -> tuple[Branch | None, str, str]:
    branch = block.container
    return branch.parent, branch.tag, branch.class_name


def without_comments(
    likely: NDArray[Any], words: NDArray[Any], in_comments: NDArray[Any], kinds: Mapping[str, float]
) -> NDArray[Any]:
    """Under an article what its readers say is not its content, however much it reads like it; on a forum it is."""
    import numpy as np

    if kinds["article"] < LEAST_ARTICLE or kinds["forum"] > MOST_FORUM or not in_comments.any():
        return likely
    beside = words[(likely > LIKELY) & ~in_comments].sum()
    return np.where(in_comments, likely * COMMENT_SHARE, likely) if beside >= LEAST_BESIDE else likely


def strictness(kinds: Mapping[str, float]) -> float:
    """How far above half the expected F1 a block must be: what stands beside an article harms, in a shop it belongs."""
    return sum(STRICTNESS[kind] * share for kind, share in kinds.items()) / (sum(kinds.values()) + 1e-6)


def choose(likely: NDArray[Any], words: NDArray[Any], strict: float) -> tuple[list[bool], float]:
    """Keep the likeliest blocks, down to where the expected F1 over the page's words is highest.

    That cut is half the F1 it reaches; `strict` raises or lowers it.
    """
    import numpy as np

    order = np.argsort(-likely, kind="stable")
    weights = words + 0.01
    hits = (likely * weights)[order].cumsum()
    f1 = 2 * hits / (weights[order].cumsum() + (likely * weights).sum() + 1e-9)
    best = int(f1.argmax())
    cut = min(strict * float(f1[best]) / 2, float(likely.max()))
    return (likely >= cut).tolist(), float(f1[best])


@cache
def load_scorer() -> Scorer:
    import numpy as np

    with np.load(FOLDER / MODEL, allow_pickle=False) as arrays:
        names = {name: place for place, name in enumerate(json.loads(arrays["names"].tobytes()))}
        weights = dict(zip(json.loads(arrays["words"].tobytes()), arrays["weights"].tolist(), strict=True))
        kinds = _forest(arrays, KINDS)
        blocks = _forest(arrays, ("blocks",))
        network = Network({name.partition("_")[2]: arrays[name] for name in arrays if name.startswith("network_")})
    return Scorer(kinds, Judges(Names(names), blocks, network), weights)


def _forest(arrays: Any, names: tuple[str, ...]) -> Forest:
    """One forest of the trees of all names, in their order."""
    import numpy as np

    joined = (np.concatenate([arrays[f"{name}_{part}"] for name in names]) for part in FOREST_PARTS)
    return Forest(*joined)
