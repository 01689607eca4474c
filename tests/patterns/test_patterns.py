"""No regular expression of the package takes more than linear time, whatever text it is given.

How a pattern is kept linear: what begins with blanks begins where the blanks do (`(?<!\\s)\\s+`), what repeats does not
give back (`*+`, `++`, `(?>…)`), and what can end without its closing mark ends with the text (`(?:-->|\\Z)`).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patterns.collect import UsedPattern
from tests.patterns.measure import steepest

ROOT = Path(__file__).resolve().parent.parent.parent
FEWEST = 600
LONGEST = 1800  # seconds, on a machine that does a dozen other things


@pytest.mark.timeout(LONGEST)
def test_no_pattern_takes_more_than_linear_time() -> None:
    """In a process of its own, in which the modules are not yet imported, so that every pattern is seen compiled."""
    command = [sys.executable, "-m", "tests.patterns.measure"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=LONGEST)
    measured = json.loads(done.stdout)
    assert measured["patterns"] > FEWEST
    assert measured["slow"] == []


def test_the_measuring_finds_what_is_not_linear() -> None:
    def is_slow(pattern: str, method: str = "search") -> bool:
        return steepest(UsedPattern(re.compile(pattern), "here", frozenset({method}))) is not None

    assert any(is_slow(r"\s*;") for _ in range(3))
    assert any(is_slow(r"<!--.*?-->") for _ in range(3))
    assert any(is_slow(r"(?:a|aa)*b", "match") for _ in range(3))
    assert not is_slow(r"\s*;", "match")
    assert not is_slow(r"(?:(?<!\s)\s+)?;")
