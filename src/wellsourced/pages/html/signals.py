"""What is measured of single blocks, and the words by which pages name their parts.

Characters are counted for the whole page at once: each has a class, and a block's counts are differences of running
sums. Class names, ids, roles and tags around a block are looked up in a vocabulary that was chosen by how many sites
use a word; each word found is one bit of a mask.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, compress
from typing import TYPE_CHECKING, Any

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.blocks import BLOCK_TAGS, UNSPACED, UNSPACED_ALPHABET, Branch, Outline, holds_invisible
from wellsourced.pages.html.dom import Element, select
from wellsourced.pages.html.hidden import INVISIBLE_SIGN
from wellsourced.pages.html.short_texts import ShortTexts
from wellsourced.pages.page import LONG_TEXT, UNSPACED_RANGES, count_words

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, np.dtype[np.float32]]

WORD_SIGN, JOINT = late_pattern(r"\w"), late_pattern(r"['’.-]")
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}(?![a-z])")
# No attribute holds this character: the HTML parser replaces it.
NAME_END = "\0"
NAME_PART_OR_END = re.compile(f"{NAME_PART.pattern}|{NAME_END}")
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
WITHIN, PLAIN_BLANK = 1, ord(" ")
LAST_CLASSED = 0xFFFF
# With the zeros that fill the numbers of characters: no text of a page holds that character.
DELETE, KEPT_CONTROLS = "\x7f", b"\0\n\t\r\f"
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
    "repeats", "wording",
)  # fmt: skip


@cache
def characters() -> tuple[Any, Any, Any]:
    """For every character of the basic plane a byte of its classes, all others having none; for every such byte its
    sort; the sorts' classes, one row a class."""
    import numpy as np

    bits = np.zeros(LAST_CLASSED + 1, np.uint8)
    for place, pattern in enumerate(CLASSES):
        bits[_signs(pattern)] |= 1 << place
    # Of a run of blanks all but the last are taken as none.
    occurs = np.zeros(256, np.bool_)
    occurs[bits] = occurs[bits & ~np.uint8(1)] = True
    sorts = occurs.nonzero()[0].astype(np.uint8)
    sort_of = sorts.searchsorted(np.arange(256))
    return bits, sort_of, np.unpackbits(sorts[None], axis=0, bitorder="little").astype(np.intp)


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
    for run in re.finditer(f"(?:{pattern.pattern})+", basic_plane()):
        table[run.start() : run.end()] = True
    return table


