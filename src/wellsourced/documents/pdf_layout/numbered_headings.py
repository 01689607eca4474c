"""Headings of a PDF no larger than its text: numbered lines such as `1`, `1.1`, `Article 3`, `§ 4`, `Annex A`.

A number alone makes no heading, for lists and tables of contents are numbered too: the line is short and no sentence,
text follows it, and the numbers rise from the first one on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

NUMBER = late_pattern(r"((?:[0-9]{1,2}\.){0,3}[0-9]{1,2})\.?[ \t]{1,4}(?=[^\W\d_a-z])")
NAMES = (
    "article|section|annex|appendix|chapter|part|schedule|artikel|art[íi]culo|articolo|anhang|annexe|kapitel|chapitre"
    "|abschnitt"
)
LABEL = late_pattern(
    rf"(?:({NAMES})[ \t]{{1,3}}|(§{{1,2}})[ \t]{{0,3}})([0-9]{{1,4}}[a-z]?|[IVXLC]{{1,6}}|[A-Z])\b", re.I
)
UNDER_A_CHAPTER = frozenset({"article", "section", "artikel", "artículo", "articulo", "articolo", "abschnitt", ""})
AFTER_LABEL = late_pattern(r"[\s.:–—-]{0,4}(?:[^\W\d_a-z][^\n]*)?")
LISTED = late_pattern(r"[.…·_]{3,}|[ \t][0-9]{1,4}$")
LONGEST, MOST_WORDS, DEEPEST = 100, 14, 4
# Within so many blocks a text of so many characters must begin.
REACH, SHORTEST_TEXT = 3, 40
FEWEST = 2


@dataclass(frozen=True, slots=True)
class _Line:
    """`number` is () for a label with a name."""

    level: int
    number: tuple[int, ...] = ()


def mark_numbered_headings(blocks: Sequence[str]) -> list[str]:
    """The blocks, with those that are numbered headings, or begin with one, marked as such."""
    lines = [_as_heading(block.partition("\n")[0]) for block in blocks]
    kept = _rising([place for place, line in enumerate(lines) if line and _is_followed(blocks, lines, place)], lines)
    if len(kept) < FEWEST:
        return list(blocks)
    return [part for place, block in enumerate(blocks) for part in _marked(block, lines[place], place in kept)]


def _marked(block: str, line: _Line | None, is_heading: bool) -> list[str]:
    if line is None or not is_heading:
        return [block]
    title, _, rest = block.partition("\n")
    return [f"{'#' * line.level} {title}", *([rest] if rest else [])]


def _as_heading(text: str) -> _Line | None:
    if len(text) > LONGEST or text.endswith((".", ";", ",", ":")) or len(text.split()) > MOST_WORDS:
        return None
    match = NUMBER.match(text) or LABEL.match(text)
    if match is None or LISTED.search(text, match.end()):
        return None
    if match := NUMBER.match(text):
        number = tuple(int(part) for part in match[1].split("."))
        return _Line(min(len(number) + 1, DEEPEST), number)
    if (match := LABEL.match(text)) and AFTER_LABEL.fullmatch(text, match.end()):
        return _Line(3 if (match[1] or "").casefold() in UNDER_A_CHAPTER else 2)
    return None


def _is_followed(blocks: Sequence[str], lines: Sequence[_Line | None], place: int) -> bool:
    """Whether text comes after it, which the entries of a list or of a table of contents have not."""
    if len(blocks[place].partition("\n")[2]) >= SHORTEST_TEXT:
        return True
    near = range(place + 1, min(place + 1 + REACH, len(blocks)))
    return any(lines[after] is None and len(blocks[after]) >= SHORTEST_TEXT for after in near)


def _rising(places: Sequence[int], lines: Sequence[_Line | None]) -> set[int]:
    """The places whose numbers go on from the one before; labels with a name may begin anew in each part."""
    kept: set[int] = set()
    last: tuple[int, ...] = (0,)
    for place in places:
        line = lines[place]
        assert line is not None
        if line.number and not (line.number > last and line.number[0] - last[0] <= 1):
            continue
        last = line.number or last
        kept.add(place)
    return kept
