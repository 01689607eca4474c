"""Words of a page that nobody sees: white on white paper, transparent or not painted, be it within a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wellsourced.documents.pdf_layout.chars import PageChars, line_ends
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
    starts, lasts = line_ends(chars.lines if chars.is_tidy else list(_without_blanks(chars.lines)))
    drawn_firsts, drawn_lasts = chars.drawn_by.ask_all(starts), chars.drawn_by.ask_all(lasts)
    found = dict(zip(drawn_firsts, starts, strict=True))
    if drawn_firsts != drawn_lasts or not all(drawn_firsts):
        others: list[int] = []
        for start, last, drawn, drawn_last in zip(starts, lasts, drawn_firsts, drawn_lasts, strict=True):
            if not drawn or drawn != drawn_last:
                others += [word.start() for word in WORD.finditer(chars.text, start, last)]
                others.append(last)
        found.update(zip(chars.drawn_by.ask_all(others), others, strict=True))
    return found


def _without_blanks(lines: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """What stands between the blanks at the ends of each line, and its place."""
    for text, start in lines:
        if inner := text.replace("\0", " ").strip():
            yield inner, start + text.index(inner[0])
