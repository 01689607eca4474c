"""The house that all these tests context: started once for them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.conftest import KEPT
from tests.loopback.run import Internet
from tests.many_users.server import House, open_house


@pytest.fixture(scope="package")
def house(running_internet: Internet, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    surroundings = {name: os.environ[name] for name in KEPT if name in os.environ}
    with open_house(tmp_path_factory.mktemp("many_users"), surroundings, running_internet) as opened:
        yield opened
