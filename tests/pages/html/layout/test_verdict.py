"""What lies out of sight: beside the window, cut off, squeezed or covered."""

from __future__ import annotations

import time

import pytest

from tests.pages.html.layout.pages import cascade_of, judged
from wellsourced.pages.html.layout.verdict import could_be_moved, judge_places

COVER = "position:absolute;left:0;top:0;width:400px;height:80px;background:#fff"
HIDDEN = (
    "<p style='position:absolute;left:-9999px'>secret</p>",
    "<div style='height:20px;overflow:hidden'><p style='margin:0'>seen</p><p>secret</p></div>",
    "<div style='height:30px;overflow:hidden'><div style='float:left;width:100%;height:40px'></div>secret</div>",
    "<div style='transform:rotateY(90deg)'>secret</div>",
    "<div style='perspective:2px'><p style='transform:translateZ(3px)'>secret</p></div>",
    "<div style='clip-path:polygon(0 0,9px 0,0 9px)'>secret</div>",
    f"<p>secret</p><div style='{COVER}'></div>",
    f"<div style='opacity:.5'><p>secret</p><div style='{COVER}'></div></div>",
    "<div style='background:#eee'><p style='position:relative;z-index:-1'>secret</p></div>",
    "<div style='display:flex;width:90px;overflow:hidden'><p style='flex:none;width:90px'>seen</p><p>secret</p></div>",
    "<b dir=rtl style='margin-left:-5000px'><p></p></b>secret",
    "<i style='background:#fff;padding:30px 0'><p style='margin:0'>secret</p>as wide as the line</i>",
    "<html dir=rtl><p style='position:absolute;left:-1740px'>secret</p>",
    "<p>secret</p><div style='will-change:transform;background:#fff;margin-top:-50px;height:60px'></div>",
    "<p>secret</p><div style='will-change:color,position;background:#fff;margin-top:-50px;height:60px'></div>",
    "<div style='will-change:contain;margin-left:-900px'><p style='position:fixed;left:0'>secret</p></div>",
)
SEEN = (
    "<p style='position:relative;left:-5px'>secret</p>",
    "<div style='height:50px;overflow:auto'><p>a</p><p>secret</p></div>",
    f"<p style='position:relative;z-index:1'>secret</p><div style='{COVER}'></div>",
    f"<p>secret</p><div style='{COVER};opacity:.3'></div>",
    f"<p>secret</p><div style='{COVER};clip-path:inset(50%)'></div>",
    "<div style='height:0;overflow:hidden'><p style='position:absolute'>secret</p></div>",
    "<div style='text-indent:-9999px'><div>a</div><br>secret</div>",
    "<table style='max-height:1px;overflow:hidden'><tr><td>secret</td></tr></table>",
    "<p>secret</p><div style='will-change:color;background:#fff;margin-top:-50px;height:60px'></div>",
    "<i style='background:#fff;padding:30px 0'>as wide as the line<p style='margin:0'>secret</p></i>",
    "<div style='will-change:opacity;margin-left:-900px'><p style='position:fixed;left:0'>secret</p></div>",
)


@pytest.mark.parametrize("markup", HIDDEN)
def test_out_of_sight(markup: str) -> None:
    assert [text.data for text in judged(markup).hidden] == ["secret"]


@pytest.mark.parametrize("markup", SEEN)
def test_in_sight(markup: str) -> None:
    assert "secret" not in [text.data for text in judged(markup).hidden]


def test_of_a_text_that_is_cut_off_the_words_in_sight_are_kept() -> None:
    lines = "<div style='height:20px;overflow:hidden;width:60px'>first second third fourth</div>"
    (kept,) = judged(lines).partly.values()
    assert kept.startswith("first")
    assert "fourth" not in kept


def test_a_page_is_laid_out_only_where_something_could_be_moved() -> None:
    assert not could_be_moved(cascade_of("<style>p{margin:0 0 1em;color:#123}</style><p>a</p>"))
    assert could_be_moved(cascade_of("<style>p{margin:-1em 0}</style><p>a</p>"))


def test_nothing_is_said_of_styles_that_are_not_followed() -> None:
    assert judge_places(cascade_of("<div style='display:flex;flex-wrap:wrap;overflow:hidden'>a</div>")) is None


TOO_MUCH = {
    "deep": "<b style='overflow:hidden'>" * 8_000,
    "rows in rows": "<style>x{writing-mode:vertical-rl;display:flex}y{display:flex;writing-mode:horizontal-tb}</style>"
    + "<x>a <y>b " * 40,
    "covers": "<style>p{position:absolute;top:0;background:#fff}</style>" + "<p>word" * 4_000,
    "words": "<p style='height:9px;overflow:hidden'>" + "word " * 60_000,
    "floats": "<style>i{float:left;width:9px}</style>" + "<i>a</i> b " * 4_000,
}


@pytest.mark.parametrize("kind", TOO_MUCH)
def test_work_is_bounded(kind: str) -> None:
    cascade = cascade_of(TOO_MUCH[kind])
    start = time.process_time()
    assert judge_places(cascade) is None
    assert time.process_time() - start < 10
