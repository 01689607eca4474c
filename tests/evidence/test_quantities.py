"""Numbers in words, with scales and with spaces come to the same digits."""

from __future__ import annotations

import pytest

from wellsourced.evidence.quantities import plain_numbers
from wellsourced.text.terms import comparison_keys


@pytest.mark.parametrize(
    ("written", "digits"),
    [
        ("1.4 million", "1400000"),
        ("1,4 Mio. Euro", "1400000"),
        ("deux millions d'euros", "2000000"),
        ("3 mil millones", "3000000000"),
        ("5 milhões", "5000000"),
        ("zwölf Tausend", "12000"),
        ("12.9bn", "12900000000"),
        ("1 400 000 habitants", "1400000"),
        ("人口1400万人", "14000000"),
        ("2 trillion", "2000000000000"),
    ],
)
def test_scales(written: str, digits: str) -> None:
    assert digits in comparison_keys(plain_numbers(written))
    assert digits in comparison_keys(plain_numbers(written, every_reading=False))


@pytest.mark.parametrize(
    "text", ["40 percent", "in 2019 300 people came", "the mill on the hill", "v1.2.3", "1.4 mile"]
)
def test_other_text_stays(text: str) -> None:
    assert plain_numbers(text) == text


def test_scaled_numbers_are_not_their_digits() -> None:
    assert "1.4" not in comparison_keys(plain_numbers("1.4 million"))
