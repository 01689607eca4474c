"""Learn which blocks of a page are its content, and write the arrays that `wellsourced.pages.html.scorer` evaluates.

    python -m training.learn_blocks DATA... [--folds 5] [--seed 7] [--write]

Each DATA folder holds `ground-truth.json` and `html/*.html.gz`. Without `--write` the model is judged by
cross-validation, with pages split by site so that none is judged by what was learnt from its own site. The
blocks' judges learn from kinds, and from what words say, as guessed by models which had not seen the page, as it will
be in use. Pages whose content is not known are judged, and not learnt from.
Needs lightgbm, torch, scipy and rapidfuzz, at training time only. Repeatable: seeds are fixed, one thread.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np

from training.learn_network import learn_network
from training.learn_wording import WordTable, wording_arrays
from training.saved_pages import SavedPage, load_pages
from training.scores import page_scores, summarise_scores
from training.trees import forest_arrays
from wellsourced.pages.html import features, signals
from wellsourced.pages.html.blocks import BLOCK_TAGS
from wellsourced.pages.html.network import Network
from wellsourced.pages.html.repairs import repair_choice
from wellsourced.pages.html.scorer import KINDS, LEAVES, MODEL, NEEDED_NAMES, Forest, Judges
from wellsourced.pages.html.signals import Names

Array = np.ndarray[Any, Any]

BLOCK_TREES, KIND_TREES = 240, 60
NAME_WORDS = 300
MOST_BLOCKS = 350
# Nearly all pages at hand are English: of every sixth the judges see no words, to judge those of other languages.
SILENT = 6
ARTICLE_FOLDER, ARTICLE_WEIGHT = "open", 4.0
SHARED_OPTIONS = {
    "bagging_fraction": 0.7, "bagging_freq": 1, "learning_rate": 0.1, "num_threads": 1, "verbosity": -1, "seed": 7,
    "deterministic": True, "force_col_wise": True,
}  # fmt: skip
BLOCK_OPTIONS = SHARED_OPTIONS | {
    "objective": "cross_entropy", "num_leaves": LEAVES, "feature_fraction": 0.35, "min_data_in_leaf": 120,
    "lambda_l2": 5.0, "max_bin": 63, "extra_trees": True,
}  # fmt: skip
KIND_OPTIONS = SHARED_OPTIONS | {
    "objective": "binary", "num_leaves": LEAVES, "feature_fraction": 0.3, "min_data_in_leaf": 15, "lambda_l2": 3.0,
}  # fmt: skip


class TrainingTable:
    """Features, labels and weights of all pages, one above the other."""

    def __init__(self, pages: Sequence[SavedPage], folds: int) -> None:
        self.pages = pages
        self.names = Names(vocabulary(pages))
        self.words = WordTable(pages)
        self.wording = unseen_wording(self.words, pages, folds)
        frames = [features.frame_of(page.outline) for page in pages]
        built = [
            features.build(page.outline, page.facts, self.names, self.wording[number] if number % SILENT else {}, frame)
            for number, (page, frame) in enumerate(zip(pages, frames, strict=True))
        ]
        self.rows: Array = np.concatenate([columns.T for columns in built])
        self.page_rows: Array = np.concatenate([features.page_row(columns).T for columns in built])
        self.ends = np.cumsum([columns.shape[1] for columns in built])
        self.labels = np.array([label for page in pages for label in page.labels], dtype=np.float32)
        weighed = [weigh(columns[features.WORDS], page) for columns, page in zip(built, pages, strict=True)]
        self.weights: Array = np.concatenate(weighed)
        starts, ends, groups = ([getattr(frame, part) for frame in frames] for part in ("starts", "ends", "groups"))
        self.around = np.stack([np.concatenate(starts, axis=1), np.concatenate(ends, axis=1)])
        self.groups: Array = np.concatenate(groups, axis=1)

    def tell_kinds(self, kinds: Array) -> None:
        for number in range(len(self.pages)):
            self.rows[self.span(number), -features.PAGE_KINDS :] = kinds[number]

    def span(self, number: int) -> slice:
        return slice(self.ends[number - 1] if number else 0, self.ends[number])

    def places(self, numbers: Sequence[int], most: int = sys.maxsize) -> Array:
        """Rows of these pages; of a page with very many blocks only some, evenly spread."""
        spans = map(self.span, numbers)
        return np.concatenate([np.arange(s.start, s.stop, 1 + (s.stop - s.start) // most) for s in spans])


def weigh(words: Array, page: SavedPage) -> Array:
    """Longer blocks count more, and every page about the same, so that huge pages do not rule."""
    raw = np.sqrt(words + 0.5)
    weighed: Array = raw / raw.sum() ** 0.7 * (ARTICLE_WEIGHT if page.folder == ARTICLE_FOLDER else 1.0)
    return weighed


def vocabulary(pages: Sequence[SavedPage]) -> dict[str, int]:
    """The names that most sites use, whatever they use them for: labels are not looked at."""
    sites: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        for branch in page.outline.branches:
            for word in signals.name_words(branch) if branch.tag in BLOCK_TAGS else ():
                sites[word].add(page.site)
    ordered = sorted(sites, key=lambda word: (-len(sites[word]), word))[:NAME_WORDS]
    return {word: place for place, word in enumerate(sorted({*ordered, *NEEDED_NAMES}))}


def learn_kinds(table: TrainingTable, numbers: Sequence[int]) -> list[lightgbm.Booster]:
    rows = table.page_rows[list(numbers)]
    kinds = [table.pages[number].kind for number in numbers]
    answers = [np.array([kind == wanted for kind in kinds], dtype=np.float32) for wanted in KINDS]
    return [lightgbm.train(KIND_OPTIONS, lightgbm.Dataset(rows, answer), KIND_TREES) for answer in answers]


def binned(table: TrainingTable) -> lightgbm.Dataset:
    """The blocks that may be learnt from, sorted into bins once for all folds; labels play no part in that."""
    places = table.places(range(len(table.pages)), MOST_BLOCKS)
    labels, weights = table.labels[places], table.weights[places]
    return lightgbm.Dataset(table.rows[places], labels, weight=weights, params=BLOCK_OPTIONS).construct()


def learn_blocks(table: TrainingTable, data: lightgbm.Dataset, numbers: Sequence[int]) -> lightgbm.Booster:
    everything = table.places(range(len(table.pages)), MOST_BLOCKS)
    chosen = np.searchsorted(everything, table.places(numbers, MOST_BLOCKS))
    return lightgbm.train(BLOCK_OPTIONS, data.subset(chosen.tolist()), BLOCK_TREES)


def parts_by_site(pages: Sequence[SavedPage], folds: int) -> Iterator[tuple[list[int], list[int]]]:
    """(pages to learn from, pages to judge); a site's pages are all on one side."""
    parts = [zlib.crc32(page.site.encode()) % folds for page in pages]
    for fold in range(folds):
        known, unknown = ([n for n, part in enumerate(parts) if (part == fold) is judged] for judged in (False, True))
        yield [n for n in known if pages[n].truth], unknown


