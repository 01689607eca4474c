"""Footnotes: marks in the text and the notes they lead to, each of which names the other.

Links within a page are notes where the mark is short and stands high, or where its name says so. The way back from a
note to its mark is no content.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.blocks import BLOCK_TAGS, Branch, Outline, TextPiece
from wellsourced.pages.html.dom import Document, Element, Node, Text, ancestors, remove, select

MARK = late_pattern(r"[\[(]?\s*((?:note\s|n)?\d{1,4}|[a-z]{1,3}|[ivxl]{1,6}|[*†‡§¶#]{1,3})\s*[\])]?", re.I)
NOTE_NAME = late_pattern(
    r"note|(?:^|[#\s_-])_?(?:ftn?|edn|fn|sdfootnote)|cite|doc-biblioref|bibr?\b|[#_-](?:B|R|CR|bib|ref|cit)-?\d", re.I
)
SIGN_NAMES = {"*": "star", "†": "dagger", "‡": "double-dagger", "§": "section", "¶": "paragraph", "#": "hash"}
SIDE_NOTES = ("span.sidenote", "span.marginnote", "small.sidenote", "span.ltx_note")
# What a note in the margin begins with, and what opens it on a small screen.
SIDE_MARKS = "label.margin-toggle, input.margin-toggle, .ltx_note_mark, .ltx_tag_note"
# Before a raised number that is a mark: the end of a sentence or of a word, not a unit or a number.
BEFORE_MARK = late_pattern(r"(?:[^\W\d_]{3}|[.,;:!?)\]”’\"'»])\s*$")
# Notes are kept with the text they belong to, unless they would outweigh it.
MOST_NOTES = 0.35


@dataclass(frozen=True, slots=True)
class Notes:
    """By the number of their branch: marks and bodies with their label, and links back to the mark."""

    marks: dict[int, str] = field(default_factory=dict)
    bodies: dict[int, str] = field(default_factory=dict)
    ways_back: frozenset[int] = frozenset()


def find_notes(outline: Outline) -> Notes:
    """The notes of a page, empty where it has none."""
    inner = select(outline.tree, 'a[href^="#"]')
    if not any(MARK.fullmatch(element.text.strip()) for element in inner):
        return _unlinked(outline)
    elements = set(inner)
    links = [b for b in outline.branches if b.tag == "a" and b.element in elements]
    marks: dict[int, tuple[str, str]] = {}
    seen: set[str] = set()
    ways_back: set[int] = set()
    for link in links:
        target = link.attr("href")[1:]
        match = MARK.fullmatch(link.element.text.strip())
        if target in seen:
            ways_back.add(link.index)
        elif match and target and _is_mark(link):
            marks[link.index] = (target, _label(match[1]))
            before = link.element.previous_sibling
            named = [each.element for each in (link, link.parent) if each]
            # Some set an empty anchor before the mark, and lead back to that.
            named += [before] if isinstance(before, Element) and before.tag == "a" else []
            seen |= {name for each in named if (name := each.attr("id") or each.attr("name"))}
    if not marks:
        return _unlinked(outline)
    bodies = _bodies(outline, {target for target, _ in marks.values()})
    known = {target: bodies[target] for target, _ in marks.values() if target in bodies}
    return Notes(
        {index: label for index, (target, label) in marks.items() if target in known},
        {known[target].index: label for target, label in reversed(marks.values()) if target in known},
        frozenset(ways_back),
    )


def _unlinked(outline: Outline) -> Notes:
    """Notes without links: raised numbers in the text, and later blocks that begin with the same, from 1 onwards."""
    if not select(outline.tree, "sup"):
        return Notes()
    raised = [b for b in outline.branches if b.tag == "sup" and b.element.text.strip().isdecimal()]
    places = {b.index: (b.element.text.strip(), b.parent) for b in raised if b.parent}
    starts = {index: text for index, (text, around) in places.items() if _begins(outline.branches[index], around)}
    if not starts or list(starts.values()) != [str(number) for number in range(1, len(starts) + 1)]:
        return Notes()
    first = min(starts)
    marks = {
        index: text
        for index, (text, around) in places.items()
        if index < first and text in starts.values() and _follows_text(outline.branches[index], around)
    }
    if set(marks.values()) != set(starts.values()):
        return Notes()
    bodies = {places[index][1].index: text for index, text in starts.items()}
    return Notes(marks, bodies, frozenset(starts))


def _begins(branch: Branch, around: Branch) -> bool:
    """Whether it is the first thing in a paragraph of its own."""
    first = next((child for child in around.children if child is branch or _is_text(child)), None)
    return first is branch and around.tag in {"p", "li", "div"} and around.end == around.start + 1


def _follows_text(branch: Branch, around: Branch) -> bool:
    place = next(number for number, child in enumerate(around.children) if child is branch)
    before = around.children[place - 1] if place else None
    return isinstance(before, tuple) and BEFORE_MARK.search(before[0][-40:]) is not None


def _is_text(child: Branch | TextPiece) -> bool:
    return isinstance(child, tuple) and child[1] >= 0


def write_side_notes(document: Document) -> None:
    """Notes that stand in the midst of a sentence, where a style moves them to the margin, as notes below their
    paragraph."""
    has_any = any(select(document, selector) for selector in SIDE_NOTES)
    for number, note in enumerate(select(document, ", ".join(SIDE_NOTES)) if has_any else (), 1):
        paragraph = next((each for each in ancestors(note) if each.tag in BLOCK_TAGS), None)
        if paragraph is None or not note.text.strip():
            continue
        for sign in select(note, SIDE_MARKS):
            remove(sign)
        for sign in _toggles(note):
            remove(sign)
        name = f"wellsourced-note-{number}"
        mark = Element("sup", None, [Element("a", {"href": f"#{name}"}, [Text(str(number))])])
        children = list(note)
        note.replace_with(mark)
        paragraph.insert_after(Element("aside", {"id": name}, children))


def _toggles(note: Element) -> list[Element]:
    toggles: list[Element] = []
    before: Node | None = note.previous_sibling
    while isinstance(before, Element) and before.tag in {"label", "input"} and len(toggles) < 2:
        toggles.append(before)
        before = before.previous_sibling
    return toggles


def _is_mark(link: Branch) -> bool:
    parent = link.parent
    is_raised = (parent is not None and parent.tag == "sup") or any(
        isinstance(child, Branch) and child.tag == "sup" for child in link.children
    )
    around = parent.class_name if parent else ""
    return (
        is_raised or NOTE_NAME.search(f"{link.attr('href')} {link.class_name} {link.attr('role')} {around}") is not None
    )


def _label(text: str) -> str:
    return "-".join(SIGN_NAMES.get(sign, sign) for sign in text) if text[0] in SIGN_NAMES else text.replace(" ", "")


def _bodies(outline: Outline, targets: set[str]) -> dict[str, Branch]:
    """The block that each target is, or stands in; the meaning of one that is a term."""
    bodies: dict[str, Branch] = {}
    places = {branch.element: branch for branch in outline.branches}
    for element in select(outline.root.element, "[id], a[name]"):
        name = element.attr("id") or element.attr("name")
        if name and name in targets and name not in bodies:
            around = (places[each] for each in (element, *ancestors(element)) if each in places)
            body = next((branch for branch in around if branch.tag in BLOCK_TAGS), None)
            if body and body.tag == "dt" and body.parent:
                after = (each for each in body.parent.children if isinstance(each, Branch) and each.start >= body.end)
                body = next((each for each in after if each.tag == "dd"), body)
            if body and body.parent and body.end > body.start:
                bodies[name] = body
    return bodies


def keep_notes(outline: Outline, kept: Sequence[bool], notes: Notes) -> tuple[list[bool], Notes]:
    """The choice with the notes of kept text, and the notes of which the text was kept."""
    mended = list(kept)
    if not notes.bodies:
        return mended, notes
    wanted = {label for index, label in notes.marks.items() if any(_span(kept, outline.branches[index]))}
    spans = [outline.branches[index] for index, label in notes.bodies.items() if label in wanted]
    places = {place for branch in spans for place in range(branch.start, branch.end)}
    size = sum(len(outline.blocks[place].text) for place in places)
    if size <= MOST_NOTES * sum(len(b.text) for b, keep in zip(outline.blocks, kept, strict=True) if keep):
        for place in places:
            mended[place] = True
    bodies = {index: label for index, label in notes.bodies.items() if any(_span(mended, outline.branches[index]))}
    labels = set(bodies.values())
    marks = {index: label for index, label in notes.marks.items() if label in labels}
    return mended, Notes(marks, bodies, notes.ways_back)


def _span(kept: Sequence[bool], branch: Branch) -> Sequence[bool]:
    return kept[branch.start : max(branch.end, branch.start + 1)]
