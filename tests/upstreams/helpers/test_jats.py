"""Titles and abstracts in JATS, mended or not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.upstreams.helpers.jats import abstract_text, title_text


@pytest.mark.parametrize(
    ("fragment", "text"),
    [
        ("<jats:title>ABSTRACT</jats:title><jats:p>Rare variants.</jats:p>", "Rare variants."),
        (
            '<jats:sec id="s1">\n<jats:title>Background</jats:title>\n<jats:p>One &amp; two.</jats:p></jats:sec>'
            "<jats:sec><jats:title>Why?</jats:title><jats:p>Because.</jats:p></jats:sec>",
            "Background: One & two. Why? Because.",
        ),
        ("<p>H<jats:sub>2</jats:sub>O and <jats:italic>E. coli</jats:italic></p>", "H2O and E. coli"),
        (
            "x<jats:inline-formula><jats:alternatives><jats:tex-math>\\alpha</jats:tex-math><mml:math>"
            "<mml:mi>α</mml:mi></mml:math></jats:alternatives></jats:inline-formula>",
            "xα",
        ),
        ("<jats:title>要約</jats:title><jats:p>日本語の要約。</jats:p>", "日本語の要約。"),
        ("p < 0.05 and n > 3", "p < 0.05 and n > 3"),
        (
            "&lt;p&gt;In &lt;jats:italic&gt;E. coli&lt;/jats:italic&gt;, p &amp;lt; 0.05&lt;/p&gt;",
            "In E. coli, p < 0.05",
        ),
        ("<jats:p>cut off", "cut off"),
        ("", ""),
    ],
)
def test_plain_text(fragment: str, text: str) -> None:
    assert abstract_text(fragment) == text


@pytest.mark.parametrize(
    ("title", "text"),
    [
        (
            'The <mml:math xmlns:mml="x"><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>2</mml:mn></mml:math> boson',
            "The x=2 boson",
        ),
        ("<scp>COVID</scp>‐19 in <italic>E. coli</italic> and H<inf>2</inf>O", "COVID‐19 in E. coli and H2O"),
        ("A &lt;i&gt;b&lt;/i&gt; in Gait &amp;amp; Posture", "A b in Gait & Posture"),
        ("<math><mi>α</mi><annotation>\\alpha</annotation></math> decay", "α decay"),
        ("<inline-formula><tex-math>$x$</tex-math></inline-formula> alone", "$x$ alone"),
        ("vector<int>, p &lt; 0.05 and R&D", "vector<int>, p < 0.05 and R&D"),
        (["", None, "第二"], "第二"),
        (7, ""),
    ],
)
def test_titles(title: object, text: str) -> None:
    assert title_text(title) == text


@given(st.text(alphabet="<>/: jats:pitlex-mh\"'&;", max_size=200))
def test_any_fragment(fragment: str) -> None:
    assert "\n" not in abstract_text(fragment)


@pytest.mark.parametrize("piece", ["<", "<jats:title>", "<p ", "</p>", "<jats:tex-math>x"])
def test_time_is_linear(piece: str) -> None:
    start = time.thread_time()
    abstract_text(piece * 30_000)
    title_text(piece * 30_000)
    assert time.thread_time() - start < 2
