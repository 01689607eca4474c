"""The cascade of a page's own styles: which declaration wins for which element, for the properties that can hide text.

Everything is worked out when it is asked for: a property's rules are matched only where some value of it could hide,
first those with such a value. No selector is matched twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache, partial
from itertools import islice
from operator import itemgetter
from typing import TypeAlias
from weakref import proxy

from turbohtml._html import _css_specificity

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_conditions import choose_branch
from wellsourced.pages.html.css_containers import Containers
from wellsourced.pages.html.css_declarations import handed_on, read_declarations
from wellsourced.pages.html.css_properties import SOURCES, WIDE_WORDS, could_hide, longhands
from wellsourced.pages.html.css_selectors import MOST_HEADS, PageIndex
from wellsourced.pages.html.css_sheets import Layer, Sheets
from wellsourced.pages.html.css_values import put_attributes, refers
from wellsourced.pages.html.dom import Element, ancestors

Weight: TypeAlias = tuple[object, ...]
Said: TypeAlias = tuple[int, str, bool]
"""One declaration of a property: the number of its rule, its value, whether it is important."""
Meant: TypeAlias = tuple[str, tuple[str, ...], str]
"""Of which elements a rule speaks: by a selector, conditions and the root of its scope."""
Strongest: TypeAlias = dict[Meant, tuple[Weight, str]]
"""The strongest of what rules that mean the same say of a property."""

VARIABLE = late_pattern(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
# Elements whose variables all others have, unless they set their own.
GENERAL = frozenset((":root", "html", "body", "*"))
VARIABLE_NAME = late_pattern(r"--[\w-]+")
MOST_VALUES, LONGEST_HELD = 20, 300
NOTHING: frozenset[str] = frozenset()
DEEPEST_VARIABLE = 12
# Farther up the roots of scopes count as equally far; a rule without a scope counts as farther.
DEEPEST_SCOPE = 100
UNSCOPED = -DEEPEST_SCOPE - 1
INHERITED = frozenset(
    ("visibility", "font-size", "color", "-webkit-text-fill-color", "text-indent", "text-shadow", "white-space",
     "line-height", "-webkit-text-stroke-width")
)  # fmt: skip


class Declarations:
    """What the rules that could mean something on a page say of each property and variable, in their order."""

    def __init__(self, sheets: Sheets, selectors: Mapping[int, list[str]]) -> None:
        self.sheets, self.selectors = sheets, selectors
        self.hiding: dict[str, set[str]] = {}
        """The values among them that could hide."""
        self._said: dict[str, list[Said]] = {}
        for number in selectors:
            for name, value, important, hides in read_declarations(sheets.bodies[number]):
                if name in self._said:
                    self._said[name].append((number, value, important))
                else:
                    self._said[name] = [(number, value, important)]
                if hides:
                    self.hiding.setdefault(name, set()).add(value)

    def of(self, name: str) -> list[Said]:
        return self._said.get(name, [])

    def __contains__(self, name: object) -> bool:
        return name in self._said

    def __iter__(self) -> Iterator[str]:
        """The names of properties and variables of which anything is said."""
        return iter(self._said)


class Cascade:
    """`with_uncertain` says whether rules count whose conditions could not be decided."""

    def __init__(
        self, index: PageIndex, declarations: Declarations, inline: Iterable[Element], *, with_uncertain: bool
    ) -> None:
        self.index, self.declarations, self.sheets = index, declarations, declarations.sheets
        self.with_uncertain = with_uncertain
        self.parts: dict[str, Cascade] = {}
        """What is said of parts of elements, such as their first lines."""
        self.own: dict[str, list[tuple[Weight, Element, str]]] = {}
        self._hiding: dict[str, set[str]] = {}
        self._known_variables: dict[str, set[str]] = {}
        self._winners: dict[str, dict[Element, str]] = {}
        self._by_value: dict[str, dict[str, list[Element]]] = {}
        self._layer_weights: dict[Layer, tuple[Weight, Weight]] = {}
        self._rule_weights: dict[int, list[tuple[Meant, tuple[Weight, Weight]]]] = {}
        self._variables: dict[str, dict[Element, str | None]] = {}
        self._general: dict[tuple[str, str], str] = {}
        self._alike: dict[tuple[str, str, tuple[str | None, ...]], str] = {}
        this = proxy(self)  # by itself it would be in a circle, and the page live on until garbage is looked for
        self._containers = Containers(*(partial(ask, this) for ask in (Cascade.value, Cascade.said, Cascade._variable)))
        self._weighing: dict[str, Weighing] = {}
        """The properties of which is asked while they are weighed: conditions ask of what is around an element."""
        self._asking = 0
        """How many conditions are asked for the answer to others."""
        self.is_undecided = False
        """Whether a condition could not be decided that the style of some element depends on."""
        self.has_unknown_value = False
        self._read_inline(inline)

    def _read_inline(self, elements: Iterable[Element]) -> None:
        for element in elements:
            for name, value, important, hides in read_declarations(element.attr("style") or ""):
                self.own.setdefault(name, []).append(((int(important), 1), element, value))
                if hides:
                    self._hiding.setdefault(name, set()).add(value)

    def add_default(self, name: str, elements: Sequence[Element], value: str, *, by_attribute: bool = False) -> None:
        """What a browser does of itself, or by an attribute; any rule of the page wins over it.

        A rule can only go back to what the browser does of itself.
        """
        if elements:
            self.own.setdefault(name, []).extend(
                ((-1 if by_attribute else -2, 0), element, value) for element in elements
            )
            self._hiding.setdefault(name, set()).add(value)

    def add_animated(self, name: str, element: Element, value: str) -> None:
        """What an animation leaves of a property."""
        self.own.setdefault(name, []).append(((0, 2), element, value))
        self._winners.pop(name, None)
        self._by_value.pop(name, None)
        if could_hide(name, value):
            self._hiding.setdefault(name, set()).add(value)

    def said_of(self, name: str) -> list[Said]:
        """What rules say of a property, as far as they count."""
        said = self.declarations.of(name)
        if self.with_uncertain:
            return said
        return [each for each in said if not self.sheets.contexts[each[0]].uncertain]

    def _weights(self, layer: Layer) -> tuple[Weight, Weight]:
        """Of plain declarations and of important ones, among which the first layer wins."""
        if layer not in self._layer_weights:
            rank = self.sheets.layer_rank(layer)
            self._layer_weights[layer] = (0, 0, rank), (1, 0, tuple([-place for place in rank]))
        return self._layer_weights[layer]

    def values(self, name: str) -> set[str]:
        """Everything that is said of a property, anywhere on the page."""
        return {said[1] for said in self.said_of(name)} | {own[2] for own in self.own.get(name, ())}

    def hiding(self, name: str) -> list[Element]:
        """The elements whose value of a property could hide them."""
        hiding = self.hiding_values(name)
        winners = self.winners(name) if hiding and self.has_any(name, hiding) else {}
        return [element for element, value in winners.items() if value in hiding]

    def hiding_values(self, name: str) -> set[str]:
        """What is said of a property, anywhere on the page, that could hide."""
        if name not in self.declarations.hiding and name not in self._hiding:
            return set()
        known = self.declarations.hiding.get(name, NOTHING) | self._hiding.get(name, NOTHING)
        return {value for value in known if self._could_hide(name, value)}

    def has_any(self, name: str, values: Set[str]) -> bool:
        """Whether some style says one of these values of an element, whether it wins or not."""
        return any(own[2] in values for own in self.own.get(name, ())) or any(
            self.index.match(selector)
            for number, value, _ in self.said_of(name)
            if value in values
            for selector in self.declarations.selectors[number]
        )

    def is_suspect(self, name: str) -> bool:
        """Whether some style says of an element what could hide it."""
        return bool(hiding := self.hiding_values(name)) and self.has_any(name, hiding)

    def _could_hide(self, name: str, value: str) -> bool:
        if not refers(value):
            return could_hide(name, value)
        return any(could_hide(name, possible) for possible in self.possible(name, value))

    def possible(self, name: str, value: str) -> Iterator[str]:
        """The values that a reference to one variable can come to; itself where that is not to be said."""
        shorthand, bare = handed_on(value)
        match = VARIABLE.search(bare)
        known = self._values_of_variable(match[1]) | ({match[2].strip()} if match[2] else set()) if match else set()
        if (
            match is None
            or bare.count("var(") > 1
            or len(known) > MOST_VALUES
            or any(map(refers, (*known, VARIABLE.sub("", bare))))
        ):
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
            GENERAL.issuperset(self.declarations.selectors[number]) and self.sheets.contexts[number].is_sure
            for number, _, _ in self.said_of(variable)
        )

    def hiding_selectors(self) -> set[str]:
        """Of all rules with a value that could hide."""
        return {
            selector
            for name in self.declarations
            if name in SOURCES
            for number, value, _ in self.said_of(name)
            if self._could_hide(name, value)
            for selector in self.declarations.selectors[number]
        }

    def winners(self, name: str) -> dict[Element, str]:
        """The value that counts for each element of which any style says something, as it is written."""
        winners = self._winners.get(name)
        if winners is None:
            winners = self._winners[name] = self._weighed(name)
        return winners

    def elements_with(self, name: str, value: str) -> list[Element]:
        """The elements for which a value counts, as it is written."""
        by_value = self._by_value.get(name)
        if by_value is None:
            by_value = self._by_value[name] = {}
            for element, said in self.winners(name).items():
                by_value.setdefault(said, []).append(element)
        return by_value.get(value, [])

    def _weighed(self, name: str) -> dict[Element, str]:
        if name not in self.declarations and name not in self.own:
            return {}
        strongest = self._strongest(name)
        if any(containers for _, containers, _ in strongest):
            self._weighing[name] = Weighing(self, strongest, self.own.get(name, ()))
        weighed: list[tuple[Weight, Sequence[Element], str]] = []
        match = self.index.match
        for (selector, containers, root), (weight, value) in strongest.items():
            if elements := self._meant(selector, containers) if containers else match(selector):
                if root:
                    weighed += self._by_nearness(root, elements, weight, value)
                else:
                    weighed.append((weight, elements, value))
        self._weighing.pop(name, None)
        weighed += [(weight, (element,), value) for weight, element, value in self.own.get(name, ())]
        weighed.sort(key=itemgetter(0))
        winners: dict[Element, str] = {}
        defaults: dict[Element, str] = {}
        for weight, several, value in weighed:
            if len(several) == 1:
                winners[several[0]] = value
            else:
                winners.update(dict.fromkeys(several, value))
            if weight[0] == -2:
                defaults.update(dict.fromkeys(several, value))
        winners.update({e: value for e, value in defaults.items() if winners[e] in {"revert", "revert-layer"}})
        return winners

    def _meant(self, selector: str, containers: tuple[str, ...]) -> Sequence[Element]:
        return [element for element in self.index.match(selector) if self.holds(element, containers)]

    def _by_nearness(
        self, root: str, elements: Sequence[Element], weight: Weight, value: str
    ) -> Iterator[tuple[Weight, Sequence[Element], str]]:
        """Of rules that are as specific those win whose scope begins nearer to an element."""
        roots, near = set(self.index.match(root)), dict[int, list[Element]]()
        for element in elements:
            around = islice((element, *ancestors(element)), DEEPEST_SCOPE)
            steps = next((number for number, each in enumerate(around) if each in roots), DEEPEST_SCOPE)
            near.setdefault(steps, []).append(element)
        yield from (((*weight[:-2], -steps, weight[-1]), several, value) for steps, several in near.items())

    def holds(self, element: Element, containers: tuple[str, ...]) -> bool:
        """Whether the conditions of a rule hold for an element, or count."""
        self._asking += 1
        holds = self._containers.hold(element, containers, may_ask=self._asking <= DEEPEST_VARIABLE)
        self._asking -= 1
        self.is_undecided |= holds is None
        return self.with_uncertain if holds is None else holds

    def _strongest(self, name: str) -> Strongest:
        strongest: Strongest = {}
        for number, value, important in self.said_of(name):
            for meant, weights in self._rule_weights.get(number) or self._weights_of(number):
                weight = weights[important]
                if meant not in strongest or strongest[meant][0] <= weight:
                    strongest[meant] = weight, value
        return strongest

    def _weights_of(self, number: int) -> list[tuple[Meant, tuple[Weight, Weight]]]:
        """What a rule means, with the weights of its plain declarations there and of its important ones."""
        context = self.sheets.contexts[number]
        plain, important = self._weights(context.layer)
        root = context.scope[0] if context.scope else ""
        nearness = -DEEPEST_SCOPE if root else UNSCOPED
        weights = self._rule_weights[number] = []
        for selector in self.declarations.selectors[number]:
            places = (_specificity(selector), nearness, number)
            weights.append(((selector, context.containers, root), ((*plain, *places), (*important, *places))))
        return weights

    def said(self, element: Element, name: str) -> str | None:
        """The value that counts for an element, as it is written."""
        return self._saying(name)(element)

    def _saying(self, name: str) -> Callable[[Element], str | None]:
        return self._weighing[name].of if name in self._weighing else self.winners(name).get

    def value(self, element: Element, name: str) -> str:
        """The element's own value with variables put in; "" where nothing is said or it is reset."""
        winners = self._winners.get(name)
        said = winners.get(element) if winners is not None else self.said(element, name)
        if said is None:
            return ""
        if refers(said):
            said = self._resolved(element, name, said)
        if said == "inherit" or (said in {"unset", "revert", "revert-layer"} and name in INHERITED):
            parent = element.parent
            return self.value(parent, name) if isinstance(parent, Element) and name not in INHERITED else ""
        return "" if said in WIDE_WORDS else said

    def _resolved(self, element: Element, name: str, said: str) -> str:
        """With variables put in; what only the root element sets is the same for all, and kept."""
        if "attr(" in said:
            return self._resolved_for(element, name, said)
        known = self._general.get((name, said))
        if known is None:
            key = (name, said, held := self._held(element, said))
            if key in self._alike:
                return self._alike[key]
            known = self._resolved_for(element, name, said)
            if self.is_general(said):
                self._general[name, said] = known
            elif len(held) <= MOST_VALUES and not any(each and ("attr(" in each or "if(" in each) for each in held):
                self._alike[key] = known
        return known

    def _held(self, element: Element, said: str) -> tuple[str | None, ...]:
        """What an element has of all variables that a value leads to, as far as they count."""
        waiting, held = VARIABLE_NAME.findall(said), dict[str, str | None]()
        while waiting and len(held) <= MOST_VALUES:
            if (name := waiting.pop()) not in held:
                value = held[name] = self._variable(element, name)
                waiting += VARIABLE_NAME.findall(value) if value and len(value) <= LONGEST_HELD else ()
        return tuple(held.values())

    def is_general(self, value: str) -> bool:
        """Whether a value with variables is the same for all elements."""
        if "attr(" in value:
            return False
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
        shorthand, bare = handed_on(said)
        whole = self._substituted(element, bare, DEEPEST_VARIABLE)
        if whole is None:
            return "unset"
        return next((value for longhand, value in longhands(shorthand or name, whole) if longhand == name), "unset")

    def _substituted(self, element: Element, value: str, depth: int) -> str | None:
        if "attr(" in value:
            value = put_attributes(value, element.attr)
        if "if(" in value:
            chosen = choose_branch(value, lambda name: self._inner(element, self._variable(element, name), depth))
            self.has_unknown_value |= chosen == value
            if chosen != value:
                return self._inner(element, chosen, depth)
        while match := VARIABLE.search(value):
            fallback = (match[2] or "").strip() or None
            # What leads back to itself counts as not set.
            held = self._inner(element, self._variable(element, match[1]), depth)
            held = self._inner(element, fallback, depth) if held is None else held
            if held is None:
                return None
            value = value.replace(match[0], held)
        return None if "var(" in value else " ".join(value.lower().split())

    def _inner(self, element: Element, held: str | None, depth: int) -> str | None:
        if held is None or depth <= 0 or len(held) > LONGEST_HELD:
            return None
        return self._substituted(element, held, depth - 1) if refers(held) else held

    def _variable(self, element: Element, name: str) -> str | None:
        """Of the element or the nearest one around it."""
        said, known = self._saying(name), self._variables.setdefault(name, {})
        chain = []
        current: object = element
        while isinstance(current, Element) and current not in known:
            chain.append(current)
            own = said(current)
            if own is not None and own != "inherit":
                known[current] = own if own not in WIDE_WORDS else None
                break
            current = current.parent
        value = known[current] if isinstance(current, Element) else self.sheets.initial.get(name)
        known.update(dict.fromkeys(chain, value))
        return value


class Weighing:
    """What is said of a property, to be weighed for single elements."""

    def __init__(self, cascade: Cascade, strongest: Strongest, own: Iterable[tuple[Weight, Element, str]]) -> None:
        self.cascade = cascade
        self.said: dict[Element, list[tuple[Weight, str, tuple[str, ...]]]] = {}
        for (selector, containers, _), (weight, value) in strongest.items():
            for element in cascade.index.match(selector):
                self.said.setdefault(element, []).append((weight, value, containers))
        for weight, element, value in own:
            self.said.setdefault(element, []).append((weight, value, ()))

    def of(self, element: Element) -> str | None:
        said = self.said.get(element, ())
        if not self.cascade.index.may_ask(1 + len(said)):
            self.cascade.has_unknown_value = True
            return None
        holds = self.cascade.holds
        counting = [(weight, value) for weight, value, asked in said if not asked or holds(element, asked)]
        return max(counting, default=(None, None))[1]


@lru_cache(MOST_HEADS)
def _specificity(selector: str) -> int:
    """One number for the three of a selector: numbers are compared faster."""
    ids, classes, tags = _css_specificity(selector)[0]
    return (ids << 64) + (classes << 32) + tags
