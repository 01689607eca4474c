"""Real pages as they look on other days: what a site puts around a text changes, or the text itself on purpose."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import lxml.html  # type: ignore[import-untyped, unused-ignore]
from lxml.html import HtmlElement  # type: ignore[import-untyped, unused-ignore]

AROUND = (
    "nav",
    "aside",
    "footer",
    "header",
    "time",
    "related",
    "sidebar",
    "menu",
    "promo",
    "share",
    "comments",
    "count",
)
DATE = re.compile(
    r"\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b"
    r"|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, \d{4}\b"
)


def is_around(element: HtmlElement) -> bool:
    named = f"{element.tag} {element.get('class', '')} {element.get('id', '')}".lower()
    return isinstance(element.tag, str) and any(word in named for word in AROUND)


def next_day(markup: str, quote: str, day: int) -> str:
    """The page `day` days later: other menus, counters, dates, advertisements and lists of related stories."""
    chance, tree = random.Random(day), lxml.html.fromstring(markup)
    for element in list(tree.iter("a", "span", "li", "time", "p", "div")):
        inside = next((parent for parent in (element, *element.iterancestors()) if is_around(parent)), None)
        if inside is not None and quote[:40] not in inside.text_content():
            change_words(element, chance, day)
        elif element.text and quote[:40] not in element.text and DATE.fullmatch(element.text.strip()):
            element.text = f"{day + 1} June 2027"
    for paragraph in list(tree.iter("p")):
        if chance.random() < 0.15 and not any(is_around(parent) for parent in paragraph.iterancestors()):
            paragraph.addnext(advert(day, chance))
    body = tree.find("body")
    if body is not None:
        body.append(lxml.html.fragment_fromstring(related(day)))
    return str(lxml.html.tostring(tree, encoding="unicode"))


def change_words(element: HtmlElement, chance: random.Random, day: int) -> None:
    if element.text and element.text.strip() and chance.random() < 0.5:
        element.text = f"Topic {day * 7 + chance.randrange(90)}"


def advert(day: int, chance: random.Random) -> HtmlElement:
    kind = chance.choice(("ad", "advertisement", "promo-box"))
    return lxml.html.fragment_fromstring(
        f"<aside class='{kind}'><p>Save {day + 5} % on shoes until {day + 1} May. Not a day longer!</p></aside>"
    )


def related(day: int) -> str:
    rows = "".join(f"<li><a href='/story/{day}-{n}'>Story {day * 31 + n} that others read</a></li>" for n in range(6))
    return f"<section class=related><h2>Read also, day {day}</h2><ul>{rows}</ul><p>{day * 131} comments</p></section>"


def paragraph_of(tree: HtmlElement, quote: str) -> HtmlElement:
    return next(each for each in tree.iter("p") if quote in " ".join(each.text_content().split()))


def without(markup: str, quote: str, at_end: bool = False) -> str:
    """The page without the paragraph of a quotation, or with it as the last of those beside it."""
    tree = lxml.html.fromstring(markup)
    paragraph = paragraph_of(tree, quote)
    beside = [each for each in paragraph.getparent().iterchildren("p") if each is not paragraph]
    paragraph.drop_tree()
    if at_end:
        beside[-1].addnext(paragraph)
    return str(lxml.html.tostring(tree, encoding="unicode"))


def is_quotable(markup: str, quote: str) -> bool:
    """Whether each change can be made to it: a figure, a verb to deny, and paragraphs far enough away."""
    if not (FIGURE.search(quote) and VERB.search(quote) and 50 < len(quote) < 250 and markup.count(quote) == 1):
        return False
    try:
        paragraph = paragraph_of(lxml.html.fromstring(markup), quote)
    except StopIteration:
        return False
    after = [each for each in paragraph.itersiblings("p") if len(each.text_content()) > 60]
    return len(after) > 5 and any(len(each.text_content()) > 60 for each in paragraph.itersiblings("p", preceding=True))


FIGURE = re.compile(r"\b[1-9]\d\b")
VERB = re.compile(r" (is|was|were|are|has|had|will) ")
CHANGES: dict[str, tuple[str, Callable[[str, str], str]]] = {
    "same": ("unchanged", lambda markup, quote: next_day(markup, quote, 3)),
    "moved": ("moved", lambda markup, quote: without(markup, quote, at_end=True)),
    "figure": ("changed", lambda markup, quote: markup.replace(quote, FIGURE.sub("77", quote, count=1))),
    "denied": ("changed", lambda markup, quote: markup.replace(quote, VERB.sub(r" \1 not ", quote, count=1))),
    "removed": ("gone", without),
}
"""What is done to a page, and what must be said of the quotation then."""
