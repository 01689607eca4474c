"""The same words in several sources: repeated paragraphs are given once, and sources that are one text are marked.

A paragraph is the same when its words are, whatever their case, accents and punctuation; the first source in order
keeps it. Short ones (headings, captions) stay. Two sources are one text, as when papers print an agency's report,
when most of the shorter one's runs of eight words are in the other. A source that would be left with nothing keeps
everything and is marked instead: its being there is a fact of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING

from wellsourced.text.folded_letters import IN_RUN, LETTER
from wellsourced.text.passages import SplitText
from wellsourced.text.urls import host_of, registrable_domain
from wellsourced.text.word_numbers import number_runs, number_stretches, number_words, word_starts

if TYPE_CHECKING:
    from wellsourced.text.folded_letters import Codes, Kinds
    from wellsourced.text.word_numbers import Flags, Numbers

# In words: headings and captions repeat without being copies.
SHORT_PARAGRAPH = 8
# Long enough that chance does not repeat it, short enough to survive light editing.
RUN = 8
FEWEST_RUNS = 12
# A long book; ten of them still fit into a worker's memory.
COMPARED_CHARACTERS = 1_000_000
# Characters of a text whose passages are kept for ranking: of books they would take too much memory.
KEPT_SPLIT = 2**18
SAME_TEXT = 0.6
# One in so many of the runs (a power of two), where that is enough of them, tells by this share that two texts are not
# one.
SAMPLED, FEWEST_SAMPLED, NOT_SAME_TEXT = 8, 64, 0.3

# Chinese and Japanese characters are words by themselves.
FIRST_UNSPACED, FIRST_HANGUL, LAST_HANGUL = 0x2E80, 0xAC00, 0xD7AF


class SourceText:
    """One source as it was read: the places of its paragraphs, each with the blank lines after it, and its words.

    A paragraph's key is a number for all its words, 0 for one too short to count as repeated.
    """

    def __init__(self, url: str, content: str) -> None:
        self.url = url
        self.content = content
        split = SplitText(content)
        self.spans = split.paragraphs
        words, self.keys = _number_words(split)
        self._run_numbers = number_runs(words, RUN)
        is_chosen = (self._run_numbers >> 32) & (SAMPLED - 1) == 0
        self.some_runs = frozenset(self._run_numbers[is_chosen].tolist())
        """Some of the runs of eight words, chosen by the number itself and so alike in all texts."""
        self.split = split if len(content) <= KEPT_SPLIT else None

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Not sent to workers, which make it anew sooner than it is copied."""
        return type(None), ()

    @cached_property
    def runs(self) -> frozenset[int]:
        """The runs of eight words, as one number each."""
        return frozenset(self._run_numbers.tolist())


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
    split: SplitText | None = field(default=None, repr=False, compare=False)
    """The source's own text in passages, where it is not long."""

    @property
    def is_independent(self) -> bool:
        return self.same_text_as is None and self.same_publisher_as is None


def prepare_text(url: str, text: str) -> SourceText | None:
    """What comparing it with others needs, which can be made before they are there; not of a long one."""
    return SourceText(url, text) if len(text) <= KEPT_SPLIT else None


def deduplicate_pages(
    pages: Sequence[tuple[str, str]], drop_repeats: bool, prepared: Sequence[SourceText | None] = ()
) -> list[DeduplicatedText]:
    """The same for addresses and their texts, without the contents, which the spans give; of a very long one only the
    beginning is compared. Repeats are only marked unless they are to be dropped."""
    sources = [
        known or SourceText(url, text[:COMPARED_CHARACTERS])
        for (url, text), known in zip_longest(pages, prepared[: len(pages)])
    ]
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
    copies = _copies(sources)
    publishers = _same_publishers([source.url for source in sources])
    kept_by: dict[int, int] = {}
    found: list[DeduplicatedText] = []
    for number, source in enumerate(sources):
        spans, removed, holder = _without_repeats(source, number, kept_by)
        kept = (source.content[start:end] for start, end in spans) if removed else ()
        content = "".join(kept).rstrip() if removed else source.content
        copy = copies[number] if copies[number] is not None else holder
        same_text_as = sources[copy].url if copy is not None else None
        publisher = publishers[number]
        same_publisher_as = sources[publisher].url if publisher is not None else None
        marks = (same_text_as, same_publisher_as, source.split)
        found.append(DeduplicatedText(source.url, content, spans, removed, *marks))
    return found


