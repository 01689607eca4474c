"""Learn the weights of `wellsourced.pages.html.titles` from saved pages with known titles.

    python training/learn_titles.py ../shared/extraction/page-types

A conditional logit over the candidates of each page; what it prints first is measured on sites it has not seen.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from wellsourced.pages.html import encoding, extract, metadata, titles

WORD = re.compile(r"\w+")
FOLDS = 5
STEPS = 400
PULL = 0.5
# What a page's data calls its headline speaks for a text, even where known titles were taken from title tags.
FLOORS = {4: 0.0, 15: 2.0}


def load(folder: Path) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Of every page its site, its candidates' figures, and which of them are right."""
    pages = []
    for key, gold in json.loads((folder / "ground-truth.json").read_text("utf-8")).items():
        with gzip.open(folder / "html" / f"{key}.html.gz", "rb") as file:
            page = extract.prepare(encoding.decode(file.read()).text, gold["url"])
        site = metadata.find_site(page.declared)
        sources = metadata.title_sources(page.document, page.declared, site, gold["url"])
        candidates = list(titles.describe_candidates(sources))
        if candidates:
            host = ".".join((urlsplit(gold["url"]).hostname or key).split(".")[-2:])
            right = np.array([is_same(gold["title"], text) for text, _ in candidates])
            pages.append((host, np.array([figures for _, figures in candidates]), right))
    return pages


def is_same(known: str, given: str) -> bool:
    """Whether F1 over their words is 0.8 or more, rounded as the evaluation does it."""
    left, right = (Counter(WORD.findall(text.casefold())) for text in (known, given))
    both = (left & right).total()
    precision, recall = both / max(1, right.total()), both / max(1, left.total())
    return bool(both) and 2 * precision * recall / (precision + recall) >= 0.8


def learn(pages: list[tuple[str, np.ndarray, np.ndarray]]) -> np.ndarray:
    pages = [page for page in pages if page[2].any()]
    figures, right = np.vstack([page[1] for page in pages]), np.concatenate([page[2] for page in pages])
    starts = np.cumsum([0, *(len(page[2]) for page in pages[:-1])])
    owner = np.repeat(np.arange(len(pages)), [len(page[2]) for page in pages])
    weights, mean, square = (np.zeros(figures.shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        scores = figures @ weights
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        given, wanted = odds / np.add.reduceat(odds, starts)[owner], odds * right
        slope = figures.T @ (wanted / np.add.reduceat(wanted, starts)[owner] - given) - PULL * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights += 0.06 * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
        for place, least in FLOORS.items():
            weights[place] = max(least, weights[place])
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    pages = load(parser.parse_args().folder)
    sites = sorted({page[0] for page in pages})
    for seed in (1, 2, 3):
        fold = dict(zip(sites, np.random.default_rng(seed).integers(0, FOLDS, len(sites)), strict=True))
        hits = []
        for number in range(FOLDS):
            weights = learn([page for page in pages if fold[page[0]] != number])
            hits += [page[2][int(np.argmax(page[1] @ weights))] for page in pages if fold[page[0]] == number]
        print(f"unseen sites, seed {seed}: {np.mean(hits):.3f}")
    print(tuple(round(float(weight), 2) for weight in learn(pages)))


if __name__ == "__main__":
    main()
