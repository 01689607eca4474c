"""The selectors of a page's styles: which of them could mean anything in it, and which elements they mean.

Rules are sorted out by the classes and ids that occur in the page before any is matched; matching is the parser's own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache

from turbohtml import SelectorSyntaxError
from turbohtml._html import _css_specificity, _matches_many

from wellsourced.pages.html.css_values import split_outside, unescape
from wellsourced.pages.html.dom import Document, Element

VALID, MEANS_NOTHING, UNKNOWN = range(3)

# Letters, digits, `_`, `-` and all that is not ASCII, said by what is left out: that is looked up fastest.
_LETTERS = r"[^\x00-\x2c./:-@\[-\^`{-\x7f]"
NAME = re.compile(rf"[.#](?:{_LETTERS}|\\[0-9a-fA-F]{{1,6}} ?|\\.)+")
SIGNS = re.compile(rf"[.#]{_LETTERS}++(?!\\)|[\[(\\\"']")
UNSURE = frozenset("[(\\\"'")
# To test more elements than these one by one takes longer than to search the page.
MOST_AMONG = 100
EMPTY: frozenset[str] = frozenset()
ASKED_ATTRIBUTE = re.compile(r"\[([a-zA-Z][\w-]*)")
# From the first bracket of a function on nothing is asked of the page.
PARENTHESES = re.compile(r"\(.*", re.S)
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
HTML_SPACES = re.compile(r"[ \t\n\f\r]+")
STRING_OR_ESCAPE = re.compile(r"[\"'\\]")
SUBJECT = re.compile(r"[^ >+~]*$")
PLAIN = r"(?:[a-zA-Z*][a-zA-Z0-9_-]*+)?(?:[.#][a-zA-Z_-][a-zA-Z0-9_-]*+)*+"
_PLAIN_SELECTOR = rf"(?=[a-zA-Z0-9_.#*]){PLAIN}(?:(?: ?[>+~] ?| )(?=[a-zA-Z0-9_.#*]){PLAIN})*+"
PLAIN_SELECTOR = re.compile(_PLAIN_SELECTOR)
PLAIN_LIST = re.compile(rf"{_PLAIN_SELECTOR}(?: ?, ?{_PLAIN_SELECTOR})*+")
# Parts and states that no element has on a page as it is loaded; their rules are valid and mean nothing here.
_PARTS = (
    "before after first-line first-letter marker placeholder selection backdrop cue cue-region file-selector-button "
    "part slotted target-text spelling-error grammar-error highlight view-transition[a-z-]* details-content "
    "scroll-marker scroll-marker-group scroll-button column checkmark picker picker-icon search-text -webkit-[a-z-]+"
)
_STATES = (
    "before after first-line first-letter host host-context autofill -webkit-autofill popover-open modal open "
    "fullscreen -webkit-full-screen -webkit-full-page-media user-valid user-invalid state picture-in-picture playing "
    "paused seeking muted buffering stalled volume-locked target-within target-current target-before target-after "
    "current past future local-link has-slotted active-view-transition active-view-transition-type xr-overlay "
    "window-inactive horizontal vertical increment decrement start end double-button single-button no-button "
    "corner-present -webkit-drag -webkit-any-link -internal-[a-z-]+ heading interest-source interest-target"
)
NOT_ELEMENTS = re.compile(
    rf"::(?:{'|'.join(_PARTS.split())})(?![\w-])|(?<!:):(?:{'|'.join(_STATES.split())})(?![\w-])", re.I
)
LONGEST_SELECTOR = 1000
# Tests of one element against one selector, all rules together; a page as large as they come needs a tenth.
MOST_TESTS = 20_000_000
SEARCH_COST = 20


class PageIndex:
    """The elements of a page by class, id and tag, and what a selector means; both looked up once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tests = 0
        self.unmatched: list[str] = []
        self._matched: dict[str, list[Element]] = {}
        self._selectors: dict[str, list[str]] = {}
        self._attributes: dict[str, bool] = {}

    @cached_property
    def named(self) -> dict[str, list[Element]]:
        """The elements by their classes and ids, written as selectors ask for them."""
        named: dict[str, list[Element]] = {}
        known: dict[str, list[list[Element]]] = {}
        for element in self.document.select("[class]"):
            value = element.attr("class") or ""
            lists = known.get(value)
            if lists is None:
                names = value.split(" ") if value.isprintable() else HTML_SPACES.split(value)
                lists = known[value] = [named.setdefault(f".{name}", []) for name in dict.fromkeys(names) if name]
            for each in lists:
                each.append(element)
        for element in self.document.select("[id]"):
            named.setdefault(f"#{element.attr('id')}", []).append(element)
        return named

    @cached_property
    def names(self) -> set[str]:
        return set(self.named)

    @cached_property
    def size(self) -> int:
        return len(self.document.select("*"))

    def with_names(self, names: Iterable[str]) -> list[Element]:
        """The elements of some classes, given as they are written there. For these alone no index is made."""
        if "named" in self.__dict__:
            return [element for name in names for element in self.named.get(f".{name}", ())]
        asked = set(names)
        elements = self.document.select(", ".join(f".{name}" for name in sorted(asked)))
        return [e for e in elements if not asked.isdisjoint(HTML_SPACES.split(e.attr("class") or ""))]

    @cached_property
    def is_quirky(self) -> bool:
        """Without a document type browsers compare classes and ids without regard to case."""
        return not any(type(node).__name__ == "Doctype" for node in self.document)

    @cached_property
    def _by_small_name(self) -> dict[str, set[str]]:
        index: dict[str, set[str]] = {}
        for name in self.names:
            index.setdefault(name.lower(), set()).add(name)
        return index

    @cached_property
    def _spelt_once(self) -> set[str]:
        """The names that selectors can mean in one spelling only, which is the page's."""
        if not self.is_quirky:
            return self.names
        return {name for spelt in self._by_small_name.values() if len(spelt) == 1 for name in spelt}

    @cached_property
    def _asked_names(self) -> set[str]:
        return set(self._by_small_name) if self.is_quirky else self.names

    def as_written(self, selector: str) -> str:
        """The selector with names as the page spells them, where case does not matter."""
        names = NAME.findall(selector)
        for name in set(names) if not self._spelt_once.issuperset(names) else ():
            spelt = self._by_small_name.get(unescape(name).lower(), EMPTY)
            if spelt and spelt != {name}:
                selector = selector.replace(name, f":is({','.join([name, *sorted(spelt - {name})])})")
        return selector

    def possible(self, heads: Iterable[str]) -> list[int]:
        """The numbers of the lists of selectors that could mean something: one asks for no name that does not occur.

        This takes a fraction of the time that matching takes; who is left out means nothing for certain.
        """
        is_quirky, could_be = self.is_quirky, self._could_be
        return [
            number
            for number, head in enumerate(heads)
            if any(map(could_be, (head.lower() if is_quirky else head).split(",")))
        ]

    def _could_be(self, selector: str) -> bool:
        """Whether the names before the first bracket all occur; commas in brackets only make more selectors of one."""
        signs = SIGNS.findall(selector)
        if self._asked_names.issuperset(signs):
            return True
        first = next(sign for sign in signs if sign not in self._asked_names)
        return first in UNSURE

    def _could_match(self, selector: str) -> bool:
        """Whether all classes, ids and attributes that it asks for occur in the page."""
        names = NAME.findall(_outside_brackets(selector))
        if "\\" in selector:
            names = [unescape(name) for name in names]
        if self.is_quirky:
            names = [name.lower() for name in names]
        if not self._asked_names.issuperset(names):
            return False
        return "[" not in selector or all(
            map(self._has_attribute, ASKED_ATTRIBUTE.findall(PARENTHESES.sub("", selector)))
        )

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
        text = _on_one_line(text)
        if PLAIN_LIST.fullmatch(text):
            return [selector for part in text.split(",") if (selector := self._plain_selector(part.strip()))]
        parts = [part.strip() for part in split_outside(text, ",")]
        possible = [self._could_match(part) for part in parts]
        if True not in possible:
            return []
        found: list[str] = []
        for part, is_possible in zip(parts, possible, strict=True):
            selector = self.as_written(part) if self.is_quirky and is_possible else part
            validity = VALID if PLAIN_SELECTOR.fullmatch(part) else _validity(selector := self._understood(selector))
            if validity == UNKNOWN:
                # One that a browser does not know makes it drop the whole rule, with all other selectors.
                return []
            if is_possible and validity == VALID:
                found.append(selector)
        return found

    def _plain_selector(self, selector: str) -> str:
        """As the page spells it; "" where it means nothing."""
        names = NAME.findall(selector)
        if self._spelt_once.issuperset(names):
            return selector
        return self.as_written(selector) if self.is_quirky and self._could_match(selector) else ""

    def _understood(self, selector: str) -> str:
        """In the parser's words, which has no custom elements and no old names."""
        if ":defined" in selector:
            selector = selector.replace(":defined", self._defined)
        return selector.replace(":-webkit-any(", ":is(").replace(":-webkit-any-link", ":any-link")

    @cached_property
    def _defined(self) -> str:
        custom = sorted({element.tag for element in self.document.select("*") if "-" in element.tag})
        return f":not({','.join(custom)})" if custom else ":not(:not(*))"

    def candidates(self, selector: str) -> list[Element] | None:
        """All that a selector could mean by the names it ends in; None for anything on the page."""
        if STRING_OR_ESCAPE.search(selector):
            return None
        subject = SUBJECT.search(_outside_brackets(selector))
        names = NAME.findall(subject[0]) if subject else []
        return min((self.named.get(name, []) for name in names), key=len, default=None)

    def match(self, selector: str) -> list[Element]:
        """The elements that a selector means. Past the bound on work none: the selector is noted as not matched."""
        matched = self._matched.get(selector)
        if matched is None:
            matched = self._matched[selector] = self._match(selector)
        return matched

    def _match(self, selector: str) -> list[Element]:
        among = self.candidates(selector)
        if among is None or len(among) > MOST_AMONG or ":scope" in selector:
            return self.document.select(selector) if self._may_test(selector, self.size) else []
        return _matches_many(among, selector) if among and self._may_test(selector, len(among)) else []

    def match_among(self, selector: str, elements: list[Element], among: set[Element]) -> Collection[Element]:
        """Those of the elements, given as a list and as a set, that a selector means; they are tested one by one."""
        if selector in self._matched or ":scope" in selector:
            return among.intersection(self.match(selector))
        return _matches_many(elements, selector) if self._may_test(selector, len(elements)) else ()

    def _may_test(self, selector: str, count: int) -> bool:
        self.tests += (count + 10) * (1 + len(selector) // 50 + SEARCH_COST * selector.count(":has("))
        if self.tests > MOST_TESTS:
            self.unmatched.append(selector)
        return self.tests <= MOST_TESTS


@lru_cache(4096)
def _validity(selector: str) -> int:
    """Whether elements can be matched by it, whether it is known to mean none of them, or not known at all."""
    try:
        _css_specificity(selector)
    except SelectorSyntaxError:
        return MEANS_NOTHING if NOT_ELEMENTS.search(selector) else UNKNOWN
    return VALID


def _on_one_line(head: str) -> str:
    """A blank behind an escape belongs to it: there the next one counts."""
    return head.strip() if "\\" in head else " ".join(head.split())


def _outside_brackets(selector: str) -> str:
    if len(selector) > LONGEST_SELECTOR:
        return ""
    count = int("(" in selector or "[" in selector)
    while count:
        selector, count = BRACKETS.subn("", selector)
    return selector
