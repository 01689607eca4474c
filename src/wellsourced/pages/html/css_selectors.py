"""The selectors of a page's styles: which of them could mean anything in it, and which elements they mean.

Rules are sorted out by the classes and ids that occur in the page before any is matched; matching is the parser's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import chain, repeat
from typing import NamedTuple

from turbohtml._html import _matches_many, _select_many

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_sheets import Sheets
from wellsourced.pages.html.css_syntax import PLAIN_LIST, PLAIN_SELECTOR, UNKNOWN, VALID, in_parser_words, validity
from wellsourced.pages.html.css_values import NAME, on_one_line, split_outside, unescape
from wellsourced.pages.html.dom import Document, Element

NAMES = re.compile(NAME)
# To test more elements than these one by one takes longer than to search the page, or in so few of its elements.
MOST_AMONG, MOST_AROUND = 100, 3
ASKED_ATTRIBUTE = late_pattern(r"\[([a-zA-Z][\w-]*)")
# From the first bracket of a function on nothing is asked of the page.
PARENTHESES = late_pattern(r"\(.*", re.S)
BRACKET = late_pattern(r"[(\[]")
BRACKETS = late_pattern(r"\([^()]*\)|\[[^\[\]]*\]")
HTML_SPACES = "\t\n\f\r"
STRING = late_pattern(r"\"[^\"\\]*\"|'[^'\\]*'")
STRING_OR_ESCAPE = late_pattern(r"[\"'\\]")
ONE_NAME = late_pattern(r"[.#][a-zA-Z_-][a-zA-Z0-9_-]*+")
# States that an element has only while somebody uses the page; in brackets they may be what it must not have.
NO_ELEMENT = late_pattern(r"(?<!\\):(?:hover|focus|active|visited|focus-within|focus-visible)(?![\w(-])", re.I)
LONGEST_SELECTOR = 1000
PARTS = re.compile(r":(before|after|first-line|details-content)(?![\w(-])", re.I)
PART_AT_END = late_pattern(rf":?{PARTS.pattern}\s*\Z", re.I)
# The pages of a site have their rules in common: so many are kept as they were read, unless they are very long.
MOST_HEADS, LONGEST_KEPT = 10_000, 500
MOST_LONG_HEADS, LONGEST_LONG_KEPT = 500, 4_000
# Tests of one element against one selector, all rules together; a page as large as they come needs a tenth.
MOST_TESTS = 20_000_000
SEARCH_COST, TESTS_A_NOTE = 20, 4


class AskingSelector(NamedTuple):
    """A selector of a rule with all that it asks of a page; `small` are the names as quirky pages compare them."""

    selector: str
    names: tuple[str, ...]
    small: tuple[str, ...]
    attributes: tuple[str, ...] = ()


class PageIndex:
    """The elements of a page by class, id and tag, and what a selector means; both looked up once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tests = 0
        self.unmatched: dict[str, None] = {}
        self._matched: dict[str, list[Element]] = {}
        self._selectors: dict[str, list[str]] = {}
        self._named: dict[str, list[Element]] = {}
        self._attributes: dict[str, bool] = {}
        self._asking: list[int] = []

    @cached_property
    def _classed(self) -> list[Element]:
        return self.document.select("[class]")

    @cached_property
    def _class_values(self) -> list[str]:
        """All of them, in the order of the elements that have one."""
        return [value or "" for value in map(Element.attr, self._classed, repeat("class"))]

    @cached_property
    def names(self) -> set[str]:
        """All classes and ids, written as selectors ask for them."""
        return {f".{name}" for name in self._values}.union(self._by_id)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where each value of a class attribute stands among all of them."""
        places: dict[str, list[int]] = {}
        for place, value in enumerate(self._class_values):
            if value in places:
                places[value].append(place)
            else:
                places[value] = [place]
        return places

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        """The values of class attributes in which each name occurs."""
        values: dict[str, list[str]] = {}
        for value in self._places:
            for name in value.split() if value.isprintable() else _split_names(value):
                known = values.get(name)
                if known is None:
                    values[name] = [value]
                elif known[-1] is not value:
                    known.append(value)
        return values

    @cached_property
    def _by_id(self) -> dict[str, list[Element]]:
        named: dict[str, list[Element]] = {}
        for element in self.document.select("[id]"):
            named.setdefault(f"#{element.attr('id') or ''}", []).append(element)
        return named

    def named(self, name: str) -> list[Element]:
        """The elements with a class or an id, written as selectors ask for it."""
        known = self._named.get(name)
        if known is None:
            known = self._named[name] = self._with_class(name) if name[0] == "." else self._by_id.get(name, [])
        return known

    def _with_class(self, name: str) -> list[Element]:
        values = self._values.get(name[1:], ())
        places = self._places[values[0]] if len(values) == 1 else sorted(chain(*(self._places[v] for v in values)))
        return [self._classed[place] for place in places]

    @cached_property
    def size(self) -> int:
        return len(self.document.select("*"))

    def with_names(self, names: Iterable[str]) -> list[Element]:
        """The elements of some classes, given as they are written there."""
        # Most occur nowhere, and the parser finds the others sooner than an index of all classes is made.
        there = filter("\n".join(self._class_values).__contains__, names)
        return [element for name in there for element in self.document.select(f".{name}")]

    @cached_property
    def is_quirky(self) -> bool:
        """Without a document type browsers compare classes and ids without regard to case."""
        return not any(type(node).__name__ == "Doctype" for node in self.document)

    @cached_property
    def _by_small_name(self) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {name.lower(): [] for name in self.names}
        for name in sorted(self.names) if len(index) < len(self.names) else self.names:
            index[name.lower()].append(name)
        return index

    @cached_property
    def _spelt_once(self) -> set[str]:
        """The names that selectors can mean in one spelling only, which is the page's."""
        if len(self._asked_names) == len(self.names):
            return self.names
        return {spelt[0] for spelt in self._by_small_name.values() if len(spelt) == 1}

    @cached_property
    def _asked_names(self) -> set[str]:
        return {name.lower() for name in self.names} if self.is_quirky else self.names

    def as_written(self, selector: str) -> str:
        """The selector with names as the page spells them, where case does not matter."""
        names = NAMES.findall(selector)
        for name in set(names) if not self._spelt_once.issuperset(names) else ():
            spelt = self._by_small_name.get(unescape(name).lower(), ())
            if spelt and spelt != [name]:
                selector = selector.replace(name, f":is({','.join([name, *(each for each in spelt if each != name)])})")
        return selector

    def possible(self, sheets: Sheets) -> dict[int, list[str]]:
        """The numbers of the rules that could mean something here, with the selectors that could.

        None of them asks for a name that does not occur.
        """
        heads = sheets.heads
        self._asking = (
            sheets.asking_for(self._asked_names if self.is_quirky else map(str.lower, self.names)) if heads else []
        )
        return {number: selectors for number in self._asking if (selectors := self.selectors_of(heads[number]))}

    def possible_parts(self, sheets: Sheets) -> dict[str, dict[int, list[str]]]:
        """The same for rules about parts of elements, by the names of the parts."""
        parts: dict[str, dict[int, list[str]]] = {}
        for number in self._asking:
            head = sheets.heads[number]
            if ":" in head and (found := PARTS.search(head)) and _matters(found[1].lower(), sheets.bodies[number]):
                for selector in split_outside(head, ","):
                    if end := PART_AT_END.search(selector):
                        meant = self.selectors_of(selector[: end.start()].strip() or "*")
                        parts.setdefault(end[1].lower(), {}).setdefault(number, []).extend(meant)
        return parts

    def _has_attribute(self, asked: str) -> bool:
        if asked not in self._attributes:
            self._attributes[asked] = bool(self.document.select_one(f"[{asked}]"))
        return self._attributes[asked]

    def selectors_of(self, text: str) -> list[str]:
        """The selectors of a rule that could mean something here. Sheets are read more than once, this is not."""
        known = self._selectors.get(text)
        if known is None:
            known = self._selectors[text] = self._selectors_of(text)
        return known

    def _selectors_of(self, text: str) -> list[str]:
        is_plain, parts = _head(text)
        has_names = self._asked_names.issuperset
        if is_plain and not self.is_quirky:
            return [part.selector for part in parts if has_names(part.names)]
        there = [part for part in parts if has_names(part.small if self.is_quirky else part.names)]
        there = [part for part in there if not part.attributes or all(map(self._has_attribute, part.attributes))]
        if not there:
            return []
        selectors = [part.selector for part in there]
        if self.is_quirky and not (is_plain and all(self._spelt_once.issuperset(part.names) for part in there)):
            selectors = [self.as_written(selector) for selector in selectors]
        if is_plain:
            return selectors
        if UNKNOWN in [self._understood(part.selector)[0] for part in parts]:
            # One that a browser does not know makes it drop the whole rule, with all other selectors.
            return []
        return [known for answer, known in map(self._understood, selectors) if answer == VALID]

    def _understood(self, selector: str) -> tuple[int, str]:
        """Whether a selector is valid, and as the parser wants it."""
        if ":defined" not in selector:
            return _in_parser_words(selector)
        selector = in_parser_words(selector).replace(":defined", self._defined)
        return validity(selector), on_one_line(selector)

    @cached_property
    def _defined(self) -> str:
        custom = sorted({element.tag for element in self.document.select("*") if "-" in element.tag})
        # The second part means nothing, and gives it the weight that it has by its own name.
        return f":is(:not({','.join(custom) or ':not(*)'}), :not(*):root)"

    def candidates(self, selector: str) -> list[Element] | None:
        """All that a selector could mean by the names it ends in; None for anything on the page."""
        names = _subject_names(selector)
        return self.named(names[0]) if len(names) == 1 else min(map(self.named, names), key=len, default=None)

    def match(self, selector: str) -> list[Element]:
        """The elements that a selector means. Past the bound on work none: the selector is noted as not matched."""
        matched = self._matched.get(selector)
        if matched is None:
            matched = self._matched[selector] = self._match(selector)
        # To note something of an element takes less time than to test it.
        self.tests += len(matched) // TESTS_A_NOTE
        if self.tests > MOST_TESTS:
            self.unmatched[selector] = None
        return matched if self.tests <= MOST_TESTS else []

    def _match(self, selector: str) -> list[Element]:
        if ONE_NAME.fullmatch(selector):
            return self.named(selector)
        if selector.isalnum():
            return self.document.select(selector)
        if ":" in selector and any(map(NO_ELEMENT.search, _around_brackets(selector))):
            return []
        among = self.candidates(selector)
        if among is not None and len(among) <= MOST_AMONG and ":scope" not in selector:
            return _matches_many(among, selector) if among and self._may_test(selector, len(among)) else []
        if not self._may_test(selector, self.size):
            return []
        # The last name is that of the least part of the page.
        around = next(
            (several for several in map(self.named, _names_around(selector)) if len(several) <= MOST_AROUND), ()
        )
        return _select_many(around, selector) if around else self.document.select(selector)

    def may_ask(self, count: int) -> bool:
        self.tests += count
        return self.tests <= MOST_TESTS

    def _may_test(self, selector: str, count: int) -> bool:
        self.tests += (count + 10) * (1 + len(selector) // 50 + SEARCH_COST * selector.count(":has("))
        if self.tests > MOST_TESTS:
            self.unmatched[selector] = None
        return self.tests <= MOST_TESTS


def _split_names(classes: str) -> list[str]:
    """The names in a class attribute; other blanks than those of HTML are part of them."""
    for space in HTML_SPACES:
        classes = classes.replace(space, " ")
    return [name for name in classes.split(" ") if name]


def _matters(part: str, body: str) -> bool:
    """What stands before or behind an element's text is of interest where it can lie on it."""
    return part not in {"before", "after"} or ("absolute" in body.lower() and "background" in body.lower())


@lru_cache(MOST_HEADS)
def _read_head(text: str) -> tuple[bool, tuple[AskingSelector, ...]]:
    """Whether the selectors of a rule are plain ones, on a line each, and all of them."""
    is_bare = not ("(" in text or "[" in text)
    if is_bare and PLAIN_LIST.fullmatch(text):
        parts = [" ".join(part.split()) for part in text.split(",")]
        return True, tuple([_asking(part, tuple(NAMES.findall(part))) for part in parts])
    parts = text.split(",") if is_bare and "\\" not in text else split_outside(text, ",")
    return False, tuple([_asking(part, _asked_names(part)) for part in parts])


_read_long_head = lru_cache(MOST_LONG_HEADS)(_read_head.__wrapped__)


def _head(text: str) -> tuple[bool, tuple[AskingSelector, ...]]:
    if len(text) <= LONGEST_KEPT:
        return _read_head(text)
    return _read_long_head(text) if len(text) <= LONGEST_LONG_KEPT else _read_head.__wrapped__(text)


def _asking(selector: str, names: tuple[str, ...]) -> AskingSelector:
    lowered = selector.lower()
    small = names if lowered == selector else _asked_names(lowered)
    attributes = ASKED_ATTRIBUTE.findall(PARENTHESES.sub("", selector)) if "[" in selector else ()
    return AskingSelector(selector, names, small, tuple(attributes))


def _asked_names(selector: str) -> tuple[str, ...]:
    """The classes and ids without which it means nothing."""
    if not ("(" in selector or "[" in selector or "\\" in selector):
        return tuple(NAMES.findall(selector))
    before = NAMES.findall(BRACKET.split(selector, 1)[0]) if "\\" not in selector else ()
    return (*before, *map(unescape, NAMES.findall(_outside_brackets(selector))))


@lru_cache(MOST_HEADS)
def _in_parser_words(selector: str) -> tuple[int, str]:
    selector = in_parser_words(selector)
    return validity(selector), on_one_line(selector)


@lru_cache(MOST_HEADS)
def _subject_names(selector: str) -> list[str]:
    """The classes and ids that all elements have which it means, as far as that is plain to see."""
    bare = STRING.sub("", selector)
    if STRING_OR_ESCAPE.search(bare):
        return []
    bare = _outside_brackets(bare)
    return NAMES.findall(bare, _subject_start(bare))


@lru_cache(MOST_HEADS)
def _names_around(selector: str) -> list[str]:
    """The classes and ids that are around all elements which a plain selector means, the last first."""
    if not PLAIN_SELECTOR.fullmatch(selector) or "+" in selector or "~" in selector:
        return []
    return NAMES.findall(selector, 0, _subject_start(selector))[::-1]


def _subject_start(selector: str) -> int:
    """Where the last part begins, which speaks of the elements themselves."""
    return 1 + max(map(selector.rfind, " >+~"))


def _around_brackets(selector: str) -> tuple[str, str]:
    """What stands before the first bracket, and behind the last one."""
    before = BRACKET.split(selector, 1)[0]
    end = max(selector.rfind(")"), selector.rfind("]")) + 1
    return before, selector[end:] if end else ""


def _outside_brackets(selector: str) -> str:
    if len(selector) > LONGEST_SELECTOR:
        return ""
    count = int("(" in selector or "[" in selector)
    while count:
        selector, count = BRACKETS.subn("", selector)
    return selector
