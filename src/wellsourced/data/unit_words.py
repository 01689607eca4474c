"""Units, currencies and words of comparison in seven languages, from `unit_words.txt`.

A row of `units` has the dimension, the factor to its base unit and the words; one of `comparisons` is a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from wellsourced.data import read_sections

_SECTIONS = read_sections("unit_words.txt")


def _rows(section: str, columns: int) -> list[list[str]]:
    return [line.split(" ", columns - 1) for line in _SECTIONS[section].splitlines()]


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest that fits; what several begin with is looked at once."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[:1], []).append(word[1:])
    parts = [re.escape(first) + any_of(rest) for first, rest in rests.items() if first]
    if not parts:
        return ""
    return f"(?:{'|'.join(parts)}{'|' if '' in rests else ''})" if len(parts) > 1 or "" in rests else parts[0]


UNITS: dict[str, tuple[str, float]] = {
    word: (dimension, float(factor)) for dimension, factor, words in _rows("units", 3) for word in words.split("|")
}
CURRENCIES: dict[str, str] = {word: sign for sign, words in _rows("currencies", 2) for word in words.split("|")}

# The longest stands first: "not more than" is no "more than".
_KINDS = "|".join(rf"(?P<{kind}>(?<!\w)(?:{words}))" for kind, words in _rows("comparisons", 2))
COMPARISON = re.compile(rf"(?:{_KINDS})\s*(?:(?:the|a|de|von)\s)?\s*$")
