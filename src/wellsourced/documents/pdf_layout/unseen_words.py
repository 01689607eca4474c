"""Words of a page that nobody sees: white on white paper, transparent or not painted, be it within a line."""

from __future__ import annotations

from collections.abc import Callable

from wellsourced.documents.pdf_layout.chars import PageChars
from wellsourced.late_pattern import late_pattern

LINE, WORD = late_pattern(r"[^\s\x00](?:[^\r\n]*[^\s\x00])?"), late_pattern(r"[^\s\x00]+")


def blank_out_unseen(chars: PageChars, has_picture: Callable[[], bool]) -> int:
    """Take them out of the page's text; how many lines held any. Pictures may be dark behind them."""
    ask, places = chars.ask.FPDFText_GetTextObject, _places_to_ask(chars)
    drawn_at = dict(zip(map(ask, chars.page, places), places, strict=True))
    unseen = chars.faint_places(list(drawn_at.values()))
    if not unseen or has_picture():
        return 0
    drawn_by = {drawn for drawn, place in drawn_at.items() if place in unseen}
    drawn = map(ask, chars.page, range(chars.count))
    kept = [char if char.isspace() or by not in drawn_by else "\0" for char, by in zip(chars.text, drawn, strict=True)]
    before, chars.text = chars.text, "".join(kept)
    return sum(line != whole for line, whole in zip(chars.text.split("\n"), before.split("\n"), strict=True))


def _places_to_ask(chars: PageChars) -> list[int]:
    """Where the words of a line begin and where it ends; of one that a single text object draws, its beginning."""
    lines = [(match.start(), match.end() - 1) for match in LINE.finditer(chars.text)]
    ask = chars.ask.FPDFText_GetTextObject
    firsts = map(ask, chars.page, [first for first, _ in lines])
    lasts = map(ask, chars.page, [last for _, last in lines])
    places: list[int] = []
    for (first, last), drawn, drawn_last in zip(lines, firsts, lasts, strict=True):
        if drawn and drawn == drawn_last:
            places.append(first)
        else:
            places += [word.start() for word in WORD.finditer(chars.text, first, last)]
            places.append(last)
    return places
