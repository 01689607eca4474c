"""No regular expression of the package takes more than linear time, whatever text it is given.

How a pattern is kept linear: what begins with blanks begins where the blanks do (`(?<!\\s)\\s+`), what repeats does not
give back (`*+`, `++`, `(?>…)`), and what can end without its closing mark ends with the text (`(?:-->|\\Z)`).
"""

from __future__ import annotations

import re

from tests.patterns.collect import UsedPattern
from tests.patterns.measure import steepest


def test_the_measuring_finds_what_is_not_linear() -> None:
    def is_slow(pattern: str, method: str = "search") -> bool:
        return steepest(UsedPattern(re.compile(pattern), "here", frozenset({method}))) is not None

    assert is_slow(r"\s*;")
    assert is_slow(r"<!--.*?-->")
    assert is_slow(r"(?:a|aa)*b", "match")
    assert not is_slow(r"\s*;", "match")
    assert not is_slow(r"(?:(?<!\s)\s+)?;")
