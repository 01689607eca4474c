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
from wellsourced.pages.html.dom import Element, select
from wellsourced.pages.html.hidden import INVISIBLE_SIGN
from wellsourced.pages.page import LONG_TEXT, UNSPACED_RANGES, count_words

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, np.dtype[np.float32]]

WORD = re.compile(r"\w+")
WORD_SIGN, JOINT = re.compile(r"\w"), re.compile(r"['’.-]")
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
BLANK, DIGIT, CAPITAL, END = range(4)
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
NAMED = ", ".join(f"[{attribute}]" for attribute, _ in OTHER_ATTRIBUTES)

BLOCK_MEASURES = (
    "words", "chars", "link_words", "strong_words", "links", "sentence_ends", "commas", "digits", "capitals",
    "ends_sentence", "starts_capital", "lines", "tag", "depth", "texts", "mean_word", "likeness", "title_share",
    "repeats",
)  # fmt: skip


@cache
def characters() -> tuple[Any, Any]:
    """For every character of the basic plane the number of its sort, all others having none; the sorts' classes."""
    import numpy as np

    bits = np.zeros(LAST_CLASSED + 1, np.uint8)
    for place, pattern in enumerate(CLASSES):
        bits[_signs(pattern)] |= 1 << place
    sorts, sort_of = np.unique(bits, return_inverse=True)
    return sort_of.astype(np.uint8), np.unpackbits(sorts[:, None], axis=1, bitorder="little").astype(np.intp)


@cache
def invisible_signs() -> Any:
    """For every character of the basic plane whether `strip_invisible` may take it out; others may be such."""
    table = _signs(INVISIBLE_SIGN)
    table[LAST_CLASSED] = True
    return table


def _signs(pattern: re.Pattern[str]) -> Any:
    """For every character of the basic plane whether it is one of the pattern's."""
    import numpy as np

    table = np.zeros(LAST_CLASSED + 1, np.bool_)
    table[[match.start() for match in pattern.finditer("".join(map(chr, range(LAST_CLASSED))))]] = True
    return table


def has_invisible(text: str) -> bool:
    """What `blocks.holds_invisible` says, in a tenth of its time."""
    if text.isascii():
        return False
    return bool(invisible_signs().take(_codes(text), mode="clip").any()) and holds_invisible(text)


def count_text_words(text: str) -> int:
    """What `count_words` says of a page's text, without patterns where it is long."""
    import numpy as np

    if len(text) < LONG_TEXT and text.isascii():
        return len(text.split())
    codes = _codes(text)
    within = word_signs().take(codes, mode="clip")
    unspaced = 0
    if codes.max() >= UNSPACED_RANGES[0][0]:
        between = np.any([(codes >= first) & (codes <= last) for first, last in UNSPACED_RANGES], axis=0)
        unspaced = int(np.count_nonzero(between))
        within &= ~between
    if len(text) < LONG_TEXT:
        return count_words(text) if unspaced or codes.max() >= LAST_CLASSED else _count_joined(codes)
    return unspaced + int(within[0]) + int(np.count_nonzero(within[1:] > within[:-1]))


def _count_joined(codes: Any) -> int:
    """How many words there are, those with a hyphen, a point or an apostrophe between two letters being one."""
    import numpy as np

    letters, joints = (table.take(codes) for table in letter_signs())
    starts = int(letters[0]) + np.count_nonzero(letters[1:] > letters[:-1])
    return int(starts - np.count_nonzero(letters[:-2] & joints[1:-1] & letters[2:]))


@cache
def letter_signs() -> tuple[Any, Any]:
    """For every character of the basic plane whether it is of a word, and whether it joins two to one."""
    return _signs(WORD_SIGN), _signs(JOINT)


@cache
def word_signs() -> Any:
    """For every character of the basic plane whether it is no blank, as are all others."""
    sort_of, classes = characters()
    return (classes[:, BLANK] == 0)[sort_of]


def _codes(text: str) -> Any:
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def measure(outline: Outline, title: str) -> Matrix:
    """`BLOCK_MEASURES`, one row each, one column a block."""
    import numpy as np

    blocks = outline.blocks
    texts = [block.text.strip() for block in blocks]
    chars, counts, last, first, outline.years = _count_characters(texts)
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


def _count_characters(texts: Sequence[str]) -> tuple[Any, Any, Any, Any, list[bool]]:
    """Lengths; for each class how many characters of each text have it, words for blanks; classes at both ends; whether
    four digits may begin in the text."""
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
    digits = np.zeros(len(sorts) + 3, np.bool_)
    digits[:-3] = (classes[:, DIGIT] == 1)[sorts]
    years = np.logical_or.reduceat(digits[:-3] & digits[1:-2] & digits[2:-1] & digits[3:], starts)
    return lengths, counts, classes[sorts[ends - 1]], classes[sorts[starts]], years.tolist()


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
        self._known: dict[str, dict[str, int]] = {}

    def __len__(self) -> int:
        return len(self.places)

    def known(self, prefix: str) -> dict[str, int]:
        """The masks of values met so far, which `mask` adds to."""
        known = self._known.setdefault(prefix, {})
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        return known

    def mask(self, value: str, prefix: str) -> int:
        value = value[:LONGEST_NAME]
        known = self.known(prefix)
        if value not in known:
            known[value] = self._bits(split_name(value, prefix))
        return known[value]

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
    around: list[int] = []
    classes, named = names.known(""), _named_elements(outline, names)
    tags = {tag: names.tag(tag) for tag in {branch.tag for branch in outline.parts} & BLOCK_TAGS}
    for branch in outline.parts:
        bits = around[branch.parent.part] if branch.parent else 0
        if branch.tag in tags:
            bits |= tags[branch.tag]
            if name := branch.class_name:
                known = classes.get(name)
                bits |= names.mask(name, "") if known is None else known
            if branch.element in named:
                bits |= named[branch.element]
        around.append(bits)
    return [around[block.container.part] for block in outline.blocks]


def _named_elements(outline: Outline, names: Names) -> dict[Element, int]:
    """The masks of the few elements that are named by more than a class."""
    masks = {}
    for element in (outline.root.element, *select(outline.root.element, NAMED)):
        masks[element] = 0
        for attribute, prefix in OTHER_ATTRIBUTES:
            masks[element] |= names.mask(element.attr(attribute) or "", prefix)
    return masks
