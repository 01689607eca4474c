"""Planes: where boxes and words are seen on the page, and what is cut of them."""

from __future__ import annotations

from typing import NamedTuple

from wellsourced.pages.html.layout.placed import Places
from wellsourced.pages.html.layout.shapes import EVERYWHERE, FAR, Clip, Rect, old_clip, path_clip
from wellsourced.pages.html.layout.sizes import is_propagated, overflows
from wellsourced.pages.html.layout.transforms import IDENTITY, Matrix, move_of
from wellsourced.pages.html.layout.tree import Box, LaidWord

# What a reader can scroll to in a box that is high enough for it.
SCROLLED, LEAST_SCROLLED = frozenset(("auto", "scroll", "overlay")), 40.0
LEAST_SCROLLED_ACROSS, FARTHEST_SCROLLED = 200.0, 3000.0
PAINT_WORDS = frozenset(("paint", "strict", "content"))


class Plane(NamedTuple):
    """In what a box lies: `clips` by the boxes that hold it, `paths` by all around it."""

    matrix: Matrix = IDENTITY
    clip: Clip | None = None
    path: Clip | None = None
    is_gone: bool = False
    is_behind: bool = False
    is_fixed: bool = False

    @property
    def is_out(self) -> bool:
        return self.is_gone or self.is_behind


class Planes:
    """The planes of all boxes, each made from that of the one around it."""

    def __init__(self, places: Places, root: Box) -> None:
        self.places = places
        self.own: dict[Box, Plane] = {}
        self.inner: dict[Box, Plane] = {}
        waiting = [root]
        while waiting:
            box = waiting.pop()
            self._make(box)
            waiting += reversed(box.children)

    def _make(self, box: Box) -> None:
        parent = box.parent
        around = self.inner[parent] if parent is not None else Plane()
        if box.level == "placed":
            holder = self.places.around.get(box)
            base = self.inner[holder] if holder is not None else Plane(is_fixed=box.style.position == "fixed")
            around = base._replace(path=around.path, is_gone=base.is_gone)
        if box.kind == "text" or not box.style.own:
            self.own[box] = self.inner[box] = around
            return
        own = self._moved(box, around)
        own = self._cut(box, own)
        self.own[box] = own
        self.inner[box] = self._overflown(box, own)

    def rect(self, box: Box) -> Rect:
        """Where it was laid out."""
        if box.kind == "inline":
            left, top, width, height = self.places.area(box)
            return left, top, left + width, top + height
        left, top = self.places.origin(box)
        return left, top, left + box.w, top + box.h

    def _moved(self, box: Box, around: Plane) -> Plane:
        parent = box.parent
        perspective = (
            parent.style.of("perspective") if parent is not None and "perspective" in parent.style.own else None
        )
        move = move_of(box, perspective or 0.0)
        if move is None:
            return around
        left, top = self.places.origin(box)
        matrix = Matrix(e=left, f=top).after(move.matrix).after(Matrix(e=-left, f=-top))
        is_hidden = move.is_turned_away and box.style.own.get("backface-visibility") == "hidden"
        matrix = around.matrix.after(matrix)
        is_gone = around.is_gone or move.is_gone or is_hidden or matrix.is_flat()
        return around._replace(matrix=matrix, is_gone=is_gone, is_behind=around.is_behind != move.is_behind)

    def _cut(self, box: Box, plane: Plane) -> Plane:
        own = box.style.own
        value = own.get("clip-path", "none")
        if value != "none":
            cut = path_clip(box.style, value, self._reference(box, value))
            if cut is not None:
                plane = plane._replace(path=Clip(cut[0], plane.matrix, plane.path, cut[1]))
        if "clip" in own and box.style.is_placed:
            rect = old_clip(box.style, own["clip"], self.rect(box))
            if rect is not None:
                plane = plane._replace(path=Clip(rect, plane.matrix, plane.path))
        return plane

    def _reference(self, box: Box, value: str) -> Rect:
        """The box by which a shape is measured."""
        if box.kind == "inline":
            rects = self.places.lines.get(box, [])
            if not rects:
                return 0.0, 0.0, 0.0, 0.0
            left, top, width, height = rects[0]
            return left, top, left + width, top + height
        left, top, right, bottom = self.rect(box)
        if value == "margin-box":
            around = [box.style.pixels(f"margin-{side}", 0.0) for side in ("left", "top", "right", "bottom")]
            return left - around[0], top - around[1], right + around[2], bottom + around[3]
        return left, top, right, bottom

    def _overflown(self, box: Box, plane: Plane) -> Plane:
        own = box.style.own
        if box.kind in {"inline", "row", "group"}:
            return plane
        across, down = overflows(box)
        if is_propagated(box) or box.parent is None:
            across = down = "visible"
        if box.kind == "table":
            across, down = (word if word in {"hidden", "clip"} else "visible" for word in (across, down))
        is_held = not PAINT_WORDS.isdisjoint(own.get("contain", "").split())
        is_held = is_held or own.get("content-visibility", "visible") != "visible"
        if across == down == "visible" and not is_held:
            return plane
        left, top, right, bottom = self.rect(box)
        frame = box.style.pixels("border")
        left, top, right, bottom = left + frame, top + frame, right - frame, bottom - frame
        is_roomy = bottom - top >= LEAST_SCROLLED
        if across in SCROLLED and is_roomy and right - left >= LEAST_SCROLLED_ACROSS:
            right += FARTHEST_SCROLLED
        if down in SCROLLED and is_roomy:
            bottom = FAR
        if across == "visible" and not is_held:
            left, right = -FAR, FAR
        if down == "visible" and not is_held:
            top, bottom = -FAR, FAR
        return plane._replace(clip=Clip((left, top, right, bottom), plane.matrix, plane.clip))

    def bounds(self, box: Box) -> Rect:
        """As seen on the page."""
        if box.kind == "inline":
            rects = self.places.lines.get(box, [])
            several = [self.own[box].matrix.bounds(*rect) for rect in rects]
            if not several:
                return 0.0, 0.0, 0.0, 0.0
            return (
                min(r[0] for r in several), min(r[1] for r in several),
                max(r[2] for r in several), max(r[3] for r in several),
            )  # fmt: skip
        left, top = self.places.origin(box)
        return self.own[box].matrix.bounds(left, top, box.w, box.h)

    def word_rect(self, word: LaidWord, holder: Box) -> tuple[float, float, float, float]:
        """Where a word was laid out: left, top, width and height."""
        left, top = self.places.origin(holder)
        across = down = 0.0
        if word.box.parent is not None and word.box.parent.kind == "inline":
            across, down = self.places.shift_in(word.box.parent, holder)
        return left + word.x + across, top + word.y + down, word.w, word.h

    def word_bounds(self, word: LaidWord, holder: Box) -> Rect:
        return self.own[word.box].matrix.bounds(*self.word_rect(word, holder))


__all__ = ["EVERYWHERE", "Plane", "Planes"]
