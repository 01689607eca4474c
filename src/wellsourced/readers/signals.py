"""What is measured of a single block, and the words by which pages name their parts.

Class names, ids, roles and tags around a block, and the words of short blocks, are looked up in vocabularies
that were chosen by how many sites use a word; each word found is one bit of a mask.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from wellsourced.readers.blocks import BLOCK_TAGS, HEADING_TAGS, Block, Branch, Outline, count_words

WORD = re.compile(r"\w+")
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}(?![a-z])")
DIGIT = re.compile(r"\d")
ASCII_DIGITS, ASCII_CAPITALS = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CAPITAL = re.compile(r"[A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĘĚĞİŁŃŇŐŘŚŞŠŤŮŰŹŻŽΆ-ΏΑ-ΫЀ-ЯԱ-Ֆ]")
SENTENCE_ENDS = ".!?…。！？।؟۔"
SENTENCE_END = re.compile(f"[{SENTENCE_ENDS}]")
COMMA = re.compile(r"[,;:、，；：،]")
SHORT_BLOCK, MOST_COMPARED = 25, 40
NO_WORDS: frozenset[str] = frozenset()
LONGEST_SHORT = 400
LONGEST_NAME = 300

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


def name_words(branch: Branch) -> set[str]:
    """The words a page's author used for an element: its tag, class, id, role and item property."""
    return {"t:" + branch.tag} | split_name(branch.class_name, "") | _other_names(branch)


def split_name(value: str, prefix: str) -> set[str]:
    parts = NAME_PART.findall(value[:LONGEST_NAME])
    return {prefix + part.lower() for part in parts} if prefix else set(map(str.lower, parts))


def short_words(text: str) -> set[str]:
    """The words of a short block, none for a long one."""
    if len(text) > LONGEST_SHORT:
        return set()
    found = WORD.findall(text.lower())
    return set(found) if len(found) <= SHORT_BLOCK else set()


def mask(found: Iterable[str], vocabulary: Mapping[str, int]) -> int:
    bits = 0
    for word in found:
        place = vocabulary.get(word)
        if place is not None:
            bits |= 1 << place
    return bits


def describe_blocks(outline: Outline, title: str, vocabulary: Mapping[str, int]) -> tuple[list[float], list[int]]:
    """`BLOCK_MEASURES` of one block after the other, and for each a mask: words of its text and its heading's text."""
    title_words = set(WORD.findall(title.lower()))
    seen: dict[str, int] = {}
    measures: list[float] = []
    masks = []
    heading, size = 0, len(vocabulary)
    for block in outline.blocks:
        text = block.text.strip()
        spaced = len(text.split())
        few = set(WORD.findall(text.lower())) if spaced <= MOST_COMPARED else NO_WORDS
        seen[text] = repeats = seen.get(text, -1) + 1
        measures += _measure(block, text, spaced)
        measures += _likeness(few, title_words)
        measures.append(repeats)
        bits = mask(few, vocabulary) if spaced <= SHORT_BLOCK else 0
        masks.append(bits | heading << size)
        if block.home.tag in HEADING_TAGS:
            heading = bits
    return measures, masks


def _measure(block: Block, text: str, spaced: int) -> tuple[float, ...]:
    length = len(text)
    if text.isascii():
        raw = text.encode()
        words: float = spaced
        ends = text.count(".") + text.count("!") + text.count("?")
        commas = text.count(",") + text.count(";") + text.count(":")
        digits = length - len(raw.translate(None, ASCII_DIGITS))
        capitals = length - len(raw.translate(None, ASCII_CAPITALS))
    else:
        words = count_words(text)
        ends, commas, digits, capitals = (len(p.findall(text)) for p in (SENTENCE_END, COMMA, DIGIT, CAPITAL))
    return (
        words, length, block.link_words, block.strong_words, block.links, ends, commas, digits, capitals,
        text[-1:] in SENTENCE_ENDS, text[:1].isupper(), text.count("\n"), TAG_CODES.get(block.home.tag, 99),
        block.home.depth, len(block.texts), length / (words + 1),
    )  # fmt: skip


def _likeness(own: AbstractSet[str], title_words: set[str]) -> tuple[float, float]:
    """How much of the block is in the page's title, and how much of the title in the block."""
    if not own or own.isdisjoint(title_words):
        return 0.0, 0.0
    both = len(own & title_words)
    return both / len(own), both / len(title_words)


def context_masks(outline: Outline, vocabulary: Mapping[str, int]) -> list[int]:
    """For each block the vocabulary words of all block-level elements around it."""
    names: dict[tuple[str, str], int] = {}
    around = [0] * len(outline.branches)
    for branch in outline.parts:
        bits = around[branch.parent.index] if branch.parent else 0
        if branch.tag in BLOCK_TAGS:
            key = (branch.tag, branch.class_name)
            own = names.get(key)
            if own is None:
                own = names[key] = mask(split_name(branch.class_name, ""), vocabulary) | mask(
                    ("t:" + branch.tag,), vocabulary
                )
            bits |= own
            for attribute, prefix in OTHER_ATTRIBUTES:
                value = branch.element.attr(attribute)
                if value:
                    bits |= mask(split_name(value, prefix), vocabulary)
        around[branch.index] = bits
    return [around[block.home.index] for block in outline.blocks]


def _other_names(branch: Branch) -> set[str]:
    """Words of the id, role and item property."""
    found: set[str] = set()
    for attribute, prefix in OTHER_ATTRIBUTES:
        found |= split_name(branch.attr(attribute), prefix)
    return found
