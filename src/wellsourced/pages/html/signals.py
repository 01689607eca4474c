"""What is measured of single blocks, and the words by which pages name their parts.

Characters are counted for the whole page at once: each has a class, and a block's counts are differences of running
sums. Class names, ids, roles and tags around a block are looked up in a vocabulary that was chosen by how many sites
use a word; each word found is one bit of a mask.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from wellsourced.pages.html.blocks import BLOCK_TAGS, UNSPACED, UNSPACED_ALPHABET, Branch, Outline, holds_invisible
from wellsourced.pages.html.hidden import INVISIBLE_SIGN
from wellsourced.pages.page import LONG_TEXT, UNSPACED_RANGES, count_words
from wellsourced.pages.page import WORD as SPACED_WORD

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, np.dtype[np.float32]]

WORD = re.compile(r"\w+")
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}(?![a-z])")
CLASSES = (
    re.compile(r"\s"),
    re.compile(r"\d"),
    re.compile(r"[A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĘĚĞİŁŃŇŐŘŚŞŠŤŮŰŹŻŽΆ-ΏΑ-ΫЀ-ЯԱ-Ֆ]"),
    re.compile(r"[.!?…。！？।؟۔]"),
    re.compile(r"[,;:、，；：،]"),
    re.compile(r"\n"),
    UNSPACED,
    UNSPACED_ALPHABET,
)
"""Blanks, digits, capitals, ends of sentences, commas, line ends, ideograms, letters of alphabets without spaces."""
BLANK, CAPITAL, END = 0, 2, 3
LAST_CLASSED = 0xFFFF
MOST_COMPARED = 40
LONGEST_NAME = 300
MOST_REMEMBERED = 20_000

_TAG_GROUPS = (
    "p|li|h1|h2|h3|h4 h5 h6|td|th|dt|dd|pre|blockquote|figcaption|div|section article main|caption|summary|header|"
    "footer|nav|aside|form fieldset legend|address|figure|tr table tbody thead tfoot|ul ol dl menu|body html center|"
    "details"
)
TAG_CODES = {tag: code for code, tags in enumerate(_TAG_GROUPS.split("|")) for tag in tags.split()}
OTHER_ATTRIBUTES = (("id", ""), ("role", "r:"), ("itemprop", "i:"))

BLOCK_MEASURES = (
    "words", "chars", "link_words", "strong_words", "links", "sentence_ends", "commas", "digits", "capitals",
    "ends_sentence", "starts_capital", "lines", "tag", "depth", "texts", "mean_word", "likeness", "title_share",
    "repeats",
)  # fmt: skip


@cache
def characters() -> tuple[Any, Any]:
    """For every character of the basic plane the number of its sort, all others having none; the sorts' classes."""
    import numpy as np

    plane = "".join(map(chr, range(LAST_CLASSED)))
    bits = np.zeros(LAST_CLASSED + 1, np.uint8)
    for place, pattern in enumerate(CLASSES):
        bits[[match.start() for match in pattern.finditer(plane)]] |= 1 << place
    sorts, sort_of = np.unique(bits, return_inverse=True)
    return sort_of.astype(np.intp), np.unpackbits(sorts[:, None], axis=1, bitorder="little").astype(np.intp)


@cache
def invisible_signs() -> Any:
    """For every character of the basic plane whether `strip_invisible` may take it out; others may be such."""
    import numpy as np

    table = np.zeros(LAST_CLASSED + 1, np.bool_)
    table[[match.start() for match in INVISIBLE_SIGN.finditer("".join(map(chr, range(LAST_CLASSED))))]] = True
    table[LAST_CLASSED] = True
    return table


def has_invisible(text: str) -> bool:
    """What `blocks.holds_invisible` says, in a tenth of its time."""
    if text.isascii():
        return False
    return bool(invisible_signs().take(_codes(text), mode="clip").any()) and holds_invisible(text)


def count_text_words(text: str) -> int:
    """What `count_words` says of a page's text, without patterns where it is long."""
    import numpy as np

    if text.isascii():
        return len(text.split())
    codes = _codes(text)
    unspaced = np.zeros(len(codes), np.bool_)
    if codes.max() >= UNSPACED_RANGES[0][0]:
        for first, last in UNSPACED_RANGES:
            unspaced |= (codes >= first) & (codes <= last)
    number = int(np.count_nonzero(unspaced))
    if len(text) < LONG_TEXT:
        return count_words(text) if number else len(SPACED_WORD.findall(text))
    sort_of, classes = characters()
    within = ~unspaced & (classes[:, BLANK] == 0)[sort_of.take(codes, mode="clip")]
    return number + int(within[0]) + int(np.count_nonzero(within[1:] & ~within[:-1]))


