"""Fitting text into a limit: cutting it where a reader would, choosing its best passages, and measuring its size.

The figures are the contract's: a token is four bytes, and a text is small below 5,000 bytes, medium below 20,000,
large below 50,000. Limits hold for what comes out, the note that something was cut included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wellsourced.late_dataclass import dataclass
from wellsourced.text.passages import SplitText
from wellsourced.text.sentences import cut_text, split_sentences

MARKER = "\n\n[content truncated]"
BYTES_PER_TOKEN = 4
SIZES = ((5_000, "small"), (20_000, "medium"), (50_000, "large"))
LARGEST_SIZE = "very_large"
LONGEST_LOOK_BACK = 20_000  # how far before the limit a good place to stop is looked for
TEXT_LENGTH = 5_000_000

CONTINUATION = bytes(range(0x80, 0xC0))
SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Passage:
    """`text` stands at `start:end` of the whole; `score` is 0 where nothing was asked for."""

    text: str
    start: int
    end: int
    score: float = 0.0


def truncate_text(text: str, *, max_bytes: int, marker: str = MARKER) -> tuple[str, bool]:
    """The text within the limit, and whether it was cut: after a paragraph, else a sentence, else a word.

    Such a place counts when it is beyond half of the limit; otherwise the cut is after a whole character. The marker
    is left out where the limit has no room for it.
    """
    start, behind = split_at_limit(text, max_bytes, marker)
    return (text, False) if start is text else (start + behind, True)


def split_at_limit(text: str, max_bytes: int, marker: str = MARKER) -> tuple[str, str]:
    """The text itself where it is within the limit; else its beginning, and the marker to put behind it."""
    limit, length = _fitting_lengths(text, max_bytes, max_bytes - byte_length(marker))
    if limit >= len(text):
        return text, ""
    if length <= 0:
        return cut_text(text, limit) if limit else "", ""
    return _cut_at_best_place(text, length), marker


def byte_length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def estimate_tokens(text: str) -> int:
    return byte_length(text) // BYTES_PER_TOKEN


def size_category(length: int) -> str:
    """small, medium, large or very_large, by bytes."""
    return next((name for below, name in SIZES if length < below), LARGEST_SIZE)


def best_passages(text: str, query: str, budget: int) -> list[Passage]:
    """The passages with most of what is asked for, best first, of at most `budget` bytes together.

    A text that has nothing of the query is given from its beginning, with a score of 0.
    """
    return list(passages_by_rank(SplitText(text[:TEXT_LENGTH]), query, budget))


def passages_by_rank(split: SplitText, query: str, budget: int) -> Iterator[Passage]:
    """The same one by one, for those who may not want all."""
    ranked = score_passages(split, query) or [(0.0, *place) for place in split.passages]
    return _take_within_budget(split.text, ranked, budget)


def _fitting_lengths(text: str, *limits: int) -> list[int]:
    """How many characters from the start stay within each limit, of which the first is the largest."""
    start = text[: max(0, limits[0])]
    encoded = b"" if start.isascii() else start.encode("utf-8", "surrogatepass")
    return [_whole_characters(encoded, limit) if 0 < limit < len(encoded) else min(len(start), max(0, limit))
            for limit in limits]  # fmt: skip


def _whole_characters(encoded: bytes, limit: int) -> int:
    whole = encoded[:limit].translate(None, CONTINUATION)
    # A byte that continues a character behind the limit means that its last character was torn.
    is_torn = 0x80 <= encoded[limit] < 0xC0
    return len(whole) - is_torn


def _cut_at_best_place(text: str, length: int) -> str:
    """The start of a text, at most `room` long, up to the best place to stop."""
    half = max(length // 2, length - LONGEST_LOOK_BACK)
    tail = text[half : length + 1]
    paragraph = tail.rfind("\n\n")
    if paragraph > 0:
        return text[: half + paragraph].rstrip()
    in_tail = split_sentences(tail)
    if len(in_tail) > 1:
        return text[: half + in_tail[-1].start].rstrip()
    spaces = [space.start() for space in SPACE.finditer(tail)]
    if spaces and spaces[-1] > 0:
        return text[: half + spaces[-1]].rstrip()
    return cut_text(text, length)


def score_passages(split: SplitText, query: str) -> list[tuple[float, int, int]]:
    """Those near the query, best first: the higher the score, the smaller its number."""
    if split.scored is None or split.scored[0] != query:
        from wellsourced.text.ranking import rank_pieces  # its words take their time to load; few answers are cut

        ranked = rank_pieces(query, split.passage_texts, words=split.words)
        near = [
            (-round(score, 3), *place)
            for place, (score, is_near) in zip(split.passages, ranked, strict=True)
            if is_near and score > 0
        ]
        split.scored = query, sorted(near)
    return split.scored[1]


def _take_within_budget(text: str, ranked: list[tuple[float, int, int]], budget: int) -> Iterator[Passage]:
    """As many as fit; the best one is cut rather than left out."""
    left, given = budget, 0
    for score, start, end in ranked:
        piece = text[start:end]
        if end - start <= left and (size := byte_length(piece)) <= left:
            left -= size
            given += 1
            yield Passage(piece, start, end, abs(score))
        elif not given:
            piece, _ = truncate_text(piece, max_bytes=budget, marker="")
            if piece:
                yield Passage(piece, start, start + len(piece), abs(score))
            return