def unseen_wording(words: WordTable, pages: Sequence[SavedPage], folds: int) -> list[Mapping[str, float]]:
    """For every page what words say, as learnt without its site."""
    found: list[Mapping[str, float]] = [{}] * len(pages)
    for known, unknown in parts_by_site(pages, folds):
        weights = words.learn(known)
        for number in unknown:
            found[number] = weights
    return found


def unseen_kinds(table: TrainingTable, folds: int) -> Array:
    """The kinds of every page as guessed by models that did not learn from its site."""
    guessed = np.zeros((len(table.pages), len(KINDS)), dtype=np.float32)
    for known, unknown in parts_by_site(table.pages, folds):
        for place, model in enumerate(learn_kinds(table, known)):
            guessed[unknown, place] = model.predict(table.page_rows[unknown])
    right = np.mean([KINDS[best] == page.kind for best, page in zip(guessed.argmax(axis=1), table.pages, strict=True)])
    print(f"kinds guessed rightly: {right:.3f}", flush=True)
    return guessed


def cross_validate(table: TrainingTable, folds: int, seed: int, report: Callable[[str, dict[str, Any]], None]) -> None:
    guessed = unseen_kinds(table, folds)
    table.tell_kinds(guessed)
    data = binned(table)
    for known, unknown in parts_by_site(table.pages, folds):
        forest = Forest(**forest_arrays(learn_blocks(table, data, known)))
        judges = Judges(table.names, forest, Network(learn_network(table, known, seed)))
        for number in unknown:
            page, frame = table.pages[number], features.frame_of(table.pages[number].outline)
            columns = features.build(page.outline, page.facts, table.names, table.wording[number], frame)
            features.set_kinds(columns, guessed[number].tolist())
            kinds = dict(zip(KINDS, guessed[number].tolist(), strict=True))
            kept, _ = judges.decide(columns, kinds, page.outline, frame)
            mended = repair_choice(page.outline, kept)
            chosen = (block.text for block, keep in zip(page.outline.blocks, mended, strict=True) if keep)
            report(group(page), page_scores(page.truth, "\n".join(chosen)))


def group(page: SavedPage) -> str:
    return page.folder if page.folder == ARTICLE_FOLDER else f"{page.folder}/{page.kind}"


def judge(table: TrainingTable, folds: int, seed: int) -> None:
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)

    def note(name: str, scores: dict[str, Any]) -> None:
        groups[name].append(scores)
        if "/" in name:
            groups[name.partition("/")[0]].append(scores)

    cross_validate(table, folds, seed, note)
    for name in sorted(groups):
        print(f"{name:<26}{len(groups[name]):>5} pages  {summarise_scores(groups[name])}")


def write(table: TrainingTable, folds: int, seed: int, target: Path) -> None:
    """Learn from every page; kinds and wording that the blocks' judges learn from are still those of unseen pages."""
    everything = [number for number, page in enumerate(table.pages) if page.truth]
    kinds = learn_kinds(table, everything)
    table.tell_kinds(unseen_kinds(table, folds))
    blocks = learn_blocks(table, binned(table), everything)
    names = json.dumps(list(table.names.places)).encode()
    packed: dict[str, Array] = {"names": np.frombuffer(names, dtype=np.uint8)}
    packed |= wording_arrays(table.words.learn(everything))
    for name, model in [*zip(KINDS, kinds, strict=True), ("blocks", blocks)]:
        packed |= {f"{name}_{part}": values for part, values in forest_arrays(model).items()}
    packed |= {f"network_{part}": values for part, values in learn_network(table, everything, seed).items()}
    np.savez_compressed(target, allow_pickle=False, **packed)
    print(f"{target.name}: {target.stat().st_size / 1024:.0f} KB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="learn from every page and write the model")
    parser.add_argument("--seed", type=int, default=7, help="other trainings, to see how far figures are chance")
    arguments = parser.parse_args()
    for options in (BLOCK_OPTIONS, KIND_OPTIONS):
        options["seed"] = arguments.seed
    table = TrainingTable([page for folder in arguments.data for page in load_pages(folder)], arguments.folds)
    print(f"{len(table.pages)} pages, {len(table.rows)} blocks", flush=True)
    if arguments.write:
        write(
            table,
            arguments.folds,
            arguments.seed,
            Path(__file__).parent.parent / "src" / "wellsourced" / "data" / MODEL,
        )
    else:
        judge(table, arguments.folds, arguments.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
