"""Words of a page that nobody sees: white on white paper, transparent or not painted, be it within a line."""

from __future__ import annotations

from collections.abc import Callable

from wellsourced.documents.pdf_layout.chars import PageChars
from wellsourced.late_pattern import late_pattern

LINE, WORD = late_pattern(r"[^\s\x00](?:[^\r\n]*[^\s\x00])?"), late_pattern(r"[^\s\x00]+")


def blank_out_unseen(chars: PageChars, has_picture: Callable[[], bool]) -> int:
    """Take them out of the page's text; how many lines held any. Pictures may be dark behind them."""
    unseen = chars.faint_objects(_text_objects(chars))
    if not unseen or has_picture():
        return 0
    drawn = map(chars.ask.FPDFText_GetTextObject, chars.page, range(chars.count))
    kept = [char if char.isspace() or by not in unseen else "\0" for char, by in zip(chars.text, drawn, strict=True)]
    before, chars.text = chars.text, "".join(kept)
    return sum(line != whole for line, whole in zip(chars.text.split("\n"), before.split("\n"), strict=True))


def _text_objects(chars: PageChars) -> dict[int, int]:
    """What draws the page's words, each with a place in the text that it draws. Where one draws the beginning and the
    end of a line, it draws all of it; of other lines every word is asked for."""
    ask = chars.ask.FPDFText_GetTextObject
    lines = [match.span() for match in LINE.finditer(chars.text)]
    firsts = list(map(ask, chars.page, [start for start, _ in lines]))
    lasts = map(ask, chars.page, [end - 1 for _, end in lines])
    others: list[int] = []
    for (start, end), drawn, drawn_last in zip(lines, firsts, lasts, strict=True):
        if not drawn or drawn != drawn_last:
            others += [word.start() for word in WORD.finditer(chars.text, start, end - 1)]
            others.append(end - 1)
    found = dict(zip(firsts, [start for start, _ in lines], strict=True))
    found.update(zip(map(ask, chars.page, others), others, strict=True))
    return found
