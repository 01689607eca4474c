"""What the tests of the store share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

NOBODY = 65534


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder that cannot be written to, and no root's right to do so all the same."""
    if os.name == "nt":
        pytest.skip("Windows has no such modes")
    user = os.geteuid()
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        if user == 0:
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(user)
            folder.chmod(0o755)
