"""The colours of shadows and strokes around letters."""

from __future__ import annotations

from collections.abc import Iterator

from wellsourced.pages.html.css_properties import THICK, filter_lengths
from wellsourced.pages.html.css_values import Colour, read_colour, read_length, split_outside
from wellsourced.pages.html.surfaces import Surface

# A shadow farther away, or more blurred, is none of the letters' own.
FARTHEST_SHADOW, MOST_BLURRED = 12.0, 20.0


def shadows_in(text: str, ink: Colour | None) -> Iterator[Colour | None]:
    """The colours of shadows, or of a stroke, that lie near to the letters."""
    for shadow in split_outside(text, ","):
        words = split_outside(shadow, " ")
        lengths = [length for word in words if (length := read_length(word)) is not None]
        across, down, blur, *_ = (*lengths, 0.0, 0.0, 0.0)
        colour = next((word for word in words if read_length(word) is None), "currentcolor")
        # Of a stroke there is one length alone.
        if (len(lengths) > 1 or across) and max(abs(across), abs(down)) <= FARTHEST_SHADOW and blur < MOST_BLURRED:
            shade = ink if colour == "currentcolor" else read_colour(colour)
            yield shade and (*shade[:3], shade[3] / (1 + 0.75 * blur))


def covering_stroke(surface: Surface) -> Colour | None:
    for part in split_outside(surface.shadow, ","):
        words = split_outside(part, " ")
        lengths = [*filter_lengths(words)]
        if len(lengths) == 1 and lengths[0] >= THICK:
            colour = next((word for word in words if read_length(word) is None), "currentcolor")
            return surface.own_colour if colour == "currentcolor" else read_colour(colour)
    return None
