"""Links to a passage: `#:~:text=[prefix-,]start[,end][,-suffix]`, as the WICG text-fragments draft writes them.

A browser takes the first place where the words match, whole words only, whatever the case. So a passage that is not
the first of its kind gets the words before or after it, until it is. A long one is given by its first and last
words. Percent signs stand for everything but letters, digits and `_.~`: the draft gives `&`, `-` and `,` a meaning.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias
from urllib.parse import quote

from wellsourced.late_pattern import late_pattern
from wellsourced.text.terms import UNSPACED

LONGEST_WHOLE = 120
FEWEST_WORDS = 4
MOST_WORDS = 12
# Of scripts without spaces, where a browser is sure to see the edge of a word only at signs; a letter is nine here.
LONGEST_UNSPACED = 30
CLAUSE = late_pattern(r"[^\s、。，．！？；：」』）]+[、。，．！？；：」』）]*")
# Numbers of words before and after the passage, tried from the fewest on.
CONTEXTS = (0, 1, 2, 3, 5, 8, 11)
MOST_PLACES = 1000  # a passage that recurs more often gets no link
LOOK_AROUND = 300
DIRECTIVE = ":~:"

STRETCH = late_pattern(r"\S.{0,2000}\S*", re.DOTALL)
UNSPACED_CHARACTER = late_pattern(f"[{UNSPACED}]")
SPACES = late_pattern(r"\s+")
WORD_PAIR = late_pattern(rf"[^\W{UNSPACED}]{{2}}")


FlatText: TypeAlias = tuple[str, list[int], list[int]]


def passage_link(url: str, text: str, start: int, end: int, flat: FlatText | None = None) -> str:
    """The address with a directive that leads to `text[start:end]`; the address alone where none would be right."""
    address, _, fragment = url.partition("#")
    own = fragment.partition(DIRECTIVE)[0]
    wanted = text_directive(text, start, end, flat)
    if not wanted:
        return f"{address}#{own}" if own else address
    return f"{address}#{own}{DIRECTIVE}{wanted}"


def text_directive(text: str, start: int, end: int, flat: FlatText | None = None) -> str:
    """`text=…` for a passage of a plain text, "" when it cannot be distinguished from another one."""
    passage = text[start:end]
    start, end = start + len(passage) - len(passage.lstrip()), start + len(passage.rstrip())
    if start >= end:
        return ""
    flat = flat or _flatten_once(text)
    whole, begins = flat[0], _position_in_flat_text(text, start, flat)
    ends = begins + len(_normalise_blanks(text[start:end]))
    for context in CONTEXTS:
        before = _last_words(text[max(0, start - LOOK_AROUND) : start], context)
        after = _first_words(text[end : end + LOOK_AROUND], context)
        for first, last in _ways_to_quote(text[start:end]):
            if _leads_to(whole, (before, first, last, after), begins, ends):
                return _write_directive(before, first, last, after)
    return ""


def _normalise_blanks(text: str) -> str:
    """As a browser compares: whatever the case, every stretch of blanks as one."""
    spaced = text.replace("\n\n", " ").replace("\n", " ")
    if spaced.isprintable() and "  " not in spaced:  # no blanks but single spaces, as in most texts
        return spaced.strip(" ").lower()
    return " ".join(text.lower().split())


def _position_in_flat_text(text: str, start: int, flat: FlatText) -> int:
    """Where in the flat text a place is that is no blank."""
    _, starts, places = flat
    stretch = bisect_right(starts, start) - 1
    before = text[starts[stretch] : start]
    length = len(_normalise_blanks(before))
    return places[stretch] + length + (length > 0 and before[-1].isspace())


def flatten_text(text: str, end: int = sys.maxsize) -> FlatText:
    """The flat text, and where each stretch of whole words begins in both; so far as links to passages that end before
    `end` need it, since a browser takes the first place."""
    stretches = list(STRETCH.finditer(text[: end + 2 * LOOK_AROUND]))
    flat = [_normalise_blanks(stretch[0]) for stretch in stretches]
    places = list(accumulate((len(each) + 1 for each in flat), initial=0))
    return " ".join(flat), [stretch.start() for stretch in stretches], places


_flatten_once = lru_cache(maxsize=1)(flatten_text)
"""Once for all passages of a text that follow each other."""


def _ways_to_quote(passage: str) -> Iterator[tuple[str, str]]:
    """The ways to give a passage: whole, or by its first and last words or clauses, ever more of them."""
    is_unspaced = not passage.isascii() and UNSPACED_CHARACTER.search(passage)
    longest, fewest = (LONGEST_UNSPACED, 1) if is_unspaced else (LONGEST_WHOLE, FEWEST_WORDS)
    words = CLAUSE.findall(passage) if is_unspaced else passage.split()
    if len(passage) <= longest or len(words) < 2 * fewest:
        yield passage, ""
        return
    for count in range(fewest, min(MOST_WORDS, len(words) // 2) + 1, 2):
        yield _beginning_with(passage, words[:count]), _ending_with(passage, words[-count:])


def _beginning_with(passage: str, words: Sequence[str]) -> str:
    """Up to the end of the words, which are its first."""
    end = 0
    for word in words:
        end = passage.index(word, end) + len(word)
    return passage[:end]


def _ending_with(passage: str, words: Sequence[str]) -> str:
    """From the beginning of the words on, which are its last."""
    start = len(passage)
    for word in reversed(words):
        start = passage.rindex(word, 0, start)
    return passage[start:]


def _leads_to(whole: str, parts: tuple[str, str, str, str], begins: int, ends: int) -> bool:
    """Whether the first place a browser would stop at is this passage."""
    before, first, last, after = (" ".join(part.lower().split()) for part in parts)
    lead = f"{before} " if before else ""
    tail = f" {after}" if after else ""
    match = _find_whole_words(whole, lead + first + ("" if last else tail), 0)
    if match + len(lead) != begins or match < 0:
        return False
    if not last:
        return begins + len(first) == ends
    stop = _find_whole_words(whole, last + tail, begins + len(first))
    return stop >= 0 and stop + len(last) == ends


def _find_whole_words(whole: str, sought: str, start: int) -> int:
    """The first place of the words, whole words only, or -1."""
    place = whole.find(sought, start)
    for _ in range(MOST_PLACES):
        if place < 0 or (_is_edge(whole, place) and _is_edge(whole, place + len(sought))):
            return place
        place = whole.find(sought, place + 1)
    return -1


def _is_edge(whole: str, place: int) -> bool:
    """Whether no word goes on across a place; scripts without spaces have no edge that could be seen here."""
    return not (0 < place < len(whole) and WORD_PAIR.fullmatch(whole, place - 1, place + 1))


def _write_directive(before: str, first: str, last: str, after: str) -> str:
    parts = [f"{_percent_encode(before)}-"] if before else []
    parts.append(_percent_encode(first))
    parts += [_percent_encode(last)] if last else []
    parts += [f"-{_percent_encode(after)}"] if after else []
    return "text=" + ",".join(parts)


def _percent_encode(words: str) -> str:
    return quote(SPACES.sub(" ", words.strip()), safe="", errors="replace").replace("-", "%2D")


def _last_words(text: str, count: int) -> str:
    words = text.split()
    return " ".join(words[-count:]) if count else ""


def _first_words(text: str, count: int) -> str:
    words = text.split()
    return " ".join(words[:count]) if count else ""
