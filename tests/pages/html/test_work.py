"""How much work a page takes, in calls for each of its elements: a clock would only say how busy the machine is."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from types import FrameType

import pytest

from wellsourced.pages.html import blocks, cascade, dates, dom, extract, hidden, markdown, metadata, scorer, signals

URL = "https://example.org/2024/tides"
SENTENCE = "The tide of the spring came over the wall at noon, and 12 men of the harbour went up to hold it back."
LINKED = f'<p>{SENTENCE} {SENTENCE} <a href="/keeper">The keeper</a> had <em>seen</em> it come, {SENTENCE}</p>\n'
ENTRY = '<li class="entry"><a href="/part">Part of the harbour</a></li>\n'
PAGE = (
    "<!doctype html><html lang=en><head><title>The tide of the spring - Harbour News</title>"
    "<style>.entry { color: #123456; display: inline-block } .closed { display: none }</style></head>"
    f"<body><nav><ul>{ENTRY * 60}</ul></nav><main><article><h1>The tide of the spring</h1>"
    f"{('<h2>What was seen</h2>' + LINKED * 4) * 25}</article></main>"
    f"<aside class=side>{'<div class=card><a href=/x><b>Another page</b></a></div>' * 40}</aside>"
    f"<footer><ul>{ENTRY * 30}</ul></footer></body></html>"
)
ELEMENTS = PAGE.count("<") - PAGE.count("</") - 1


def count_calls(work: Callable[[], object]) -> int:
    """How many functions are called by the second of two runs: the first one fills what is kept for all pages."""
    work()
    count = 0

    def see(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def write(outline: blocks.Outline) -> object:
    return markdown.write_kept(outline, [True] * len(outline.blocks), URL)


def describe(page: extract.Prepared) -> object:
    if page.outline:
        page.outline.near_heading = None
    dates.find_published_date(page.document, page.declared, URL, page.outline)
    return metadata.read_metadata(page.document, page.declared, URL, page.outline)


MOST_CALLS = {"unseen": 1.5, "walk": 22.5, "judge": 6.5, "write": 23.5, "describe": 3, "all": 45}


@pytest.mark.parametrize("step", MOST_CALLS)
def test_a_page_takes_no_more_calls_for_an_element_than_it_did(step: str) -> None:
    page = extract.prepare(PAGE, URL)
    assert page.outline is not None
    outline, document = page.outline, dom.parse(PAGE)
    scorer.load_scorer().judge(outline, page.facts)
    steps: dict[str, Callable[[], object]] = {
        "unseen": lambda: hidden.remove_hidden(document),
        "walk": lambda: blocks.outline(page.document, has_invisible=signals.has_invisible),
        "judge": lambda: scorer.load_scorer().judge(outline, page.facts),
        "write": lambda: write(outline),
        "describe": lambda: describe(page),
        "all": lambda: extract.extract(PAGE, URL),
    }
    assert count_calls(steps[step]) / ELEMENTS <= MOST_CALLS[step]


@pytest.mark.parametrize(
    "styles", ["", "<style>.side{container-type:size}@container (width>1px){.card{color:red}}</style>"]
)
def test_the_tree_of_a_page_is_let_go_with_it(styles: str) -> None:
    """A server looks for garbage seldom, and would hold a hundred pages until then."""
    gc.collect()
    gc.disable()
    try:
        extract.extract(PAGE.replace("<main>", f"{styles}<main>"), URL)
        assert not [each for each in gc.get_objects() if isinstance(each, cascade.Cascade)]
    finally:
        gc.enable()
