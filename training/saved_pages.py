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
# Of shorter blocks single words are no sign; they must be there as a whole, and most of it still be left.
SHORT, LEAST_LEFT = 8, 0.6
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
    """The share of each block's words that stand in the known content, which is given out once.

    First what stands there in order: single words match by chance, so a match counts where it runs over three words or
    over the whole block. Then, the longest blocks first, what stands there in another order and is still left: what is
    said twice, a quoted post or a repeated headline, is content in one place alone.
    """
    known = _words(truth)[:LONGEST]
    texts = [_words(block.text) for block in outline.blocks]
    words = [word for text in texts for word in text][:LONGEST]
    owner = [number for number, text in enumerate(texts) for _ in text]
    hits, left = Counter[int](), Counter(known)
    for place in _in_order(words, known, owner, Counter(owner)):
        hits[owner[place]] += 1
        left[words[place]] -= 1
    labels = [hits[number] / max(1, len(text)) for number, text in enumerate(texts)]
    lines = {tuple(_words(line)) for line in truth.splitlines()}
    groups = {size: _groups(known, size) for size in (RUN, RUN + 1)}
    for number in sorted(range(len(texts)), key=lambda number: -len(texts[number])):
        text = texts[number]
        if text and labels[number] < 0.5:
            share = min(_elsewhere(text, lines, groups), (Counter(text) & left).total() / len(text))
            labels[number] = max(labels[number], share if len(text) >= SHORT or share >= LEAST_LEFT else 0.0)
            left -= Counter(text) if labels[number] >= 0.5 else Counter()
    return labels


def _words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]


def _groups(words: list[str], size: int) -> set[tuple[str, ...]]:
    return set(zip(*(words[i:] for i in range(size)), strict=False))


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


def _elsewhere(words: list[str], lines: set[tuple[str, ...]], groups: dict[int, set[tuple[str, ...]]]) -> float:
    """The share of a block's word groups that the content has in another order; of a short one all or nothing."""
    if len(words) >= SHORT:
        own = _groups(words, RUN + 1)
        return len(own & groups[RUN + 1]) / len(own)
    return float(tuple(words) in lines or (len(words) >= RUN and _groups(words, RUN) <= groups[RUN]))
