"""What is cut, masked, blurred, turned or scaled away, each by the element's own style."""

from __future__ import annotations

from collections.abc import Iterator

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.boxes import REPLACED
from wellsourced.pages.html.css_properties import FAINTEST, NO_SIZE, TINY, has_no_size
from wellsourced.pages.html.css_shapes import (
    CALL,
    NEARLY_FLAT,
    faces_away,
    is_circle_empty,
    is_inset_empty,
    is_path_empty,
    is_polygon_empty,
    is_rectangle_empty,
    moves_away,
    nearness,
    split_arguments,
)
from wellsourced.pages.html.css_values import FONT_SIZE, luminance, read_colour, read_length, read_number, split_outside
from wellsourced.pages.html.dom import Element, Node, Text, select
from wellsourced.pages.html.lines import Lines
from wellsourced.pages.html.surfaces import COLOUR_IN

# Half of the size of ordinary letters.
BLURRED = 8.0
# Darker than this a mask that goes by lightness lets nothing through.
DARKEST_MASK = 0.05
EXCLUDED = late_pattern(r"\b(?:exclude|subtract|xor|source-out|destination-out)\b")
AXES = {"x": ["1", "0", "0"], "y": ["0", "1", "0"]}
FARTHEST_START = -100.0
HEIGHTS = ("height", "min-height", "padding-top", "padding-bottom")
TURNED = late_pattern(r"rotate[xy3]|matrix3d")
# Of an icon.
LONGEST_LABEL = 20
# To ask where an element stands takes as long as so many tests of one.
TESTS_A_CHILD = 20
# To a drawing in the page.
REFERENCE = late_pattern(r"url\(\s*['\"]?#([\w-]{1,200})['\"]?\s*\)")
START = late_pattern(r"m\s*(-?\d{0,9}\.?\d{1,9})[\s,]+(-?\d{0,9}\.?\d{1,9})")


