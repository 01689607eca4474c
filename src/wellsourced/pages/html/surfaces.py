"""Letters and what is behind them, with the layers that change the colours of everything within."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_filters import Filter, blended
from wellsourced.pages.html.css_values import Colour, luminance, over, read_colour, split_outside

BLACK, WHITE, NOTHING = (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)
CLEAR = frozenset(("", "transparent", "none"))
# What lies in more layers than these within each other is not reckoned.
DEEPEST_LAYER = 12
DARK_SCHEME = {
    "canvas": "#121212", "canvastext": "white", "linktext": "#9e9eff", "buttonface": "#6b6b6b", "buttontext": "white",
    "field": "#3b3b3b", "fieldtext": "white",
}  # fmt: skip
COLOUR_IN = late_pattern(r"#[0-9a-f]{3,8}\b|[a-z-]{2,20}\((?:[^()]|\([^()]*\))*\)|\b[a-z]{3,25}\b")


class Layer(NamedTuple):
    """What is painted by itself before it is laid on the page: an element with a filter, an opacity, a blend.

    `behind` are the colours that it is laid on, in the colours of the layer around it; none where they are not known.
    """

    behind: tuple[Colour, ...]
    around: Layer | None = None
    filter: Filter = Filter()
    share: float = 1.0
    blend: str = ""
    depth: int = 0
    is_known: bool = True
    places: tuple[int, ...] = (0,)
    """Where to look at what is behind: at one end of a picture, or at both."""

    def within(self, behind: tuple[Colour, ...], made: Filter, share: float, blend: str) -> Layer:
        """A layer in this one."""
        if self.depth == DEEPEST_LAYER:
            return self._replace(is_known=False)
        known = self.is_known and made.is_known
        places = self.places if len(behind) <= 1 else (0, -1)
        return Layer(behind, self, made, share, blend, self.depth + 1, known, places)

    def on_screen(self, colour: Colour, place: int) -> Colour | None:
        """As it is seen through all layers, each laid on what is behind it; None where too little of that is known."""
        laid = self.laid(colour, place)
        return self.around.on_screen(laid, place) if self.around and laid is not None else laid

    def laid(self, colour: Colour, place: int) -> Colour | None:
        """As it is seen in the layer around."""
        if not self.behind:
            return self.filter.turn(colour) if colour[3] == 1 else None
        behind, turned = self.behind[place], self.filter.turn(colour)
        turned = blended(self.blend, behind, turned) if self.blend else turned
        return over((*turned[:3], turned[3] * self.share), behind)

    @property
    def chain(self) -> list[Layer]:
        """It and all around it."""
        return [self, *(self.around.chain if self.around else ())]

    def laid_on(self, behind: tuple[Colour, ...], common: Layer) -> Layer:
        """With other colours below the outermost of those that lie in one of the layers around it."""
        if self.around is None or self.around == common:
            return self._replace(behind=behind, places=(0,) if len(behind) == 1 else (0, -1))
        return self._replace(around=self.around.laid_on(behind, common))


class Surface(NamedTuple):
    """The letters and what is behind them in their layer, as far as it is known: None where it is not.

    `shadows` are inks beside the letters' own, `dropped` those that a filter gives to what has no background,
    `image` the colours of a picture (empty where none of them is known),
    `cut` those of a background that is seen through the letters.
    """

    ink: Colour | None
    ground: Colour | None
    layer: Layer
    image: tuple[Colour, ...] | None = None
    shadows: tuple[Colour | None, ...] = ()
    dropped: tuple[Colour | None, ...] = ()
    cut: tuple[Colour, ...] | None = ()
    behind_boxes: tuple[Colour | None, tuple[Colour, ...] | None] = (NOTHING, None)
    own_colour: Colour | None = BLACK
    fill: str = ""
    shadow: str = ""
    is_dark: bool = False

    def inks(self) -> Iterator[tuple[Colour | None, ...]]:
        """What letters are painted in, one after the other; several colours where they are cut out of a picture."""
        # What is not painted drops no shadow, but a shadow of it does.
        is_painted = any(ink is None or ink[3] == 1 for ink in (self.ink, *self.shadows, *(self.cut or ())))
        dropped = self.dropped if is_painted else ()
        for ink in (self.ink, *self.shadows, *dropped):
            if ink is None or self.cut is None:
                yield (None,)
            else:
                yield tuple(over(ink, each) for each in self.cut) if self.cut else (ink,)

    def grounds(self) -> tuple[Colour, ...]:
        """In the colours of the layer; none where they are not known."""
        if self.image is not None:
            return self.image
        return () if self.ground is None else (self.ground,)

    def beside_line(self) -> Surface:
        """Where what is painted behind a line of text does not reach."""
        return self._replace(ground=self.behind_boxes[0], image=self.behind_boxes[1], cut=())

    def in_layer(self, layer: Layer) -> Surface:
        """Where nothing has been painted yet."""
        return self._replace(layer=layer, ground=NOTHING, image=None, behind_boxes=(NOTHING, None), cut=())

    def through_backdrop(self, made: Filter, inner: Surface, *, with_window: bool) -> Surface:
        """Inside, on what this one holds as a filter changes it; to the first layer may belong the empty window."""
        window = self.layer.behind[:1] if self.layer.around is None and with_window else ()
        seen = [made.turn(over(each, window[0]) if window else each) for each in self.grounds()]
        held = inner._replace(ground=seen[0] if len(seen) == 1 else None, image=tuple(seen) if len(seen) != 1 else None)
        return held.in_layer(held.layer.within(held.grounds(), Filter(), 1.0, ""))

    def lying_on(self, other: Surface) -> Surface | None:
        """Where it lies on what another one holds, that was painted before it; None where that is not to be said."""
        own, layers = self.layer.chain, other.layer.chain
        depth = next((number for number, layer in enumerate(layers) if layer in own), None)
        if depth is None or not other.layer.is_known:
            return None
        seen: list[Colour | None] = [*other.grounds()]
        for layer in layers[:depth]:
            seen = [layer.laid(colour, 0) if colour is not None else None for colour in seen]
        grounds = tuple(colour for colour in seen if colour is not None)
        if not grounds or len(grounds) < len(seen):
            return None
        if self.layer == layers[depth]:
            return self._replace(ground=None, image=grounds)
        return self._replace(layer=self.layer.laid_on(grounds, layers[depth]))

    def looks_through(self, ink: Colour, made: Filter, held: Layer, window: Colour) -> Iterator[tuple[Colour, Colour]]:
        """What is seen of an ink, and beside it, where a filter lies over them in a layer around theirs."""
        depth = self.layer.chain.index(held)
        for ground in self.grounds():
            seen: list[Colour | None] = [over(ink, ground), ground]
            for layer in self.layer.chain[:depth]:
                seen = [layer.laid(each, 0) if each is not None else None for each in seen]
            turned = [made.turn(over(each, window)) if each is not None else None for each in seen]
            shown, beside = (held.on_screen(each, 0) if each is not None else None for each in turned)
            if shown is not None and beside is not None:
                yield shown, beside

    def looks(self, ink: Colour) -> Iterator[tuple[Colour, Colour]]:
        """What is seen of an ink, with what is seen beside it, for each colour that may be behind."""
        for ground in self.grounds():
            for place in self.layer.places:
                shown, beside = (self.layer.on_screen(each, place) for each in (over(ink, ground), ground))
                if shown is not None and beside is not None:
                    yield shown, beside


def extremes(colours: list[Colour]) -> tuple[Colour, ...]:
    """The darkest and the lightest: what is near to both is near to all between."""
    return (min(colours, key=luminance), max(colours, key=luminance)) if len(colours) > 2 else tuple(colours)


def colours_in(picture: str) -> list[Colour]:
    """Of a gradient."""
    return [read for word in COLOUR_IN.findall(picture.partition("gradient(")[2]) if (read := read_colour(word))]


def read_on(value: str, around: Surface) -> Colour | None:
    """A colour, in the dark scheme that of the dark."""
    if around.is_dark:
        if value.startswith("light-dark("):
            value = split_outside(value[11:-1], ",")[-1].strip()
        value = DARK_SCHEME.get(value, value)
    return read_colour(value)


def is_dark_scheme(scheme: str) -> bool:
    return "dark" in scheme and "light" not in scheme


def behind(own: Colour | None, picture: str, around: Surface) -> tuple[Colour | None, tuple[Colour, ...] | None]:
    """The ground and the colours of a picture on it."""
    ground, image = around.ground, around.image
    if own is None or own[3] == 1:
        ground, image = own, None
    elif own[3] > 0:
        ground = over(own, ground) if ground else None
        image = tuple(over(own, each) for each in image) if image else image
    if picture in CLEAR:
        return ground, image
    if "url(" in picture or ("image" in picture and "gradient" not in picture):
        return ground, ()
    beneath = image if image is not None else (ground,) if ground else ()
    return ground, extremes([over(each, below) for each in colours_in(picture) for below in beneath])
