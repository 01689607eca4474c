"""The sections of a text: its headings, and the one that a reader names by title, number or place.

Official texts are asked for by labels (`Item 1A`, `Article 17`, `§ 240.10b-5`, `Part II, Item 1`, `paragraph 23`), so
a label is compared by what it says: `art. 5` is `Article 5`, and `Item 1` is neither `Item 1A` nor `Item 10`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice

from wellsourced.errors import BadInput
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.text.terms import stem_word

HEADING_OR_FENCE = late_pattern(
    r"^(?:(?P<fence>`{3,}+|~{3,}+)[^\n`]*\n.*?(?:^(?P=fence)[`~]*[ \t\r]*$|\Z)"
    r"|(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]+))",
    re.M | re.S,
)
LINK = late_pattern(r"!?\[((?:[^\[\]\\]|\\.)*)\]\([^\s()]*\)")
EMPHASIS = late_pattern(r"(?<!\\)(?:(?:\*{1,3}|~~)(?=\S)|(?<=\S)(?:\*{1,3}|~~)|`+)")
ESCAPED = late_pattern(r"\\([!-/:-@\[-`{-~])")
LONGEST_TITLE = 1000
# Far more than any book has.
MOST_HEADINGS = 20_000
HEADING_SIZE = 40
OUTLINE_SIZE = 200_000
# Enough for a model to choose another section without filling the answer.
HEADINGS_NAMED = 12
OTHERS_NAMED = 3
MOST_FITTING = 100

LABELS = {
    "item": "item", "article": "article", "art": "article", "section": "section", "sec": "section", "s": "section",
    "§": "section", "§§": "section", "regulation": "regulation", "reg": "regulation", "rule": "rule", "part": "part",
    "chapter": "chapter", "ch": "chapter", "title": "title", "subpart": "subpart", "schedule": "schedule",
    "annex": "annex", "appendix": "appendix", "note": "note", "paragraph": "paragraph", "para": "paragraph",
    "¶": "paragraph", "claim": "claim", "recital": "recital", "proposal": "proposal", "exhibit": "exhibit",
    "footnote": "footnote",
}  # fmt: skip
KINDS = "|".join(sorted(map(re.escape, LABELS), key=len, reverse=True))
NUMBER = r"(?:[0-9]{1,6}|[ivxlc]{1,7}(?![a-z])|[a-z](?![a-z]))[a-z]?(?:[.-][0-9]{1,4}[a-z]{0,2}){0,4}(?:-[0-9]{1,3})?"
LABEL = late_pattern(
    rf"({KINDS})(?:\.|(?<=§))?(?:(?<=§)|[ \u00a0]{{1,4}})[ \u00a0]{{0,3}}(?:no\.? ?)?({NUMBER})"
    r"(?![a-z0-9])(?:\([a-z0-9]{1,4}\)){0,4}[\s.:,;–—-]{0,6}",
    re.I,
)
BARE_NUMBER = late_pattern(
    r"((?:[0-9]{1,4}|[a-z](?=\.))[a-z]?(?:\.[0-9]{1,3}){0,4})(?![a-z0-9%])[.)]?[\s:–—-]{0,4}", re.I
)
PART_OF_ITEM = late_pattern(r"item ([0-9]{1,2})\.? ?([a-k])", re.I)
NUMBERED = ("paragraph", "claim", "recital", "footnote", "")
WORD = late_pattern(r"\w+")
SPOKEN = {"md a": "management s discussion and analysis"}
FILLERS = frozenset({"the", "of", "to", "and", "a", "an", "in", "on"})
# What the forms of the SEC call their items: some filers print the names without the numbers.
ITEM_NAMES = {
    "1": "business", "1a": "risk factors", "1b": "unresolved staff comments", "1c": "cybersecurity", "2": "properties",
    "3": "legal proceedings", "4": "mine safety disclosures", "7": "management s discussion and analysis",
    "7a": "quantitative and qualitative disclosures about market risk", "8": "financial statements",
    "9a": "controls and procedures", "11": "executive compensation", "15": "exhibits",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    title: str
    offset: int


@dataclass(frozen=True, slots=True)
class Section:
    """Where a section stands in the text, its heading included; `notes` say what else it could have been."""

    title: str
    start: int
    end: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """`Item 1A` is ("item", "1a"); a number alone has no kind."""

    kind: str
    number: str

    def fits(self, other: Label) -> bool:
        return self.number == other.number and (self.kind == other.kind or not (self.kind and other.kind))


def list_headings(markdown: str) -> list[Heading]:
    """The headings, leaving out what only looks like one inside a code block."""
    return [
        Heading(len(match["marks"]), title, match.start())
        for match in islice(HEADING_OR_FENCE.finditer(markdown), MOST_HEADINGS)
        if match["marks"] and (title := heading_title(match["title"]))
    ]


def outline_headings(markdown: str) -> list[Heading]:
    """The headings for an outline: the first ones, where all of them would be an answer of megabytes."""
    headings = list_headings(markdown)
    sizes = accumulate(len(heading.title) + HEADING_SIZE for heading in headings)
    return headings[: sum(size <= OUTLINE_SIZE for size in sizes)]


def heading_title(heading: str) -> str:
    """A heading's words without their markup; signs at its end only close it after a blank, so that `C#` stays."""
    text = heading[:LONGEST_TITLE].strip()
    opened = text.rstrip("#")
    if not opened or opened[-1].isspace():
        text = opened.rstrip()
    return ESCAPED.sub(r"\1", EMPHASIS.sub("", LINK.sub(r"\1", text))).strip()


