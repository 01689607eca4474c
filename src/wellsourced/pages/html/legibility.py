"""Text that is too pale to be read where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from wellsourced.pages.html.backdrops import backdrop_roots, window_is_apart
from wellsourced.pages.html.boxes import CHILDREN_AND_THEIRS, Boxes
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_filters import BLENDS, read_filter
from wellsourced.pages.html.css_properties import FAINTEST, NO_SIZE, WIDE_WORDS, could_hide, covering_shadows
from wellsourced.pages.html.css_shapes import CALL
from wellsourced.pages.html.css_values import Colour, is_readable, over, read_colour, read_length, refers
from wellsourced.pages.html.dom import BLOCK_TAGS, Element, ancestors, element_before
from wellsourced.pages.html.shadows import covering_stroke, shadows_in
from wellsourced.pages.html.surfaces import (
    BLACK,
    CLEAR,
    DARK_SCHEME,
    NOTHING,
    WHITE,
    Layer,
    Surface,
    behind,
    colours_in,
    extremes,
    is_dark_scheme,
    read_on,
)

WHITES = frozenset((WHITE,))
# Browsers give these colours of their own; a style of the page wins over them.
BROWSER_COLOURS = {
    "a": {"color": "linktext"}, "mark": {"color": "black", "background-color": "mark"},
    "button": {"color": "black", "background-color": "buttonface"},
}  # fmt: skip
OWN_COLOURS = "a[href], mark, button"
BOXES_IN_LINES = ", ".join(sorted(BLOCK_TAGS))
# So many siblings are looked at for what floats.
MOST_FLOATS = 8
FLOATING = frozenset(("left", "right", "inline-start", "inline-end"))
PAINTED = (
    "color", "-webkit-text-fill-color", "background-color", "background-image", "background-clip", "text-shadow",
    "-webkit-text-stroke-width",
)  # fmt: skip
# What lies on a background, or takes a picture from it, where some value of the page does.
ON_GROUND = ("box-shadow", "border-image", "background-size", "background-position", "-webkit-text-stroke-width")
# What changes the colours of all that is within, or of what is behind.
LAYERED = ("filter", "opacity", "mix-blend-mode", "backdrop-filter", "color-scheme")


class Colours:
    """Text against what is behind it; every element's surface is made once, from the one around it."""

    def __init__(self, kinds: Boxes, shares: Mapping[Element, float], *, is_veiled: bool, ground_known: bool) -> None:
        self.kinds, self.cascade, self.is_box = kinds, kinds.cascade, kinds.is_box
        self.shares, self.is_veiled, self.ground_known = shares, is_veiled, ground_known
        self.surfaces: dict[Element, Surface] = {}
        self.passed_on: dict[Element, Surface] = {}
        self.values: dict[str, dict[Element, str]] = {}
        self.displays: dict[Element, str] = {}
        self.touched: set[Element] = set()
        self.painted: set[Element] = set()
        self.boxes: set[Element] = set()
        self.in_lines: set[Element] = set()
        self.layered: set[Element] = set()
        self.on_ground: tuple[str, ...] = ()
        self.is_unsure = False
        """Whether something is left out because it could not be reckoned what it looks like."""
        self.alike: dict[tuple[int, str, tuple[str | None, ...]], tuple[Surface, Surface]] = {}
        self.readable: dict[tuple[Colour, Colour], bool] = {}
        self.known: dict[Surface, Surface] = {}  # each of them once, so that what is alike is found
        self.judged: dict[Surface, bool] = {}

    def unreadable(self) -> tuple[set[Element], set[Element]]:
        has_layers = self.is_veiled or any(self._layers())
        self.on_ground = tuple(name for name in ON_GROUND if self.cascade.is_suspect(name))
        suspects = self._suspects().union(*map(self.cascade.hiding, self.on_ground))
        lines = self.cascade.parts.get("first-line")
        if not suspects and not has_layers and lines is None:
            return set(), set()
        self.boxes = self._boxes_in_lines()
        suspects |= self.boxes | self.in_lines
        self.values = {name: self.cascade.winners(name) for name in (*PAINTED, *self.on_ground)}
        self.touched = set().union(*self.values.values())
        self.painted = self.values["background-color"].keys() | self.values["background-image"].keys()
        self.displays = self.cascade.winners("display")
        if has_layers or any("drop-shadow(" in value for value in self.cascade.values("filter")):
            self.layered = set().union(self._backdrop_roots, *(self.cascade.winners(name) for name in LAYERED))
            self.touched |= self.layered
            suspects |= self.touched & self._in_layers()
        dark = {element for element in suspects if self.is_unreadable(self.surface(element))}
        dark |= set(self._lost_floats(suspects)).union(self._lost_lines(lines) if lines else ())
        dark |= set(filter(self._is_lost_below_line, self.in_lines)).union(self._lost_beside_boxes())
        if not dark:
            return set(), set()
        below = set().union(*(element.select("*") for element in dark))
        links = set().union(*(element.select(OWN_COLOURS) for element in dark)) - self.touched
        # What a style says of an element within need not light it up again.
        dark |= {element for element in links | (self.touched & below) if self.is_unreadable(self.surface(element))}
        return dark, (self.touched | links | self.boxes) - dark

    def _lost_lines(self, lines: Cascade) -> Iterator[Element]:
        """Where the first line cannot be read; how much stands in it is not known."""
        for element in lines.winners("color"):
            ink = read_colour(lines.value(element, "color"))
            if ink is not None and self.is_unreadable(self.surface(element)._replace(ink=ink)):
                yield element

    def _layers(self) -> Iterator[Element]:
        """What changes the colours of all that is in it; of pictures nothing is read."""
        names = [name for name in LAYERED if name != "opacity"]
        return (e for name in names for e in self.cascade.hiding(name) if e.tag != "img")

    def _in_layers(self) -> set[Element]:
        layers = set(self._layers()).union(self.shares if self.is_veiled else ())
        outermost = [element for element in layers if layers.isdisjoint(ancestors(element))]
        return layers.union(*(element.select("*") for element in outermost))

    def _lost_floats(self, suspects: set[Element]) -> Iterator[Element]:
        """What floats lies on the background of the block that follows."""
        painted = self.values["background-color"]
        for element in suspects if self.cascade.values("float") else ():
            if element in painted and element.tag in BLOCK_TAGS and not self._keeps_clear(element):
                for floated in self._floats_before(element):
                    lying = self.surface(floated)._replace(ground=self.surface(element).ground)
                    if floated not in painted and self.is_unreadable(lying):
                        yield floated

    def _floats_before(self, element: Element) -> Iterator[Element]:
        """Those that stand before it, or in lines before it, down from the last block."""
        before = element_before(element)
        for _ in range(MOST_FLOATS if self.ground_known else 1):
            if before is None or self.kinds.starts_line(before):
                return
            within = before.select(CHILDREN_AND_THEIRS) if self.ground_known else ()
            yield from filter(self._floats, (before, *within))
            before = element_before(before)

    def _floats(self, element: Element) -> bool:
        return self.cascade.value(element, "float") in FLOATING

    def _lost_beside_boxes(self) -> Iterator[Element]:
        """What is positioned, and has no place of its own, need not lie on the background of what is around it.

        A paragraph that floats, or what floats with a block in it, reaches beyond it.
        """
        for element in filter(self._is_beside_boxes, self._out_of_flow() if self.ground_known else ()):
            bare = self.surface(element)._replace(ground=NOTHING, image=None, layer=self._canvas(element).layer)
            if self.is_unreadable(bare):
                yield element
        for element in self.kinds.narrow:
            if self.is_unreadable(self.surface(element)._replace(ground=NOTHING, image=None)):
                yield element

    def _out_of_flow(self) -> set[Element]:
        return self.cascade.winners("position").keys() | self.cascade.winners("float").keys()

    def _is_beside_boxes(self, element: Element) -> bool:
        if element in self.painted or self.displays.get(element) == "contents" or not element.text.strip():
            return False
        if self.cascade.value(element, "position") == "absolute":
            sides = (self.cascade.value(element, side) or "auto" for side in ("top", "bottom"))
            return all(read_length(side) is None for side in sides)
        is_high = element.tag == "p" or any(map(self.kinds.starts_line, element.select(CHILDREN_AND_THEIRS)))
        return is_high and self._floats(element) and not self.cascade.values("clear")

    def _keeps_clear(self, element: Element) -> bool:
        """Whether it does not reach below what floats before it."""
        return any(self.cascade.value(element, name) for name in ("float", "clear", "overflow-y", "display"))

    def _boxes_in_lines(self) -> set[Element]:
        """What is painted behind a line of text does not reach behind the boxes in it."""
        painted = (e for name in (*PAINTED[2:4], *self.on_ground) for e in self.cascade.winners(name))
        lines = {element for element in painted if not self.is_box(element)}
        if not lines:
            return set()
        inside = {element for line in lines for element in line.select("*")}
        styled = inside & self.cascade.winners("display").keys()
        self.in_lines = {box for box in styled if self.kinds.stands_in_line(box)}
        in_them = {element for box in self.in_lines for element in box.select("*")}
        boxes = {box for line in lines for box in line.select(BOXES_IN_LINES)} | styled
        # What details hold is a block, even where they run on in a line.
        return {box for box in boxes - self.in_lines - in_them if self.is_box(box) or box.tag == "details"}

    def _is_lost_below_line(self, box: Element) -> bool:
        """Whether a box in a line holds more than the line, and that cannot be read without what is behind the line."""
        has_lines = any(map(self.kinds.starts_line, box.select(CHILDREN_AND_THEIRS)))
        around = box.parent
        if not has_lines or not isinstance(around, Element):
            return False
        self.surface(around)
        return self.is_unreadable(self._painted(box, self.passed_on[around].beside_line()))

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
        if self.ground_known:
            return self._having(near | pale)
        return self._having({value for value in pale if not _is_seen(inks[value])}) | self._on_known_grounds(near)

    def _on_known_grounds(self, values: set[str]) -> set[Element]:
        """The elements with one of these values of which it is known what is behind them: their own background, or one
        that an element around them is given by its attribute. A sheet from elsewhere may paint all others."""
        having = self._having(values)
        painted = set().union(*(self.cascade.winners(name).keys() for name in PAINTED[2:4])) if having else set()
        own = (each[1] for name, several in self.cascade.own.items() if "background" in name for each in several)
        sure = [element for element in own if "background" in (element.attr("style") or "")] if having else []
        return having & painted.union(*(element.select("*") for element in sure))

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
        return all(self.can_read(ink, ground) for ink in inks for ground in grounds)

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

    def is_unreadable(self, surface: Surface) -> bool:
        if surface not in self.judged:
            self.is_unsure |= not surface.layer.is_known
            inks = surface.inks() if surface.layer.is_known else ()
            self.judged[surface] = not any(all(self._is_legible(ink, surface) for ink in several) for several in inks)
        return self.judged[surface]

    def _is_legible(self, ink: Colour | None, surface: Surface) -> bool:
        """Whether it can be read, or too little is known to say that it cannot."""
        if ink is None or ink[3] <= FAINTEST:
            return ink is None
        looks = [self.can_read(*look) for look in surface.looks(ink)]
        # Where all styles are known, what cannot be read at one end of a picture is not taken for read at the other.
        return all(looks) if self.ground_known else not looks or any(looks)

    def can_read(self, ink: Colour, ground: Colour) -> bool:
        if (known := self.readable.get((ink, ground))) is None:
            known = self.readable[ink, ground] = is_readable(ink, ground)
        return known

    def surface(self, element: Element) -> Surface:
        chain = []
        current: object = element
        while isinstance(current, Element) and current not in self.surfaces:
            chain.append(current)
            current = current.parent
        if isinstance(current, Element):
            surface, around = self.surfaces[current], self.passed_on[current]
        else:
            surface = around = self._canvas(chain[-1])
        for each in reversed(chain):
            surface = around
            if each in self.boxes:
                surface = around = around.beside_line()
            if around.cut and self.cascade.value(each, "position") in {"absolute", "fixed"}:
                # Outside of the box whose background is cut to letters.
                surface = around = around._replace(cut=())
            if each in self.layered:
                surface = around = self._layer(each, self._with_canvas(each, around))
            if each in self.touched or each.tag in BROWSER_COLOURS:
                surface = self._painted(each, around)
                if self._paints_canvas(each):
                    surface = surface._replace(ground=around.ground, image=around.image)
                # Another sheet, which is not known here, may paint what stands in between.
                is_sure = self.ground_known or "background" in (each.attr("style") or "")
                around = surface if is_sure else surface._replace(ground=around.ground)
                if around.behind_boxes != (around.ground, around.image) and self.is_box(each):
                    around = around._replace(behind_boxes=(around.ground, around.image))
                around = self.known.setdefault(around, around)
            self.surfaces[each], self.passed_on[each] = surface, around
        return surface

    def _canvas(self, root: Element) -> Surface:
        is_dark = is_dark_scheme(self.cascade.value(root, "color-scheme")) if root in self.layered else False
        ink, ground = (WHITE, read_colour(DARK_SCHEME["canvas"])) if is_dark else (BLACK, WHITE)
        layer = Layer((ground,) if self.ground_known and ground else ())
        return Surface(ink, NOTHING, layer, own_colour=ink, is_dark=is_dark)

    def _paints_canvas(self, element: Element) -> bool:
        """Whether its background is that of the window, which is in no layer of its own."""
        if element.tag != "body" or element not in self.layered or not isinstance(element.parent, Element):
            return False
        return not any(self.cascade.value(element.parent, name) not in CLEAR for name in PAINTED[2:4])

    def _with_canvas(self, element: Element, around: Surface) -> Surface:
        if not self._paints_canvas(element):
            return around
        painted = self._paint(element, around)
        return around._replace(ground=painted.ground, image=painted.image)

    def _layer(self, element: Element, around: Surface) -> Surface:
        """The element's own layer, on what is around it."""
        filters, blend, backdrop, scheme = (self.cascade.value(element, name) for name in LAYERED if name != "opacity")
        around = around._replace(is_dark=is_dark_scheme(scheme)) if scheme else around
        is_cut = around.cut and around.ink is not None and not around.ink[3] and element not in self.painted
        if is_cut or (self.cascade.value(element, "display") == "contents" and element.tag != "html"):
            return around  # what is cut out of a background around it is in no layer of its own
        if "drop-shadow(" in filters:
            dropped = ",".join(inner for call, inner in CALL.findall(filters) if call == "drop-shadow")
            around = around._replace(dropped=tuple(shadows_in(dropped, around.own_colour)))
        blend = blend if blend in BLENDS else ""
        made, share = read_filter(filters), self.shares.get(element, 1.0)
        share *= made.share if made.share > FAINTEST else 1.0
        has_backdrop = backdrop not in CLEAR and element.tag != "html" and not blend
        is_root = element in self._backdrop_roots
        if not has_backdrop and not is_root and not blend and share == 1 and made.is_known and not made.steps:
            return around
        # The outermost element lies on the window itself.
        below = around.layer.behind if element.tag == "html" else around.grounds()
        inner = around.in_layer(around.layer.within(below, made, share, blend))
        if not has_backdrop:
            return inner._replace(cut=around.cut)
        return around.through_backdrop(read_filter(backdrop), inner, with_window=not self.is_window_apart)

    @cached_property
    def _backdrop_roots(self) -> frozenset[Element]:
        return backdrop_roots(self.cascade)

    @cached_property
    def is_window_apart(self) -> bool:
        return window_is_apart(self.kinds)

    def _painted(self, element: Element, around: Surface) -> Surface:
        """Most elements of a page are painted like another one in the same surroundings."""
        tag = element.tag if element.tag in BROWSER_COLOURS else ""
        own = tuple([values.get(element) for values in (*self.values.values(), self.displays)])
        if (id(around), tag, own) not in self.alike and any(map(_depends, own)):
            names = (*self.values, "display")
            own = tuple([self.cascade.value(element, n) if _depends(v) else v for n, v in zip(names, own, strict=True)])
        key = (id(around), tag, own)
        if key not in self.alike:
            painted = self._paint(element, around)
            # What is around is kept with it, so that its number is not given to another.
            self.alike[key] = around, self.known.setdefault(painted, painted)
        return self.alike[key][1]

    def _paint(self, element: Element, around: Surface) -> Surface:
        said = dict(BROWSER_COLOURS.get(element.tag, {}))
        if "background-color" in said and not self.ground_known:
            # A sheet that is not known here may give another.
            said["background-color"] = "unknown"
        said |= {name: self.cascade.value(element, name) for name, values in self.values.items() if element in values}
        is_initial = self.values["color"].get(element) == "initial"
        painted = _inked(said, around, "canvastext" if is_initial else said.get("color", ""))
        if painted.shadow and self.on_ground and (stroke := covering_stroke(painted)) and self._strokes_cover:
            painted = painted._replace(ink=stroke, shadows=(), dropped=())
        has_no_box = self.cascade.value(element, "display") == "contents" and element.tag != "html"
        if has_no_box or (element.tag == "details" and not self.is_box(element)):
            # It has no box that could be painted, or its text is a block beside what is painted behind the line.
            return painted if has_no_box else painted.beside_line()
        colour, picture = said.get("background-color", ""), self._picture(element, said)
        own = painted.own_colour if colour == "currentcolor" else read_on(colour or "transparent", around)
        # The background of the outermost elements is that of the window, whatever it is cut to.
        if said.get("background-clip") == "text" and element.tag not in {"html", "body"}:
            return painted._replace(cut=self._seen_through(own, picture))
        if own != NOTHING or picture not in CLEAR:
            # It lies on letters that are cut out below.
            painted = painted._replace(cut=())
        ground, image = behind(own, picture, around)
        shades, frame = covering_shadows(said.get("box-shadow", "")), said.get("border-image", "")
        for shade in shades:
            shadow = painted.own_colour if shade == "currentcolor" else read_on(shade, around)
            ground, image = behind(shadow, "", around._replace(ground=ground, image=image))
        if "fill" in frame:
            ground, image = behind(NOTHING, frame, around._replace(ground=ground, image=image))
        if own != NOTHING or picture not in CLEAR or shades or "fill" in frame:
            # It drops a shadow in the place of its letters.
            painted = painted._replace(dropped=())
        return painted._replace(ground=ground, image=image)

    @cached_property
    def _strokes_cover(self) -> bool:
        """Whether strokes are drawn after the letters, as they are where no style says otherwise."""
        return all("stroke" not in value for value in self.cascade.values("paint-order"))

    def _picture(self, element: Element, said: Mapping[str, str]) -> str:
        """The picture behind, unless it is too small to be seen, or has been moved out of the box."""
        picture, place = said.get("background-image", ""), said.get("background-position", "")
        is_moved = bool(place) and could_hide("background-position", place) and "url(" not in picture
        is_away = is_moved and "no-repeat" in self.cascade.value(element, "background-repeat")
        return "" if is_away or NO_SIZE.match(said.get("background-size", "")) else picture

    def _seen_through(self, own: Colour | None, picture: str) -> tuple[Colour, ...] | None:
        """Letters cut out of a background show it; where all styles are known, one without any shows nothing."""
        if own is None or "url(" in picture or (picture in CLEAR and own == NOTHING and not self.ground_known):
            return None
        return extremes([over(each, own) for each in colours_in(picture)]) if picture not in CLEAR else (own,)


def _depends(value: str | None) -> bool:
    """Whether it comes to something else on another element."""
    return value is not None and (value == "inherit" or refers(value))


def _inked(said: Mapping[str, str], around: Surface, colour: str) -> Surface:
    ink = around.own_colour if colour in {"", "currentcolor"} else read_on(colour, around)
    fill = said.get("-webkit-text-fill-color") or around.fill
    shown = read_on(fill, around) if fill not in {"", "currentcolor"} else ink
    shadow = ",".join(said[name] for name in PAINTED[5:] if said.get(name)) or around.shadow
    shadows = tuple(shadows_in(shadow, ink)) if shadow else ()
    return around._replace(ink=shown, own_colour=ink, fill=fill, shadow=shadow, shadows=shadows)


def _is_seen(inks: set[Colour]) -> bool:
    """Whether something of each of them can be seen, whatever is behind."""
    return bool(inks) and all(ink[3] > FAINTEST for ink in inks)
