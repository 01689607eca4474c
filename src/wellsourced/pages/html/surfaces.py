"""Letters and what is behind them, with the layers that change the colours of everything within."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wellsourced.pages.html.css_filters import Filter, blended
from wellsourced.pages.html.css_values import Colour, luminance, over

BLACK, WHITE, NOTHING = (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)
# What lies in more layers than these within each other is not reckoned.
DEEPEST_LAYER = 12


class Layer(NamedTuple):
    """What is painted by itself before it is laid on the page: an element with a filter, an opacity, a blend.

    `behind` are the colours of the screen around it, none where they are not known; `backdrop` is what the layer around
    it holds there, in that layer's own colours.
    """

    behind: tuple[Colour, ...]
    around: Layer | None = None
    filter: Filter = Filter()
    share: float = 1.0
    blend: str = ""
    backdrop: Colour = NOTHING
    depth: int = 0
    is_known: bool = True

    def within(self, behind: tuple[Colour, ...], made: Filter, share: float, blend: str, backdrop: Colour) -> Layer:
        """A layer in this one."""
        if self.depth == DEEPEST_LAYER:
            return self._replace(is_known=False)
        known = self.is_known and made.is_known
        return Layer(behind, self, made, share, blend, backdrop, self.depth + 1, known)

    def _turned(self, colour: Colour) -> Colour:
        colour = self.filter.turn(colour)
        return blended(self.blend, self.backdrop, colour) if self.blend else colour

    def _through_layers(self, colour: Colour) -> Colour:
        """An opaque colour of this layer as all layers around it show it, each on what is behind it."""
        if self.around is None:
            return colour
        return self.on_screen((*colour[:3], 1.0), self.behind[0] if self.behind else None)

    def on_screen(self, colour: Colour, behind: Colour | None) -> Colour:
        shown = self.around._through_layers(self._turned(colour)) if self.around else colour
        return over((*shown[:3], colour[3] * self.share), behind) if behind else shown


class Surface(NamedTuple):
    """The letters and what is behind them in their layer, as far as it is known: None where it is not.

    `shadows` are inks beside the letters' own, `image` the colours of a picture (empty where none of them is known),
    `cut` those of a background that is seen through the letters.
    """

    ink: Colour | None
    ground: Colour | None
    layer: Layer
    image: tuple[Colour, ...] | None = None
    shadows: tuple[Colour | None, ...] = ()
    cut: tuple[Colour, ...] | None = ()
    behind_boxes: tuple[Colour | None, tuple[Colour, ...] | None] = (NOTHING, None)
    own_colour: Colour | None = BLACK
    fill: str = ""
    shadow: str = ""
    is_dark: bool = False

    def inks(self) -> Iterator[Colour | None]:
        for ink in (self.ink, *self.shadows):
            if ink is None or self.cut is None:
                yield None
            elif self.cut:
                yield from (over(ink, each) for each in self.cut)
            else:
                yield ink

    def grounds(self) -> tuple[Colour, ...]:
        """In the colours of the layer; none where they are not known."""
        if self.image is not None:
            return self.image
        return () if self.ground is None else (self.ground,)

    def on_screen(self) -> tuple[Colour, ...]:
        """The colours that are seen here without letters."""
        return extremes([
            self.layer.on_screen(ground, behind) for ground in self.grounds() for behind in self._behind(ground)
        ])  # fmt: skip

    def _behind(self, ground: Colour) -> tuple[Colour | None, ...]:
        """What shines through a ground; nothing has to be known of it behind an opaque one."""
        return self.layer.behind or ((None,) if ground[3] == 1 else ())

    def beside_line(self) -> Surface:
        """Where what is painted behind a line of text does not reach."""
        return self._replace(ground=self.behind_boxes[0], image=self.behind_boxes[1], cut=())

    def in_layer(self, layer: Layer) -> Surface:
        """Where nothing has been painted yet."""
        return self._replace(layer=layer, ground=NOTHING, image=None, behind_boxes=(NOTHING, None), cut=())

    def through_backdrop(self, made: Filter, inner: Surface) -> Surface:
        """Inside, on what this one holds as a filter changes it; to the first layer belongs the empty window."""
        window = self.layer.behind[:1] if self.layer.around is None else ()
        seen = [made.turn(over(each, window[0]) if window else each) for each in self.grounds()]
        held = inner._replace(ground=seen[0] if len(seen) == 1 else None, image=tuple(seen) if len(seen) != 1 else None)
        return held.in_layer(held.layer.within(held.on_screen(), Filter(), 1.0, "", NOTHING))

    def looks(self, ink: Colour) -> Iterator[tuple[Colour, Colour]]:
        """What is seen of an ink, with what is seen beside it, for each colour that may be behind."""
        for ground in self.grounds():
            for behind in self._behind(ground):
                yield self.layer.on_screen(over(ink, ground), behind), self.layer.on_screen(ground, behind)


def extremes(colours: list[Colour]) -> tuple[Colour, ...]:
    """The darkest and the lightest: what is near to both is near to all between."""
    return (min(colours, key=luminance), max(colours, key=luminance)) if len(colours) > 2 else tuple(colours)
