"""Learn which language a title is in from the letters of its words, and write the arrays of `text.title_languages`.

    python -m training.learn_title_languages PUBMED.xml.gz... [--write]

PubMed gives the title of a foreign article in its own language and in English. Every eighth title is kept aside; the
share of it that is told rightly, wrongly and not at all is printed for each language.
"""

from __future__ import annotations

import argparse
import gzip
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from wellsourced.text.title_languages import LANGUAGES, MODEL, checksum, title_language, trigrams

SEED, MOST_ENGLISH, LEAST_SEEN, MOST_TRIGRAMS = 22, 12_000, 3, 5_000
# Languages that are told from English, not from each other.
GROUPS = {
    "eng": "en", "ger": "de", "dut": "nl", "afr": "nl", "dan": "sv", "swe": "sv", "nor": "sv", "fre": "fr", "spa": "es",
    "por": "es", "ita": "it", "rum": "ro", "pol": "pl", "cze": "cs", "slo": "cs", "hrv": "cs", "srp": "cs", "rus": "ru",
    "bul": "ru", "ukr": "ru",
}  # fmt: skip


def titles(path: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(path) as file:
        for _, element in ElementTree.iterparse(file):
            if element.tag != "PubmedArticle":
                continue
            language = element.findtext(".//Language") or ""
            own, english = element.find(".//VernacularTitle"), element.find(".//ArticleTitle")
            if english is not None:
                yield "en", _text(english)
            if own is not None and language in GROUPS and language != "eng":
                yield GROUPS[language], _text(own)
            element.clear()


def _text(element: ElementTree.Element) -> str:
    return "".join(element.itertext()).strip(" []").removesuffix("(author's transl)]")


def learn(known: list[tuple[str, str]]) -> dict[str, Any]:
    """How much each trigram speaks for each language, as small integers; languages count alike."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for language, title in known:
        counts[language].update(trigrams(title))
    total: Counter[str] = sum(counts.values(), Counter())
    kept = [trigram for trigram, seen in total.most_common(MOST_TRIGRAMS) if seen >= LEAST_SEEN]
    table = np.array([[counts[language][trigram] for language in LANGUAGES] for trigram in kept], dtype=float)
    shares = table / table.sum(axis=0)
    mean = shares.mean(axis=1, keepdims=True)
    smooth = 2.0 / table.sum(axis=0)
    weights = np.log((shares + smooth) / (mean + smooth))
    order = np.argsort([checksum(trigram) for trigram in kept])
    rows = np.clip(np.rint(weights * 16), -127, 127).astype(np.int8)
    return {
        "known": np.array([checksum(kept[place]) for place in order], dtype=np.uint32),
        "weights": rows[order],
    }


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("sources", type=Path, nargs="+")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    everything = [one for path in given.sources for one in titles(path)]
    random.Random(SEED).shuffle(everything)
    english = [one for one in everything if one[0] == "en"][:MOST_ENGLISH]
    used = english + [one for one in everything if one[0] != "en"]
    arrays = learn([one for place, one in enumerate(used) if place % 8])
    if given.write:
        np.savez_compressed(Path(__file__).parent.parent / "src/wellsourced/data" / MODEL, **arrays)
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for language, title in used[::8]:
        told[language][title_language(title) or "none"] += 1
    for language, counted in told.items():
        print(language, counted.total(), dict(counted.most_common(4)))


if __name__ == "__main__":
    main()
