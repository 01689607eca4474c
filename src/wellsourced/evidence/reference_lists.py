"""Where the list of works that a text cites stands, so that a claim is not found in the title of one of them.

A list is what follows a heading such as "References" (alone on its line, in several languages) up to the next
heading, or numbered lines 1, 2, 3 …; either counts only when most of its lines look like references (a year, a DOI,
an address, page numbers), since pages also have chapters called "Sources" and numbered advice.
"""

from __future__ import annotations

import re

# Two numbered lines occur in any text.
FEWEST_NUMBERED = 3
# Leaves room for lines that continue the one before.
LEAST_SHARE = 0.6
# A longer line is a sentence that begins with the word.
LONGEST_HEADING = 60

HEADING_WORDS = (
    "references|references and notes|notes and references|cited references|bibliography|works cited|literature cited"
    "|literature|further reading|literatur|literaturverzeichnis|quellen|quellenverzeichnis|einzelnachweise|referenzen"
    "|références|notes et références|bibliographie|ouvrages cités|sources|referencias|bibliografía|obras citadas"
    "|referências|referências bibliográficas|referencias bibliográficas|bibliografia|riferimenti|note|literatuur"
    "|参考文献|引用文献|参考资料|參考文獻|참고문헌|참고 문헌|литература|список литературы|примечания|المراجع"
)
HEADING = re.compile(rf"[#*_\s]*(?:\d{{1,2}}\.?\s+)?(?:{HEADING_WORDS})\s*[:：]?[*_\s]*", re.IGNORECASE)
ANY_HEADING = re.compile(r"#{1,6}\s+\S")
NUMBERED = re.compile(r"\s*(?:[*-]\s+)?[\[(]?(\d{1,3})[\].)]\s*\S")
LIKE_A_REFERENCE = re.compile(
    r"(?:19|20)\d\d\b|\bdoi\b|10\.\d{4,9}/|https?://|\bpp?\.\s?\d|\bet al\b|\bisbn\b|\bvol\.", re.IGNORECASE
)
LINE = re.compile(r"[^\n]*\n?")

Span = tuple[int, int]


def find_reference_lists(text: str) -> list[Span]:
    """The parts of the text that are lists of references, in order."""
    lines = [(match.start(), match.end()) for match in LINE.finditer(text) if match[0]]
    spans: list[Span] = []
    at = 0
    while at < len(lines):
        stop = _list_after_heading(text, lines, at) or _numbered_list(text, lines, at)
        if stop:
            spans.append((lines[at][0], lines[stop - 1][1]))
        at = max(stop, at + 1)
    return spans


def _list_after_heading(text: str, lines: list[Span], at: int) -> int:
    """The line after the list that the heading at this line opens, or 0 when it opens none."""
    start, end = lines[at]
    if end - start > LONGEST_HEADING or not HEADING.fullmatch(text, start, end):
        return 0
    stop = at + 1
    while stop < len(lines) and not _ends_list(text, lines[stop]):
        stop += 1
    return stop if _are_references(text, lines[at + 1 : stop]) else 0


def _ends_list(text: str, line: Span) -> bool:
    """Another heading; a second one of the same kind too, so that many of them cost no more than one."""
    start, end = line
    return bool(ANY_HEADING.match(text, start, end)) or (
        end - start <= LONGEST_HEADING and bool(HEADING.fullmatch(text, start, end))
    )


def _numbered_list(text: str, lines: list[Span], at: int) -> int:
    """The line after a run of lines numbered from 1 that look like references, or 0."""
    number, stop = 0, at
    while stop < len(lines):
        match = NUMBERED.match(text, *lines[stop])
        if match and int(match[1]) == number + 1:
            number += 1
        elif not number or text[slice(*lines[stop])].strip():
            break
        stop += 1
    if number < FEWEST_NUMBERED:
        return 0
    return stop if _are_references(text, lines[at:stop]) else 0


def _are_references(text: str, lines: list[Span]) -> bool:
    written = [text[start:end] for start, end in lines if text[start:end].strip()]
    alike = sum(1 for line in written if LIKE_A_REFERENCE.search(line))
    return bool(written) and alike >= LEAST_SHARE * len(written)
