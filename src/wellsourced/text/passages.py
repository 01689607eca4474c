"""A text in paragraphs and passages, with the words of these: made once, to rank them and to find what repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, islice, pairwise
from typing import TYPE_CHECKING

from wellsourced.text.sentences import split_sentences

if TYPE_CHECKING:
    from wellsourced.text.piece_words import PieceWords

LONGEST_PASSAGE = 1_200
# What follows so many counts as one paragraph: no text for readers has more in as many characters.
MOST_PARAGRAPHS = 5_000
PARAGRAPH_END = re.compile(r"(\n[^\S\n]*\n\s*)")


class SplitText:
    """The places of the paragraphs, each with the blank lines after it; and of the passages, which are paragraphs, the
    long ones in runs of sentences. `firsts` are the numbers of the passages that begin the paragraphs."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.scored: tuple[str, list[tuple[float, int, int]]] | None = None
        """The last question, and what `score_passages` found for it."""
        pieces = [*PARAGRAPH_END.split(text, MOST_PARAGRAPHS), ""]
        ends = list(islice(accumulate(map(len, pieces), initial=0), 0, None, 2))
        self.paragraphs = tuple(pairwise(ends))
        self.passages: list[tuple[int, int]] = []
        self.firsts: list[int] = []
        for start, piece in zip(ends, pieces[::2], strict=False):
            self.firsts.append(len(self.passages))
            if len(piece) > LONGEST_PASSAGE:
                self.passages += _split_long_paragraph(piece, start)
            elif piece and not piece.isspace():
                self.passages.append((start, start + len(piece)))

    @property
    def passage_texts(self) -> list[str]:
        return [self.text[start:end] for start, end in self.passages]

    @cached_property
    def words(self) -> PieceWords:
        """Those of the passages."""
        from wellsourced.text.piece_words import PieceWords  # takes its time to load, and most answers are not cut

        return PieceWords(self.passage_texts)

    def forget_words(self) -> None:
        """They take many times the memory of the text, and are made again where they are asked for."""
        self.__dict__.pop("words", None)


def _split_long_paragraph(paragraph: str, start: int) -> Iterator[tuple[int, int]]:
    first, last = start, start
    for sentence in split_sentences(paragraph):
        if start + sentence.end - first > LONGEST_PASSAGE and last > first:
            yield first, last
            first = start + sentence.start
        last = start + sentence.end
    if last > first:
        yield first, last
