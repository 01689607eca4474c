"""The same words in several sources: repeated paragraphs are given once, and sources that are one text are marked.

A paragraph is the same when its words are, whatever their case, spacing and punctuation; the first source in order
keeps it. Short ones (headings, captions) stay. Two sources are one text, as when papers print an agency's report,
when most of the shorter one's runs of eight words are in the other. A source that would be left with nothing keeps
everything and is marked instead: its being there is a fact of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from wellsourced.model.page import UNSPACED
from wellsourced.text.urls import host_of, registrable_domain

SHORT_PARAGRAPH = 8
SHINGLE = 8
FEWEST_SHINGLES = 12
SAME_TEXT = 0.6
MOST_HOLDERS = 8

PARAGRAPH_END = re.compile(r"(\n[^\S\n]*\n\s*)")
PLAIN_TOKEN = re.compile(r"[a-z0-9]+")
TOKEN = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}_])\w)+")


@dataclass(frozen=True, slots=True)
class Text:
    """One source as it was read."""

    url: str
    content: str


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """What is left of a source, and which earlier source (by its address) has the same text or the same publisher."""

    url: str
    content: str
    removed: int = 0
    same_text_as: str | None = None
    same_publisher_as: str | None = None

    @property
    def is_independent(self) -> bool:
        return self.same_text_as is None and self.same_publisher_as is None


def deduplicate(sources: Sequence[Text]) -> list[Deduplicated]:
    """The sources in the same order, the best first: what two of them have, the earlier one keeps."""
    copies = same_texts([source.content for source in sources])
    publishers = _same_publishers([source.url for source in sources])
    kept_by: dict[bytes, int] = {}
    found: list[Deduplicated] = []
    for number, source in enumerate(sources):
        content, removed, holder = _without_repeats(source.content, number, kept_by)
        copy = copies[number] if copies[number] is not None else holder
        same_text_as = sources[copy].url if copy is not None else None
        publisher = publishers[number]
        same_publisher_as = sources[publisher].url if publisher is not None else None
        found.append(Deduplicated(source.url, content, removed, same_text_as, same_publisher_as))
    return found


def same_texts(contents: Sequence[str]) -> list[int | None]:
    """For every text the number of the earliest one that it is a copy of, if any."""
    numbers: dict[str, int] = {}
    holders: dict[int, list[int]] = {}
    sizes: list[int] = []
    found: list[int | None] = []
    for number, content in enumerate(contents):
        shingles = _shingles(content, numbers)
        sizes.append(len(shingles))
        shared = Counter(holder for shingle in shingles for holder in holders.get(shingle, ()))
        copy = next((h for h in sorted(shared) if _is_copy(shared[h], sizes[h], len(shingles))), None)
        found.append(copy)
        if copy is None:
            _remember(number, shingles, holders)
    return found


def _is_copy(shared: int, one: int, other: int) -> bool:
    shorter = min(one, other)
    return shorter >= FEWEST_SHINGLES and shared >= SAME_TEXT * shorter


def _remember(number: int, shingles: set[int], holders: dict[int, list[int]]) -> None:
    for shingle in shingles:
        known = holders.setdefault(shingle, [])
        if len(known) < MOST_HOLDERS:
            known.append(number)


def _shingles(content: str, numbers: dict[str, int]) -> set[int]:
    """Every run of eight words, as one number each; words are numbered as they come, so runs compare across texts."""
    words = [numbers.setdefault(word, len(numbers)) for word in _words(content)]
    return {hash(run) for run in zip(*(words[offset:] for offset in range(SHINGLE)), strict=False)}


def _words(text: str) -> list[str]:
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return (PLAIN_TOKEN if folded.isascii() else TOKEN).findall(folded)


def _same_publishers(urls: Sequence[str]) -> list[int | None]:
    first: dict[str, int] = {}
    found: list[int | None] = []
    for number, url in enumerate(urls):
        domain = registrable_domain(host_of(url))
        earlier = first.setdefault(domain, number) if domain else number
        found.append(earlier if earlier != number else None)
    return found


def _without_repeats(content: str, number: int, kept_by: dict[bytes, int]) -> tuple[str, int, int | None]:
    """What is left, how many paragraphs went, and who has them all where nothing of substance would be left."""
    pieces = PARAGRAPH_END.split(content)
    kept: list[str] = []
    new: dict[bytes, int] = {}
    taken: Counter[int] = Counter()
    for place in range(0, len(pieces), 2):
        key = _paragraph_key(pieces[place])
        holder = kept_by.get(key, new.get(key)) if key else None
        if holder is None:
            kept.extend(pieces[place : place + 2])
            if key:
                new[key] = number
        else:
            taken[holder] += 1
    others = Counter({holder: count for holder, count in taken.items() if holder != number})
    if others and not new:
        return content, 0, others.most_common(1)[0][0]
    kept_by.update(new)
    return "".join(kept).rstrip() if taken else content, sum(taken.values()), None


def _paragraph_key(paragraph: str) -> bytes | None:
    """What a paragraph is compared by; None for one too short to count as repeated."""
    words = _words(paragraph)
    if len(words) < SHORT_PARAGRAPH:
        return None
    return blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=16).digest()
