"""Small pages, laid out."""

from __future__ import annotations

from wellsourced.pages.html import dom, hidden
from wellsourced.pages.html.cascade import Cascade
from wellsourced.pages.html.layout.planes import Planes
from wellsourced.pages.html.layout.style import Styles
from wellsourced.pages.html.layout.tree import TreeMaker, boxes_in
from wellsourced.pages.html.layout.verdict import PlacesVerdict, judge_places, lay_page


def cascade_of(markup: str) -> Cascade:
    document = dom.parse(f"<!doctype html>{markup}")
    return next(hidden.PageStyles(document, dom.select(document, hidden.MACHINERY)).cascades())


def places(markup: str) -> dict[str, tuple[int, ...]]:
    """Where each word lies: left, top, right and bottom."""
    cascade = cascade_of(markup)
    maker = TreeMaker(Styles(cascade))
    root = maker.make(dom.select(cascade.index.document, "html")[0])
    assert root is not None
    planes: Planes = lay_page(maker, root)
    return {word.text: tuple(map(round, planes.word_bounds(word, box))) for box in boxes_in(root) for word in box.words}


def judged(markup: str) -> PlacesVerdict:
    verdict = judge_places(cascade_of(markup))
    assert verdict is not None
    return verdict
