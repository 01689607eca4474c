"""A few rounds of killing the server while it writes; `make kill-rounds` runs two hundred."""

from __future__ import annotations

import sys

import pytest

from scripts.kill_rounds import kill_rounds


@pytest.mark.skipif(sys.platform == "win32", reason="needs a signal that cannot be caught")
def test_nothing_acknowledged_is_missing() -> None:
    acknowledged, missing = kill_rounds(4)
    assert missing == []
    assert acknowledged > 10
