"""Words of a page that nobody sees: white on white paper, transparent or not painted, be it within a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wellsourced.documents.pdf_layout.chars import PageChars
from wellsourced.late_pattern import late_pattern

WORD = late_pattern(r"[^\s\x00]+")


def blank_out_unseen(chars: PageChars, has_picture: Callable[[], bool]) -> int:
    """Take them out of the page's text; how many lines held any. Pictures may be dark behind them."""
    unseen = chars.faint_objects(_text_objects(chars))
    if not unseen or has_picture():
        return 0
    drawn = map(chars.ask.FPDFText_GetTextObject, chars.page, range(chars.count))
    kept = [char if char.isspace() or by not in unseen else "\0" for char, by in zip(chars.text, drawn, strict=True)]
    before = chars.text
    chars.set_text("".join(kept))
    return sum(line != whole for line, whole in zip(chars.text.split("\n"), before.split("\n"), strict=True))


def _text_objects(chars: PageChars) -> dict[int, int]:
    """What draws the page's words, each with a place in the text that it draws. Where one draws the beginning and the
    end of a line, it draws all of it; of other lines every word is asked for."""
    ends = list(_ends_of_lines(chars))
    starts = [start for start, _ in ends]
    firsts = chars.drawn_by.ask_all(starts)
    lasts = chars.drawn_by.ask_all([last for _, last in ends])
    found = dict(zip(firsts, starts, strict=True))
    if firsts != lasts or not all(firsts):
        others: list[int] = []
        for (start, last), drawn, drawn_last in zip(ends, firsts, lasts, strict=True):
            if not drawn or drawn != drawn_last:
                others += [word.start() for word in WORD.finditer(chars.text, start, last)]
                others.append(last)
        found.update(zip(chars.drawn_by.ask_all(others), others, strict=True))
    return found


def _ends_of_lines(chars: PageChars) -> Iterator[tuple[int, int]]:
    """The places of the first and the last character of each line that is not a blank."""
    for text, start in chars.lines:
        if inner := text.replace("\0", " ").strip():
            first = start + text.index(inner[0])
            yield first, first + len(inner) - 1
