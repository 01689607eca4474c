"""Which texts of a page are out of sight by where they lie: beside the window, cut off, squeezed, or covered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.css_properties import SIDES
from wellsourced.pages.html.dom import Element, Text, select
from wellsourced.pages.html.layout.flow import WINDOW, Layouter
from wellsourced.pages.html.layout.limits import is_followed, is_small
from wellsourced.pages.html.layout.paint import PaintedRect, Painter, back_alpha, is_canvas
from wellsourced.pages.html.layout.placed import Places
from wellsourced.pages.html.layout.planes import Plane, Planes
from wellsourced.pages.html.layout.shapes import Clip, Rect
from wellsourced.pages.html.layout.sizes import is_held, margins
from wellsourced.pages.html.layout.style import Styles
from wellsourced.pages.html.layout.tree import Box, LaidWord, TooMuch, TreeMaker
from wellsourced.pages.html.lying import Lying

# Farther out nobody scrolls.
FARTHEST, LOWEST = 3000.0, 60_000.0
# Of a word so many places are looked at, across and down, and so many of them must be seen.
ACROSS, DOWN = 10, 6
LEAST_ACROSS, LEAST_DOWN = 4, 2
# Letters fill this part of the height of their line.
UPPER, LOWER = 0.2, 0.8
# So much of a word at its ends need not lie where the rest does: in another font it is as much shorter.
EDGE = 0.1
LEAST_SIZE = 4.0
OPAQUE = 0.85
MOVED = (
    "transform", "translate", "scale", "rotate", "clip-path", "clip", "contain", "zoom", "offset-path", "perspective",
    "float", "columns", "writing-mode", "content-visibility", "backdrop-filter",
)  # fmt: skip
SQUEEZED = (
    "text-indent", "left", "right", "top", "bottom", "margin-left", "margin-top", "margin-bottom", "width", "height",
    "max-width", "max-height", "line-height", "flex-basis", "grid-template-rows", "z-index", "container-type",
)  # fmt: skip
USUAL = {
    "position": frozenset(("static",)),
    "overflow-x": frozenset(("visible",)),
    "overflow-y": frozenset(("visible",)),
}
STRIP = 128.0
MOST_STRIPS = 40
MOST_LOOKS, LOOKS_A_COVER = 800_000, 10


class PlacesVerdict:
    """What was found of the texts that are laid out.

    `hidden` are texts of which nothing is in sight, `partly` those of which some words are, with these. `beside` are
    the elements whose text lies beside the background of the box that they are in, `lying` texts of which some words
    lie on or below something elsewhere, with all words of them that are in sight.
    """

    def __init__(self) -> None:
        self.hidden: list[Text] = []
        self.partly: dict[Text, str] = {}
        self.beside: list[Element] = []
        self.lying: dict[Text, list[Lying]] = {}


def could_be_moved(cascade: Cascade) -> bool:
    """Whether some style of the page could take a text out of sight by its place."""
    return (
        any(name in cascade.declarations or name in cascade.own for name in MOVED)
        or any(cascade.values(name) - usual for name, usual in USUAL.items())
        or any(map(cascade.hiding_values, SQUEEZED))
        or any(value.startswith("-") for side in SIDES for value in cascade.values(f"margin-{side}"))
    )


def judge_places(cascade: Cascade) -> PlacesVerdict | None:
    """The verdict on all texts that are displayed; None where the page is too much to lay out, or not followed."""
    if not is_small(cascade) or not is_followed(cascade):
        return None
    roots = select(cascade.index.document, "html")
    try:
        return _judge(Styles(cascade), roots[0]) if roots else None
    except (TooMuch, ArithmeticError, LookupError, ValueError):
        # Values that come to no number, or to one without end: the page is left to the rules.
        return None


def _judge(styles: Styles, html: Element) -> PlacesVerdict:
    verdict = PlacesVerdict()
    maker = TreeMaker(styles)
    root = maker.make(html)
    page = PaintedPage(lay_page(maker, root), root) if root is not None else None
    for box, words in page.painter.words.items() if page is not None else ():
        if page is not None and isinstance(box.node, Text):
            seen = page.seen_words(words)
            if not seen:
                verdict.hidden.append(box.node)
            elif len(seen) < len(words):
                verdict.partly[box.node] = " ".join(word.text for word in seen)
            if isinstance(box.node.parent, Element) and any(page.is_beside_ground(*pair) for pair in words):
                verdict.beside.append(box.node.parent)
            lying = page.lying(seen, words)
            if any(each.ground is not None or each.filters for each in lying):
                verdict.lying[box.node] = lying
    return verdict


def lay_page(maker: TreeMaker, root: Box) -> Planes:
    """Gives every box of a page its place."""
    body = next((child for child in root.children if child.style.tag == "body"), None)
    if body is not None and not is_held(body) and body.style.mode != root.style.mode:
        root.style.handed = {**root.style.handed, "writing-mode": body.style.mode}
    layouter = Layouter(maker.count)
    start, end, before, _ = (each or 0.0 for each in margins(root, WINDOW[0], "horizontal-tb"))
    if root.style.is_vertical:
        layouter.lay(root, WINDOW[1], None, WINDOW[0])
        root.x = WINDOW[0] - root.w if root.style.mode != "vertical-lr" else 0.0
    else:
        said = layouter.said(root, WINDOW[0], root.style.mode)
        width = said if said is not None else WINDOW[0] - start - end
        layouter.lay(root, width, None, WINDOW[1])
        root.x, root.y = start, before
    places = Places(layouter, root)
    places.settle(maker.placed)
    return Planes(places, root)


class PaintedPage:
    """A page that is laid out and painted."""

    def __init__(self, planes: Planes, root: Box) -> None:
        self.planes, self.root = planes, root
        self.painter = Painter(planes, root)
        self.strips: dict[int, list[tuple[PaintedRect, Rect]]] = {}
        self.everywhere: list[tuple[PaintedRect, Rect]] = []
        self._looks = 0
        self._known_near: dict[Rect, list[PaintedRect]] = {}
        for cover in self.painter.covers:
            self._add(cover)
        body = next((child for child in root.children if child.style.tag == "body"), None)
        handed_up = [body.style] if body is not None and not is_held(body) else []
        self.goes_left = any(style.is_rtl or style.mode == "vertical-rl" for style in (root.style, *handed_up))

    def _add(self, cover: PaintedRect) -> None:
        left, top, right, bottom = cover.rect
        bounds = cover.plane.matrix.bounds(left, top, right - left, bottom - top)
        first, last = int(max(bounds[1], -LOWEST) // STRIP), int(min(bounds[3], LOWEST) // STRIP)
        if last - first > MOST_STRIPS:
            self.everywhere.append((cover, bounds))
            return
        for number in range(first, last + 1):
            self.strips.setdefault(number, []).append((cover, bounds))

    def seen_words(self, words: list[tuple[LaidWord, Box]]) -> list[LaidWord]:
        """Those of a text that are in sight."""
        flags = [self.is_seen(word, holder) for word, holder in words]
        if any(flags) and not all(flags):
            # In another font a word may stand in the line before.
            flags = [flag or self.is_seen(*pair, is_lifted=True) for flag, pair in zip(flags, words, strict=True)]
        return [word for (word, _), flag in zip(words, flags, strict=True) if flag]

    def is_seen(self, word: LaidWord, holder: Box, *, is_lifted: bool = False) -> bool:
        """Whether enough of a word is in sight to be read; `is_lifted` asks for its place in the line before."""
        plane = self.planes.own[word.box]
        if plane.is_out or word.w <= 0:
            return False
        x, y, w, h = self.planes.word_rect(word, holder)
        left, top, right, bottom = plane.matrix.bounds(x, y, w, h)
        is_tiny = word.box.style.letters * plane.matrix.scale < LEAST_SIZE
        if is_tiny or not self._is_in_window(left, top, right, bottom):
            return False
        covers = self._covers_over(word, holder, (left, top, right, bottom))
        if is_lifted:
            y -= h if not covers else 0.0
        is_whole = not covers and left >= 0 and top >= 0
        if is_whole and all(clip.holds_all(x, y, x + w, y + h, plane.matrix) for clip in _clips(plane)):
            return True
        return self._is_seen_in_part(plane, (x, y, w, h), covers)

    def lying(self, seen: list[LaidWord], words: list[tuple[LaidWord, Box]]) -> list[Lying]:
        """The words of a text that are in sight, with what they lie on and below."""
        chosen, around = set(map(id, seen)), set[Box | None]()
        each = words[0][0].box.parent
        while each is not None:
            around.add(each)
            each = each.parent
        return [self._lying(word, holder, around) for word, holder in words if id(word) in chosen]

    def _lying(self, word: LaidWord, holder: Box, around: set[Box | None]) -> Lying:
        plane = self.planes.own[word.box]
        x, y, w, h = self.planes.word_rect(word, holder)
        across, down = (x + EDGE * w, x + (1 - EDGE) * w), (y + UPPER * h, y + LOWER * h)
        corners = [plane.matrix.apply(*corner) for corner in product(across, down)]

        def reaches(cover: PaintedRect) -> bool:
            return all(_covers(cover, corner) for corner in corners)

        near = self._near(plane.matrix.bounds(x, y, w, h))
        self._spend(len(corners) * (len(near) + len(self.painter.backdrops)))
        below = [cover for cover in near if not self.painter.is_over(cover, word, holder) and reaches(cover)]
        opaque = [cover for cover in below if self.painter.alpha_over(cover, word.box) >= OPAQUE]
        ground = max(opaque, key=lambda cover: cover.order, default=None)
        filters = [
            cover.box.node
            for cover in self.painter.backdrops
            if cover.box not in around and self.painter.is_over(cover, word, holder) and reaches(cover)
            if self.painter.alpha_over(cover, word.box) >= OPAQUE and isinstance(cover.box.node, Element)
        ]
        other = ground.box.node if ground is not None and ground.box not in around else None
        return Lying(word.text, other if isinstance(other, Element) else None, tuple(filters))

    def is_beside_ground(self, word: LaidWord, holder: Box) -> bool:
        """Whether a word lies beside the background of the nearest box around it that has one."""
        box = word.box.parent
        while box is not None and not back_alpha(box):
            box = box.parent
        if box is None or box.kind == "inline" or is_canvas(box):
            return False
        return not _meet(self.planes.word_bounds(word, holder), self.planes.bounds(box))

    def _spend(self, looks: int) -> None:
        self._looks += looks
        if self._looks > MOST_LOOKS:
            raise TooMuch

    def _is_in_window(self, left: float, top: float, right: float, bottom: float) -> bool:
        if bottom <= 0 or top >= LOWEST:
            return False
        if self.goes_left:
            return WINDOW[0] - FARTHEST < left < WINDOW[0]
        return right > 0 and left < FARTHEST

    def _covers_over(self, word: LaidWord, holder: Box, place: Rect) -> list[PaintedRect]:
        """What is painted after a word in its place."""
        over = [cover for cover in self._near(place) if self.painter.is_over(cover, word, holder)]
        return [cover._replace(alpha=self.painter.alpha_over(cover, word.box)) for cover in over]

    def _near(self, place: Rect) -> list[PaintedRect]:
        """What is painted in a place, or near it."""
        if (known := self._known_near.get(place)) is not None:
            return known
        first, last = int(place[1] // STRIP), int(place[3] // STRIP)
        strips = [self.strips.get(number, ()) for number in range(first, min(last, first + MOST_STRIPS) + 1)]
        several = (*chain(*strips), *self.everywhere)
        self._spend(len(several))
        near = {id(cover): cover for cover, bounds in several if _meet(bounds, place)}
        self._spend(LOOKS_A_COVER * len(near))
        self._known_near[place] = list(near.values())
        return self._known_near[place]

    def _is_seen_in_part(
        self, plane: Plane, place: tuple[float, float, float, float], covers: list[PaintedRect]
    ) -> bool:
        x, y, w, h = place
        columns, rows = set[int](), set[int]()
        self._spend(ACROSS * DOWN * (1 + len(covers) + sum(1 for _ in _clips(plane))))
        for row in range(DOWN):
            for column in range(ACROSS):
                across = x + w * (column + 0.5) / ACROSS
                down = y + h * (UPPER + (LOWER - UPPER) * (row + 0.5) / DOWN)
                if self._is_place_seen(plane, across, down, covers):
                    columns.add(column)
                    rows.add(row)
        return len(columns) >= LEAST_ACROSS and len(rows) >= LEAST_DOWN

    def _is_place_seen(self, plane: Plane, x: float, y: float, covers: list[PaintedRect]) -> bool:
        place = plane.matrix.apply(x, y)
        if place[1] < 0 or (place[0] < 0 and not self.goes_left):
            return False
        if not all(clip.holds(x, y, plane.matrix, place) for clip in _clips(plane)):
            return False
        left = 1.0
        for cover in covers:
            if _covers(cover, place):
                left *= 1 - cover.alpha
                if left < 1 - OPAQUE:
                    return False
        return True


def _meet(one: Rect, two: Rect) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _clips(plane: Plane) -> Iterator[Clip]:
    for start in (plane.clip, plane.path):
        clip = start
        while clip is not None:
            yield clip
            clip = clip.around


def _covers(cover: PaintedRect, place: tuple[float, float]) -> bool:
    back = cover.plane.matrix.inverse()
    if back is None:
        return False
    x, y = back.apply(*place)
    left, top, right, bottom = cover.rect
    if not (left <= x < right and top <= y < bottom):
        return False
    return all(clip.holds(x, y, cover.plane.matrix, place) for clip in _clips(cover.plane))
