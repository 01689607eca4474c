"""Learn the arrays of `wellsourced.pages.html.network.Network`, the second opinion on a page's blocks.

Called by `training.learn_blocks`. A page counts about as much as another, and a block by its words. Names and channels
are left out at random, so that none is relied on. Needs torch, at training time only; repeatable, one thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.saved_pages import SavedPage
from wellsourced.pages.html import features
from wellsourced.pages.html.network import REACHES, TAGS, WIDE_ROUNDS, ranges_of, squash

Array = np.ndarray[Any, Any]

CHANNELS, ROUNDS, RATE, DECAY = 48, 8, 4e-3, 0.02
BLOCKS_A_STEP, MOST_BLOCKS = 6000, 350
LEAST_SPREAD = 0.2
BY_WORDS, ARTICLE_FOLDER, ARTICLE_WEIGHT = 0.7, "open", 3.0
LEFT_OUT = {"measures": 0.05, "names": 0.1, "channels": 0.1}


class Piece(NamedTuple):
    """Blocks of one or more pages: rows, tags, wanted answers, weights; of each reach the places before and behind,
    one past the last where there is none; of each range order, starts and ends."""

    rows: Tensor
    tags: Tensor
    labels: Tensor
    weights: Tensor
    beside: list[tuple[Tensor, Tensor]]
    ranges: list[tuple[Tensor, Tensor, Tensor]]


class Learner(nn.Module):
    def __init__(self, names: int) -> None:
        super().__init__()
        self.names = names
        self.entry = nn.Linear(features.MEASURED + names + features.PAGE_KINDS, CHANNELS)
        self.tags = nn.Embedding(TAGS, CHANNELS)
        self.even = nn.ModuleList(nn.LayerNorm(CHANNELS) for _ in REACHES)
        self.near = nn.ModuleList(nn.Linear(3 * CHANNELS, CHANNELS) for _ in REACHES)
        self.wide = nn.ModuleList(nn.Linear(5 * CHANNELS, CHANNELS, bias=False) for _ in range(WIDE_ROUNDS))
        self.exit = nn.Linear(CHANNELS, 1)
        nn.init.normal_(self.tags.weight, std=0.1)

    def forward(self, piece: Piece) -> Tensor:
        shown = left_out(features.MEASURED, "measures"), left_out(self.names, "names"), torch.ones(features.PAGE_KINDS)
        weighed = functional.linear(piece.rows, self.entry.weight * torch.cat(shown), self.entry.bias)
        held = functional.relu(weighed + self.tags(piece.tags))
        for number, (before, behind) in enumerate(piece.beside):
            even = self.even[number](held) * left_out(CHANNELS, "channels")
            padded = functional.pad(even, (0, 0, 0, 1))
            heard = self.near[number](torch.cat([padded[before], even, padded[behind]], 1))
            if number < WIDE_ROUNDS:
                heard = heard + self.wide[number](torch.cat([mean_over(even, *places) for places in piece.ranges], 1))
            held = held + functional.relu(heard)
        return self.exit(held)[:, 0]


def left_out(size: int, sort: str) -> Tensor:
    share = LEFT_OUT[sort]
    return (torch.rand(size) >= share) / (1 - share)


def mean_over(rows: Tensor, order: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    sums = functional.pad(rows[order].cumsum(0), (0, 0, 1, 0))
    return (sums[ends] - sums[starts]) / (ends - starts)[:, None]


class Pieces:
    """The pages as pieces, at random and some together; of a page with very many blocks a run of them."""

    def __init__(self, table: Any, numbers: Sequence[int], chance: np.random.Generator) -> None:
        self.table, self.numbers, self.chance = table, list(numbers), chance
        self.rows = squash(table.rows.T).T
        measures, known = self.rows[:, : features.MEASURED], table.places(numbers)
        self.mean, self.spread = measures[known].mean(axis=0), np.maximum(measures[known].std(axis=0), LEAST_SPREAD)
        measures -= self.mean
        measures /= self.spread
        self.weights = np.concatenate(
            [weigh(table.rows[table.span(n), features.WORDS], p) for n, p in enumerate(table.pages)]
        )
        lengths = [min(MOST_BLOCKS, len(table.pages[number].labels)) for number in numbers]
        self.steps = sum(lengths) // BLOCKS_A_STEP + 2

    def __iter__(self) -> Iterator[Piece]:
        together: list[slice] = []
        for number in self.chance.permutation(self.numbers).tolist():
            span = self.table.span(number)
            spare = max(0, span.stop - span.start - MOST_BLOCKS)
            start = span.start + int(self.chance.integers(spare + 1))
            together.append(slice(start, span.stop - spare + start - span.start))
            if sum(run.stop - run.start for run in together) >= BLOCKS_A_STEP:
                yield self.join(together)
                together = []
        if together:
            yield self.join(together)

    def join(self, runs: Sequence[slice]) -> Piece:
        places = np.concatenate([np.arange(run.start, run.stop) for run in runs])
        tags = np.minimum(self.table.rows[places, features.TAG], TAGS - 1).astype(np.int64)
        owner = np.repeat(np.arange(len(runs)), [run.stop - run.start for run in runs])
        frame = self.joined_frame(runs, owner)
        told = (self.rows[places], tags, self.table.labels[places], self.weights[places])
        return Piece(*map(torch.from_numpy, told), list(beside(owner)), list(tensors(frame, owner)))

    def joined_frame(self, runs: Sequence[slice], owner: Array) -> features.Frame:
        """As if the runs were parts of one page."""
        table = self.table
        places = np.concatenate([np.arange(run.start, run.stop) for run in runs])
        first = np.searchsorted(owner, np.arange(len(runs)))[owner]
        last = np.searchsorted(owner, np.arange(len(runs)), "right")[owner]
        pages = table.ends.searchsorted([run.start for run in runs], "right")
        cut = (
            np.array([run.start - table.span(page).start for run, page in zip(runs, pages, strict=True)])[owner] - first
        )
        starts, ends = table.around[:, :, places] - cut
        groups = table.groups[:, places] + owner * (1 + int(table.groups.max()))
        return features.Frame(np.maximum(starts, first), np.minimum(ends, last), None, groups, None)


def weigh(words: Array, page: SavedPage) -> Array:
    raw = (words + 0.5) ** BY_WORDS
    weighed: Array = raw / raw.sum() ** BY_WORDS * (ARTICLE_WEIGHT if page.folder == ARTICLE_FOLDER else 1)
    return weighed


def beside(owner: Array) -> Iterator[tuple[Tensor, Tensor]]:
    size = len(owner)
    for reach in REACHES:
        for_each = []
        for shift in (-reach, reach):
            other = np.arange(size) + shift
            within = (other >= 0) & (other < size)
            within[within] = owner[other[within]] == owner[within]
            for_each.append(torch.from_numpy(np.where(within, other, size)))
        yield for_each[0], for_each[1]


def tensors(frame: features.Frame, owner: Array) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """The frame's ranges, the page for the whole."""
    every = np.arange(len(owner))
    *ranges, (_, _, _) = ranges_of(frame)
    for order, starts, ends in [
        *ranges,
        (every, np.searchsorted(owner, owner), np.searchsorted(owner, owner, "right")),
    ]:
        numbers = every if isinstance(order, slice) else order
        yield torch.from_numpy(numbers), torch.from_numpy(starts), torch.from_numpy(ends)