def _copies(sources: Sequence[SourceText]) -> list[int | None]:
    known: list[int] = []
    found: list[int | None] = []
    for number, source in enumerate(sources):
        copy = next((earlier for earlier in known if _is_copy(source, sources[earlier])), None)
        found.append(copy)
        if copy is None:
            known.append(number)
    return found


def _is_copy(one: SourceText, other: SourceText) -> bool:
    size, share = _shared(one.some_runs, other.some_runs)
    if size >= FEWEST_SAMPLED and share < NOT_SAME_TEXT:
        return False
    size, share = _shared(one.runs, other.runs)
    return size >= FEWEST_RUNS and share >= SAME_TEXT


def _shared(one: frozenset[int], other: frozenset[int]) -> tuple[int, float]:
    """The size of the smaller set, and the share of it that is in the other."""
    size = min(len(one), len(other))
    return size, len(one & other) / size if size else 0.0


def _number_words(split: SplitText) -> tuple[Numbers, list[int]]:
    """A number for each word, and a key for each paragraph."""
    import numpy as np

    codes, kinds = split.words.codes, split.words.kinds
    is_letter = kinds & (LETTER | IN_RUN) > 0
    starts = word_starts(is_letter, _is_alone(codes, kinds)) if split.words.has_runs else split.words.starts
    words = number_words(codes * is_letter, starts)
    passages = np.searchsorted(starts, split.words.edges)
    edges = passages[[*split.firsts, len(split.passages)]]
    keys = number_stretches(words, edges[:-1], edges[1:])
    return words, np.where(np.diff(edges) >= SHORT_PARAGRAPH, keys, 0).tolist()


def _is_alone(codes: Codes, kinds: Kinds) -> Flags:
    """Which letters are words by themselves."""
    is_spaced = (codes < FIRST_UNSPACED) | ((codes >= FIRST_HANGUL) & (codes <= LAST_HANGUL))
    return (kinds & IN_RUN > 0) & ~is_spaced


def _same_publishers(urls: Sequence[str]) -> list[int | None]:
    first: dict[str, int] = {}
    found: list[int | None] = []
    for number, url in enumerate(urls):
        domain = registrable_domain(host_of(url))
        earlier = first.setdefault(domain, number) if domain else number
        found.append(earlier if earlier != number else None)
    return found


def _without_repeats(
    source: SourceText, number: int, kept_by: dict[int, int]
) -> tuple[tuple[tuple[int, int], ...], int, int | None]:
    """The places left, how many paragraphs went, and who has them all where nothing of substance would be left."""
    own = list(filter(None, source.keys))
    if len(first := dict.fromkeys(own, number)) == len(own) and first.keys().isdisjoint(kept_by):  # as mostly
        kept_by.update(first)
        return source.spans, 0, None
    kept: list[tuple[int, int]] = []
    new: dict[int, int] = {}
    taken: Counter[int] = Counter()
    for span, key in zip(source.spans, source.keys, strict=True):
        holder = kept_by.get(key, new.get(key)) if key else None
        if holder is None:
            kept.append(span)
            if key:
                new[key] = number
        else:
            taken[holder] += 1
    others = Counter({holder: count for holder, count in taken.items() if holder != number})
    if others and not new:
        return source.spans, 0, others.most_common(1)[0][0]
    kept_by.update(new)
    return tuple(kept), sum(taken.values()), None
