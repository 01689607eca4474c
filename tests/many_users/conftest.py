"""The servers that all these tests use, started once for them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.conftest import KEPT
from tests.loopback.run import Internet
from tests.many_users.server import Servers, start_servers


@pytest.fixture(scope="package")
def servers(running_internet: Internet, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    surroundings = {name: os.environ[name] for name in KEPT if name in os.environ}
    with start_servers(tmp_path_factory.mktemp("many_users"), surroundings, running_internet) as opened:
        yield opened