def find_section(markdown: str, wanted: str) -> Section:
    """The section that is meant, from its heading to the next one of its level; BadInput where there is none."""
    headings = list_headings(markdown)
    asked = wanted.strip().lstrip("#").strip().removeprefix("[").removesuffix("]")
    labels, words = split_labels(asked)
    found = _named(headings, asked) or _part_of_item(headings, asked)
    found = found or _labelled(headings, labels) or _worded(headings, words)
    if found:
        return _with_emptiness(_section_at(headings, found, len(markdown)), markdown, headings)
    if labels and (paragraph := _numbered_paragraph(markdown, headings, labels[-1])):
        return paragraph
    name = ITEM_NAMES.get(labels[-1].number, "") if labels and labels[-1].kind == "item" else ""
    if by_name := _worded(headings, name):
        section = _section_at(headings, by_name, len(markdown))
        note = f"No heading says {asked!r}; this is what the form has under that item, found by its name."
        return replace(section, notes=(note, *section.notes))
    raise BadInput(f"The page has no section {wanted!r}. Its headings: {_shown(headings)}.")


def _with_emptiness(section: Section, markdown: str, headings: Sequence[Heading]) -> Section:
    """That a heading has nothing below it, and what comes next, which may well be its first part."""
    line = markdown[section.start : section.end].strip()
    following = next((each for each in headings if each.offset >= section.end), None)
    if "\n" in line or following is None:
        return section
    note = f"Nothing stands under this heading; {following.title!r} (offset {following.offset}) comes next."
    return replace(section, notes=(note, *section.notes))


def split_labels(text: str) -> tuple[list[Label], str]:
    """The labels that a title or a wish begins with, outermost first, and the words after them."""
    labels: list[Label] = []
    rest = text
    while match := LABEL.match(rest):
        labels.append(Label(LABELS[match[1].casefold()], match[2].casefold()))
        rest = rest[match.end() :]
    if not labels and (match := BARE_NUMBER.match(text)):
        labels, rest = [Label("", match[1].casefold())], text[match.end() :]
    return labels, _plain(rest)


def _plain(text: str) -> str:
    return " ".join(WORD.findall(text.casefold()))


def _named(headings: Sequence[Heading], asked: str) -> list[int]:
    """Headings of exactly these words, with a label before them or without; the outermost ones where several are."""
    exact = [place for place, each in enumerate(headings) if each.title.casefold() == asked.casefold()]
    plain = _plain(asked)
    alike = [place for place, each in enumerate(headings) if plain in (_plain(each.title), split_labels(each.title)[1])]
    outermost = _outermost(headings, alike) if plain else []
    return exact if exact and (not outermost or exact[0] in outermost) else outermost or exact


def _labelled(headings: Sequence[Heading], labels: Sequence[Label]) -> list[int]:
    """Headings that carry the innermost label, below headings that carry the others."""
    if not labels:
        return []
    own = [split_labels(each.title)[0] for each in headings]
    carrying = (place for place, carried in enumerate(own) if carried and labels[-1].fits(carried[-1]))
    # Bounded, since for each of them the headings above are walked through.
    fitting = [p for p in islice(carrying, MOST_FITTING) if _stands_in(headings, own, p, labels[:-1])]
    return [place for place in fitting if own[place][-1].kind == labels[-1].kind] or fitting


