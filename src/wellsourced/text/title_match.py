"""Whether a document is the work with a certain title: the title stands near its beginning, however it is set."""

from __future__ import annotations

import unicodedata

FIRST_PART = 20_000
SHORTEST = 15
SUBTITLE_MARKS = (": ", " – ", " — ", "? ")


def title_in(title: str, text: str) -> bool:
    """Letters and digits alone are compared, so line breaks, hyphens, ligatures and accents do not matter.

    A long title counts without its subtitle too, which many servers set apart.
    """
    beginning = _bare(text[:FIRST_PART])
    wanted = _bare(title[:1000])
    if not wanted:
        return False
    return wanted in beginning or any(part in beginning for part in _main_titles(title))


def _main_titles(title: str) -> list[str]:
    heads = (title.partition(mark)[0] for mark in SUBTITLE_MARKS if mark in title)
    return [bare for head in heads if len(bare := _bare(head)) >= SHORTEST]


def _bare(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in folded if character.isalnum())
