"""Words on the background of something elsewhere in the page, or below something that changes the colours behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wellsourced.pages.html.css_filters import read_filter
from wellsourced.pages.html.css_properties import FAINTEST
from wellsourced.pages.html.dom import Element, Text
from wellsourced.pages.html.legibility import Colours
from wellsourced.pages.html.surfaces import NOTHING, Surface


class Lying(NamedTuple):
    """A word, what it lies on that is not around it, and what lies over it that has a filter for what is behind."""

    word: str
    ground: Element | None = None
    filters: tuple[Element, ...] = ()


def lost_words(colours: Colours, lying: Mapping[Text, list[Lying]]) -> Iterator[tuple[Text, str]]:
    """Texts of which some words cannot be read where they lie, with the others."""
    known: dict[tuple[Element, Element | None, tuple[Element, ...]], bool] = {}
    for text, words in lying.items() if colours.values else ():
        around, left = text.parent, list[str]()
        for word, ground, filters in words:
            if isinstance(around, Element):
                key = around, ground, filters
                if key not in known:
                    known[key] = _is_lost(colours, *key)
                left += [word] if not known[key] else []
        if len(left) < len(words):
            yield text, " ".join(left)


def _is_lost(colours: Colours, around: Element, ground: Element | None, filters: tuple[Element, ...]) -> bool:
    surface = colours.surface(around)
    if ground is not None:
        there = surface.lying_on(colours.surface(ground))
        surface = there if there is not None else surface
        if there is not None and colours.is_unreadable(there):
            return True
    return any(_is_lost_below(colours, surface, element) for element in filters)


def _is_lost_below(colours: Colours, surface: Surface, element: Element) -> bool:
    """Whether nothing can be read any more below a filter for what is behind an element."""
    made = read_filter(colours.cascade.value(element, "backdrop-filter"))
    around = colours.surface(element.parent) if isinstance(element.parent, Element) else None
    if around is None or around.layer not in surface.layer.chain or not made.is_known or not surface.layer.is_known:
        return False
    held = around.layer
    window = held.behind[0] if held.around is None and held.behind and not colours.is_window_apart else NOTHING
    for several in surface.inks():
        for ink in several:
            if ink is None:
                return False
            looks = surface.looks_through(ink, made, held, window) if ink[3] > FAINTEST else iter(())
            if any(colours.can_read(*look) for look in looks):
                return False
    return True
