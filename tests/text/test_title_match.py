"""A title is recognised at the start of a text, however it is set."""

from __future__ import annotations

import pytest

from wellsourced.text.title_match import title_in

TITLE = "Efficient estimation of word representations: a vector-space view"
TEXTS = [
    ("E FFICIENT ESTIMATION OF\nWORD REPRE-\nSENTATIONS: A VECTOR SPACE VIEW\n\nJ. Doe", True),
    ("Eﬃcient estimation of word representations\nA new subtitle of the publisher", True),
    ("# Something else\n\nIt cites work on estimation of words.", False),
    ("x" * 30_000 + TITLE, False),
    ("", False),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_the_title_is_found_near_the_beginning(text: str, expected: bool) -> None:
    assert title_in(TITLE, text) is expected


def test_any_script_will_do() -> None:
    assert title_in("深層学習による画像認識", "要旨\n深層学習に\nよる画像認識\n著者")
    assert not title_in("", "anything")
