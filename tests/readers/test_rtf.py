"""Rich text."""

from __future__ import annotations

import pytest

from wellsourced.readers.refusal import Unreadable
from wellsourced.readers.rtf import read


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"{\rtf1\ansi\ansicpg1252 {\fonttbl{\f0 Arial;}}{\info{\title T}}"
         rb"Caf\'e9 \u26085?\u26412?!\par Two\line three}",
         "Café 日本!\n\nTwo\nthree"),
        (rb"{\rtf1\ansi\ansicpg932 \'93\'fa\'96\'7b{\*\generator X;}{\v hidden}\{\}}", "日本{}"),
        (rb"{\rtf1 a\cell b\cell\row c\cell d\cell\row after\par}", "| a | b |\n| --- | --- |\n| c | d |\n\nafter"),
        (rb"{\rtf1\uc2 \u-10179??\u-8704?? ok}", "😀 ok"),
    ],
)  # fmt: skip
def test_text(body: bytes, text: str) -> None:
    assert read(body, max_chars=1000).text == text


def test_deep_groups_are_refused() -> None:
    with pytest.raises(Unreadable, match="nested"):
        read(b"{\\rtf1 " + b"{" * 100_000, max_chars=1000)
