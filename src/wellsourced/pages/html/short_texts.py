"""The words of a page's shorter blocks: how much of its title they are, and what they say about the block.

What a word says was learnt offline (`training/learn_wording.py`): "reply" or "cart" stand on buttons, whatever the
page. A word that is not known says nothing, so a page in a language of which none is known is judged by its form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import compress, repeat
from typing import Any

WORD = re.compile(r"\w+")
MOST_WORDS = 40


class ShortTexts:
    """The lowered words of blocks that have few, parted by blanks; `sizes` says how many words each text has."""

    def __init__(self, texts: Sequence[str], sizes: Any) -> None:
        is_short = sizes <= MOST_WORDS
        self.blocks = len(texts)
        self.places = is_short.nonzero()[0]
        # One by one: to lower a text that is not all ASCII takes ten times as long.
        self.words = " ".join(map(str.lower, compress(texts, is_short.tolist()))).split()
        held = sizes[self.places]
        self.ends = held.cumsum()
        self.starts = self.ends - held

    def wording(self, weights: Mapping[str, float]) -> Any:
        """What the words of each block say together; longer blocks say nothing."""
        import numpy as np

        said, of_blocks = map(weights.get, self.words, repeat(0.0)), np.zeros(self.blocks)
        if self.words:
            of_blocks[self.places] = np.add.reduceat(np.fromiter(said, float, len(self.words)), self.starts)
        return of_blocks

    def likeness(self, title: str) -> Any:
        """How much of each block is in the page's title, and how much of the title in the block."""
        import numpy as np

        title_words, shares = set(WORD.findall(title.lower())), np.zeros((2, self.blocks))
        found = np.frombuffer(bytes(map(title_words.__contains__, self.words)), np.bool_)
        if found.any():
            alike = np.logical_or.reduceat(found, self.starts).nonzero()[0]
            spans = zip(self.starts[alike].tolist(), self.ends[alike].tolist(), strict=True)
            shared = [shared_words(self.words[start:end], title_words) for start, end in spans]
            shares[:, self.places[alike]] = np.array(shared).T
        return shares


def shared_words(parts: Sequence[str], title_words: set[str]) -> tuple[float, float]:
    """How much of the words is in the title, and how much of the title in the words, which blanks part."""
    own = set(parts)
    # Letters and figures are all that most hold, which is quicker to see than to look for words.
    if not "".join(own).isalnum():
        others = [part for part in own if not part.isalnum()]
        own.difference_update(others)
        own.update(WORD.findall(" ".join(others)))
    both = len(own & title_words)
    return both / len(own), both / len(title_words)
