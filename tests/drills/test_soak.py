"""A short soak of the real server; `make soak` runs the long one."""

from __future__ import annotations

import sys

import pytest

from scripts.soak import soak


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_nothing_grows_under_load() -> None:
    """So early the memory is not at its level yet, so it may grow more here than over half an hour."""
    assert soak(10, growth=0.3, warm_up=0.4) == []
