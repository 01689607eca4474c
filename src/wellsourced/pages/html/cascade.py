"""The cascade of a page's own styles: which declaration wins for which element, for the properties that can hide text.

Rules are sorted out by the classes and ids that occur in the page before any is matched; matching is the parser's own.
A property's winners are worked out for all elements at once, and only where some value of it could hide.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from turbohtml import SelectorSyntaxError
from turbohtml._html import _css_parse_declarations, _css_specificity, _matches_many

from wellsourced.pages.html.css_properties import (
    ALIASES,
    PROPERTIES,
    SHORTHANDS,
    WIDE_WORDS,
    could_hide,
    longhands,
)
from wellsourced.pages.html.css_sheets import Sheets
from wellsourced.pages.html.css_values import split_outside, unescape
from wellsourced.pages.html.dom import Document, Element

Weight: TypeAlias = tuple[object, ...]
VALID, MEANS_NOTHING, UNKNOWN = range(3)

NAME = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6} ?|\\.)+")
STRING_OR_ESCAPE = re.compile(r"[\"'\\]")
# A selector in a list that asks for no name.
NAMELESS = re.compile(r"(?:^|,)[^.#,]*+(?:,|$)")
PLAIN_NAME = re.compile(r"[.#][\w\-\x80-\U0010ffff]+")
ASKED_ATTRIBUTE = re.compile(r"\[([a-zA-Z][\w-]*)")
# From the first bracket of a function on nothing is asked of the page.
PARENTHESES = re.compile(r"\(.*", re.S)
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
UNUSUAL = re.compile(r"[\[(\\]")
HTML_SPACES = re.compile(r"[ \t\n\f\r]+")
SUBJECT = re.compile(r"[^ >+~]*$")
PLAIN = r"(?:[a-zA-Z*][\w-]*)?(?:[.#][a-zA-Z_-][\w-]*)*+"
PLAIN_SELECTOR = re.compile(rf"(?=[\w.#*]){PLAIN}(?:(?: ?[>+~] ?| )(?=[\w.#*]){PLAIN})*+")
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
VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
# Elements whose variables all others have, unless they set their own.
GENERAL = frozenset((":root", "html", "body", "*"))
VARIABLE_NAME = re.compile(r"--[\w-]+")
MOST_VALUES = 20
LONGEST_KNOWN = 100
LONGEST_SELECTOR = 1000
DEEPEST_VARIABLE = 12
# Tests of one element against one selector, all rules together; a page as large as they come needs a tenth.
MOST_TESTS = 20_000_000
SEARCH_COST = 20
INHERITED = frozenset(
    ("visibility", "font-size", "color", "-webkit-text-fill-color", "text-indent", "text-shadow", "white-space",
     "line-height", "-webkit-text-stroke-width")
)  # fmt: skip


class Entry(NamedTuple):
    """One declaration of one rule."""

    selectors: list[str]
    weight: Weight
    value: str
    order: int


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
    def names(self) -> set[str]:
        """The classes and ids that occur, as selectors ask for them."""
        named = self.document.select("[class], [id]")
        names: set[str] = set()
        for value in {element.attr("class") for element in named}:
            if value:
                names.update(value.split(" ") if value.isprintable() else HTML_SPACES.split(value))
        return {f".{name}" for name in names} | {f"#{element.attr('id')}" for element in named if element.attr("id")}

    @cached_property
    def size(self) -> int:
        return len(self.document.select("*"))

    def with_name(self, name: str) -> list[Element]:
        """The elements of a class, given as it is written there."""
        return self.match(f".{name}") if f".{name}" in self.names else []

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
    def _asked_names(self) -> set[str]:
        return set(self._by_small_name) if self.is_quirky else self.names

    def as_written(self, selector: str) -> str:
        """The selector with names as the page spells them, where case does not matter."""
        for name in set(NAME.findall(selector)):
            spelt = self._by_small_name.get(unescape(name).lower(), set()) - {name}
            if spelt:
                selector = selector.replace(name, f":is({','.join([name, *sorted(spelt)])})")
        return selector

    def _possible(self, text: str) -> list[bool]:
        """Of each selector in a list whether all names that it asks for occur; nothing where that holds of none."""
        if UNUSUAL.search(text):
            if self._cannot_match(text):
                return []
            possible = [self._could_match(part) for part in split_outside(text, ",")]
        else:
            asked = text.lower() if self.is_quirky else text
            if "," in text and self._is_unknown(asked):
                return []
            known = self._asked_names
            possible = [known.issuperset(PLAIN_NAME.findall(part)) for part in asked.split(",")]
        return possible if True in possible else []

    def _is_unknown(self, asked: str) -> bool:
        """A quick look at a whole list: whether each selector asks for names, and none of them occurs."""
        return self._asked_names.isdisjoint(PLAIN_NAME.findall(asked)) and not NAMELESS.search(asked)

    def _cannot_match(self, text: str) -> bool:
        """The same of a list with brackets; False where a quick look does not do."""
        if len(text) > LONGEST_SELECTOR or STRING_OR_ESCAPE.search(text):
            return False
        bare = _outside_brackets(text)
        return not UNUSUAL.search(bare) and self._is_unknown(bare.lower() if self.is_quirky else bare)

    def _could_match(self, selector: str) -> bool:
        """Whether all classes, ids and attributes that it asks for occur in the page."""
        names = NAME.findall(_outside_brackets(selector))
        names = [unescape(name) if "\\" in name else name for name in names]
        if not self._asked_names.issuperset([name.lower() for name in names] if self.is_quirky else names):
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
        possible = self._possible(text)
        if not possible:
            return []
        found: list[str] = []
        for part, is_possible in zip(split_outside(_on_one_line(text), ","), possible, strict=True):
            part = part.strip()
            selector = self.as_written(part) if self.is_quirky and is_possible else part
            validity = VALID if PLAIN_SELECTOR.fullmatch(part) else _validity(selector := self._understood(selector))
            if validity == UNKNOWN:
                # One that a browser does not know makes it drop the whole rule, with all other selectors.
                return []
            if is_possible and validity == VALID:
                found.append(selector)
        return found

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
        """All that a selector could mean by the name it ends in; None for anything on the page."""
        subject = SUBJECT.search(_outside_brackets(selector))
        named = NAME.findall(subject[0]) if subject and "\\" not in selector else []
        return self.document.select(named[0]) if named else None

    def match(self, selector: str) -> list[Element]:
        """The elements that a selector means. Past the bound on work none: the selector is noted as not matched."""
        matched = self._matched.get(selector)
        if matched is None:
            matched = self._matched[selector] = self._match(selector)
        return matched

    def _match(self, selector: str) -> list[Element]:
        return self.document.select(selector) if self._may_test(selector, self.size) else []

    def match_among(self, selector: str, elements: Sequence[Element]) -> Iterable[Element]:
        """Those of the elements that a selector means; a few are tested one by one."""
        if selector in self._matched or ":scope" in selector:
            among = set(elements)
            return [element for element in self.match(selector) if element in among]
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


class Cascade:
    """`with_uncertain` says whether rules count whose conditions could not be decided."""

    def __init__(self, index: PageIndex, sheets: Sheets, inline: Iterable[Element], *, with_uncertain: bool) -> None:
        self.index, self.sheets = index, sheets
        self.with_uncertain = with_uncertain
        self.has_uncertain = False
        self.entries: dict[str, list[Entry]] = {}
        self.own: dict[str, list[tuple[Weight, Element, str]]] = {}
        self.variables: dict[str, set[str]] = {name: {value} for name, value in sheets.initial.items()}
        self._winners: dict[str, dict[Element, str]] = {}
        self._important: dict[str, set[Element]] = {}
        self._local_variables: set[str] = set()
        self._variables: dict[str, dict[Element, str | None]] = {}
        self._general: dict[tuple[str, str], str] = {}
        self._alike: dict[tuple[str, str, tuple[str | None, ...]], str] = {}
        self._read_rules()
        self._read_inline(inline)

    def _read_rules(self) -> None:
        parsed: dict[str, list[tuple[str, str, bool]]] = {}
        selectors_of, entries = self.index.selectors_of, self.entries
        for order, rule in enumerate(self.sheets.rules):
            selectors = selectors_of(rule.selectors)
            if not selectors:
                continue
            if rule.body not in parsed:
                parsed[rule.body] = list(_declarations(rule.body))
            self.has_uncertain |= rule.uncertain
            if rule.uncertain and not self.with_uncertain:
                continue
            rank = self.sheets.layer_rank(rule.layer)
            weights: tuple[Weight, Weight] = (0, 0, rank), (1, 0, tuple([-place for place in rank]))
            for name, value, important in parsed[rule.body]:
                if name.startswith("--"):
                    self._note_variable(name, value, is_general=GENERAL.issuperset(selectors) and not rule.uncertain)
                entries.setdefault(name, []).append(Entry(selectors, weights[important], value, order))

    def _read_inline(self, elements: Iterable[Element]) -> None:
        parsed: dict[str, list[tuple[str, str, bool]]] = {}
        for element in elements:
            style = element.attr("style") or ""
            if style not in parsed:
                parsed[style] = list(_declarations(style))
            for name, value, important in parsed[style]:
                if name.startswith("--"):
                    self._note_variable(name, value)
                self.own.setdefault(name, []).append(((int(important), 1), element, value))

    def _note_variable(self, name: str, value: str, *, is_general: bool = False) -> None:
        self.variables.setdefault(name, set()).add(value)
        if not is_general:
            self._local_variables.add(name)

    def add_default(self, name: str, elements: Iterable[Element], value: str) -> None:
        """What a browser does of itself, or by an attribute; any rule of the page wins over it."""
        self.own.setdefault(name, []).extend(((-1, 0), element, value) for element in elements)

    def values(self, name: str) -> set[str]:
        """Everything that is said of a property, anywhere on the page."""
        return {entry.value for entry in self.entries.get(name, ())} | {own[2] for own in self.own.get(name, ())}

    def hiding(self, name: str) -> list[Element]:
        """The elements whose value of a property could hide them."""
        hiding = {value for value in self.values(name) if self._could_hide(name, value)}
        return [element for element, value in self.winners(name).items() if value in hiding] if hiding else []

    def could_hide(self, name: str) -> bool:
        return any(self._could_hide(name, value) for value in self.values(name))

    def _could_hide(self, name: str, value: str) -> bool:
        if "var(" not in value:
            return could_hide(name, value)
        return any(could_hide(name, possible) for possible in self.possible(name, value))

    def possible(self, name: str, value: str) -> Iterator[str]:
        """The values that a reference to one variable can come to; itself where that is not to be said."""
        shorthand, _, bare = value.rpartition(":")
        match = VARIABLE.search(bare)
        known = (
            self.variables.get(match[1], set()) | ({match[2].strip()} if match and match[2] else set())
            if match
            else set()
        )
        if match is None or bare.count("var(") > 1 or len(known) > MOST_VALUES or any("var(" in each for each in known):
            yield value
            return
        for each in known:
            whole = bare.replace(match[0], each).strip()
            yield from (part for longhand, part in longhands(shorthand or name, whole) if longhand == name)

    def hiding_selectors(self) -> set[str]:
        """Of all rules with a value that could hide."""
        return {
            selector
            for name, entries in self.entries.items()
            if not name.startswith("--")
            for entry in entries
            if self._could_hide(name, entry.value)
            for selector in entry.selectors
        }

    def winners(self, name: str) -> dict[Element, str]:
        """The value that counts for each element of which any style says something."""
        if name not in self._winners:
            weighed: list[tuple[Weight, list[Element], str]] = [
                ((*entry.weight, _css_specificity(selector)[0], entry.order), elements, entry.value)
                for entry in self.entries.get(name, ())
                for selector in entry.selectors
                if (elements := self.index.match(selector))
            ]
            weighed += [(weight, [element], value) for weight, element, value in self.own.get(name, ())]
            weighed.sort(key=lambda item: item[0])
            winners: dict[Element, str] = {}
            for weight, elements, value in weighed:
                for element in elements:
                    winners[element] = value
                if weight[0] == 1:
                    self._important.setdefault(name, set()).update(elements)
            self._winners[name] = winners
        return self._winners[name]

    def important(self, name: str) -> set[Element]:
        """The elements for which even an animation changes nothing about a property."""
        self.winners(name)
        return self._important.get(name, set())

    def value(self, element: Element, name: str) -> str:
        """The element's own value with variables put in; "" where nothing is said or it is reset."""
        said = self.winners(name).get(element)
        if said is None:
            return ""
        if "var(" in said:
            said = self._resolved(element, name, said)
        if said == "inherit" or (said in {"unset", "revert", "revert-layer"} and name in INHERITED):
            parent = element.parent
            return self.value(parent, name) if isinstance(parent, Element) and name not in INHERITED else ""
        return "" if said in WIDE_WORDS else said

    def _resolved(self, element: Element, name: str, said: str) -> str:
        """With variables put in; what only the root element sets is the same for all, and kept."""
        known = self._general.get((name, said))
        if known is None:
            held = tuple(self._variable(element, each) for each in VARIABLE_NAME.findall(said))
            key = (name, said, held)
            if key in self._alike:
                return self._alike[key]
            known = self._resolved_for(element, name, said)
            if self.is_general(said):
                self._general[name, said] = known
            elif not any(each and "var(" in each for each in held):
                self._alike[key] = known
        return known

    def is_general(self, value: str) -> bool:
        """Whether a value with variables is the same for all elements."""
        waiting, seen = VARIABLE_NAME.findall(value), set()
        while waiting:
            name = waiting.pop()
            if name in self._local_variables:
                return False
            if name not in seen:
                seen.add(name)
                waiting += [inner for each in self.variables.get(name, ()) for inner in VARIABLE_NAME.findall(each)]
        return True

    def _resolved_for(self, element: Element, name: str, said: str) -> str:
        shorthand, _, bare = said.rpartition(":")
        whole = self._substituted(element, bare, DEEPEST_VARIABLE)
        if whole is None:
            return "unset"
        return next((value for longhand, value in longhands(shorthand or name, whole) if longhand == name), "unset")

    def _substituted(self, element: Element, value: str, depth: int) -> str | None:
        while match := VARIABLE.search(value):
            held = self._variable(element, match[1])
            if held is None:
                held = (match[2] or "").strip() or None
            if held is None or depth <= 0 or len(held) > 300:
                return None
            inner = self._substituted(element, held, depth - 1) if "var(" in held else held
            if inner is None:
                return None
            value = value.replace(match[0], inner)
        return None if "var(" in value else " ".join(value.lower().split())

    def _variable(self, element: Element, name: str) -> str | None:
        """Of the element or the nearest one around it."""
        winners, known = self.winners(name), self._variables.setdefault(name, {})
        chain = []
        current: object = element
        while isinstance(current, Element) and current not in known:
            chain.append(current)
            if current in winners and winners[current] != "inherit":
                known[current] = winners[current] if winners[current] not in WIDE_WORDS else None
                break
            current = current.parent
        value = known[current] if isinstance(current, Element) else self.sheets.initial.get(name)
        known.update(dict.fromkeys(chain, value))
        return value


def _declarations(text: str) -> Iterator[tuple[str, str, bool]]:
    """The valid declarations of properties that matter here, taken apart, and those of variables."""
    for name, value, important, *_ in _css_parse_declarations(text):
        if "\\" in name:
            name = unescape(name).lower()
        if name.startswith("--"):
            yield name, value, important
        elif name in PROPERTIES or name in SHORTHANDS or name in ALIASES:
            parts = _known_longhands if len(value) <= LONGEST_KNOWN else _longhands
            for longhand, part in parts(name, value):
                yield longhand, part, important


def _longhands(name: str, value: str) -> tuple[tuple[str, str], ...]:
    return tuple(longhands(name, " ".join(unescape(value).lower().split())))


# Pages say the same few things again and again.
_known_longhands = lru_cache(8192)(_longhands)
