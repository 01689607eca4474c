"""Saved pages with known content, walked into blocks, each block labelled with the share of it that is content."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rapidfuzz.distance import LCSseq

from wellsourced.pages.html import blocks, extract
from wellsourced.pages.html.features import PageFacts

WORD = re.compile(r"\w+")
RUN = 3
LONGEST = 60_000


@dataclass(slots=True)
class SavedPage:
    key: str
    folder: str
    kind: str
    site: str
    truth: str
    outline: blocks.Outline
    facts: PageFacts
    labels: list[float]


def load_pages(folder: Path) -> Iterator[SavedPage]:
    """The pages of one folder (`ground-truth.json` and `html/*.html.gz`) that have any text."""
    truth: dict[str, dict[str, Any]] = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    for key, gold in truth.items():
        with gzip.open(folder / "html" / f"{key}.html.gz", "rb") as file:
            page = extract.prepare(file.read().decode("utf-8", "replace"), gold["url"])
        outline = page.outline
        if outline is None or not outline.blocks:
            continue
        site = ".".join((urlsplit(gold["url"]).hostname or key).split(".")[-2:])
        labels = label(outline, gold["articleBody"])
        yield SavedPage(
            key, folder.name, gold.get("page_type") or "article", site, gold["articleBody"], outline, page.facts, labels
        )


def label(outline: blocks.Outline, truth: str) -> list[float]:
    """The share of each block's words that stand, in order, in the known content.

    Single words match by chance: a match counts where it runs over three words or over the whole block.
    """
    known = [word.lower() for word in WORD.findall(truth)][:LONGEST]
    words, owner = [], []
    for number, block in enumerate(outline.blocks):
        block_words = [word.lower() for word in WORD.findall(block.text)]
        words += block_words
        owner += [number] * len(block_words)
    sizes = Counter(owner)
    hits = Counter(owner[place] for place in _in_order(words[:LONGEST], known, owner, sizes))
    spare = Counter(zip(*(known[i:] for i in range(4)), strict=False))
    labels = [hits[number] / sizes[number] if sizes[number] else 0.0 for number in range(len(outline.blocks))]
    for number, block in enumerate(outline.blocks):
        if labels[number] < 0.5 and sizes[number] >= 8:
            labels[number] = max(labels[number], _elsewhere(block.text, spare))
    return labels


def _in_order(words: list[str], known: list[str], owner: list[int], sizes: Counter[int]) -> Iterator[int]:
    """Places of words on the longest common subsequence that stand in a long enough run."""
    for piece in LCSseq.opcodes(words, known):
        if piece.tag != "equal":
            continue
        run: list[int] = []
        for place in range(piece.src_start, piece.src_end + 1):
            if run and (place == piece.src_end or owner[place] != owner[run[0]]):
                if len(run) >= min(RUN, sizes[owner[run[0]]]):
                    yield from run
                run = []
            if place < piece.src_end:
                run.append(place)


def _elsewhere(text: str, spare: Counter[tuple[str, ...]]) -> float:
    """The share of a block's word groups that the content has in another order."""
    words = [word.lower() for word in WORD.findall(text)]
    groups = list(zip(*(words[i:] for i in range(4)), strict=False))
    return sum(group in spare for group in groups) / max(1, len(groups)) if groups else 0.0