def learn_network(table: Any, numbers: Sequence[int], seed: int) -> dict[str, Array]:
    """The arrays of a network that learnt from these pages."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    pieces = Pieces(table, numbers, np.random.default_rng(seed))
    learner = Learner(len(table.names))
    mender = torch.optim.AdamW(learner.parameters(), lr=RATE, weight_decay=DECAY)
    pace = torch.optim.lr_scheduler.OneCycleLR(mender, RATE, total_steps=ROUNDS * pieces.steps, pct_start=0.2)
    for _ in range(ROUNDS):
        for piece in pieces:
            losses = functional.binary_cross_entropy_with_logits(learner(piece), piece.labels, reduction="none")
            mender.zero_grad()
            ((losses * piece.weights).sum() / piece.weights.sum()).backward()
            nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
            mender.step()
            pace.step()
    return network_arrays(learner, pieces)


def network_arrays(learner: Learner, pieces: Pieces) -> dict[str, Array]:
    """As the scorer takes them: measures not centred, weights by rows."""
    told = {name: values.detach().numpy() for name, values in learner.named_parameters()}
    entry = told["entry.weight"].T.copy()
    entry[: features.MEASURED] /= pieces.spread[:, None]
    tags = told["tags.weight"] + told["entry.bias"] - pieces.mean @ entry[: features.MEASURED]
    arrays = {"entry": entry, "tags": tags}
    for number in range(len(REACHES)):
        arrays |= {f"scale{number}": told[f"even.{number}.weight"], f"shift{number}": told[f"even.{number}.bias"]}
        arrays |= {f"near{number}": told[f"near.{number}.weight"].T, f"bias{number}": told[f"near.{number}.bias"]}
    arrays |= {f"wide{number}": told[f"wide.{number}.weight"].T for number in range(WIDE_ROUNDS)}
    arrays |= {"exit": told["exit.weight"].T, "exit_bias": told["exit.bias"]}
    return {name: np.ascontiguousarray(values, dtype=np.float32) for name, values in arrays.items()}
