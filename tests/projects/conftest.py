"""A small project on the disk, as a WACZ file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.app import with_app
from tests.loopback.run import Internet
from tests.projects.test_wacz import fill


@pytest.fixture
def wacz_path(environment: Mapping[str, str], internet: Internet, tmp_path: Path) -> Path:
    settings = {
        **environment,
        "ALLOW_PRIVATE_IPS": "true",
        "CHROME_PATH": "disabled",
        "CACHE_DIR": str(tmp_path / "other"),
    }
    path = tmp_path / "tides.wacz"
    path.write_bytes(with_app(settings, lambda app: fill(app, internet)))
    return path
