"""What animations leave of an element when they have come to their end."""

from __future__ import annotations

import re
from functools import cached_property

from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import FAINTEST, PROPERTIES, is_far_across, is_far_down, longhands
from wellsourced.pages.html.css_shapes import CALL, moves_away, split_arguments
from wellsourced.pages.html.css_values import read_number
from wellsourced.pages.html.dom import Element


class Animations:
    """Those that keep their last state."""

    def __init__(self, cascade: Cascade) -> None:
        self.cascade = cascade

    @cached_property
    def _frames(self) -> dict[str, dict[str, str]]:
        return {name.lower(): frames for name, frames in self.cascade.sheets.frames.items()}

    def end(self, element: Element) -> dict[str, str]:
        """What properties come to at the end of an element's animation."""
        value = self.cascade.value(element, "animation-name")
        if not value or self.cascade.value(element, "animation-fill-mode") not in {"forwards", "both"}:
            return {}
        name = next((word for word in re.split(r"[\s,]+", value) if word in self._frames), "")
        body = self._frames[name].get("100%", "") if name else ""
        pairs = (part.partition(":") for part in body.lower().split(";"))
        return {
            longhand: said
            for each, colon, given in pairs if colon
            for longhand, said in longhands(each.strip(), given.partition("!")[0].strip())
        }  # fmt: skip

    def ends_unseen(self, element: Element) -> bool:
        return any(
            element not in self.cascade.important(each)
            and PROPERTIES[each][1](said)
            and each in ENDS_UNSEEN
            and ENDS_UNSEEN[each](said)
            for each, said in self.end(element).items()
        )


def _fades(value: str) -> bool:
    number = read_number(value)
    return number is not None and number <= FAINTEST


ENDS_UNSEEN = {
    "opacity": _fades, "display": lambda value: value == "none", "left": is_far_across, "top": is_far_down,
    "transform": lambda value: any(moves_away(call, split_arguments(inner)) for call, inner in CALL.findall(value)),
    "scale": lambda value: moves_away("scale", value.split()), "text-indent": is_far_across,
}  # fmt: skip
