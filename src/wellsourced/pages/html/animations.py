"""What animations leave of an element when they have come to their end."""

from __future__ import annotations

from functools import cached_property

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import longhands
from wellsourced.pages.html.css_values import LONGEST_VALUE, split_outside
from wellsourced.pages.html.dom import Element

TIME = late_pattern(r"(?<![\w.-])(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(m?s)\b")
EVEN = late_pattern(r"(?<![\w.%-])\d{0,8}[02468](?![\w.%-])")
TIMING = ("name", "fill-mode", "play-state", "iteration-count", "duration", "delay", "direction")
EVERYWHERE = "everywhere"
MOST_ANIMATIONS = 20
LONGEST_WAIT = 60.0


class Animations:
    """Those that leave an element in one state, at their end or all the time."""

    def __init__(self, cascade: Cascade) -> None:
        self.cascade = cascade
        self._states: dict[tuple[str, str], dict[str, str]] = {}

    @cached_property
    def _frames(self) -> dict[str, dict[str, str]]:
        return {name.lower(): frames for name, frames in self.cascade.sheets.frames.items()}

    def apply(self) -> None:
        """What they come to wins over all that is not important."""
        for element in self.cascade.hiding("animation-name"):
            for name, value in self.end(element).items():
                self.cascade.add_animated(name, element, value)

    def end(self, element: Element) -> dict[str, str]:
        """What properties come to at the end of an element's animations, or stay at where they come to none."""
        several, fill, *timing = [self.cascade.value(element, f"animation-{each}") for each in TIMING]
        end: dict[str, str] = {}
        for value in split_outside(several, ",")[:MOST_ANIMATIONS]:
            name = next((word for word in value[:LONGEST_VALUE].split() if word in self._frames), "")
            place = _last_place(fill, " ".join((value, *timing))) if name else ""
            if (name, place) not in self._states:
                self._states[name, place] = self._state(name, place) if place else {}
            end |= self._states[name, place]
        return end

    def _state(self, name: str, place: str) -> dict[str, str]:
        frames = self._frames[name]
        if place != EVERYWHERE:
            return _declared(frames.get(place, ""))
        states = [_declared(body).items() for body in frames.values()]
        is_whole = "0%" in frames and "100%" in frames
        return dict(set(states[0]).intersection(*states)) if is_whole else {}


def _last_place(fill: str, said: str) -> str:
    """The place of an animation that lasts, "" where none does."""
    if "paused" in said or any(map(_is_long, TIME.findall(said))):
        return "0%"
    if "infinite" in said:
        return EVERYWHERE
    goes_back = "reverse" in said or ("alternate" in said and EVEN.search(said) is not None)
    return ("0%" if goes_back else "100%") if fill in {"forwards", "both"} else ""


def _declared(body: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in body.lower().split(";"))
    return {
        longhand: said
        for name, colon, given in pairs if colon
        for longhand, said in longhands(name.strip(), given.partition("!")[0].strip())
    }  # fmt: skip


def _is_long(time: tuple[str, str]) -> bool:
    """Whether nobody waits so long for what an animation, or a delay before it, brings about."""
    return float(time[0]) * (1.0 if time[1] == "s" else 0.001) >= LONGEST_WAIT
