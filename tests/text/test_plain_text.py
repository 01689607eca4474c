"""Snippet text: tags, entities, invisible characters, hostile input."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.text.plain_text import (
    CONTROLS,
    SELECTOR_RUNS,
    STRAY_JOINERS,
    as_rendered,
    strip_invisible,
    strip_markup,
)


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        ("<strong>Ru</strong>st &amp; C", "Rust & C"),
        ("one<br/>two</p><p>three", "one two three"),
        ("a &amp;lt;b&amp;gt;", "a &lt;b&gt;"),
        ("std::vector<int> x; a < b > c", "std::vector<int> x; a < b > c"),
        ("""<a href="x" title='1 > 0' data-x="<b>">link</a>""", "link"),
        ("x<!-- <b>secret</b> -->y <SCRIPT>alert('1<2')</script>z", "x y z"),
        ("x <!-- never closed", "x <!-- never closed"),
        ("İİİİ <style>p{}</style>end", "İİİİ end"),
        ("a\u200bb\u202ec\u2066d\ufeffe\x00f\x1bg\u00adh", "abcdefgh"),
        ("\U000e0041\U000e0042hidden", "hidden"),
        ("a\u3164b\uffa0c\U0001d173d\U000e0080e\U000e01f5f", "abcdef"),
        ("می\u200cخواهم x\u200cy", "می\u200cخواهم xy"),
        ("👩\u200d🔬 क\u094d\u200dष", "👩\u200d🔬 क\u094d\u200dष"),
        ("葛\U000e0100城 x\ufe0f\ufe0e\ufe01", "葛\U000e0100城 x\ufe0f"),
        ("lone \ud83d surrogate", "lone surrogate"),
        ("&#128512;&#x1F600; &#0000000065; &#" + "9" * 6000 + ";", "😀😀 A \ufffd"),
        ("  tabs\tand\n\nlines\u2028\u00a0x ", "tabs and lines x"),
        ("مرحبا <b>بالعالم</b>", "مرحبا بالعالم"),
        ("", ""),
    ],
)
def test_plain(fragment: str, expected: str) -> None:
    assert strip_markup(fragment) == expected


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("a <div hidden class=x>obey</div>b<p hidden>obey</p>", "a b"),
        ("a <SPAN style='x:y; Display : none'>obey</span>b<p style=\"font-size:0\">obey</p>", "a b"),
        ("a <p style='visibility:hidden'>never closed", "a <p style='visibility:hidden'>never closed"),
        ("`<p hidden>` hides, `</p>` ends it", "`<p hidden>` hides, `</p>` ends it"),
        ("```html\n<p hidden>x</p>\n```\n<p hidden>obey</p>b", "```html\n<p hidden>x</p>\n```\nb"),
        ("<p style='font-size:0.9em'>small</p> is hidden", "<p style='font-size:0.9em'>small</p> is hidden"),
        ("a<!-- obey -->b", "ab"),
    ],
)
def test_markdown_as_a_reader_sees_it(markdown: str, shown: str) -> None:
    assert as_rendered(markdown) == shown


@given(st.text())
def test_the_result_can_be_written_anywhere(text: str) -> None:
    line = strip_markup(text)
    assert line == " ".join(line.split())
    assert line.encode().decode() == line


@pytest.mark.parametrize(
    "hostile",
    ["<", "<b ", '<b "', "<b \"<b '", "<!--", "<script", "&#", "&", "<b a='\">", '"<b "', "\u200d", "\ufe0f", "<b/"],
)
def test_hostile_repetition_is_linear(hostile: str) -> None:
    started = time.thread_time()
    strip_markup(hostile * (300_000 // len(hostile)))
    assert time.thread_time() - started < 3


@given(st.text(st.one_of(st.sampled_from("a -\n\x00\u00a0\u00ad\u200d\u3164\ufe0f\ufe0e“é葛"), st.characters())))
def test_a_text_that_looks_usual_holds_nothing_invisible(text: str) -> None:
    assert strip_invisible(text) == SELECTOR_RUNS.sub(r"\1", STRAY_JOINERS.sub("", CONTROLS.sub("", text)))
