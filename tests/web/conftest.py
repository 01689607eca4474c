"""A real server on the loopback internet and a real browser in front of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import KEPT
from tests.http.http_server import http_server
from tests.loopback.run import Internet, keys
from tests.net.browser.browsing import chromium
from tests.web.driver import BROWSER

__all__ = ["axe", "chromium", "workbench"]

AXE = Path(".tools/axe/node_modules/axe-core/axe.min.js")


@pytest.fixture(scope="session", autouse=True)
def _closing() -> Iterator[None]:
    yield
    BROWSER.close()


@pytest.fixture(scope="session")
def workbench(running_internet: Internet) -> Iterator[str]:
    """The address of a server with every imitated service; its world is well again at the start."""
    running_internet.reset()
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {**kept, **running_internet.environment(), **keys(), "CACHE_DIR": folder}
        with http_server({**environment, "ALLOW_PRIVATE_IPS": "true", "PYTHONDONTWRITEBYTECODE": "1"}) as address:
            yield address


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core."""
    path = Path(__file__).resolve().parents[2] / AXE
    if not path.is_file():
        if os.environ.get("CI") == "true":
            pytest.fail("axe-core is missing; tests/web/install.sh fetches it.")
        pytest.skip("ACCESSIBILITY IS NOT TESTED: axe-core is missing; tests/web/install.sh fetches it with npm")
    return path.read_text("utf-8")
