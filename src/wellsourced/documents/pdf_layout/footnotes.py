"""Footnotes of a PDF's page: raised numbers behind words, and below them the notes that begin with these numbers.

What is printed small at the foot of a column stands in the middle of a sentence that goes on in the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wellsourced.documents.pdf_layout.words import TextFragment
from wellsourced.late_pattern import late_pattern

# Behind a letter, or the end of a sentence or a quotation; behind a number it is a power.
MARK = late_pattern(r"(?<=[^\W\d_]|[.,;:!?)\]”’\"']) ?\^([0-9]{1,3})(?![0-9])")
NOTE = late_pattern(r"\^?([0-9]{1,3})[ \t]{1,4}(?=\S)")
BETWEEN_NOTES = late_pattern(r"\n|(?<=[.!?)”’\"]) (?=\^?[0-9]{1,3} )")
# A list or a table that begins with the same number stands between texts, notes end a page.
SHORTEST = 8
SMALLER, AS_LARGE, ROUNDING = 0.95, 0.97, 0.05
SENTENCE_END = (".", "!", "?", ":", "”", '"')


def move_feet_down(lines: Sequence[TextFragment]) -> list[TextFragment]:
    """A page's lines, those at the foot of a column behind all others where a sentence goes on over them."""
    heights = [line.size for line in lines]
    if not lines or min(heights) > max(heights) * SMALLER + ROUNDING:
        return list(lines)
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    body = max(sizes, key=lambda size: sizes[size], default=0.0)
    text: list[TextFragment] = []
    feet: list[TextFragment] = []
    run: list[TextFragment] = []
    for line in lines:
        if line.size < SMALLER * body:
            run.append(line)
            continue
        (feet if run and text and _goes_on(text[-1], run, line, body) else text).extend(run)
        text.append(line)
        run = []
    return [*text, *run, *feet]


def _goes_on(last: TextFragment, run: Sequence[TextFragment], following: TextFragment, body: float) -> bool:
    """Whether a sentence breaks off above the small lines and goes on at the head of another column."""
    is_text = last.size >= AS_LARGE * body and following.text[:1].islower() and not last.text.endswith(SENTENCE_END)
    return is_text and following.middle > last.middle and all(line.middle < last.middle for line in run)


def mark_footnotes(blocks: Sequence[str]) -> list[str]:
    """The blocks of one page with notes as `[^1]: …` and their marks as `[^1]`, where both are on the page."""
    marks = {number for block in blocks if "^" in block for number in MARK.findall(block)}
    start = _first_note(blocks, marks) if marks else len(blocks)
    notes = [note for block in blocks[start:] for note in _split_notes(block, marks)]
    known = {match[1] for note in notes if (match := NOTE.match(note))} & marks
    if not known:
        return list(blocks)
    texts = [MARK.sub(lambda mark: f"[^{mark[1]}]" if mark[1] in known else mark[0], text) for text in blocks[:start]]
    return texts + [NOTE.sub(r"[^\1]: ", note, count=1) for note in notes]


def _first_note(blocks: Sequence[str], marks: set[str]) -> int:
    """Where the blocks begin that end the page and all are notes to marks before them."""
    start = len(blocks)
    while (
        start and (match := NOTE.match(blocks[start - 1])) and match[1] in marks and len(blocks[start - 1]) >= SHORTEST
    ):
        start -= 1
    return start


def _split_notes(block: str, marks: set[str]) -> list[str]:
    """Notes that were joined: a line or a sentence that begins with the number of another mark begins a note."""
    notes: list[str] = []
    for part in BETWEEN_NOTES.split(block):
        match = NOTE.match(part)
        if notes and not (match and match[1] in marks):
            notes[-1] += f" {part}"
        else:
            notes.append(part)
    return notes
