"""Same title or another one; a title is recognised at the start of a text, however it is set."""

from __future__ import annotations

import pytest

from wellsourced.text.titles import is_same_title, is_title_near_start


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Attention Is All You Need", "Attention is all you need."),
        ("PaperQA: Retrieval-Augmented Agent", "PaperQA — retrieval augmented agent"),
        ("Über die Natur", "Uber die Natur"),
        ("Heat-bath random walks with Markov bases", "Heat-bath random walks with Markov base"),
        ("深度学习中的注意力机制综述", "深度学习中的注意力机制综述。"),
    ],
)
def test_same(one: str, other: str) -> None:
    assert is_same_title(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gravity hill", "Explanation of Gravity Hill of Mainpat by using digital Elevation Modeling"),
        ("SF Districts in the style of Andy Warhol, with Math", "Andy Warhol"),
        ("深度学习中的注意力机制综述", "卷积神经网络综述"),
        ("", ""),
        ("???", "!!!"),
    ],
)
def test_another(one: str, other: str) -> None:
    assert not is_same_title(one, other)


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
    assert is_title_near_start(TITLE, text) is expected


def test_any_script_will_do() -> None:
    assert is_title_near_start("深層学習による画像認識", "要旨\n深層学習に\nよる画像認識\n著者")
    assert not is_title_near_start("", "anything")