class Clips(Lines):
    """Looks at single elements with the values that won.

    `is_unsure` says that one is left out of which could not be reckoned what is seen.
    """

    is_unsure = False

    def _length(self, element: Element, name: str) -> float | None:
        value = self.cascade.value(element, name)
        return read_length(value) if value else None

    def _is_drawn(self, element: Element, value: str) -> bool:
        """Whether a drawing says what is seen of an element, which is not followed."""
        match = REFERENCE.search(value)
        is_there = match is None or bool(select(self.cascade.index.document, f'[id="{match[1]}" i]'))
        self.is_unsure |= is_there and len(element.text.strip()) > LONGEST_LABEL
        return is_there

    def _by_filter(self, element: Element, value: str, name: str) -> bool:
        if "url(" in value and self._is_drawn(element, value):
            return True
        calls = [(call, inner.strip()) for call, inner in CALL.findall(value)]
        shares = [read_number(inner) for call, inner in calls if call == "opacity"]
        blurs = [read_length(inner) or 0.0 for call, inner in calls if call == "blur"]
        return any(share is not None and share <= FAINTEST for share in shares) or max(blurs, default=0) >= BLURRED

    def _by_clip(self, element: Element, value: str, name: str) -> bool:
        """Works on positioned elements alone."""
        if self.cascade.value(element, "position") not in {"absolute", "fixed"}:
            return False
        match = CALL.fullmatch(value)
        sides = [read_length(part) for part in match[2].replace(",", " ").split()] if match else []
        if len(sides) != 4:
            return False
        top, right, bottom, left = sides
        if top is None or left is None:
            return False
        return (bottom is not None and bottom - top <= TINY) or (right is not None and right - left <= TINY)

    def _by_clip_path(self, element: Element, value: str, name: str) -> bool:
        if value.startswith("url("):
            return self._is_drawn(element, value)
        match = CALL.match(value)
        if match is None:
            # What stands in a line is cut to the line, and the boxes in it are cut away.
            if not value.endswith("-box"):
                return False
            if self.is_box(element):
                return self._has_no_height(element)
            self.pushed += element if element.tag == "details" else self._from_first_box(element)
            return False
        shape, inner = match[1], " ".join(match[2].split())
        if shape == "inset":
            return is_inset_empty(inner.partition(" round")[0].split())
        if shape in {"circle", "ellipse"}:
            return is_circle_empty(inner)
        if shape in {"rect", "xywh"}:
            return is_rectangle_empty(shape, inner.partition(" round")[0].split())
        if shape in {"path", "shape"}:
            return is_path_empty(shape, inner)
        return shape == "polygon" and is_polygon_empty(inner)

    def _from_first_box(self, element: Element) -> Iterator[Node]:
        """Of a line that is cut to its first part: the first box in it and all that follows."""
        inner = element.select("*") if element not in self.cut_lines else []
        if not self.cascade.index.may_ask(TESTS_A_CHILD * len(inner)):
            yield from element
            return
        # What is cut within it is cut with it.
        self.cut_lines.update(inner)
        floats = self.cascade.winners("float")
        yield from (each for each in inner if each in floats and self.cascade.value(each, "float") != "none")
        first = next((each for each in inner if self.starts_line(each) or self._is_turned(each)), None)
        yield from () if first is None else (first,)
        while first is not None and first is not element:
            yield from first.next_siblings
            first = first.parent if isinstance(first.parent, Element) else None

    def _has_no_height(self, element: Element) -> bool:
        """Whether all that is in it floats or has its place elsewhere, and nothing gives it a height."""
        is_plain = self.cascade.value(element, "display") in {"", "block"} and not self._is_out_of_flow(element)
        return is_plain and not any(self._length(element, name) for name in HEIGHTS) and self._is_empty(element)

    def _is_empty(self, box: Element) -> bool:
        waiting: list[Node] = [box]
        while waiting:
            node = waiting.pop()
            if not self.cascade.index.may_ask(1) or (isinstance(node, Text) and node.data.strip()):
                return False
            if isinstance(node, Element) and (node is box or not self._is_out_of_flow(node)):
                if node.tag in REPLACED:
                    return False
                waiting += node
        return True

    def _by_transform(self, element: Element, value: str, name: str) -> bool:
        calls = CALL.findall(value)
        if not self.is_box(element):
            return False
        parent = element.parent
        eye = self._length(parent, "perspective") or 0.0 if isinstance(parent, Element) else 0.0
        moved = any(moves_away(call, split_arguments(inner)) for call, inner in calls)
        return moved or nearness(value, eye) < NEARLY_FLAT

    def _by_transform_origin(self, element: Element, value: str, name: str) -> bool:
        """Turned around a point that is far away."""
        moves = [self.cascade.value(element, each) for each in ("transform", "rotate", "scale")]
        return self.is_box(element) and any(move not in {"", "none"} for move in moves)

    def _by_backface_visibility(self, element: Element, value: str, name: str) -> bool:
        """Where what is around it is turned with it, nothing is said."""
        own, around = ([self.cascade.value(each, move) for move in ("transform", "rotate")] if isinstance(each, Element)
                       and self.is_box(each) else ["", ""] for each in (element, element.parent))  # fmt: skip
        is_turned = TURNED.search(around[0]) is not None or " " in around[1]
        return self.is_box(element) and faces_away(*own) and not is_turned

    def _by_offset_path(self, element: Element, value: str, name: str) -> bool:
        start = START.search(value) if self.is_box(element) else None
        return start is not None and min(float(start[1]), float(start[2])) <= FARTHEST_START

    def _by_content(self, element: Element, value: str, name: str) -> bool:
        """A picture in the place of all that is in it."""
        return element.tag not in REPLACED

    def _by_translate(self, element: Element, value: str, name: str) -> bool:
        return self.is_box(element) and moves_away("translate", split_outside(value, " "))

    def _by_scale(self, element: Element, value: str, name: str) -> bool:
        return self.is_box(element) and moves_away("scale", split_outside(value, " "))

    def _by_rotate(self, element: Element, value: str, name: str) -> bool:
        *axis, angle = value.split()
        return self.is_box(element) and moves_away("rotate3d", [*AXES.get(" ".join(axis), axis), angle])

    def _by_zoom(self, element: Element, value: str, name: str) -> bool:
        zoom = read_number(value)
        return zoom is not None and 0 < zoom * FONT_SIZE <= TINY

    def _by_mask_image(self, element: Element, value: str, name: str) -> bool:
        size, composite, mode = (self.cascade.value(element, f"mask-{each}") for each in ("size", "composite", "mode"))
        if NO_SIZE.match(size) or has_no_size(value):
            return True
        if "url(" in value:
            self.is_unsure |= len(element.text.strip()) > LONGEST_LABEL
            return bool(element.text.strip())
        colours = [colour for word in COLOUR_IN.findall(value.partition("(")[2]) if (colour := read_colour(word))]
        if "luminance" in f"{mode} {value}":
            return all(luminance(colour) * colour[3] <= DARKEST_MASK for colour in colours)
        is_cut_out = EXCLUDED.search(f"{composite} {value}") is not None and len(split_outside(value, ",")) > 1
        return is_cut_out or (bool(colours) and all(colour[3] <= FAINTEST for colour in colours))
