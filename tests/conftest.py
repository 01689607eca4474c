"""What all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from tests.loopback.fixtures import internet, public_loopback, running_internet
from tests.loopback.run import Internet, keys
from tests.secret_scan import pytest_runtest_teardown

__all__ = [
    "environment",
    "internet",
    "keyed_environment",
    "public_loopback",
    "pytest_runtest_teardown",
    "quiet_environment",
    "running_internet",
    "shared",
]

# In CI the same examples every time: a landing must not hang on a lucky draw. Elsewhere new ones are tried. However
# long an example takes, a busy machine is no failure; what must be quick is measured by its test.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("elsewhere", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "elsewhere")

ROOT = Path(__file__).resolve().parent.parent
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")


def pytest_collection_finish() -> None:
    """What has been collected stays: looking through it for garbage would take longer than many tests."""
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The recorded material beside the project; tests that read it skip where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no recorded material beside the project")
    return folder


@pytest.fixture
def quiet_environment(tmp_path: Path) -> Mapping[str, str]:
    """Variables for a process of ours: nothing of this machine's but where things are."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**kept, "CACHE_DIR": str(tmp_path / "data"), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture
def environment(quiet_environment: Mapping[str, str], internet: Internet) -> dict[str, str]:
    """Variables for a process of ours whose world is the loopback internet."""
    return {**quiet_environment, **internet.environment()}


@pytest.fixture
def keyed_environment(environment: dict[str, str]) -> dict[str, str]:
    """The same, with the keys and contact addresses of every imitated service that asks for one."""
    return {**environment, **keys()}
