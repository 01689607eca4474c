"""Colours in every notation of CSS, against values computed by browsers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.brand.colour_values import brightness, is_neutral, to_hex, written

NOTATIONS = [
    ("#fa0", "#FFAA00"),
    ("#FFA600", "#FFA600"),
    ("#ffa600ff", "#FFA600"),
    ("rgb(255, 166, 0)", "#FFA600"),
    ("rgb(100% 65% 0%)", "#FFA600"),
    ("hsl(39deg 100% 50%)", "#FFA600"),
    ("hsla(39, 100%, 50%, 1)", "#FFA600"),
    ("hwb(39 0% 0%)", "#FFA600"),
    ("oklch(62.8% 0.2577 29.23)", "#FF0000"),
    ("oklab(0.628 0.2249 0.1258)", "#FF0000"),
    ("222.2 47.4% 11.2%", "#0F172A"),
    ("Tomato !important", "#FF6347"),
    ("#ffa60080", ""),
    ("rgba(0, 0, 0, .5)", ""),
    ("var(--brand)", ""),
    ("rgb(1 2)", ""),
    ("none", ""),
    ("linear-gradient(#fff, #000)", ""),
]


@pytest.mark.parametrize(("value", "expected"), NOTATIONS)
def test_a_colour_has_one_spelling(value: str, expected: str) -> None:
    assert to_hex(value) == expected


WRITTEN = [
    ("Starter Yellow #FFA600, RGB 255, 166, 0", ["#FFA600"]),
    ("HEX: 16161d", ["#16161D"]),
    ("RGB 22 / 22 / 29", ["#16161D"]),
    ("R: 22 G: 22 B: 29", ["#16161D"]),
    ("rgb(300, 1, 1)", []),
    ("see https://example.com/#abcdef, issue #123456a and PMS 151", []),
    ("色：#FFA600。", ["#FFA600"]),
]


@pytest.mark.parametrize(("text", "expected"), WRITTEN)
def test_colours_in_running_text(text: str, expected: list[str]) -> None:
    assert [colour for colour, _, _ in written(text)] == expected


@given(st.text(alphabet="#0123456789abcdefrghslokwy%(),./ -ー色", max_size=60))
def test_anything_else_is_no_colour_and_no_crash(text: str) -> None:
    assert re.fullmatch(r"(#[0-9A-F]{6})?", to_hex(text))
    assert all(re.fullmatch(r"#[0-9A-F]{6}", colour) for colour, _, _ in written(text))


def test_brightness_and_greys() -> None:
    assert (brightness("#FFFFFF"), brightness("#000000"), brightness("#FFA600")) == (255.0, 0.0, 173.7)
    assert is_neutral("#F7F9FC")
    assert not is_neutral("#EF404D")
