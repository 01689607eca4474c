"""Which blocks of a filing are the headings of its items.

A filing has no heading tags, and each item is named several times: in the table of contents, at its place and in
references. The places are those that, taken together, rise in the order of the form and have the most text behind them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

LONGEST_HEADING = 300
# Text behind a heading counts up to this length, or one long item would outweigh many short ones.
MOST_TEXT = 2000
ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4}
PART = late_pattern(r"part\s{1,3}(IV|III|II|I)\b\W{0,6}", re.I)
ITEM = late_pattern(r"item\s{0,3}(\d{1,2})(?:\.(\d\d)|\(?([A-K])\)?)?(?![\w])\W{0,8}", re.I)
PAGE_AT_END = late_pattern(r"[\s.|…]\d{1,3}$")
SENTENCE_AFTER = late_pattern(r"(?:of|in|to|and|above|below|herein|is|are|was|for|under|as|or|shall|may)\b")
NOTES = late_pattern(
    r"(?:condensed )?notes to (?:the )?(?:condensed )?(?:consolidated )?financial statements\W{0,3}(?:unaudited\)?)?",
    re.I,
)
SIGNATURES = late_pattern(r"signatures?\W{0,3}", re.I)
QUARTERLY = late_pattern(r"form\s{0,3}10-?Q|quarterly\s{1,3}report", re.I)
LAST_QUARTERLY_ITEM = 6

Key = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a filing's markdown: its words without markup, and whether all of them are bold or a link."""

    words: str
    is_bold: bool
    is_linked: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    place: int
    keys: tuple[Key, ...]
    weight: float


def item_headings(blocks: Sequence[Block]) -> dict[int, int]:
    """The places of the headings, and their levels: 2 for a part, 3 for an item and for the signatures."""
    found = _rising(_candidates(blocks))
    levels = dict.fromkeys(found, 3)
    if not found:
        return levels
    first, last = min(found), max(found)
    for place, block in enumerate(blocks):
        is_part = PART.match(block.words) and not ITEM.search(block.words) and _is_heading_like(block)
        if is_part and _next_item(found, place) and place >= first - 3:
            levels.setdefault(place, 2)
        elif place > last and (block.is_bold or block.words.isupper()) and SIGNATURES.fullmatch(block.words):
            levels.setdefault(place, 3)
    return levels


def _next_item(found: Sequence[int], place: int) -> bool:
    """Whether an item begins right behind, as it does after the name of its part."""
    return any(place < item <= place + 4 for item in found)


def _candidates(blocks: Sequence[Block]) -> list[Candidate]:
    named = [place for place, block in enumerate(blocks) if ITEM.match(_after_part(block.words)) and _may_head(block)]
    ends = [*named[1:], len(blocks)] if named else []
    is_quarterly = _is_quarterly(blocks, named)
    return [
        Candidate(place, _keys(blocks[place].words, is_quarterly), _weight(blocks, place, end))
        for place, end in zip(named, ends, strict=True)
    ]


def _after_part(words: str) -> str:
    part = PART.match(words)
    return words[part.end() :] if part else words


def _may_head(block: Block) -> bool:
    words = _after_part(block.words)
    item = ITEM.match(words)
    after = words[item.end() :] if item else ""
    return _is_heading_like(block) and (block.is_bold or not SENTENCE_AFTER.match(after))


def _is_heading_like(block: Block) -> bool:
    return len(block.words) <= LONGEST_HEADING and not block.words.startswith("|")


def _is_quarterly(blocks: Sequence[Block], named: Sequence[int]) -> bool:
    """The items of a quarterly report count from 1 in each of its two parts."""
    numbers = [int(match[1]) for place in named if (match := ITEM.match(_after_part(blocks[place].words)))]
    if max(numbers, default=0) > LAST_QUARTERLY_ITEM:
        return False
    return any(QUARTERLY.search(block.words) for block in blocks[: (named[0] if named else 0)])


def _keys(words: str, is_quarterly: bool) -> tuple[Key, ...]:
    """Where the item can stand in the form; without the name of its part, in either."""
    item, part = ITEM.match(_after_part(words)), PART.match(words)
    if item is None:
        return ()
    place = int(item[1]), (item[2] or item[3] or "").upper()
    if not is_quarterly:
        return ((0, *place),)
    parts = [ROMAN[part[1].upper()]] if part else [1, 2]
    return tuple((number, *place) for number in parts)


def _weight(blocks: Sequence[Block], place: int, end: int) -> float:
    """More for what is bold and has text behind it; less for a line with a page number or a link."""
    block = blocks[place]
    behind = 0
    for following in blocks[place + 1 : end]:
        behind += len(following.words)
        if behind >= MOST_TEXT:
            break
    weight = 1.0 + min(behind, MOST_TEXT) / (MOST_TEXT / 2) + block.is_bold
    return weight * (0.25 if block.is_linked or PAGE_AT_END.search(block.words) else 1.0)


def _rising(candidates: Sequence[Candidate]) -> list[int]:
    """The candidates that rise in the order of the form and weigh most together, a later one before an equal one."""
    best: dict[Key, tuple[float, tuple[int, ...]]] = {}
    for candidate in candidates:
        for key in sorted(candidate.keys, reverse=True):
            before = max((best[other] for other in best if other < key), default=(0.0, ()))
            total = before[0] + candidate.weight
            if candidate.place not in before[1] and total >= best.get(key, (0.0, ()))[0]:
                best[key] = (total, (*before[1], candidate.place))
    return sorted(max(best.values(), default=(0.0, ()))[1])
