"""Distances between known places, across the date line and through the poles."""

from __future__ import annotations

import pytest

from wellsourced.upstreams.helpers.distance import metres_between


def test_distances() -> None:
    assert metres_between((52.5200, 13.4050), (48.8566, 2.3522)) == pytest.approx(877_460, rel=0.001)
    assert metres_between((0, 179.5), (0, -179.5)) == pytest.approx(111_195, rel=0.001)
    assert metres_between((90, 0), (-90, 0)) == pytest.approx(20_015_087, rel=0.001)
