"""How large letters are."""

from __future__ import annotations

from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import FONT_UNITS, SIZE_WORDS
from wellsourced.pages.html.css_values import FONT_SIZE, MEASURE, read_length
from wellsourced.pages.html.dom import Element


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