def _part_of_item(headings: Sequence[Heading], asked: str) -> list[int]:
    """`Item 3D` and `Item 3.D`: an item of its own, or the part `D. Risk Factors` of Item 3, as in a 20-F."""
    match = PART_OF_ITEM.fullmatch(asked)
    if match is None:
        return []
    number, letter = match[1], match[2].casefold()
    own = _labelled(headings, [Label("item", number + letter)])
    return own or _labelled(headings, [Label("item", number), Label("", letter)])


def _stands_in(
    headings: Sequence[Heading], own: Sequence[Sequence[Label]], place: int, around: Sequence[Label]
) -> bool:
    carried = (
        [*own[place][:-1], *(label for above in _above(headings, place) for label in own[above])] if around else []
    )
    return all(any(label.fits(each) for each in carried) for label in around)


def _above(headings: Sequence[Heading], place: int) -> Iterator[int]:
    """The headings that a heading stands below, nearest first."""
    level = headings[place].level
    for before in range(place - 1, -1, -1):
        if headings[before].level < level:
            level = headings[before].level
            yield before
        if level == 1:
            return


def _worded(headings: Sequence[Heading], words: str) -> list[int]:
    """Headings with these words after their label, else beginning with them, else holding them."""
    words = SPOKEN.get(words, words)
    if not words:
        return []
    titles = [split_labels(each.title)[1] for each in headings]
    for matches in (str.__eq__, str.startswith, _holds, _says):
        if found := [place for place, title in enumerate(titles) if matches(title, words)]:
            return _outermost(headings, found)
    return []


def _holds(title: str, words: str) -> bool:
    return f" {words} " in f" {title} " or (len(words) > 3 and words in title)


def _says(title: str, words: str) -> bool:
    """Whether all words stand in the title in some form; one word alone says too little."""
    wanted = {stem_word(word) for word in words.split()} - FILLERS
    return len(wanted) > 1 and wanted <= {stem_word(word) for word in title.split()}


def _outermost(headings: Sequence[Heading], places: Sequence[int]) -> list[int]:
    least = min((headings[place].level for place in places), default=0)
    return [place for place in places if headings[place].level == least]


def _section_at(headings: Sequence[Heading], places: Sequence[int], length: int) -> Section:
    place = places[0]
    heading = headings[place]
    later = (each.offset for each in headings[place + 1 :] if each.level <= heading.level)
    others = [f"{_path(headings, other)} (offset {headings[other].offset})" for other in places[1 : 1 + OTHERS_NAMED]]
    notes = (f"Other sections go by this name too: {'; '.join(others)}.",) if others else ()
    return Section(heading.title, heading.offset, next(later, length), notes)


def _path(headings: Sequence[Heading], place: int) -> str:
    above = next(_above(headings, place), None)
    titles = [headings[above].title] if above is not None and headings[above].level > 1 else []
    return ", ".join([*titles, headings[place].title])


def _numbered_paragraph(markdown: str, headings: Sequence[Heading], label: Label) -> Section | None:
    """A paragraph that begins with its number, as in judgments and claims, up to the next number or heading."""
    if label.kind not in NUMBERED or not label.number.isdecimal():
        return None
    start = _paragraph_start(markdown, _beginnings(label.kind, int(label.number)), 0)
    if start is None:
        return None
    ends = _beginnings(label.kind, int(label.number) + 1)
    after = (each.offset for each in headings if each.offset > start)
    end = min(_paragraph_start(markdown, ends, start) or len(markdown), next(after, len(markdown)))
    return Section(f"{label.kind or 'paragraph'} {label.number}", start, end)


def _beginnings(kind: str, number: int) -> tuple[str, ...]:
    """How a numbered paragraph, or a footnote, can begin."""
    return (f"[^{number}]",) if kind == "footnote" else (f"{number}. ", f"{number}\\. ", f"[{number}]")


def _paragraph_start(markdown: str, beginnings: Sequence[str], after: int) -> int | None:
    places = [0] if after == 0 and markdown.startswith(tuple(beginnings)) else []
    found = (markdown.find(f"\n\n{beginning}", after) for beginning in beginnings)
    return min([*places, *(place + 2 for place in found if place >= 0)], default=None)


def _shown(headings: Sequence[Heading]) -> str:
    """The first titles of the two outermost levels, which say most about what there is."""
    levels = sorted({each.level for each in headings})[:2]
    titles = [each.title for each in headings if each.level in levels or len(headings) <= HEADINGS_NAMED]
    more = f" and {len(titles) - HEADINGS_NAMED} more (outline=true lists all)" if len(titles) > HEADINGS_NAMED else ""
    return "; ".join(titles[:HEADINGS_NAMED]) + more if titles else "none"
