"""What animations leave of an element when they have come to their end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.boxes import WILL_LAYER
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import longhands
from wellsourced.pages.html.css_values import LONGEST_VALUE, split_outside
from wellsourced.pages.html.dom import Element

TIME = late_pattern(r"(?<![\w.-])(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(m?s)\b")
EVEN = late_pattern(r"(?<![\w.%-])\d{0,8}[02468](?![\w.%-])")
TIMING = ("name", "fill-mode", "play-state", "iteration-count", "duration", "delay", "direction")
EVERYWHERE = "everywhere"
ANNOUNCED = WILL_LAYER - {"position", "isolation", "mask"}
MOST_ANIMATIONS = 20
LONGEST_WAIT = 60.0


class Animations:
    """Those that leave an element in one state, at their end or all the time."""

    def __init__(self, cascade: Cascade) -> None:
        self.cascade = cascade
        self._states: dict[tuple[str, str], dict[str, str]] = {}
        self._announced: dict[str, list[str]] = {}

    @cached_property
    def _frames(self) -> dict[str, dict[str, str]]:
        return {name.lower(): frames for name, frames in self.cascade.sheets.frames.items()}

    def apply(self) -> None:
        """What they come to wins over all that is not important."""
        # What is added is weighed anew: all is read before.
        left = [(each, self._left(each)) for each in self.cascade.hiding("animation-name")]
        for element, values in left:
            for name, value in values.items():
                self.cascade.add_animated(name, element, value)

    def _left(self, element: Element) -> dict[str, str]:
        """What the animations of an element leave of its properties."""
        lasting = list(self._lasting(element))
        left = self._end(lasting)
        if changed := dict.fromkeys(each for name, _ in lasting for each in self._announced_by(name)):
            left["will-change"] = ",".join((self.cascade.value(element, "will-change") or "auto", *changed))
        return left

    def _lasting(self, element: Element) -> Iterator[tuple[str, str]]:
        """An element's animations that do not go back to how it was, each with the place that it stays at."""
        several, fill, *timing = [self.cascade.value(element, f"animation-{each}") for each in TIMING]
        for value in split_outside(several, ",")[:MOST_ANIMATIONS]:
            name = next((word for word in value[:LONGEST_VALUE].split() if word in self._frames), "")
            place = _last_place(fill, " ".join((value, *timing))) if name else ""
            if place:
                yield name, place

    def _end(self, lasting: list[tuple[str, str]]) -> dict[str, str]:
        """What properties come to at the end of animations, or stay at where they come to none."""
        end: dict[str, str] = {}
        for name, place in lasting:
            if (name, place) not in self._states:
                self._states[name, place] = self._state(name, place)
            end |= self._states[name, place]
        return end

    def _announced_by(self, name: str) -> list[str]:
        """What an animation changes as if `will-change` spoke of it, as long as it lasts."""
        if name not in self._announced:
            changed = dict.fromkeys(each for body in self._frames[name].values() for each in _declared(body))
            self._announced[name] = [each for each in changed if each in ANNOUNCED]
        return self._announced[name]

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
