"""The loopback internet as pytest fixtures: one server a session, forgetful between tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.run import Internet
from wellsourced.net.guard import AddressGuard


@pytest.fixture(scope="session")
def running_internet() -> Iterator[Internet]:
    with Internet() as started:
        yield started


@pytest.fixture
def internet(running_internet: Internet) -> Internet:
    """The session's loopback internet, behaving well and with nothing counted."""
    running_internet.reset()
    return running_internet


@pytest.fixture
def public_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets addresses of the loopback internet, which stands for the public one, be told to an archive."""

    async def check(guard: AddressGuard, url: str) -> None:
        await guard.check_trusted(url)

    monkeypatch.setattr(AddressGuard, "check_shareable", check)
