"""Which elements and texts of a page nobody sees, by the cascade of its styles.

Two kinds: elements that are gone with everything in them (`display`, sizes, places, clips), and texts that cannot be
read where they stand while an element within may set that right again (`visibility`, font sizes, colours).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from wellsourced.late_dataclass import dataclass
from wellsourced.pages.html.animations import Animations
from wellsourced.pages.html.boxes import CHILDREN_AND_THEIRS
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.covers import Covers, laid_over, moved_over
from wellsourced.pages.html.css_properties import (
    FAINT,
    FAINTEST,
    FILTERS,
    GONE_DISPLAYS,
    PROPERTIES,
    TINY,
    is_far_across,
)
from wellsourced.pages.html.css_shapes import FAR_BACK
from wellsourced.pages.html.css_values import (
    FONT_SIZE,
    WINDOW_HEIGHT,
    WINDOW_WIDTH,
    read_colour,
    read_length,
    read_number,
)
from wellsourced.pages.html.dom import Element, Node, Text, ancestors, nearest
from wellsourced.pages.html.doubts import Doubts
from wellsourced.pages.html.font_sizes import FontSizes
from wellsourced.pages.html.legibility import PAINTED, Colours
from wellsourced.pages.html.lying import lost_words
from wellsourced.pages.html.sizes import SQUEEZES, USUAL_MARGIN
from wellsourced.pages.html.surfaces import CLEAR

if TYPE_CHECKING:
    from wellsourced.pages.html.layout.verdict import PlacesVerdict

MOVES = ("left", "right", "top", "bottom", "margin-left", "margin-top", "transform", "translate", "text-indent")
MOST_ANCHORS = 20
# From here on what is placed by these sides is beyond the other side of the window; 100 % are reckoned as 1000 pixels.
SIZES = {"right": "width", "bottom": "height"}
WINDOW = {"right": WINDOW_WIDTH, "bottom": WINDOW_HEIGHT}
# A line of text and its margins at most, and how many letters stand in a short one.
LINE, SHORTEST_LINE = 40.0, 60
LONGEST_BESIDE = 2_000
MOST_CROWDED = {"letter-spacing": -0.45, "word-spacing": -30.0}
GONE_BY = (
    "display", "content-visibility", "filter", "text-indent", "left", "right", "top", "bottom", "margin-left",
    "margin-top", "margin-bottom", "width", "height", "max-width", "max-height", "line-height", "clip", "clip-path",
    "transform", "translate", "scale", "rotate", "zoom", "mask-image", "contain", "transform-origin",
    "backface-visibility", "offset-path", "content", "flex-basis", "grid-template-rows", "z-index",
    "container-type",
)  # fmt: skip


@dataclass(slots=True)
class Unseen:
    """`gone` with whether that is how closed panels are kept closed; `dark` texts, and elements that are lit again.

    `fading` are those of the gone that are set up to slide into place; `pushed` are moved out of sight by a box before
    them, or with their line. `escaped` are some of the gone, and what has its place outside of them and is seen.
    `unsure` says that something is among them which could not be decided.
    """

    gone: dict[Element, bool] = field(default_factory=dict)
    dark: list[tuple[set[Element], set[Element]]] = field(default_factory=list)
    fading: list[Element] = field(default_factory=list)
    pushed: list[Node] = field(default_factory=list)
    escaped: tuple[set[Element], set[Element]] = field(default_factory=lambda: (set(), set()))
    cut: dict[Text, str] = field(default_factory=dict)
    """Texts of which some words are out of sight, with the others."""
    unsure: bool = False


def find_unseen(cascade: Cascade, *, ground_known: bool) -> Unseen:
    Animations(cascade).apply()
    judge = Judge(cascade, ground_known=ground_known)
    verdict = _judge_places(cascade) if ground_known else None
    unseen = _find_gone(judge)
    unseen.pushed += [*judge.pushed, *moved_over(judge), *laid_over(judge)]
    for element in judge.moved:
        unseen.pushed += judge.moved_with(element, is_gone=element in unseen.gone)
    judge.narrow.update(dict.fromkeys(verdict.beside if verdict is not None else ()))
    colours = Colours(judge, judge.shares, is_veiled=judge.is_veiled, ground_known=ground_known)
    unseen.dark += [judge.invisible(), judge.too_small(), judge.shrunk(), *map(judge.crowded, MOST_CROWDED)]
    unseen.dark += [colours.unreadable(), *judge.grown]
    unseen.dark += [Covers(judge).covered(set(unseen.gone))] if ground_known else []
    if verdict is not None:
        unseen.cut = verdict.partly
        lost = dict(lost_words(colours, verdict.lying))
        unseen.cut.update({text: left for text, left in lost.items() if left})
        unseen.pushed += [text for text, left in lost.items() if not left]
        # What is folded may be opened.
        folded = {element for element, is_folded in unseen.gone.items() if is_folded}
        unseen.pushed += [text for text in verdict.hidden if not folded or folded.isdisjoint(_around(text))]
    unseen.unsure = colours.is_unsure or judge.is_unsure
    _add_parts(unseen, cascade, ground_known=ground_known)
    return unseen


def _judge_places(cascade: Cascade) -> PlacesVerdict | None:
    """What the places of boxes say, where some style could take a text out of sight by them."""
    from wellsourced.pages.html.layout.verdict import could_be_moved, judge_places  # few pages need it

    return judge_places(cascade) if could_be_moved(cascade) else None


def _around(node: Node) -> Iterator[Element]:
    parent = node.parent
    return iter((parent, *ancestors(parent))) if isinstance(parent, Element) else iter(())


def _find_gone(judge: Judge) -> Unseen:
    unseen, squeezed = Unseen(), list[Element]()
    for name in GONE_BY:
        for element in judge.cascade.hiding(name):
            # What is gone for another reason still moves what stands beside it.
            if (name == "margin-left" or element not in unseen.gone) and (by := judge.is_gone_by(element, name)):
                unseen.gone.setdefault(element, by == "folded")
                squeezed += [element] if name in SQUEEZES else []
    faded = dict.fromkeys(judge.faded())
    for element in faded:
        if element not in unseen.gone and judge.moves(element):
            unseen.fading.append(element)
        unseen.gone.setdefault(element, False)
    unseen.escaped = judge.escaped({e for e in squeezed if e not in faded and not judge.is_gone_otherwise(e)})
    unseen.pushed += [*judge.cut_off(), *judge.below_lines(), *judge.below_dialogs(unseen.gone), *judge.unpainted()]
    unseen.gone.update(dict.fromkeys([*judge.within, *judge.beside_clips(), *judge.popovers()], False))
    return unseen


def _add_parts(unseen: Unseen, cascade: Cascade, *, ground_known: bool) -> None:
    """What is hidden by styles that speak of parts of an element."""
    if lines := cascade.parts.get("first-line"):
        unseen.dark.append(Judge(lines, ground_known=ground_known).too_small())
    if contents := cascade.parts.get("details-content"):
        unseen.pushed += _shut(find_unseen(contents, ground_known=ground_known))


def _shut(unseen: Unseen) -> Iterator[Node]:
    """What is in details of which the part that opens is not seen."""
    for details in set(unseen.gone).union(*(dark for dark, _ in unseen.dark)):
        head = details.select_one(":scope > summary")
        yield from (node for node in details if details.tag == "details" and node is not head)


class Judge(Doubts):
    """Looks at single elements with the values that won."""

    def __init__(self, cascade: Cascade, *, ground_known: bool) -> None:
        super().__init__(cascade, ground_known=ground_known)
        self.shares: dict[Element, float] = {}
        """How much shines through the elements of which anything does, and whether it is little of some."""
        self.is_veiled = False
        self._anchored_away: dict[tuple[str, str], bool] = {}
        self._hides_below: dict[Element, bool | None] = {}

    def is_gone_by(self, element: Element, name: str) -> str:
        """ "" where the property leaves the element in sight, "folded" where panels are kept closed so, or "away"."""
        value = self.cascade.value(element, name)
        if not value or not PROPERTIES[name][1](value):
            return ""
        if name == "display":
            is_column = value in GONE_DISPLAYS and not self._has_own_place(element)
            return "folded" if value == "none" else "away" if is_column or "(" in value else ""
        if name == "content-visibility":
            return "folded" if self.is_box(element) and (self.is_cell(element) or not self.is_table(element)) else ""
        if name not in {"text-indent", "zoom"} and self._has_no_box(element):
            return ""
        if name in {"width", "height", "max-width", "max-height", "line-height"}:
            return self._is_squeezed(element, name)
        if name == "grid-template-rows":
            return self._is_closed_grid(element)
        return "away" if getattr(self, f"_by_{name.replace('-', '_')}", self._by_offset)(element, value, name) else ""

    def is_gone_otherwise(self, element: Element) -> bool:
        """Whether it is gone for another reason than its size."""
        return any(
            element in self.cascade.winners(name) and self.is_gone_by(element, name)
            for name in GONE_BY
            if name not in SQUEEZES and self.cascade.hiding_values(name)
        )

    def escaped(self, squeezed: set[Element]) -> tuple[set[Element], set[Element]]:
        """Those of which something within has its place outside, and what that is."""
        passed, left, escaped = set[Element](), set[Element](), set[Element]()
        for element, position in self.cascade.winners("position").items() if squeezed else ():
            if position in {"absolute", "fixed"}:
                for above in ancestors(element):
                    if above in passed or self.holds_place(above, position):
                        break
                    passed.add(above)
                    if above in squeezed:
                        left.add(above)
                escaped.add(element)
        return left, escaped

    def _by_z_index(self, element: Element, value: str, name: str) -> bool:
        """Below the background of something around it."""
        if not self.ground_known or self.cascade.value(element, "position") in {"", "static"}:
            return False
        return nearest(element.parent, self._hides_what_is_below, self._hides_below) or False

    def _hides_what_is_below(self, element: Element) -> bool | None:
        """Whether its background covers what is below it; None where that is for those around it to say."""
        is_canvas = element.tag == "html" or (element.tag == "body" and not self._is_painted(element.parent))
        if is_canvas or self.is_layer(element):
            return False
        colour = read_colour(self.cascade.value(element, "background-color") or "transparent")
        return True if colour is not None and colour[3] > 1 - FAINTEST and self.is_box(element) else None

    def _is_painted(self, element: Node | None) -> bool:
        said = (self.cascade.value(element, name) for name in PAINTED[2:4]) if isinstance(element, Element) else ()
        return any(value not in CLEAR for value in said)

    def _by_offset(self, element: Element, value: str, name: str) -> bool:
        """`left` and its like, where the element is positioned at all."""
        position = self.cascade.value(element, "position")
        if position not in {"absolute", "fixed", "relative"}:
            return False
        opposite = {"right": "left", "bottom": "top"}.get(name, "")
        if opposite and self.cascade.value(element, opposite) not in {"", "auto"}:
            # With both given the place is that of the first, and what is between them the size if it has none.
            return (read_length(value) or 0.0) >= WINDOW[name] and self._is_squeezed(element, SIZES[name]) != ""
        length = read_length(value)
        if length is None:
            if value.startswith("anchor(") and (value, name) not in self._anchored_away:
                self._anchored_away[value, name] = self._is_anchored_away(value, name)
            return self._anchored_away.get((value, name), True)
        if not is_far_across(value):
            return self._is_beside_window(element, name, length)
        return not (name in {"right", "bottom"} and length > 0 and position == "relative" and length < -FAR_BACK)

    def _is_beside_window(self, element: Element, name: str, length: float) -> bool:
        """Whether it has its place in the window, and all of it is to the left of the window or above."""
        position = self.cascade.value(element, "position")
        if position == "relative" or self.box_around(element, position) is not None:
            return False
        if name in WINDOW:
            return length >= WINDOW[name]
        return -length >= self._largest_extent(element, "width" if name == "left" else "height")

    def _largest_extent(self, element: Element, name: str) -> float:
        """How wide or high it is at most, by its text where no style says it."""
        said = self._length(element, name)
        if said is not None and said > 0:
            return said + USUAL_MARGIN
        text = element.text if self.cascade.index.may_ask(LONGEST_BESIDE) else LONGEST_BESIDE * "x"
        if name == "width":
            return len(text) * FONT_SIZE
        return LINE * (1 + len(text) / SHORTEST_LINE + len(element.select("*")))

    def _is_anchored_away(self, value: str, name: str) -> bool:
        """Whether what it is anchored to is moved itself, or there is none and it is put away then."""
        anchor, _, otherwise = value.removesuffix(")").partition("(")[2].partition(",")
        called = next((word for word in anchor.split() if word.startswith("--")), "")
        anchors = [e for e, names in self.cascade.winners("anchor-name").items() if not called or called in names]
        if not anchors:
            return bool(otherwise) and PROPERTIES[name][1](otherwise.strip())
        around = (each for anchor in anchors[:MOST_ANCHORS] for each in (anchor, *ancestors(anchor)))
        return len(anchors) > MOST_ANCHORS or any(
            (said := self.cascade.value(each, move)) and "anchor(" not in said and PROPERTIES[move][1](said)
            for each in around
            for move in MOVES
        )

    def faded(self) -> list[Element]:
        """Elements of which nothing shines through, each with those around it."""
        if not self.cascade.is_suspect("opacity"):
            return []
        shares: dict[Element, float] = {}
        winners = self.cascade.winners("opacity")
        for element in winners:
            share = read_number(self.cascade.value(element, "opacity") or "1")
            shares[element] = 0.0 if share is None else share
        through = _products({e: share for e, share in shares.items() if share < 1 and not self._has_no_box(e)})
        self.shares = {e: shares[e] for e, product in through.items() if product > FAINTEST}
        self.is_veiled = any(through[e] <= FAINT for e in self.shares)
        # What is only within such an element may be shown with it.
        return [e for e, p in through.items() if p <= FAINTEST and (shares[e] < FAINT or p > FAINTEST * shares[e])]

    def moves(self, element: Element) -> bool:
        """Whether it has been moved a little, as is done with what is to slide into its place."""
        return self.cascade.value(element, "transform") not in {"", "none"}

    def invisible(self) -> tuple[set[Element], set[Element]]:
        if not self.cascade.is_suspect("visibility"):
            return set(), set()
        winners = self.cascade.winners("visibility")
        values = {element: self.cascade.value(element, "visibility") for element in winners}
        dark = {element for element, value in values.items() if value in {"hidden", "collapse"}}
        return dark, {element for element, value in values.items() if value in {"visible", "initial"}}

    def too_small(self) -> tuple[set[Element], set[Element]]:
        if not self.cascade.is_suspect("font-size"):
            return set(), set()
        sizes = FontSizes(self.cascade)
        winners = self.cascade.winners("font-size")
        dark = {element for element in winners if sizes.of(element) <= TINY}
        return dark, set(winners) - dark

    def below_lines(self) -> Iterator[Node]:
        """What changes the colours behind a line with boxes in it does so for all of the line."""
        for element in self.cascade.hiding("backdrop-filter"):
            is_darkened = (
                FILTERS.search(self.cascade.value(element, "backdrop-filter").replace("blur(", "")) is not None
            )
            in_line = is_darkened and not self.is_box(element)
            boxes = filter(self.starts_line, element.select(CHILDREN_AND_THEIRS)) if in_line else ()
            if any(box.text.strip() for box in boxes):
                yield from self._line_before(element)
                yield from self.line_from(element, is_gone=True)

    def beside_clips(self) -> Iterator[Element]:
        """What has its place outside of a box that something around it is cut to."""
        has_clips = any(value.endswith("-box") for value in self.cascade.values("clip-path"))
        positions = self.cascade.winners("position") if has_clips else {}
        placed = [each for each in positions if self.cascade.value(each, "position") in {"absolute", "fixed"}]
        clips: dict[Element, bool | None] = {}
        for element in placed:
            if nearest(element.parent, self._is_cut_to_its_box, clips):
                yield element

    def _is_cut_to_its_box(self, element: Element) -> bool | None:
        return self.cascade.value(element, "clip-path").endswith("-box") or None

    def crowded(self, name: str) -> tuple[set[Element], set[Element]]:
        """Where letters lie on each other, or words before the line; a style within can set that right."""
        if not self.cascade.is_suspect(name):
            return set(), set()
        winners = self.cascade.winners(name)
        sizes, most = FontSizes(self.cascade), MOST_CROWDED[name]
        dark = {e for e in winners if (self._length(e, name) or 0) <= most * sizes.of(e)}
        return dark, {e for e in winners if e not in dark and winners[e] not in {"inherit", "unset"}}

    def shrunk(self) -> tuple[set[Element], set[Element]]:
        """Letters that are brought to a height of nothing."""
        if not self.cascade.is_suspect("font-size-adjust"):
            return set(), set()
        winners = self.cascade.winners("font-size-adjust")
        values = {e: self.cascade.value(e, "font-size-adjust").rpartition(" ")[2] for e in winners}
        dark = {e for e, value in values.items() if (number := read_number(value)) is not None and number <= FAINTEST}
        return dark, {e for e in winners if e not in dark and winners[e] not in {"inherit", "unset"}}


def _products(shares: dict[Element, float]) -> dict[Element, float]:
    """Each share by those of all elements around it; every element is passed once."""
    known: dict[Element, float] = {}
    for element in shares:
        chain = [element] if element not in known else []
        while chain and isinstance(around := chain[-1].parent, Element) and around not in known:
            chain.append(around)
        for each in reversed(chain):
            above = known[each.parent] if isinstance(each.parent, Element) else 1.0
            known[each] = above * shares.get(each, 1.0)
    return {element: known[element] for element in shares}
