"""The cascade of a page's own styles: which declaration wins for which element, for the properties that can hide text.

Everything is worked out when it is asked for: a property's rules are matched only where some value of it could hide,
first those with such a value, then all others against the elements that these mean.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from turbohtml._html import _css_parse_declarations, _css_specificity

from wellsourced.pages.html.css_properties import SOURCES, WIDE_WORDS, could_hide, longhands
from wellsourced.pages.html.css_selectors import PageIndex
from wellsourced.pages.html.css_sheets import Layer, Sheets
from wellsourced.pages.html.css_values import unescape
from wellsourced.pages.html.dom import Element

Weight: TypeAlias = tuple[object, ...]
Said: TypeAlias = tuple[int, str, bool]
"""One declaration of a property: the number of its rule, its value, whether it is important."""

VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
# Elements whose variables all others have, unless they set their own.
GENERAL = frozenset((":root", "html", "body", "*"))
VARIABLE_NAME = re.compile(r"--[\w-]+")
MOST_VALUES = 20
LONGEST_KNOWN = 100
DEEPEST_VARIABLE = 12
WRITTEN = frozenset(name for sources in SOURCES.values() for name in sources)
# From so many elements on all are matched at once.
MOST_SINGLE = 16
INHERITED = frozenset(
    ("visibility", "font-size", "color", "-webkit-text-fill-color", "text-indent", "text-shadow", "white-space",
     "line-height", "-webkit-text-stroke-width")
)  # fmt: skip


class Entry(NamedTuple):
    """One declaration of a rule whose selectors could mean something in the page."""

    selectors: list[str]
    weight: Weight
    value: str
    order: int


class Declarations:
    """The declarations of some rules by the name they are written with, in their order."""

    def __init__(self, bodies: Sequence[str], numbers: Iterable[int]) -> None:
        self._written: dict[str, list[tuple[int, int, str, bool]]] = {}
        self._said: dict[str, list[Said]] = {}
        parsed: dict[str, list[tuple[str, str, bool]]] = {}
        place = 0
        for number in numbers:
            body = bodies[number]
            declared = parsed.get(body)
            if declared is None:
                declared = parsed[body] = list(_declarations(body))
            for name, value, important in declared:
                place += 1
                if name in self._written:
                    self._written[name].append((place, number, value, important))
                else:
                    self._written[name] = [(place, number, value, important)]

    def of(self, name: str) -> list[Said]:
        """What is said of a property, or of a variable, shorthands taken apart."""
        said = self._said.get(name)
        if said is None:
            parts = [
                (place, number, part, important)
                for source in SOURCES.get(name, (name,))
                for place, number, value, important in self._written.get(source, ())
                for longhand, part in _parts(source, value)
                if longhand == name
            ]
            parts.sort()
            said = self._said[name] = [part[1:] for part in parts]
        return said

    @cached_property
    def names(self) -> set[str]:
        """The properties of which anything is said."""
        return {name for name, sources in SOURCES.items() if not self._written.keys().isdisjoint(sources)}


class Cascade:
    """`with_uncertain` says whether rules count whose conditions could not be decided."""

    def __init__(
        self,
        index: PageIndex,
        sheets: Sheets,
        declarations: Declarations,
        inline: Iterable[Element],
        *,
        with_uncertain: bool,
    ) -> None:
        self.index, self.sheets, self.declarations = index, sheets, declarations
        self.with_uncertain = with_uncertain
        self.own: dict[str, list[tuple[Weight, Element, str]]] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._known_variables: dict[str, set[str]] = {}
        self._winners: dict[str, dict[Element, str]] = {}
        self._layer_weights: dict[Layer, tuple[Weight, Weight]] = {}
        self._focus: set[Element] = set()
        self._single: dict[str, dict[Element, str | None]] = {}
        self._important: dict[str, set[Element]] = {}
        self._variables: dict[str, dict[Element, str | None]] = {}
        self._general: dict[tuple[str, str], str] = {}
        self._alike: dict[tuple[str, str, tuple[str | None, ...]], str] = {}
        self._read_inline(inline)

    def _read_inline(self, elements: Iterable[Element]) -> None:
        parsed: dict[str, list[tuple[str, str, bool]]] = {}
        for element in elements:
            style = element.attr("style") or ""
            if style not in parsed:
                parsed[style] = [
                    (longhand, part, important)
                    for name, value, important in _declarations(style)
                    for longhand, part in _parts(name, value)
                ]
            for name, value, important in parsed[style]:
                self.own.setdefault(name, []).append(((int(important), 1), element, value))

    def add_default(self, name: str, elements: Iterable[Element], value: str) -> None:
        """What a browser does of itself, or by an attribute; any rule of the page wins over it."""
        self.own.setdefault(name, []).extend(((-1, 0), element, value) for element in elements)

    def entries(self, name: str) -> list[Entry]:
        """What rules say of a property, as far as they could mean something here."""
        entries = self._entries.get(name)
        if entries is None:
            entries = self._entries[name] = list(self._entries_of(self.declarations.of(name)))
        return entries

    def _entries_of(self, declared: Iterable[Said]) -> Iterator[Entry]:
        for number, value, important in declared:
            selectors = self.index.selectors_of(self.sheets.heads[number])
            context = self.sheets.contexts[number]
            if selectors and (self.with_uncertain or not context.uncertain):
                yield Entry(selectors, self._weights(context.layer)[important], value, number)

    def _weights(self, layer: Layer) -> tuple[Weight, Weight]:
        """Of plain declarations and of important ones, among which the first layer wins."""
        if layer not in self._layer_weights:
            rank = self.sheets.layer_rank(layer)
            self._layer_weights[layer] = (0, 0, rank), (1, 0, tuple([-place for place in rank]))
        return self._layer_weights[layer]

    def values(self, name: str) -> set[str]:
        """Everything that is said of a property, anywhere on the page."""
        return {entry.value for entry in self.entries(name)} | {own[2] for own in self.own.get(name, ())}

    def hiding(self, name: str) -> list[Element]:
        """The elements whose value of a property could hide them."""
        suspects = self.suspects(name) if name in self.declarations.names or name in self.own else []
        winners = self.winners_among(name, suspects) if suspects else {}
        return [element for element, value in winners.items() if self._could_hide(name, value)]

    def suspects(self, name: str) -> list[Element]:
        """The elements of which some style says, whether it wins or not, what could hide them."""
        hides: dict[str, bool] = {}
        declared = self.declarations.of(name)
        for value in (*(said[1] for said in declared), *(own[2] for own in self.own.get(name, ()))):
            if value not in hides:
                hides[value] = self._could_hide(name, value)
        return self.having(name, {value for value, could in hides.items() if could})

    def having(self, name: str, values: Collection[str]) -> list[Element]:
        """The elements of which some style says one of these values, whether it wins or not."""
        if not values:
            return []
        found: dict[Element, None] = {}
        for entry in self._entries_of(said for said in self.declarations.of(name) if said[1] in values):
            for selector in entry.selectors:
                found.update(dict.fromkeys(self.index.match(selector)))
        found.update((own[1], None) for own in self.own.get(name, ()) if own[2] in values)
        return list(found)

    def _could_hide(self, name: str, value: str) -> bool:
        if "var(" not in value:
            return could_hide(name, value)
        return any(could_hide(name, possible) for possible in self.possible(name, value))

    def possible(self, name: str, value: str) -> Iterator[str]:
        """The values that a reference to one variable can come to; itself where that is not to be said."""
        shorthand, _, bare = value.rpartition(":")
        match = VARIABLE.search(bare)
        known = self._values_of_variable(match[1]) | ({match[2].strip()} if match[2] else set()) if match else set()
        if match is None or bare.count("var(") > 1 or len(known) > MOST_VALUES or any("var(" in each for each in known):
            yield value
            return
        for each in known:
            whole = bare.replace(match[0], each).strip()
            yield from (part for longhand, part in longhands(shorthand or name, whole) if longhand == name)

    def _values_of_variable(self, name: str) -> set[str]:
        known = self._known_variables.get(name)
        if known is None:
            initial = self.sheets.initial.get(name)
            known = self._known_variables[name] = self.values(name) | ({initial} if initial is not None else set())
        return known

    def _is_local(self, variable: str) -> bool:
        """Whether it can differ from element to element."""
        return variable in self.own or not all(
            GENERAL.issuperset(entry.selectors) and not self.sheets.contexts[entry.order].uncertain
            for entry in self.entries(variable)
        )

    def hiding_selectors(self) -> set[str]:
        """Of all rules with a value that could hide."""
        return {
            selector
            for name in self.declarations.names
            for entry in self.entries(name)
            if self._could_hide(name, entry.value)
            for selector in entry.selectors
        }

    def winners(self, name: str) -> dict[Element, str]:
        """The value that counts for each element of which any style says something."""
        if name not in self._winners:
            self._winners[name] = self._weighed(name, None)
        return self._winners[name]

    def winners_among(self, name: str, elements: list[Element]) -> dict[Element, str]:
        """The same for some elements only."""
        if name in self._winners:
            won = self._winners[name]
            return {element: won[element] for element in elements if element in won}
        winners = self._weighed(name, elements)
        self._single.setdefault(name, {}).update({element: winners.get(element) for element in elements})
        return winners

    def _weighed(self, name: str, among: list[Element] | None) -> dict[Element, str]:
        match, match_among = self.index.match, self.index.match_among
        wanted = set(among or ())
        weighed: list[tuple[Weight, Collection[Element], str]] = [
            ((*entry.weight, _specificity(selector), entry.order), elements, entry.value)
            for entry in self.entries(name)
            for selector in entry.selectors
            if (elements := match(selector) if among is None else match_among(selector, among, wanted))
        ]
        weighed += [
            (weight, [element], value)
            for weight, element, value in self.own.get(name, ())
            if among is None or element in wanted
        ]
        weighed.sort(key=lambda item: item[0])
        winners: dict[Element, str] = {}
        for weight, elements, value in weighed:
            winners.update(dict.fromkeys(elements, value))
            if weight[0] == 1:
                self._important.setdefault(name, set()).update(elements)
        return winners

    def important(self, name: str) -> set[Element]:
        """The elements for which even an animation changes nothing about a property."""
        self.winners(name)
        return self._important.get(name, set())

    def said(self, element: Element, name: str) -> str | None:
        """The value that counts for an element, as it is written."""
        if name in self._winners:
            return self._winners[name].get(element)
        known = self._single.setdefault(name, {})
        if element not in known:
            if len(known) >= MOST_SINGLE + len(self._focus):
                return self.winners(name).get(element)
            self.winners_among(name, [element] if element not in self._focus else list(self._focus))
        return known[element]

    def focus(self, elements: Iterable[Element]) -> None:
        """These will be asked about: what is said of one of them is worked out for all."""
        self._focus = set(elements)

    def value(self, element: Element, name: str) -> str:
        """The element's own value with variables put in; "" where nothing is said or it is reset."""
        said = self.said(element, name)
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
            if self._is_local(name):
                return False
            if name not in seen:
                seen.add(name)
                waiting += [inner for each in self._values_of_variable(name) for inner in VARIABLE_NAME.findall(each)]
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
    """The declarations of properties that matter here, and those of variables."""
    for name, value, important, *_ in _css_parse_declarations(text):
        if name not in WRITTEN and not name.startswith("--"):
            if "\\" not in name:
                continue
            name = unescape(name).lower()
            if name not in WRITTEN and not name.startswith("--"):
                continue
        yield name, value, important


def _parts(name: str, value: str) -> tuple[tuple[str, str], ...]:
    """The valid properties that a declaration sets."""
    if name.startswith("--"):
        return ((name, value),)
    return (_known_longhands if len(value) <= LONGEST_KNOWN else _longhands)(name, value)


def _longhands(name: str, value: str) -> tuple[tuple[str, str], ...]:
    return tuple(longhands(name, " ".join(unescape(value).lower().split())))


# Pages say the same few things again and again.
_known_longhands = lru_cache(8192)(_longhands)
_specificity = lru_cache(4096)(lambda selector: _css_specificity(selector)[0])
