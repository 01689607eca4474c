"""Words lie where Chromium puts them, with its usual font in a window of 1280 by 1270 pixels."""

from __future__ import annotations

import pytest

from tests.pages.html.layout.pages import places

FARTHEST = 2


PLACES: dict[str, dict[str, tuple[int, ...]]] = {
    "<p>word1x <b>word2x</b></p><h2>word3x</h2>": {
        "word1x": (8, 16, 67, 35), "word2x": (72, 16, 139, 35), "word3x": (8, 55, 108, 83),
    },
    "<details open><summary>word1x</summary>word2x</details><details><summary>word3x</summary>word4x</details>": {
        "word1x": (25, 8, 84, 27), "word2x": (8, 27, 67, 46), "word3x": (25, 46, 84, 65),
    },
    "<body style='columns:2'>word1x <p>word2x</p><p>word3x</p>": {
        "word1x": (8, 8, 67, 27), "word2x": (8, 43, 67, 62), "word3x": (648, 8, 707, 27),
    },
    "<table><tr><td>word1x<p>word3x</p></td><td>word2x</td></tr></table>": {
        "word1x": (11, 11, 70, 30), "word3x": (11, 46, 70, 65), "word2x": (74, 36, 133, 55),
    },
    "<span>a<p popover style='display:block'>word7x</p></span>": {"word7x": (610, 625, 669, 644)},
    "<body style='writing-mode:vertical-rl'>word1x<p>word2x</p>": {
        "word1x": (1253, 8, 1272, 67), "word2x": (1218, 8, 1237, 67),
    },
    "<div style='aspect-ratio:9/1;display:grid'><p style='aspect-ratio:9/1'>word1x</p>word2x</div>": {
        "word1x": (8, 24, 67, 43), "word2x": (8, 180, 67, 199),
    },
    "<div style='display:flex'><p style='aspect-ratio:9/1'>word1x</p><p>word2x</p></div>": {
        "word1x": (8, 24, 67, 43), "word2x": (67, 24, 126, 43),
    },
    "<div style='writing-mode:vertical-rl;height:100px'><div style='aspect-ratio:9/1'>word1x</div>word2x</div>": {
        "word1x": (908, 8, 927, 67), "word2x": (8, 8, 27, 67),
    },
    "<div style='writing-mode:vertical-rl;height:100px'>"
    "<div style='aspect-ratio:1/2;min-width:9px'>word1x word2x word4x</div>word3x</div>": {
        "word1x": (58, 8, 77, 67), "word4x": (20, 8, 39, 67), "word3x": (8, 8, 27, 67),
    },
    "<div style='writing-mode:vertical-rl;height:300px'>"
    "<table><td>word1x<td>word3x<br>word4x<tr><td>word6x<td>word7x</table>word2x</div>": {
        "word1x": (63, 11, 82, 70), "word3x": (72, 74, 91, 133), "word4x": (53, 74, 72, 133),
        "word6x": (30, 11, 49, 70), "word7x": (30, 74, 49, 133), "word2x": (8, 8, 27, 67),
    },
    "<div style='writing-mode:vertical-lr;height:300px'>"
    "<table style='aspect-ratio:2/1'><td>word1x<td>word3x<br>word4x</table>word2x</div>": {
        "word1x": (126, 11, 145, 70), "word3x": (117, 74, 136, 133), "word2x": (264, 8, 283, 67),
    },
    "<table style='aspect-ratio:1/2;width:100px'><td>word1x</td><tr><td>word3x</table>word2x": {
        "word1x": (11, 49, 70, 68), "word3x": (11, 148, 70, 167), "word2x": (8, 208, 67, 227),
    },
    "<div style='display:flex;aspect-ratio:9/1;width:100px'><b style='aspect-ratio:9/1'></b>word1x</div>word2x": {
        "word1x": (108, 8, 167, 27), "word2x": (8, 19, 67, 38),
    },
    "<div style='display:flex;height:40px'><b style='aspect-ratio:2;min-width:0'></b>word1x</div>": {
        "word1x": (88, 8, 147, 27),
    },
    "<div style='display:inline-flex;aspect-ratio:9/1'><b style='aspect-ratio:9/1'></b>word1x</div>word2x": {
        "word1x": (67, 16, 126, 35), "word2x": (67, 8, 126, 27),
    },
    "<table><td style='display:inline-flex;aspect-ratio:9/1'>word1x</td></table>word2x": {
        "word1x": (11, 17, 70, 36), "word2x": (8, 31, 67, 50),
    },
    "a <span style='position:relative'><p>word1x</p>b<b style='position:absolute;right:0'>word2x</b></span>": {
        "word2x": (-48, 78, 18, 97),
    },
}  # fmt: skip


@pytest.mark.parametrize("markup", PLACES)
def test_words_lie_where_a_browser_puts_them(markup: str) -> None:
    found = places(markup)
    for word, place in PLACES[markup].items():
        assert max(abs(mine - its) for mine, its in zip(found[word], place, strict=True)) <= FARTHEST, found


def test_what_is_not_displayed_has_no_place() -> None:
    assert set(places("<p>word1x</p><p hidden>word2x</p><details>word3x</details>")) == {"word1x"}


def test_a_float_leaves_room_for_lines_beside_it_and_none_for_what_keeps_clear() -> None:
    found = places("<div style='float:left;width:100px;height:60px'></div>word1x<p style='clear:left'>word2x</p>")
    assert found["word1x"][:2] == (108, 8)
    assert found["word2x"][:2] == (8, 68)


def test_margins_fall_into_one() -> None:
    found = places("<div><p style='margin:30px 0'>word1x</p></div><div style='margin-top:20px'>word2x</div>")
    assert found["word1x"][1] == 30
    assert found["word2x"][1] == found["word1x"][3] + 30


def test_a_transform_moves_all_within() -> None:
    found = places("<div style='transform:translate(40px,7px) scale(2);transform-origin:0 0'>word1x</div>")
    assert found["word1x"][:2] == (48, 15)
    assert abs(found["word1x"][2] - 48 - 2 * 59) <= FARTHEST
