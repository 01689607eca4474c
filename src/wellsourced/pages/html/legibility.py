"""Text that is too small or too pale to be read where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import FAINTEST, FONT_UNITS, SIZE_WORDS, WIDE_WORDS
from wellsourced.pages.html.css_values import (
    FONT_SIZE,
    MEASURE,
    Colour,
    is_readable,
    over,
    read_colour,
    read_length,
    refers,
)
from wellsourced.pages.html.dom import BLOCK_TAGS, Element, element_before

BLACK, WHITE = (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0)
WHITES = frozenset((WHITE,))
COLOUR_IN = re.compile(r"#[0-9a-f]{3,8}\b|[a-z-]{2,20}\((?:[^()]|\([^()]*\))*\)|\b[a-z]{3,25}\b")
# Browsers give these colours of their own; a style of the page wins over them.
BROWSER_COLOURS = {
    "a": {"color": "linktext"}, "mark": {"color": "black", "background-color": "mark"},
    "button": {"color": "black", "background-color": "buttonface"},
}  # fmt: skip
OWN_COLOURS = "a[href], mark, button"
BOXES_IN_LINES = "div, p, ul, ol, section, article, h1, h2, h3, h4, blockquote, table, li, details, summary, dialog"
CLEAR = frozenset(("", "transparent", "none"))
FLOATING = frozenset(("left", "right", "inline-start", "inline-end"))
PAINTED = (
    "color", "-webkit-text-fill-color", "background-color", "background-image", "background-clip", "text-shadow",
    "-webkit-text-stroke-width",
)  # fmt: skip


class FontSizes:
    """Sizes in pixels, each from the one around it."""

    def __init__(self, cascade: Cascade) -> None:
        self.cascade = cascade
        self.declared = cascade.winners("font-size")
        self.known: dict[Element, float] = {}
        self.root = FONT_SIZE

    def of(self, element: Element) -> float:
        chain = []
        current: object = element
        while isinstance(current, Element) and current not in self.known:
            chain.append(current)
            current = current.parent
        size = self.known[current] if isinstance(current, Element) else FONT_SIZE
        for each in reversed(chain):
            if each in self.declared:
                size = self._own(each, size)
                if each.tag == "html":
                    self.root = size
            self.known[each] = size
        return size

    def _own(self, element: Element, around: float) -> float:
        value = self.cascade.value(element, "font-size")
        if not value:
            return FONT_SIZE if self.declared[element] == "initial" else around
        if value in SIZE_WORDS:
            return around * {"smaller": 0.83, "larger": 1.2}[value] if value.endswith("er") else SIZE_WORDS[value]
        relative = {"em": around, "%": around / 100, "ex": around / 2, "ch": around / 2, "rem": self.root}
        match = MEASURE.fullmatch(value)
        if match and match[2] in relative:
            return float(match[1]) * relative[match[2]]
        return read_length(value, FONT_UNITS | relative if match is None else FONT_UNITS) or 0.0


class Surface(NamedTuple):
    """The letters and what is behind them, as far as it is known: `ground` None where it is not, `image` colours."""

    ink: Colour | None
    other_ink: bool
    ground: Colour | None
    image: tuple[Colour, ...] | None
    behind_boxes: Colour | None = None
    own_colour: Colour | None = BLACK
    fill: str = ""


class Colours:
    """Text against what is behind it; every element's surface is made once, from the one around it."""

    def __init__(self, cascade: Cascade, is_box: Callable[[Element], bool], *, ground_known: bool) -> None:
        self.cascade, self.is_box = cascade, is_box
        self.ground_known = ground_known
        self.surfaces: dict[Element, Surface] = {}
        self.passed_on: dict[Element, Surface] = {}
        self.values: dict[str, dict[Element, str]] = {}
        self.displays: dict[Element, str] = {}
        self.touched: set[Element] = set()
        self.boxes: set[Element] = set()
        self.alike: dict[tuple[int, str, tuple[str | None, ...]], tuple[Surface, Surface]] = {}
        self.readable: dict[tuple[Colour, Colour], bool] = {}

    def unreadable(self) -> tuple[set[Element], set[Element]]:
        suspects = self._suspects()
        if not suspects:
            return set(), set()
        self.boxes = self._boxes_in_lines()
        suspects |= self.boxes
        self.values = {name: self.cascade.winners(name) for name in PAINTED}
        self.touched = set().union(*self.values.values())
        self.displays = self.cascade.winners("display")
        dark = {element for element in suspects if self._is_unreadable(self.surface(element))}
        dark |= set(self._lost_floats(suspects))
        if not dark:
            return set(), set()
        below = set().union(*(element.select("*") for element in dark))
        links = set().union(*(element.select(OWN_COLOURS) for element in dark)) - self.touched
        # What a style says of an element within need not light it up again.
        within = self.touched & below
        dark |= {element for element in links | within if self._is_unreadable(self.surface(element))}
        return dark, (self.touched | links | self.boxes) - dark

    def _lost_floats(self, suspects: set[Element]) -> Iterator[Element]:
        """What floats lies on the background of the block that follows."""
        painted = self.values["background-color"]
        pairs = [(element_before(e), e) for e in suspects if e in painted and e.tag in BLOCK_TAGS]
        bare = [(before, element) for before, element in pairs if before is not None]
        for before, element in bare:
            if self.cascade.value(before, "float") in FLOATING and not self._keeps_clear(element):
                lying = self.surface(before)._replace(ground=self.surface(element).ground)
                if before not in painted and self._is_unreadable(lying):
                    yield before

    def _keeps_clear(self, element: Element) -> bool:
        """Whether it does not reach below what floats before it."""
        return any(self.cascade.value(element, name) for name in ("float", "clear", "overflow-y", "display"))

    def _boxes_in_lines(self) -> set[Element]:
        """What is painted behind a line of text does not reach behind the boxes in it."""
        painted = (e for name in ("background-color", "background-image") for e in self.cascade.winners(name))
        lines = {element for element in painted if not self.is_box(element)}
        if not lines:
            return set()
        boxes = {box for line in lines for box in line.select(BOXES_IN_LINES) if self.is_box(box)}
        inside = {element for line in lines for element in line.select("*")}
        return boxes.union(box for box in inside & self.cascade.winners("display").keys() if self.is_box(box))

    def _suspects(self) -> set[Element]:
        """Elements whose colour, or whose background, comes too near to some of the other kind on this page."""
        inks = self._colours("color") | self._colours("-webkit-text-fill-color")
        grounds = self._colours("background-color") | self._colours("background-image")
        known_inks = {BLACK}.union(*inks.values())
        known_grounds = set(WHITES if self.ground_known else ()).union(*grounds.values())
        pale = {value for value, several in inks.items() if not several or any(ink[3] < 1 for ink in several)}
        near = {value for value, several in inks.items() if not self._all_readable(several, known_grounds)}
        near |= {value for value, several in grounds.items() if not self._all_readable(known_inks, several)}
        near |= {value for value, several in grounds.items() if not several}
        if not near and not pale:
            return set()
        # Most grounds that styles speak of are nowhere on the page.
        there = {value for name in PAINTED[2:4] for value in self.cascade.winners(name).values()}
        known_grounds = set(WHITES if self.ground_known else ()).union(*(grounds[v] for v in there if v in grounds))
        near -= {v for v, several in inks.items() if v not in grounds and self._all_readable(several, known_grounds)}
        if self.ground_known or any("background" in own for own in self.cascade.own):
            return self._having(near | pale)
        # Of all other backgrounds only the element's own is known.
        painted = self.cascade.winners("background-color").keys()
        return (self._having(near) & painted if painted else set()) | self._having(pale)

    def _having(self, values: set[str]) -> set[Element]:
        """The elements of which one of these values is true, as a colour or as a background."""
        return {
            element
            for name in PAINTED[:4]
            if not values.isdisjoint(self.cascade.values(name))
            for element, value in self.cascade.winners(name).items()
            if value in values
        }

    def _all_readable(self, inks: Iterable[Colour], grounds: Iterable[Colour]) -> bool:
        return all(self._can_read(ink, ground) for ink in inks for ground in grounds)

    def _colours(self, name: str) -> dict[str, set[Colour]]:
        """What each value of the page can come to; nothing where that cannot be said."""
        colours: dict[str, set[Colour]] = {}
        for value in self.cascade.values(name) - {"none"} - WIDE_WORDS:
            if "url(" in value or value == ("transparent" if "background" in name else "currentcolor"):
                continue
            read = [read_colour(each) for each in (self._resolved(name, value) if refers(value) else (value,))]
            colours[value] = {colour for colour in read if colour} if all(read) else set()
        return colours

    def _resolved(self, name: str, value: str) -> set[str]:
        """What a value with variables comes to, for all elements that have it."""
        elements = self.cascade.elements_with(name, value)
        several = elements[:1] if self.cascade.is_general(value) else elements
        return {said for element in several if (said := self.cascade.value(element, name))}

    def _is_unreadable(self, surface: Surface) -> bool:
        ink = surface.ink
        if ink is None or (ink[3] < 1 and surface.other_ink):
            return False
        if ink[3] <= FAINTEST:
            return True
        if surface.image is not None:
            return bool(surface.image) and not any(self._can_read(ink, ground) for ground in surface.image)
        return surface.ground is not None and not self._can_read(ink, surface.ground)

    def _can_read(self, ink: Colour, ground: Colour) -> bool:
        pair = (ink, ground)
        if pair not in self.readable:
            self.readable[pair] = is_readable(ink, ground)
        return self.readable[pair]

    def surface(self, element: Element) -> Surface:
        chain = []
        current: object = element
        while isinstance(current, Element) and current not in self.surfaces:
            chain.append(current)
            current = current.parent
        if isinstance(current, Element):
            surface, around = self.surfaces[current], self.passed_on[current]
        else:
            ground = WHITE if self.ground_known else None
            surface = around = Surface(BLACK, other_ink=False, ground=ground, image=None, behind_boxes=ground)
        for each in reversed(chain):
            surface = around
            if each in self.boxes:
                surface = around = around._replace(ground=around.behind_boxes, image=None)
            if each in self.touched or each.tag in BROWSER_COLOURS:
                surface = self._painted(each, around)
                # Another sheet, which is not known here, may paint what stands in between.
                is_sure = self.ground_known or "background" in (each.attr("style") or "")
                around = surface if is_sure else surface._replace(ground=around.ground)
                if around.behind_boxes != around.ground and self.is_box(each):
                    around = around._replace(behind_boxes=around.ground)
            self.surfaces[each], self.passed_on[each] = surface, around
        return surface

    def _painted(self, element: Element, around: Surface) -> Surface:
        """Most elements of a page are painted like another one in the same surroundings."""
        own = tuple([values.get(element) for values in (*self.values.values(), self.displays)])
        if any(value and (refers(value) or value == "inherit") for value in own):
            return self._paint(element, around)
        key = (id(around), element.tag if element.tag in BROWSER_COLOURS else "", own)
        if key not in self.alike:
            # What is around is kept with it, so that its number is not given to another.
            self.alike[key] = around, self._paint(element, around)
        return self.alike[key][1]

    def _paint(self, element: Element, around: Surface) -> Surface:
        said = dict(BROWSER_COLOURS.get(element.tag, {}))
        said |= {name: self.cascade.value(element, name) for name in PAINTED if element in self.values[name]}
        fill = said.get("-webkit-text-fill-color") or around.fill
        colour = said.get("color", "")
        ink = around.own_colour if colour in {"", "currentcolor"} else read_colour(colour)
        if self.values["color"].get(element) == "initial":
            ink = BLACK
        other = around.other_ink or any(said.get(name, "") not in {"", "none", "0"} for name in PAINTED[5:])
        if self.cascade.value(element, "display") == "contents":
            # It has no box that could be painted.
            said = {name: value for name, value in said.items() if not name.startswith("background")}
        shown = read_colour(fill) if fill not in {"", "currentcolor"} else ink
        colour, picture = said.get("background-color", ""), said.get("background-image", "")
        own = ink if colour == "currentcolor" else read_colour(colour)
        if said.get("background-clip") != "text":
            return Surface(shown, other, *self._behind(colour, own, picture, around), around.behind_boxes, ink, fill)
        # Letters cut out of a background show it; where all styles are known, one without any shows nothing.
        if (
            picture in CLEAR
            and shown is not None
            and shown[3] <= FAINTEST
            and (colour not in CLEAR or self.ground_known)
        ):
            return around._replace(ink=read_colour(colour or "transparent"), own_colour=ink, fill=fill)
        seen = _colours_in(picture) if around.ground and "url(" not in picture else []
        if seen and around.ground and not self._all_readable(seen[:1], [around.ground]):
            shown = next((each for each in seen if self._can_read(each, around.ground)), seen[0])
            return around._replace(ink=shown, own_colour=ink, fill=fill)
        return around._replace(ink=shown, other_ink=True, own_colour=ink, fill=fill)

    def _behind(
        self, colour: str, painted: Colour | None, picture: str, around: Surface
    ) -> tuple[Colour | None, tuple[Colour, ...] | None]:
        """The ground and the colours of a picture on it."""
        ground, image = around.ground, around.image
        if colour not in {"", "transparent"}:
            if painted is None or painted[3] == 1:
                ground, image = painted, None
            else:
                ground = over(painted, ground) if ground else None
        if picture not in {"", "none"}:
            if "url(" in picture or "image" in picture:
                return ground, ()
            image = tuple(_colours_in(picture))
        return ground, image


def _colours_in(picture: str) -> list[Colour]:
    """Of a gradient."""
    return [read for word in COLOUR_IN.findall(picture.partition("(")[2]) if (read := read_colour(word))]
