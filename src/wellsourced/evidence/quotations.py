"""A quotation held against a text: word for word, with marked changes, altered (each difference named), or not found.

Marked changes are those an editor may make: curly quotes, case, hyphens at line ends, words in brackets, an ellipsis
for what is left out. An altered quotation is found by the place on which most of its words agree. Linear in the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate

from wellsourced.data.opposite_words import SMALL_WORDS, SPEECH
from wellsourced.evidence.difference import Difference, QuotationStatus
from wellsourced.late_pattern import late_pattern
from wellsourced.text.index_words import fold_text
from wellsourced.text.terms import UNSPACED

QUOTED = late_pattern(
    r"“([^”]{8,1500})”|„([^“”]{8,1500})[“”]|«\s*+([^«»]{8,1500}?)\s{0,9}+»|\"([^\"]{8,1500})\"|「([^」]{4,1500})」"
)
ELLIPSIS = late_pattern(r"(?:\[?(?<!\s)\s+|\[)?(?:…|\.\s?\.\s?\.)\s*\]?")
BRACKETED = late_pattern(r"\[[^\]]{0,80}\]")
BROKEN_WORD = late_pattern(r"(?<=\w)(?:-\n|\u00ad)\s*(?=\w)")
TOKEN = late_pattern(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+(?:['’][^\W_]+)?")
FEWEST_WORDS = 3
FEWEST_UNSAID = 6  # where nobody is said to have said it
LONGEST_SMALL_WORD = 3
# Of the quotation's words, in order, from which a passage is the quotation, altered.
LIKE = 0.75
MOST_PLACES = 300
AROUND = 150
MOST_PARTS = 12
NAME = late_pattern(
    r"(?<![\w.])[A-ZÀ-ÖØ-Þ][\w’'-]{1,60}(?:\s+[A-ZÀ-ÖØ-Þ][\w’'-]{1,60})+|(?<=[a-zà-ÿ,] )[A-ZÀ-ÖØ-Þ][\w’'-]{2,}"
)


@dataclass(frozen=True, slots=True)
class Quotation:
    """`start` and `end` are the place in the text (0 and 0 where it was not found)."""

    status: QuotationStatus
    start: int = 0
    end: int = 0
    differences: tuple[Difference, ...] = ()

    # Words with meaning differ, not only small ones, their order or how they are written.
    is_reworded: bool = False

    @property
    def is_contrast(self) -> bool:
        return self.is_reworded or any(each.kind != "quotation" for each in self.differences)


@dataclass(frozen=True, slots=True)
class _Token:
    key: str
    start: int
    end: int


def quoted_passage(claim: str) -> str:
    """What stands in quotation marks in a claim, if it is a quotation and no title or single expression; else ""."""
    found = (next(filter(None, match.groups())) for match in QUOTED.finditer(claim))
    return next((passage for passage in found if _is_quotation(passage, claim)), "")


def _is_quotation(passage: str, claim: str) -> bool:
    """Some words that somebody says, or so many that they can be nothing else; titles are written with capitals."""
    words = [passage[token.start : token.end] for token in _tokens(passage)]
    long_words = [word for word in words if len(word) > LONGEST_SMALL_WORD]
    is_title = len(long_words) > 1 and all(word[0].isupper() for word in long_words)
    around = fold_text(claim.replace(passage, " "))
    fewest = FEWEST_WORDS if SPEECH.search(around) or len(passage) > len(around) else FEWEST_UNSAID
    return len(words) >= fewest and not is_title


def find_quotation(passage: str, text: str, claim: str = "") -> Quotation:
    """Where a passage stands in a text and how it differs; with the claim around it, also another speaker."""
    place = text.find(passage)
    found = Quotation("word_for_word", place, place + len(passage)) if place >= 0 else _loosely(passage, text)
    if found.status == "not_found":
        return found
    speaker = tuple(_attributed(claim.replace(passage, " "), text, found))
    return replace(found, differences=(*found.differences, *speaker))


def _loosely(passage: str, text: str) -> Quotation:
    words = _tokens(text)
    parts = [_tokens(BRACKETED.sub(" ", part)) for part in ELLIPSIS.split(passage)]
    parts = [part for part in parts if part][:MOST_PARTS]
    spans = _in_a_row(parts, words)
    if spans:
        return Quotation("marked_changes", words[spans[0][0]].start, words[spans[-1][1] - 1].end)
    return _altered([token for part in parts for token in part], words, passage, text)


def _tokens(text: str) -> list[_Token]:
    """Words as they are compared, with their places; a word broken at the end of a line is put together."""
    breaks = list(BROKEN_WORD.finditer(text))
    joined = BROKEN_WORD.sub("", text) if breaks else text
    before = accumulate((len(match[0]) for match in breaks), initial=0)
    shifts = [(match.start() - gone, len(match[0])) for match, gone in zip(breaks, before, strict=False)]
    found = (_Token(fold_text(match[0].replace("’", "'")), *match.span()) for match in TOKEN.finditer(joined))
    return list(_moved(found, shifts)) if shifts else list(found)


def _moved(tokens: Iterator[_Token], shifts: Sequence[tuple[int, int]]) -> Iterator[_Token]:
    """Places in the text as it was, before broken words were put together."""
    number = added = 0
    for token in tokens:
        while number < len(shifts) and shifts[number][0] <= token.start:
            added += shifts[number][1]
            number += 1
        inside = shifts[number][1] if number < len(shifts) and shifts[number][0] < token.end else 0
        yield _Token(token.key, token.start + added, token.end + added + inside)


def _in_a_row(parts: Sequence[Sequence[_Token]], words: Sequence[_Token]) -> list[tuple[int, int]]:
    """The places of the parts of a quotation, one after the other; [] where one is missing."""
    keys = "\x00" + "\x00".join(word.key for word in words) + "\x00"
    spans, at = [], 0
    for part in parts:
        place = keys.find("\x00" + "\x00".join(token.key for token in part) + "\x00", at)
        if place < 0:
            return []
        first = keys.count("\x00", 0, place)
        spans.append((first, first + len(part)))
        at = place + 1
    return spans


def _altered(quote: Sequence[_Token], words: Sequence[_Token], passage: str, text: str) -> Quotation:
    first = _likeliest_start(quote, words)
    if first is None:
        return Quotation("not_found")
    window = words[max(0, first - 3) : first + len(quote) + max(4, len(quote) // 3)]
    matcher = SequenceMatcher(None, [token.key for token in quote], [token.key for token in window], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if sum(block.size for block in blocks) < LIKE * len(quote):
        return Quotation("not_found")
    start, end = blocks[0].b - blocks[0].a, blocks[-1].b + len(quote) - blocks[-1].a
    start = max(0, start)
    kept = window[start : max(end, blocks[-1].b + blocks[-1].size)]
    differences = tuple(_word_differences(quote, kept, passage, text))
    mine, theirs = ({token.key for token in each} - SMALL_WORDS for each in (quote, kept))
    return Quotation("altered", kept[0].start, kept[-1].end, differences, mine != theirs)


def _likeliest_start(quote: Sequence[_Token], words: Sequence[_Token]) -> int | None:
    """The place where most words of the quotation stand as far from the start as they do in it."""
    wanted: dict[str, list[int]] = {}
    for number, token in enumerate(quote):
        wanted.setdefault(token.key, []).append(number)
    starts: Counter[int] = Counter()
    for place, word in enumerate(words):
        for number in wanted.get(word.key, ())[:MOST_PLACES]:
            starts[place - number] += 1
    if not starts:
        return None
    return max(starts, key=lambda start: (sum(starts[start + shift] for shift in range(-2, 3)), starts[start], -start))


def _word_differences(quote: Sequence[_Token], kept: Sequence[_Token], passage: str, text: str) -> Iterator[Difference]:
    """The words that differ, as they stand on both sides."""
    matcher = SequenceMatcher(None, [token.key for token in quote], [token.key for token in kept], autojunk=False)
    of_quote = _tokens(passage)
    for tag, one, two, first, last in matcher.get_opcodes():
        if tag == "equal":
            continue
        ours = " ".join(passage[token.start : token.end] for token in _same_tokens(of_quote, quote[one:two]))
        theirs = text[kept[first].start : kept[last - 1].end] if last > first else ""
        yield Difference("quotation", ours, theirs)


def _same_tokens(of_quote: Sequence[_Token], part: Sequence[_Token]) -> Iterator[_Token]:
    """The words of a part in the passage as a whole; by their keys, since places count from the part's own start."""
    keys = [token.key for token in part]
    for place in range(len(of_quote) - len(keys) + 1):
        if [token.key for token in of_quote[place : place + len(keys)]] == keys:
            return iter(of_quote[place : place + len(keys)])
    return iter(())


def _attributed(claim: str, text: str, found: Quotation) -> Iterator[Difference]:
    """Another speaker than the claim names: none of its names stands around the quotation, and others speak there."""
    if not SPEECH.search(fold_text(claim)):
        return
    named = NAME.findall(claim)
    if not named or any(name.split()[-1] in text for name in named):
        return
    after, before = text[found.end : found.end + AROUND], text[max(0, found.start - AROUND) : found.start]
    for near, nearest in ((after, 0), (before, -1)):
        others = NAME.findall(near)
        if others and SPEECH.search(fold_text(near)):
            yield Difference("attribution", named[0], others[nearest])
            return
