"""Markdown under construction, bounded in length."""

from __future__ import annotations

import unicodedata


class MarkdownOutput:
    """Blocks joined by blank lines, until `max_chars` is reached; what comes later is counted as cut off."""

    def __init__(self, max_chars: int) -> None:
        self.max_chars = max(max_chars, 1)
        self.truncated = False
        self._blocks: list[str] = []
        self._length = 0

    @property
    def full(self) -> bool:
        return self._length >= self.max_chars

    def add(self, block: str) -> None:
        """Add a block; empty ones are dropped, the one that overflows is cut between characters."""
        block = block.strip("\n")
        if not block.strip():
            return
        space = self.max_chars - self._length - (2 if self._blocks else 0)
        if space <= 0:
            self.truncated = True
            self._length = self.max_chars
            return
        if len(block) > space:
            block = cut_text(block, space)
            self.truncated = True
            self._length = self.max_chars
        self._blocks.append(block)
        self._length += len(block) + (2 if len(self._blocks) > 1 else 0)

    @property
    def text(self) -> str:
        return "\n\n".join(self._blocks)


def cut_text(text: str, length: int) -> str:
    """At most `length` code points, without parting a letter from its accents or joined emoji."""
    if len(text) <= length:
        return text
    end = length
    # Bounded: a text of nothing but accents would be walked back to its start.
    while end > max(0, length - 32) and _belongs_to_previous(text, end):
        end -= 1
    return text[:end].rstrip()


def _belongs_to_previous(text: str, index: int) -> bool:
    here, before = text[index], text[index - 1]
    return bool(unicodedata.combining(here)) or here in "\u200d\ufe0e\ufe0f" or before == "\u200d"
