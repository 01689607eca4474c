"""What became of a quotation: held against the page as it was captured and as it is now.

Menus, dates and advertisements around a text change every day and mean nothing. So only the words count, the sentence
around them as far as a figure or a denial came into it, and the paragraphs next to them: a quotation has moved when
none of its neighbours is near it any more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wellsourced.evidence.difference import Difference
from wellsourced.evidence.negation import negation_cues
from wellsourced.evidence.page_quotation import locate_quotation
from wellsourced.evidence.quotations import find_quotation
from wellsourced.pages.html.extract import visible_text
from wellsourced.pages.page import Page
from wellsourced.projects.project import DriftState
from wellsourced.text.sentences import split_sentences

PARAGRAPH = re.compile(r"\n{2,}")
NEAR = 3
"""Paragraphs within which a neighbour is still one: an advertisement may stand between."""
SHORTEST_NEIGHBOUR = 40
AROUND = 2000
FIGURE = re.compile(r"\d[\d.,]{0,30}")


@dataclass(frozen=True, slots=True)
class QuotationDrift:
    state: DriftState
    now: str | None = None
    differences: tuple[Difference, ...] = ()
    detail: str | None = None


def compare_quotation(quote: str, before: Page, after: Page) -> QuotationDrift:
    """For texts of any length, so to be run in a worker; linear in both."""
    found = locate_quotation(quote, after)
    if found.status == "not_found" or found.text is None:
        return QuotationDrift("gone", detail="The words do not stand in the page any more.")
    if found.status == "altered":
        return QuotationDrift("changed", found.text, found.differences)
    old, new = _text(before), _text(after)
    here = find_quotation(quote, old)
    there = find_quotation(quote, new)
    around = sentence_change(_sentence(old, here.start, here.end), _sentence(new, there.start, there.end))
    if around:
        return QuotationDrift("changed", _sentence(new, there.start, there.end), around, SENTENCE_CHANGED)
    if has_moved(neighbours(old, here.start, here.end), new, there.start, there.end):
        return QuotationDrift("moved", found.text, detail="The words stand elsewhere in the page.")
    return QuotationDrift("unchanged")


def look_outside(found: QuotationDrift, quote: str, before: Page, html: bytes, content_type: str) -> QuotationDrift:
    """What was found, unless the words stand in a part of the page that was not taken for its text this time: which
    part that is may change with everything around it."""
    text = visible_text(html, content_type)
    seen = compare_quotation(quote, before, Page(url=before.url, markdown=text, plain=text))
    stands_there = seen.state in {"unchanged", "moved"} or seen.detail == SENTENCE_CHANGED
    return seen if stands_there else found


SENTENCE_CHANGED = "The words stand as they were; the sentence around them says something else."


def sentence_change(old: str, new: str) -> tuple[Difference, ...]:
    """What came into or left the sentence around a quotation: a denial or a figure. Other words may."""
    if old == new:
        return ()
    denials = [" ".join(negation_cues(sentence)) for sentence in (old, new)]
    if len(denials[0].split()) != len(denials[1].split()):
        return (Difference("negation", denials[0], denials[1]),)
    figures = [FIGURE.findall(sentence) for sentence in (old, new)]
    if sorted(figures[0]) != sorted(figures[1]) and figures[0]:
        return (Difference("figure", ", ".join(figures[0]), ", ".join(figures[1])),)
    return ()


def neighbours(text: str, start: int, end: int) -> tuple[list[str], list[str]]:
    """The paragraphs before and after a place, the nearest first; too short ones are labels and prove nothing."""
    before = [_folded(part) for part in reversed(PARAGRAPH.split(text[:start])[:-1])]
    after = [_folded(part) for part in PARAGRAPH.split(text[end:])[1:]]
    return _long(before), _long(after)


def _long(parts: list[str]) -> list[str]:
    return [part for part in parts if len(part) >= SHORTEST_NEIGHBOUR]


def has_moved(old: tuple[list[str], list[str]], text: str, start: int, end: int) -> bool:
    """Whether none of the paragraphs that stood next to the words is near them any more, though one is in the page."""
    new = neighbours(text, start, end)
    sides = [(was[:NEAR], now[:NEAR]) for was, now in zip(old, new, strict=True) if was]
    if not sides or any(set(was) & set(now) for was, now in sides):
        return False
    elsewhere = {part for parts in new for part in parts}
    return any(part in elsewhere for was, _ in sides for part in was)


def _sentence(text: str, start: int, end: int) -> str:
    """The sentences in which a place lies, within its paragraph."""
    first = max(text.rfind("\n\n", 0, start) + 2, start - AROUND, 0)
    last = text.find("\n\n", end)
    part = text[first : min(last if last >= 0 else len(text), end + AROUND)]
    place, stop = start - first, end - first
    inside = [s for s in split_sentences(part) if s.start < stop and s.end > place]
    return " ".join(sentence.text for sentence in inside)


def _text(page: Page) -> str:
    return page.plain or page.markdown


def _folded(part: str) -> str:
    return " ".join(part.split())