def _codes(text: str) -> Any:
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def measure(outline: Outline, title: str) -> Matrix:
    """`BLOCK_MEASURES`, one row each, one column a block."""
    import numpy as np

    blocks = outline.blocks
    texts = [block.text.strip() for block in blocks]
    chars, counts, last, first = _count_characters(texts)
    spaced, digits, capitals, ends, commas, lines, ideograms, letters = counts
    words = spaced + 0.6 * ideograms + 0.2 * letters
    rows = np.empty((len(BLOCK_MEASURES), len(blocks)), np.float32)
    rows[0], rows[1] = words, chars
    rows[2] = [block.link_words for block in blocks]
    rows[3] = [block.strong_words for block in blocks]
    rows[4] = [block.links for block in blocks]
    rows[5], rows[6], rows[7], rows[8] = ends, commas, digits, capitals
    rows[9], rows[10], rows[11] = last[:, END], first[:, CAPITAL], lines
    rows[12] = [TAG_CODES.get(block.container.tag, 99) for block in blocks]
    rows[13] = [block.container.depth for block in blocks]
    rows[14] = [len(block.texts) for block in blocks]
    rows[15] = chars / (words + 1)
    rows[16], rows[17] = _likeness(texts, spaced.tolist(), title)
    rows[18] = _repeats(texts)
    return rows


def _count_characters(texts: Sequence[str]) -> tuple[Any, Any, Any, Any]:
    """Lengths; for each class how many characters of each text have it, words for blanks; classes at both ends."""
    import numpy as np

    sort_of, classes = characters()
    lengths = np.array(list(map(len, texts)))
    ends = lengths.cumsum()
    starts = ends - lengths
    sorts = sort_of.take(_codes("".join(texts)), mode="clip")
    places = np.repeat(np.arange(0, len(texts) * len(classes), len(classes)), lengths) + sorts
    names = np.bincount(places, minlength=len(texts) * len(classes)).reshape(len(texts), -1)
    counts = (names @ classes).T
    begins = (classes[:, BLANK] == 0)[sorts]
    begins[1:] &= ~begins[:-1]
    begins[starts] = True
    counts[BLANK] = np.add.reduceat(begins, starts, dtype=np.int32)
    return lengths, counts, classes[sorts[ends - 1]], classes[sorts[starts]]


def _likeness(texts: Sequence[str], spaced: Sequence[int], title: str) -> tuple[list[float], list[float]]:
    """How much of each shorter block is in the page's title, and how much of the title in the block."""
    title_words = set(WORD.findall(title.lower()))
    of_block, of_title = [0.0] * len(texts), [0.0] * len(texts)
    for place, text in enumerate(texts):
        if spaced[place] > MOST_COMPARED:
            continue
        lowered = text.lower()
        if not title_words.isdisjoint(lowered.split()):
            own = set(WORD.findall(lowered))
            both = len(own & title_words)
            of_block[place], of_title[place] = both / len(own), both / len(title_words)
    return of_block, of_title


def _repeats(texts: Sequence[str]) -> list[int]:
    """How often the same text stood on the page before."""
    seen: dict[str, int] = {}
    repeats = []
    for text in texts:
        seen[text] = before = seen.get(text, -1) + 1
        repeats.append(before)
    return repeats


def name_words(branch: Branch) -> set[str]:
    """The words a page's author used for an element: its tag, class, id, role and item property."""
    names = {"t:" + branch.tag} | split_name(branch.class_name, "")
    for attribute, prefix in OTHER_ATTRIBUTES:
        names |= split_name(branch.attr(attribute), prefix)
    return names


def split_name(value: str, prefix: str) -> set[str]:
    parts = NAME_PART.findall(value[:LONGEST_NAME])
    return {prefix + part.lower() for part in parts} if prefix else set(map(str.lower, parts))


class Names:
    """A vocabulary of names with their bit places; remembers the masks of names it has met, up to a limit."""

    def __init__(self, places: Mapping[str, int]) -> None:
        self.places = places
        self._known: dict[tuple[str, str], int] = {}

    def __len__(self) -> int:
        return len(self.places)

    def mask(self, value: str, prefix: str) -> int:
        value = value[:LONGEST_NAME]
        known = self._known.get((value, prefix))
        if known is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            known = self._known[value, prefix] = self._bits(split_name(value, prefix))
        return known

    def tag(self, tag: str) -> int:
        return self._bits(("t:" + tag,))

    def _bits(self, words: Iterable[str]) -> int:
        bits = 0
        for word in words:
            place = self.places.get(word)
            if place is not None:
                bits |= 1 << place
        return bits


def context_masks(outline: Outline, names: Names) -> list[int]:
    """For each block the vocabulary words of all block-level elements around it."""
    around = [0] * len(outline.branches)
    tags = {tag: names.tag(tag) for tag in {branch.tag for branch in outline.parts}}
    for branch in outline.parts:
        bits = around[branch.parent.index] if branch.parent else 0
        if branch.tag in BLOCK_TAGS:
            bits |= tags[branch.tag]
            if branch.class_name:
                bits |= names.mask(branch.class_name, "")
            for attribute, prefix in OTHER_ATTRIBUTES:
                value = branch.element.attr(attribute)
                if value:
                    bits |= names.mask(value, prefix)
        around[branch.index] = bits
    return [around[block.container.index] for block in outline.blocks]