@cache
def basic_plane() -> str:
    """Its characters one after the other, but for the last."""
    import numpy as np

    return np.arange(LAST_CLASSED, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


def has_invisible(text: str) -> bool:
    """What `blocks.holds_invisible` says, in a tenth of its time."""
    if text.isascii():
        return False
    return bool(invisible_signs().take(_codes(text), mode="clip").any()) and holds_invisible(text)


def has_controls(text: str) -> bool:
    """Whether `markdown.without_controls` would take any out."""
    codes = _codes(text)
    below = codes[codes < PLAIN_BLANK].tobytes()
    return DELETE in text or bool(below.translate(None, KEPT_CONTROLS))


def count_text_words(text: str) -> int:
    """What `count_words` says of a page's text, without patterns where it is long."""
    import numpy as np

    if len(text) < LONG_TEXT and text.isascii():
        return len(text.split())
    codes = _codes(text)
    signs = word_signs().take(codes, mode="clip")
    unspaced = 0
    if signs.max() > WITHIN:
        between = np.any([(codes >= first) & (codes <= last) for first, last in UNSPACED_RANGES], axis=0)
        unspaced = int(np.count_nonzero(between))
        signs[between] = 0
    if len(text) < LONG_TEXT:
        return count_words(text) if unspaced or codes.max() >= LAST_CLASSED else _count_joined(codes)
    within = signs.astype(np.bool_)
    return unspaced + int(within[0]) + int(np.count_nonzero(within[1:] > within[:-1]))


def count_kept_words(outline: Outline, kept: Sequence[bool], text: str) -> int:
    """What `count_text_words` says of the text of kept blocks, from what was measured of them where it is the same."""
    is_spaced = len(text) >= LONG_TEXT and (text.isascii() or int(_codes(text).max()) < UNSPACED_RANGES[0][0])
    return sum(compress(outline.words, kept)) if is_spaced and outline.words else count_text_words(text)


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
    """For every character of the basic plane 0 for a blank, 1 within a word, 2 for what may be a word of its own."""
    signs = 1 - (characters()[0] & 1)
    for first, last in UNSPACED_RANGES:
        signs[first : last + 1] = 2
    signs[LAST_CLASSED] = 2
    return signs


def _codes(text: str) -> Any:
    """The characters' numbers, of two bytes where those are enough."""
    import numpy as np

    raw = text.encode("utf-16-le", "surrogatepass")
    if len(raw) == 2 * len(text):
        return np.frombuffer(raw, np.uint16)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def measure(outline: Outline, title: str, weights: Mapping[str, float], rows: Matrix) -> None:
    """`BLOCK_MEASURES` into the rows, one each, one column a block; `weights` say what words speak for content."""
    blocks = outline.blocks
    texts = [block.text.strip() for block in blocks]
    containers = [block.container for block in blocks]
    outline.text = "".join(texts)
    chars, counts, closes, opens, outline.tidy, outline.years = _count_characters(texts, outline.text)
    outline.words = counts[BLANK].tolist()
    spaced, digits, capitals, ends, commas, lines, ideograms, letters = counts
    words = spaced + 0.6 * ideograms + 0.2 * letters
    short = ShortTexts(texts, spaced)
    linked, strong = number_rows([block.link_words for block in blocks], [block.strong_words for block in blocks])
    links, tags, depths, pieces, repeats = number_rows(
        [block.links for block in blocks], [TAG_CODES.get(branch.tag, 99) for branch in containers],
        [branch.depth for branch in containers], [len(block.texts) for block in blocks], _repeats(texts),
        kind=int,
    )  # fmt: skip
    measured = (
        words, chars, linked, strong, links, ends, commas, digits, capitals, closes, opens, lines, tags, depths, pieces,
        chars / (words + 1), *short.likeness(title), repeats, short.wording(weights),
    )  # fmt: skip
    for row, values in zip(rows, measured, strict=True):
        row[:] = values


def number_rows(*lists: Sequence[float], kind: type = float) -> Any:
    """Lists of one length as the rows of an array, in a third of the time that it takes numpy."""
    import numpy as np

    packed = struct.pack(f"{len(lists) * len(lists[0])}{'d' if kind is float else 'n'}", *chain(*lists))
    return np.frombuffer(packed, np.float64 if kind is float else np.intp).reshape(len(lists), -1)


def _count_characters(texts: Sequence[str], joined: str) -> tuple[Any, Any, Any, Any, list[bool], list[bool]]:
    """Lengths; for each class how many characters of each text have it, words for blanks; whether it closes with the
    end of a sentence, and opens with a capital; whether only single plain blanks are in it; whether four digits may
    begin in it."""
    import numpy as np

    bits_of, sort_of, classes = characters()
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    ends = lengths.cumsum()
    starts = ends - lengths
    codes = _codes(joined)
    bits = bits_of.take(codes, mode="clip")
    untidy = bits & (codes != PLAIN_BLANK)
    # The texts are stripped: each has a word more than runs of blanks, and no run is at its end.
    followed = bits[1:] & 1
    untidy[:-1] |= bits[:-1] & followed
    bits[:-1] &= ~followed
    places = np.flatnonzero(bits != 0)
    classed = bits.take(places)
    held = places.searchsorted(ends)
    held[1:] -= held[:-1].copy()
    sorts = (sort_of * len(texts)).take(classed) + np.arange(len(texts)).repeat(held)
    counts = classes @ np.bincount(sorts, minlength=classes.shape[1] * len(texts)).reshape(-1, len(texts))
    counts[BLANK] += 1
    digits = places[(classed & 1 << DIGIT) != 0]
    years = _holding(digits[:-3][digits[3:] - digits[:-3] == 3], starts)
    tidy = ~_holding((untidy & 1).nonzero()[0], starts)
    return lengths, counts, bits[ends - 1] >> END & 1, bits[starts] >> CAPITAL & 1, tidy.tolist(), years.tolist()


def _holding(places: Any, starts: Any) -> Any:
    """For each text whether one of the places is in it."""
    import numpy as np

    found = np.zeros(len(starts), np.bool_)
    found[starts.searchsorted(places, "right") - 1] = True
    return found


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
        self._bits = {word: 1 << place for word, place in places.items()}
        self.tags = {tag: self._bits.get("t:" + tag, 0) for tag in BLOCK_TAGS}
        # Of the attributes that may name an element, those of which the vocabulary has any word.
        self.attributes = [each for each in OTHER_ATTRIBUTES if any(word.startswith(each[1]) for word in places)]
        self._known: dict[str, dict[str, int]] = {}

    def __len__(self) -> int:
        return len(self.places)

    def masks(self, values: Iterable[str], prefix: str) -> Mapping[str, int]:
        """The masks of values; those that were not met before are parted into words all at once."""
        known = self._known.setdefault(prefix, {})
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        new = [value for value in set(values) if value not in known]
        found, bits, bits_of = list[int](), 0, self._bits.get
        for part in NAME_PART_OR_END.findall("".join([value[:LONGEST_NAME] + NAME_END for value in new])):
            if part == NAME_END:
                found.append(bits)
                bits = 0
            else:
                bits |= bits_of(prefix + part.lower(), 0)
        known.update(zip(new, found, strict=True))
        return known


def context_masks(outline: Outline, names: Names) -> list[int]:
    """For each block the vocabulary words of all block-level elements around it."""
    around: list[int] = []
    tags, named = names.tags, _named_elements(outline.root.element, names)
    classes = names.masks([part.class_name for part in outline.parts], "")
    for branch in outline.parts:
        bits = around[branch.parent.part] if branch.parent else 0
        if branch.tag in tags:
            bits |= tags[branch.tag] | classes[branch.class_name]
            if branch.element in named:
                bits |= named[branch.element]
        around.append(bits)
    return [around[block.container.part] for block in outline.blocks]


def _named_elements(root: Element, names: Names) -> dict[Element, int]:
    """The masks of the few elements that are named by more than a class."""
    masks: dict[Element, int] = {}
    for attribute, prefix in names.attributes:
        elements = (root, *select(root, f"[{attribute}]"))
        values = [element.attr(attribute) or "" for element in elements]
        known = names.masks(values, prefix)
        for element, value in zip(elements, values, strict=True):
            if bits := known[value]:
                masks[element] = masks.get(element, 0) | bits
    return masks
