"""Same title or another one."""

from __future__ import annotations

import pytest

from wellsourced.text.titles import same_title


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
    assert same_title(one, other)


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
    assert not same_title(one, other)
