"""A list of references as it stands at the end of a paper, pasted as text or read out of a document.

The references are those behind the last heading such as "References". They are separated by their numbers, by empty
lines, or line by line; a line that goes on with the one above is joined to it. A dash for the author repeats the
author of the reference before. Each is then read as free text, so parts may be misread; none is invented.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from wellsourced.citations.parse.references import LONGEST, parse_reference
from wellsourced.citations.reference import Reference

HEADING = re.compile(
    r"^[#*\s]{0,8}(?:[0-9IVX]{1,4}\.?\s{1,3})?(?:list of )?(?:references(?: cited)?|bibliography|works cited"
    r"|literature(?: cited)?|literatur(?:verzeichnis|angaben)?|quellen(?:verzeichnis)?|références(?: bibliographiques)?"
    r"|bibliographie|bibliografía|bibliografia|referencias(?: bibliográficas)?|referências(?: bibliográficas)?"
    r"|riferimenti bibliografici|literatura|список литературы|литература|参考文献|參考文獻|참고문헌)[\s:*#]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)
# What follows a list of references in a paper.
NEXT_PART = re.compile(
    r"^[#*\s]{0,8}(?:appendix|appendices|supplement|acknowledge?ments?|author contributions|funding|anhang"
    r"|figure legends|about the authors?)\b[^\n]{0,80}$",
    re.IGNORECASE | re.MULTILINE,
)
NUMBERED = re.compile(
    r"^\s{0,8}(?:\[[0-9]{1,4}\]|\([0-9]{1,4}\)|[0-9]{1,3}[.)](?=\s)|\^?[0-9]{1,3}\s(?=[^\W\d_]))\s{0,8}", re.MULTILINE
)
BULLET = re.compile(r"^\s{0,8}[-*•–]\s{1,4}(?=\S)", re.MULTILINE)
BLANK = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
SIGN_OF_A_WORK = re.compile(
    r"(?<![0-9])(?:1[5-9]|20)[0-9]{2}(?![0-9])|§|\b10\.[0-9]{4,9}/\S|https?://|\bn\.\s?d\.|\barxiv:|\bisbn\b|in press",
    re.IGNORECASE,
)
# How a reference begins: a capital, a quotation mark, a dash for the author, or a number.
BEGINNING = re.compile(
    r"\s{0,8}(?:[^\W\d_a-zß-öø-ÿа-яё]|[\"“„«「『§]|[—–_-]{2,}|\[|[0-9]{1,3} (?:U\.|C\.F\.R|USC|CFR))"
)
ENDS = re.compile(r"(?:[.?!)\]”\"»]|[0-9]|(?<!\S)[^\s/]*+/\S++)\s*\Z")
SAME_AUTHOR = re.compile(r"\A\s{0,8}(?:(?:[—–―⸺⸻]|--){1,6}|_{3,12}|\(same author\))[.,:]?\s{0,4}")
# `Doe, J.`, `Doe, Jane`, `Doe JB,`
NAME_FIRST = re.compile(r"\s{0,8}[^\W\d_a-z][\w’'-]{1,40}(?:,\s[^\W\d_a-z][\w.]|\s[A-Z]{1,3}[,.])")
SHORTEST = 15
LONGEST_ENDING = 300
ROOMY = 0.7
BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-‐\xad]\n\s{0,20}(?=[^\W\d_A-Z])")
AND_OTHERS = re.compile(r"\A(?:and|und|et|y|e|&)\s(?=[^\W\d_a-z])")


def looks_like_references(text: str) -> bool:
    """Whether a pasted text has anything that could be looked up."""
    return any(SIGN_OF_A_WORK.search(part) and len(part.split()) > 2 for part in split_references(text)[:50])


def read_reference_list(text: str, most: int) -> tuple[list[Reference], list[tuple[int, str]]]:
    """The references in their order, and a sentence for each piece that names no work."""
    entries: list[Reference] = []
    lead = Reference()  # whose author a dash repeats; others who are named behind the dash are of that work alone
    problems: list[tuple[int, str]] = []
    for place, piece in enumerate(split_references(text), start=1):
        if len(entries) >= most:
            problems.append((place, f"Only the first {most} references were read."))
            break
        same = SAME_AUTHOR.match(piece) if lead.authors else None
        read = _repeated(piece, same.end(), lead) if same else parse_reference(piece)
        is_short = len(piece) < SHORTEST and not (read.type == "legal_case" or read.doi or read.arxiv or read.pmid)
        if is_short or not any(letter.isalpha() for letter in piece):
            problems.append((place, f"This is no reference: {piece[:60]!r}."))
            continue
        entries.append(read)
        lead = lead if same else read
    return entries, problems


def split_references(text: str) -> list[str]:
    """The pieces of the list, each on one line."""
    body = _list_part(text)
    numbers = list(NUMBERED.finditer(body))
    if _count_up(numbers) and len(numbers) > 1:
        return _between(body, numbers)
    bullets = list(BULLET.finditer(body))
    if len(bullets) > 1:
        return _between(body, bullets)
    blocks = [block for block in BLANK.split(body) if block.strip()]
    if len(blocks) > 1 and sum(1 for block in blocks if SIGN_OF_A_WORK.search(block)) * 2 > len(blocks):
        return [_joined(part) for block in blocks for part in _lines(block)]
    return [_joined(part) for part in _lines(body)]


def _list_part(text: str) -> str:
    headings = list(HEADING.finditer(text))
    body = text[headings[-1].end() :] if headings else text
    end = NEXT_PART.search(body) if headings else None
    return body[: end.start()] if end and end.start() > SHORTEST else body


def _count_up(numbers: list[re.Match[str]]) -> bool:
    """Numbers of entries grow by one; a year or a volume that happens to begin a line does not."""
    values = [int(re.sub(r"\D", "", found[0]) or 0) for found in numbers]
    steps = sum(1 for first, second in pairwise(values) if second == first + 1)
    return steps * 4 >= (len(values) - 1) * 3


def _between(body: str, marks: list[re.Match[str]]) -> list[str]:
    ends = [mark.start() for mark in marks[1:]] + [len(body)]
    *pieces, last = (body[mark.end() : end] for mark, end in zip(marks, ends, strict=True))
    return [joined for piece in (*pieces, *_continued(last)) if (joined := _joined(piece))]


def _continued(piece: str) -> list[str]:
    """The last marked entry, and those without a mark that were added behind it."""
    blocks = [block for block in BLANK.split(piece) if block.strip()]
    if len(blocks) > 1 and all(SIGN_OF_A_WORK.search(block) for block in blocks[1:]):
        return [*_continued(blocks[0]), *(line for block in blocks[1:] for line in _lines(block))]
    pieces: list[list[str]] = [[]]
    has_sign, last = False, ""
    for line in piece.split("\n"):
        is_dated = SIGN_OF_A_WORK.search(line) is not None
        if has_sign and is_dated and NAME_FIRST.match(line) and ENDS.search(last[-LONGEST_ENDING:]):
            pieces.append([])
        pieces[-1].append(line)
        has_sign, last = has_sign or is_dated, line
    return ["\n".join(lines) for lines in pieces]


def _lines(block: str) -> list[str]:
    """Lines, those that go on with the line above joined to it."""
    pieces: list[list[str]] = []
    has_sign = False
    lines = [line for line in block.split("\n") if line.strip()]
    width = max(map(len, lines), default=0)
    for line in lines:
        # Only the last line is looked at for an end, so that a block without any costs no more than its length.
        last = pieces[-1][-1] if pieces else ""
        # A line with room for the word that follows was ended on purpose.
        is_ended = len(last) + len(line.split(maxsplit=1)[0]) < width * ROOMY
        starts = line[:1] not in " \t" and (BEGINNING.match(line) or (is_ended and line[0].isdigit()))
        if not pieces or (starts and has_sign and (is_ended or ENDS.search(last[-LONGEST_ENDING:]))):
            pieces.append([])
            has_sign = False
        pieces[-1].append(line)
        has_sign = has_sign or SIGN_OF_A_WORK.search(line) is not None
    return ["\n".join(piece) for piece in pieces]


def _joined(piece: str) -> str:
    """On one line; a word broken at the end of a line is whole again."""
    return " ".join(BROKEN_WORD.sub("", piece).split())[:LONGEST]


def _repeated(piece: str, end: int, lead: Reference) -> Reference:
    """A name that nobody bears keeps the place of the author while the rest is read."""
    rest = piece[end:].lstrip(".,: ")
    has_others = AND_OTHERS.match(rest) is not None
    read = parse_reference(f"Samewriter, A.{',' if has_others else ''} {rest}")
    others = read.authors[1:] if has_others else ()
    return replace(read, authors=(*lead.authors, *others), et_al=lead.et_al, raw=piece)
