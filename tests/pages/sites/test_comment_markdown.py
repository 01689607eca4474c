"""Comments as markdown."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.pages.sites.comment_markdown import comment_markdown

CASES = [
    ("One<p>Two", "One\n\nTwo"),
    ("a <i>b</i> <b>c</b> <code>d</code>", "a *b* **c** `d`"),
    ('see <a href="https://e.example/x?a=1&amp;b=2">the page</a>.', "see [the page](https://e.example/x?a=1&b=2)."),
    ('<a href="https://e.example/long/path">https://e.example/lo...</a>', "https://e.example/long/path"),
    ('<a href="javascript:alert(1)">press</a>', "press"),
    ("<ul><li>one</li><li>two</li></ul>after", "- one\n- two\n\nafter"),
    ("<blockquote><p>x</p><p>y</p></blockquote>z", "> x\n\n> y\n\nz"),
    ("<pre><code>  a &lt; b\n    c</code></pre>", "```\n  a < b\n    c\n```"),
    ("<script>bad()</script>港<br>町", "港\n町"),
    ("<svg><style>a{}</style>unseen</svg>seen", "seen"),
    ("cut <b>off", "cut **off**"),
    ("", ""),
]


@pytest.mark.parametrize(("markup", "expected"), CASES)
def test_comments(markup: str, expected: str) -> None:
    assert comment_markdown(markup) == expected


@given(st.text(alphabet="<>/abpi &;\"'=!-?\n港", max_size=200))
def test_nothing_crashes_and_plain_words_survive(markup: str) -> None:
    comment_markdown(markup)
    assert "words" in comment_markdown(f"<p>words</p>{markup}")


@pytest.mark.parametrize("piece", ["<a href=x>", "<i>", "<", "<!--", "&", "<li>", "<pre>", "</a>", "<!", "<a b='"])
def test_hostile_comments_take_no_time(piece: str) -> None:
    started = time.process_time()
    comment_markdown(piece * 100_000)
    assert time.process_time() - started < 2
