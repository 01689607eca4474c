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
from dataclasses import dataclass, field, replace

from wellsourced.pages.page import UNSPACED, UNSPACED_CHARACTER
from wellsourced.text.urls import host_of, registrable_domain

# In words: headings and captions repeat without being copies.
SHORT_PARAGRAPH = 8
# Long enough that chance does not repeat it, short enough to survive light editing.
RUN = 8
FEWEST_RUNS = 12
# A long book; ten of them still fit into a worker's memory.
COMPARED_CHARACTERS = 1_000_000
# What follows so many counts as one paragraph: no text for readers has more in as many characters.
MOST_PARAGRAPHS = 5_000
SAME_TEXT = 0.6
# Of texts that all have so many words an eighth of the runs tells whether they are one.
LONG_TEXT, LONG_SHARE = 2_000, 8
# An odd constant near 2^64 divided by the golden ratio spreads the products evenly.
MULTIPLIER = 0x9E3779B97F4A7C15

PARAGRAPH_END = re.compile(r"(\n[^\S\n]*\n\s*)")
PLAIN_TOKEN = re.compile(r"[a-z0-9]+")
SPACED_TOKEN = re.compile(r"[^\W_]+")
TOKEN = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class SourceText:
    """One source as it was read, taken apart into its paragraphs."""

    url: str
    content: str
    paragraphs: list[_Paragraph] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "paragraphs", _paragraphs(self.content))

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The places of its paragraphs, each with the blank lines after it."""
        return tuple((paragraph.start, paragraph.end) for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True)
class DeduplicatedText:
    """What is left of a source, and which earlier source (by its address) has the same text or the same publisher.

    `spans` are the places of what is left in the source's own text.
    """

    url: str
    content: str
    spans: tuple[tuple[int, int], ...]
    removed: int = 0
    same_text_as: str | None = None
    same_publisher_as: str | None = None

    @property
    def is_independent(self) -> bool:
        return self.same_text_as is None and self.same_publisher_as is None


def deduplicate_pages(pages: Sequence[tuple[str, str]], drop_repeats: bool) -> list[DeduplicatedText]:
    """The same for addresses and their texts, without the contents, which the spans give; of a very long one only the
    beginning is compared. Repeats are only marked unless they are to be dropped."""
    sources = [SourceText(url, text[:COMPARED_CHARACTERS]) for url, text in pages]
    found = deduplicate_texts(sources)
    if not drop_repeats:
        whole = zip(found, sources, strict=True)
        found = [replace(each, spans=source.spans, removed=0) for each, source in whole]
    return [_with_rest(each, text) for each, (_, text) in zip(found, pages, strict=True)]


def _with_rest(found: DeduplicatedText, text: str) -> DeduplicatedText:
    rest = ((COMPARED_CHARACTERS, len(text)),) if len(text) > COMPARED_CHARACTERS else ()
    return replace(found, content="", spans=(*found.spans, *rest))


def deduplicate_texts(sources: Sequence[SourceText]) -> list[DeduplicatedText]:
    """The sources in the same order, the best first: what two of them have, the earlier one keeps."""
    copies = _copies([[word for part in source.paragraphs for word in part.words] for source in sources])
    publishers = _same_publishers([source.url for source in sources])
    kept_by: dict[str, int] = {}
    found: list[DeduplicatedText] = []
    for number, source in enumerate(sources):
        spans, removed, holder = _without_repeats(source, number, kept_by)
        kept = "".join(source.content[start:end] for start, end in spans)
        content = kept.rstrip() if removed else kept
        copy = copies[number] if copies[number] is not None else holder
        same_text_as = sources[copy].url if copy is not None else None
        publisher = publishers[number]
        same_publisher_as = sources[publisher].url if publisher is not None else None
        found.append(DeduplicatedText(source.url, content, spans, removed, same_text_as, same_publisher_as))
    return found


def _copies(texts: Sequence[Sequence[str]]) -> list[int | None]:
    known: dict[int, set[int]] = {}
    found: list[int | None] = []
    share = LONG_SHARE if min(map(len, texts), default=0) >= LONG_TEXT else 1
    for number, words in enumerate(texts):
        runs = _runs(words, share)
        copy = next((earlier for earlier, others in known.items() if _is_copy(runs, others)), None)
        found.append(copy)
        if copy is None:
            known[number] = runs
    return found


def _is_copy(one: set[int], other: set[int]) -> bool:
    shorter = min(len(one), len(other))
    return shorter >= FEWEST_RUNS and len(one & other) >= SAME_TEXT * shorter


def _runs(words: Sequence[str], share: int) -> set[int]:
    """The runs of eight words, as one number each: one in `share`, chosen by the number itself and so alike in all."""
    import numpy as np

    known = np.fromiter(map(hash, words), np.int64, len(words)).view(np.uint64)
    places = max(0, len(known) - RUN + 1)
    runs = np.zeros(places, np.uint64)
    for offset in range(RUN):
        runs = runs * np.uint64(MULTIPLIER) + known[offset : offset + places]
    return set(runs[(runs >> np.uint64(32)) % np.uint64(share) == 0].tolist())


def _words(text: str) -> list[str]:
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    pattern = PLAIN_TOKEN if folded.isascii() else TOKEN if UNSPACED_CHARACTER.search(folded) else SPACED_TOKEN
    return pattern.findall(folded)


def _same_publishers(urls: Sequence[str]) -> list[int | None]:
    first: dict[str, int] = {}
    found: list[int | None] = []
    for number, url in enumerate(urls):
        domain = registrable_domain(host_of(url))
        earlier = first.setdefault(domain, number) if domain else number
        found.append(earlier if earlier != number else None)
    return found


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A paragraph with the blank lines after it: its place in the text, and its words."""

    start: int
    end: int
    words: list[str]

    @property
    def key(self) -> str:
        """What it is compared by; "" for one too short to count as repeated."""
        return " ".join(self.words) if len(self.words) >= SHORT_PARAGRAPH else ""


def _paragraphs(content: str) -> list[_Paragraph]:
    pieces = [*PARAGRAPH_END.split(content, MOST_PARAGRAPHS), ""]
    found, start = [], 0
    for text, gap in zip(pieces[::2], pieces[1::2], strict=True):
        end = start + len(text) + len(gap)
        found.append(_Paragraph(start, end, _words(text)))
        start = end
    return found


def _without_repeats(
    source: SourceText, number: int, kept_by: dict[str, int]
) -> tuple[tuple[tuple[int, int], ...], int, int | None]:
    """The places left, how many paragraphs went, and who has them all where nothing of substance would be left."""
    kept: list[tuple[int, int]] = []
    new: dict[str, int] = {}
    taken: Counter[int] = Counter()
    for paragraph in source.paragraphs:
        key = paragraph.key
        holder = kept_by.get(key, new.get(key)) if key else None
        if holder is None:
            kept.append((paragraph.start, paragraph.end))
            if key:
                new[key] = number
        else:
            taken[holder] += 1
    others = Counter({holder: count for holder, count in taken.items() if holder != number})
    if others and not new:
        return source.spans, 0, others.most_common(1)[0][0]
    kept_by.update(new)
    return tuple(kept), sum(taken.values()), None
